"""Comprehensions: they are checked, and lowered, as the loops that they are short for.

A list comprehension gives a list. A generator expression stands for no value; the functions that
take its items one by one are checked here.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.checked import Facts
from scriptc.check.context import Context, UnknownTypeError
from scriptc.check.desugar import (
    dict_loops,
    generator_loops,
    known_ranges,
    loop_starts,
    object_loops,
    outside_counts,
    sorted_items,
    starred_zips,
)
from scriptc.check.desugar.literal_ints import written_int
from scriptc.check.desugar.stars import has_star
from scriptc.check.ends_here import end_of_loops
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.library.standard import is_standard
from scriptc.check.members import find_member
from scriptc.check.open_types import is_open
from scriptc.check.python import ranges
from scriptc.check.python.byte_arrays import is_byte_array
from scriptc.check.scopes import known_as, plain_function, walk
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied
from scriptc.syntax.expand import (
    added,
    collected,
    decided,
    each_of,
    first_of,
    gathered,
    is_simple,
    items_of,
    keyed,
    listed,
    next_of,
    repeated,
    summed,
    unpacked,
)
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BOOL,
    BYTES,
    STR,
    ClassType,
    Container,
    TensorType,
    TupleType,
    Type,
)


def check_list(context: Context, node: n.ListComp, expected: Type | None) -> Typed:
    """Check a list comprehension."""
    return as_loops(context, node, lambda: collected(node), expected)


def check_statement(context: Context, node: n.ListComp | n.Call) -> bool:
    """Check a list that a statement drops, `[print(x) for x in xs]`; whether it is such a list."""
    if isinstance(node, n.ListComp):
        as_loops(context, node, lambda: repeated(node), None)
        return True
    if not (isinstance(node.func, n.Name) and len(node.args) == 1 and not node.keywords):
        return False
    (taken,) = node.args
    callee = context.callee(node) if isinstance(taken, n.Call) else None
    if not isinstance(callee, Static) or callee.value is not list:
        return False
    made = context.expression(taken.func) if isinstance(taken, n.Call) else None
    if not isinstance(made, Static) or made.value is not map:
        return False
    as_loops(context, node, lambda: repeated(each_of(taken)), None)
    return True


def check_set(context: Context, node: n.SetComp, expected: Type | None) -> Typed:
    """Check a set comprehension."""
    return as_loops(context, node, lambda: gathered(node), expected)


def check_dict(context: Context, node: n.DictComp, expected: Type | None) -> Typed:
    """Check a dict comprehension."""
    return as_loops(context, node, lambda: keyed(node), expected)


def check_unpacked(context: Context, node: n.Assign, items: n.GeneratorExp) -> bool:
    """Check `a, b = (elt for x in (p, q))`; whether it is such an assignment.

    How many items there are is known of what is written in place, of a tuple and of a range with
    constant bounds.  Others are left to be refused: CPython asks for one item more than it binds.
    """
    (target, *others), (generator, *inner) = node.targets, items.generators
    if others or inner or generator.ifs or not isinstance(target, n.Tuple):
        return False
    sources = _sources(context, generator.iter)
    if sources is None:
        return False
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        expansion = context.learned.expansions[node] = unpacked(target, items, sources)
    context.locals |= expansion.names
    context.block(expansion.body)
    left = context.reached() or {}
    for name in expansion.names:
        left.pop(name, None)
    context.facts.expanded[node] = expansion
    return True


def _sources(context: Context, node: n.Expression) -> Sequence[n.Expression] | None:
    """Return an expression for each item, where it is known how many there are."""
    match node:
        case n.Tuple(elts=elts) | n.List(elts=elts):
            return None if has_star(node) else elts
        case n.Name():
            value = context.typed(node)
            if not isinstance(value.type, TupleType):
                return None
            places = [n.Constant(node.lo, node.hi, i, None) for i in range(len(value.type.items))]
            return [n.Subscript(node.lo, node.hi, node, place) for place in places]
        case n.Call(func=n.Name() as func, args=args, keywords=()):
            callee = context.expression(func)
            bounds = [written_int(argument) for argument in args]
            if not (isinstance(callee, Static) and callee.value is range):
                return None
            known = [bound for bound in bounds if bound is not None]
            if len(known) < len(bounds) or not 1 <= len(known) <= 3 or known[2:] == [0]:
                return None
            numbers = range(*known)
            if numbers[_MOST_UNPACKED:]:
                return None
            return [n.Constant(node.lo, node.hi, number, None) for number in numbers]
        case _:
            return None


def check_consumer(
    context: Context, node: n.Call, callee: Static, expected: Type | None
) -> Typed | None:
    """Check a call of a builtin function that takes all items of its one argument."""
    if callee.receiver is not None:
        return None
    if (whole := known_as(_WHOLES, callee.value)) is not None:
        return whole(context, node, expected)
    first = node.args[0] if node.args else None
    consume = known_as(_CONSUMERS, callee.value)
    if consume and isinstance(first, n.Call) and _is_generator(context, first):
        first = each_of(first)
    if consume and first is not None and _has_methods(context, first):
        first = each_of(first)
    if callee.value is next and first is not None and is_lazy(context, first):
        return _next(context, node, first)
    if callee.value is next and first is not None and len(node.args) == 2:
        return _next_or(context, node, first, node.args[1])
    if callee.value is next or callee.value is iter:
        return _of_object(context, node, callee.value)
    if not isinstance(first, n.GeneratorExp):
        return None
    if consume is None or not _is_plain(node, callee.value):
        return None
    return consume(context, node, first)


def _of_object(context: Context, node: n.Call, live: object) -> Typed | None:
    """Check `next` or `iter` of what is no iterator of the library."""
    if live is iter:
        return object_loops.check_iter(context, node)
    return object_loops.check_next(context, node) or outside_counts.check_next_number(context, node)


def _is_plain(node: n.Call, live: object) -> bool:
    """Whether a call has no more arguments than items, and a start for a sum."""
    if live is sum and len(node.args) == 1:
        return [k.arg for k in node.keywords] in ([], ["start"])
    return not node.keywords and len(node.args) <= (2 if live is sum else 1)


def _listed(context: Context, node: n.Call, expected: Type | None, *, is_sorted: bool) -> Typed:
    """Check `list(...)` and `sorted(...)`: a new list of what a loop runs over."""
    name = "sorted" if is_sorted else "list"
    least, keywords = (1, node.keywords) if is_sorted else (0, ())
    if not least <= len(node.args) <= 1 or len(keywords) != len(node.keywords):
        context.fail("call-arity", f"{name}() takes one iterable", node)
    source = node.args[0] if node.args else None
    ordered = sorted_items.by_keys_alone(context, node) if is_sorted else node
    found = as_loops(context, node, lambda: listed(ordered, source, is_sorted=is_sorted), expected)
    of = context.facts.types.get(source) if source else None
    return replace(found, length=len(of.items)) if isinstance(of, TupleType) else found


def is_loop_call(context: Context, node: n.Call) -> bool:
    """Whether only a loop can take what a call gives: `range(n)`, the items of a dict."""
    if not isinstance(node.func, n.Name):
        return _is_of_dict(context, node)
    callee = context.callee(node)
    if isinstance(callee, Static) and callee.value is zip and has_star(node):
        return _is_spread(context, node)
    return isinstance(callee, Static) and any(callee.value is loop for loop in _LOOPS)


def is_listed(context: Context, value: Typed) -> bool:
    """Whether what takes all items of a value is given them as a list: not of lists and arrays."""
    if isinstance(value.type, ClassType) and not is_standard(context.function):
        return object_loops.method_of(context, value) is not None
    return isinstance(value.type, Container) or value.type is BYTES


def list_container(call: LibraryCall, name: str, *, tuples: bool = False) -> None:
    """Give a function that takes all items at once those of a container, or bytes, as a list."""
    value, node = call.values[name], call.nodes[name]
    if not isinstance(value, Typed):
        return
    if is_listed(call.context, value) or (tuples and isinstance(value.type, TupleType)):
        whole, call.values[name] = container_items(call.context, node)
        call.nodes[name] = whole
        # The items of a tuple written in place are parts themselves.
        taken = set(map(id, node.elts if isinstance(node, n.Tuple) else (node,)))
        place = next((i for i, part in enumerate(call.parts) if id(part) in taken), -1)
        others = [part for part in call.parts if id(part) not in taken]
        call.parts[:] = (
            [*others[:place], whole, *others[place:]] if place >= 0 else [*others, whole]
        )


def container_items(context: Context, node: n.Expression) -> tuple[n.Expression, Typed]:
    """Check a container as the list of its items, and return the node that stands for that."""
    kept = context.learned.index_loops.get((node, 1))
    if kept is None:
        whole = n.Call(node.lo, node.hi, node, (), ())
        kept = context.learned.index_loops[node, 1] = Expansion((), whole, frozenset())
    whole = kept.value
    again = copied(node, {}, 0)
    if isinstance(node, n.Call) and _is_of_dict(context, node):
        return whole, as_loops(context, whole, lambda: listed(whole, again, is_sorted=False))
    return whole, as_loops(context, whole, lambda: items_of(again))


def unpacked_items(context: Context, target: n.Tuple, node: n.Expression) -> Typed | None:
    """Check what only a loop can take where it is unpacked; None for anything else.

    CPython asks for one item more than there are targets, and with a `*` for all of them.
    """
    if not (is_lazy(context, node) or _takes_loop(context, node)):
        return None
    lo, hi = node.lo, node.hi
    called = f"islice@{lo}:{hi}"
    assert context.env is not None
    context.locals |= {called}
    context.env[called] = Fixed(Static(itertools.islice, context.span(node)))

    def expand() -> Expansion:
        again = copied(node, {}, 0)  # the expression itself stands for the list
        if not has_star(target):
            count = n.Constant(lo, hi, len(target.elts) + 1, None)
            again = n.Call(lo, hi, n.Name(lo, hi, called), (again, count), ())
        return listed(node, again, is_sorted=False)

    return as_loops(context, node, expand)


def _takes_loop(context: Context, node: n.Expression) -> bool:
    if isinstance(node, n.Call) and is_loop_call(context, node):
        return True
    if isinstance(node, n.Name | n.Attribute | n.Call) and object_loops.is_object_loop(
        context, node
    ):
        return True
    if not isinstance(node, n.Name | n.Attribute | n.Subscript | n.Dict | n.Set):
        return False  # a call may be short for loops of its own
    found = context.expression(node)
    return isinstance(found, Typed) and (
        isinstance(found.type, Container) or ranges.is_range(found)
    )


def items_taken(context: Context, entry: Library, node: n.Expression) -> Typed | None:
    """Check what only a loop can take, where a function takes all its items at once, as a list."""
    if entry.consumes:
        return loop_items(context, node, _LOOPS)
    return loop_items(context, node, (range,)) if entry.displays else None


def loop_items(
    context: Context, node: n.Expression, loops: Sequence[object] | None = None
) -> Typed | None:
    """Check what only a loop can take, such as `range(n)`, as the list of its items."""
    wanted = _LOOPS if loops is None else loops
    if isinstance(node, n.GeneratorExp) and wanted is _LOOPS:
        return as_loops(context, node, lambda: collected(node))
    if wanted is _LOOPS and isinstance(node, n.Call) and _is_generator(context, node):
        return as_loops(context, node, lambda: listed(node, _again(node), is_sorted=False))
    if wanted is _LOOPS and isinstance(node, n.Call) and _is_of_dict(context, node):
        return as_loops(context, node, lambda: listed(node, _again(node), is_sorted=False))
    if wanted is _LOOPS and not is_standard(context.function) and _has_methods(context, node):
        again = copied(node, {}, 0)  # the name itself stands for the list
        return as_loops(context, node, lambda: listed(node, again, is_sorted=False))
    # A name, which is quickly looked up.
    if not (isinstance(node, n.Call) and isinstance(node.func, n.Name)):
        return None
    callee = context.callee(node)
    if not (isinstance(callee, Static) and any(callee.value is loop for loop in wanted)):
        return None
    if callee.value is zip and has_star(node) and not _is_spread(context, node):
        return None
    return as_loops(context, node, lambda: listed(node, _again(node), is_sorted=False))


def _is_spread(context: Context, node: n.Call) -> bool:
    """Whether `zip(*pair)` is short for a call without `*`."""
    return starred_zips.spread(context, node) is not None


def _is_of_dict(context: Context, node: n.Call) -> bool:
    """Whether a function that takes all items is given the keys, values or items of a dict."""
    if not isinstance(node.func, n.Attribute):
        return False
    return dict_loops.is_view(context, node)


def _is_generator(context: Context, node: n.Call) -> bool:
    return generator_loops.generator_called(context, node) is not None


def _has_methods(context: Context, node: n.Expression) -> bool:
    if isinstance(node, n.Call):
        return _makes_iterable(context, node)
    if not isinstance(node, n.Name | n.Attribute):
        return False  # it would be checked twice
    if _lazy(context, node):
        return True
    found = context.expression(node)
    is_value = isinstance(found, Typed) and (ranges.is_range(found) or is_byte_array(found.type))
    return is_value or object_loops.is_object_loop(context, node)


def _makes_iterable(context: Context, node: n.Call) -> bool:
    """Whether a call makes an object that is looped over: its class tells, unlike a result."""
    if not isinstance(node.func, n.Name):
        return False
    found = context.callee(node)
    cls = found.value if isinstance(found, Static) else None
    if not isinstance(cls, type):
        return False
    member = find_member(cls, "__iter__")
    return member is not None and plain_function(member.value) is not None


def _lazy(context: Context, node: n.Expression) -> bool:
    """Whether a variable stands for a generator."""
    return generator_loops.lazy_items(context, node) is not None


def _again(node: n.Call) -> n.Call:
    # The call itself stands for the list.
    return n.Call(node.lo, node.hi, node.func, node.args, node.keywords)


def is_lazy(context: Context, node: n.Expression) -> bool:
    """Whether an expression stands for items that are taken one by one, and for no value."""
    if isinstance(node, n.Call):
        return _is_generator(context, node)
    return isinstance(node, n.GeneratorExp) or _lazy(context, node)


def _next(context: Context, node: n.Call, items: n.Expression) -> Typed:
    """Check `next(...)` of a new generator, of which nothing else is taken."""
    default = node.args[1] if len(node.args) > 1 else None
    if len(node.args) > 2 or node.keywords:
        context.fail("call-arity", "next() takes an iterator and a default", node)
    if default is not None:
        _require_simple(context, default)
    raised = f"StopIteration@{node.lo}:{node.hi}"
    assert context.env is not None
    context.locals |= {raised}
    context.env[raised] = Fixed(Static(StopIteration, context.span(node)))
    return as_loops(context, node, lambda: first_of(node, items, default, raised))


def _next_or(
    context: Context, node: n.Call, iterator: n.Expression, default: n.Expression
) -> Typed | None:
    """Check `next(x, default)` of an object; None for anything else."""
    if not object_loops.is_iterator(context, iterator):
        return None
    _require_simple(context, default)
    raised = f"StopIteration@{node.lo}:{node.hi}"
    assert context.env is not None
    context.locals |= {raised}
    context.env[raised] = Fixed(Static(StopIteration, context.span(node)))
    context.learned.cells.setdefault(f"next@{node.lo}:{node.hi}", None)
    return as_loops(context, node, lambda: next_of(node, iterator, default, raised))


def _require_simple(context: Context, default: n.Expression) -> None:
    if is_simple(default):
        return
    context.fail(
        "comprehension",
        "this default is computed before the first item",
        default,
        why="Python computes it after what the items are made from",
        instead="put it into a variable before",
    )


def _decided(context: Context, node: n.Call, items: n.GeneratorExp) -> Typed:
    kind = "any" if _callee(context, node) is any else "all"
    result = as_loops(context, node, lambda: decided(items, kind))
    assert result.type is BOOL
    return result


def _added(context: Context, node: n.Call, items: n.GeneratorExp) -> Typed:
    given = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
    start = given[0] if given else n.Constant(items.lo, items.hi, 0, None)
    if given and context.typed(start).type in (STR, BYTES):
        message, way = "sum() does not take texts, nor bytes", "''.join(...)"
        context.fail("argument", message, node, why="Python raises TypeError", instead=way)
    if node not in context.learned.array_sums:
        problems = len(context.problems)
        try:
            return as_loops(context, node, lambda: _added_to(context, items, start))
        except (UnknownTypeError, TypeCheckError):
            if not _adds_arrays(context, node):
                raise
        # Arrays are no numbers, which a sum starts with: they are listed first.
        del context.problems[problems:]
        for tried in walk(context.learned.expansions.pop(node).body):
            context.skipped.pop(tried, None)
        context.learned.array_sums.add(node)
    return as_loops(context, node, lambda: summed(node, items))


def _added_to(context: Context, items: n.GeneratorExp, start: n.Expression) -> Expansion:
    """Return the loops of a sum; what the items are made from is computed before the start."""
    if isinstance(start, n.Constant | n.Name):
        return added(items, start)
    first = items.generators[0].iter
    if not loop_starts.begins_later(context, first):
        context.fail(
            "comprehension",
            "the start of this sum is computed after what the items are made from",
            start,
            why="the __iter__ of an object runs before it",
            instead="put it into a variable before",
        )
    made: list[n.Statement] = []
    rest = generator_loops.kept(context, items, made)
    assert isinstance(rest, n.GeneratorExp)
    names = {
        t.id for s in made if isinstance(s, n.Assign) for t in s.targets if isinstance(t, n.Name)
    }
    loops = added(rest, start)
    return Expansion((*made, *loops.body), loops.value, loops.names | names)


def _adds_arrays(context: Context, node: n.Call) -> bool:
    """Whether what the loops of a sum add are arrays."""
    if node not in context.learned.expansions:
        return False
    every = list(_facts(context.facts))
    found = walk(context.learned.expansions[node].body)
    sums = [inner for inner in found if isinstance(inner, n.BinOp) and inner.lo == inner.right.lo]
    added = (facts.types.get(inner.right) for inner in sums for facts in every)
    return any(isinstance(type_, TensorType) for type_ in added)


def _facts(facts: Facts) -> Iterator[Facts]:
    """Yield what is known of a function, and of each iteration of its unrolled loops."""
    yield facts
    for iterations in facts.iterations.values():
        for inner in iterations:
            yield from _facts(inner)


def _callee(context: Context, node: n.Call) -> object:
    callee = context.callee(node)
    assert isinstance(callee, Static)
    return callee.value


def as_loops(
    context: Context,
    node: n.Expression,
    expand: Callable[[], Expansion],
    expected: Type | None = None,
) -> Typed:
    """Check the loops that an expression is short for; it has the value of their result.

    What a loop runs over is looked at several times, to see which kind of loop it is: that each
    level of such in others does not double what is checked, what was found out stays until
    something that it may depend on is another.
    """
    before = dict(context.env or {}), expected, len(context.learned.items)
    known = context.looped.get((node, context.path))
    # An unrolled loop that is checked anew has facts of its own, which lack those of its parts.
    if known is not None and known[0] == before and known[2] is context.facts:
        value = known[1]
    else:
        complaints = _complaints(context)
        names = context.locals
        value = _looped(context, node, expand, expected)
        if is_open(value.type) and len(context.learned.items) > before[2]:
            # What its loops put in says what it holds: what follows need not wait for that.
            context.locals = names
            value = _looped(context, node, expand, expected)
        after = context.env, expected, len(context.learned.items)
        if _complaints(context) == complaints and after == before:
            context.looped[node, context.path] = before, value, context.facts
    context.facts.expanded[node] = context.learned.expansions[node]
    context.facts.types[node] = value.type
    return value


def _complaints(context: Context) -> tuple[int, int, int]:
    return len(context.problems), len(context.unknown), len(context.skipped)


def _looped(
    context: Context, node: n.Expression, expand: Callable[[], Expansion], expected: Type | None
) -> Typed:
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        expansion = context.learned.expansions[node] = expand()
    context.locals |= expansion.names
    first, *rest = expansion.body
    assert isinstance(first, n.Assign)
    context.assign(first.targets[0], context.typed(first.value, expected))
    context.block(tuple(rest))
    loops = tuple(rest) if _is_empty_display(first.value) else expansion.body
    if (refusal := end_of_loops(context, node, loops)) is not None:
        raise refusal
    if context.env is None:
        raise context.hidden_result(node)  # a call in the loops waits for its own result
    value = context.typed(expansion.value)
    assert context.env is not None
    for name in expansion.names:
        context.env.pop(name, None)
    return replace(value, span=context.span(node), literals=())


def _is_empty_display(node: n.Expression) -> bool:
    match node:
        case n.List(elts=()) | n.Dict(values=()) | n.Call(args=()):
            return True
        case _:
            return False


# More of them are no targets that somebody wrote.
_MOST_UNPACKED = 256
_LOOPS: Sequence[object] = (range, zip, enumerate, reversed)
_WHOLES: Mapping[object, Callable[[Context, n.Call, Type | None], Typed | None]] = {
    list: partial(_listed, is_sorted=False),
    sorted: partial(_listed, is_sorted=True),
    tuple: known_ranges.check_tuple,
}
_CONSUMERS: Mapping[object, Callable[[Context, n.Call, n.GeneratorExp], Typed]] = {
    all: _decided,
    any: _decided,
    sum: _added,
}
