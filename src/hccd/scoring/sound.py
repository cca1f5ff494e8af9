"""Whether the record of a compiled search can be one: it is read from a file, and compiled code goes by its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.checkpoint.protocol import Arrays
from hccd.errors import FileFormatError

_BY_SLOT = {"edge": np.uint8, "gain": np.float64, "shaken": np.int64}
_BY_VARIABLE = {"score": np.float64, "bound": np.float64, "changed": np.int64}
_BY_NODE = {
    "above": np.int64,
    "added": np.int32,
    "size": np.int32,
    "grown": np.float64,
    "shrunk": np.float64,
    "branch_first": np.int64,
    "branch_count": np.int32,
    "end_first": np.int64,
    "end_count": np.int32,
    "seen_ahead": np.uint8,
    "partial": np.uint8,
}
_BY_NEAR = {"near_variable": np.int32, "near_next": np.int64}
_OF_ORDER = {"sequence": np.int32, "node": np.int64, "score": np.float64, "root": np.int64, "near_last": np.int64}


def refuse_unsound(kernel: Arrays, n: int, n_slots: int | None, most_parents: int, n_places: int) -> None:
    """Raise ``FileFormatError``, ``KeyError`` or ``ValueError`` unless this is the record of a search of this size.

    Parameters
    ----------
    kernel : arrays by name
        The record of an ``Ascent``, if there is an ``edge``, or of a ``PermutationSearch``.
    n, n_slots, most_parents : int
        Variables, slots of the candidates if these are listed, and parents of one variable.
    n_places : int
        Places in the memory of a score.
    """
    ok = _counts(kernel, ("family_work", "family_evaluations")) and _family(kernel, n, most_parents, n_places)
    if "edge" in kernel:
        ok = ok and n_slots is not None and _lengths(kernel, _BY_SLOT, n_slots) and _lengths(kernel, _BY_VARIABLE, n)
        ok = ok and _counts(kernel, ("clock",)) and _within(kernel["edge"], 0, 2)
    else:
        ok = ok and _order(kernel, n) and _trees(kernel, n, most_parents)
    if not ok:
        raise FileFormatError("the saved state does not fit the score search, which starts from the beginning")


def _family(kernel: Arrays, n: int, most_parents: int, n_places: int) -> bool:
    """Whether the record of the scores can be one."""
    if "places" in kernel:
        size = len(kernel["places"])
        kinds = {"places": np.int64, "place_key": np.uint64, "place_score": np.float64}
        return _lengths(kernel, kinds, size) and _within(kernel["places"], 0, n_places)
    family, members = kernel["family"], kernel["members"]
    return (
        _lengths(kernel, {"family": np.int32}, 2)
        and _lengths(kernel, {"members": np.int32}, min(len(members), most_parents + 1))
        and 0 <= family[0] < n
        and -1 <= family[1] <= len(members)
        and _within(members, 0, n)
        and len(np.unique(members)) == len(members)
        and family[0] not in members
    )


def _order(kernel: Arrays, n: int) -> bool:
    """Whether the record of an order can be one."""
    waiting = kernel["waiting"]
    return (
        _lengths(kernel, _OF_ORDER, n)
        and _lengths(kernel, {"waiting": np.int32}, min(len(waiting), n))
        and _lengths(kernel, {"random": np.uint64}, 1)
        and _counts(kernel, ("tree_work",))
        and np.array_equal(np.sort(kernel["sequence"]), np.arange(n))
        and _within(waiting, 0, n)
        and _within(kernel["node"], 0, len(kernel["above"]))
        and bool((kernel["end_count"][kernel["node"]] >= 0).all())
    )


def _trees(kernel: Arrays, n: int, most_parents: int) -> bool:
    """Whether every number in the trees leads to something that is there, and every walk has an end."""
    nodes, branches, ends, near = (len(kernel[name]) for name in ("above", "branch_variable", "ends", "near_next"))
    taken, partners = len(kernel["branch_node"]), len(kernel["branch_partner"])
    sound = (
        _lengths(kernel, _BY_NODE, nodes)
        and _lengths(kernel, {"branch_variable": np.min_scalar_type(n)}, branches)
        and _lengths(kernel, {"branch_node": np.int64, "branch_node_at": np.int64}, taken)
        and _lengths(kernel, {"branch_partner": np.int32, "branch_partner_at": np.int64}, partners)
        and _within(kernel["branch_node_at"], 0, branches)
        and _within(kernel["branch_partner_at"], 0, branches)
        and _lengths(kernel, _BY_NEAR, near)
        and _lengths(kernel, {"ends": np.int32}, ends)
        and _within(kernel["root"], -1, nodes)
        and _within(kernel["added"], -1, n)
        and _within(kernel["size"], 0, most_parents + 1)
        and _within(kernel["branch_variable"], 0, n)
        and _within(kernel["branch_partner"], 0, n)
        and _within(kernel["branch_node"], 0, nodes)
        and _within(kernel["ends"], 0, n)
        and _within(kernel["near_last"], -1, near)
        and _within(kernel["near_variable"], 0, n)
        and _within(kernel["near_next"], -1, near)
        # Nodes come after those above them, and lists go backwards: nothing goes in circles.
        and bool((kernel["near_next"] < np.arange(near)).all())
        and bool((kernel["above"] < np.arange(nodes)).all())
        and _within(kernel["above"], -1, nodes)
        and _parts(kernel["branch_first"], kernel["branch_count"], branches)
        and _parts(kernel["end_first"], kernel["end_count"], ends)
    )
    if not sound:
        return False
    size, above = kernel["size"], kernel["above"]
    of_above = np.where(above >= 0, size[above] + 1, 0)
    # A branch leads to a node below the one that it belongs to; lists that were given up are nobody's.
    listed = np.flatnonzero(kernel["branch_count"] > 0)
    listed = listed[np.argsort(kernel["branch_first"][listed], kind="stable")]
    place, child = kernel["branch_node_at"], kernel["branch_node"]
    which = np.searchsorted(kernel["branch_first"][listed], place, "right") - 1
    owner = listed[which] if len(listed) else place
    within = (which >= 0) & (place < (kernel["branch_first"] + kernel["branch_count"])[owner])
    deeper = ~within | (above[child] == owner)
    return bool(
        (size == of_above).all()
        and (kernel["added"][above >= 0] >= 0).all()
        and deeper.all()
        and (kernel["end_count"] <= size).all()
        and (size[kernel["root"][kernel["root"] >= 0]] == 0).all()
    )


def _parts(first: NDArray[np.int64], count: NDArray[np.int32], length: int) -> bool:
    """Whether these parts lie within an array of this length; a count of -1 is of a part that is not known."""
    known = count >= 0
    return bool((count >= -1).all() and (first[known] >= 0).all() and (first[known] + count[known] <= length).all())


def _lengths(kernel: Arrays, kinds: Mapping[str, Any], length: int) -> bool:
    """Whether all of these are arrays of this length and kind."""
    return all(kernel[name].shape == (length,) and kernel[name].dtype == kind for name, kind in kinds.items())


def _counts(kernel: Arrays, names: tuple[str, ...]) -> bool:
    """Whether all of these are one count each."""
    return _lengths(kernel, dict.fromkeys(names, np.int64), 1) and all(kernel[name][0] >= 0 for name in names)


def _within(numbers: NDArray[np.generic], first: int, below: int) -> bool:
    """Whether all are from ``first`` to below."""
    return not numbers.size or bool(numbers.min() >= first and numbers.max() < below)
