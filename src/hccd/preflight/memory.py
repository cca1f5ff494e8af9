"""Whether the pairs of columns fit into memory; everything else is small beside them."""

from __future__ import annotations

import os

from hccd.errors import InvalidDataError

# Measured with 10,000 columns: 1.9 GB.
_BYTES_PER_PAIR = 19


def gigabytes_needed(n_columns: int) -> float:
    """Return the memory that a run needs at least, in GB."""
    return _BYTES_PER_PAIR * n_columns**2 / 1e9


def gigabytes_there() -> float | None:
    """Return the memory of this machine in GB; None if it does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    except (AttributeError, OSError, ValueError):
        return None


def memory_sentence(n_columns: int) -> str:
    """Say that the columns are too many for this machine; nothing if they are not."""
    there, needed = gigabytes_there(), gigabytes_needed(n_columns)
    if there is None or needed <= there:
        return ""
    return (
        f"{n_columns:,} columns need about {needed:,.0f} GB of memory and this machine has {there:,.0f}: "
        "use fewer columns or a larger machine"
    )


def refuse_too_large(n_columns: int) -> None:
    """Refuse a table that cannot fit, before the operating system ends the process without a word."""
    sentence = memory_sentence(n_columns)
    if sentence:
        raise InvalidDataError(sentence)
