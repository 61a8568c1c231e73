"""The ops that the standard library calls as functions of `scriptc_runtime.unsafe`."""

from collections.abc import Callable, Mapping

from scriptc.check import exception_arguments
from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Convert
from scriptc.check.context import Context
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, common
from scriptc.check.library.call_site import REFUSED
from scriptc.check.operators import common_dtype
from scriptc.syntax import nodes as n
from scriptc_runtime import unsafe
from scriptc_runtime.ops import (
    bigints,
    byte_strings,
    containers,
    data,
    device,
    elementary,
    generators,
    integers,
    linalg,
    list_items,
    list_parts,
    low,
    picking,
    sorting,
    texts,
)
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import FLOAT, DType, element_of


def _plain(op: OpDef) -> Callable[[LibraryCall], Typed]:
    def check(call: LibraryCall) -> Typed:
        return call.apply(op, *(call.operand(name) for name in op.operands))

    return check


def _entry(op: OpDef) -> Library:
    return Library(f"unsafe.{op.name}", op.operands, len(op.operands), _plain(op))


def of_floats(context: Context, node: n.Node, op: OpDef, *operands: Computation) -> Computation:
    """Return the result, a Python float, of an op on floats."""
    if op in elementary.LIKE_PYTHON:
        return context.apply(node, op, *operands)
    wide = (Convert(value, DType.F64) for value in operands)
    return Convert(context.apply(node, op, *wide), FLOAT)


def _of_floats(op: OpDef) -> Library:
    def check(call: LibraryCall) -> Typed:
        operands = (converted(call.operand(name), FLOAT) for name in op.operands)
        return call.result(of_floats(call.context, call.node, op, *operands))

    return Library(f"unsafe.{op.name}", op.operands, len(op.operands), check)


def _common_floats(call: LibraryCall) -> Typed:
    """Check `unsafe.common_floats(a, b)`, the pair of both in the dtype that NumPy compares."""
    pair = common([call.numeric("a"), call.numeric("b")], common_dtype)
    dtype = element_of(pair[0].type)
    if isinstance(dtype, DType) and dtype.kind not in "fc":
        pair = [converted(value, DType.F64) for value in pair]
    return call.apply(data.TUPLE, *pair)


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


def _search(name: str, *, last: bool) -> Library:
    def check(call: LibraryCall) -> Typed:
        operands = (call.operand(name) for name in texts.STR_FIND.operands)
        return call.apply(texts.STR_FIND, *operands, last=last)

    return Library(f"unsafe.{name}", texts.STR_FIND.operands, 4, check)


def _refuse(call: LibraryCall) -> Typed:
    """Refuse the call of the user whose types, or constants, have led here."""
    message, about, instead = (_text(call, name) for name in ("message", "about", "instead"))
    call.context.fail(REFUSED, message, call.node, why=about, instead=instead)


def _text(call: LibraryCall, name: str) -> str:
    known = call.typed(name).known if name in call.values else None
    return str(known.value) if known else ""


def _argument_text(call: LibraryCall) -> Typed:
    """Check `unsafe.argument_text(args, index, kind)`, whose last argument is a constant."""
    known = call.typed("kind").known
    assert known is not None
    call.drop("kind")
    args, index = call.operand("args"), call.operand("index")
    text = exception_arguments.argument_text(call.context, call.node, args, index, str(known.value))
    return call.result(text)


def _load(call: LibraryCall) -> Typed:
    return call.apply(low.LOAD, call.operand("x"), _index(call))


def _store(call: LibraryCall) -> Typed:
    return call.apply(low.STORE, call.operand("x"), call.operand("value"), _index(call))


def _atomic(call: LibraryCall) -> Typed:
    known = call.typed("kind").known
    assert known is not None
    call.drop("kind")
    x, value = call.operand("x"), converted(call.operand("value"), DType.I64)
    return call.apply(device.ATOMIC, x, value, _index(call), kind=str(known.value))


def _index(call: LibraryCall) -> Computation:
    return converted(call.operand("index"), DType.I64)


def _is_contiguous(call: LibraryCall) -> Typed:
    return call.apply(low.IS_CONTIGUOUS, call.operand("x"))


_OF_BYTES = (
    (unsafe.bytes_text, byte_strings.BYTES_TEXT),
    (unsafe.text_bytes, byte_strings.TEXT_BYTES),
    (unsafe.bytes_items, byte_strings.BYTES_ITEMS),
    (unsafe.bytes_of, byte_strings.BYTES_OF),
)
_OF_BIGINTS = (
    (unsafe.bigint_is_small, bigints.BIGINT_IS_SMALL),
    (unsafe.bigint_small, bigints.BIGINT_SMALL),
    (unsafe.bigint_limbs, bigints.BIGINT_LIMBS),
    (unsafe.bigint_negative, bigints.BIGINT_NEGATIVE),
    (unsafe.bigint_made, bigints.BIGINT_MADE),
    (unsafe.bigint_of, bigints.BIGINT_OF),
    (unsafe.bigint_gcd, bigints.BIGINT_GCD),
    (unsafe.bigint_of_float, bigints.BIGINT_OF_FLOAT),
    (unsafe.bigint_of_text, bigints.BIGINT_OF_TEXT),
    (unsafe.high_product, bigints.HIGH_PRODUCT),
)
TABLE: Mapping[object, Library] = {
    unsafe.refuse: Library("unsafe.refuse", ("message", "instead", "about"), 1, _refuse),
    unsafe.argument_text: Library(
        "unsafe.argument_text", ("args", "index", "kind"), 3, _argument_text
    ),
    unsafe.c_pow: _of_floats(elementary.C_POW),
    unsafe.c_hypot: _of_floats(elementary.HYPOT),
    unsafe.c_fmod: _of_floats(elementary.FMOD),
    unsafe.c_gamma: _of_floats(elementary.GAMMA),
    unsafe.c_lgamma: _of_floats(elementary.LGAMMA),
    unsafe.common_floats: Library("unsafe.common_floats", ("a", "b"), 2, _common_floats),
    unsafe.gcd: _entry(integers.GCD),
    unsafe.lcm: _entry(integers.LCM),
    unsafe.load: Library("unsafe.load", ("x", "index"), 2, _load),
    unsafe.store: Library("unsafe.store", ("x", "value", "index"), 3, _store),
    unsafe.atomic: Library("unsafe.atomic", ("x", "value", "index", "kind"), 4, _atomic),
    unsafe.tally: _entry(picking.TALLY),
    unsafe.on_device: _entry(device.ON_DEVICE),
    unsafe.list_size: _entry(list_items.LIST_SIZE),
    unsafe.list_capacity: _entry(list_items.LIST_CAPACITY),
    unsafe.list_reserve: _entry(list_items.LIST_RESERVE),
    unsafe.list_room: _entry(data.LIST_ROOM),
    unsafe.list_add: _entry(list_parts.LIST_ADD),
    unsafe.list_replace: _entry(list_parts.LIST_REPLACE),
    unsafe.list_fill: _entry(list_parts.LIST_FILL),
    unsafe.list_set_size: _entry(list_items.LIST_SET_SIZE),
    unsafe.list_load: _entry(list_items.LIST_LOAD),
    unsafe.list_store: _entry(list_items.LIST_STORE),
    unsafe.list_move: _entry(list_items.LIST_MOVE),
    unsafe.list_copy: _entry(list_items.LIST_COPY),
    unsafe.list_drop: _entry(list_items.LIST_DROP),
    unsafe.list_pad: _entry(list_items.LIST_PAD),
    unsafe.str_find: _search("str_find", last=False),
    unsafe.str_rfind: _search("str_rfind", last=True),
    unsafe.str_scan: _of_kind(texts.STR_SCAN),
    unsafe.str_repeat: _entry(texts.STR_REPEAT),
    unsafe.char_is: _of_kind(texts.CHAR_IS),
    unsafe.char_decimal: _entry(texts.CHAR_DECIMAL),
    unsafe.str_is_identifier: _entry(texts.STR_IS_IDENTIFIER),
    **{f: _entry(op) for f, op in (*_OF_BYTES, *_OF_BIGINTS)},
    unsafe.place: Library("unsafe.place", containers.HASH.operands, 1, _plain(containers.HASH)),
    unsafe.retain: _entry(low.RETAIN),
    unsafe.release: _entry(low.RELEASE),
    unsafe.draw_index: _entry(generators.DRAW_INDEX),
    unsafe.sort_row: _of_kind(sorting.SORT_ROW),
    unsafe.order_row: _of_kind(sorting.ORDER_ROW),
    unsafe.extreme_place: _of_kind(sorting.EXTREME_PLACE),
    unsafe.select_row: _entry(sorting.SELECT_ROW),
    unsafe.part_row: _entry(sorting.PART_ROW),
    unsafe.order_parts: _entry(sorting.ORDER_PARTS),
    unsafe.is_contiguous: Library("unsafe.is_contiguous", ("x",), 1, _is_contiguous),
    unsafe.order_statistics: _entry(sorting.ORDER_STATISTICS),
    unsafe.gufunc: Library("unsafe.gufunc", ("array",), 0, _gufunc, variadic=True),
}
