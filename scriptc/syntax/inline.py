"""A generator function as a part of the loop that takes its items.

    def squares(n):                for x in squares(5):       n@ = 5
        for i in range(n):             print(x)               for i@ in range(n@):
            yield i * i                                           x = i@ * i@
                                                                  print(x)

What follows a `yield` is what the loop does with the item.  A `break` leaves all of it, a
`continue` what follows the `yield`, and a `return` of the generator goes to the `else` of the loop.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from scriptc.syntax import nodes as n
from scriptc.syntax.blocks import Labelled, LeaveTo
from scriptc.syntax.copies import copied
from scriptc.syntax.expansion import Expansion, own_names
from scriptc.syntax.leaves import leaves
from scriptc_runtime.record import record

# What stands in the place of a statement, given whether a loop of the same body is around it; None
# where it stays.
Rule = Callable[[n.Statement, bool], Iterable[n.Statement] | None]
# What is asked of a function again and again, as at each call of it.
_once_a_function = lru_cache(maxsize=512)
# How much a program may grow where a loop stands once for each of several yields.
_MOST_COPIED = 400


@_once_a_function
def as_generator(node: n.FunctionDef) -> n.FunctionDef:
    """Return a function whose end gives an iterator as the generator that yields from that."""
    last = node.body[-1]
    if not isinstance(last, n.Return) or not _makes_iterator(last.value):
        return node
    if sum(isinstance(inner, n.Return) for inner in _own(node.body)) > 1 or is_generator(node):
        return node
    assert last.value is not None
    end = n.Expr(last.lo, last.hi, n.YieldFrom(last.lo, last.hi, last.value))
    rest = node.decorator_list, node.returns, node.type_params, node.is_async
    return n.FunctionDef(node.lo, node.hi, node.name, node.args, (*node.body[:-1], end), *rest)


# Functions that give iterators.
MAKERS = ("enumerate", "filter", "iter", "map", "reversed", "zip")


def _makes_iterator(node: n.Expression | None) -> bool:
    match node:
        case n.GeneratorExp():
            return True
        case n.Call(func=n.Name(id=name)):
            return name in MAKERS
        case _:
            return False


@_once_a_function
def is_generator(node: n.FunctionDef) -> bool:
    """Whether a function has a `yield`."""
    return any(isinstance(inner, n.Yield | n.YieldFrom) for inner in _own(node.body))


def returns_value(node: n.FunctionDef) -> bool:
    """Whether a generator says what `yield from` it gives."""
    return any(isinstance(inner, n.Return) and inner.value for inner in _own(node.body))


def can_be_inlined(node: n.FunctionDef, loop: n.For) -> bool:
    """Whether the body of a loop can stand where a generator yields.

    It cannot inside of a `try` or a `with`, which would see what the loop raises, nor in the midst
    of an expression, nor beside `super()`, which means another class there; and many times only if
    it is small.
    """
    yields = [i for i in _own(node.body) if isinstance(i, n.Yield | n.YieldFrom)]
    placed = list(_placed_yields(node.body))
    if len(placed) < len(yields) or any(map(_stays, _own(node.body))):
        return False
    size = sum(1 for statement in loop.body for _ in _own((statement,)))
    return len(yields) == 1 or len(yields) * size <= _MOST_COPIED


def _stays(node: n.Node) -> bool:
    """Whether a node keeps the function that it is in from being a part of another one."""
    return isinstance(node, _NO_PART) or (isinstance(node, n.Name) and node.id == "super")


_NO_PART = (n.FunctionDef, n.ClassDef, n.Import, n.ImportFrom, n.Global, n.Nonlocal)


def _placed_yields(body: n.Body) -> Iterator[n.Expression]:
    """Yield each `yield` that is a statement in no `try`, `with` or `match`."""
    for statement in body:
        match statement:
            case n.Expr(value=n.Yield() | n.YieldFrom() as value):
                yield value
            case n.For(body=inner, orelse=orelse) | n.While(body=inner, orelse=orelse):
                yield from _placed_yields((*inner, *orelse))
            case n.If(body=inner, orelse=orelse):
                yield from _placed_yields((*inner, *orelse))
            case _:
                pass


def _own(nodes: Iterable[n.Node]) -> Iterator[n.Node]:
    """Yield `nodes` and all nodes inside of them that no nested function holds."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, n.FunctionDef | n.Lambda):
            waiting += n.children(node)


def inlined(
    loop: n.For,
    node: n.FunctionDef,
    names: Mapping[str, str],
    shift: int,
    lazy: Mapping[str, n.Expression],
) -> n.Body:
    """Return the body of a generator with the body of the loop in it; its parameters are bound.

    Those in `lazy` have no value: what they stand for is put where the generator loops over them.
    """
    body = tuple(copied(s, names, shift) for s in node.body)
    body = rewritten(body, lambda s, _: _with_items(s, lazy)) if lazy else body
    return _with_loop(loop, body, str(shift))


@record
class YieldPath:
    """Where the one `yield` of a generator stands; `is_last` if only `finally` follows it."""

    is_last: bool


def path_to_yield(body: n.Body) -> YieldPath | None:
    """Return where a generator yields: once, in no loop and no condition; None for others."""
    yields = [i for i in _own(body) if isinstance(i, n.Yield | n.YieldFrom)]
    if len(yields) != 1 or isinstance(yields[0], n.YieldFrom):
        return None
    is_last = True
    while True:
        place = next(i for i, s in enumerate(body) if any(x is yields[0] for x in _own((s,))))
        is_last = is_last and place == len(body) - 1
        match body[place]:
            case n.Expr(value=value) if value is yields[0]:
                return YieldPath(is_last)
            case n.Try(body=inner, orelse=orelse) if any(x is yields[0] for x in _own(inner)):
                body, is_last = inner, is_last and not orelse
            case n.With(body=inner) if any(x is yields[0] for x in _own(inner)):
                body = inner
            case _:
                return None


def in_place_of_yield(body: n.Body, target: n.Expression | None, inner: n.Body) -> n.Body:
    """Return the body of a generator with another one where it yields, the value in `target`."""

    def put(statement: n.Statement, _: bool) -> n.Body | None:
        if not (isinstance(statement, n.Expr) and isinstance(statement.value, n.Yield)):
            return None
        lo, hi = statement.lo, statement.hi
        value = statement.value.value or n.Constant(lo, hi, None, None)
        if target is None:
            return (n.Expr(lo, hi, value), *inner)
        return (n.Assign(lo, hi, (target,), value), *inner)

    return rewritten(body, put)


def method_body(
    node: n.FunctionDef, names: Mapping[str, str], shift: int, result: n.Name, *, used: bool
) -> n.Body:
    """Return the statements of a function as a part of another; `result` gets what it returns.

    It gets None where that is not `used`.
    """
    label = f"returned@{shift}"
    *before, last = (copied(statement, names, shift) for statement in node.body)

    def leave(statement: n.Statement, _: bool) -> n.Body | None:
        if not isinstance(statement, n.Return):
            return None
        return (_returned(statement, result, used), LeaveTo(statement.lo, statement.hi, label))

    body: n.Body = (*before, last)
    if isinstance(last, n.Return) and used:
        body = (*before, _returned(last, result, used))
    else:
        nothing = n.Constant(result.lo, result.hi, None, None)
        body = (n.Assign(result.lo, result.hi, (result,), nothing), *body)
    if not leaves(body)["return"]:
        return body
    return (Labelled(result.lo, result.hi, label, rewritten(body, leave)),)


def _returned(statement: n.Return, result: n.Name, used: bool) -> n.Statement:
    value = statement.value
    if value is None or (not used and isinstance(value, n.Name)):
        value = n.Constant(statement.lo, statement.hi, None, None)
    elif not used:
        return n.Expr(statement.lo, statement.hi, value)
    return n.Assign(statement.lo, statement.hi, (result,), value)


def looped_once(node: n.FunctionDef) -> frozenset[str]:
    """Return the names that a function mentions once: where a loop begins that is in no other."""
    counts: dict[str, int] = {}
    for inner in _own(node.body):
        if isinstance(inner, n.Name):
            counts[inner.id] = counts.get(inner.id, 0) + 1
    found = {name for name in _looped(node.body) if counts[name] == 1}
    # A function inside of it may mention it again.
    nested = {i.id for f in _own(node.body) if isinstance(f, _FUNCTIONS) for i in _all(f)}
    return frozenset(found - nested)


_FUNCTIONS = (n.FunctionDef, n.Lambda)


def _all(node: n.Node) -> Iterator[n.Name]:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, n.Name):
            yield node
        waiting += n.children(node)


def _looped(body: n.Body) -> Iterator[str]:
    """Yield the names that loops of statements, which are in no loop themselves, begin with."""
    for statement in body:
        match statement:
            case n.For(iter=n.Name(id=name)) | n.Expr(value=n.YieldFrom(value=n.Name(id=name))):
                yield name
            case n.If(body=inner, orelse=orelse):
                yield from _looped((*inner, *orelse))
            case n.Assign(value=n.Call(args=(n.Name(id=name),), keywords=())):
                yield name  # list(name), which takes all of them as well
            case _:
                pass


def _with_items(statement: n.Statement, lazy: Mapping[str, n.Expression]) -> n.Body | None:
    """Return a statement whose loop runs over what a parameter stands for."""
    lo, hi = statement.lo, statement.hi
    match statement:
        case n.For(iter=n.Name(id=name)) if name in lazy:
            rest = statement.body, statement.orelse, statement.is_async
            return (n.For(lo, hi, statement.target, lazy[name], *rest),)
        case n.Expr(value=n.YieldFrom(value=n.Name(id=name))) if name in lazy:
            return (n.Expr(lo, hi, n.YieldFrom(lo, hi, lazy[name])),)
        case n.Assign(targets=targets, value=n.Call(func=func, args=(n.Name(id=name),))):
            if name not in lazy:
                return None
            return (n.Assign(lo, hi, targets, n.Call(lo, hi, func, (lazy[name],), ())),)
        case _:
            return None


def loops_of(loop: n.For, node: n.GeneratorExp) -> Expansion:
    """Return a loop over a generator expression as the loops of that with the body in them."""
    place = f"{node.lo}:{node.hi}"
    names = {name: f"{name}@{place}" for name in own_names(node)}
    elt = copied(node.elt, names, 0)
    body: n.Statement = n.Expr(elt.lo, elt.hi, n.Yield(elt.lo, elt.hi, elt))
    for number, generator in reversed(list(enumerate(node.generators))):
        for test in reversed(generator.ifs):
            body = n.If(test.lo, test.hi, copied(test, names, 0), (body,), ())
        source = copied(generator.iter, names, 0) if number else generator.iter
        target = copied(generator.target, names, 0)
        body = n.For(generator.lo, generator.hi, target, source, (body,), (), False)
    return Expansion(_with_loop(loop, (body,), place), node, frozenset(names.values()))


def _with_loop(loop: n.For, body: n.Body, place: str) -> n.Body:
    left, stopped = f"left@{place}", f"stopped@{place}"
    rest = _Rest(loop, place, left)
    returns = leaves(body)["return"]
    body = rewritten(body, lambda s, _: _of_generator(s, rest, stopped))
    lo, hi = loop.lo, loop.hi
    if returns:
        body = (Labelled(lo, hi, stopped, body),)
    if leaves(loop.body)["break"]:
        return (Labelled(lo, hi, left, (*body, *loop.orelse)),)
    return (*body, *loop.orelse)


class _Rest:
    """What follows a `yield`: the body of the loop, other nodes each time."""

    def __init__(self, loop: n.For, place: str, left: str) -> None:
        self._loop = loop
        self._place = place
        self._left = left
        self._jumps = leaves(loop.body)
        self._count = 0

    def of(self, at: n.Node, value: n.Expression) -> n.Body:
        """Return what is done with an item."""
        target, body = self._next()
        return (n.Assign(at.lo, at.hi, (target,), value), *body)

    def of_all(self, at: n.Node, items: n.Expression) -> n.Statement:
        """Return what is done with each of several items."""
        target, body = self._next()
        return n.For(at.lo, at.hi, target, items, body, (), False)

    def _next(self) -> tuple[n.Expression, n.Body]:
        number, loop = self._count, self._loop
        self._count += 1
        following = f"next{number}@{self._place}"

        def jump(statement: n.Statement, in_loop: bool) -> n.Body | None:
            if in_loop or not isinstance(statement, n.Break | n.Continue):
                return None
            label = self._left if isinstance(statement, n.Break) else following
            return (LeaveTo(statement.lo, statement.hi, label),)

        body = rewritten(loop.body, jump)
        target = loop.target
        if number:
            target = copied(target, {}, 0)
            body = tuple(copied(statement, {}, 0) for statement in body)
        if self._jumps["continue"]:
            body = (Labelled(loop.lo, loop.hi, following, body),)
        return target, body


def _of_generator(statement: n.Statement, rest: _Rest, stopped: str) -> n.Body | None:
    lo, hi = statement.lo, statement.hi
    match statement:
        case n.Expr(value=n.Yield(value=value)):
            return rest.of(statement, value or n.Constant(lo, hi, None, None))
        case n.Expr(value=n.YieldFrom(value=value)):
            return (rest.of_all(statement, value),)
        case n.Return(value=value):
            said = (n.Expr(lo, hi, value),) if value else ()
            return (*said, LeaveTo(lo, hi, stopped))
        case _:
            return None


def rewritten(body: n.Body, rule: Rule, in_loop: bool = False) -> n.Body:
    """Return statements with others in the place of those that `rule` knows."""
    made: list[n.Statement] = []
    for statement in body:
        found = rule(statement, in_loop)
        made += (_inside(statement, rule, in_loop),) if found is None else found
    return tuple(made)


def _inside(node: n.Statement, rule: Rule, in_loop: bool) -> n.Statement:
    def again(body: n.Body, in_loop: bool = in_loop) -> n.Body:
        return rewritten(body, rule, in_loop)

    match node:
        case n.For():
            parts = again(node.body, True), again(node.orelse)
            return n.For(node.lo, node.hi, node.target, node.iter, *parts, node.is_async)
        case n.While():
            return n.While(node.lo, node.hi, node.test, again(node.body, True), again(node.orelse))
        case n.If():
            return n.If(node.lo, node.hi, node.test, again(node.body), again(node.orelse))
        case n.With():
            return n.With(node.lo, node.hi, node.items, again(node.body), node.is_async)
        case n.Try():
            handlers = tuple(
                n.ExceptHandler(h.lo, h.hi, h.type, h.name, again(h.body)) for h in node.handlers
            )
            ends = again(node.orelse), again(node.finalbody), node.is_star
            return n.Try(node.lo, node.hi, again(node.body), handlers, *ends)
        case n.Match():
            cases = tuple(
                n.match_case(c.lo, c.hi, c.pattern, c.guard, again(c.body)) for c in node.cases
            )
            return n.Match(node.lo, node.hi, node.subject, cases)
        case Labelled():
            return Labelled(node.lo, node.hi, node.label, again(node.body))
        case _:
            return node
