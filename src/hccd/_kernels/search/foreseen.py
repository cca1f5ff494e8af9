"""The level search for tests whose tables are counted elsewhere, many in one pass over rows that memory cannot hold.

A question whose answer is known is answered. One that is not is written down, and so are those that would follow if
pairs turn out to be dependent; then the answers of the level are void, as they are where a critical value is missing.
The caller comes again when the tables have been counted, and what it gets at last is what it would have got at once.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

if not cython.compiled:
    from .level import LevelSearch

# So many unknown sets of a pair are asked for at once, or this many times those that are known to be dependent: few of
# the first sets are asked in vain, and a pair of very many sets takes few passes.
AHEAD = cython.declare(cython.int, 16)
TIMES = cython.declare(cython.int, 3)


class ForeseenSearch(LevelSearch):
    """The level search by answers that are known.

    ``known`` has statistic, degrees of freedom and decision by the question (x, y, and the set in its order);
    unknown ones are put into ``wanted``, a dictionary. ``count()`` answers what is wanted.
    """

    def __init__(self, known, wanted, count, association, outer, by_strength, position):
        LevelSearch.__init__(self, association, outer, by_strength, position)
        self.known = known
        self.wanted = wanted
        self.count = count
        # A pair that is left has none.
        self.statistic = 0.0
        self.make_room(self.room)

    def make_room(self, order):
        """Allocate for sets of up to ``order`` variables."""
        self.member = np.zeros(order + 1, np.intc)

    def need_critical(self, freedom):
        """Have what was wanted counted."""
        self.count()

    def begin(self):
        """Turn to the next pair."""
        self.answered = 0
        self.unknown = 0

    def extend(self, depth, z):
        """Take note of z."""
        self.member[depth] = z

    def independent(self):
        """Look the question up; a pair of which enough is unknown is left, as if it fell."""
        with cython.gil:
            try:
                question = (self.x, self.y, *[self.member[d] for d in range(self.order)])
                answer = self.known.get(question)
                if answer is None:
                    self.wanted[question] = None
                    self.missing_freedom = 0
                    self.unknown += 1
                    return self.unknown >= max(AHEAD, TIMES * self.answered)
                self.answered += 1
                self.statistic, self.freedom, independent = answer
                return bool(independent)
            except BaseException as error:
                self.failure = error
                self.failed = True
                return True
