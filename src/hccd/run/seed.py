"""The seed of a run, by its two names: ``seed``, and scikit-learn's ``random_state``, which may be a generator."""

from __future__ import annotations

import numpy as np

from hccd.errors import InvalidParameterError
from hccd.run.options.work import SeedOptions

RandomSource = int | np.random.RandomState | np.random.Generator | None


def seed_of(options: SeedOptions) -> int:
    """Return the seed; a generator is asked for one, and so moves on."""
    source = options.random_state
    if source is None:
        return 0 if options.seed is None else int(options.seed)
    if options.seed is not None and options.seed != source:
        raise InvalidParameterError(
            f"seed is {options.seed!r} and random_state is {source!r}, which are two names of one thing: give one"
        )
    if isinstance(source, np.random.RandomState):
        return int(source.randint(np.iinfo(np.int32).max))
    if isinstance(source, np.random.Generator):
        return int(source.integers(np.iinfo(np.int32).max))
    return int(source)
