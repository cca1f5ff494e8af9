"""Non-linearity: residuals that the square or the cube of a parent still tells something about.

From each function its line in the parent is taken away. Deviations are those that the products themselves show (White),
so that noise of uneven size does not look like a curve; lines in other parents only make them larger than they are.
"""

from __future__ import annotations

import numpy as np

from hccd.fit.residuals import Floats


class Bends:
    """Whether residuals bend with a parent."""

    level = 0.01

    def functions(self, bounded: Floats) -> list[Floats]:
        """Return squares and cubes, without lines."""
        square = bounded * bounded
        line = _unit(bounded)
        return [_without(square, line), _without(square * bounded, line)]

    def measured(self, left: Floats) -> Floats:
        """Return the residuals themselves."""
        return left

    def deviations(self, functions: Floats, measured: Floats) -> Floats:
        """Return sums of products by the deviation that they show."""
        products = functions * measured
        spread = np.sqrt(np.einsum("ij,ij->i", products, products))
        return np.asarray(products.sum(axis=1) / np.where(spread > 0.0, spread, np.inf))


def _unit(rows: Floats) -> Floats:
    centered = rows - rows.mean(axis=1, keepdims=True)
    size = np.sqrt(np.einsum("ij,ij->i", centered, centered))
    return np.asarray(centered / np.where(size > 0.0, size, 1.0)[:, None])


def _without(rows: Floats, line: Floats) -> Floats:
    centered = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(centered - np.einsum("ij,ij->i", centered, line)[:, None] * line)
