"""Scores of families of variables that are blocks of columns: BIC of the degenerate Gaussian.

With N rows, c columns of the child of which the parents' r columns leave a share D of the determinant, the score is::

    - N/2 ln(D) - c r/2 ln(N)

Columns that others determine count neither as the child's nor as the parents'. Of a child only the first ``own`` of its
columns are told: the others may be functions of these, there to tell other variables by curves. ``gaining`` and
``weakest`` are those of every score; what the last family began with is there already.

What is told of states is no more than their ``entropy``, nor than that of the parents; of numbers there is no limit. By
chance some states go with others in all of few rows, which no line of numbers does.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np
from cython.cimports.libc.math import log

if not cython.compiled:
    from ..search.block_factor import BlockFactor
    from .families import Families


class BlockFamilies(Families):
    """BIC of families of up to ``max_parents`` parents and one; shares up to ``singular`` count as nothing."""

    def __init__(self, correlation, first, own, entropy, n_rows, singular, max_parents):
        self.n_rows = n_rows
        self.singular = singular
        self.price = 0.5 * np.log(n_rows)
        # Reading and correlating the table is the work that came first.
        self.work = int(10.0 * n_rows * len(correlation))
        self.member = np.zeros(max_parents + 2, np.intc)
        self.child = -1
        self.count = 0
        self.width = np.diff(first).astype(np.intc)
        self.own = own
        self.entropy = entropy
        self.blocks = BlockFactor(correlation, first, singular, int(np.max(own, initial=1)))
        self.blocks.make_room(max_parents + 2)

    def begin(self, child, members, count):
        """Factor the columns of the parents."""
        i: cython.int
        same: cython.int = 0
        if child == self.child:
            while same < min(count, self.count) and self.member[same] == members[same]:
                same += 1
        else:
            self.child = child
            self.blocks.clear_targets()
            self.blocks.look_at(child, self.own[child])
            self.blocks.begin()
            self.rank = self.blocks.hold(0, 0, self.own[child])
            self.all_of_it = self.blocks.log_held(0, self.own[child])
        for i in range(same, count):
            self.member[i] = members[i]
            self.add(i, members[i])
        self.count = count

    @cython.final
    def add(self, depth, x):
        """Let x be the parent number ``depth``."""
        self.work += (
            cython.cast(cython.longlong, self.width[x])
            * (self.blocks.last[depth] + self.width[x] + self.own[self.child])
            * (self.blocks.last[depth] + self.own[self.child] + 8)
        )
        self.blocks.extend(depth, x)

    @cython.final
    def at(self, depth):
        """Return the score of the first ``depth`` parents."""
        held: cython.int = self.blocks.hold(depth, 0, self.own[self.child])
        left: cython.double = self.blocks.log_held(0, self.own[self.child])
        # What is determined is told all but completely.
        left += (self.rank - held) * log(self.singular)
        told: cython.double = -0.5 * (left - self.all_of_it)
        room: cython.double = 0.0
        i: cython.int
        for i in range(depth):
            room += self.entropy[self.member[i]]
        self.evaluations += 1
        told = min(told, min(room, self.entropy[self.child]))
        return self.n_rows * told - self.price * self.rank * self.blocks.rank[depth]

    def record(self):
        """Return the family at hand as well: the work of the next one depends on what both begin with."""
        family = np.array([self.child, -1], np.intc)
        return {**Families.record(self), "family": family, "members": np.array(self.member[: self.count])}

    def restore(self, kept):
        """Take over what ``record`` returned."""
        members = kept["members"]
        self.child = -1
        self.begin(kept["family"][0], members, len(members))
        Families.restore(self, kept)

    def value(self):
        """Return the score of the family at hand."""
        return self.at(self.count)

    def value_with(self, x):
        """Return the score with x; columns that the others determine add nothing."""
        self.member[self.count] = x
        self.add(self.count, x)
        return self.at(self.count + 1)
