"""The data sets of the leaderboard by name: the paper's, further networks of the bnlearn repository, random models.

Sets of one name differ in the rows drawn, and for random models in the model. Random models are called
``n=VARIABLES, ROWS rows``, have connectivity 3, and are those of the studies ``samples`` and ``nodes``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.datasets import PAPER_DATA_SETS, DiscreteNetwork, load_network
from hccd.datasets.networks import network_names
from hccd.datasets.paper_data import TEST_ROWS, TRAINING_ROWS
from hccd.graphs import PDAG
from hccd.studies.peer_script import CONTINUOUS, DISCRETE
from hccd.studies.sources import Folders, load_sets
from hccd.studies.synthetic_runs import synthetic_model

CONNECTIVITY = 3
_RANDOM_MODEL = re.compile(r"n=(\d+), (\d+) rows")
# Other seeds than those of the paper's data sets, which are numbered from 0.
_FIRST_NETWORK = 100


class BoardData(NamedTuple):
    """Rows to learn from, rows to score on (none for continuous data), and the true DAG."""

    kind: str
    training: NDArray[Any]
    test: NDArray[Any] | None
    truth: PDAG


@lru_cache(maxsize=4)
def load_board_data(data_set: str, number: int, folders: Folders) -> BoardData:
    """Return one set of a data set; ``number`` counts from 1. A few are kept: all methods need the same in turn."""
    if data_set in PAPER_DATA_SETS:
        sets = load_sets(data_set, number, folders)
        return BoardData(DISCRETE, sets.training, sets.test, PDAG(sets.truth.astype(np.int8)))
    if found := _RANDOM_MODEL.fullmatch(data_set):
        model, stream = synthetic_model(int(found[1]), CONNECTIVITY, number)
        return BoardData(CONTINUOUS, model.sample(int(found[2]), stream), None, PDAG(model.dag.astype(np.int8)))
    network = load_network(data_set)
    place = _FIRST_NETWORK + network_names().index(data_set)
    training = network.sample(TRAINING_ROWS, np.random.SeedSequence((2021, place, 0, number)))
    truth = PDAG(network.dag.astype(np.int8))
    if not isinstance(network, DiscreteNetwork):
        return BoardData(CONTINUOUS, training, None, truth)
    return BoardData(
        DISCRETE, training, network.sample(TEST_ROWS, np.random.SeedSequence((2021, place, 1, number))), truth
    )


def kind_of(data_set: str) -> str:
    """Tell what data a data set holds, without loading it."""
    from hccd.datasets.networks import GAUSSIAN

    return CONTINUOUS if data_set in GAUSSIAN or _RANDOM_MODEL.fullmatch(data_set) else DISCRETE
