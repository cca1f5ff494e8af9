"""The data sets of the MMHC study (Tsamardinos, Brown and Aliferis, 2006), on which the paper compares methods.

A folder holds one archive ``NAME.tar.xz`` for each network, with ``NAME/NAME_graph.txt`` (the DAG as a matrix, row to
column) and the samples ``NAME/NAME_sROWS_vI.txt``. States are whole numbers from 0. This package does not contain the
data and does not download them.

Two files differ from what one expects. The graph of HailFinder does not fit the columns of its data;
``HailFinder_graph_fixed.txt`` is the same DAG with its variables matched to the columns. All separate test sets of the
study but one are lost, so the training sets of 5000 rows, which are independent samples, serve as test sets.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hccd.datasets.discrete_network import Codes
from hccd.datasets.synthetic import Bools
from hccd.errors import FileFormatError, InvalidParameterError
from hccd.files.text import read_text
from hccd.wording import quoted

_ENDING = ".tar.xz"
_COLUMNS = "mmhc_columns.json"
_STAND_IN_ROWS = 5000


@dataclass(frozen=True)
class MMHCArchive:
    """A folder with the archives of the study.

    Parameters
    ----------
    directory : path
        The folder.
    """

    directory: str | os.PathLike[str]

    def networks(self) -> tuple[str, ...]:
        """Return the names of the networks, sorted."""
        found = (path.name.removesuffix(_ENDING) for path in Path(self.directory).glob(f"*{_ENDING}"))
        return tuple(sorted(found))

    def names(self, network: str) -> tuple[str, ...]:
        """Return the names of the columns: those of the bnlearn repository where known, else ``V1``, ``V2``, ..."""
        self._archive(network)
        file = Path(self.directory, _COLUMNS)
        known = json.loads(read_text(file)) if file.exists() else {}
        if network in known:
            return tuple(known[network])
        return tuple(f"V{i + 1}" for i in range(len(self.truth(network))))

    def training(self, network: str, rows: int = 500, i: int = 1) -> Codes:
        """Return the i-th training set with this number of rows; i counts from 1.

        Returns
        -------
        numpy.ndarray of int32
            Rows by variables, states by their numbers, each column contiguous in memory (Fortran order).
        """
        return self._sample(network, f"{network}_s{rows}_v{i}.txt", rows)

    def test(self, network: str, i: int = 1, *, original: bool = False) -> Codes:
        """Return the test set of 5000 rows that belongs to the i-th training set; i counts from 1.

        Parameters
        ----------
        network : str
            One of :meth:`networks`.
        i : int
            The number of the training set.
        original : bool
            Read the study's own test set for training sets of 500 rows, ``NAME_testdata_s500_vI.txt.xz`` in the
            folder. By default the i-th training set of 5000 rows is used, for every i and every network.
        """
        if not original:
            return self.training(network, _STAND_IN_ROWS, i)
        self._archive(network)
        file = Path(self.directory, f"{network}_testdata_s500_v{i}.txt.xz")
        if not file.exists():
            raise InvalidParameterError(
                f"the study's own test set {file.name!r} is not in the folder: leave out original=True"
            )
        import lzma

        try:
            return _numbers(lzma.decompress(file.read_bytes()), file.name)
        except lzma.LZMAError as error:
            raise FileFormatError(f"{file.name} is damaged ({error}): get it again") from None

    def truth(self, network: str, *, corrected: bool = True) -> Bools:
        """Return the true DAG; ``dag[i, j]`` is the edge from column i to column j.

        Parameters
        ----------
        network : str
            One of :meth:`networks`.
        corrected : bool
            Use ``NAME_graph_fixed.txt`` if the folder has it, otherwise the distributed graph. The distributed graph
            of HailFinder does not fit its data.
        """
        fixed = Path(self.directory, f"{network}_graph_fixed.txt")
        if corrected and fixed.exists():
            matrix = _numbers(fixed.read_bytes(), fixed.name)
        else:
            name = f"{network}_graph.txt"
            matrix = _numbers(self._member(network, name), name)
        if matrix.shape[0] != matrix.shape[1] or not np.isin(matrix, (0, 1)).all():
            raise FileFormatError(f"the graph of {network!r} is not a square matrix of 0 and 1: get the archive again")
        dag = matrix.astype(np.bool_, order="C")
        dag.flags.writeable = False
        return dag

    def _sample(self, network: str, name: str, rows: int) -> Codes:
        data = _numbers(self._member(network, name), name)
        if data.shape[0] != rows:
            raise FileFormatError(f"{name} has {data.shape[0]} rows instead of {rows}: get the archive again")
        return data

    def _archive(self, network: str) -> Path:
        path = Path(self.directory, f"{network}{_ENDING}")
        if network not in self.networks():
            raise InvalidParameterError(
                f"there is no archive of {network!r} in {quoted(self.directory, 4096)}: there are "
                f"{', '.join(self.networks()) or 'none'}"
            )
        return path

    def _member(self, network: str, name: str) -> bytes:
        """Read one file of an archive; small sets come first, so that most reading ends early."""
        import lzma
        import tarfile

        found: list[str] = []
        try:
            with tarfile.open(self._archive(network), "r|xz") as archive:
                for member in archive:
                    found.append(Path(member.name).name)
                    if found[-1] == name:
                        file = archive.extractfile(member)
                        assert file is not None
                        return file.read()
        except (tarfile.TarError, lzma.LZMAError, EOFError) as error:
            raise FileFormatError(f"the archive of {network!r} is damaged ({error}): get it again") from None
        raise InvalidParameterError(f"the archive of {network!r} holds no {name}: it holds {', '.join(found)}")


def _numbers(raw: bytes, name: str) -> Codes:
    """Read a matrix of whole numbers from text, one row per line."""
    lines = [line for line in raw.split(b"\n") if line.strip()]
    try:
        values = np.array(list(map(int, raw.split())), dtype=np.int32)
        return np.asfortranarray(values.reshape(len(lines), -1))
    except ValueError:
        raise FileFormatError(f"{name} is not a table of whole numbers: get the archive again") from None
