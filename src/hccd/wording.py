"""How stages, names and lists of names appear in a sentence for the user.

Column names are foreign text: they may be very long, hold line breaks or nothing printable. A sentence must
stay one line whatever they are.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence

#: What the stages of a run are called wherever a user reads of them, by their keys in ``graph.json`` and in events.
STAGES = {
    "marginal": "pairwise tests",
    "clustering": "clustering",
    "learning": "skeleton search",
    "leaf": "inside clusters",
    "between": "between clusters",
    "refine": "completeness pass",
    "possible-d-sep": "possible-d-sep search",
    "rfci": "tests of RFCI",
    "orientation": "orientation",
    "colliders": "orientation",
    "score": "score search",
    "fit": "fit",
    "bootstrap": "resampling",
    "alpha_choice": "choice of alpha",
    "price_choice": "choice of the price",
    "threshold_choice": "choice of the threshold",
}
#: What independence tests are called.
TEST_NAMES = {
    "fisher-z": "Fisher z test",
    "dg": "degenerate Gaussian test",
    "regression": "likelihood-ratio test of regressions",
    "g": "G test",
    "chi2": "chi-square test",
    "mi": "mutual information",
    "kci": "kernel test (KCI)",
    "pdcorr": "partial distance correlation",
    "cmiknn": "conditional mutual information by nearest neighbours",
}
LONGEST_NAME = 60
MOST_LISTED = 5


def quoted(name: object, longest: int = LONGEST_NAME) -> str:
    """Show a name or a cell in single quotes, on one line, and shortened when it is very long."""
    return f"'{shortened(name, longest)}'"


def shortened(name: object, longest: int = LONGEST_NAME) -> str:
    """Show a name on one line, and shortened when it is very long."""
    text = str(name)
    return one_line(text if len(text) <= longest else f"{text[: longest - 3]}...")


def one_line(text: str) -> str:
    """Return text as one printable line: control characters and line breaks by their codes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def listed(items: Sequence[str], most: int = MOST_LISTED) -> str:
    """Join phrases as ``a, b and c``, naming at most ``most`` of them."""
    shown = list(items[:most])
    if len(items) > most:
        shown.append(f"{len(items) - most:,} more")
    if len(shown) == 1:
        return shown[0]
    return ", ".join(shown[:-1]) + " and " + shown[-1]


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Write ``1 row`` or ``3 rows``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def columns_named(names: Sequence[str]) -> str:
    """Write ``column 'a'`` or ``columns 'a' and 'b'``."""
    return f"column{'' if len(names) == 1 else 's'} {listed([quoted(name) for name in names])}"


def closest(name: str, names: Sequence[str], most: int = 3) -> list[str]:
    """Return the names that somebody may have meant, nearest first; upper and lower case do not matter."""
    folded: dict[str, str] = {}
    for other in names:
        folded.setdefault(other[:LONGEST_NAME].casefold(), other)
    wanted = name[:LONGEST_NAME].casefold()
    return [
        folded[near] for near in ([wanted] if wanted in folded else difflib.get_close_matches(wanted, folded, most))
    ]
