"""An independence in words: given what, with which p-value, and why one that does not look like it is taken for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hccd.result import HCCDResult


def corrected_at(result: HCCDResult) -> float | None:
    """Return the false discovery rate of the tests without condition; None if each stood for itself."""
    if result.parameters.get("correction") != "fdr":
        return None
    alpha: float | None = result.parameters["test"].get("alpha")
    return alpha


def condition_told(result: HCCDResult, given: Sequence[str], p_value: float) -> str:
    """Say given what two variables are independent, and with which p-value; explain one that does not look like it."""
    condition = "given " + ", ".join(f"'{name}'" for name in given) if given else "without any condition"
    if p_value != p_value:
        return condition
    shown, rate, n = f"{p_value:.3g}", corrected_at(result), len(result.names)
    if given or rate is None or float(shown) >= rate:
        return f"{condition} (p = {shown})"
    return (
        f"{condition} (p = {shown}, which is below {rate:.3g}, but not small enough for a false discovery rate of "
        f"{rate:.3g} among {n * (n - 1) // 2:,} pairs)"
    )
