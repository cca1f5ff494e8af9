"""How sure each edge is: the method on resamples of the rows, and what it finds in how many of them."""

from hccd.confidence.learn import confidence_of, resamples_for

__all__ = ["confidence_of", "resamples_for"]
