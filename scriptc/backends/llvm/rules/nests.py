"""LLVM code for loops over arrays, and for reductions.

The shapes are those that LLVM turns into vector code: an i64 that counts up without wrapping and
is compared for equality at the end of the iteration, addresses of whole elements, sizes and strides
in registers. In a loop whose iterations are independent every access belongs to a group that the
loop names, so LLVM need not prove that two arrays do not overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import cast

from scriptc.analysis.instr_kinds import VECTORISED
from scriptc.analysis.remarks import (
    Kind as Said,
)
from scriptc.analysis.remarks import (
    Message,
    PartOf,
    Topic,
    is_added,
    muted,
    place_of,
    remark,
    remarks_wanted,
)
from scriptc.backends.llvm.emitter.addresses import parts
from scriptc.backends.llvm.emitter.effort import Effort
from scriptc.backends.llvm.emitter.function import NOT_UNROLLED, SCALAR, Emitter, Rule, literal
from scriptc.backends.llvm.emitter.polling import count_iterations, poll, poll_seldom
from scriptc.backends.llvm.emitter.regions import open_region
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.rules import chunks
from scriptc.backends.llvm.rules.elementary import LIBM
from scriptc.backends.llvm.rules.scalars import refuse
from scriptc.backends.llvm.vectors import apart, joint_rows, parted, reductions, tiles, transpose
from scriptc.backends.llvm.vectors import rows as vectors_rows
from scriptc.backends.llvm.vectors import short_rows as vectors_short_rows
from scriptc.backends.llvm.vectors import writer as vectors_writer
from scriptc.backends.llvm.vectors.alignment import (
    goes_past_caches,
    is_large,
    iterations_before_alignment,
)
from scriptc.backends.llvm.vectors.columns import emit_columns, is_columns
from scriptc.kernels.loops import tile
from scriptc_runtime.ir import NOWHERE, Block, Instr, Value, walk
from scriptc_runtime.ops import elementary, elementwise, low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import DType, TensorType

IN_LANES = Message(
    "vectors",
    Topic.VECTORS,
    Said.DONE,
    "{lanes} elements of {dtype} at a time, the last few masked",
)
COLUMNS = Message(
    "vectors", Topic.VECTORS, Said.DONE, "{lanes} results of {dtype} at a time, one in each lane"
)
SUMMED = Message(
    "vectors",
    Topic.VECTORS,
    Said.DONE,
    "{kind} of {dtype} in {lanes} lanes, combined at the end",
)
TURNED = Message(
    "vectors", Topic.VECTORS, Said.DONE, "a transposed copy, turned by blocks in registers"
)
IN_TILES = Message(
    "vectors",
    Topic.VECTORS,
    Said.DONE,
    "tile by tile where arrays lie in columns: computed along them, and turned in registers",
)

# An element of an array loop is taken for 64 iterations when Ctrl-C is looked for: the work of one
# element may itself be a loop.
_ROUNDS_SHIFT = 6
# A product of two such numbers of iterations fits.
_MOST_ROUNDS = f"i64 {1 << 30}"


def _loop(e: Emitter, instr: Instr) -> None:
    count = e.one(instr.operands[0])
    # In a kernel the launch has counted, and other threads may count at the same time.
    if not e.in_nest and not e.is_kernel:
        count_iterations(e, e.let(f"shl i64 {count}, {_ROUNDS_SHIFT}"))
    # What stands before the rows of a nest is computed for each of them.
    if any(i.op is low.LOOP for i in instr.blocks[0].body):
        e.leave_to_llvm(Effort.SIMPLE)
    if is_columns(e, instr):
        e.leave_to_llvm(Effort.SIMPLE)
        lanes = emit_columns(e, instr)
        _say(instr, COLUMNS, lanes=lanes, dtype=_dtypes(instr.blocks[0]))
        return
    if e.is_kernel and not e.in_nest:
        strips = tile.in_strips(instr)
        if strips is not None:
            e.leave_to_llvm(Effort.SIMPLE)
            e.in_nest = True
            e.run(strips)
            e.in_nest = False
            return
        copy = transpose.turned_copy(e, instr)
        if copy is not None:
            _say(instr, TURNED)
            e.leave_to_llvm(Effort.SIMPLE)
            transpose.emit_turned_copy(e, copy, lambda: _nest(e, instr, count))
            return
        turned = tiles.turned_nest(e, instr, _LONG_CHAINS)
        if turned is not None:
            _say(instr, IN_TILES)
            e.leave_to_llvm(Effort.SIMPLE)
            tiles.emit_turned_nest(e, turned, lambda: _nest(e, instr, count))
            return
    _nest(e, instr, count)


def _nest(e: Emitter, instr: Instr, count: str) -> None:
    """Write a loop and all inside it."""
    outer_groups, outer_nest = e.access_groups, e.in_nest
    hints: list[str] = []
    if instr.attrs["parallel"]:
        group = e.state.node("distinct !{}")
        hints.append(e.state.node(f'!{{!"llvm.loop.parallel_accesses", {group}}}'))
        e.access_groups = (*outer_groups, group)
    e.in_nest = True
    if literal(count) is None:
        hints.append(e.state.shared_node(NOT_UNROLLED))
    scattered = _scattered(e, instr)
    if scattered is not None:
        e.leave_to_llvm(Effort.SIMPLE)  # which finds what steps by a stride
        first = _vectors_apart(e, instr, count, hints, scattered)
        _iterations(e, instr, first, count, [*hints, e.state.shared_node(SCALAR)])
    elif transpose.is_crosswise_copy(instr):
        e.leave_to_llvm()
        _iterations(e, instr, "0", count, [*hints, e.state.shared_node(SCALAR)])
    elif rows := vectors_short_rows.short_rows(e, instr):
        e.leave_to_llvm(Effort.SIMPLE)
        _short_rows(e, instr, count, hints, rows)
    elif not _has_maskable_rows(instr):
        if _is_innermost(instr):
            e.leave_to_llvm()
            if width := _narrowed(instr):
                hints.append(e.state.shared_node(_WIDTH.format(width)))
        if _is_of_chains(instr):
            _chains(e, instr, count, hints)
        else:
            _iterations(e, instr, "0", count, hints)
    else:
        _maskable_iterations(e, instr, count, hints)
    e.access_groups, e.in_nest = outer_groups, outer_nest


def _vectors_apart(e: Emitter, instr: Instr, count: str, hints: Sequence[str], far: Value) -> str:
    """Write iterations whose elements lie apart, and return the first one that is left."""
    writer = None
    if apart.is_worth_it(instr):
        writer = vectors_writer.independent_iterations(e, instr, elements_apart=True)
    if writer is None:
        _say(instr, apart.SCATTERED, array=PartOf(far))
        return "0"
    _say(instr, apart.IN_LANES, array=PartOf(far), lanes=writer.lanes)
    last = e.let(f"and i64 {count}, {-writer.lanes}")
    writer.loop(instr, "0", last, vectors_writer.Way(end=e.state.loop_metadata(hints)))
    return last


def _short_rows(
    e: Emitter, instr: Instr, count: str, hints: Sequence[str], rows: Sequence[Instr]
) -> None:
    """Write a loop over rows of few elements, which asks for later ones if no cache holds them."""
    if not vectors_short_rows.have_known_steps(e, rows):
        hints = [*hints, e.state.shared_node(SCALAR)]
    large, small, out = e.label(), e.label(), e.label()
    e.branch(is_large(e, rows[0].operands[0]), large, small)
    for label, ahead in ((large, rows), (small, ())):
        e.start(label)
        _iterations(e, instr, "0", count, hints, ahead)
        e.jump(out)
    e.start(out)


def _maskable_iterations(e: Emitter, instr: Instr, count: str, hints: Sequence[str]) -> None:
    """Write a loop over masked vectors, with one over whole vectors in its midst.

    What stands before the whole vectors and what stands behind them is one code, which runs twice.
    """
    writer = vectors_writer.independent_iterations(e, instr)
    if writer is not None:
        _say(instr, IN_LANES, lanes=writer.lanes, dtype=_dtypes(instr.blocks[0]))
        size, whole, masked = _written(e, instr, writer, hints)
    else:
        size, whole, masked = _left_to_llvm(e, instr, count, hints)
    head = iterations_before_alignment(e, instr, count)
    past = "" if head == "0" or size == 0 else goes_past_caches(e, instr, head)

    def whole_vectors(first: str) -> str:
        if not size:
            return first
        known, begin = literal(count), literal(first)
        if known is not None and begin is not None:
            last = str(begin + (known - begin & -size))
            if last != first:
                whole(first, last, past)
            return last
        rest = e.let(f"sub i64 {count}, {first}")
        number = e.let(f"and i64 {rest}, {-size}")
        last = e.let(f"add i64 {first}, {number}")
        whole(first, last, past)
        return last

    if head == "0":
        masked(whole_vectors("0"), count, past)
        return
    # Vectors that are written begin before the first iteration, so that they are aligned, too.
    begin = "0" if writer is None else _iterations_before(e, head, writer.lanes)
    part, midst, out, before = e.label(), e.label(), e.label(), e.block
    e.jump(part)
    e.start(part)
    (start, stop), place = e.open_phis(("i64", "i64"))
    masked(start, stop, past)
    e.branch(e.let(f"icmp eq i64 {stop}, {count}"), out, midst)
    e.start(midst)
    last = whole_vectors(head)
    e.lines[place] = f"  {start} = phi i64 [ {begin}, %{before} ], [ {last}, %{e.block} ]"
    e.lines[place + 1] = f"  {stop} = phi i64 [ {head}, %{before} ], [ {count}, %{e.block} ]"
    end = e.state.loop_metadata([e.state.shared_node(NOT_UNROLLED)])
    e.write(f"br label %{part}{end}")
    e.start(out)


def _chains(e: Emitter, instr: Instr, count: str, hints: Sequence[str]) -> None:
    """Write a loop over long chains, two vectors of them side by side, and then the rest.

    Each instruction of a chain waits for the one before, and a processor looks ahead to hardly more
    than the end of it. Four vectors would be faster yet, but take long to compile.
    """
    size = 2 * (64 if e.state.masks else 32) // _least_item(instr)
    known = literal(count)
    whole = e.let(f"and i64 {count}, {-size}") if known is None else str(known & -size)
    _iterations(e, instr, "0", whole, [*hints, e.state.shared_node(_TWO_VECTORS)])
    _iterations(e, instr, whole, count, [*hints, e.state.shared_node(_MASKED_TAIL)])


def _is_of_chains(loop: Instr) -> bool:
    """Whether vectors of the iterations of an innermost loop are one or two long chains each."""
    body = loop.blocks[0].body
    if not loop.attrs["parallel"] or any(i.blocks or i.op in LIBM for i in body):
        return False
    return 0 < sum(i.op in VECTORISED for i in body) <= _FEW_CHAINS and _are_maskable(loop)


# Writes the iterations from one number to below another; where the truth with this name holds, if
# there is one, stores of whole vectors go past the caches.
_Write = Callable[[str, str, str], None]


def _iterations_before(e: Emitter, head: str, lanes: int) -> str:
    """Write where vectors begin that end with the iteration `head`, at 0 or before."""
    less = e.let(f"sub i64 0, {head}")
    short = e.let(f"and i64 {less}, {lanes - 1}")
    return e.let(f"sub nsw i64 0, {short}")


def _written(
    e: Emitter, instr: Instr, writer: vectors_writer.Writer, hints: Sequence[str]
) -> tuple[int, _Write, _Write]:
    """Return how many iterations are a whole vector, and what writes them and the masked ones.

    Two vectors in an iteration take as long, and short rows fill one more often.
    """

    def one_way(first: str, stop: str, *, past_caches: bool) -> None:
        end = e.state.loop_metadata(hints)
        way = vectors_writer.Way(end=end, past_caches=past_caches)
        writer.loop(instr, first, stop, way)

    def whole(first: str, stop: str, past: str) -> None:
        if not past:
            one_way(first, stop, past_caches=False)
            return
        large, small, out = e.label(), e.label(), e.label()
        e.branch(past, large, small)
        for label, past_caches in ((large, True), (small, False)):
            e.start(label)
            one_way(first, stop, past_caches=past_caches)
            e.jump(out)
        e.start(out)

    def masked(first: str, stop: str, past: str) -> None:
        if _few_halves(first, stop):
            _halves(first, stop)
            return
        way = vectors_writer.Way(
            masked=True, end=e.state.loop_metadata(hints), past_caches=bool(past)
        )
        writer.loop(instr, first, stop, way)

    def _halves(first: str, stop: str) -> None:
        begin, left = int(first), int(stop) - int(first)
        while left > 0:
            lanes = 1 << left.bit_length() - 1
            part = vectors_writer.Writer(e, writer.shape, lanes)
            part.loop(instr, str(begin), str(begin + lanes), vectors_writer.Way())
            begin, left = begin + lanes, left - lanes

    return writer.lanes, whole, masked


def _few_halves(first: str, stop: str) -> bool:
    """Whether what is left of a row is known to be one or two parts of a vector, of two or more.

    A processor combines no stores under a mask: rows of two elements, one of which follows the
    other in memory, take twice as long.
    """
    begin, end = literal(first), literal(stop)
    if begin is None or end is None or (end - begin) % 2:
        return False  # vectors of one element are not numbers
    return (end - begin).bit_count() <= _FEW_HALVES


def _left_to_llvm(
    e: Emitter, instr: Instr, count: str, hints: Sequence[str]
) -> tuple[int, _Write, _Write]:
    """Return the same as `_written` for iterations that LLVM makes vectors of.

    Most of the time of a short body would go into its mask. One that does much is masked from its
    first iteration on, as a second copy of it takes LLVM long to compile.
    """
    short = literal(count) is None and len(instr.blocks[0].body) <= _SHORT_BODY
    e.leave_to_llvm()

    def whole(first: str, stop: str, past: str) -> None:
        _iterations(e, instr, first, stop, [*hints, e.state.shared_node(_TWO_VECTORS)])

    def masked(first: str, stop: str, past: str) -> None:
        _iterations(e, instr, first, stop, [*hints, e.state.shared_node(_MASKED_TAIL)])

    return _whole_vectors(instr) if short else 0, whole, masked


def _iterations(
    e: Emitter,
    instr: Instr,
    first: str,
    stop: str,
    hints: Sequence[str],
    ahead: Sequence[Instr] = (),
) -> None:
    """Write a loop over the iterations from `first` to below `stop`.

    `ahead` are the loads of rows that it asks memory for ahead of time.
    """
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
    vectors_short_rows.fetch_rows(e, ahead)
    if instr.attrs.get("polls"):
        poll(e, _iterations_within(e, instr.blocks[0]), instr)
    end = e.state.loop_metadata(hints, place_of(instr) if _is_innermost(instr) else NOWHERE)
    after = e.let(f"add nuw nsw i64 {index}, 1")
    done = e.let(f"icmp eq i64 {after}, {stop}")
    region.out.incoming.append((e.block, ()))
    e.write(f"br i1 {done}, label %{region.out.name}, label %{body}{end}")
    e.lines[place] = f"  {index} = phi i64 [ {first}, %{before} ], [ {after}, %{e.block} ]"
    e.start_join(region.out)


def _whole_vectors(loop: Instr) -> int:
    """Return a number of iterations that two vectors of 64 bytes always divide."""
    return 2 * 64 // _least_item(loop)


def _least_item(loop: Instr) -> int:
    """Return the bytes of the smallest elements that a loop loads or stores."""
    accesses = [i for i in loop.blocks[0].body if i.op in (low.LOAD, low.STORE)]
    return min([_dtype(i).itemsize for i in accesses], default=8)


def _narrowed(loop: Instr) -> int:
    """Return how many iterations a vector has where truths of wide elements are stored, else 0.

    LLVM takes as many as there are elements in one vector, and stores truths a few bytes at a time.
    """
    body = loop.blocks[0].body
    if any(instr.op in _LONG_CHAINS for instr in body):
        return 0
    loads = [_dtype(i).itemsize for i in body if i.op is low.LOAD]
    stores = [_dtype(i).itemsize for i in body if i.op is low.STORE]
    if not loads or not stores or max(loads) < 4 * max(stores):
        return 0
    return _NARROWED // max(loads)


_WIDTH = '!{{!"llvm.loop.vectorize.width", i32 {}}}'
_NARROWED = 4 * 32  # bytes: four vectors of AVX2, whose truths fill another half
_SHORT_BODY = 16  # instructions
_FEW_HALVES = 2
_TWO_VECTORS = '!{!"llvm.loop.interleave.count", i32 2}'
_FEW_CHAINS = 2  # more take long to compile


# What is left of a row after its whole vectors is one more vector under a mask: a scalar loop for
# it takes as long as several of them, and is compiled as well.
_MASKED_TAIL = '!{!"llvm.loop.vectorize.predicate.enable", i1 true}'


# Chains of dependent instructions: several vectors an iteration hide them, and a masked iteration
# has one.
_LONG_CHAINS = frozenset({*VECTORISED, *LIBM, elementary.ERF, elementary.ERFC, elementwise.POW})


def _has_maskable_rows(loop: Instr) -> bool:
    """Whether an innermost loop does little with elements that all vector units load by a mask."""
    body = loop.blocks[0].body
    return not any(i.blocks or i.op in _LONG_CHAINS for i in body) and _are_maskable(loop)


def _are_maskable(loop: Instr) -> bool:
    """Whether all vector units load the elements of an innermost loop by a mask."""
    body = loop.blocks[0].body
    dtypes = [_dtype(i) for i in body if i.op in (low.LOAD, low.STORE)]
    # Under a mask LLVM would gather the parts of complex numbers, which lie side by side.
    return all(dtype.itemsize >= 4 and dtype.kind != "c" for dtype in dtypes)


def _scattered(e: Emitter, loop: Instr) -> Value | None:
    """Return an array whose elements an innermost loop does not know to be neighbours.

    It is the version of a nest for any layout: vector code for it is long and hardly faster.
    """
    body = loop.blocks[0].body
    if any(instr.blocks for instr in body):
        return None
    arrays_met = dict.fromkeys(i.operands[0] for i in body if i.op in (low.LOAD, low.STORE))
    outside = (a for a in arrays_met if a in e.values)
    return next((a for a in outside if parts(e, a).strides[-1:] not in ((), ("1",))), None)


def _is_innermost(loop: Instr) -> bool:
    """Whether a loop holds no others of array code: those over `range` speak for themselves."""
    return not any(i.op in (low.LOOP, low.REDUCE) for i in walk(loop.blocks[0]))


def _say(loop: Instr, message: Message, **values: object) -> None:
    """Leave a remark at the line of a loop: of one for several lines, at the last of them."""
    if remarks_wanted():
        remark(message, place_of(loop), **values)


def _dtypes(body: Block) -> list[str]:
    """Return the element types that a loop loads and stores, for those who read remarks."""
    accesses = (i for i in walk(body) if i.op in (low.LOAD, low.STORE))
    return sorted({_dtype(i).value for i in accesses})


def _reduce(e: Emitter, instr: Instr) -> None:
    if len(instr.results) == 1:
        _single_reduce(e, instr)
        return
    (block,), dtype = instr.blocks, cast(DType, instr.results[0].type)
    if dtype not in (DType.F32, DType.F64) or not vectors_rows.is_row(e, block, dtype):
        raise refuse(e, instr)  # whoever makes such sums looks at their elements
    e.leave_to_llvm(Effort.SIMPLE)
    _say(instr, SUMMED, kind="sums", dtype=dtype.value, lanes=512 // (8 * dtype.itemsize))
    joint_rows.emit_joint_rows(e, instr, dtype, e.one(instr.operands[0]))


def _single_reduce(e: Emitter, instr: Instr) -> None:
    result = instr.result.type
    if not isinstance(result, DType) or result is DType.F16 or result.kind == "c":
        raise refuse(e, instr)  # `decompose` sums those up in other types
    kind = reductions.Kind(str(instr.attrs["kind"]))
    block = instr.blocks[0]
    # The last instruction is the exit to the next iteration; what it carries is what is combined.
    element = cast(DType, block.body[-1].operands[0].type)
    iterations = vectors_short_rows.few_iterations(e, instr)
    if iterations is not None:
        e.leave_to_llvm(Effort.SIMPLE)
        e.bind(instr, vectors_short_rows.emit_few_iterations(e, instr, kind, iterations))
        return
    type_ = element.value
    truth = element is DType.B1 and kind is not reductions.Kind.SUM
    holds_loops = any(i.blocks for i in block.body)
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
        if holds_loops and instr.attrs.get("polls"):
            poll(e, _iterations_within(e, block), instr)
        lines, e.lines = e.lines, hot
        return lines, value

    look = reductions.look_never if holds_loops else _look(e, instr)
    count = e.one(instr.operands[0])
    outer_nest, e.in_nest = e.in_nest, True
    in_rows = element.kind == "f" and vectors_rows.is_row(e, block, element)
    name = "u8" if truth else type_
    hint = _hint_of_fold(e, instr, kind, name, in_rows=in_rows, holds_loops=holds_loops)
    if in_rows:
        loop = vectors_rows.emit_row_loop(
            e, kind, element, count, block, prefix, hint, look, in_loop=outer_nest
        )
    else:
        loop = parted.emit_parted_loop(kind, name, count, write_element, prefix, hint, look)
    e.in_nest = outer_nest
    # What is computed around short rows counts, and what is no vector code is for LLVM.
    if not (in_rows and instr.attrs.get("chunk")):
        e.leave_to_llvm(Effort.SIMPLE if in_rows or holds_loops else Effort.FULL)
    e.state.reductions.add((kind.value, name))
    e.allocas.extend(loop.entry)
    e.lines.extend(loop.lines)
    e.block = loop.exit
    e.bind(instr, e.let(f"trunc i8 {loop.result} to i1") if truth else loop.result)


def _hint_of_fold(
    e: Emitter, fold: Instr, kind: reductions.Kind, name: str, *, in_rows: bool, holds_loops: bool
) -> str:
    """Return what LLVM is told of the loop over the elements of a fold, and leave remarks on it."""
    scattered = None if in_rows else _scattered(e, fold)
    # What is said of a test would be taken for a word on the loop whose numbers it looks at.
    with muted(silent=is_added(fold)):
        if scattered is not None:
            _say(fold, apart.SCATTERED, array=PartOf(scattered))
        elif in_rows or (
            name in reductions.TYPES and reductions.TYPES[name].in_blocks and not holds_loops
        ):
            _say(fold, SUMMED, kind=kind.value, dtype=name, lanes=reductions.TYPES[name].lanes)
        if in_rows or scattered is not None:
            hints = [e.state.shared_node(text) for text in (SCALAR, NOT_UNROLLED)]
            return e.state.loop_metadata(hints)
        return "" if holds_loops else e.state.loop_metadata((), place_of(fold))


def _look(e: Emitter, fold: Instr) -> reductions.Look:
    """Return what looks for Ctrl-C between elements of a fold that does nothing else for long."""

    def look(done: str, label: str) -> tuple[Sequence[str], str]:
        hot, e.lines, e.block = e.lines, [], label
        poll_seldom(e, done, fold)
        lines, e.lines = e.lines, hot
        return lines, e.block

    return look if fold.attrs.get("polls") else reductions.look_never


def _iterations_within(e: Emitter, block: Block, unknown: AbstractSet[Value] = frozenset()) -> str:
    """Write about how many iterations of inner loops an iteration of a loop has, at least 1.

    The numbers of `unknown` are not known at its end.
    """
    total = "1"
    for instr in block.body:
        if instr.op in (low.LOOP, low.REDUCE):
            (inner,) = instr.blocks
            inside = {r for i in walk(inner) for r in i.results} | set(inner.params)
            each = _iterations_within(e, inner, unknown | inside)
            count = "1" if instr.operands[0] in unknown else e.one(instr.operands[0])
            bounded = e.intrinsic("i64", "@llvm.umin.i64", f"i64 {count}", _MOST_ROUNDS)
            iterations = e.let(f"mul i64 {bounded}, {each}")
            sum_ = e.let(f"add i64 {total}, {iterations}")
            total = e.intrinsic("i64", "@llvm.umin.i64", f"i64 {sum_}", _MOST_ROUNDS)
    return total


def _dtype(access: Instr) -> DType:
    return cast(TensorType, access.operands[0].type).dtype


RULES: Mapping[OpDef, Rule] = {
    low.LOOP: _loop,
    low.REDUCE: _reduce,
    **chunks.RULES,
}
