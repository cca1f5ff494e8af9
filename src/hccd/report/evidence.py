"""Why pairs are not joined, small enough for a page: columns of numbers from which it makes its sentences.

A pair without an edge was separated by a set (listed here), by nothing at all (then its p-value is the next one of a
block, row by row), or it was never separated, because it was ruled out from the start (listed here, and rare). Where a
score searched on, the pairs that it joined and parted are listed, and the rest is about the tests' graph. P-values
of listed pairs are written as they are shown; those in the block as the 16 bits of the file format, with a relative
error of at most 0.0005.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import numpy as np

from hccd.report.limits import P_VALUES, SEPARATIONS
from hccd.result.condition import corrected_at

if TYPE_CHECKING:
    from hccd.result import HCCDResult


def missing_edges(result: HCCDResult) -> dict[str, Any]:
    """Return the evidence behind every missing edge."""
    separations = result.removals.separations
    listed = len(separations) <= SEPARATIONS
    independent = result.marginal.independent
    joined, tested = result.skeleton.adjacency, result.tested.skeleton().adjacency
    untested = not independent.any() and not len(separations)
    return {
        "untested": untested,
        "never": [] if untested else result.unseparated.ravel().tolist(),
        "scored_out": np.argwhere(np.triu(tested & ~joined, 1)).ravel().tolist(),
        "scored_in": np.argwhere(np.triu(joined & ~tested, 1)).ravel().tolist(),
        "separated": _columns(result) if listed else None,
        "p_values": _block(result),
        "corrected": corrected_at(result),
        "known": result.constraints is not None,
    }


def left_out(result: HCCDResult) -> list[str]:
    """Say what of the evidence is not in the page, and where it is."""
    sentences = []
    if len(result.names) > P_VALUES and result.marginal.p_values is not None:
        sentences.append(
            f"With more than {P_VALUES:,} variables, the page leaves out the p-values of pairs that are independent "
            "without any condition; result.explain(a, b) gives them."
        )
    if len(result.removals.separations) > SEPARATIONS:
        sentences.append(
            f"With more than {SEPARATIONS:,} separated pairs (here {len(result.removals.separations):,}), the page "
            "leaves out the sets that separated them; result.explain(a, b) gives them."
        )
    return sentences


def _columns(result: HCCDResult) -> dict[str, Any]:
    """Return the pairs that a set separated."""
    separations = result.removals.separations
    return {
        "x": separations.pairs[:, 0].tolist(),
        "y": separations.pairs[:, 1].tolist(),
        "order": np.diff(separations.start).tolist(),
        "given": separations.given.tolist(),
        "p": " ".join(f"{p:.3g}" if p == p else "-" for p in separations.p_value.tolist()),
        "stage": result.removals.stage.tolist(),
        "cluster": result.removals.cluster.tolist(),
    }


def _block(result: HCCDResult) -> str | None:
    """Return the p-values of pairs that are independent without condition, row by row, or None."""
    if result.marginal.p_values is None or len(result.names) > P_VALUES:
        return None
    codes = result.marginal.p_values.codes(result.marginal.independent)
    return base64.b64encode(codes.astype("<u2").tobytes()).decode("ascii")
