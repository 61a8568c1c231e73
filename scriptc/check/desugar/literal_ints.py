"""Ints that are written down, as CPython's compiler computes them: `-2**63`, `2**64 - 1`.

Where all of a computation fits into 64 bits, it is left to the passes. Elsewhere the result alone
counts: what fits is a literal, and `np.uint64` takes what it holds.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

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


class Written(NamedTuple):
    """An int that is written down, and whether 64 bits hold it and all parts of it."""

    value: int
    fits: bool


def written_int(node: n.Expression) -> int | None:
    """Return the value of an expression of ints that are written down; None for any other."""
    found = written_down(node)
    return None if found is None else found.value


def written_along(chain: Sequence[n.BinOp]) -> list[Written | None]:
    """Return what is written down of each operator of a chain."""
    found = written_down(chain[-1].left)
    results: list[Written | None] = []
    for node in reversed(chain):
        right = None if found is None else written_down(node.right)
        found = None if found is None or right is None else _of_both(node.op, found, right)
        results.append(found)
    return results[::-1]


def written_down(node: n.Expression) -> Written | None:
    """Return what an expression says that is made of ints written down; None for any other."""
    match node:
        case n.Constant(value=int() as value) if not isinstance(value, bool):
            return _part(value, fits=True)
        case n.UnaryOp(op=op, operand=operand) if op in _UNARY:
            inner = written_down(operand)
            return None if inner is None else _part(_UNARY[op](inner.value), inner.fits)
        case n.BinOp():
            return written_along(node.chain())[0]
        case _:
            return None


def _of_both(op: str, left: Written, right: Written) -> Written | None:
    value = _computed(op, left.value, right.value)
    return None if value is None else _part(value, left.fits and right.fits)


def _part(value: int, fits: bool) -> Written:
    return Written(value, fits and INT_MIN <= value <= INT_MAX)


def _computed(op: str, one: int, other: int) -> int | None:
    if op in ("**", "<<"):
        bits = one.bit_length() * other if op == "**" else one.bit_length() + other
        if other < 0 or bits > _MOST_BITS:
            return None
        return one**other if op == "**" else one << other
    if (other == 0 and op in ("//", "%")) or (other < 0 and op == ">>"):
        return None
    return _BINARY[op](one, other) if op in _BINARY else None
