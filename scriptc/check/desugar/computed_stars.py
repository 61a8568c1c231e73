"""`*` in front of what has as many items as the run says.

[*xs, 3]         items@ = []; items@.extend(xs); items@.append(3)
(*xs, 3)         tuple(items@) of the same
f(*g(x))         star@ = g(x); f(*star@)
f(*xs)           where f takes `*args`, one tuple; else as many items as it has parameters
f(*xs, y)        where y is the argument of the last parameter that gets one
f(*xs, 1, *ys)   f(*[*xs, 1, *ys])
math.hypot(*xs)  hypot_of([*xs])
print(*xs)       print(" ".join([str(item) for item in xs]))
"""

import math
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from types import FunctionType

from scriptc.check import closures, own_classes
from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.context import Context, Value
from scriptc.check.desugar import (
    function_calls,
    iterator_values,
    starred_formats,
    starred_sets,
    stars,
)
from scriptc.check.desugar import unfit_calls as desugar_unfit_calls
from scriptc.check.desugar.called_functions import called_function, method_of_object
from scriptc.check.desugar.comprehensions import as_loops, is_lazy, is_loop_call
from scriptc.check.function_classes import functions_in
from scriptc.check.library.standard import standard_function
from scriptc.check.named_types import plain
from scriptc.check.scopes import assigned_names
from scriptc.syntax import expand
from scriptc.syntax import nodes as n
from scriptc.syntax.blocks import Rest
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.named_classes import kind_of
from scriptc_runtime.record import record
from scriptc_runtime.types import (
    BOOL,
    FLOAT,
    INT,
    STR,
    ClassType,
    Container,
    ListType,
    TupleType,
    Type,
)

# Functions of any number of arguments, and those of the library that take a list of them.
_OF_LISTS: tuple[tuple[object, str, str], ...] = (
    (math.hypot, "arithmetic", "hypot_of"),
    (math.gcd, "stars", "gcd_of"),
    (math.lcm, "stars", "lcm_of"),
    (vars(set)["union"], "stars", "union_of"),
    (vars(set)["intersection"], "stars", "intersection_of"),
)


def check(context: Context, node: stars.Spread, expected: Type | None) -> Value:
    """Check a call or a display with `*` or `**`."""
    if isinstance(node, n.Call) and (made := own_classes.check_made(context, node)):
        return made
    items = node.args if isinstance(node, n.Call) else node.elts
    found = [item for item in items if isinstance(item, n.Starred)]
    computed = [star for star in found if _is_computed(star)]
    if computed and not isinstance(node, n.List):
        return as_loops(context, node, lambda: _hoisted(context, node, computed), expected)
    lengths = [star for star in found if star in computed or is_long(context, star)]
    if not lengths:
        return _unfit(context, node) or stars.check(context, node, expected)
    if isinstance(node, n.List):
        return as_loops(context, node, lambda: _listed(node), expected)
    if isinstance(node, n.Tuple):
        made = builtin_name(context, node, tuple)
        return as_loops(context, node, lambda: _tupled(node, made))
    return _called(context, node, lengths, expected)


def _unfit(context: Context, node: stars.Spread) -> Value | None:
    """Check `f(*args)` of functions some of which do not take so many; None for any other call."""
    if not isinstance(node, n.Call) or (context.constructs and not isinstance(node.func, n.Name)):
        return None  # of the object that is made, all is a variable
    callee = context.callee(node)
    if not isinstance(callee, Typed):
        return None
    values = functions_in(callee.type, context.function_called)
    return (
        function_calls.check_choice(context, node, values)
        if desugar_unfit_calls.unfit_calls(context, node, values)
        else None
    )


def spread_display(context: Context, node: n.List | n.Tuple) -> n.Expression:
    """Return a display that is an argument without its stars, where they stand for known items."""
    found = [item for item in node.elts if isinstance(item, n.Starred)]
    if not any(_is_computed(star) or is_long(context, star) for star in found):
        return stars.without_stars(context, node)
    if isinstance(node, n.List):
        return node
    # No display of a tuple, of which functions take the items one by one.
    made = builtin_name(context, node, tuple)
    kept, key = context.learned.spreads, (node, ("tuple",))
    listed = n.List(node.lo, node.hi, node.elts)
    return kept.setdefault(key, n.Call(node.lo, node.hi, made, (listed,), ()))


def _is_computed(star: n.Starred) -> bool:
    """Whether what stands behind a `*` is neither a display nor a variable or a part of one."""
    base = star.value
    if isinstance(base, n.Tuple | n.List):
        return stars.has_star(base)
    while isinstance(base, n.Attribute) or stars.is_part(base):
        base = base.value
    return not isinstance(base, n.Name)


def is_long(context: Context, star: n.Starred) -> bool:
    """Whether it is not known how many items a variable, or a part of one, stands for."""
    if isinstance(star.value, n.Tuple | n.List):
        return False
    if is_lazy(context, star.value):
        return True
    found = context.expression(star.value)
    if not isinstance(found, Typed):
        return False
    type_ = plain(found).type
    return not isinstance(type_, TupleType)


def _hoisted(context: Context, node: stars.Spread, computed: Sequence[n.Starred]) -> Expansion:
    """Return a call or display of variables, which get what is computed for it in its order."""
    items = node.args if isinstance(node, n.Call) else node.elts
    last = max(items.index(star) for star in computed)
    body: list[n.Statement] = []
    every: list[n.Expression] = []
    names: set[str] = set()
    for place, item in enumerate(items):
        value = item.value if isinstance(item, n.Starred) else item
        stays = item not in computed and (expand.is_simple(value) or _is_written(item))
        if place > last or stays:
            every.append(item)
            continue
        name = n.Name(item.lo, item.hi, f"star@{item.lo}:{item.hi}")
        names.add(name.id)
        is_loop = is_lazy(context, value) or (
            isinstance(value, n.Call) and is_loop_call(context, value)
        )
        if is_loop or (isinstance(item, n.Starred) and not _is_computed(item)):
            value = n.List(item.lo, item.hi, (n.Starred(item.lo, item.hi, value),))
        body.append(n.Assign(item.lo, item.hi, (name,), value))
        star = n.Starred(item.lo, item.hi, name)
        every.append(star if isinstance(item, n.Starred) else name)
    whole = _with(node, every)
    return Expansion(tuple(body), whole, frozenset(names))


def _is_written(item: n.Expression) -> bool:
    """Whether it is no matter when an argument is computed: a function, or a variable's items."""
    return isinstance(item, n.Lambda | n.Starred)


def _with(node: stars.Spread, items: Sequence[n.Expression]) -> stars.Spread:
    if isinstance(node, n.Call):
        return n.Call(node.lo, node.hi, node.func, tuple(items), node.keywords)
    return type(node)(node.lo, node.hi, tuple(items))


# ----------------------------------------------------------------------------------------- displays


def _listed(
    node: n.Expression,
    each: Callable[[n.Expression], n.Expression] | None = None,
    elts: Sequence[n.Expression] | None = None,
) -> Expansion:
    """Return the list of what stands in a display or call; `each` makes an item of an item."""
    if elts is None:
        assert isinstance(node, n.List | n.Tuple)
        elts = node.elts
    total = n.Name(node.lo, node.hi, f"items@{node.lo}:{node.hi}")
    names = {total.id}
    body: list[n.Statement] = [n.Assign(node.lo, node.hi, (total,), n.List(node.lo, node.hi, ()))]
    for elt in elts:
        if not isinstance(elt, n.Starred):
            body.append(_added(total, each(elt) if each else elt))
            continue
        item = n.Name(elt.lo, elt.hi, f"item@{elt.lo}:{elt.hi}")
        names.add(item.id)
        adding = _added(total, each(item) if each else item)
        source = elt.value
        body.append(n.For(source.lo, source.hi, item, source, (adding,), (), False))
    return Expansion(tuple(body), total, frozenset(names))


def _added(total: n.Name, item: n.Expression) -> n.Statement:
    append = n.Attribute(item.lo, item.hi, total, "append")
    return n.Expr(item.lo, item.hi, n.Call(item.lo, item.hi, append, (item,), ()))


def _tupled(node: n.Expression, tuple_: n.Name) -> Expansion:
    made = _listed(node)
    whole = n.Call(node.lo, node.hi, tuple_, (made.value,), ())
    return Expansion(made.body, whole, made.names)


def builtin_name(context: Context, node: n.Node, live: type | FunctionType | object) -> n.Name:
    """Return a name that stands for a function from here on."""
    name = f"{getattr(live, '__name__', 'function')}@star"
    context.locals |= {name}
    assert context.env is not None
    context.env[name] = Fixed(Static(live, context.span(node)))
    return n.Name(node.lo, node.hi, name)


# -------------------------------------------------------------------------------------------- calls


def _called(
    context: Context, node: n.Call, long: Sequence[n.Starred], expected: Type | None
) -> Value:
    """Check a call with variables of any length behind stars."""
    callee = method_of_object(context, node.func) or context.callee(node)
    for live in (print, tuple, max, min, str, len):
        builtin_name(context, node, live)
    values = functions_in(callee.type, context.function_called) if isinstance(callee, Typed) else ()
    if len(values) > 1 or (values and not isinstance(values[0].target, closures.Closure)):
        return function_calls.check_choice(
            context, node, values
        )  # of which each has its own parameters
    if values:
        callee = Static(values[0].target, context.span(node.func))
    found: Value | None = None
    if isinstance(callee, Static):
        found = _of_library(context, node, callee, long, expected)
        found = found or _of_function(context, node, callee, long, expected)
    return found or stars.check(context, node, expected)


def _of_library(
    context: Context,
    node: n.Call,
    callee: Static,
    long: Sequence[n.Starred],
    expected: Type | None,
) -> Value | None:
    """Check a call of a function of Python's library that takes a list, too; None of others."""
    single = long[0].value if len(node.args) == 1 else None
    if callee.value is zip and single is not None:
        return iterator_values.check_value(context, node, zip) or stars.check(
            context, node, expected
        )
    if (found := starred_sets.check_method(context, node)) is not None:
        return found
    if len(long) == 1 and (found := _formatted(context, node, callee, long[0], expected)):
        return found
    if callee.value is print:
        return as_loops(context, node, lambda: _printed(context, node))
    if callee.value is max or callee.value is min:
        return _extreme(context, node, single)
    taking = _taking_list(node, callee)
    if taking is None:
        return None
    taken = builtin_name(context, node, taking)
    return rewritten(context, node, "list", lambda: _with_list(node, taken), expected)


def _formatted(
    context: Context, node: n.Call, callee: Static, star: n.Starred, expected: Type | None
) -> Value | None:
    """Check `"{} {}".format(*xs)`; None for any other call."""
    whole = starred_formats.filled(context, node, callee, star)
    if whole is None:
        return None
    if _has_other_items(context, star.value):
        return as_loops(context, node, lambda: _hoisted(context, node, (star,)), expected)
    builtin_name(context, node, standard_function("stars", "replacement"))
    return rewritten(context, node, "format", lambda: whole, expected)


def rewritten(
    context: Context,
    node: n.Call,
    key: object,
    make: Callable[[], n.Expression],
    expected: Type | None = None,
) -> Value:
    """Check a call as another expression, which is one node for all passes."""
    whole = context.learned.spreads.get((node, ("computed", key)))
    if whole is None:
        whole = context.learned.spreads[node, ("computed", key)] = make()
    value = context.expression(whole, expected)
    if isinstance(value, Typed):
        context.facts.expanded[node] = Expansion((), whole, frozenset())
        context.facts.types[node] = value.type
    return value


def _printed(context: Context, node: n.Call) -> Expansion:
    """Return `print(*xs, sep=s, end=e)` as the print of one text."""
    lo, hi = node.lo, node.hi
    text = n.Name(lo, hi, "str@star")
    made = _listed(node, lambda item: n.Call(item.lo, item.hi, text, (item,), ()), node.args)
    sep = next((k.value for k in node.keywords if k.arg == "sep"), n.Constant(lo, hi, " ", None))
    rest = tuple(k for k in node.keywords if k.arg != "sep")
    if isinstance(sep, n.Constant) and sep.value is None:
        sep = n.Constant(lo, hi, " ", None)
    joined = n.Call(lo, hi, n.Attribute(lo, hi, sep, "join"), (made.value,), ())
    whole = n.Call(lo, hi, n.Name(lo, hi, "print@star"), (joined,), rest)
    return Expansion(made.body, whole, made.names)


def _taking_list(node: n.Call, callee: Static) -> FunctionType | None:
    """Return the function of the library that takes the arguments of a call in a list."""
    if node.keywords or callee.receiver:
        return None
    found = ((file, name) for live, file, name in _OF_LISTS if callee.value == live)
    return next((standard_function(file, name) for file, name in found), None)


def _with_list(node: n.Call, taking: n.Name) -> n.Expression:
    """Return a call with one list of all arguments."""
    return n.Call(node.lo, node.hi, taking, (n.List(node.lo, node.hi, node.args),), ())


def _extreme(context: Context, node: n.Call, single: n.Expression | None) -> Value:
    """Check `max(*xs)`, which is `max(xs)` where there are two items or more, or `max(*xs, 1)`."""
    kept = context.learned.spreads
    whole = n.List(node.lo, node.hi, node.args)
    items = single or kept.setdefault((node, ("several",)), whole)
    value = context.typed(items)
    context.require_items(items, value)
    item = value.type.item if isinstance(value.type, ListType) else None
    if item not in (INT, FLOAT, BOOL, STR) or any(k.arg != "key" for k in node.keywords):
        context.fail(
            "starred",
            f"{node.func.id if isinstance(node.func, n.Name) else 'max'}(*xs) of {value.type}",
            node,
            why="of one item it would be that of the items of it",
            instead="max(xs)",
        )
    name = node.func.id if isinstance(node.func, n.Name) else "max"

    def make() -> n.Expression:
        lo, hi = node.lo, node.hi
        checked = n.Name(lo, hi, "several@star")
        kind = n.Constant(lo, hi, name, None)
        whole = n.Call(lo, hi, checked, (items, kind, n.Constant(lo, hi, str(item), None)), ())
        return n.Call(lo, hi, node.func, (whole,), node.keywords)

    builtin_name(context, node, standard_function("stars", "several"))
    return rewritten(context, node, "extreme", make)


def _of_function(
    context: Context,
    node: n.Call,
    callee: Static,
    long: Sequence[n.Starred],
    expected: Type | None,
) -> Value | None:
    """Check a call of a function or class of the program; None of others."""
    told = _parameters(context, node, callee)
    if told is None:
        return None
    place = node.args.index(long[0])
    given = {keyword.arg for keyword in node.keywords}
    needed = [name for name in told.names[place:] if name not in given]
    is_first = not any(isinstance(item, n.Starred) for item in node.args[:place])
    if is_first and told.is_starred and not needed:
        count = len(told.names)
        return rewritten(context, node, "rest", lambda: _with_rest(node, count), expected)
    if not is_first or any(isinstance(item, n.Starred) for item in node.args[place + 1 :]):
        return as_loops(context, node, lambda: _one_star(context, node, long))
    source, after = long[0].value, node.args[place + 1 :]
    # Where nothing may be left, Python computes the rest of the call before it counts.
    is_early = len(needed) <= len(after) and not _may_be_counted(node, given, told, 0)
    if is_early or is_lazy(context, source) or not _may_follow(after, needed, told):
        return None
    if _has_other_items(context, source):
        return as_loops(context, node, lambda: _hoisted(context, node, long[:1]), expected)
    return _of_items(context, _Star(node, source, node.args[:place], after), told, needed, expected)


def _of_items(
    context: Context,
    star: "_Star",
    told: "_Told",
    needed: Sequence[str],
    expected: Type | None,
) -> Value | None:
    """Check a call with the items of a list for the parameters `needed`, and for those behind."""
    node = star.call
    given = {keyword.arg for keyword in node.keywords}
    least = sum(name not in told.defaults for name in needed)
    counts = least < len(needed)
    if counts and not _may_be_counted(node, given, told, len(needed) - least):
        return None
    for name in ("argument_place", "argument_count", "require_none"):
        builtin_name(context, node, standard_function("stars", name))

    def make() -> n.Expression:
        if len(needed) == len(star.after):
            return _without_items(star, told)
        if counts:
            return _by_count(star, needed, told, max(least, len(star.after)))
        return _with_items(star, needed, told)

    return rewritten(context, node, tuple(needed), make, expected)


def _one_star(context: Context, node: n.Call, long: Sequence[n.Starred]) -> Expansion:
    """Return a call with one star for what stands from the first of several to the last one."""
    first, last = (node.args.index(star) for star in (long[0], long[-1]))
    if not all(map(expand.is_simple, node.args[last + 1 :])):
        last = len(node.args) - 1
    between = node.args[first : last + 1]
    lo, hi = between[0].lo, between[-1].hi
    body: list[n.Statement] = []

    def named(part: n.Expression, place: int) -> n.Name:
        name = n.Name(part.lo, part.hi, f"star@{part.lo}:{part.hi}:{place}")
        body.append(n.Assign(part.lo, part.hi, (name,), part))
        return name

    items: list[n.Expression] = []
    for item in node.args[:first]:
        parts = stars.known_items(context, item)
        items += [p if expand.is_simple(p) else named(p, place) for place, p in enumerate(parts)]
    joined = named(n.List(lo, hi, between), 0)
    items += [n.Starred(lo, hi, joined), *node.args[last + 1 :]]
    return Expansion(tuple(body), _with(node, items), assigned_names(body))


def _has_other_items(context: Context, source: n.Expression) -> bool:
    """Whether what a loop over it gives need not be what an index does."""
    found = None if is_lazy(context, source) else context.expression(source)
    return isinstance(found, Typed) and isinstance(plain(found).type, Container | ClassType)


@record(eq=False)
class _Star:
    """A call with one `*` in front of `source`, and the arguments before and after that."""

    call: n.Call
    source: n.Expression
    before: Sequence[n.Expression]
    after: Sequence[n.Expression]

    @property
    def count(self) -> n.Expression:
        """How many arguments the items and those after them are."""
        lo, hi = self.call.lo, self.call.hi
        size: n.Expression = n.Call(lo, hi, n.Name(lo, hi, "len@star"), (self.source,), ())
        if not self.after:
            return size
        return n.BinOp(lo, hi, size, "+", n.Constant(lo, hi, len(self.after), None))

    def count_at_most(self, most: int) -> n.Expression:
        """Return that count, or `most` where they are more."""
        lo, hi = self.call.lo, self.call.hi
        sizes = self.count, n.Constant(lo, hi, most, None)
        return n.Call(lo, hi, n.Name(lo, hi, "min@star"), sizes, ())

    def rest(self, start: int) -> n.Starred:
        """Return the items from a place on, behind a `*`."""
        lo, hi = self.call.lo, self.call.hi
        cut = n.Slice(lo, hi, n.Constant(lo, hi, start, None), None, None)
        return n.Starred(lo, hi, n.Subscript(lo, hi, self.source, cut))

    def called(self, items: Sequence[n.Expression]) -> n.Call:
        """Return the call with some items in place of the star."""
        call = self.call
        given = (*self.before, *items, *self.after)
        return n.Call(call.lo, call.hi, call.func, given, call.keywords)


def _may_follow(after: Sequence[n.Expression], needed: Sequence[str], told: "_Told") -> bool:
    """Whether arguments behind a star are those of the last parameters, at any time the same."""
    is_known = not told.is_starred and len(after) <= len(needed)
    return not after or (is_known and all(map(expand.is_simple, after)))


def _with_rest(node: n.Call, count: int) -> n.Expression:
    """Return a call whose arguments behind the first ones are one tuple."""
    lo, hi = node.lo, node.hi
    rest = Rest(lo, hi, n.Tuple(lo, hi, node.args[count:]))
    return n.Call(lo, hi, node.func, (*node.args[:count], rest), node.keywords)


def _with_items(star: _Star, needed: Sequence[str], told: "_Told") -> n.Expression:
    """Return a call with an item of `source` for each parameter that needs one.

    f(xs[0], xs[1], *xs[2:])    where f takes more than that
    """
    lo, hi, source = star.call.lo, star.call.hi, star.source
    texts = tuple(n.Constant(lo, hi, repr(name), None) for name in needed)
    size = star.count_at_most(len(needed)) if told.is_starred else star.count
    title = n.Constant(lo, hi, told.title, None)
    given = n.Constant(lo, hi, len(star.before) + told.bound, None)
    check = n.Name(lo, hi, "argument_place@star")
    first = n.Call(lo, hi, check, (size, title, n.List(lo, hi, texts), given), ())
    last = len(needed) - len(star.after)
    rest = (n.Constant(lo, hi, number, None) for number in range(1, last))
    items: list[n.Expression] = [n.Subscript(lo, hi, source, place) for place in (first, *rest)]
    if told.is_starred:
        items.append(star.rest(len(needed)))
    return star.called(items)


def _without_items(star: _Star, told: "_Told") -> n.Expression:
    """Return a call of what takes no more arguments: there have to be no items."""
    lo, hi = star.call.lo, star.call.hi
    size = n.Call(lo, hi, n.Name(lo, hi, "len@star"), (star.source,), ())
    title = n.Constant(lo, hi, told.title, None)
    given = n.Constant(lo, hi, len(star.call.args) - 1 + told.bound, None)
    test = n.Call(lo, hi, n.Name(lo, hi, "require_none@star"), (size, title, given), ())
    return n.IfExp(lo, hi, test, *(star.called(()) for _ in range(2)))


def _may_be_counted(
    node: n.Call, given: AbstractSet[str | None], told: "_Told", choices: int
) -> bool:
    """Whether it is no matter that items are counted before the rest of a call is evaluated."""
    owner = node.func
    while isinstance(owner, n.Attribute):
        owner = owner.value
    others = (argument for argument in node.args if not isinstance(argument, n.Starred))
    parts = (owner, *others, *(keyword.value for keyword in node.keywords))
    return (
        all(map(expand.is_simple, parts))
        and choices <= _MOST_DEFAULTS
        and given.isdisjoint(told.names)
    )


def _by_count(star: _Star, needed: Sequence[str], told: "_Told", least: int) -> n.Expression:
    """Return calls with as many items of `source` as there are: the other parameters have defaults.

    f(xs[0]) if len(xs) == 1 else f(xs[0], xs[1])

    Where it takes more than that, the last one is f(xs[0], xs[1], *xs[2:]).
    """
    lo, hi = star.call.lo, star.call.hi
    size = star.count_at_most(len(needed)) if told.is_starred else star.count
    texts = tuple(n.Constant(lo, hi, repr(name), None) for name in needed)
    numbers = (len(star.before) + told.bound, least)
    given = (n.Constant(lo, hi, number, None) for number in numbers)
    title = n.Constant(lo, hi, told.title, None)
    check = n.Name(lo, hi, "argument_count@star")
    checked = n.Call(lo, hi, check, (size, title, n.List(lo, hi, texts), *given), ())

    def called(count: int) -> n.Call:
        places = (n.Constant(lo, hi, k, None) for k in range(count - len(star.after)))
        return star.called([n.Subscript(lo, hi, star.source, place) for place in places])

    every = called(len(needed))
    whole: n.Expression = every
    if told.is_starred:
        whole = star.called([*every.args[len(star.before) :], star.rest(len(needed))])
    for count in reversed(range(least, len(needed))):
        found = checked if count == least else size
        test = n.Compare(lo, hi, found, ("==",), (n.Constant(lo, hi, count, None),))
        whole = n.IfExp(lo, hi, test, called(count), whole)
    return whole


_MOST_DEFAULTS = 4


@record
class _Told:
    """The positional parameters of a function, and those that have defaults."""

    names: Sequence[str]
    is_starred: bool  # whether `*args` takes more
    title: str  # what messages call the function
    bound: int  # how many arguments the call itself does not give
    defaults: frozenset[str] = frozenset()


def _parameters(context: Context, node: n.Call, callee: Static) -> _Told | None:
    """Return the parameters; None where nothing of the program is called."""
    live = callee.value
    if isinstance(live, type) and kind_of(live) is not None:
        names: Sequence[str] = getattr(live, "_fields", ())
        if not names or getattr(live, "_field_defaults", {}):
            return None
        return _Told(names, False, f"{live.__qualname__}.__new__", 1)
    called = called_function(context, node, callee)
    if called is None:
        return None
    signature = called.signature
    names = signature.names[called.bound : signature.positional]
    defaults = frozenset(signature.defaults) & frozenset(names)
    return _Told(names, signature.starred is not None, called.title, called.bound, defaults)
