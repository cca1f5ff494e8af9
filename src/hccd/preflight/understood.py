"""How the columns were understood and which test follows from that, in one line each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from hccd.independence.transforms import SAID
from hccd.tables import Kind, Table
from hccd.wording import TEST_NAMES, counted


def columns_understood(table: Table) -> str:
    """Say how many columns are taken as discrete and continuous, and by what they were told."""
    parts = []
    for kind in Kind:
        reasons = Counter(told_by(table, i) for i, own in enumerate(table.kinds) if own is kind)
        if reasons:
            shown = [reason if len(reasons) == 1 else f"{n:,} {reason}" for reason, n in sorted(reasons.items())]
            parts.append(f"{reasons.total():,} {kind.value} ({', '.join(shown)})")
    return " and ".join(parts)


def told_by(table: Table, i: int) -> str:
    """Say by what a column was taken for what it is."""
    if i in table.texts:
        return "text"
    if i in table.ordinal:
        return "ordinal"
    if i in table.nominal or i in table.quantities:
        return "as declared"
    if table.kinds[i] is Kind.CONTINUOUS:
        return "whole numbers with many values" if table.whole[i] else "numbers with fractions"
    values = table.columns[i]
    if values.dtype.kind == "b":
        return "truth values"
    if not table.whole[i]:
        return "numbers with two values"
    return "codes" if i in table.numbered else "whole numbers with few values"


def why_this_test(
    table: Table,
    asked: str,
    described: Mapping[str, object],
    *,
    transform: str = "none",
    threshold_chosen: bool = False,
) -> str:
    """Say which test is used, with what limit, and why."""
    discrete = sum(kind is Kind.DISCRETE for kind in table.kinds)
    n = table.n_columns
    if discrete in (0, n):
        looks = f"all {n:,} columns are {'discrete' if discrete else 'continuous'}"
    else:
        looks = f"{counted(n - discrete, 'column is', 'columns are')} continuous and {discrete:,} discrete"
    name = str(described["name"])
    limit = f", alpha {described['alpha']}" if "alpha" in described else ""
    limit = f", threshold {described['threshold']} nats" if "threshold" in described else limit
    limit = ", threshold to be chosen by BDeu" if threshold_chosen else limit
    why = looks if asked == "auto" else "as requested"
    done = f", {SAID[transform]}" if SAID[transform] else ""
    return f"{why}: {TEST_NAMES.get(name, name)}{limit}{done}"
