"""What can be seen once a graph is learned: how it fits the data, what speaks against it, and how strict to be."""

from hccd.fit.choice import Choice, choose
from hccd.fit.judgement import Judged, judge
from hccd.fit.strictness import at_strictness

__all__ = ["Choice", "Judged", "at_strictness", "choose", "judge"]
