"""Loops over what is a list, a text, a dict or a generator, as it may be: one loop for each.

    for item in node:       if node is a list of items: for item in node: ...
                            else:                       for item in node: ...   a text

What is none of these raises what CPython does where the last loop begins.
"""

from collections.abc import Sequence

from scriptc.check.conditions import MEMBER_TEST
from scriptc.check.context import Context
from scriptc.check.desugar.stars import has_star
from scriptc.check.library.standard import is_standard
from scriptc.check.members import find_member
from scriptc.check.present import ITERATES
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import (
    INT,
    TEXTS,
    ClassType,
    Container,
    ListType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)
from scriptc_runtime.unions import members_of


def check_member_loop(context: Context, node: n.For, type_: UnionType) -> bool:
    """Check a loop over what may be iterated in several ways; return whether it is one."""
    if is_standard(context.function):
        return False
    ways = [m for m in members_of(type_) if _is_iterated(context, m)]
    if len(ways) < 2:
        return False
    kept = context.learned.member_loops
    changing = context.shared | context.learned.cells.keys()
    is_variable = isinstance(node.iter, n.Name) and node.iter.id in context.locals - changing
    expansion = kept.setdefault((node, type_), _expanded(node, ways, is_variable=is_variable))
    context.locals |= expansion.names
    context.tolerates += 1
    context.block(expansion.body)
    context.tolerates -= 1
    for name in expansion.names:
        (context.env or {}).pop(name, None)
    context.facts.expanded[node] = expansion
    return True


def check_held_sources(context: Context, node: n.For) -> bool:
    """Check a loop over a call of `zip` or the like with what may be iterated in several ways.

    That gets names, so that all arguments are evaluated before it is seen what they are.
    """
    call, types = node.iter, context.facts.types
    if not isinstance(call, n.Call) or not isinstance(call.func, n.Name) or has_star(call):
        return False
    unlike = [arg for arg in call.args if isinstance(types.get(arg), UnionType)]
    if not unlike or all(isinstance(arg, n.Name) for arg in unlike):
        return False
    kept, key = context.learned.member_loops, (node, INT)
    expansion = kept.setdefault(key, _with_names(node, call))
    context.locals |= expansion.names
    context.block(expansion.body)
    for name in expansion.names:
        (context.env or {}).pop(name, None)
    context.facts.expanded[node] = expansion
    return True


def _with_names(node: n.For, call: n.Call) -> Expansion:
    """Return a loop whose source takes its arguments by names."""
    names = [n.Name(arg.lo, arg.hi, f"source{i}@{node.lo}") for i, arg in enumerate(call.args)]
    held = [
        n.Assign(arg.lo, arg.hi, (name,), arg) for name, arg in zip(names, call.args, strict=True)
    ]
    again = n.Call(call.lo, call.hi, call.func, tuple(names), call.keywords)
    loop = n.For(node.lo, node.hi, node.target, again, node.body, node.orelse, False)
    return Expansion((*held, loop), call, frozenset(name.id for name in names))


def _is_iterated(context: Context, type_: Type) -> bool:
    if isinstance(type_, ClassType):
        live = context.class_named(type_.name).live
        is_generator = context.generator_class(type_.name) is not None
        return is_generator or any(find_member(live, name) for name in ITERATES)
    if isinstance(type_, TensorType):
        return type_.rank > 0
    return isinstance(type_, ListType | TupleType | Container) or type_ in TEXTS


def _expanded(node: n.For, ways: Sequence[Type], *, is_variable: bool) -> Expansion:
    lo, hi = node.iter.lo, node.iter.hi
    name = f"iterated@{node.lo}.{node.hi}"
    if is_variable and isinstance(node.iter, n.Name):
        name = node.iter.id  # of which each loop knows what it is
    *firsts, _ = ways
    statement: n.Statement = _loop(node, name)
    for way in reversed(firsts):
        told = n.Name(lo, hi, name), n.Constant(lo, hi, str(way), None)
        test = n.Call(lo, hi, n.Name(lo, hi, MEMBER_TEST), told, ())
        statement = n.If(node.lo, node.hi, test, (_loop(node, name),), (statement,))
    if is_variable:
        return Expansion((statement,), node.iter, frozenset())
    held = n.Assign(lo, hi, (n.Name(lo, hi, name),), node.iter)
    return Expansion((held, statement), node.iter, frozenset((name,)))


def _loop(node: n.For, name: str) -> n.For:
    again = copied(node, {}, 0)
    held = n.Name(node.iter.lo, node.iter.hi, name)
    return n.For(node.lo, node.hi, again.target, held, again.body, again.orelse, False)
