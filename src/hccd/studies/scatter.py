"""The paper's scatter plots: each run a point, two methods relative to a third, and how often each wins.

Three percentages: how often the second method is better than the baseline, the first than the baseline, and the second
than the first. The methods are the paper's columns PC, TSCB and HCCD of either preset.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.studies.description import Metric, Study
from hccd.studies.run_store import key_of
from hccd.studies.summary import Entry, value_of

#: Scores are negative, so that a smaller ratio is better.
_SMALLER_RATIO_IS_BETTER = ("bdeu",)
#: A data set that is there twice would count twice.
_SECOND_READING = " as distributed"


class Share(NamedTuple):
    """Percent of the runs in which a method is better than another, and in which they are equal."""

    better: float
    equal: float


class Points(NamedTuple):
    """Ratios to the baseline of two methods, one for each run."""

    baseline: str
    first: str
    second: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    smaller_is_better: bool

    def percentages(self) -> tuple[Share, Share, Share]:
        """Return how often the second beats the baseline, the first the baseline, and the second the first."""
        sign = -1.0 if self.smaller_is_better else 1.0
        base = np.ones(len(self.x))

        def share(one: NDArray[np.float64], other: NDArray[np.float64]) -> Share:
            if not len(one):
                return Share(float("nan"), float("nan"))
            return Share(100.0 * float(np.mean(sign * one > sign * other)), 100.0 * float(np.mean(one == other)))

        return share(self.y, base), share(self.x, base), share(self.y, self.x)


def points(study: Study, rows: Sequence[Entry], metric: Metric) -> list[Points]:
    """Return the points of a metric, one cloud for each baseline."""
    found = {(row["method"], key_of(row["case"])): value_of(row, metric.name) for row in rows}
    runs = [key for key in dict.fromkeys(key_of(row["case"]) for row in rows) if _SECOND_READING not in key]
    clouds = []
    for base in dict.fromkeys(method.baseline for method in study.methods if method.baseline):
        followers = {method.paper: method.label for method in study.methods if method.baseline == base}
        first, second = followers["TSCB"], followers["HCCD"]
        triples = np.array([[found[label, key] for label in (base, first, second)] for key in runs]).reshape(-1, 3)
        triples = triples[triples[:, 0] != 0]
        x, y = triples[:, 1] / triples[:, 0], triples[:, 2] / triples[:, 0]
        clouds.append(Points(base, first, second, x, y, metric.name in _SMALLER_RATIO_IS_BETTER))
    return clouds


def shares(study: Study, rows: Sequence[Entry]) -> str:
    """Write the percentages as a table in Markdown; ties are not wins."""
    lines = []
    for metric in study.metrics:
        paper = study.paper.get(metric.in_paper, {}).get("percentages", {})
        for cloud in points(study, rows, metric):
            ours = cloud.percentages()
            names = (
                f"{cloud.second} better than {cloud.baseline}",
                f"{cloud.first} better than {cloud.baseline}",
                f"{cloud.second} better than {cloud.first}",
            )
            keys = ("HCCD over PC", "TSCB over PC", "HCCD over TSCB")
            for name, key, share in zip(names, keys, ours, strict=True):
                lines.append(
                    f"| {metric.title} | {name} | {share.better:.0f} % of {len(cloud.x)} | {share.equal:.0f} % "
                    f"| {paper.get(key, '')} % |"
                )
    head = "\n## How often\n\n| metric | comparison | ours | equal | paper |\n|---|---|---|---|---|\n"
    return head + "\n".join(lines) + "\n"
