"""The parts of an operation that may be of several types: also what a display in it holds.

np.concatenate([self.seen, x])      where self.seen may be None
"""

from collections.abc import Iterator, Mapping, Sequence

from scriptc.check import class_tests
from scriptc.check.context import Context
from scriptc.check.desugar.stars import has_star
from scriptc.syntax import nodes as n
from scriptc_runtime.types import OptionalType, Type, UnionType


def union_in(context: Context, node: n.Expression) -> n.Expression | None:
    """Return the first part of an operation that may be of several types, if there is any."""
    types = context.facts.types
    return next((part for part in operands(context, node) if _is_union(types, part)), None)


def operands(context: Context, node: n.Expression) -> Sequence[n.Expression]:
    """Return the parts of an operation that may be of several types, in order of evaluation."""
    match node:
        case n.BinOp(op=op, left=left, right=right):
            return (left, *_opened(context, right)) if op == "%" else (left, right)
        case n.UnaryOp(op=op, operand=inner) if op != "not":
            return (inner,)
        case n.Compare(ops=(_,), left=left, comparators=(right,)):
            return left, right
        case n.Call(func=func, args=args, keywords=keywords):
            given = (*args, *(keyword.value for keyword in keywords))
            return *_called(context, func), *(p for v in given for p in _opened(context, v))
        case n.Subscript(value=value, slice=index):
            return value, *_opened(context, index)
        case n.Attribute(value=value):  # a class is no value
            return (class_tests.object_of_type(value) or value,)
        case _:
            return ()


def _called(context: Context, func: n.Expression) -> Sequence[n.Expression]:
    """Return what a call asks: `self.a`, or the `x` of `x.find()`, as a method is no value."""
    if func in context.facts.types:
        return (func,)
    return (func.value,) if isinstance(func, n.Attribute) else ()


def _opened(context: Context, part: n.Expression) -> Iterator[n.Expression]:
    """Yield the items of a display of which one may be of several types, or the part itself."""
    if isinstance(part, n.List | n.Tuple) and _holds_union(context.facts.types, part):
        for item in part.elts:
            yield from _opened(context, item)
    else:
        yield part


def _holds_union(types: Mapping[n.Node, Type], part: n.Expression) -> bool:
    if isinstance(part, n.List | n.Tuple):
        return not has_star(part) and any(_holds_union(types, item) for item in part.elts)
    return _is_union(types, part)


def _is_union(types: Mapping[n.Node, Type], part: n.Expression) -> bool:
    return isinstance(types.get(part), UnionType | OptionalType)
