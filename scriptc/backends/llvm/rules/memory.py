"""LLVM code for low ops on arrays: elements, and the memory of new ones; `nests.py` has loops."""

from collections.abc import Mapping, Sequence
from typing import cast

from scriptc.backends.llvm.emitter.addresses import address, parts, product
from scriptc.backends.llvm.emitter.function import Emitter, Rule, literal
from scriptc.backends.llvm.emitter.kept_buffers import NO_MEMORY, drop_buffer, kept_memory
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.loading.abi import BLOCK_HEADER
from scriptc.backends.llvm.rules import device
from scriptc.backends.llvm.support import transpose
from scriptc.backends.llvm.vectors import row_sums as vectors_row_sums
from scriptc.kernels.fusion import shapes
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import arrays, buffers, low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import DType, TensorType

# Bytes up to which an array stands on the stack, if its size is known and nobody else gets it.
_ON_STACK = 4096


def _dtype(value: Value) -> DType:
    return cast(TensorType, value.type).dtype


def facts(e: Emitter, array: Value) -> str:
    """Return the metadata of an access: what is known of its array, and of the loops around."""
    return e.scopes.get(array, "") + _access_group(e)


def _access_group(e: Emitter) -> str:
    match e.access_groups:
        case ():
            return ""
        case (group,):
            return f", !llvm.access.group {group}"
        case groups:
            listed = e.state.shared_node(f"!{{{', '.join(groups)}}}")
            return f", !llvm.access.group {listed}"


def _load(e: Emitter, instr: Instr) -> None:
    array, *index = instr.operands
    at = address(e, array, index)
    loaded = e.let(f"load {abi.element(_dtype(array))}, ptr {at}{facts(e, array)}")
    e.bind(instr, e.let(f"icmp ne i8 {loaded}, 0") if _dtype(array) is DType.B1 else loaded)


def _store(e: Emitter, instr: Instr) -> None:
    array, value, *index = instr.operands
    at = address(e, array, index)
    stored = e.one(value)
    if _dtype(array) is DType.B1:
        stored = e.let(f"zext i1 {stored} to i8")
    e.write(f"store {abi.element(_dtype(array))} {stored}, ptr {at}{facts(e, array)}")


def _size(e: Emitter, instr: Instr) -> None:
    (array,) = instr.operands
    axis = cast(int, instr.attrs["axis"])
    dim = cast(TensorType, array.type).dims[axis]
    e.bind(instr, str(dim.constant) if dim.is_constant else parts(e, array).sizes[axis])


def _contiguous_strides(e: Emitter, sizes: Sequence[str]) -> tuple[str, ...]:
    strides: list[str] = []
    step = "1"
    for size in reversed(sizes):
        strides.append(step)
        step = product(e, step, size) if len(strides) < len(sizes) else step
    return tuple(reversed(strides))


def _new_array(e: Emitter, instr: Instr) -> None:
    sizes, count = _extent(e, instr)
    if e.state.device is not None:
        data, owner = device.new_memory(e, instr, count)
        e.bind(instr, data, owner, *sizes, *_contiguous_strides(e, sizes))
        return
    memory = _own_memory if e.is_kernel or _stays_here(e, instr, count) else _counted_memory
    data, owner = memory(e, instr, count)
    e.bind(instr, data, owner, *sizes, *_contiguous_strides(e, sizes))


def _kept_array(e: Emitter, instr: Instr) -> None:
    sizes, count = _extent(e, instr)
    known = literal(count)
    small = known is not None and known <= _ON_STACK
    data = e.alloca(f"[{known} x i8], align 64") if small else kept_memory(e, instr, count)
    e.bind(instr, data, "null", *sizes, *_contiguous_strides(e, sizes))


def _drop_kept(e: Emitter, instr: Instr) -> None:
    drop_buffer(e, e.kept[cast(int, instr.attrs["slot"])])


def _extent(e: Emitter, instr: Instr) -> tuple[tuple[str, ...], str]:
    """Return the sizes of a new array, and its bytes."""
    type_ = cast(TensorType, instr.result.type)
    sizes = tuple(
        str(dim.constant) if dim.is_constant else e.one(size)
        for dim, size in zip(type_.dims, instr.operands, strict=True)
    )
    return sizes, _bytes_of(e, instr, sizes, type_.dtype.itemsize)


def _stays_here(e: Emitter, instr: Instr, count: str) -> bool:
    """Whether a small array is used by the function's own instructions and kernels alone."""
    known = literal(count)
    return known is not None and known <= _ON_STACK and instr.result in e.local_arrays


def _counted_memory(e: Emitter, instr: Instr, count: str) -> tuple[str, str]:
    """Return the address of `count` new bytes, and their owner."""
    owner = allocate(e, instr, count)
    return e.let(f"getelementptr i8, ptr {owner}, i64 {BLOCK_HEADER}"), owner


def _own_memory(e: Emitter, instr: Instr, count: str) -> tuple[str, str]:
    """Return memory that is not counted: a kernel counts nothing, as other threads run it too."""
    known = literal(count)
    if known is not None and known <= _ON_STACK:
        return e.alloca(f"[{known} x i8], align 64"), "null"
    e.state.routines.add("scratch")
    memory = e.let(f"call ptr @sc.scratch(i64 {count})")
    failed = e.let(f"icmp eq ptr {memory}, null")
    e.raise_if(failed, "MemoryError", NO_MEMORY, instr, (count,))
    return memory, memory


def _bytes_of(e: Emitter, instr: Instr, sizes: Sequence[str], itemsize: int) -> str:
    """Return the bytes of an array; ValueError, as NumPy, where 63 bits do not hold them.

    An empty axis does not count: the strides of the others must not overflow either.
    """
    known, unknown = itemsize, list[str]()
    for size in sizes:
        number = literal(size)
        if number is None:
            unknown.append(size)
        known *= number or 1
    lone = len(unknown) < 2
    if known > shapes.MOST_BYTES:
        e.raise_if("true", "ValueError", shapes.TOO_BIG, instr)
        return "0"
    count = str(known)
    for size in unknown:
        own = size if lone else e.intrinsic("i64", "@llvm.smax.i64", f"i64 {size}", "i64 1")
        count = _checked_product(e, instr, count, own)
    if "0" in sizes:
        return "0"
    for size in () if lone else unknown:
        empty = e.let(f"icmp eq i64 {size}, 0")
        count = e.let(f"select i1 {empty}, i64 0, i64 {count}")
    return count


def _checked_product(e: Emitter, instr: Instr, a: str, b: str) -> str:
    both = e.intrinsic("{ i64, i1 }", "@llvm.smul.with.overflow.i64", f"i64 {a}", f"i64 {b}")
    over = e.let(f"extractvalue {{ i64, i1 }} {both}, 1")
    e.raise_if(over, "ValueError", shapes.TOO_BIG, instr)
    return e.let(f"extractvalue {{ i64, i1 }} {both}, 0")


def allocate(e: Emitter, instr: Instr, count: str, function: str = "@sc_alloc") -> str:
    """Return a new counted block with room for `count` bytes, or raise MemoryError.

    Those of other functions than `sc_alloc` have data aligned to 16 bytes.
    """
    e.declare(f"declare noalias ptr {function}(i64)")
    owner = e.let(f"call noalias ptr {function}(i64 {count})")
    failed = e.let(f"icmp eq ptr {owner}, null")
    e.raise_if(failed, "MemoryError", NO_MEMORY, instr, (count,))
    return owner


def _is_contiguous(e: Emitter, instr: Instr) -> None:
    result = "true"
    for array in instr.operands:
        described = parts(e, array)
        if not described.sizes or described.strides[-1] == "1":
            continue
        fits = e.let(f"icmp eq i64 {described.strides[-1]}, 1")
        short = e.let(f"icmp ult i64 {described.sizes[-1]}, 2")  # the stride is never used
        holds = e.let(f"or i1 {fits}, {short}")
        result = holds if result == "true" else e.let(f"and i1 {result}, {holds}")
    e.bind(instr, result)


def _has_runs(e: Emitter, instr: Instr) -> None:
    result = "true"
    for array in instr.operands:
        described = parts(e, array)
        if not described.sizes or "1" in (described.strides[0], described.strides[-1]):
            continue
        holds = e.let(f"icmp ult i64 {described.sizes[-1]}, 2")  # the stride is never used
        for stride in (described.strides[0], described.strides[-1]):
            holds = e.let(f"or i1 {holds}, {e.let(f'icmp eq i64 {stride}, 1')}")
        result = holds if result == "true" else e.let(f"and i1 {result}, {holds}")
    e.bind(instr, result)


def _assume_contiguous(e: Emitter, instr: Instr) -> None:
    described = parts(e, instr.operands[0])
    strides = (*described.strides[:-1], "1")[: len(described.sizes)]
    e.bind(instr, described.data, described.owner, *described.sizes, *strides)


def _in_rows(e: Emitter, instr: Instr) -> None:
    """Ask for a copy or sums where columns are contiguous and rows are not; others are borrowed."""
    array, wanted = instr.operands
    described = parts(e, array)
    if e.is_kernel:
        # A kernel counts nothing, and shares nothing with other threads.
        e.bind(instr, described.data, "null", *described.sizes, *described.strides)
        return
    down, across = described.strides
    rows, columns = described.sizes
    near, far = e.let(f"icmp eq i64 {down}, 1"), e.let(f"icmp ne i64 {across}, 1")
    crosswise, done = e.label(), e.join(("ptr", "ptr", "i64", "i64", "i64"))
    done.incoming.append((e.block, (described.data, "null", columns, down, across)))
    holds = e.let(f"and i1 {e.let(f'and i1 {near}, {far}')}, {e.one(wanted)}")
    e.branch(holds, crosswise, done.name)
    e.start(crosswise)
    dtype, result = _dtype(array), "{ ptr, ptr, i64, i64, i64, i32 }"
    symbol = (
        vectors_row_sums.row_sums(dtype)
        if instr.attrs["summed"]
        else transpose.in_rows(8 * dtype.itemsize)
    )
    e.declare(f"declare {result} @{symbol}(ptr, ptr, i64, i64, i64, i32)")
    made = e.let(
        f"call {result} @{symbol}(ptr %ctx, ptr {described.data}, i64 {rows}, i64 {columns},"
        f" i64 {across}, i32 {e.state.threads})"
    )
    *found, status = [e.let(f"extractvalue {result} {made}, {n}") for n in range(6)]
    e.check_status(e.let(f"icmp eq i32 {status}, 2"), e.python_failed_block(instr))
    e.enter(done, tuple(found))
    data, owner, width, *strides = e.start_join(done)
    e.bind(instr, data, owner, rows, width if instr.attrs["summed"] else columns, *strides)


def _is_spread(e: Emitter, instr: Instr) -> None:
    """Compare each stride with how far the axes after it reach, or all those before it."""
    described = parts(e, instr.operands[0])
    axes = list(zip(described.sizes, described.strides, strict=True))
    result = _reaches_apart(e, axes[::-1])
    if len(axes) > 1:
        result = e.let(f"or i1 {result}, {_reaches_apart(e, axes)}")
    e.bind(instr, result)


def _reaches_apart(e: Emitter, axes: Sequence[tuple[str, str]]) -> str:
    """Write whether each stride is larger than what the axes before it reach."""
    reach, result = "0", "true"
    for size, stride in axes:
        step = e.intrinsic("i64", "@llvm.abs.i64", f"i64 {stride}", "i1 false")
        wide = e.let(f"icmp ugt i64 {step}, {reach}")
        short = e.let(f"icmp ult i64 {size}, 2")
        fits = e.let(f"or i1 {wide}, {short}")
        result = e.let(f"and i1 {result}, {fits}")
        steps = e.intrinsic("i64", "@llvm.usub.sat.i64", f"i64 {size}", "i64 1")
        reach = e.let(f"add i64 {reach}, {e.let(f'mul i64 {steps}, {step}')}")
    return result


def _adjoin(e: Emitter, instr: Instr) -> None:
    row, *arrays = instr.operands
    axis = int(str(instr.attrs["axis"]))
    result = "true"
    for array in arrays:
        described = parts(e, array)
        fits = e.let(f"icmp eq i64 {described.strides[axis]}, {e.one(row)}")
        single = e.let(f"icmp ult i64 {described.sizes[axis]}, 2")
        result = e.let(f"and i1 {result}, {e.let(f'or i1 {fits}, {single}')}")
    e.bind(instr, result)


def _assume_distinct(e: Emitter, instr: Instr) -> None:
    """Give the array a scope of its own: accesses in the scopes of the others do not alias it.

    A scope stands for the array's data in the whole call, so the function must not be inlined:
    LLVM would not tell the calls of a loop apart.
    """
    array, *others = instr.operands
    e.values[instr.result] = e.components(array)
    own, *apart = [_scope(e, parts(e, v).data) for v in instr.operands]
    lists = [e.state.shared_node(f"!{{{', '.join(scopes)}}}") for scopes in ([own], sorted(apart))]
    if others:
        e.scopes[instr.result] = f", !alias.scope {lists[0]}, !noalias {lists[1]}"


def _either(e: Emitter, instr: Instr) -> None:
    x, y, turned = instr.operands
    first, second = parts(e, x), parts(e, y)

    def chosen(type_: str, a: str, b: str) -> str:
        choice = f"select i1 {e.one(turned)}, {type_} {b}, {type_} {a}"
        return a if a == b else e.let(choice)

    data, owner = (
        chosen("ptr", a, b) for a, b in ((first.data, second.data), (first.owner, second.owner))
    )
    pairs = zip(first.strides, second.strides, strict=True)
    e.bind(instr, data, owner, *first.sizes, *(chosen("i64", a, b) for a, b in pairs))


def _lengthwise(e: Emitter, instr: Instr) -> None:
    described, crosswise = parts(e, instr.operands[0]), e.one(instr.operands[1])

    def turned(numbers: Sequence[str]) -> list[str]:
        pairs = zip(numbers, reversed(numbers), strict=True)
        return [e.let(f"select i1 {crosswise}, i64 {b}, i64 {a}") for a, b in pairs]

    sizes, strides = turned(described.sizes), turned(described.strides)
    e.bind(instr, described.data, described.owner, *sizes, *strides)


def _scope(e: Emitter, data: str) -> str:
    if not e.scope_of:
        e.scope_of[""] = e.state.node("distinct !{{self}}")
    if data not in e.scope_of:
        e.scope_of[data] = e.state.node(f"distinct !{{{{self}}, {e.scope_of['']}}}")
    return e.scope_of[data]


# Views.


def _transpose(e: Emitter, instr: Instr) -> None:
    described = parts(e, instr.operands[0])
    order = cast("tuple[int, ...]", instr.attrs["order"])
    sizes = [described.sizes[axis] for axis in order]
    strides = [described.strides[axis] for axis in order]
    e.bind(instr, described.data, described.owner, *sizes, *strides)


def _part(e: Emitter, instr: Instr) -> None:
    """Return the array of every second number, from the first or the second one on."""
    described = parts(e, instr.operands[0])
    data = described.data
    if instr.attrs["index"]:
        element = abi.element(cast(TensorType, instr.result.type).dtype)
        data = e.let(f"getelementptr {element}, ptr {data}, i64 1")
    strides = [product(e, stride, "2") for stride in described.strides]
    e.bind(instr, data, described.owner, *described.sizes, *strides)


def _record_field(e: Emitter, instr: Instr) -> None:
    """Return the array of a number of each record; steps of bytes become those of numbers."""
    described = parts(e, instr.operands[0])
    dtype = cast(TensorType, instr.result.type).dtype
    own = [str(size) for size in cast("tuple[int, ...]", instr.attrs["shape"])]
    offset, sizes = instr.attrs["offset"], [*described.sizes[:-1], *own]
    data = e.let(f"getelementptr i8, ptr {described.data}, i64 {offset}")
    size = dtype.itemsize
    outer = [e.let(f"sdiv exact i64 {step}, {size}") for step in described.strides[:-1]]
    inner = _contiguous_strides(e, own)
    e.bind(instr, data, described.owner, *sizes, *outer, *inner)


RULES: Mapping[OpDef, Rule] = {
    arrays.DIM: _size,
    arrays.PART: _part,
    arrays.RECORD_FIELD: _record_field,
    arrays.TRANSPOSE: _transpose,
    low.LOAD: _load,
    low.STORE: _store,
    low.SIZE: _size,
    low.NEW_ARRAY: _new_array,
    buffers.KEPT_ARRAY: _kept_array,
    buffers.DROP_KEPT: _drop_kept,
    low.IS_CONTIGUOUS: _is_contiguous,
    low.ASSUME_CONTIGUOUS: _assume_contiguous,
    low.HAS_RUNS: _has_runs,
    low.IN_ROWS: _in_rows,
    low.IS_SPREAD: _is_spread,
    low.ADJOIN: _adjoin,
    low.ASSUME_DISTINCT: _assume_distinct,
    low.EITHER: _either,
    low.LENGTHWISE: _lengthwise,
}
