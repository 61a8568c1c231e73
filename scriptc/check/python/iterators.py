"""Builtin iterators and those of `itertools`: which function of `stdlib/iterators.py` each call is.

A function stands for each number of arguments, or of items in a tuple, that has code of its own.
"""

import heapq
import itertools
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import NoReturn

from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.check.library.standard import standard_function
from scriptc.check.members import find_member
from scriptc.check.python import ranges
from scriptc.check.scopes import known_as
from scriptc.syntax import nodes as n
from scriptc_runtime.record import record
from scriptc_runtime.types import ClassType, ListType, TupleType

_CHOICES = "combinatorics"


@record(eq=False)
class IteratorCall:
    """A call of a function of the standard library that gives items."""

    name: str
    node: n.Call
    module: str = "iterators"

    @property
    def function(self) -> FunctionType:
        """The function that is called."""
        return standard_function(self.module, self.name)


def iterator_called(context: Context, node: n.Call, live: object) -> IteratorCall | None:
    """Return what a call of an iterator of Python is; None if it is of something else."""
    find = known_as(_TABLE, live)
    match node.args:
        case (n.Starred(value=whole),) if live is itertools.chain:
            return IteratorCall("from_iterable", _with(node, (whole,)))
        case (n.Starred(value=whole),) if live is itertools.product and not node.keywords:
            return IteratorCall("product_of_rows", _with(node, (whole,)), _CHOICES)
        case (n.Starred(value=whole),) if live is itertools.zip_longest:
            return IteratorCall("longest_rows", _with(node, (whole,)), "stars")
        case (n.Starred(value=whole),) if live is heapq.merge:
            return IteratorCall("merged", _with(node, (whole,)), "heaps")
        case _:
            pass
    if find is None or any(isinstance(argument, n.Starred) for argument in node.args):
        return None
    return find(context, node)


def _reversed(context: Context, node: n.Call) -> IteratorCall | None:
    """Return what gives the items of an object from the last one; None for a sequence."""
    if len(node.args) != 1 or isinstance(node.args[0], n.Constant | n.Tuple | n.List):
        return None
    if isinstance(node.args[0], n.Call) and not isinstance(node.args[0].func, n.Name):
        return None
    found = context.expression(node.args[0])
    if not (isinstance(found, Typed) and isinstance(found.type, ClassType)) or ranges.is_range(
        found
    ):
        return None
    for method, name in (("__reversed__", "items_of_reversed"), ("__getitem__", "reversed_items")):
        if find_member(context.class_named(found.type.name).live, method) is not None:
            return IteratorCall(name, node, "objects")
    return None


def iterator_made(context: Context, node: n.Call, live: object) -> IteratorCall | None:
    """Return what a call that gives an iterator is where that is kept; None for any other."""
    if find := known_as(_KEPT, live):
        return None if any(isinstance(a, n.Starred) for a in node.args) else find(context, node)
    return iterator_called(context, node, live)


def _plain(name: str) -> Callable[[Context, n.Call], IteratorCall]:
    return lambda context, node: IteratorCall(name, node)


def _by_count(
    names: Mapping[int, str], what: str, instead: str
) -> Callable[[Context, n.Call], IteratorCall]:
    """Return what takes a function for each number of arguments."""

    def find(context: Context, node: n.Call) -> IteratorCall:
        name = names.get(len(node.args))
        if name is None:
            _refuse(context, node, f"{what} of {len(node.args)} iterables is not built", instead)
        return IteratorCall(name, node)

    return find


def _repeat(context: Context, node: n.Call) -> IteratorCall:
    has_times = len(node.args) > 1 or any(k.arg == "times" for k in node.keywords)
    return IteratorCall("repeat_times" if has_times else "repeat", node)


def _accumulate(context: Context, node: n.Call) -> IteratorCall:
    initial = next((k.value for k in node.keywords if k.arg == "initial"), None)
    if initial is None or (isinstance(initial, n.Constant) and initial.value is None):
        return IteratorCall("accumulate", _with(node, node.args, "initial"))
    func = next((k.value for k in node.keywords if k.arg == "func"), None)
    func = node.args[1] if len(node.args) > 1 else func
    none = n.Constant(node.lo, node.hi, None, None)
    args = (*node.args[:1], func or none, initial)
    return IteratorCall("accumulate_from", _with(node, args, "func"))


def _iter(context: Context, node: n.Call) -> IteratorCall:
    return IteratorCall("called_until" if len(node.args) == 2 else "chain_1", node)


def _tee(context: Context, node: n.Call) -> IteratorCall:
    count = next((k.value for k in node.keywords if k.arg == "n"), None)
    count = node.args[1] if len(node.args) > 1 else count
    size = 2 if count is None else _known(context, count)
    if size is None or not 1 <= size <= 4:
        what = "a computed number of" if size is None else size
        _refuse(context, node, f"itertools.tee of {what} iterators is not built", "two to four")
    plain = n.Call(node.lo, node.hi, node.func, node.args[:1], ())
    return IteratorCall(f"tee_{size}", plain)


def _zip(context: Context, node: n.Call) -> IteratorCall:
    if not 1 <= len(node.args) <= 4:
        message = f"zip() of {len(node.args)} iterables that is kept is not built"
        _refuse(context, node, message, "one to four of them, or a loop over it")
    return IteratorCall(f"zipped_{len(node.args)}", node)


def _islice(context: Context, node: n.Call) -> IteratorCall:
    return IteratorCall("islice_to" if len(node.args) == 2 else "islice", node)


def _chain(context: Context, node: n.Call) -> IteratorCall:
    args = node.args
    if len(args) > 4:
        args = (*args[:3], _with(node, args[3:]))
    return IteratorCall(f"chain_{len(args)}", _with(node, args))


def _merge(context: Context, node: n.Call) -> IteratorCall:
    """Return what merges lists: of others nobody knows whether they have an end."""
    for argument in node.args:
        found = context.expression(argument)
        if not (isinstance(found, Typed) and isinstance(found.type, ListType)):
            message = "heapq.merge of what is no list is not built"
            _refuse(context, argument, message, "a list of the items: list(x)")
    # One node for all passes: what is learned of it stays known.
    made = context.learned.spreads.get((node, ("merged",)))
    if made is None:
        made = _with(node, (n.List(node.lo, node.hi, node.args),))
        context.learned.spreads[node, ("merged",)] = made
    assert isinstance(made, n.Call)
    return IteratorCall("merged", made, "heaps")


def _product(context: Context, node: n.Call) -> IteratorCall:
    count = next((k.value for k in node.keywords if k.arg == "repeat"), None)
    times = 1 if count is None else _known(context, count)
    if count is not None and len(node.args) == 1:
        if times is None or not 2 <= times <= 4:
            return IteratorCall("power_of_any", _with(node, (node.args[0], count)), _CHOICES)
        return IteratorCall(f"power_{times}", _with(node, node.args), _CHOICES)
    args = node.args * (times or 0)
    if not 1 <= len(args) <= 4 or (times != 1 and not all(map(_is_simple, node.args))):
        instead = "loops in one another, product(*rows) of a list, or product of one to four names"
        _refuse(context, node, "this product is not built", instead)
    return IteratorCall(f"product_{len(args)}", _with(node, args), _CHOICES)


def _chosen(name: str, most: int) -> Callable[[Context, n.Call], IteratorCall]:
    """Return what takes a function for each number of items that are chosen.

    Tuples of more items, or of as many as the run says, are tuples of any length.
    """

    def find(context: Context, node: n.Call) -> IteratorCall:
        size = next((k.value for k in node.keywords if k.arg == "r"), None)
        size = node.args[1] if len(node.args) > 1 else size
        if isinstance(size, n.Constant) and size.value is None:
            size = None
        count = None if size is None else _known(context, size)
        if size is None and name == "permutations" and node.args:
            whole = context.typed(node.args[0]).type
            count = len(whole.items) if isinstance(whole, TupleType) else None
        if count is not None and 1 <= count <= most:
            return IteratorCall(f"{name}_{count}", _with(node, node.args[:1]), _CHOICES)
        if size is None and name != "permutations":
            _refuse(context, node, f"{name}() takes how many items it chooses", f"{name}(xs, 2)")
        if size is None:
            return IteratorCall(f"{name}_of_all", _with(node, node.args[:1]), _CHOICES)
        return IteratorCall(f"{name}_of_any", _with(node, (*node.args[:1], size)), _CHOICES)

    return find


def _known(context: Context, size: n.Expression) -> int | None:
    """Return a number of items that is known when the program is compiled."""
    if isinstance(size, n.Constant):
        return size.value if type(size.value) is int else None
    known = context.typed(size).known
    return known.value if known and type(known.value) is int else None


def _is_simple(node: n.Expression) -> bool:
    return isinstance(node, n.Name | n.Constant)


def _with(node: n.Call, args: tuple[n.Expression, ...], *dropped: str) -> n.Call:
    keywords = tuple(k for k in node.keywords if k.arg not in (*dropped, "repeat", "r", "initial"))
    return n.Call(node.lo, node.hi, node.func, args, keywords)


def _refuse(context: Context, at: n.Node, message: str, instead: str) -> NoReturn:
    context.fail("argument", message, at, instead=instead)


_MAPS = {2: "mapped", 3: "mapped_2", 4: "mapped_3"}
_LONGEST = {2: "zip_longest", 3: "zip_longest_3"}
_TABLE: Mapping[object, Callable[[Context, n.Call], IteratorCall | None]] = {
    filter: _plain("filtered"),
    map: _by_count(_MAPS, "map()", "a comprehension: [f(a, b) for a, b in zip(xs, ys)]"),
    iter: _iter,
    itertools.accumulate: _accumulate,
    heapq.merge: _merge,
    itertools.chain: _chain,
    itertools.chain.from_iterable: _plain("from_iterable"),
    itertools.combinations: _chosen("combinations", 4),
    itertools.combinations_with_replacement: _chosen("combinations_with_replacement", 3),
    itertools.compress: _plain("compress"),
    itertools.count: _plain("count"),
    itertools.cycle: _plain("cycle"),
    itertools.dropwhile: _plain("dropwhile"),
    itertools.filterfalse: _plain("filterfalse"),
    itertools.groupby: _plain("groupby"),
    itertools.islice: _islice,
    itertools.pairwise: _plain("pairwise"),
    itertools.permutations: _chosen("permutations", 4),
    itertools.product: _product,
    itertools.repeat: _repeat,
    itertools.starmap: _plain("starmap"),
    itertools.takewhile: _plain("takewhile"),
    reversed: _reversed,
    itertools.zip_longest: _by_count(_LONGEST, "zip_longest", "a loop over the places"),
}
# Those that loops take apart by themselves, and those that give several iterators.
_KEPT: Mapping[object, Callable[[Context, n.Call], IteratorCall]] = {
    zip: _zip,
    enumerate: _plain("enumerated"),
    reversed: _plain("backwards"),
    itertools.tee: _tee,
}
