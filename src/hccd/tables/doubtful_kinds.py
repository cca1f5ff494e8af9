"""Columns of which it was a matter of judgement what they are, each with a sentence that says how to correct it."""

from __future__ import annotations

import numpy as np

from hccd.tables.columns import Kind
from hccd.tables.findings import Finding, FindingKind
from hccd.tables.numbers import MOST_STATES_GUESSED
from hccd.tables.table import Table
from hccd.wording import columns_named

_ONE, _SEVERAL = {"are": "is", "it": "it"}, {"are": "are", "it": "them"}


def guessed_kinds(table: Table) -> list[Finding]:
    """Say of which numbers it was a matter of judgement whether they are states or quantities.

    That is of whole numbers of few values in a table of both kinds, of any that were taken for the numbers of many
    states, and of those that were taken for quantities though they repeat and leave most numbers between out. A column
    of two values is the same as either.
    """
    found: dict[str, list[int]] = {"names": [], "numbers": [], "quantities": [], "sparse": []}
    said = table.nominal | table.ordinal | table.quantities
    mixed = len(set(table.kinds)) > 1
    for block in table.blocks:
        if block.values.dtype.kind == "b":
            continue
        few = block.whole_of_few(np.minimum(MOST_STATES_GUESSED, block.rows_known(table.n_samples) // 2))
        doubtful = block.whole & ~block.two_valued & (block.low < block.high)
        for at in np.flatnonzero(doubtful).tolist():
            i = int(block.positions[at])
            if i in said or (few[at] and not mixed):
                continue
            if table.kinds[i] is Kind.DISCRETE:
                found["names" if few[at] else "numbers"].append(i)
            elif few[at]:
                found["quantities"].append(i)
            elif block.repeats_sparsely(at):
                found["sparse"].append(i)
    sentences = {
        "names": "few distinct whole numbers and {are} treated as unordered states: declare {it} continuous or ordinal "
        "if the numbers are quantities or ranks",
        "numbers": "many distinct whole numbers, apparently codes, and {are} treated as discrete: declare {it} "
        "continuous if they are quantities",
        "quantities": "few distinct whole numbers and {are} treated as continuous: declare {it} discrete or ordinal if "
        "the numbers are states",
        "sparse": "whole numbers with many repeats and large gaps and {are} treated as continuous: declare {it} "
        "discrete if they are codes",
    }
    return [
        Finding(
            FindingKind.READING,
            tuple(sorted(chosen)),
            f"{columns_named([table.names[i] for i in sorted(chosen)])} {'holds' if len(chosen) == 1 else 'hold'} "
            + sentences[which].format(**(_ONE if len(chosen) == 1 else _SEVERAL)),
        )
        for which, chosen in found.items()
        if chosen
    ]
