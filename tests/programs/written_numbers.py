"""Numbers and texts in formats, and numbers that are read: what native code does itself."""

# ruff: noqa: UP031

import math

import numpy as np

from tests.programs import Case


def ints(x: int) -> list[str]:
    return [
        f"{x}|{x:d}|{x:b}|{x:o}|{x:x}|{x:X}|{x:#x}|{x:#X}|{x:#b}|{x:#o}",
        f"{x:,}|{x:_}|{x:_b}|{x:#_x}|{x:+}|{x: d}|{x:-d}|{x:20,}|{x:020,}|{x:<020,}",
        f"{x:<30}|{x:^30}|{x:^31}|{x:*>30}|{x:=+30}|{x:030}|{x:#030x}|{x:<030x}|{x:0<30}",
        bin(x) + hex(x) + oct(x) + format(x, "o") + str(x) + repr(x) + f"{x!r:>25}{x!s:<25}",
        "%d|%5d|%-5d|%05d|%+d|% d|%i|%x|%#o|%s" % (x, x, x, x, x, x, x, x, x, x),
        f"{x:.2f}|{x:e}|{x:%}|{x:g}|{x:10.1f}|{x:,.0f}|{x:25}|{x:9999}"[:120],
    ]


def wrong_letter(x: int, which: int) -> str:
    if which == 0:
        return f"{x:.2d}"
    if which == 1:
        return f"{x:,x}"
    return f"{x:s}" if which == 2 else f"{x:q}"


def bools(x: bool) -> list[str]:
    return [str(x), repr(x), f"{x}|{x:d}|{x:5}|{x!r:>7}|{x:.1f}", f"{bin(x)}"]


def numbers_of_arrays(x: np.ndarray, n: np.ndarray, k: np.ndarray) -> list[str]:
    found: list[str] = []
    for i in range(len(x)):
        found.append(f"{x[i]}|{x[i]:.3f}|{x[i]:>12}|{x[i]:e}|{n[i]}|{n[i]:5d}|{n[i]:b}|{n[i]!r}")
        found.append(f"{k[i]}|{k[i]:x}|{k[i]:,}|{k[i]:.1f}")
        found.append("%d %g" % (n[i], x[i]))
    return found


def fixed(x: float) -> list[str]:
    return [
        f"{x:.0f}|{x:.1f}|{x:.2f}|{x:f}|{x:.16f}|{x:.17f}|{x:.30f}|{x:F}",
        f"{x:,.2f}|{x:_.1f}|{x:+12.1f}|{x:012.4f}|{x: .5f}|{x:^20.7f}|{x:=+20.1f}|{x:020,.1f}",
        f"{x:%}|{x:.0%}|{x:8.1%}|{x:#.0f}",
        "%.3f|%8.2f|%-8.2f|%08.2f" % (x, x, x, x),
    ]


def scientific(x: float) -> list[str]:
    return [
        f"{x:e}|{x:.0e}|{x:.1e}|{x:.2e}|{x:10.2e}|{x:.15e}|{x:.16e}|{x:.17e}|{x:E}|{x:+.3E}",
        f"{x:g}|{x:.0g}|{x:.1g}|{x:.3g}|{x:.16g}|{x:.17g}|{x:.18g}|{x:12G}|{x:#g}|{x:,g}",
        "%e|%.3g|%G" % (x, x, x),
    ]


def shortest(x: float) -> list[str]:
    return [
        f"{x}|{x!r}|{x!s}|{x:25}|{x:<25}|{x:+}|{x:025}|{x:.3}|{x:n}",
        str(x) + repr(x) + f"{x!r:>30}" + format(x, ""),
        repr([x, -x]),
    ]


def texts(s: str, t: str) -> list[str]:
    return [
        f"{s:5}|{s:<5}|{s:>5}|{s:^5}|{s:^6}|{s:*^9}|{s:.2}|{s:6.1}|{s:.0}|{s:s}|{s:>12s}",
        f"{s!r}|{s!r:>9}|{s!s:<9}|{s!a}|{s!a:>30}|{[s, t]!r}",
        "%s|%5s|%-5s|%.1s|%r" % (s, s, s, s, s),
        "%s" % s,
        "%d" % len(s) + "%%" % (),
    ]


def read(s: str) -> float:
    return float(s)


def read_again(x: float) -> bool:
    return float(repr(x)) == x and float(f"{x:.17g}") == x and float(f"{x:.16e}") == x


# Powers of two have a nearer neighbour below them, and those of ten are where digits are carried.
_FLOATS = [
    *(0.0, -0.0, math.inf, -math.inf, math.nan, 0.1, 1.5, 2.5, 0.5, 1e15, 1e16, 1e17, 123456.0),
    *(1e22, 1e23, 9007199254740993.0, 2.0**63, -(2.0**63), math.nextafter(2.0**63, 0.0), 1e300),
    *(5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 2.225073858507201e-308),
    *(0.00098, 9.5, 9.995, 99.5, 0.0001, 0.00001, 0.00012345, 0.045, 1.005, 999999.5, 9999995.0),
    *(1e-5, math.nextafter(1e-5, 0.0), math.nextafter(1e16, 0.0), 4.35, 0.285, 1234567.891),
    *(2.0**k for k in (-1074, -1073, -1022, -30, 53, 89, 122, 1023)),
]
_READ = [
    *("", ".", "-", "e5", "1e", "1e+", "1.2.3", "1e5.0", "+-1", "0x10", "1_0.5", " 1.5 ", "1."),
    *(".5", "+.5e3", "-0", "-0.0", "000000000000000000000000.5", "1e400", "-1e-400", "1e55555555"),
    *("9007199254740993", "9007199254740992.999999", "9223372036854775808.000", "inf", "-nan"),
    *("0.0000000000000000000000000000000123456789012345678", "1E5", "1e-05", "1.0\x00", "1\u0660"),
    *("2.2250738585072011e-308", "4.9e-324", "123456789012345678e-18", "1e23", "8.5e-7", "infx"),
    *("1797693134862315807e290", "1797693134862315809e290", "0e999", "3.14159265358979323846"),
]

CASES: list[Case] = [
    (ints, [(x,) for x in (0, 1, -1, 9, 10, -10, 255, 999, 1000, -1000, 123456, 2**53 + 1)]),
    (ints, [(x,) for x in (2**63 - 1, -(2**63), -(2**63) + 1, 2**62, -(2**62) - 1)]),
    (wrong_letter, [(5, 0), (5, 1), (5, 2), (5, 3)]),
    (bools, [(True,), (False,)]),
    (
        numbers_of_arrays,
        [
            (
                np.array([0.1, -2.5, 1e300]),
                np.array([-5, 0, 2**63 - 1]),
                np.array([0, 1, 2**64 - 1], np.uint64),
            ),
            (
                np.array([0.1, -2.5], np.float32),
                np.array([-128, 127], np.int8),
                np.array([0, 255], np.uint8),
            ),
        ],
    ),
    (fixed, [(x,) for x in _FLOATS]),
    (scientific, [(x,) for x in _FLOATS]),
    (shortest, [(x,) for x in _FLOATS]),
    (texts, [("", "a"), ("a", "b'c"), ("ab'c", 'd"'), ("back\\", "tab\t"), ("z\x00y", "\x7f")]),
    (texts, [("\u00e9", "\u4e00"), ("\u4e00\u00e9a", ""), ("a\U0001f600", "b"), ("\ud800x", "")]),
    (texts, [("longer than any width", "x" * 70)]),
    (read, [(s,) for s in _READ]),
    (read_again, [(x,) for x in _FLOATS]),
]
