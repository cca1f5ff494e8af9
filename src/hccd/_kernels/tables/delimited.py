"""Delimited text without quotation marks: where its cells are, and which numbers they hold.

Cells are found as places in the text, so that nothing is made of a cell that nobody asks for.
"""

import cython
import numpy as np

LARGEST_WHOLE = cython.declare(cython.ulonglong, 2**63 - 1)
# One more digit still fits into 64 bits.
ROOM = cython.declare(cython.ulonglong, 10**18)
# Whole numbers up to here are exact as doubles.
EXACT = cython.declare(cython.ulonglong, 2**53)
# Splits a double into two of 26 bits (Dekker).
HALVES = cython.declare(cython.double, 2.0**27 + 1.0)
DOUBT = cython.declare(cython.double, 2.0**-45)
NOT_SURE = cython.declare(cython.double, float("nan"))


def cut_cells(text, delimiter, start, stop, failure):
    """Find the cells of each line: cell c of row r is ``text[start[c, r] : stop[c, r]]``, without blanks around it.

    Lines that hold delimiters and spaces alone are skipped. Returns the number of rows; or -1 if a line has more or
    fewer cells than ``start`` has room for, and then ``failure`` is that line, from 0, and its number of cells.
    """
    width: cython.Py_ssize_t = start.shape[0]
    cell: cython.Py_ssize_t
    row: cython.Py_ssize_t = 0
    line: cython.longlong = 0
    p: cython.longlong = 0
    a: cython.longlong
    b: cython.longlong
    begin: cython.longlong
    end: cython.longlong = len(text)
    blank: cython.bint
    at_end: cython.bint
    result: cython.Py_ssize_t = -1
    with cython.nogil:
        while p < end:
            cell = 0
            begin = p
            blank = True
            while True:
                at_end = p == end or text[p] == 10
                if at_end or text[p] == delimiter:
                    if cell < width:
                        a = begin
                        b = p
                        while a < b and (text[a] == 32 or 9 <= text[a] <= 13):
                            a += 1
                        while a < b and (text[b - 1] == 32 or 9 <= text[b - 1] <= 13):
                            b -= 1
                        start[cell, row] = a
                        stop[cell, row] = b
                    cell += 1
                    if at_end:
                        break
                    begin = p + 1
                elif text[p] != 32:
                    blank = False
                p += 1
            p += 1
            if not blank:
                if cell != width:
                    failure[0] = line
                    failure[1] = cell
                    break
                row += 1
            line += 1
        else:
            result = row
    return result


def scaled(digits, exponent, tens):
    """Return ``digits * 10**exponent``, correctly rounded, or nan if that cannot be told; at most 22 either way.

    Powers of ten up to 10**22 are exact, so one operation on few digits is rounded once. With more digits the result is
    kept as the sum of a double and a small correction, whose own error is far below ``DOUBT``: where that much more or
    less leads to the same double, it is the right one.
    """
    high: cython.double = cython.cast(cython.double, digits)
    low: cython.double
    ten: cython.double
    first: cython.double
    rest: cython.double
    product: cython.double
    a: cython.double
    b: cython.double
    c: cython.double
    d: cython.double
    if digits <= EXACT:
        return high * tens[exponent] if exponent >= 0 else high / tens[-exponent]
    low = cython.cast(cython.double, cython.cast(cython.longlong, digits - cython.cast(cython.ulonglong, high)))
    ten = tens[exponent if exponent >= 0 else -exponent]
    first = high if exponent >= 0 else high / ten
    # The product of first and ten and what its rounding left over.
    product = first * ten
    a = HALVES * first - (HALVES * first - first)
    b = first - a
    c = HALVES * ten - (HALVES * ten - ten)
    d = ten - c
    rest = ((a * c - product) + a * d + b * c) + b * d
    if exponent >= 0:
        first = product
        rest += low * ten
    else:
        rest = ((high - product) - rest + low) / ten
    product = first + rest
    if first + rest * (1.0 + DOUBT) != product or first + rest * (1.0 - DOUBT) != product:
        return NOT_SURE
    return product


def parse_numbers(text, source, start, stop, whole, real):
    """Read the numbers of a column's cells; ``source`` is ``text`` as bytes.

    Returns 2 if all cells are whole numbers of 64 bits, which are then in ``whole``; 1 if all are decimal numbers,
    which are then in ``real``, correctly rounded; 0 if some cell is anything else.
    """
    j: cython.Py_ssize_t
    a: cython.longlong
    b: cython.longlong
    p: cython.longlong
    mantissa: cython.ulonglong
    digit: cython.ulonglong
    exponent: cython.int
    power: cython.int
    any_digit: cython.bint
    point: cython.bint
    exact: cython.bint
    negative: cython.bint
    negative_power: cython.bint
    is_whole: cython.bint
    all_whole: cython.bint = True
    value: cython.double
    tens: cython.double[::1] = np.array([float(f"1e{i}") for i in range(23)])
    for j in range(start.shape[0]):
        a = start[j]
        b = stop[j]
        p = a
        negative = p < b and text[p] == 45
        if p < b and (text[p] == 45 or text[p] == 43):
            p += 1
        mantissa = 0
        exponent = 0
        any_digit = False
        point = False
        exact = True
        while p < b:
            if 48 <= text[p] <= 57:
                any_digit = True
                if mantissa < ROOM:
                    digit = text[p] - 48
                    mantissa = mantissa * 10 + digit
                    exponent -= point
                else:
                    exact = False
            elif text[p] == 46 and not point:
                point = True
            else:
                break
            p += 1
        if not any_digit:
            return 0
        is_whole = exact and not point and (mantissa <= LARGEST_WHOLE or (negative and mantissa == LARGEST_WHOLE + 1))
        if p < b and (text[p] == 101 or text[p] == 69):
            is_whole = False
            p += 1
            negative_power = p < b and text[p] == 45
            if p < b and (text[p] == 45 or text[p] == 43):
                p += 1
            if p == b:
                return 0
            power = 0
            while p < b and 48 <= text[p] <= 57:
                if power < 100000:
                    power = power * 10 + (text[p] - 48)
                p += 1
            exponent += -power if negative_power else power
        if p < b:
            return 0
        if is_whole and all_whole:
            if not negative:
                whole[j] = mantissa
            elif mantissa > 0:
                # One less first: the lowest number has no positive counterpart.
                whole[j] = -cython.cast(cython.longlong, mantissa - 1) - 1
            else:
                whole[j] = 0
        all_whole = all_whole and is_whole
        value = NOT_SURE
        if exact and -22 <= exponent <= 22:
            value = scaled(mantissa, exponent, tens)
        if value == value:
            real[j] = -value if negative else value
        else:
            real[j] = float(source[a:b])
    return 2 if all_whole else 1
