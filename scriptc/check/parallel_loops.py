"""Loops over `prange`: which variables are loop-carried, and what such a loop must not contain.

An iteration has variables of its own. What all iterations may change together is a number that each
of them makes larger (or smaller, or the minimum) without looking at it otherwise:

    total += x      total -= x      product *= x      bits &= x      total = total + x
    low = min(low, x)               high = max(high, x)
"""

import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence

from scriptc.check.bindings import OfRound
from scriptc.check.checked import Joined
from scriptc.check.context import Context
from scriptc.check.scopes import assigned_names, look_up, walk
from scriptc.syntax import nodes as n
from scriptc_runtime.types import BOOL, INT, INTEGERS, DType, Type, is_complex, is_number

# How a variable grows: the names that the attribute `grows` of a loop has.
_GROWTH: Mapping[str, str] = {
    "+": "sum", "-": "sum", "*": "prod", "&": "and", "|": "or", "^": "xor",
}  # fmt: skip
_CHOICES = {"min": builtins.min, "max": builtins.max}


def growing(context: Context, node: n.For) -> Mapping[str, str]:
    """Return how the variables grow that all iterations of a `prange` change.

    Raises TypeCheckError where an iteration would end the loop or the function.
    """
    _refuse_leaving(context, node.body, False)
    if context.shared:
        name = min(context.shared).partition("@")[2] or min(context.shared)
        context.fail(
            "prange-variable",
            f"iterations of a prange cannot share {name!r}, which nested functions write to",
            node.target,
            why="they run at the same time",
            instead="a loop over range, or let each one write elements of its own",
        )
    found: dict[str, str] = {}
    assert context.env is not None
    for name in sorted(assigned_names(node.body)):
        binding = context.env.get(name)
        if binding is None or isinstance(binding, OfRound):
            continue
        kind = _growth(context, node.body, name)
        if kind:
            found[name] = kind
    return found


def require_numbers(context: Context, node: n.For, grows: Mapping[str, str], types: Joined) -> None:
    """Refuse what grows unless it is a number, of a kind that can grow so."""
    for name, type_ in types.items():
        if not _can_grow(type_, grows[name]):
            context.fail(
                "prange-variable",
                f"iterations of a prange cannot grow {name!r} together: it is {type_}",
                node.target,
                why="sums, products, minima and maxima of numbers are what they make together",
                instead="let each one write elements of its own, and combine them after the loop",
            )


def _can_grow(type_: Type, kind: str) -> bool:
    if not is_number(type_):
        return False
    is_truth = type_ in (BOOL, DType.B1)
    if kind in ("and", "or", "xor"):
        return is_truth or type_ is INT or type_ in INTEGERS
    return not (is_truth or (kind in _CHOICES and is_complex(type_)))


def _growth(context: Context, body: n.Body, name: str) -> str | None:
    """Return how `name` grows where statements that make it grow are all that mention it."""
    mentions = sum(isinstance(node, n.Name) and node.id == name for node in walk(body))
    kinds: set[str] = set()
    for node in walk(body):
        match node:
            case n.AugAssign(target=n.Name(id=target), op=op) if target == name:
                kinds.add(_GROWTH.get(op, ""))
                mentions -= 1
            case n.Assign(targets=(n.Name(id=target),), value=n.Call() as call) if target == name:
                kinds.add(_choice(context, call, name))
                mentions -= 2
            case n.Assign(targets=(n.Name(id=target),), value=n.BinOp() as sum_) if target == name:
                kinds.add(_GROWTH.get(sum_.op, "") if _is_operand(sum_, name) else "")
                mentions -= 2
            case _:
                pass
    (kind,) = kinds if len(kinds) == 1 else ("",)
    return kind if kind and mentions == 0 else None


def _is_operand(node: n.BinOp, name: str) -> bool:
    """Whether `name` is a side of a sum or the like; of a difference, the left side."""
    sides = (node.left,) if node.op == "-" else (node.left, node.right)
    return any(isinstance(side, n.Name) and side.id == name for side in sides)


def _choice(context: Context, call: n.Call, name: str) -> str:
    """Return `min` or `max` for a call of it that takes `name` first."""
    match call:
        case n.Call(func=n.Name(id=function), args=(n.Name(id=first), _), keywords=()):
            found = look_up(context.function, function)
            known = found is not None and found.value is _CHOICES.get(function)
            return function if known and first == name else ""
        case _:
            return ""


def _refuse_leaving(context: Context, body: Iterable[n.Node], in_loop: bool) -> None:
    for node, what in _leaving(body, in_loop):
        context.fail(
            "prange-leaves",
            f"{what} in a prange",
            node,
            why="its iterations run in any order, several at once, so none can be the last one",
            instead="use range, or keep in an array what each iteration has found",
        )


def _leaving(body: Iterable[n.Node], in_loop: bool) -> Iterator[tuple[n.Node, str]]:
    waiting = [(node, in_loop) for node in body][::-1]
    while waiting:
        node, in_loop = waiting.pop()
        inside: Sequence[tuple[n.Node, bool]] = ()
        match node:
            case n.Return():
                yield node, "return"
            case n.Break() if not in_loop:
                yield node, "break"
            case n.For(body=inner, orelse=orelse) | n.While(body=inner, orelse=orelse):
                inside = [(s, True) for s in inner] + [(s, in_loop) for s in orelse]
            case n.Statement() | n.ExceptHandler():
                inside = [(child, in_loop) for child in n.children(node)]
            case _:
                pass
        waiting += reversed(inside)
