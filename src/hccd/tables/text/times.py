"""Dates and times of day in text, told by their spelling; nothing is made of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CLOCK = r"[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?( ?[ap]\.?m\.?)?( ?(Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}))?"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAYS = (
    r"[0-9]{4}([-/.])[0-9]{1,2}\2[0-9]{1,2}",
    r"[0-9]{1,2}([-/.])[0-9]{1,2}\2[0-9]{4}",
    rf"[0-9]{{1,2}}[- ]{_MONTH}[-, ]+[0-9]{{4}}",
    rf"{_MONTH} [0-9]{{1,2}},? [0-9]{{4}}",
)
# A clock alone has two digits for the hour: '1:20' is rather a ratio or a dilution.
_CLOCK_ALONE = r"[0-2][0-9]:[0-5][0-9](:[0-5][0-9]([.,][0-9]+)?)?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE) for form in (*(rf"({day})([T ,]+{_CLOCK})?" for day in _DAYS), _CLOCK_ALONE)
)


def all_times(cells: Sequence[str]) -> bool:
    """Whether all cells are dates, or times of day, in one of the usual spellings with the year in full.

    Examples
    --------
    >>> all_times(["2024-02-29", "2024-03-01 12:30"]), all_times(["31.12.2023", "1.1.2024"]), all_times(["1:20"])
    (True, True, False)
    """
    return bool(cells) and any(all(map(form.fullmatch, cells)) for form in _FORMS if form.fullmatch(cells[0]))
