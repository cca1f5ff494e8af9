"""All that a report says, as plain data: gathered here, laid out and made to answer by the page.

Variables are numbers in it, and names occur once. Everything but the times follows from the result alone, so the same
result gives the same bytes, whether it was just learned or read from its file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hccd.drawing.palette import CIRCLE, HEAD_HALF, HEAD_LENGTH, LINE, WIDEST, cluster_colours
from hccd.graphs import PAG
from hccd.report.assembly import page
from hccd.report.check_section import CheckSection, PlainData
from hccd.report.choice import choice_of
from hccd.report.edges import conflict_list, edge_columns, edge_types
from hccd.report.edges import left_out as edges_left_out
from hccd.report.evidence import left_out as evidence_left_out
from hccd.report.evidence import missing_edges
from hccd.report.figures import clustering_story, fit_line, fit_story, headline, test_counts, test_name
from hccd.report.labels import LETTERS, height, set_labels, width
from hccd.report.limits import CLUSTER_DRAWN, DRAWN
from hccd.report.pictures import UNIT, pictures
from hccd.report.repeat import repetition
from hccd.report.trust import confidence_of, warnings_of
from hccd.report.trust import left_out as probabilities_left_out
from hccd.result.rules import rule_names
from hccd.version import __version__
from hccd.wording import STAGES, counted
from hccd.wrapper import ALL_STAGES

if TYPE_CHECKING:
    from hccd.result import HCCDResult


def report_html(
    result: HCCDResult,
    *,
    data_check: CheckSection | PlainData | Mapping[str, Any] | None = None,
    software: Mapping[str, str] | None = None,
) -> str:
    """Return the report of a result as one page of HTML that needs nothing else.

    Parameters
    ----------
    result : HCCDResult
        What was learned.
    data_check : optional
        Findings about the data to show along with the warnings of the run, see :meth:`CheckSection.of`; by default
        how the run understood the table.
    software : mapping, optional
        Names and versions of what made the result; by default this version of hccd.
    """
    told = result.parameters.get("table")
    looked_at = {"lines": told} if told and data_check is None else data_check
    check = None if looked_at is None else CheckSection.of(looked_at)
    content = gather(result, check, {"hccd": __version__} if software is None else software)
    n_edges = result.skeleton.n_edges
    title = f"hccd report: {counted(len(result.names), 'variable')}, {counted(n_edges, 'edge')}"
    return page(content, result.seconds, title)


def gather(result: HCCDResult, check: CheckSection | None, software: Mapping[str, str]) -> dict[str, Any]:
    """Return what the page needs, apart from the times."""
    labels = set_labels(result.names)
    edges = edge_columns(result)
    layout = result.tree.layout()
    widths, high = list(map(width, labels)), height(labels)
    drawn = pictures(result, list(zip(edges["from"], edges["to"], strict=True)), edges["strength"], widths, high)
    repeated = repetition(result.parameters)
    warnings = warnings_of(result, check)
    return {
        "names": list(result.names),
        "labels": labels,
        "boxes": {"widths": widths, "height": high, "letters": LETTERS},
        "edges": edges,
        "types": edge_types(result),
        "pag": isinstance(result.graph, PAG),
        "rules": rule_names(result.graph),
        "missing": missing_edges(result),
        "stages": list(ALL_STAGES),
        "stage_names": STAGES,
        "clusters": {
            "order": layout.sequence.tolist(),
            "start": layout.start.tolist(),
            "stop": layout.stop.tolist(),
            "parent": layout.parent.tolist(),
            "rank": layout.rank.tolist(),
            "height": layout.height.tolist(),
            "tests": list(result.tests.by_cluster),
            "fills": cluster_colours(len(result.tree.leaves())),
        },
        "lines": {
            name: round(UNIT * length, 2)
            for name, length in {
                "plain": LINE,
                "widest": WIDEST,
                "head": HEAD_LENGTH,
                "half": HEAD_HALF,
                "circle": CIRCLE,
            }.items()
        },
        **drawn,
        "conflicts": conflict_list(result),
        "headline": headline(result),
        "test": test_name(result),
        "tests": test_counts(result),
        "story": clustering_story(result),
        "fit": fit_story(result),
        "fit_line": fit_line(result),
        "choice": choice_of(result),
        "confidence": confidence_of(result, bool(warnings)),
        "warnings": warnings,
        "check": None if check is None else {"title": check.title, "lines": check.without(warnings)},
        "parameters": _flat({name: value for name, value in result.parameters.items() if name != "table"}),
        "software": dict(software),
        "repeat": None if repeated is None else {"command": repeated.command, "python": repeated.python},
        "left_out": [
            *_pictures_left_out(result),
            *edges_left_out(result),
            *evidence_left_out(result),
            *probabilities_left_out(result),
        ],
    }


def _pictures_left_out(result: HCCDResult) -> list[str]:
    """Say what is not drawn."""
    if len(result.names) <= DRAWN:
        return []
    return [
        f"A picture of all {len(result.names):,} variables would be unreadable, so clusters of up to {CLUSTER_DRAWN:,} "
        "variables are drawn: choose one in the tree. The table and the explanations cover the whole graph."
    ]


def _flat(parameters: Mapping[str, Any], above: str = "") -> list[list[str]]:
    """Return nested parameters as pairs of a dotted name and a text."""
    pairs: list[list[str]] = []
    for name, value in parameters.items():
        if isinstance(value, Mapping):
            pairs += _flat(value, f"{above}{name}.")
        else:
            pairs.append([f"{above}{name}", "none" if value is None else str(value)])
    return pairs
