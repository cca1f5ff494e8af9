"""Compute BDeu and BIC by pgmpy, for pgmpy_scores.json beside this file.

    pip install pgmpy==0.1.26
    python pgmpy_scores.py

pgmpy brings torch and is no part of the test tools, so its answers are kept. Data, graphs and lists of states are
kept with them: nothing has to be drawn again.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from pgmpy.estimators import BDeuScore, BicScore
from pgmpy.models import BayesianNetwork

NAMES = ("v", "w", "x", "y", "z")
GRAPHS = {
    "empty": [],
    "chain": [("v", "w"), ("w", "x"), ("x", "y"), ("y", "z")],
    "collider": [("v", "x"), ("w", "x"), ("x", "z"), ("y", "z")],
    "dense": [("v", "w"), ("v", "x"), ("w", "x"), ("v", "y"), ("w", "y"), ("x", "y"), ("y", "z"), ("v", "z")],
}


class CompleteBDeu(BDeuScore):
    """pgmpy's score with states that do not occur counted as zeros.

    As it is, pgmpy drops them from the counts of a variable with parents but not from the constant it subtracts, so
    that a state never seen changes the score by a multiple of lnG(a/(r q)), which is in no formula.
    """

    def state_counts(self, variable, parents=(), weighted=False, reindex=True):
        return super().state_counts(variable, parents, weighted, reindex=True)


def main() -> None:
    rng = np.random.default_rng(2021)
    rows = 60
    v = rng.integers(0, 2, rows)
    w = (v + rng.integers(0, 2, rows)) % 3
    x = (v * w + rng.integers(0, 3, rows)) % 4
    y = rng.integers(0, 2, rows) * x % 3
    z = np.where(rng.random(rows) < 0.8, y % 2, 1)
    columns = dict(zip(NAMES, (column.tolist() for column in (v, w, x, y, z)), strict=True))
    seen = {name: sorted(set(values)) for name, values in columns.items()}
    more = {name: [*states, *(max(states) + 1 + k for k in range(i))] for i, (name, states) in enumerate(seen.items())}
    frame = pd.DataFrame(columns)
    cases = []
    for states, bdeu in ((seen, BDeuScore), (more, CompleteBDeu)):
        for name, edges in GRAPHS.items():
            model = BayesianNetwork()
            model.add_nodes_from(NAMES)
            model.add_edges_from(edges)
            scores = {
                f"bdeu_{ess:g}": bdeu(frame, equivalent_sample_size=ess, state_names=states).score(model)
                for ess in (1.0, 10.0)
            }
            scores["bic"] = BicScore(frame, state_names=states).score(model)
            cases.append({"graph": name, "states": states, "scores": {k: float(s) for k, s in scores.items()}})
    content = {"pgmpy": version("pgmpy"), "columns": columns, "graphs": GRAPHS, "cases": cases}
    Path(__file__).with_name("pgmpy_scores.json").write_text(json.dumps(content) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
