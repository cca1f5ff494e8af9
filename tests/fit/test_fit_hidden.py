"""Edges that cancel: told where hidden causes make them, and not where effects just happen to be small."""

from __future__ import annotations

import numpy as np
import pytest

import hccd
from hccd.errors import DataWarning


def table(hidden, rows=5000, groups=8, seed=0):
    """Groups x -> a <-> b <- y; the common cause of a and b is hidden, or among the columns."""
    rng = np.random.default_rng(seed)
    columns, names = [], []
    for group in range(groups):
        x, y, cause, ea, eb = rng.normal(size=(5, rows))
        own = {"x": x, "a": x + cause + 0.5 * ea, "b": y + cause + 0.5 * eb, "y": y}
        own |= {} if hidden else {"cause": cause}
        columns += own.values()
        names += [f"{name}{group}" for name in own]
    return np.column_stack(columns), names


def test_hidden_causes_are_told_by_their_neighbours():
    data, names = table(hidden=True)
    with pytest.warns(DataWarning, match="hidden common cause"):
        result = hccd.discover(data, names=names)
    (sentence,) = [each for each in result.warnings if "hidden common cause" in each]
    assert "strong edges join columns that are uncorrelated" in sentence


def test_causes_that_are_there_are_not_hidden():
    data, names = table(hidden=False)
    assert not hccd.discover(data, names=names).warnings


def test_knowledge_may_be_the_reason():
    """Directions that somebody knows are not questioned."""
    data, names = table(hidden=True)
    tiers = [[name for name in names if name[0] in own] for own in ("xy", "ab")]
    result = hccd.discover(data, names=names, tiers=tiers)
    assert not any("hidden" in sentence for sentence in result.warnings)
