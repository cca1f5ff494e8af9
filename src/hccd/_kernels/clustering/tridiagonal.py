"""The largest eigenpair of a tridiagonal matrix that grows: what Lanczos has to solve every few steps.

Inverse iteration with shifts x that come down from above. There x - T is positive definite and needs no pivoting, and
its inverse has no negative entry, so that nothing cancels. The next shift is the Rayleigh quotient plus its residual;
below the eigenvalue a pivot is negative, and the shift goes up again.
"""

import cython
import numpy as np
from cython.cimports.libc.math import sqrt

#: The residual of the pair, far below what Lanczos is asked for.
SMALL = cython.declare(cython.double, 1e-12)

MOST_SHIFTS = cython.declare(cython.int, 60)

#: No eigenvalue is above this: those of a normalized similarity matrix lie between -1 and 1.
ABOVE_ALL = cython.declare(cython.double, 1.0 + 1e-12)


class TridiagonalTop:
    """The matrix with ``alpha`` on its diagonal and ``beta``, not negative, beside it, and its largest eigenpair.

    ``vector`` is the eigenvector as last solved, for the first ``solved`` rows. It is where the next one starts.
    """

    def __init__(self, most):
        self.alpha = np.zeros(most)
        self.beta = np.zeros(most)
        self.pivot = np.zeros(most)
        self.vector = np.zeros(most)
        self.solution = np.zeros(most)
        self.restart()

    def restart(self):
        """Forget what was solved."""
        self.vector[0] = 1.0
        self.solved = 1
        self.value = 0.0
        self.residual = 1.0

    def solve(self, steps):
        """Solve the first ``steps`` rows; return the residual of the pair in the next larger matrix.

        That is the last ``beta`` times the last entry of the eigenvector.
        """
        i: cython.int
        _shift: cython.int
        x: cython.double
        rest: cython.double = 2.0 * self.residual
        inverse: cython.double
        length: cython.double
        overlap: cython.double
        for i in range(self.solved, steps):
            self.vector[i] = 0.0
        self.solved = steps
        x = self.value + rest if self.value + rest < ABOVE_ALL else ABOVE_ALL
        for _shift in range(MOST_SHIFTS):
            if not self.factor(steps, x):
                rest *= 4.0
                x = self.value + rest if self.value + rest < ABOVE_ALL else ABOVE_ALL
                continue
            self.solution[0] = self.vector[0]
            for i in range(1, steps):
                self.solution[i] = self.vector[i] + self.beta[i - 1] * self.pivot[i - 1] * self.solution[i - 1]
            self.solution[steps - 1] *= self.pivot[steps - 1]
            for i in range(steps - 2, -1, -1):
                self.solution[i] = (self.solution[i] + self.beta[i] * self.solution[i + 1]) * self.pivot[i]
            length = 0.0
            overlap = 0.0
            for i in range(steps):
                length += self.solution[i] * self.solution[i]
                overlap += self.solution[i] * self.vector[i]
            inverse = 1.0 / sqrt(length)
            for i in range(steps):
                self.vector[i] = self.solution[i] * inverse
            # (x - T) times the new vector is the old one times ``inverse``: quotient and residual come for nothing.
            overlap = overlap / length
            self.value = x - overlap
            rest = inverse * inverse - overlap * overlap
            if rest <= SMALL * SMALL:
                break
            rest = sqrt(rest)
            if self.value + rest < x:
                x = self.value + rest
        self.residual = self.beta[steps - 1] * self.vector[steps - 1]
        return self.residual

    def factor(self, steps, x):
        """Fill ``pivot`` with the inverse pivots of x - T; return whether all of them are positive."""
        i: cython.int
        value: cython.double = x - self.alpha[0]
        for i in range(1, steps):
            if value <= 0.0:
                return False
            self.pivot[i - 1] = 1.0 / value
            value = x - self.alpha[i] - self.beta[i - 1] * self.beta[i - 1] * self.pivot[i - 1]
        if value <= 0.0:
            return False
        self.pivot[steps - 1] = 1.0 / value
        return True
