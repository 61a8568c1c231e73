"""Ints that are written down, as CPython's compiler computes them: `-2**63`, `2**64 - 1`.

Where all of a computation fits into 64 bits, it is left to the passes. Elsewhere the result alone
counts: what fits is a literal, and `np.uint64` takes what it holds.
"""

from collections.abc import Callable, Mapping

from scriptc.syntax import nodes as n
from scriptc_runtime.values import INT_MAX, INT_MIN

_MOST_BITS = 1024  # of a power or a shift: that of `10**10**10` would take all memory
_UNARY: Mapping[str, Callable[[int], int]] = {
    "-": int.__neg__,
    "+": int.__pos__,
    "~": int.__invert__,
}
_BINARY: Mapping[str, Callable[[int, int], int]] = {
    "+": int.__add__,
    "-": int.__sub__,
    "*": int.__mul__,
    "|": int.__or__,
    "&": int.__and__,
    "^": int.__xor__,
    ">>": int.__rshift__,
    "//": int.__floordiv__,
    "%": int.__mod__,
}


def written_int(node: n.Expression) -> int | None:
    """Return the value of an expression of ints that are written down; None for any other."""
    return _value(node, [])


def overflows(node: n.Expression) -> bool:
    """Whether a part of such an expression, or all of it, does not fit into 64 bits."""
    parts: list[int] = []
    return _value(node, parts) is None or any(not INT_MIN <= p <= INT_MAX for p in parts)


def _value(node: n.Expression, parts: list[int]) -> int | None:
    """Return the value of an expression, and add it and those of its parts to `parts`."""
    found: int | None = None
    match node:
        case n.Constant(value=int() as value) if not isinstance(value, bool):
            found = value
        case n.UnaryOp(op=op, operand=operand) if op in _UNARY:
            number = _value(operand, parts)
            found = None if number is None else _UNARY[op](number)
        case n.BinOp(op=op, left=left, right=right):
            # The right side first: of a long chain it is the short one.
            other = _value(right, parts)
            one = None if other is None else _value(left, parts)
            found = None if one is None or other is None else _computed(op, one, other)
        case _:
            pass
    if found is not None:
        parts.append(found)
    return found


def _computed(op: str, one: int, other: int) -> int | None:
    if op in ("**", "<<"):
        bits = one.bit_length() * other if op == "**" else one.bit_length() + other
        if other < 0 or bits > _MOST_BITS:
            return None
        return one**other if op == "**" else one << other
    if (other == 0 and op in ("//", "%")) or (other < 0 and op == ">>"):
        return None
    return _BINARY[op](one, other) if op in _BINARY else None
