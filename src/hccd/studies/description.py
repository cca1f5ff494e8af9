"""What a study is: its runs at each scale, the methods it compares, what it measures, and the paper's figures.

Descriptions are TOML files. One that says ``base = "NAME"`` takes everything it does not say from NAME, and shares its
runs: tables of different metrics need the graphs to be learned once only.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from hccd.errors import InvalidParameterError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SCALES = ("quick", "paper")
KINDS = ("synthetic", "networks", "assumption", "clusters", "partitions", "calibration", "leaderboard")
RATIOS = ("none", "mean", "of-means")
FIGURES = ("panels", "scatter", "clusters", "reliability", "ranks")
BETTER = ("lower", "higher", "neither")


@dataclass(frozen=True)
class Method:
    """One column of a table.

    Attributes
    ----------
    label : str
        Its name in tables.
    options : mapping
        What `hccd.studies.methods.learn` takes.
    baseline : str or None
        The label of the method that ratios are to.
    paper : str or None
        The column of the paper's table it stands beside.
    """

    label: str
    options: Mapping[str, Any] = field(default_factory=dict)
    baseline: str | None = None
    paper: str | None = None


@dataclass(frozen=True)
class Metric:
    """One table: a measured value, or its ratio to that of the baseline on the same data.

    ``ratio`` is ``none``, ``mean`` (the mean of the ratios) or ``of-means`` (the ratio of the means). ``better`` is
    ``lower`` or ``higher`` where methods are ranked by it.
    """

    name: str
    title: str
    ratio: str = "none"
    digits: int = 2
    better: str = "neither"

    @property
    def in_paper(self) -> str:
        """Its name among the paper's figures: the paper prints values of some metrics and ratios of others."""
        return self.name if self.ratio == "none" else f"{self.name} ratio"


@dataclass(frozen=True)
class Study:
    """A study.

    Attributes
    ----------
    name, title, about : str
        Its name on the command line, and what it shows.
    runs : str
        Studies of the same ``runs`` share them.
    kind, figure : str
        What is done in a run, and how the figure is drawn.
    group : tuple of str
        The properties of a run that a row of a table stands for.
    methods, metrics : tuple
        Columns, and tables.
    scales : mapping
        The properties of the runs by scale.
    paper : mapping
        The paper's figures: metric, column, row, then the mean, or the mean and the spread.
    peers : tuple of str
        For the leaderboard: methods of other packages, by their names in `hccd.studies.peer_script`.
    """

    name: str
    title: str
    about: str
    runs: str
    kind: str
    figure: str
    group: tuple[str, ...]
    methods: tuple[Method, ...]
    metrics: tuple[Metric, ...]
    scales: Mapping[str, Mapping[str, Any]]
    paper: Mapping[str, Mapping[str, Mapping[str, Any]]]
    peers: tuple[str, ...] = ()

    def method(self, label: str) -> Method:
        """Return a method by its label."""
        return next(each for each in self.methods if each.label == label)

    def paper_figure(self, metric: Metric, method: Method, group: tuple[Any, ...]) -> tuple[float, float | None] | None:
        """Return the paper's mean and spread for a cell, None if the paper has no such cell."""
        if method.paper is None:
            return None
        given = self.paper.get(metric.in_paper, {}).get(method.paper, {}).get(" ".join(map(str, group)))
        if given is None:
            return None
        return (float(given[0]), float(given[1])) if isinstance(given, list) else (float(given), None)


def study_names() -> tuple[str, ...]:
    """Return the names of all studies, sorted.

    Examples
    --------
    >>> "ci-tests" in study_names()
    True
    """
    found = (file.name.removesuffix(".toml") for file in _folder().iterdir() if file.name.endswith(".toml"))
    return tuple(sorted(name for name in found if not name.startswith("_")))


def load_study(name: str) -> Study:
    """Read the description of a study.

    Raises
    ------
    InvalidParameterError
        There is none of that name.
    """
    if name not in study_names():
        raise InvalidParameterError(f"there is no study {name!r}: choose one of {', '.join(study_names())}")
    given = _described(name)
    return Study(
        name=name,
        title=given["title"],
        about=given["about"].strip(),
        runs=given.get("base", name).removeprefix("_"),
        kind=given["kind"],
        figure=given.get("figure", "panels"),
        group=tuple(given["group"]),
        methods=tuple(Method(**each) for each in given["methods"]),
        metrics=tuple(Metric(**each) for each in given["metrics"]),
        scales=given["scales"],
        paper=given.get("figures_of_the_paper", {}),
        peers=tuple(given.get("peers", ())),
    )


def _described(name: str) -> dict[str, Any]:
    own = tomllib.loads(_folder().joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    return {**_described(own["base"]), **own} if "base" in own else own


def _folder() -> Any:
    return files("hccd.studies").joinpath("descriptions")
