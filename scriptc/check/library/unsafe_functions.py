"""The ops that the standard library calls as functions of `scriptc_runtime.unsafe`."""

from collections.abc import Callable, Mapping

from scriptc.check.bindings import Typed
from scriptc.check.library.call import Library, LibraryCall
from scriptc_runtime import unsafe
from scriptc_runtime.ops import data, generators, linalg, list_items, low, sorting
from scriptc_runtime.ops.opdef import OpDef


def _plain(op: OpDef) -> Callable[[LibraryCall], Typed]:
    def check(call: LibraryCall) -> Typed:
        return call.apply(op, *(call.operand(name) for name in op.operands))

    return check


def _entry(op: OpDef) -> Library:
    return Library(f"unsafe.{op.name}", op.operands, len(op.operands), _plain(op))


def _gufunc(call: LibraryCall) -> Typed:
    """Check `unsafe.gufunc(routine, *arrays)`, whose first argument is a constant."""
    routine, *arrays = call.values
    known = call.typed(routine).known
    if known is None or not isinstance(known.value, str):
        call.refuse("the routine must be a constant", call.nodes[routine])
    call.drop(routine)
    return call.apply(linalg.GUFUNC, *(call.operand(name) for name in arrays), routine=known.value)


def _of_kind(op: OpDef) -> Library:
    """Return the entry of an op whose last argument, a constant, says what kind it is of."""

    def check(call: LibraryCall) -> Typed:
        *rows, kind = call.values
        known = call.typed(kind).known
        if known is None or not isinstance(known.value, str):
            call.refuse("the kind must be a constant", call.nodes[kind])
        call.drop(kind)
        return call.apply(op, *(call.operand(name) for name in rows), kind=known.value)

    names = (*op.operands, "kind")
    return Library(f"unsafe.{op.name}", names, len(names), check)


TABLE: Mapping[object, Library] = {
    unsafe.list_size: _entry(list_items.LIST_SIZE),
    unsafe.list_capacity: _entry(list_items.LIST_CAPACITY),
    unsafe.list_reserve: _entry(list_items.LIST_RESERVE),
    unsafe.list_room: _entry(data.LIST_ROOM),
    unsafe.list_set_size: _entry(list_items.LIST_SET_SIZE),
    unsafe.list_load: _entry(list_items.LIST_LOAD),
    unsafe.list_store: _entry(list_items.LIST_STORE),
    unsafe.list_move: _entry(list_items.LIST_MOVE),
    unsafe.list_copy: _entry(list_items.LIST_COPY),
    unsafe.retain: _entry(low.RETAIN),
    unsafe.release: _entry(low.RELEASE),
    unsafe.draw_index: _entry(generators.DRAW_INDEX),
    unsafe.sort_row: _of_kind(sorting.SORT_ROW),
    unsafe.order_row: _of_kind(sorting.ORDER_ROW),
    unsafe.extreme_place: _of_kind(sorting.EXTREME_PLACE),
    unsafe.select_row: _entry(sorting.SELECT_ROW),
    unsafe.part_row: _entry(sorting.PART_ROW),
    unsafe.order_parts: _entry(sorting.ORDER_PARTS),
    unsafe.order_statistics: _entry(sorting.ORDER_STATISTICS),
    unsafe.gufunc: Library("unsafe.gufunc", ("array",), 0, _gufunc, variadic=True),
}
