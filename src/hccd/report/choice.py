"""How strict to be, chosen by the data: what was tried, for the page's curve and for lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hccd.result import HCCDResult

#: What can be left to the data.
_LEFT = ("alpha", "price", "threshold")
_BY = {"held-out log-likelihood": "log-likelihood of rows held out, nats a row", "bdeu": "BDeu on all rows"}
_RULE = {
    "held-out log-likelihood": "the strictest that is within one standard error of the best",
    "bdeu": "the largest of the best",
}


def choice_of(result: HCCDResult) -> dict[str, Any] | None:
    """Return what was chosen, by what, and all that was tried as (value, score); None if nothing was."""
    for name in _LEFT:
        made = result.parameters.get(f"{name}_choice")
        if made is not None:
            # The threshold that was taken is a part of the test.
            chosen = made["chosen"] if "chosen" in made else result.parameters["test"][name]
            tried = [[value, score] for value, score, *_ in made["tried"]]
            return {"name": name, "by": _BY[made["by"]], "rule": _RULE[made["by"]], "chosen": chosen, "tried": tried}
    return None


def choice_rows(result: HCCDResult) -> list[tuple[str, str]]:
    """Return the same as lines of (label, text)."""
    made = choice_of(result)
    if made is None:
        return []
    values = [f"{value:.4g}" for value, _ in made["tried"]]
    width = max(map(len, values))
    lines = [
        ("", f"{shown:<{width}}  {score:,.3f}{'  chosen' if value == made['chosen'] else ''}")
        for shown, (value, score) in zip(values, made["tried"], strict=True)
    ]
    return [(made["name"], f"{made['chosen']:.4g}, {made['rule']} by the {made['by']}:"), *lines]
