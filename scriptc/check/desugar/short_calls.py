"""Calls that are short for other expressions.

heapq.nlargest(n, xs, key=f)      sorted(xs, key=f, reverse=True)[: max(0, n)]
copy.copy(x), copy.deepcopy(x)    x.copy() of a list or container, x of what does not change
list.remove(xs, 1)                xs.remove(1)
"""

import collections
import copy
import heapq
from collections.abc import Callable, Mapping
from types import MethodDescriptorType

import numpy as np

from scriptc.check import object_copies
from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.context import Context
from scriptc.check.desugar import deep_copies
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    ClassType,
    Container,
    DequeType,
    DictType,
    ListType,
    SetType,
    TensorType,
    TupleType,
    Type,
    is_mutable,
    parts_of,
)


def check_short(context: Context, node: n.Call, live: object) -> Typed | None:
    """Check such a call; None for any other."""
    if isinstance(live, MethodDescriptorType):
        return _of_class(context, node, live)
    if live is copy.copy or live is copy.deepcopy:
        return _copy(context, node, deep=live is copy.deepcopy)
    if live is heapq.nlargest or live is heapq.nsmallest:
        keys = [k for k in node.keywords if k.arg == "key"] or node.args[2:]
        if len(keys) == 1 and len(node.args) + len(node.keywords) == 3 and len(node.args) > 1:
            return _by_key(context, node, keys[0], largest=live is heapq.nlargest)
    return None


def _of_class(context: Context, node: n.Call, method: MethodDescriptorType) -> Typed | None:
    """Check a call of a method by its class, where the first argument is an object of this."""
    if not node.args or isinstance(node.args[0], n.Starred):
        return None
    value = context.typed(node.args[0])
    if method.__objclass__ not in _classes_of(value.type):
        return None
    owner, *others = node.args
    lo, hi = node.lo, node.hi
    bound = n.Attribute(lo, hi, owner, method.__name__)
    return _stands_for(context, node, lambda: n.Call(lo, hi, bound, tuple(others), node.keywords))


def _classes_of(type_: Type) -> tuple[type, ...]:
    """Return the classes that have the methods of values of a type, but for those of texts."""
    match type_:
        case ListType(frozen=frozen):
            return (tuple if frozen else list,)
        case SetType(frozen=frozen):
            return (frozenset if frozen else set,)
        case DictType(kind=kind):
            return (dict, getattr(collections, kind, dict))
        case _:
            return _CLASSES.get(type_) or _OF_KINDS.get(type(type_), ())


_CLASSES: Mapping[Type, tuple[type, ...]] = {
    BOOL: (int,),
    INT: (int,),
    BIGINT: (int,),
    FLOAT: (float,),
    COMPLEX: (complex,),
}
_OF_KINDS: Mapping[type, tuple[type, ...]] = {
    TupleType: (tuple,),
    DequeType: (collections.deque,),
    TensorType: (np.ndarray,),
}


def _copy(context: Context, node: n.Call, *, deep: bool) -> Typed:
    name = f"copy.{'deepcopy' if deep else 'copy'}"
    if len(node.args) != 1 or node.keywords:
        context.fail("call-arity", f"{name}() takes one value", node)
    value = context.typed(node.args[0])
    if not is_mutable(value.type):
        return _stands_for(context, node, lambda: node.args[0])
    held = isinstance(value.type, ListType | Container)
    is_object = isinstance(value.type, ClassType) and not deep
    if is_object and (found := object_copies.copied_object(context, node, value)):
        context.facts.expanded.pop(node, None)
        return found
    if deep:
        context.require_items(node, value)
    nests = deep and (not held or any(map(is_mutable, parts_of(value.type))))
    if nests and (made := deep_copies.check_deep_copy(context, node, value)):
        return made
    if not held or (deep and any(map(is_mutable, parts_of(value.type)))):
        context.fail(
            "argument",
            f"{name} of {value.type} is not built",
            node,
            instead=_way_out(value.type),
        )
    return _stands_for(
        context,
        node,
        lambda: n.Call(
            node.lo, node.hi, n.Attribute(node.lo, node.hi, node.args[0], "copy"), (), ()
        ),
    )


def _way_out(type_: Type) -> str:
    if isinstance(type_, ListType | Container):
        return "a copy of each part: [row.copy() for row in rows]"
    if isinstance(type_, ClassType):
        return "make another one of its fields, or dataclasses.replace(x)"
    return "x.copy()"


def _by_key(
    context: Context, node: n.Call, key: n.Expression | n.keyword, *, largest: bool
) -> Typed:
    lo, hi = node.lo, node.hi
    names = [f"{word}@{lo}:{hi}" for word in ("sorted", "max")]
    assert context.env is not None
    context.locals |= set(names)
    for name, function in zip(names, (sorted, max), strict=True):
        context.env[name] = Fixed(Static(function, context.span(node)))

    def made() -> n.Expression:
        count, items = node.args[:2]
        order = key if isinstance(key, n.keyword) else n.keyword(lo, hi, "key", key)
        back = n.keyword(lo, hi, "reverse", n.Constant(lo, hi, largest, None))
        ordered = n.Call(lo, hi, n.Name(lo, hi, names[0]), (items,), (order, back))
        zero = n.Constant(lo, hi, 0, None)
        end = n.Call(lo, hi, n.Name(lo, hi, names[1]), (zero, count), ())
        return n.Subscript(lo, hi, ordered, n.Slice(lo, hi, None, end, None))

    return _stands_for(context, node, made)


def _stands_for(context: Context, node: n.Call, make: Callable[[], n.Expression]) -> Typed:
    """Check the expression that a call is short for, which is made once."""
    plain = context.learned.spreads.get((node, ("short",)))
    if plain is None:
        plain = context.learned.spreads[node, ("short",)] = make()
    value = context.typed(plain)
    context.facts.expanded[node] = Expansion((), plain, frozenset())
    context.facts.types[node] = value.type
    return value
