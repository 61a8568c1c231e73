"""LLVM code for low ops on arrays: elements, loops over them, kernels.

The shapes are those that LLVM turns into vector code: an i64 that counts up without wrapping and
is compared for equality at the end of the round, addresses of whole elements, sizes and strides in
registers. In a loop whose rounds are independent every access belongs to a group that the loop
names, so LLVM need not prove that two arrays do not overlap.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from scriptc.backends.llvm import abi
from scriptc.backends.llvm.abi import BLOCK_HEADER
from scriptc.backends.llvm.addresses import address, parts, product
from scriptc.backends.llvm.emit_function import Emitter, Rule, literal
from scriptc.backends.llvm.kept_buffers import NO_MEMORY, drop_buffer, kept_memory
from scriptc.backends.llvm.overlaps import may_overlap
from scriptc.backends.llvm.rules.control import count_rounds, open_region
from scriptc.backends.llvm.rules.elementary import LIBM
from scriptc.backends.llvm.rules.numbers import refuse
from scriptc.backends.llvm.vectors.alignment import rounds_before_alignment
from scriptc.backends.llvm.vectors.columns import emit_columns, is_columns
from scriptc.backends.llvm.vectors.joint_rows import emit_joint_rows
from scriptc.backends.llvm.vectors.reductions import Kind, emit_reduction_loop
from scriptc.backends.llvm.vectors.rows import emit_row_loop, is_row
from scriptc.backends.llvm.vectors.writer import independent_rounds
from scriptc.kernels.fusion.nodes import VECTORISED
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import arrays, buffers, elementwise, low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import DType, TensorType

# An element of an array loop is taken for 64 rounds when Ctrl-C is looked for: the work of one
# element may itself be a loop.
_ROUNDS_SHIFT = 6
# No array has more bytes, as NumPy says.
_MOST_BYTES = 2**63 - 1
_TOO_BIG = (
    "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size."
)
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

    An axis that is known to be empty does not count: what loops over the others has an end.
    """
    known, unknown = itemsize, list[str]()
    for size in sizes:
        number = literal(size)
        if number is None:
            unknown.append(size)
        known *= number or 1
    if known > _MOST_BYTES:
        e.raise_if("true", "ValueError", _TOO_BIG, instr)
        return "0"
    count = str(known)
    for size in unknown:
        count = _checked_product(e, instr, count, size)
    return "0" if "0" in sizes else count


def _checked_product(e: Emitter, instr: Instr, a: str, b: str) -> str:
    both = e.intrinsic("{ i64, i1 }", "@llvm.smul.with.overflow.i64", f"i64 {a}", f"i64 {b}")
    over = e.let(f"extractvalue {{ i64, i1 }} {both}, 1")
    e.raise_if(over, "ValueError", _TOO_BIG, instr)
    return e.let(f"extractvalue {{ i64, i1 }} {both}, 0")


def allocate(e: Emitter, instr: Instr, count: str) -> str:
    """Return a new counted block with room for `count` bytes, or raise MemoryError."""
    e.declare("declare noalias ptr @sc_alloc(i64)")
    owner = e.let(f"call noalias ptr @sc_alloc(i64 {count})")
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


def _assume_contiguous(e: Emitter, instr: Instr) -> None:
    described = parts(e, instr.operands[0])
    strides = (*described.strides[:-1], "1")[: len(described.sizes)]
    e.bind(instr, described.data, described.owner, *described.sizes, *strides)


def _is_spread(e: Emitter, instr: Instr) -> None:
    """Compare each stride with how far the axes after it reach."""
    described = parts(e, instr.operands[0])
    reach, result = "0", "true"
    for size, stride in zip(described.sizes[::-1], described.strides[::-1], strict=True):
        step = e.intrinsic("i64", "@llvm.abs.i64", f"i64 {stride}", "i1 false")
        wide = e.let(f"icmp ugt i64 {step}, {reach}")
        short = e.let(f"icmp ult i64 {size}, 2")
        fits = e.let(f"or i1 {wide}, {short}")
        result = e.let(f"and i1 {result}, {fits}")
        steps = e.let(f"sub i64 {size}, 1")
        reach = e.let(f"add i64 {reach}, {e.let(f'mul i64 {steps}, {step}')}")
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


def _scope(e: Emitter, data: str) -> str:
    if not e.scope_of:
        e.scope_of[""] = e.state.node("distinct !{{self}}")
    if data not in e.scope_of:
        e.scope_of[data] = e.state.node(f"distinct !{{{{self}}, {e.scope_of['']}}}")
    return e.scope_of[data]


# Loops.


def _loop(e: Emitter, instr: Instr) -> None:
    count = e.one(instr.operands[0])
    # In a kernel the launch has counted, and other threads may count at the same time.
    if not e.in_nest and not e.is_kernel:
        count_rounds(e, e.let(f"shl i64 {count}, {_ROUNDS_SHIFT}"))
    if is_columns(e, instr):
        emit_columns(e, instr)
        return
    outer_groups, outer_nest = e.access_groups, e.in_nest
    hints: list[str] = []
    if instr.attrs["parallel"]:
        group = e.state.node("distinct !{}")
        hints.append(e.state.node(f'!{{!"llvm.loop.parallel_accesses", {group}}}'))
        e.access_groups = (*outer_groups, group)
    e.in_nest = True
    if literal(count) is None:
        hints.append(e.state.shared_node(_NOT_UNROLLED))
    if _is_scattered(e, instr):
        _rounds(e, instr, "0", count, [*hints, e.state.shared_node(_SCALAR)])
    elif not _has_maskable_rows(instr):
        _rounds(e, instr, "0", count, hints)
    else:
        _maskable_rounds(e, instr, count, hints)
    e.access_groups, e.in_nest = outer_groups, outer_nest


def _maskable_rounds(e: Emitter, instr: Instr, count: str, hints: Sequence[str]) -> None:
    """Write a loop over masked vectors, with one over whole vectors in its midst.

    What stands before the whole vectors and what stands behind them is one code, which runs twice.
    """
    size, whole, masked = _written(e, instr, hints) or _left_to_llvm(e, instr, count, hints)

    def whole_vectors(first: str) -> str:
        if not size:
            return first
        rest = e.let(f"sub i64 {count}, {first}")
        number = e.let(f"and i64 {rest}, {-size}")
        last = e.let(f"add i64 {first}, {number}")
        whole(first, last)
        return last

    head = rounds_before_alignment(e, instr, count)
    if head == "0":
        masked(whole_vectors("0"), count)
        return
    part, midst, out, before = e.label(), e.label(), e.label(), e.block
    e.jump(part)
    e.start(part)
    (start, stop), place = e.open_phis(("i64", "i64"))
    masked(start, stop)
    e.branch(e.let(f"icmp eq i64 {stop}, {count}"), out, midst)
    e.start(midst)
    last = whole_vectors(head)
    e.lines[place] = f"  {start} = phi i64 [ 0, %{before} ], [ {last}, %{e.block} ]"
    e.lines[place + 1] = f"  {stop} = phi i64 [ {head}, %{before} ], [ {count}, %{e.block} ]"
    end = _loop_metadata(e, [e.state.shared_node(_NOT_UNROLLED)])
    e.write(f"br label %{part}{end}")
    e.start(out)


# Writes the rounds from one number to below another.
_Write = Callable[[str, str], None]


def _written(e: Emitter, instr: Instr, hints: Sequence[str]) -> tuple[int, _Write, _Write] | None:
    """Return how many rounds whole vectors are, and what writes them, and what writes masked ones.

    A short body is there twice in a round of the loop that is written.
    """
    writer = independent_rounds(e, instr)
    if writer is None:
        return None
    vectors = 2 if len(instr.blocks[0].body) <= _SHORT_BODY else 1

    def whole(first: str, stop: str) -> None:
        end = _loop_metadata(e, hints)
        writer.loop(instr, first, stop, masked=False, end=end, vectors=vectors)

    def masked(first: str, stop: str) -> None:
        writer.loop(instr, first, stop, masked=True, end=_loop_metadata(e, hints))

    return vectors * writer.lanes, whole, masked


def _left_to_llvm(
    e: Emitter, instr: Instr, count: str, hints: Sequence[str]
) -> tuple[int, _Write, _Write]:
    """Return the same as `_written` for rounds that LLVM makes vectors of.

    Most of the time of a short body would go into its mask. One that does much is masked from its
    first round on, as a second copy of it takes LLVM long to compile.
    """
    short = literal(count) is None and len(instr.blocks[0].body) <= _SHORT_BODY

    def whole(first: str, stop: str) -> None:
        _rounds(e, instr, first, stop, [*hints, e.state.shared_node(_TWO_VECTORS)])

    def masked(first: str, stop: str) -> None:
        _rounds(e, instr, first, stop, [*hints, e.state.shared_node(_MASKED_TAIL)])

    return _whole_vectors(instr) if short else 0, whole, masked


def _rounds(e: Emitter, instr: Instr, first: str, stop: str, hints: Sequence[str]) -> None:
    """Write a loop over the rounds from `first` to below `stop`."""
    region = open_region(e, instr)
    region.next = e.join(())
    body = e.label()
    some = e.let(f"icmp slt i64 {first}, {stop}")
    before = e.block
    region.out.incoming.append((before, ()))
    e.branch(some, body, region.out.name)
    e.start(body)
    (index,), place = e.open_phis(("i64",))
    e.values[instr.blocks[0].params[0]] = (index,)
    e.run(instr.blocks[0])
    e.start_join(region.next)
    end = _loop_metadata(e, hints)
    after = e.let(f"add nuw nsw i64 {index}, 1")
    done = e.let(f"icmp eq i64 {after}, {stop}")
    region.out.incoming.append((e.block, ()))
    e.write(f"br i1 {done}, label %{region.out.name}, label %{body}{end}")
    e.lines[place] = f"  {index} = phi i64 [ {first}, %{before} ], [ {after}, %{e.block} ]"
    e.start_join(region.out)


def _whole_vectors(loop: Instr) -> int:
    """Return a number of rounds that two vectors of 64 bytes always divide."""
    accesses = [i for i in loop.blocks[0].body if i.op in (low.LOAD, low.STORE)]
    return 2 * 64 // min([_dtype(i.operands[0]).itemsize for i in accesses], default=8)


_SHORT_BODY = 16  # instructions
_TWO_VECTORS = '!{!"llvm.loop.interleave.count", i32 2}'
_SCALAR = '!{!"llvm.loop.vectorize.enable", i1 false}'
# Vector code does several vectors a round as it is; more copies of it double the time that LLVM
# takes, and gain nothing where memory sets the pace.
_NOT_UNROLLED = '!{!"llvm.loop.unroll.disable"}'


# What is left of a row after its whole vectors is one more vector under a mask: a scalar loop for
# it takes as long as several of them, and is compiled as well.
_MASKED_TAIL = '!{!"llvm.loop.vectorize.predicate.enable", i1 true}'


# Chains of dependent instructions: several vectors a round hide them, and a masked round has one.
_LONG_CHAINS = frozenset({*VECTORISED, *LIBM, elementwise.POW})


def _has_maskable_rows(loop: Instr) -> bool:
    """Whether an innermost loop does little with elements that all vector units load by a mask."""
    body = loop.blocks[0].body
    if any(instr.blocks or instr.op in _LONG_CHAINS for instr in body):
        return False
    dtypes = [_dtype(i.operands[0]) for i in body if i.op in (low.LOAD, low.STORE)]
    # Under a mask LLVM would gather the parts of complex numbers, which lie side by side.
    return all(dtype.itemsize >= 4 and dtype.kind != "c" for dtype in dtypes)


def _loop_metadata(e: Emitter, hints: Sequence[str]) -> str:
    """Return what the branch at the end of a round says of its loop."""
    if not hints:
        return ""
    node = e.state.node(f"distinct !{{{', '.join(['{self}', *hints])}}}")
    return f", !llvm.loop {node}"


def _is_scattered(e: Emitter, loop: Instr) -> bool:
    """Whether an innermost loop meets elements that are not known to be neighbours.

    It is the version of a nest for any layout: vector code for it is long and hardly faster.
    """
    body = loop.blocks[0].body
    if any(instr.blocks for instr in body):
        return False
    arrays_met = {i.operands[0] for i in body if i.op in (low.LOAD, low.STORE)}
    outside = [parts(e, a) for a in arrays_met if a in e.values]
    return any(described.strides[-1:] not in ((), ("1",)) for described in outside)


def _reduce(e: Emitter, instr: Instr) -> None:
    if len(instr.results) == 1:
        _single_reduce(e, instr)
        return
    (block,), dtype = instr.blocks, cast(DType, instr.results[0].type)
    if dtype not in (DType.F32, DType.F64) or not is_row(e, block, dtype):
        raise refuse(e, instr)  # whoever makes such sums looks at their elements
    emit_joint_rows(e, instr, dtype, e.one(instr.operands[0]))


def _single_reduce(e: Emitter, instr: Instr) -> None:
    result = instr.result.type
    if not isinstance(result, DType) or result is DType.F16 or result.kind == "c":
        raise refuse(e, instr)  # `decompose` sums those up in other types
    kind = Kind(str(instr.attrs["kind"]))
    block = instr.blocks[0]
    # The last instruction is the exit to the next round; what it carries is what is combined.
    element = cast(DType, block.body[-1].operands[0].type)
    type_ = element.value
    truth = element is DType.B1 and kind is not Kind.SUM
    prefix = e.label()
    region = open_region(e, instr)
    region.next = e.join(abi.flatten(element))

    def write_element(index: str) -> tuple[Sequence[str], str]:
        hot, e.lines = e.lines, []
        e.block = f"{prefix}.element"
        e.values[block.params[0]] = (index,)
        e.run(block)
        assert region.next is not None
        (value,) = e.start_join(region.next)
        if truth:
            value = e.let(f"zext i1 {value} to i8")
        lines, e.lines = e.lines, hot
        return lines, value

    count = e.one(instr.operands[0])
    outer_nest, e.in_nest = e.in_nest, True
    in_rows = element.kind == "f" and is_row(e, block, element)
    hint = ""
    if in_rows or _is_scattered(e, instr):
        hint = _loop_metadata(e, [e.state.shared_node(text) for text in (_SCALAR, _NOT_UNROLLED)])
    name = "u8" if truth else type_
    if in_rows:
        loop = emit_row_loop(e, kind, element, count, block, prefix, hint)
    else:
        loop = emit_reduction_loop(kind, name, count, write_element, prefix, hint)
    e.in_nest = outer_nest
    e.state.reductions.add((kind.value, name))
    e.allocas.extend(loop.entry)
    e.lines.extend(loop.lines)
    e.block = loop.exit
    e.bind(instr, e.let(f"trunc i8 {loop.result} to i1") if truth else loop.result)


def _chunk(e: Emitter, instr: Instr) -> None:
    count, inner = e.operands(instr)
    up = e.let(f"add i64 {count}, {low.FOLD_CHUNKS - 1}")
    share = e.let(f"udiv i64 {up}, {low.FOLD_CHUNKS}")
    some = (
        inner if literal(inner) else e.intrinsic("i64", "@llvm.smax.i64", f"i64 {inner}", "i64 1")
    )
    least = e.let(f"udiv i64 {low.FOLD_ELEMENTS}, {some}")
    most = e.intrinsic("i64", "@llvm.umax.i64", f"i64 {share}", f"i64 {least}")
    size = e.intrinsic("i64", "@llvm.umax.i64", f"i64 {most}", "i64 1")
    whole = e.let(f"add i64 {size}, {low.FOLD_BLOCK - 1}")
    rounded = e.let(f"and i64 {whole}, {-low.FOLD_BLOCK}")
    single = e.let(f"icmp sle i64 {inner}, 1")
    e.bind(instr, e.let(f"select i1 {single}, i64 {rounded}, i64 {size}"))


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


RULES: Mapping[OpDef, Rule] = {
    arrays.DIM: _size,
    arrays.PART: _part,
    arrays.TRANSPOSE: _transpose,
    low.LOAD: _load,
    low.STORE: _store,
    low.SIZE: _size,
    low.NEW_ARRAY: _new_array,
    buffers.KEPT_ARRAY: _kept_array,
    buffers.DROP_KEPT: _drop_kept,
    low.IS_CONTIGUOUS: _is_contiguous,
    low.ASSUME_CONTIGUOUS: _assume_contiguous,
    low.IS_SPREAD: _is_spread,
    low.ASSUME_DISTINCT: _assume_distinct,
    low.MAY_OVERLAP: may_overlap,
    low.LOOP: _loop,
    low.REDUCE: _reduce,
    low.CHUNK: _chunk,
}
