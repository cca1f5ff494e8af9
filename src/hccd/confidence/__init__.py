"""How sure each edge is: the method on resamples of the rows, and what it finds in how many of them."""

from hccd.confidence.cost import resamples_for, resamples_of, work_of
from hccd.confidence.kept import Kept
from hccd.confidence.learn import confidence_of

__all__ = ["Kept", "confidence_of", "resamples_for", "resamples_of", "work_of"]
