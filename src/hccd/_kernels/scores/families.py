"""What a search over DAGs asks a score: the part that belongs to one variable with its parents.

A search turns to a family with ``begin``, then asks for its score, and for that with one parent more, for as many
parents as it likes. Subclasses say what a score is.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np


class Families:
    """The scores of families; higher is better."""

    #: What has been computed so far, in operations of about a nanosecond, and how many families have been scored.
    if not cython.compiled:
        work = 0
        evaluations = 0

    def begin(self, child, members, count):
        """Turn to ``child`` with its parents, the first ``count`` of ``members``, in ascending order."""

    def value(self):
        """Return the score of the family at hand."""
        return 0.0

    def value_with(self, x):
        """Return the score of the family at hand with the parent x more."""
        return 0.0

    def gaining(self, least, others, excluded, found, gain):
        """Write those of ``others`` that gain more than ``least`` as one parent more; return how many.

        The child and its parents are ``excluded``, by variable, and whoever else is.
        """
        i: cython.int
        count: cython.int = 0
        now: cython.double = self.value()
        more: cython.double
        for i in range(others.shape[0]):
            if excluded[others[i]]:
                continue
            more = self.value_with(others[i]) - now
            if more > least:
                found[count] = others[i]
                gain[count] = more
                count += 1
        return count

    def strongest(self, least, others, excluded, place, limit, found, gain):
        """Write those of ``others`` that gain most as one parent more, and more than ``least``, best first.

        Those with a ``place`` below ``limit`` only, and as many as there is room for in ``found``; the first of equals
        stays first. Return how many.
        """
        i: cython.int
        x: cython.int
        count: cython.int = 0
        now: cython.double = self.value()
        more: cython.double
        for i in range(others.shape[0]):
            x = others[i]
            if excluded[x]:
                continue
            more = self.value_with(x) - now
            if more > least and place[x] < limit:
                count = self.insert(x, more, count, found, gain)
        return count

    @cython.final
    def insert(self, x, more, count, found, gain):
        """Put x where it belongs among the first ``count`` if it gains enough; return how many there are then."""
        i: cython.int
        most: cython.int = found.shape[0]
        if count == most and more <= gain[most - 1]:
            return count
        i = min(count, most - 1)
        while i > 0 and gain[i - 1] < more:
            found[i] = found[i - 1]
            gain[i] = gain[i - 1]
            i -= 1
        found[i] = x
        gain[i] = more
        return min(count + 1, most)

    def weakest(self, child, members, count, fewer):
        """Return the place of the parent whose loss leaves the highest score; ``fewer`` is room for the others."""
        i: cython.int
        d: cython.int
        found: cython.int = 0
        value: cython.double
        best: cython.double = -1e300
        for d in range(count):
            for i in range(count - 1):
                fewer[i] = members[i + (i >= d)]
            self.begin(child, fewer, count - 1)
            value = self.value()
            if value > best:
                best = value
                found = d
        return found

    def record(self):
        """Return what the count of work, and scores up to rounding, depend on: what was computed before."""
        counts = (("family_work", self.work), ("family_evaluations", self.evaluations))
        return {name: np.array([count], np.int64) for name, count in counts}

    def restore(self, kept):
        """Take over what ``record`` returned."""
        self.work = kept["family_work"][0]
        self.evaluations = kept["family_evaluations"][0]

    def score(self, child, members):
        """Return the score of a family; ``members`` ascending."""
        self.begin(child, members, len(members))
        return self.value()

    def gains(self, child, members, gain):
        """Write what each x gains as one more parent to ``gain[x]``, and 0 for the child and its parents."""
        x: cython.int
        i: cython.int
        now: cython.double
        known: cython.bint
        count: cython.int = len(members)
        with cython.nogil:
            self.begin(child, members, count)
            now = self.value()
            for x in range(gain.shape[0]):
                gain[x] = 0.0
                # A parent is not asked for twice: what is remembered of a set knows each member once.
                known = x == child
                for i in range(count):
                    known = known or members[i] == x
                if not known:
                    gain[x] = self.value_with(x) - now
