"""Fractions: operators beside ints and floats, order, texts, hashes, and what they refuse.

The types come from the calls.
"""

# pyright: basic, reportOperatorIssue=false, reportUnusedExpression=false

from fractions import Fraction

from tests.programs import Case


def show(f: Fraction) -> str:
    return f"<{f}>"


def computed(n):
    a = Fraction(1, 3)
    b = Fraction(n, 6)
    h = sum((Fraction(1, k) for k in range(1, n + 1)), Fraction(0))
    out = [
        str(x)
        for x in (
            a + b,
            a - b,
            a * b,
            a / b,
            -a,
            abs(-a),
            a**2,
            a**-2,
            a + 1,
            1 + a,
            2 * a,
            1 / a,
            a - 1,
            1 - a,
            a % b,
            Fraction(7, 2) % 2,
            b.limit_denominator(2),
        )
    ]
    nums = [
        a + 0.5,
        float(h),
        0.5 * a,
        a**0.5,
        float(Fraction(7, 2) // 2),
        float(a // b),
        float(Fraction(22, 7) ** Fraction(1, 2)),
    ]
    cmp = [
        a < b,
        a == Fraction(2, 6),
        a != b,
        a <= 0.25,
        a >= 1,
        a < 1,
        a == 0.5,
        Fraction(1, 2) == 0.5,
        Fraction(1, 2) == 0.5,
        a == "x",
        Fraction(4, 2) == 2,
        Fraction(4, 2) == 2,
    ]
    texts = [str(Fraction(t)) for t in ("3/4", " -2.5 ", "1e-3", "7", "+.5", "2.E2")]
    ints = [
        int(Fraction(7, 2)),
        int(Fraction(-7, 2)),
        round(Fraction(7, 2)),
        round(Fraction(5, 2)),
        hash(Fraction(1, 3)),
        hash(Fraction(-7, 3)),
        hash(Fraction(4, 2)),
        h.denominator,
        h.numerator,
    ]
    d = {Fraction(1, 2): "half", Fraction(1, 3): "third"}
    errs = []
    for t in ("x", "1/0", "1//2", ""):
        try:
            errs.append(repr(Fraction(t)))
        except (ValueError, ZeroDivisionError) as e:
            errs.append(f"{type(e).__name__} {e}")
    try:
        Fraction(n, n - n)
    except ZeroDivisionError as e:
        errs.append(str(e))
    try:
        a / (b - b)
    except ZeroDivisionError as e:
        errs.append(str(e))
    best = max([a, b, h], key=lambda x: x)
    return (
        out,
        nums,
        cmp,
        texts,
        ints,
        [d[k] for k in sorted(d)],
        d[Fraction(2, 4)],
        errs,
        repr(best),
        show(a),
        str(sum([a, b])),
        str(round(Fraction(22, 7), 2)),
        isinstance(a, Fraction),
        bool(Fraction(0)),
        type(a).__name__,
        [str(f) for f in sorted([b, a, h])],
        str(Fraction(0.75)),
        str(Fraction(0.1)),
        {Fraction(i, 6) for i in range(6)} == {Fraction(1, 2)},
        a.as_integer_ratio(),
    )


def overflowing(n):
    return str(sum((Fraction(1, k) for k in range(1, n + 1)), Fraction(0)))


def parts(n):
    whole = sum(Fraction(1, k) for k in range(1, n))
    return [str(Fraction(a, b)) for a in range(-2, 3) for b in (-3, 2, n)], str(whole)


CASES: list[Case] = [
    (computed, [(4,), (1,), (9,)]),
    (overflowing, [(20,)]),
    (parts, [(4,), (1,)]),
]
