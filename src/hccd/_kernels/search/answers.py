"""Answers of a table test kept from one threshold to the next: a memory of fixed size, in which newer ones win.

A question (x, y | set) has a number of 64 bits: random numbers of its two ends and of the members of its set, combined
by exclusive or, so that the order of the set does not matter. Two questions of one number would be taken for each
other; a million questions do so with odds of one in a hundred million. A question is looked for in one place only, and
an answer that was pushed out is computed again when it is needed. A set asked in another order before may have a
statistic that differs in its last bits.

What is kept is the statistic, or infinity if it was found too large before it was complete: thresholds are tried from
the largest down, so what was dependent stays so.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np


class Answers:
    """Room for 2 ** ``bits`` answers about ``n_variables`` variables."""

    def __init__(self, n_variables, bits):
        numbers = np.random.default_rng(64).integers(1, np.iinfo(np.uint64).max, (3, n_variables), np.uint64)
        self.of_first = numbers[0]
        self.of_second = numbers[1]
        self.of_member = numbers[2]
        self.shift = 64 - bits
        self.question = np.zeros(1 << bits, np.uint64)
        self.statistic = np.zeros(1 << bits)

    @cython.final
    def pair(self, x, y):
        """Return the number of a pair given nothing."""
        return self.of_first[min(x, y)] ^ self.of_second[max(x, y)]

    @cython.final
    def with_member(self, question, z):
        """Return the number of a question whose set has one variable more."""
        return question ^ self.of_member[z]

    @cython.final
    def knows(self, question):
        """Whether the answer is there."""
        return self.question[question >> self.shift] == question

    @cython.final
    def recall(self, question):
        """Return the statistic of a question whose answer is there."""
        return self.statistic[question >> self.shift]

    @cython.final
    def keep(self, question, statistic):
        """Take the place of whatever answer is there."""
        self.question[question >> self.shift] = question
        self.statistic[question >> self.shift] = statistic
