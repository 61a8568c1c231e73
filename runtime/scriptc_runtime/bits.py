"""When two constants are one: not where Python's `==` says so, but bit for bit and type for type.

To Python 0.0 is -0.0, 1 is 1.0 and True, and NaN is not itself. Whoever merges constants, or keeps
something by them, compares them here; a record of constants is an `exact` one, which does.
"""

from collections.abc import Hashable
from typing import Any, cast


def bits_of(value: object) -> Hashable:
    """Return what tells a value from all others: equal bits, equal types, one constant.

    NaN counts as one value. What has no numbers in it stands for itself, beside its type.
    """
    kind = type(value)
    if kind in _PLAIN:
        return kind, cast(Hashable, value)
    match value:
        case float() | complex():
            # Python writes all bits of a number down, the signs of both zeros too.
            return kind, repr(value)
        case tuple():
            return kind, *map(bits_of, cast("tuple[object, ...]", value))
        case _ if (
            kind.__module__ == "numpy" and kind.__name__ != "ndarray" and hasattr(kind, "item")
        ):
            # A scalar of NumPy's, known by its name: this module does not load NumPy.
            number = cast(object, cast(Any, value).item())
            # A long double is no number of Python's.
            return kind, repr(number) if type(number) is kind else bits_of(number)
        case frozenset():
            return kind, frozenset(map(bits_of, cast("frozenset[object]", value)))
        case dict():
            items = cast("dict[str, object]", value)
            return kind, *((name, bits_of(items[name])) for name in sorted(items))
        case _:
            return kind, cast(Hashable, value)


def same_bits(first: object, second: object) -> bool:
    """Whether two constants are one."""
    return first is second or bits_of(first) == bits_of(second)


# What `==` compares right: most attributes are of these.
_PLAIN = frozenset({int, bool, str, type(None)})
