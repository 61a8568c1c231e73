"""The functions of `heapq` and `bisect`: bodies of the standard library on lists."""

import bisect
import heapq
from collections.abc import Callable, Mapping, Sequence

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.context import Context
from scriptc.check.library.call import Library, LibraryCall, int_size
from scriptc.check.orders import has_order
from scriptc.check.python.lists.methods import stored_item, written
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import arrays, data
from scriptc_runtime.types import INT, ListType, TensorType


def check_changing(context: Context, node: n.Call, live: object) -> Typed | None:
    """Check a call of a function that changes the list it is given, None for any other.

    What is put into a list says what it holds, as with the method append.
    """
    found = next((row for row in _CHANGING if row[0] is live), None)
    if found is None:
        return None
    _, function, count = found
    call = LibraryCall(context, node, function)
    places = _given_places(context, node, function, count)
    call.add("list", node.args[0], context.typed(node.args[0]))
    items: list[Computation] = []
    base = written(call)
    if not isinstance(base.type, ListType) or base.type.frozen:
        call.refuse(f"a list is needed, not {base.type}", node.args[0])
    if count == 2:
        call.evaluate("value", node.args[1])
        item = stored_item(call)
        if item is None:
            # Some of these give an item back, whose type is as open as that of the list.
            raise context.not_known_yet(node)
        items.append(item)
    for name, given in places.items():
        call.evaluate(name, given)
    if function.startswith("insort"):
        size = context.apply(node, data.LIST_LEN, call.operand("list"))
        items += _place(call, "lo", Literal(0, INT)), _place(call, "hi", size)
    context.require_items(node, base)
    if not has_order(context, base.type.item):
        call.refuse(f"no order between values of {base.type.item} is built", node.args[0])
    return call.result(call.standard("heaps", function, call.operand("list"), *items))


def _given_places(
    context: Context, node: n.Call, function: str, count: int
) -> Mapping[str, n.Expression]:
    """Return the arguments `lo` and `hi`, which a list is searched between, as they are given."""
    names: Sequence[str] = ("lo", "hi") if function.startswith("insort") else ()
    most = count + len(names)
    words = {keyword.arg or "**": keyword for keyword in node.keywords}
    if not count <= len(node.args) <= most or any(word not in names for word in words):
        limits = f"{count} to {most}" if names else str(count)
        context.fail("call-arity", f"{function}() takes {limits} positional arguments here", node)
    found: dict[str, n.Expression] = dict(zip(names, node.args[count:], strict=False))
    for word, keyword in words.items():
        if word in found:
            context.fail("call-arity", f"{function}() got {word!r} twice", node)
        found[word] = keyword.value
    return found


def _bisect(function: str) -> Callable[[LibraryCall], Typed]:
    """Return the check of a search in a sorted list or array."""

    def check(call: LibraryCall) -> Typed:
        call.context.require_items(call.node, call.typed("a"))
        if not has_order(call.context, call.one_by_one("a")):
            call.refuse(f"{call.typed('a').type} has no order", call.nodes["a"])
        whole = call.operand("a")
        if isinstance(whole.type, TensorType):
            size = call.context.apply(call.node, arrays.DIM, whole, axis=0)
        else:
            size = call.context.apply(call.node, data.LIST_LEN, whole)
        places = _place(call, "lo", Literal(0, INT)), _place(call, "hi", size)
        return call.result(call.standard("heaps", function, whole, call.operand("x"), *places))

    return check


def _some(function: str) -> Library:
    """Return the entry of a function that picks some items of a list or an array by their order."""

    def check(call: LibraryCall) -> Typed:
        call.context.require_items(call.node, call.typed("iterable"))
        if not has_order(call.context, call.one_by_one("iterable")):
            call.refuse(f"{call.typed('iterable').type} has no order", call.nodes["iterable"])
        count = int_size(call, call.operand("n"), call.nodes["n"])
        return call.result(call.standard("heaps", function, count, call.operand("iterable")))

    return Library(f"heapq.{function}", ("n", "iterable"), 2, check, consumes=True)


def _place(call: LibraryCall, name: str, default: Computation) -> Computation:
    if not call.is_given(name):
        return default
    return int_size(call, call.operand(name), call.nodes[name])


_CHANGING: Sequence[tuple[object, str, int]] = (
    (heapq.heappush, "heappush", 2),
    (heapq.heappop, "heappop", 1),
    (heapq.heapify, "heapify", 1),
    (heapq.heappushpop, "heappushpop", 2),
    (heapq.heapreplace, "heapreplace", 2),
    (bisect.insort_left, "insort_left", 2),
    (bisect.insort_right, "insort_right", 2),
)
_PLACES = ("a", "x", "lo", "hi")
TABLE: Mapping[object, Library] = {
    heapq.nlargest: _some("nlargest"),
    heapq.nsmallest: _some("nsmallest"),
    bisect.bisect_left: Library("bisect.bisect_left", _PLACES, 2, _bisect("bisect_left")),
    bisect.bisect_right: Library("bisect.bisect_right", _PLACES, 2, _bisect("bisect_right")),
}
