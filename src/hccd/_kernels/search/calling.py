"""The level search for a test in Python: an oracle, or a function of the user's own.

The walk over edges and sets is the compiled one; each question goes out to ``test(x, y, given)``, which answers with a
``CIResult``. What it raises ends the walk, and is raised again where the walk was begun.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

if not cython.compiled:
    from .level import LevelSearch


class CallingSearch(LevelSearch):
    """The level search that asks a callable; the statistic that it leaves behind is the p-value itself."""

    def __init__(self, test, association, outer, by_strength, position):
        LevelSearch.__init__(self, association, outer, by_strength, position)
        self.test = test
        # Every question may take long: no edge waits for another.
        self.grain = 1
        self.make_room(self.room)

    def make_room(self, order):
        """Allocate for sets of up to ``order`` variables."""
        self.member = np.zeros(order + 1, np.intc)

    def extend(self, depth, z):
        """Take note of z."""
        self.member[depth] = z

    def independent(self):
        """Ask; what goes wrong is kept, and looks like a separation, so that the walk ends."""
        with cython.gil:
            try:
                answer = self.test(self.x, self.y, tuple([self.member[d] for d in range(self.order)]))
                self.statistic = answer.p_value
                return bool(answer.independent)
            except BaseException as error:
                self.failure = error
                self.failed = True
                return True
