"""Training and test sets of the paper's eleven data sets, from folders where they are given and drawn where not.

With the archives of the MMHC study the training sets are the authors' own. Without them rows are drawn from the
published networks, with fixed seeds. Hailfinder is there twice: with the graph that fits its data, and with the file as
distributed, which the paper seems to have used. NeuroPain needs its folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hccd.datasets import PAPER_DATA_SETS, DiscreteNetwork, MMHCArchive, load_network, load_neuropain
from hccd.datasets.discrete_network import Codes
from hccd.datasets.paper_data import MMHC_NETWORKS, TEST_ROWS, TRAINING_ROWS
from hccd.datasets.synthetic import Bools
from hccd.errors import InvalidParameterError

AS_DISTRIBUTED = "Hailfinder as distributed"

_NEUROPAIN = "NeuroPain"


@dataclass(frozen=True)
class Folders:
    """Where data are that do not come with the package; None if they are not there."""

    mmhc: str | None = None
    neuropain: str | None = None

    def check(self) -> None:
        """Refuse a folder that is none."""
        for option, folder in (("--mmhc", self.mmhc), ("--neuropain", self.neuropain)):
            if folder is not None and not Path(folder).is_dir():
                raise InvalidParameterError(f"{option} is {folder!r}, and there is no such folder: check the name")

    def offers(self, data_set: str) -> bool:
        """Whether a data set can be had."""
        if data_set == AS_DISTRIBUTED:
            return self.mmhc is not None
        return data_set != _NEUROPAIN or self.neuropain is not None


class Sets(NamedTuple):
    """A training set, its test set and the true DAG, over the same variables."""

    training: Codes
    test: Codes
    truth: Bools


def load_sets(data_set: str, number: int, folders: Folders) -> Sets:
    """Return the sets of one run; ``number`` counts from 1."""
    plain = data_set.removesuffix(" as distributed")
    if folders.mmhc is not None and plain in MMHC_NETWORKS:
        archive, name = MMHCArchive(folders.mmhc), MMHC_NETWORKS[plain]
        truth = archive.truth(name, corrected=plain == data_set)
        return Sets(archive.training(name, TRAINING_ROWS, number), archive.test(name, number), truth)
    source = load_neuropain(str(folders.neuropain)) if data_set == _NEUROPAIN else _network(plain)

    def drawn(n_rows: int, is_test: int) -> Codes:
        seed = np.random.SeedSequence((2021, PAPER_DATA_SETS.index(plain), is_test, number))
        return source.sample(n_rows, seed)

    return Sets(drawn(TRAINING_ROWS, 0), drawn(TEST_ROWS, 1), source.dag)


@lru_cache(maxsize=2)
def _network(data_set: str) -> DiscreteNetwork:
    """Read a network once for all runs of a process that follow each other."""
    network = load_network(MMHC_NETWORKS.get(data_set, data_set).lower().replace("alarm1", "alarm"))
    assert isinstance(network, DiscreteNetwork)
    return network
