"""The effect on the mean of a continuous variable, by least squares: linear in the cause and in its parents."""

from __future__ import annotations

import numpy as np
from scipy import stats

from hccd.effects.columns import Column
from hccd.effects.value import Contrast
from hccd.errors import InvalidDataError
from hccd.wording import quoted


def on_the_mean(cause: Column, effect: Column, parents: list[Column], level: float) -> tuple[Contrast, ...]:
    """Return what an increase of the cause by one, or each of its states instead of the first, does to the mean."""
    own = cause.design()
    design = np.column_stack([np.ones(len(own)), *(parent.design() for parent in parents), own])
    rows, width = design.shape
    outcome = effect.numbers()
    # Columns of equal length, so that their units do not decide what counts as determined.
    length = np.sqrt((design**2).sum(axis=0))
    basis, upper = np.linalg.qr(design / length)
    if rows <= width or np.abs(np.diag(upper)).min() < 1e-9:
        raise InvalidDataError(
            f"the effect of {quoted(cause.name)} on {quoted(effect.name)} cannot be estimated: the parents of "
            f"{quoted(cause.name)} determine it, or there are too few rows"
        )
    inverse = np.linalg.inv(upper) / length[:, None]
    coefficients = inverse @ (basis.T @ outcome)
    residual = outcome - design @ coefficients
    deviations = np.sqrt((inverse**2).sum(axis=1) * (residual @ residual) / (rows - width))
    reach = stats.t.ppf(0.5 + level / 2.0, rows - width) * deviations
    low, high = coefficients - reach, coefficients + reach
    return tuple(
        Contrast(what, float(coefficients[place]), float(low[place]), float(high[place]))
        for what, place in zip(_said(cause), range(width - own.shape[1], width), strict=True)
    )


def _said(cause: Column) -> list[str]:
    """Return what each contrast compares, in words."""
    if cause.states is None:
        return [f"change of the mean for {quoted(cause.name)} + 1:"]
    first, *others = (quoted(str(state)) for state in cause.states)
    return [f"change of the mean for {quoted(cause.name)} = {other} instead of {first}:" for other in others]
