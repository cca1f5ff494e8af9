"""The tables and curves of the study of confidence.

A run lists pairs of variables: how the graph has each, how often resamples have it in each way, and how it is in truth
(``calibration_runs.py``). Here they become claims: an edge of the graph, or an arrowhead, with a probability each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.confidence.calibration import BACKWARD, FORWARD, NUMBERS, TABLES, Fitted, calibrated
from hccd.drawing.picture import figure_bytes, new_figure
from hccd.metrics.calibration import Calibration, calibration, reliability
from hccd.studies.calibration_families import FITTED, cell_of
from hccd.studies.calibration_runs import SOMEHOW, is_given
from hccd.studies.description import Study
from hccd.studies.peer_script import DISCRETE
from hccd.studies.summary import Entry

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
#: What a claim is about: how it is called, and the claims in the pairs of a run.
ADJACENCY, ARROWHEADS = "adjacency", "arrowheads"
FREQUENCIES = "frequencies"


class Claims(NamedTuple):
    """Probabilities, and which of the claims are right."""

    probability: Floats
    right: NDArray[np.bool_]


#: Makes probabilities of the counts of pairs, how the graph has them, the number of resamples, and the kind of data.
Probabilities = Callable[[Ints, Ints, int, Fitted], Floats]


def frequencies(counts: Ints, drawn: Ints, resamples: int, fitted: Fitted) -> Floats:
    """Return the shares of resamples as they are."""
    return counts / resamples


#: Ours by the map and by plain shares; others have plain shares only.
Ways = tuple[tuple[str, str, Probabilities], ...]


def ways(study: Study) -> Ways:
    """Return the columns of the tables: a title, the method of the runs, and how probabilities are made."""
    ours, *others = (method.label for method in study.methods)
    return (
        (ours, ours, calibrated),
        (f"{ours}, {FREQUENCIES}", ours, frequencies),
        *((f"{label}, {FREQUENCIES}", label, frequencies) for label in others),
    )


def claims_of(rows: Iterable[Entry], probabilities: Probabilities, about: str) -> Claims:
    """Collect the claims of runs."""
    found: list[tuple[Floats, NDArray[np.bool_]]] = []
    for row in rows:
        pairs = np.array(row["values"]["pairs"], np.int64).reshape(-1, 5)
        drawn, truth = pairs[:, 0], pairs[:, 4]
        fitted = TABLES if cell_of(row["case"]).kind == DISCRETE else NUMBERS
        chance = probabilities(pairs[:, 1:4], drawn, row["values"]["resamples"], fitted)
        if about == ADJACENCY:
            told = drawn > 0
            found.append((chance[told].sum(axis=1), truth[told] > 0))
        else:
            # Where variables are hidden, the true class of DAGs is not known.
            told = ((drawn == FORWARD) | (drawn == BACKWARD)) & ~(truth == SOMEHOW).any()
            found.append((chance[told, drawn[told] - FORWARD], truth[told] == drawn[told]))
    return Claims(
        np.concatenate([np.zeros(0), *(each[0] for each in found)]),
        np.concatenate([np.zeros(0, np.bool_), *(each[1] for each in found)]),
    )


def tables(study: Study, rows: Sequence[Entry]) -> str:
    """Write a table for each kind of claim: families in rows, ECE and Brier score of each way in columns."""
    families = list(dict.fromkeys(row["case"]["family"] for row in rows))
    held_out = [family for family in families if family not in FITTED]
    blocks: list[tuple[str, Sequence[str]]] = [(family, (family,)) for family in families]
    blocks += [("all families of the fit", [f for f in families if f in FITTED]), ("all held-out families", held_out)]
    text = ""
    for about in (ADJACENCY, ARROWHEADS):
        titles = [title for title, _, _ in ways(study)]
        text += f"\n## {about.capitalize()}: ECE, Brier score (claims, share that is right)\n\n"
        text += f"| family | {' | '.join(titles)} |\n|{'---|' * (1 + len(titles))}\n"
        for name, members in blocks:
            cells = []
            for _, method, probabilities in ways(study):
                mine = [row for row in rows if row["method"] == method and row["case"]["family"] in members]
                cells.append(_said(calibration(*claims_of(mine, probabilities, about))))
            mark = name if name in FITTED or len(members) > 1 else f"{name} (held out)"
            text += f"| {mark} | {' | '.join(cells)} |\n"
    return text + "".join(_beside(study, rows, *way) for way in ways(study)[2:])


def _beside(study: Study, rows: Sequence[Entry], title: str, method: str, probabilities: Probabilities) -> str:
    """Write a table of ours and of another package on the tables that it has learned as well."""
    theirs = [row for row in rows if row["method"] == method]
    learned = {(row["case"]["family"], row["case"]["graph"]) for row in theirs}
    (own_title, own, own_map), *_ = ways(study)
    ours = [row for row in rows if row["method"] == own and (row["case"]["family"], row["case"]["graph"]) in learned]
    if not theirs:
        return ""
    sides = ((own_title, ours, own_map), (title, theirs, probabilities))
    titles = [f"{about}: {name}" for about in (ADJACENCY, ARROWHEADS) for name, _, _ in sides]
    text = f"\n## The same tables: {own_title} and {title}\n\n{_ended(study, rows, method, len(learned))}\n"
    text += f"\n| family | {' | '.join(titles)} |\n|{'---|' * 5}\n"
    families = list(dict.fromkeys(row["case"]["family"] for row in theirs))
    for name, members in [*((family, [family]) for family in families), ("all", families)]:
        cells = [
            _said(calibration(*claims_of([row for row in side if row["case"]["family"] in members], way, about)))
            for about in (ADJACENCY, ARROWHEADS)
            for _, side, way in sides
        ]
        text += f"| {name} | {' | '.join(cells)} |\n"
    return text


def _ended(study: Study, rows: Sequence[Entry], method: str, learned: int) -> str:
    """Say how many of the tables that a package was given it has learned, resamples included."""
    peer = study.method(method).options["peer"]
    given = {(case["family"], case["graph"]) for case in (row["case"] for row in rows) if is_given(case, peer)}
    asked = rows[0]["case"]["peers"][peer]
    return (
        f"{learned} of {len(given)} tables were learned with {asked['resamples']} resamples within {asked['cap']} CPU "
        "seconds each."
    )


def claims_csv(study: Study, rows: Sequence[Entry]) -> str:
    """Write every claim as CSV."""
    lines = ["family,graph,method,claim,probability,right"]
    for title, method, probabilities in ways(study):
        for row in rows:
            if row["method"] != method:
                continue
            case = row["case"]
            for about in (ADJACENCY, ARROWHEADS):
                lines += [
                    f'"{case["family"]}",{case["graph"]},"{title}",{about},{probability:.6f},{int(right)}'
                    for probability, right in zip(*claims_of([row], probabilities, about), strict=True)
                ]
    return "\n".join(lines) + "\n"


def _said(found: Calibration) -> str:
    return "" if not found.claims else f"{found.ece:.3f}, {found.brier:.3f} ({found.claims:,}, {found.right:.3f})"


def draw_reliability(study: Study, rows: Sequence[Entry], path: Path) -> None:
    """Draw the curves over the families that are held out into ``path`` with the endings ``.png`` and ``.svg``."""
    figure = new_figure()
    import matplotlib as mpl

    held_out = [row for row in rows if row["case"]["family"] not in FITTED]
    with mpl.rc_context({"font.size": 9}):
        figure.set_layout_engine("constrained")
        figure.set_size_inches(9.0, 4.6)
        for axis, about in zip(figure.subplots(1, 2), (ADJACENCY, ARROWHEADS), strict=True):
            _curves(axis, study, held_out, about)
        handles, labels = axis.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=2)
        for ending in (".png", ".svg"):
            path.with_suffix(ending).write_bytes(figure_bytes(figure, ending, salt=study.name, dpi=120))


def _curves(axis: Any, study: Study, rows: Sequence[Entry], about: str) -> None:
    axis.plot([0, 1], [0, 1], color="0.6", lw=0.8, ls=":")
    for title, method, probabilities in ways(study):
        claims = claims_of([row for row in rows if row["method"] == method], probabilities, about)
        points = reliability(*claims) if len(claims.right) else []
        axis.plot(
            [point.probability for point in points], [point.right for point in points], marker="o", ms=4, label=title
        )
    axis.set(title=f"{about}, families held out", xlabel="probability", ylabel="share that is right")
    axis.set_xlim(0, 1)
    axis.set_ylim(0, 1)
    axis.set_aspect("equal")
