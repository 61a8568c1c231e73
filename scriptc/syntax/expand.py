"""Comprehensions, and loops over indices, as the loops that they are short for.

    [elt for x in xs if test]      list@@ = []; for x@ in xs: if test: list@@.append(elt)
    {elt for x in xs}              set@ = set(); for x@ in xs: set@.add(elt)
    {k: v for x in xs}             dict@ = {}; for x@ in xs: dict@.__setitem__(k, v)
    any(elt for x in xs)           any@ = False; for x@ in xs: if elt: any@ = True; break
    all(elt for x in xs)           all@ = True; for x@ in xs: if not elt: all@ = False; break
    sum(elt for x in xs)           sum@ = 0; for x@ in xs: sum@ = sum@ + elt
    for k in np.ndindex(n, m)      for i@ in range(n): for j@ in range(m): k = (i@, j@)
    a, b = (elt for x in (p, q))   x@0 = p; x@1 = q; a, b = elt[x@0], elt[x@1]

A comprehension has variables of its own: they are renamed, by its place in the text, so that they
neither hide nor outlive those of the function. What it runs over first is evaluated outside of it.
"""

from collections.abc import Callable, Sequence

from scriptc.syntax import nodes as n
from scriptc.syntax.copies import renamed
from scriptc.syntax.expansion import Expansion, own_names
from scriptc.syntax.leaves import leaves
from scriptc_runtime.record import replace


def collected(node: n.ListComp | n.GeneratorExp) -> Expansion:
    """Return the items of a comprehension as a list."""

    def statement(total: Callable[[], n.Name], elt: n.Expression) -> n.Statement:
        append = n.Attribute(elt.lo, elt.hi, total(), "append")
        return n.Expr(elt.lo, elt.hi, n.Call(elt.lo, elt.hi, append, (elt,), ()))

    return _expanded(node, "list", n.List(node.lo, node.hi, ()), statement)


def repeated(node: n.ListComp | n.GeneratorExp) -> Expansion:
    """Return the loops of a comprehension whose items nobody wants."""

    def statement(_: Callable[[], n.Name], elt: n.Expression) -> n.Statement:
        return n.Expr(elt.lo, elt.hi, elt)

    return _expanded(node, "none", n.Constant(node.lo, node.hi, None, None), statement)


def keyed(node: n.DictComp) -> Expansion:
    """Return the items of a dict comprehension as a dict."""

    def statement(total: Callable[[], n.Name], elt: n.Expression) -> n.Statement:
        assert isinstance(elt, n.Tuple)
        # Not `total[key] = value`, which evaluates the value first.
        put = n.Attribute(node.lo, node.hi, total(), "__setitem__")
        return n.Expr(node.lo, node.hi, n.Call(node.lo, node.hi, put, elt.elts, ()))

    pair = n.Tuple(node.lo, node.hi, (node.key, node.value))
    pairs = n.GeneratorExp(node.lo, node.hi, pair, node.generators)
    return _expanded(pairs, "dict", n.Dict(node.lo, node.hi, (), ()), statement)


def gathered(node: n.SetComp | n.GeneratorExp) -> Expansion:
    """Return the items of a comprehension as a set."""

    def statement(total: Callable[[], n.Name], elt: n.Expression) -> n.Statement:
        add = n.Attribute(elt.lo, elt.hi, total(), "add")
        return n.Expr(elt.lo, elt.hi, n.Call(elt.lo, elt.hi, add, (elt,), ()))

    items = n.GeneratorExp(node.lo, node.hi, node.elt, node.generators)
    return _expanded(items, "set", n.Set(node.lo, node.hi, ()), statement)


def listed(node: n.Expression, source: n.Expression | None, *, is_sorted: bool) -> Expansion:
    """Return the items of `source` as a list, sorted by the keywords of the call if asked."""
    place = f"@{node.lo}:{node.hi}"
    total = n.Name(node.lo, node.hi, f"list{place}")
    names = {total.id}
    body: list[n.Statement] = []
    if isinstance(source, n.GeneratorExp):
        inner = collected(source)
        assert isinstance(inner.value, n.Name)
        total, names = inner.value, {*inner.names}
        body += inner.body
    else:
        empty = n.List(node.lo, node.hi, ())
        body.append(n.Assign(node.lo, node.hi, (total,), empty))
    if source is not None and not isinstance(source, n.GeneratorExp):
        item = n.Name(source.lo, source.hi, f"item{place}")
        append = n.Attribute(source.lo, source.hi, total, "append")
        call = n.Call(source.lo, source.hi, append, (item,), ())
        adding = n.Expr(source.lo, source.hi, call)
        names.add(item.id)
        body.append(n.For(source.lo, source.hi, item, source, (adding,), (), False))
    if is_sorted:
        func = n.Attribute(node.lo, node.hi, total, "sort")
        keywords = node.keywords if isinstance(node, n.Call) else ()
        call = n.Call(node.lo, node.hi, func, (), keywords)
        body.append(n.Expr(node.lo, node.hi, call))
    return Expansion(tuple(body), total, frozenset(names))


def items_of(source: n.Expression) -> Expansion:
    """Return the items of a container as a list; it has a name, so that it is evaluated once."""
    held = n.Name(source.lo, source.hi, f"held@{source.lo}:{source.hi}")
    found = listed(source, held, is_sorted=False)
    first, *loop = found.body
    body = (first, n.Assign(source.lo, source.hi, (held,), source), *loop)
    return Expansion(body, found.value, found.names | {held.id})


def added(node: n.GeneratorExp, start: n.Expression) -> Expansion:
    """Return `start` and all items, added from the first to the last."""

    def statement(total: Callable[[], n.Name], elt: n.Expression) -> n.Statement:
        whole = n.BinOp(elt.lo, elt.hi, total(), "+", elt)
        return n.Assign(elt.lo, elt.hi, (total(),), whole)

    return _expanded(node, "sum", start, statement)


def each_of(node: n.Expression) -> n.GeneratorExp:
    """Return the generator expression of all that a generator gives."""
    item = n.Name(node.lo, node.hi, f"item@{node.lo}:{node.hi}")
    generator = n.comprehension(node.lo, node.hi, item, node, (), False)
    return n.GeneratorExp(node.lo, node.hi, item, (generator,))


def first_of(
    node: n.Call, items: n.Expression, default: n.Expression | None, raised: str
) -> Expansion:
    """Return the first item, else the default; without one `raised` names what is raised."""
    lo, hi = node.lo, node.hi
    place = f"@{lo}:{hi}"
    item, found = n.Name(lo, hi, f"item{place}"), n.Name(lo, hi, f"next{place}")
    start = n.Assign(lo, hi, (found,), default or n.Constant(lo, hi, None, None))
    taken: n.Body = (n.Break(lo, hi),)
    orelse: n.Body = (n.Raise(lo, hi, n.Name(lo, hi, raised), None),)
    if default is not None:
        taken, orelse = (n.Assign(lo, hi, (found,), item), *taken), ()
    loop = n.For(lo, hi, item, items, taken, orelse, False)
    value = item if default is None else found
    return Expansion((start, loop), value, frozenset((item.id, found.id, raised)))


def next_of(node: n.Call, iterator: n.Expression, default: n.Expression, kind: str) -> Expansion:
    """Return an item of an iterator, or the default where `kind` is raised."""
    lo, hi = node.lo, node.hi
    found = n.Name(lo, hi, f"next@{lo}:{hi}")
    start = n.Assign(lo, hi, (found,), default)
    call = n.Call(lo, hi, n.Attribute(lo, hi, iterator, "__next__"), (), ())
    ended = n.ExceptHandler(lo, hi, n.Name(lo, hi, kind), None, (n.Pass(lo, hi),))
    taken: n.Body = (n.Assign(lo, hi, (found,), call),)
    return Expansion(
        (start, n.Try(lo, hi, taken, (ended,), (), (), False)), found, frozenset((found.id, kind))
    )


def is_simple(node: n.Expression) -> bool:
    """Whether it is all the same when an expression is evaluated."""
    match node:
        case n.Name() | n.Constant():
            return True
        case n.UnaryOp(operand=n.Constant()):
            return True
        case n.Tuple(elts=elts):
            return all(map(is_simple, elts))
        case _:
            return False


def summed(node: n.Call, items: n.GeneratorExp) -> Expansion:
    """Return a call of a function of a generator expression with the list of its items instead."""
    found = collected(items)
    call = n.Call(node.lo, node.hi, node.func, (found.value, *node.args[1:]), node.keywords)
    return replace(found, value=call)


def decided(node: n.GeneratorExp, kind: str) -> Expansion:
    """Return whether any item, or whether each of them, counts as true."""
    is_any = kind == "any"

    def statement(total: Callable[[], n.Name], elt: n.Expression) -> n.Statement:
        test = elt if is_any else n.UnaryOp(elt.lo, elt.hi, "not", elt)
        found = n.Constant(elt.lo, elt.hi, is_any, None)
        done = (n.Assign(elt.lo, elt.hi, (total(),), found), n.Break(elt.lo, elt.hi))
        return n.If(elt.lo, elt.hi, test, done, ())

    start = n.Constant(node.lo, node.hi, not is_any, None)
    return _expanded(node, kind, start, statement, leaves=is_any)


def _expanded(
    node: n.ListComp | n.GeneratorExp,
    kind: str,
    start: n.Expression,
    statement: Callable[[Callable[[], n.Name], n.Expression], n.Statement],
    leaves: bool | None = None,
) -> Expansion:
    """Return the loops of a comprehension, with `statement` inside of them.

    `leaves` is the value of the result for which the loops further out are left too.
    """
    place = f"@{node.lo}:{node.hi}"
    names = {name: name + place for name in own_names(node)}
    total = f"{kind}@{place}"  # a name that no variable of the comprehension has, called list or so

    def result() -> n.Name:
        return n.Name(node.lo, node.hi, total)

    body: n.Statement = statement(result, renamed(node.elt, names))
    for number, generator in reversed(list(enumerate(node.generators))):
        for test in reversed(generator.ifs):
            body = n.If(test.lo, test.hi, renamed(test, names), (body,), ())
        inside: tuple[n.Statement, ...] = (body,)
        if leaves is not None and number < len(node.generators) - 1:
            inside = (body, _leave(result(), leaves))
        # The first one is evaluated outside, where the name may be another variable's.
        source = renamed(generator.iter, names if number else {})
        target = renamed(generator.target, names)
        body = n.For(generator.lo, generator.hi, target, source, inside, (), False)
    first = n.Assign(node.lo, node.hi, (result(),), start)
    return Expansion((first, body), result(), frozenset((total, *names.values())))


def unpacked(target: n.Tuple, node: n.GeneratorExp, items: Sequence[n.Expression]) -> Expansion:
    """Return the assignment of a generator expression over `items`, all of them computed first."""
    (generator,) = node.generators
    body: list[n.Statement] = []
    elts: list[n.Expression] = []
    every: set[str] = set()
    for number, item in enumerate(items):
        names = {name: f"{name}@{node.lo}:{node.hi}:{number}" for name in own_names(node)}
        each = renamed(generator.target, names)
        body.append(n.Assign(item.lo, item.hi, (each,), item))
        elts.append(renamed(node.elt, names))
        every.update(names.values())
    whole = n.Tuple(node.lo, node.hi, tuple(elts))
    body.append(n.Assign(target.lo, node.hi, (target,), whole))
    return Expansion(tuple(body), whole, frozenset(every))


def nested(
    node: n.For, sizes: Sequence[n.Expression], item: Callable[[n.Tuple], n.Expression], count: str
) -> Expansion:
    """Return a loop over all indices below `sizes` as loops over `count`, the last one innermost.

    A `break` leaves them all: the inner loop then skips its `else`, which goes on with the outer.
    Without axes there is one iteration.
    """
    at = node.iter
    loops = sizes or (n.Constant(at.lo, at.hi, 1, None),)
    indices = [n.Name(at.lo, at.hi, f"index{k}@{at.lo}:{at.hi}") for k in range(len(loops))]
    whole = n.Tuple(at.lo, at.hi, tuple(indices[: len(sizes)]))
    target = n.Assign(node.target.lo, node.target.hi, (node.target,), item(whole))
    body: n.Body = (target, *node.body)
    going_on, leaving = n.Continue(at.lo, at.hi), n.Break(at.lo, at.hi)
    breaks = leaves(node.body)["break"]
    for index, size in reversed(list(zip(indices, loops, strict=True))):
        outermost = index is indices[0]
        rest = node.orelse if outermost else ((going_on,) if breaks else ())
        call = n.Call(at.lo, at.hi, n.Name(at.lo, at.hi, count), (size,), ())
        loop = n.For(node.lo, node.hi, index, call, body, rest, False)
        body = (loop, leaving) if breaks and not outermost else (loop,)
    return Expansion(body, whole, frozenset(index.id for index in indices))


def _leave(result: n.Name, leaves: bool) -> n.Statement:
    test = result if leaves else n.UnaryOp(result.lo, result.hi, "not", result)
    return n.If(result.lo, result.hi, test, (n.Break(result.lo, result.hi),), ())
