"""Known networks by name, and networks from files.

The names are those of the bnlearn repository (bnlearn.com/bnrepository). The files are part of the package pgmpy,
which the extra ``experiments`` installs. They are read from its folder; pgmpy is not imported, and nothing is
downloaded.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from hccd.datasets.bif import read_bif
from hccd.datasets.discrete_network import DiscreteNetwork
from hccd.datasets.gaussian_json import read_gaussian_json
from hccd.datasets.gaussian_network import GaussianNetwork
from hccd.errors import InvalidParameterError
from hccd.wording import quoted

Network = DiscreteNetwork | GaussianNetwork

DISCRETE = (
    "alarm", "andes", "asia", "barley", "cancer", "child", "diabetes", "earthquake", "hailfinder", "hepar2",
    "insurance", "link", "mildew", "munin", "munin1", "munin2", "munin3", "munin4", "pathfinder", "pigs", "sachs",
    "survey", "water", "win95pts",
)  # fmt: skip
GAUSSIAN = ("arth150", "ecoli70", "magic-irri", "magic-niab")

_PACKAGE = "pgmpy"
_INSTALL = "pip install 'hccd[experiments]'"
_ENDINGS = (".bif", ".json", ".gz")


def network_names() -> tuple[str, ...]:
    """Return the names that :func:`load_network` knows: 24 discrete networks, then 4 linear Gaussian ones.

    Examples
    --------
    >>> network_names()[:3], network_names()[-1]
    (('alarm', 'andes', 'asia'), 'magic-niab')
    """
    return DISCRETE + GAUSSIAN


def load_network(name_or_path: str | os.PathLike[str]) -> Network:
    """Load a network by its name or from a file.

    Parameters
    ----------
    name_or_path : str or path
        One of :func:`network_names`, in upper or lower case; or a file: BIF, or JSON for a linear Gaussian network,
        compressed with gzip or not. If a file has the name of a network, give a path, such as ``./alarm``.

    Returns
    -------
    DiscreteNetwork or GaussianNetwork
        Its variables are in the order of the file.

    Raises
    ------
    InvalidParameterError
        There is no such network, or the package that holds it is not installed.
    FileFormatError
        The file cannot be read; the message names the line.
    """
    if isinstance(name_or_path, str):
        name = name_or_path.lower()
        if name in DISCRETE:
            return read_bif(_installed_file(f"{name}.bif.gz", name))
        if name in GAUSSIAN:
            return read_gaussian_json(_installed_file(f"{name}.json", name))
    path = Path(name_or_path)
    if not os.fspath(name_or_path) or (path.suffix not in _ENDINGS and not path.exists()):
        raise _unknown(str(name_or_path))
    suffixes = [suffix for suffix in path.suffixes if suffix != ".gz"]
    return read_gaussian_json(path) if suffixes[-1:] == [".json"] else read_bif(path)


def _installed_file(file: str, name: str) -> Path:
    """Find a file of the package without importing it, which would take seconds."""
    spec = find_spec(_PACKAGE)
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder, "utils", "example_models", file)
        if path.is_file():
            return path
    holds = "is not installed" if spec is None else "does not hold it in the version that is installed"
    raise InvalidParameterError(
        f"the network {name!r} comes with the package {_PACKAGE}, which {holds}: {_INSTALL}, or give the path of a "
        f"BIF file"
    )


def _unknown(name: str) -> InvalidParameterError:
    import difflib

    similar = difflib.get_close_matches(name.lower(), network_names(), n=1)
    hint = f"did you mean {similar[0]!r}?" if similar else f"choose one of {', '.join(network_names())}"
    return InvalidParameterError(f"there is no network and no file {quoted(name)}: {hint}")
