"""Heteroscedasticity: the squares of residuals go with a parent, or with its square (Breusch and Pagan, Koenker)."""

from __future__ import annotations

import numpy as np

from hccd.fit.residuals import FAR, Floats


class Spread:
    """Whether residuals are larger for some values of a parent than for others."""

    #: Skewed noise and a wrong direction look alike, so that more is asked.
    level = 0.003

    def functions(self, bounded: Floats) -> list[Floats]:
        """Return the values themselves, and their squares."""
        return [_standard(bounded), _standard(bounded * bounded)]

    def measured(self, left: Floats) -> Floats:
        """Return the squares of residuals."""
        deviation = np.sqrt(np.einsum("ij,ij->i", left, left) / left.shape[1])
        size = np.minimum(np.abs(left) / np.where(deviation > 0.0, deviation, np.inf)[:, None], FAR)
        return _standard(size * size)

    def deviations(self, functions: Floats, measured: Floats) -> Floats:
        """Return correlations in deviations."""
        return np.asarray(np.einsum("ij,ij->i", functions, measured) / measured.shape[1] ** 0.5)


def _standard(rows: Floats) -> Floats:
    centered = rows - rows.mean(axis=1, keepdims=True)
    deviation = np.sqrt(np.einsum("ij,ij->i", centered, centered) / rows.shape[1])
    return np.asarray(centered / np.where(deviation > 1e-9, deviation, np.inf)[:, None])
