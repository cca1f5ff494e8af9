"""Figures of a study, as PNG and SVG: the same bytes for the same runs.

Panels show each metric against the last property of the groups, one row of panels for each value of the others; the
paper's figures are dashed. Text in an SVG stays text, and neither file holds a date.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hccd.drawing.picture import figure_bytes, new_figure
from hccd.studies.alarm_clusters import draw_clusters
from hccd.studies.description import Metric, Study
from hccd.studies.scatter import points
from hccd.studies.summary import Entry, Group, cell, groups

_PANELS_IN_A_ROW = 5


def draw(study: Study, rows: Sequence[Entry], path: Path) -> None:
    """Draw the figure of a study into ``path`` with the endings ``.png`` and ``.svg``."""
    figure = new_figure()
    import matplotlib as mpl

    with mpl.rc_context({"font.size": 8}):
        if study.figure == "clusters":
            draw_clusters(figure, study)
        else:
            figure.set_layout_engine("constrained")
            (_scatter if study.figure == "scatter" else _panels)(figure, study, rows)
        for ending in (".png", ".svg"):
            path.with_suffix(ending).write_bytes(figure_bytes(figure, ending, salt=study.name, dpi=120))


def _panels(figure: Any, study: Study, rows: Sequence[Entry]) -> None:
    every = groups(study, rows)
    outer = list(dict.fromkeys(group[:-1] for group in every))
    columns = min(_PANELS_IN_A_ROW, len(study.metrics))
    lines = math.ceil(len(study.metrics) / columns)
    figure.set_size_inches(4.5 * columns, 3.2 * lines * len(outer) + 0.5)
    axes = figure.subplots(lines * len(outer), columns, squeeze=False)
    for block, head in zip(axes.reshape(len(outer), lines * columns), outer, strict=True):
        inner = [group for group in every if group[:-1] == head]
        for axis in block[len(study.metrics) :]:
            axis.set_axis_off()
        for axis, metric in zip(block, study.metrics, strict=False):
            _panel(axis, study, rows, metric, inner)
            where = ", ".join(f"{name} = {value}" for name, value in zip(study.group, head, strict=False))
            axis.set_title(f"{metric.title} {where}")
    # Baselines are in panels of values only, not in those of ratios.
    keys = {
        label: handle for axis in axes.flat for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    figure.legend(keys.values(), keys.keys(), loc="outside lower center", ncols=3)


def _panel(axis: Any, study: Study, rows: Sequence[Entry], metric: Metric, inner: Sequence[Group]) -> None:
    import matplotlib as mpl

    numeric = all(isinstance(group[-1], int | float) for group in inner)
    colours = mpl.colormaps["tab10" if len(study.methods) <= 10 else "tab20"]
    place = {group: group[-1] if numeric else i for i, group in enumerate(inner)}
    for number, method in enumerate(study.methods):
        colour = colours(number)
        found = {group: cell(study, rows, metric, method, group) for group in inner}
        drawn = [(place[group], each.mean, each.spread) for group, each in found.items() if each is not None]
        if not drawn:
            continue
        x, mean, spread = zip(*drawn, strict=True)
        axis.errorbar(x, mean, spread, color=colour, marker="o", ms=3, lw=1 if numeric else 0, label=method.label)
        paper = {place[group]: study.paper_figure(metric, method, group) for group in inner}
        beside = [(at, figure[0]) for at, figure in paper.items() if figure is not None]
        if beside:
            axis.plot(*zip(*beside, strict=True), color=colour, ls="--" if numeric else "", marker="x", lw=0.8)
    axis.set_xlabel(study.group[-1])
    if numeric and max(place.values()) > 20 * min(place.values()) > 0:
        axis.set_xscale("log")
    if not numeric:
        axis.set_xticks(range(len(inner)), [str(group[-1]) for group in inner], rotation=60, ha="right")


def _scatter(figure: Any, study: Study, rows: Sequence[Entry]) -> None:
    clouds = [[(metric, cloud) for cloud in points(study, rows, metric)] for metric in study.metrics]
    figure.set_size_inches(4.2 * len(clouds[0]), 4.0 * len(clouds))
    for line, row in zip(figure.subplots(len(clouds), len(clouds[0]), squeeze=False), clouds, strict=True):
        for axis, (metric, cloud) in zip(line, row, strict=True):
            axis.scatter(cloud.x, cloud.y, s=8)
            axis.axhline(1.0, color="green", ls="--", lw=0.8)
            axis.axvline(1.0, color="red", ls="--", lw=0.8)
            axis.axline((1.0, 1.0), slope=1.0, color="blue", ls="--", lw=0.8)
            axis.set(title=metric.title, xlabel=f"{cloud.first} / {cloud.baseline}", ylabel=f"{cloud.second} / PC")
