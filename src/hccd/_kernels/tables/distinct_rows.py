"""Distinct rows of codes with their counts: each row packed into few words, which are looked up in a table of places.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

if not cython.compiled:
    # Compiled, this is a C function; see the declarations.
    def scattered(number, word):
        """Return a number that looks random, made of one and a word."""
        number = ((int(number) ^ int(word)) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        return number ^ (number >> 29)


def pack(codes, shift, words):
    """Add a column to the words of all rows, from this bit on; return all the bits that it has.

    A code takes the number behind it, so that the highest one, a missing cell, is 0.
    """
    r: cython.Py_ssize_t
    code: cython.uint
    bits: cython.uint = 0
    with cython.nogil:
        for r in range(codes.shape[0]):
            code = (cython.cast(cython.uint, codes[r]) + 1) & 0xFFFF
            bits |= code
            words[r] |= cython.cast(cython.ulonglong, code) << shift
    return bits


class RowCounter:
    """Rows of ``n_words`` words in the order in which they first occur, and how often they do."""

    def __init__(self, n_words):
        self.keys = np.zeros((1 << 10, n_words), np.uint64)
        self.counts = np.zeros(1 << 10, np.int64)
        # Where each row is, or -1; twice as many places as there may be rows, or more.
        self.places = np.full(1 << 11, -1, np.intc)
        self.held = 0

    def add(self, words, times, most):
        """Count rows, which are columns of ``words``, as often as ``times`` says, or once; stop beyond ``most``.

        Returns how many distinct rows there are.
        """
        r: cython.Py_ssize_t = 0
        n: cython.Py_ssize_t = words.shape[1]
        while r < n and self.held <= most:
            if 2 * (self.held + 1) > self.places.shape[0]:
                self.grow()
            with cython.nogil:
                r = self.add_from(words, times, r)
        return self.held

    @cython.final
    def add_from(self, words, times, r):
        """Count rows from this one on, as long as there is room; return the first that was not counted."""
        w: cython.int
        n_words: cython.int = self.keys.shape[1]
        i: cython.int
        place: cython.longlong
        last: cython.longlong = self.places.shape[0] - 1
        number: cython.ulonglong
        weighted: cython.bint = times.shape[0] > 0
        while r < words.shape[1]:
            number = 0
            for w in range(n_words):
                number = scattered(number, words[w, r])
            place = cython.cast(cython.longlong, number & last)
            while True:
                i = self.places[place]
                if i < 0:
                    break
                w = 0
                while w < n_words and self.keys[i, w] == words[w, r]:
                    w += 1
                if w == n_words:
                    break
                place = (place + 1) & last
            if i < 0:
                if 2 * (self.held + 1) > self.places.shape[0]:
                    return r
                i = self.held
                self.held += 1
                self.places[place] = i
                for w in range(n_words):
                    self.keys[i, w] = words[w, r]
            self.counts[i] += times[r] if weighted else 1
            r += 1
        return r

    @cython.final
    def grow(self):
        """Make room for twice as many rows."""
        i: cython.int
        w: cython.int
        n: cython.int = self.keys.shape[0]
        place: cython.longlong
        last: cython.longlong = 4 * n - 1
        number: cython.ulonglong
        keys = np.zeros((2 * n, self.keys.shape[1]), np.uint64)
        keys[:n] = self.keys
        counts = np.zeros(2 * n, np.int64)
        counts[:n] = self.counts
        self.keys = keys
        self.counts = counts
        self.places = np.full(4 * n, -1, np.intc)
        for i in range(self.held):
            number = 0
            for w in range(self.keys.shape[1]):
                number = scattered(number, self.keys[i, w])
            place = cython.cast(cython.longlong, number & last)
            while self.places[place] >= 0:
                place = (place + 1) & last
            self.places[place] = i

    def rows(self):
        """Return the words of the distinct rows, and their counts."""
        return np.asarray(self.keys)[: self.held], np.asarray(self.counts)[: self.held]
