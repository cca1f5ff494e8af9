r"""The second eigenvector of a cluster, by the Lanczos method.

Sought is the largest eigenpair of N = D^{-1/2} W D^{-1/2} but the known one, D^{1/2} 1 with eigenvalue 1, which is
kept out at every step. The basis is not orthogonalized otherwise: it loses orthogonality only as fast as the sought
pair converges (Paige), so the pair itself is found to half of all digits, and that is more than is asked for. What is
found is checked by its true residual; if that is too large, the search starts again from there.

The start is fixed, a pseudo-random number for each place, and so the result is, to the last bit. Of an eigenvalue that
occurs more than once it finds the vector closest to the start.
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs, log, sqrt

if not cython.compiled:
    from .cluster_graph import ClusterGraph
    from .tridiagonal import TridiagonalTop

#: The eigenvector is off by about residual / gap; gaps of similarity graphs are 1e-1 to 1e-3.
TOLERANCE = cython.declare(cython.double, 1e-8)

#: The basis holds so many vectors; when it is full, the search starts again from the best vector found.
MOST_STEPS = cython.declare(cython.int, 300)

#: So many bases are filled before the best vector found is taken as it is. Needed only where eigenvalues crowd
#: together, in chains of thousands; there any smooth vector cuts nearly as well as the exact one.
MOST_STARTS = cython.declare(cython.int, 10)

#: When convergence is looked at first, after how many more steps at the latest, and after which share of the steps that
#: seem to be needed.
FIRST_CHECK = cython.declare(cython.int, 8)
LONGEST_PAUSE = cython.declare(cython.int, 16)
PATIENCE = cython.declare(cython.double, 0.6)

#: A direction shorter than this is rounding: the Krylov space is exhausted, and the pair exact.
EXHAUSTED = cython.declare(cython.double, 1e-10)


def dot(a, here, b, size):
    """Return the product of a[here : here + size] and b[:size], in four sums: one would wait for every addition."""
    i: cython.int = 0
    p: cython.double = 0.0
    q: cython.double = 0.0
    r: cython.double = 0.0
    s: cython.double = 0.0
    while i + 3 < size:
        p += a[here + i] * b[i]
        q += a[here + i + 1] * b[i + 1]
        r += a[here + i + 2] * b[i + 2]
        s += a[here + i + 3] * b[i + 3]
        i += 4
    while i < size:
        p += a[here + i] * b[i]
        i += 1
    return (p + q) + (r + s)


class SecondEigenvector(ClusterGraph):
    """The search for one eigenvector at a time, in memory that is taken once."""

    def __init__(self, first, columns, weights):
        ClusterGraph.__init__(self, first, columns, weights)
        n = len(first) - 1
        self.noise = np.zeros(n)
        self.shrink = np.zeros(n)
        self.known = np.zeros(n)
        self.image = np.zeros(n)
        self.scaled = np.zeros(n)
        self.vector = np.zeros(n)
        self.basis = np.empty(MOST_STEPS * n)
        self.small = TridiagonalTop(MOST_STEPS)
        self.make_noise()

    def make_noise(self):
        """Fill ``noise`` with numbers between -1 and 1: the generator of Park and Miller, which never changes."""
        i: cython.int
        state: cython.longlong = 1
        for i in range(self.n):
            state = state * 48271 % 2147483647
            self.noise[i] = state / 1073741823.5 - 1.0

    def find(self, start, size):
        """Leave u, the second eigenvector of (D - W) u = lambda D u, in ``vector``; return its lambda.

        The cluster must be connected and have two vertices at least. The first entry of u that is at least half as
        large as its largest is positive.
        """
        i: cython.int
        _start: cython.int
        theta: cython.double = 0.0
        rest: cython.double
        total: cython.double = 0.0
        for i in range(size):
            self.scaled[i] = 1.0
        self.multiply(start, size)
        for i in range(size):
            total += self.image[i]
        total = sqrt(total)
        for i in range(size):
            rest = sqrt(self.image[i])
            self.shrink[i] = 1.0 / rest
            self.known[i] = rest / total
            self.image[i] = self.known[i] * self.noise[i]
        for _start in range(MOST_STARTS):
            self.search(start, size)
            theta = self.apply(start, size, 0)
            total = 0.0
            for i in range(size):
                rest = self.image[i] - theta * self.vector[i]
                total += rest * rest
            if sqrt(total) <= 2.0 * TOLERANCE:
                break
            for i in range(size):
                self.image[i] = self.vector[i]
        self.to_coordinates(size)
        return 1.0 - theta if theta < 1.0 else 0.0

    def search(self, start, size):
        """Run Lanczos from the direction in ``image``; leave the best unit vector found in ``vector``."""
        i: cython.int
        step: cython.int = 0
        check: cython.int = FIRST_CHECK if FIRST_CHECK < size else size - 1
        here: cython.longlong = 0
        norm: cython.double
        inverse: cython.double
        x: cython.double
        self.small.restart()
        norm = self.keep_out_known(size)
        while True:
            inverse = 1.0 / norm
            for i in range(size):
                x = self.image[i] * inverse
                self.basis[here + i] = x
                self.scaled[i] = x * self.shrink[i]
            self.small.alpha[step] = self.apply(start, size, here)
            self.keep_out_last(size, step, here)
            norm = self.keep_out_known(size)
            self.small.beta[step] = norm
            here += size
            step += 1
            if step >= check or step == MOST_STEPS or norm < EXHAUSTED:
                check = self.next_check(step)
                if check == 0 or step == MOST_STEPS or norm < EXHAUSTED:
                    break
        self.combine(size, step)

    def next_check(self, steps):
        """Solve the small eigenproblem; return after how many steps to do so again, 0 if the residual is small.

        The residual falls by about the same factor at every step, later by more, so it can be told when to look again.
        """
        solved: cython.int = self.small.solved
        before: cython.double = self.small.residual
        residual: cython.double = self.small.solve(steps)
        more: cython.double = LONGEST_PAUSE
        if residual <= TOLERANCE:
            return 0
        if residual < before:
            more = PATIENCE * log(residual / TOLERANCE) / log(before / residual) * (steps - solved)
        if more < 1.0:
            more = 1.0
        return steps + (cython.cast(cython.int, more) if more < LONGEST_PAUSE else LONGEST_PAUSE)

    def apply(self, start, size, here):
        """Let ``image`` be N v, where v stands in the basis at ``here`` and, times D^{-1/2}, in ``scaled``.

        Returns v N v.
        """
        i: cython.int
        self.multiply(start, size)
        for i in range(size):
            self.image[i] *= self.shrink[i]
        return dot(self.basis, here, self.image, size)

    def multiply(self, start, size):
        """Let ``image`` be W times ``scaled``: nearly all of the time goes here."""
        i: cython.int
        j: cython.int
        k: cython.longlong
        stop: cython.longlong
        x: cython.double
        even: cython.double
        odd: cython.double
        for i in range(size):
            self.image[i] = 0.0
        for i in range(size):
            k = self.first[start + i]
            stop = k + self.length[start + i]
            x = self.scaled[i]
            even = 0.0
            odd = 0.0
            while k + 1 < stop:
                j = self.columns[k]
                even += self.weights[k] * self.scaled[j]
                self.image[j] += self.weights[k] * x
                j = self.columns[k + 1]
                odd += self.weights[k + 1] * self.scaled[j]
                self.image[j] += self.weights[k + 1] * x
                k += 2
            if k < stop:
                j = self.columns[k]
                even += self.weights[k] * self.scaled[j]
                self.image[j] += self.weights[k] * x
            self.image[i] += even + odd

    def keep_out_last(self, size, step, here):
        """Take the last two vectors of the basis out of ``image``."""
        i: cython.int
        a: cython.double = self.small.alpha[step]
        b: cython.double = self.small.beta[step - 1] if step > 0 else 0.0
        before: cython.longlong = here - size if step > 0 else 0
        for i in range(size):
            self.image[i] -= a * self.basis[here + i] + b * self.basis[before + i]

    def keep_out_known(self, size):
        """Take the known eigenvector out of ``image``; return the length of the rest."""
        i: cython.int
        share: cython.double = dot(self.known, 0, self.image, size)
        for i in range(size):
            self.image[i] -= share * self.known[i]
        return sqrt(dot(self.image, 0, self.image, size))

    def combine(self, size, steps):
        """Let ``vector`` be the basis summed up, weighted by the small eigenvector; a copy stands in the basis at 0."""
        i: cython.int
        step: cython.int
        here: cython.longlong = 0
        weight: cython.double
        inverse: cython.double
        for i in range(size):
            self.vector[i] = 0.0
        for step in range(steps):
            weight = self.small.vector[step]
            for i in range(size):
                self.vector[i] += weight * self.basis[here + i]
            here += size
        inverse = 1.0 / sqrt(dot(self.vector, 0, self.vector, size))
        for i in range(size):
            weight = self.vector[i] * inverse
            self.vector[i] = weight
            self.basis[i] = weight
            self.scaled[i] = weight * self.shrink[i]

    def to_coordinates(self, size):
        """Turn v in ``vector`` into u = D^{-1/2} v, and fix its sign."""
        i: cython.int
        largest: cython.double = 0.0
        for i in range(size):
            self.vector[i] *= self.shrink[i]
            if fabs(self.vector[i]) > largest:
                largest = fabs(self.vector[i])
        i = 0
        while fabs(self.vector[i]) < 0.5 * largest:
            i += 1
        if self.vector[i] < 0.0:
            for i in range(size):
                self.vector[i] = -self.vector[i]
