"""A run on one of the paper's data sets: one training set of 500 rows, all methods, scored on its test set of 5000.

The paper's preset chooses its threshold of mutual information by BDeu on the training set; its time holds that of all
thresholds it tried.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import DataWarning
from hccd.graphs import PDAG
from hccd.independence import BoundCITest, ChiSquareTest, GTest
from hccd.metrics import bdeu
from hccd.metrics.sample import Sample
from hccd.studies.description import Study
from hccd.studies.methods import learn, skeleton_tests, structure, timed, warm_up
from hccd.studies.run_store import Row
from hccd.studies.sources import Folders, load_sets


def measure_network(study: Study, case: Mapping[str, Any], folders: Folders) -> list[Row]:
    """Learn one training set by every method."""
    sets = load_sets(case["data_set"], case["set"], folders)
    truth = PDAG(sets.truth.astype(np.int8))
    test = coded_sample(sets.training, sets.test)
    warm_up()
    rows: list[Row] = []
    for method in study.methods:
        if method.options.get("method") == "empty":
            graph, values, seconds = PDAG.empty(truth.n), {"tests": 0.0}, 0.0
        else:
            by_threshold = method.options.get("preset") == "paper"
            data = sets.training if by_threshold else _bound(method.options, sets.training)
            with warnings.catch_warnings():
                # Published samples of 500 rows hold constants and copies; they are what they are.
                warnings.simplefilter("ignore", DataWarning)
                result, seconds = timed(learn, data, {**method.options, "test": "mi" if by_threshold else "auto"})
            graph, values = result.pdag(), {"tests": float(skeleton_tests(result))}
            if by_threshold:
                values["threshold"] = result.parameters["test"]["threshold"]
        values |= {**structure(truth, graph), "bdeu": bdeu(graph, test)}
        rows.append({"method": method.label, "values": values, "seconds": seconds})
    return rows


def coded_sample(training: NDArray[Any], test: NDArray[Any]) -> Sample:
    """Code the rows of a test set by the states of both sets: one that was never seen in training is possible."""
    states = [np.union1d(seen, new) for seen, new in zip(training.T, test.T, strict=True)]
    columns = [np.searchsorted(each, column) for each, column in zip(states, test.T, strict=True)]
    return Sample(np.array(columns, dtype=np.int64), tuple(map(len, states)))


def _bound(options: Mapping[str, Any], training: Any) -> BoundCITest:
    """Bind the test of a method, ``g`` if it names none, at its ``alpha``."""
    alpha = options.get("alpha", GTest.alpha)
    return (ChiSquareTest(alpha) if options.get("test") == "chi2" else GTest(alpha)).bind(training)
