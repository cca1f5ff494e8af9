"""The eleven data sets of the paper's tables: for each ten training sets of 500 rows and ten test sets of 5000.

Seven come from the archives of the MMHC study, with the training sets that other publications use. For the other four
(three networks of the bnlearn repository, and NeuroPain) the authors' samples are not published; hccd draws its own,
with fixed seeds.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hccd.datasets.discrete_network import Codes, DiscreteNetwork
from hccd.datasets.mmhc import MMHCArchive
from hccd.datasets.networks import load_network
from hccd.datasets.neuropain import NeuroPain, load_neuropain
from hccd.datasets.synthetic import Bools
from hccd.errors import InvalidParameterError

#: The networks of the MMHC study, by the names in the paper's tables.
MMHC_NETWORKS = {
    "Alarm": "Alarm1",
    "Child": "Child",
    "Insurance": "Insurance",
    "Mildew": "Mildew",
    "Hailfinder": "HailFinder",
    "Barley": "Barley",
    "Munin": "Munin1",
}
_DRAWN = ("WIN95PTS", "PathFinder", "Hepar2", "NeuroPain")

PAPER_DATA_SETS = (*MMHC_NETWORKS, *_DRAWN)
"""The names in the paper's tables, in their order."""

N_SETS, TRAINING_ROWS, TEST_ROWS = 10, 500, 5000


@dataclass(frozen=True, eq=False)
class PaperData:
    """One of the data sets.

    Attributes
    ----------
    name : str
        The name in the paper's tables.
    names : tuple of str
        The columns.
    truth : array of bool
        The true DAG, ``truth[i, j]`` is the edge from column i to column j.
    """

    name: str
    names: tuple[str, ...]
    truth: Bools
    _draw: Callable[[str, int], Codes]

    def training(self, i: int) -> Codes:
        """Return the i-th training set of 500 rows, i from 1 to 10."""
        return self._draw("training", _checked(i))

    def test(self, i: int) -> Codes:
        """Return the test set of 5000 rows that belongs to the i-th training set."""
        return self._draw("test", _checked(i))


def paper_data(name: str, directory: str | os.PathLike[str], *, corrected: bool = True) -> PaperData:
    """Load one of the paper's data sets.

    Parameters
    ----------
    name : str
        One of ``PAPER_DATA_SETS``.
    directory : path
        A folder with the subfolders ``mmhc`` and ``neuropain``; see :class:`MMHCArchive` and :func:`load_neuropain`.
    corrected : bool
        For Hailfinder: use the graph that fits the data instead of the distributed one.
    """
    if name in MMHC_NETWORKS:
        archive, network = MMHCArchive(Path(directory, "mmhc")), MMHC_NETWORKS[name]

        def stored(kind: str, i: int) -> Codes:
            return archive.training(network, TRAINING_ROWS, i) if kind == "training" else archive.test(network, i)

        return PaperData(name, archive.names(network), archive.truth(network, corrected=corrected), stored)
    if name not in _DRAWN:
        raise InvalidParameterError(f"there is no data set {name!r}: choose one of {', '.join(PAPER_DATA_SETS)}")
    source = load_neuropain(Path(directory, "neuropain")) if name == "NeuroPain" else load_network(name)
    assert isinstance(source, DiscreteNetwork | NeuroPain)

    def drawn(kind: str, i: int) -> Codes:
        # One stream for each set, so that no set depends on which were drawn before it.
        seed = np.random.SeedSequence((2021, PAPER_DATA_SETS.index(name), int(kind == "test"), i))
        return source.sample(TRAINING_ROWS if kind == "training" else TEST_ROWS, seed)

    return PaperData(name, source.names, source.dag, drawn)


def _checked(i: int) -> int:
    if not 1 <= i <= N_SETS:
        raise InvalidParameterError(f"set {i} is requested: there are sets 1 to {N_SETS}")
    return i
