"""LLVM code for rows that are sorted or parted.

Sorting calls the functions behind np.sort and np.argsort. They take the address of a row, or of the
keys and of the indices to be put in order, and its length; the last argument, NumPy's array, is not
looked at for numbers. What stands at places of the order is found by routines of our own.
"""

from collections.abc import Mapping

from scriptc.backends.llvm.emitter.addresses import parts
from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.emitter.polling import count_iterations
from scriptc.backends.llvm.loading import numpy_routines
from scriptc.backends.llvm.support.selection import extremes, routines
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import sorting
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import TensorType

_NO_MEMORY = "Unable to allocate memory to sort in"
_NO_PLACE = "a place is out of bounds for rows of {} elements"
# An element is some iterations of a loop: it is compared with the logarithm of their number.
_ROUNDS_SHIFT = 4
# As many elements, a power of two, as are met in the time of an iteration that calls a function.
_PARTED_SHIFT = 5


def _sort_row(e: Emitter, instr: Instr) -> None:
    (row,) = (parts(e, v) for v in instr.operands)
    _call(e, instr, f"ptr {row.data}, i64 {row.sizes[0]}, ptr null", row.sizes[0])


def _order_row(e: Emitter, instr: Instr) -> None:
    keys, row = (parts(e, v) for v in instr.operands)
    size = row.sizes[0]
    _each_index(e, row.data, size)
    _call(e, instr, f"ptr {keys.data}, ptr {row.data}, i64 {size}, ptr null", size)


def _call(e: Emitter, instr: Instr, arguments: str, size: str) -> None:
    type_ = instr.operands[0].type
    assert isinstance(type_, TensorType)
    order = instr.op is sorting.ORDER_ROW
    symbol = numpy_routines.sort_symbol(
        type_.dtype.numpy.name, str(instr.attrs["kind"]), order=order
    )
    e.declare(f"declare i32 @{symbol}({'ptr, ' if order else ''}ptr, i64, ptr)")
    count_iterations(e, e.let(f"shl i64 {size}, {_ROUNDS_SHIFT}"))
    status = e.let(f"call i32 @{symbol}({arguments})")
    e.raise_if(e.let(f"icmp ne i32 {status}, 0"), "MemoryError", _NO_MEMORY, instr)


def _each_index(e: Emitter, data: str, size: str) -> None:
    """Write 0, 1, ... to a row."""
    before, body, after = e.block, e.label(), e.label()
    e.branch(e.let(f"icmp sgt i64 {size}, 0"), body, after)
    e.start(body)
    (index,), place = e.open_phis(("i64",))
    e.write(f"store i64 {index}, ptr {e.let(f'getelementptr i64, ptr {data}, i64 {index}')}")
    following = e.let(f"add nuw nsw i64 {index}, 1")
    e.lines[place] = f"  {index} = phi i64 [ 0, %{before} ], [ {following}, %{e.block} ]"
    e.branch(e.let(f"icmp eq i64 {following}, {size}"), after, body)
    e.start(after)


def _at_places(what: str, *steps: str) -> Rule:
    """Return the rule of an op that takes a row and places in it; some have any step."""
    lengths = ("row", "keys", "places") if what != "order" else ("keys", "places")

    def write(e: Emitter, instr: Instr) -> None:
        type_ = instr.operands[0].type
        assert isinstance(type_, TensorType)
        arrays = dict(zip(instr.op.operands, (parts(e, v) for v in instr.operands), strict=True))
        size = parts(e, instr.operands[0]).sizes[0]
        given: list[str] = []
        for name, array in arrays.items():
            given.append(f"ptr {array.data}")
            if name in lengths:
                given.append(f"i64 {array.sizes[0]}")
            if name in steps:
                given.append(f"i64 {array.strides[0]}")
        symbol = f"@{routines.symbol(what, type_.dtype)}"
        e.declare(f"declare i32 {symbol}({', '.join(text.split(' ', 1)[0] for text in given)})")
        count_iterations(e, e.let(f"lshr i64 {size}, {_PARTED_SHIFT}"))
        status = e.let(f"call i32 {symbol}({', '.join(given)})")
        e.raise_if(e.let(f"icmp eq i32 {status}, 1"), "MemoryError", _NO_MEMORY, instr)
        e.raise_if(e.let(f"icmp eq i32 {status}, 2"), "IndexError", _NO_PLACE, instr, (size,))

    return write


def _extreme_place(e: Emitter, instr: Instr) -> None:
    (row,) = instr.operands
    assert isinstance(row.type, TensorType)
    symbol = f"@{extremes.symbol(str(instr.attrs['kind']), row.type.dtype)}"
    e.declare(f"declare i64 {symbol}(ptr, i64, i64)")
    size = parts(e, row).sizes[0]
    count_iterations(e, e.let(f"lshr i64 {size}, {_PARTED_SHIFT}"))
    given = f"ptr {parts(e, row).data}, i64 {size}, i64 {parts(e, row).strides[0]}"
    e.bind(instr, e.let(f"call i64 {symbol}({given})"))


RULES: Mapping[OpDef, Rule] = {
    sorting.SORT_ROW: _sort_row,
    sorting.ORDER_ROW: _order_row,
    sorting.EXTREME_PLACE: _extreme_place,
    sorting.SELECT_ROW: _at_places("select", "row", "places"),
    sorting.PART_ROW: _at_places("partition", "places"),
    sorting.ORDER_PARTS: _at_places("order", "places"),
}
