"""Loops over objects: they are checked, and lowered, as loops over what their methods give.

    for x in bag: body      over@ = bag.__iter__(); more@ = True
                            while more@:
                                try: taken@ = over@.__next__()
                                except StopIteration: more@ = False; continue
                                x = taken@; body

An `__iter__` that is a generator becomes a part of the loop, as every generator does.  Objects that
have a `__getitem__` alone are read at 0, 1 and so on, until that raises IndexError.
"""

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.context import Context
from scriptc.check.desugar.dict_loops import is_view
from scriptc.check.members import find_member
from scriptc.check.present import iterated, present_items
from scriptc.check.python import ranges
from scriptc.check.python.byte_arrays import is_byte_array
from scriptc.check.scopes import plain_function
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.record import replace
from scriptc_runtime.types import ClassType, Container, OptionalType, UnionType


def is_object_loop(context: Context, node: n.Expression) -> bool:
    """Whether a loop over `node` is one over an object that has items."""
    if isinstance(node, n.Constant | n.Tuple | n.List | n.GeneratorExp):
        return False
    found = context.expression(node)
    return isinstance(found, Typed) and method_of(context, found) is not None


def method_of(context: Context, value: Typed) -> str | None:
    """Return the method that gives the items of an object."""
    if not isinstance(value.type, ClassType) or ranges.is_range(value) or is_byte_array(value.type):
        return None
    live = context.class_named(value.type.name).live
    for name in ("__iter__", "__getitem__"):
        member = find_member(live, name)
        if member is not None and plain_function(member.value):
            return name
    return None


def begun(context: Context, node: n.For) -> n.For | None:
    """Return a loop over what `__iter__` gives; None for an object that has no such method."""
    if method_of(context, context.typed(node.iter)) != "__iter__":
        return None
    known = context.learned.object_loops.get(node)
    if known is None:
        lo, hi = node.iter.lo, node.iter.hi
        begin = n.Call(lo, hi, n.Attribute(lo, hi, node.iter, "__iter__"), (), ())
        known = n.For(node.lo, node.hi, node.target, begin, node.body, node.orelse, False)
        context.learned.object_loops[node] = known
    return known


def check_present(context: Context, node: n.For) -> bool:
    """Check a loop over an object or a container, or else None, a number or the like.

    The run raises where it is one of these. Returns whether it is such a loop.
    """
    if isinstance(node.iter, n.Constant | n.Tuple | n.List | n.GeneratorExp):
        return False
    found = context.expression(node.iter)
    if not (isinstance(found, Typed) and isinstance(found.type, OptionalType | UnionType)):
        return False
    inner = replace(found, type=iterated(context, node.iter, found.type))
    is_object = method_of(context, inner) is not None or _is_generator(context, inner)
    if not (is_object or isinstance(inner.type, Container)):
        return False
    lo, hi = node.iter.lo, node.iter.hi
    over = n.Name(lo, hi, f"present@{lo}:{hi}")
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        first = n.Assign(lo, hi, (over,), node.iter)
        loop = n.For(node.lo, node.hi, node.target, over, node.body, node.orelse, node.is_async)
        expansion = Expansion((first, loop), over, frozenset({over.id}))
        context.learned.expansions[node] = expansion
    context.locals |= expansion.names
    context.assign(over, present_items(context, node.iter, found))
    context.block(expansion.body[1:])
    (context.reached() or {}).pop(over.id, None)
    context.facts.expanded[node] = expansion
    return True


def _is_generator(context: Context, value: Typed) -> bool:
    return isinstance(value.type, ClassType) and (
        context.generator_class(value.type.name) is not None
    )


def check_object_loop(context: Context, node: n.For, begin: n.Expression | None) -> None:
    """Check a loop over an object; `begin` is the call of its `__iter__`."""
    lo, hi = node.iter.lo, node.iter.hi
    place = f"@{lo}:{hi}"
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        expansion = context.learned.expansions[node] = _expansion(node, begin, place)
    for cell in ("taken", "more"):
        context.learned.cells.setdefault(cell + place, None)
    context.locals |= expansion.names
    assert context.env is not None
    for kind in (StopIteration, IndexError):
        called = f"{kind.__name__}{place}"
        context.env[called] = Fixed(Static(kind, context.span(node.iter)))
    context.block(expansion.body)
    left = context.reached() or {}
    for variable in expansion.names:
        left.pop(variable, None)
    context.facts.expanded[node] = expansion


def check_iter(context: Context, node: n.Call) -> Typed | None:
    """Check `iter(x)` of an object; None for anything else."""
    return _called(context, node, "__iter__") if len(node.args) == 1 else None


def check_next(context: Context, node: n.Call) -> Typed | None:
    """Check `next(x)` of an object; None for anything else."""
    return _called(context, node, "__next__") if len(node.args) == 1 else None


def is_iterator(context: Context, node: n.Expression) -> bool:
    """Whether `next` takes an item of an object."""
    found = context.expression(node)
    if not (isinstance(found, Typed) and isinstance(found.type, ClassType)):
        return False
    return find_member(context.class_named(found.type.name).live, "__next__") is not None


def _called(context: Context, node: n.Call, method: str) -> Typed | None:
    if is_view(context, node.args[0]):
        return None
    found = context.expression(node.args[0])
    if node.keywords or not (isinstance(found, Typed) and isinstance(found.type, ClassType)):
        return None
    if find_member(context.class_named(found.type.name).live, method) is None:
        return None
    plain = context.learned.spreads.get((node, (method,)))
    if plain is None:
        func = n.Attribute(node.lo, node.hi, node.args[0], method)
        plain = context.learned.spreads[node, (method,)] = n.Call(node.lo, node.hi, func, (), ())
    value = context.typed(plain)
    context.facts.expanded[node] = Expansion((), plain, frozenset())
    context.facts.types[node] = value.type
    return value


def _expansion(node: n.For, begin: n.Expression | None, place: str) -> Expansion:
    lo, hi = node.iter.lo, node.iter.hi

    def name(text: str) -> n.Name:
        return n.Name(lo, hi, text + place)

    def constant(value: bool | int) -> n.Constant:
        return n.Constant(lo, hi, value, None)

    over, more, item, index = (name(text) for text in ("over", "more", "taken", "index"))
    start = n.Assign(lo, hi, (over,), begin or node.iter)
    first: n.Body = (start, n.Assign(lo, hi, (more,), constant(True)))
    following: n.Expression = n.Call(lo, hi, n.Attribute(lo, hi, over, "__next__"), (), ())
    further: n.Body = ()
    kinds: n.Expression = name("StopIteration")
    if begin is None:
        first = (*first, n.Assign(lo, hi, (index,), constant(0)))
        following = n.Subscript(lo, hi, over, index)
        further = (n.AugAssign(lo, hi, index, "+", constant(1)),)
        kinds = n.Tuple(lo, hi, (name("IndexError"), kinds))
    ended = n.Assign(lo, hi, (more,), constant(False)), n.Continue(lo, hi)
    handler = n.ExceptHandler(lo, hi, kinds, None, ended)
    taken = n.Try(lo, hi, (n.Assign(lo, hi, (item,), following),), (handler,), (), (), False)
    given = n.Assign(node.target.lo, node.target.hi, (node.target,), item)
    body = (taken, *further, given, *node.body)
    loop = n.While(node.lo, node.hi, more, body, node.orelse)
    names = ("over", "more", "taken", "index", "StopIteration", "IndexError")
    return Expansion((*first, loop), over, frozenset(text + place for text in names))
