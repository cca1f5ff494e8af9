"""A run on a random linear Gaussian model (appendix B1 of the paper): one DAG, one sample, all methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hccd.datasets import LinearGaussian, random_dag
from hccd.graphs import PDAG
from hccd.independence import FisherZ
from hccd.studies.description import Study
from hccd.studies.methods import interventions, learn, skeleton_tests, structure, timed, warm_up
from hccd.studies.run_store import Row


def synthetic_model(n: int, connectivity: float, number: int) -> tuple[LinearGaussian, np.random.SeedSequence]:
    """Draw the model of one run, and return with it the stream that its rows are to be drawn from."""
    graph_stream, row_stream = np.random.SeedSequence((2021, n, round(1000 * connectivity), number)).spawn(2)
    rng = np.random.default_rng(graph_stream)
    dag = random_dag(n, connectivity, rng).dag
    return LinearGaussian.random(dag, rng).shuffled(rng), row_stream


def measure_synthetic(study: Study, case: Mapping[str, Any]) -> list[Row]:
    """Learn one graph by every method. The DAG does not depend on the number of rows, nor a run on another."""
    model, row_stream = synthetic_model(case["variables"], case["connectivity"], case["graph"])
    test = FisherZ(case["alpha"]).bind(model.sample(case["rows"], row_stream))
    truth = PDAG(model.dag.astype(np.int8))
    wanted = {metric.name for metric in study.metrics}
    warm_up()
    rows: list[Row] = []
    for method in study.methods:
        repeated = [timed(learn, test, method.options) for _ in range(case.get("repeats", 1))]
        result = repeated[0][0]
        values: dict[str, float] = {"tests": skeleton_tests(result), **structure(truth, result.pdag())}
        if "sid" in wanted:
            values |= interventions(truth, result.pdag())
        # The least time is the one least disturbed by whatever else the machine does.
        seconds = min(took for _, took in repeated)
        rows.append({"method": method.label, "values": values, "seconds": seconds})
    return rows
