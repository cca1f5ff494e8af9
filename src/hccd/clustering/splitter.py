"""The parameters of the top-down stage: what is cut, into how many parts, and when to stop."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Real

import numpy as np

from hccd.clustering.separability import Eigengap, FixedK, NearZero, SeparabilityRule
from hccd.clustering.similarity import MEASURES, Measure
from hccd.errors import InvalidParameterError


@dataclass(frozen=True)
class SpectralSplitter:
    """How a cluster tree is computed; the constructor only stores its arguments.

    Parameters
    ----------
    rule : SeparabilityRule
        How many parts a cluster is divided into: :class:`FixedK`, :class:`NearZero`, :class:`Eigengap`.
    max_depth : int, optional
        The largest number of spectral divisions between the root and a leaf; 0 gives a single cluster.
        Splitting a cluster into its connected components is not counted.
    min_size : int
        A cluster with at most this many variables is not divided.
    measure : {"strength", "squared", "information"}
        Which function of the strength is the weight, see :func:`hccd.clustering.similarity`.
    screen : bool
        Give weight 0 to pairs that the test called marginally independent. This is not in the paper; it
        makes W sparse, which is faster, and keeps noise from connecting clusters.
    min_fraction : float
        When a cluster is cut in two, each side gets at least this share of its variables, 0 to 0.5. The paper
        expects most from clusters of equal sizes; without a limit trees can become deep and lopsided.
    """

    rule: SeparabilityRule = field(default_factory=FixedK)
    max_depth: int | None = None
    min_size: int = 10
    measure: Measure = "strength"
    screen: bool = True
    min_fraction: float = 0.0

    def check(self) -> None:
        """Raise :class:`InvalidParameterError` for an invalid parameter."""
        # The question whether an object follows a protocol is slow, and there is no need to ask it of our own.
        if not isinstance(self.rule, (FixedK, NearZero, Eigengap, SeparabilityRule)):
            raise InvalidParameterError(
                f"rule is {self.rule!r}; give a separability rule such as FixedK(2) or NearZero(0.5)"
            )
        self.rule.check()
        if self.max_depth is not None and not _is_count(self.max_depth, 0):
            raise InvalidParameterError(f"max_depth is {self.max_depth!r}; give a whole number from 0, or None")
        if not _is_count(self.min_size, 1):
            raise InvalidParameterError(f"min_size is {self.min_size!r}; give a whole number from 1")
        if self.measure not in MEASURES:
            raise InvalidParameterError(f"measure is {self.measure!r}; choose one of {', '.join(MEASURES)}")
        if not isinstance(self.screen, (bool, np.bool_)):
            raise InvalidParameterError(f"screen is {self.screen!r}; give True or False")
        if not (isinstance(self.min_fraction, Real) and 0.0 <= self.min_fraction <= 0.5):
            raise InvalidParameterError(f"min_fraction is {self.min_fraction!r}; give a number between 0 and 0.5")


def _is_count(value: object, least: int) -> bool:
    """Whether the value is an integer of at least ``least``, and not a boolean."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and bool(value >= least)
