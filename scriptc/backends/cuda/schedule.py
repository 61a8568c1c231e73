"""Decides how the iterations of a kernel are spread over the threads of a GPU.

    loop i { loop j { out[i, j] = ... } }        THREADS: one element a thread

    loop i {                                     ROWS: one row a block; the threads of the block
      s = reduce j { ... }                       share each inner loop, and meet at a barrier
      loop j { out[i, j] = ... / s }             before one reads what another has written
    }

Loops that are nested perfectly are one space, whose points are numbered in C order. A block with
no point left at once takes the next, so any number of blocks covers any space.
"""

import enum
import math
from collections.abc import Iterator, Sequence

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import constant_int
from scriptc.backends.cuda.checks import is_checked
from scriptc.backends.cuda.rules import NO_RULE
from scriptc.backends.cuda.sums import is_ordered
from scriptc.kernels.device.plan import KEPT_BYTES
from scriptc_runtime.errors import Diagnostic, UnsupportedError
from scriptc_runtime.ir import Block, Function, Instr, Label, Loc, Value, walk
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops.device import ATOMIC
from scriptc_runtime.ops.linalg import GUFUNC
from scriptc_runtime.ops.named import NAMED
from scriptc_runtime.ops.sorting import EXTREME_PLACE
from scriptc_runtime.record import record, replace
from scriptc_runtime.records import holds_records
from scriptc_runtime.types import TensorType

# Control flow that one thread takes by itself.
REGIONS = (control.BLOCK, control.IF, control.FOR, control.WHILE)
_OWN_BYTES = 8192  # of arrays that one thread makes
# What writes to elements.
WRITES = (low.STORE, ATOMIC)


class Spread(enum.Enum):
    """What one thread, or one block, takes at a time."""

    THREADS = "one point of the space a thread"
    ROWS = "one point of the space a block"


@record(eq=False)
class Nest:
    """Perfectly nested loops: the sizes and indices, outer ones first, and one iteration's body.

    The body of a reduction ends by giving `value`, what is reduced.
    """

    counts: tuple[Value, ...]
    indices: tuple[Value, ...]
    body: tuple[Instr, ...]
    label: Label | None  # of the innermost loop
    value: Value | None = None


@record(eq=False)
class Schedule:
    """A kernel's parts.

    The `prologue` computes what all iterations share: every thread does, and the host too, to know
    sizes. `buffers` are arrays that each block has for itself, `own` those that each thread makes.
    `shared` holds the sizes of each nest that the threads of a block share.
    """

    function: Function
    loop: Instr
    spread: Spread
    prologue: tuple[Instr, ...]
    buffers: tuple[Instr, ...]
    own: tuple[Instr, ...]
    nest: Nest
    shared: tuple[tuple[Value, ...], ...]


def schedule_of(function: Function) -> Schedule:
    """Return the schedule of a kernel.  Raises UnsupportedError."""
    _refuse_unknown_ops(function)
    *before, loop = _without_end(function)
    if loop.op is not low.LOOP or not loop.attrs["parallel"]:
        dependent = "a loop whose iterations depend on each other"
        what = dependent if loop.op is low.LOOP else f"{loop.op.name} at the end of a kernel"
        raise refusal(function, loop.loc, what, _NOT_PARALLEL)
    nest = collapse(function, loop)
    buffers = tuple(i for i in before if i.op is low.NEW_ARRAY)
    prologue = tuple(i for i in before if i.op is not low.NEW_ARRAY)
    for instr in prologue:
        if instr.blocks or instr.op in WRITES:
            raise refusal(function, instr.loc, f"{instr.op.name} before a kernel's loop", _ONE_LOOP)
    if buffers:
        nest = replace(nest, body=_without_blocks(nest.body))
    own = tuple(i for i in inside(nest.body) if i.op is low.NEW_ARRAY)
    if own and (buffers or not _has_room(function, own)):
        raise refusal(function, own[0].loc, "an array made in an iteration of a kernel", _NO_HEAP)
    regions = [i for i in nest.body if i.op in REGIONS]
    if regions and buffers:
        raise refusal(function, regions[0].loc, "control flow beside a buffer for rows", _LEAVES)
    # Threads that meet at barriers all take one way.
    inner = [] if regions or own else [i for i in nest.body if _is_shared(i)]
    spread = Spread.ROWS if buffers or inner else Spread.THREADS
    shared = tuple(_collapsed(function, i).counts for i in inner)
    return Schedule(function, loop, spread, prologue, buffers, own, nest, shared)


def _without_blocks(body: Sequence[Instr]) -> tuple[Instr, ...]:
    """Return the instructions of a body, with those of blocks that nothing leaves but their end."""
    found: list[Instr] = []
    for instr in body:
        if instr.op is not control.BLOCK or instr.results:
            found.append(instr)
            continue
        *others, end = instr.blocks[0].body
        leaves = any(i.target and i.target.label is instr.label for i in inside(others))
        ends = end.target is not None and end.target.label is instr.label
        found += [instr] if leaves or not ends else _without_blocks(others)
    return tuple(found)


def kept_elements(buffers: Sequence[Instr], buffer: Instr) -> int:
    """Return how many elements of a row buffer shared memory has room for."""
    assert isinstance(buffer.result.type, TensorType)
    return KEPT_BYTES // len(buffers) // buffer.result.type.dtype.itemsize


def _has_room(function: Function, own: Sequence[Instr]) -> bool:
    """Whether a thread has room for the arrays that it makes."""
    definitions = definitions_of(function)
    total = 0
    for made in own:
        sizes = [constant_int(v, definitions) for v in made.operands]
        known = [size for size in sizes if size is not None and 0 <= size <= _OWN_BYTES]
        if len(known) < len(sizes):
            return False
        assert isinstance(made.result.type, TensorType)
        total += math.prod(known) * made.result.type.dtype.itemsize
    return total <= _OWN_BYTES


def _collapsed(function: Function, instr: Instr) -> Nest:
    return (collapse_reduction if instr.op is low.REDUCE else collapse)(function, instr)


_NOT_PARALLEL = "a kernel ends in one parallel loop: what must run in order, threads cannot share"
_ONE_LOOP = "a kernel is one parallel loop, with only scalars before it"
_NO_HEAP = f"threads of a GPU cannot allocate; one has room for {_OWN_BYTES:,} bytes of known sizes"
_LEAVES = "every iteration must run to its end: the threads of a block meet at barriers"


def refusal(function: Function, loc: Loc, what: str, why: str) -> UnsupportedError:
    """Return the error for a kernel that this backend cannot express."""
    place = f"{function.file or '?'}:{loc.line}: " if loc.line else ""
    message = f"{place}the CUDA backend does not support {what} (in {function.name})"
    return UnsupportedError(
        Diagnostic("cuda-unsupported", message, why=why, instead="run it on the CPU")
    )


def refuse_host_routines(function: Function) -> None:
    """Refuse host code that needs LAPACK or Fourier transforms, or makes structured arrays.

    Raises UnsupportedError.
    """
    if holds_records(function.result):
        raise refusal(function, function.loc, "a structured array as a result", _NO_RECORDS)
    for instr in walk(function.body):
        if instr.op is NAMED and holds_records(instr.results[0].type):
            raise refusal(function, instr.loc, "a new structured array or record", _NO_RECORDS)
        if instr.op is GUFUNC:
            routine = str(instr.attrs["routine"])
            raise refusal(function, instr.loc, f"{routine} of arrays on a device", _NO_ROUTINE)


_NO_RECORDS = "they are put together on the host around memory of its own"
_NO_ROUTINE = "LAPACK and Fourier transforms have no kernels here, and the host has no such arrays"


def _refuse_unknown_ops(function: Function) -> None:
    for instr in walk(function.body):
        constant_end = instr.op is data.CONST and instr.attrs["value"] is None
        if instr.op in NO_RULE and not constant_end:
            what = f"{instr.op.name} inside a kernel"
            raise refusal(function, instr.loc, what, NO_RULE[instr.op])


def _without_end(function: Function) -> Sequence[Instr]:
    """Return the body without `return None`."""
    body = [
        i
        for i in function.body.body
        if i.op is not control.EXIT and not (i.op is data.CONST and i.attrs["value"] is None)
    ]
    if not body:
        raise refusal(function, function.loc, "a kernel without a loop", _ONE_LOOP)
    return body


def collapse(function: Function, loop: Instr) -> Nest:
    """Return a parallel loop and the ones nested perfectly in it as one nest.

    What stands between two loops moves into the inner one: it only loads and computes, and the
    outer loop does nothing after the inner.
    """
    body, _ = round_of(function, loop)
    counts, indices, label = [loop.operands[0]], [loop.blocks[0].params[0]], loop.label
    between: list[Instr] = []
    while body and _is_parallel(body[-1]) and _may_sink(body):
        inner = body[-1]
        between += body[:-1]
        counts.append(inner.operands[0])
        indices.append(inner.blocks[0].params[0])
        body, _ = round_of(function, inner)
        label = inner.label
    return Nest(tuple(counts), tuple(indices), (*between, *body), label)


def collapse_reduction(function: Function, reduction: Instr) -> Nest:
    """Return a reduction of reductions of one kind as one nest, where the order is no matter."""
    body, value = round_of(function, reduction)
    counts, indices = [reduction.operands[0]], [reduction.blocks[0].params[0]]
    between: list[Instr] = []
    any_order = not is_ordered(reduction)
    while any_order and body and _is_inner(body[-1], reduction, value) and _may_sink(body):
        inner = body[-1]
        between += body[:-1]
        counts.append(inner.operands[0])
        indices.append(inner.blocks[0].params[0])
        body, value = round_of(function, inner)
    return Nest(tuple(counts), tuple(indices), (*between, *body), None, value)


def row_of_sum(reduction: Instr) -> Instr | None:
    """Return the sum in order that a sum adds, if all threads of a block may come to it."""
    *before, inner, end = reduction.blocks[0].body
    if inner.op is not low.REDUCE or tuple(end.operands) != tuple(inner.results):
        return None
    made = {r for i in before for r in i.results}
    plain = not any(i.blocks or is_checked(i) for i in before)
    return inner if plain and is_ordered(inner) and inner.operands[0] not in made else None


def round_of(function: Function, region: Instr) -> tuple[tuple[Instr, ...], Value | None]:
    """Return the body of a loop and what an iteration gives.  Raises UnsupportedError."""
    *body, end = region.blocks[0].body
    target = end.target
    if target is None or target.label is not region.label or not target.next:
        raise refusal(function, end.loc, "leaving a loop of a kernel", _LEAVES)
    return tuple(body), end.operands[0] if end.operands else None


def _is_parallel(instr: Instr) -> bool:
    return instr.op is low.LOOP and bool(instr.attrs["parallel"])


def _is_inner(instr: Instr, outer: Instr, value: Value | None) -> bool:
    same = instr.op is low.REDUCE and instr.attrs["kind"] == outer.attrs["kind"]
    return same and value in instr.results


def _may_sink(body: Sequence[Instr]) -> bool:
    *before, inner = body
    defined = {r for i in before for r in i.results}
    pure = all(not i.blocks and i.op not in (*WRITES, low.NEW_ARRAY) for i in before)
    # A load must not move behind a store of an earlier iteration: then it reads what it should not.
    stores = any(i.op in WRITES for i in inside(inner.blocks[0].body))
    loads = any(i.op is low.LOAD for i in before)
    return pure and inner.operands[0] not in defined and not (loads and stores)


def numbered(block: Block) -> Iterator[Value]:
    """Yield values in the order in which the text of the IR numbers them."""
    for instr in block.body:
        yield from instr.results
        for inner in instr.blocks:
            yield from inner.params
            yield from numbered(inner)


def inside(body: Sequence[Instr]) -> Iterator[Instr]:
    """Yield instructions and all that are inside of them."""
    for instr in body:
        yield instr
        for block in instr.blocks:
            yield from walk(block)


def _is_shared(instr: Instr) -> bool:
    """Whether the threads of a block share the iterations of `instr`."""
    return instr.op is low.REDUCE or _is_parallel(instr)


def roots(schedule: Schedule) -> dict[Value, Value]:
    """Return for each array of a kernel the parameter or buffer whose memory it is."""
    function = schedule.function
    found = {p: p for p in function.params if isinstance(p.type, TensorType)}
    found |= {made.result: made.result for made in (*schedule.buffers, *schedule.own)}
    for instr in (*schedule.prologue, *inside(schedule.nest.body)):
        if instr.op in (low.ASSUME_CONTIGUOUS, low.ASSUME_DISTINCT, low.SUBVIEW):
            found[instr.result] = found[instr.operands[0]]
    return found


@record(frozen=False)
class Accesses:
    """Which memory was read and written, by its root."""

    reads: set[Value]
    writes: set[Value]

    @classmethod
    def of(cls, body: Sequence[Instr], root: dict[Value, Value]) -> "Accesses":
        """Return what `body` accesses."""
        reading = (low.LOAD, EXTREME_PLACE, ATOMIC)
        loads = {root[i.operands[0]] for i in inside(body) if i.op in reading}
        stores = {root[i.operands[0]] for i in inside(body) if i.op in WRITES}
        return cls(loads, stores)

    def conflict(self, later: "Accesses") -> bool:
        """Whether `later` must wait: it reads what these write, or writes what they use."""
        return bool(self.writes & (later.reads | later.writes) or self.reads & later.writes)

    def add(self, more: "Accesses") -> None:
        """Count `more` in."""
        self.reads |= more.reads
        self.writes |= more.writes

    def clear(self) -> None:
        """Forget all: a barrier ends the wait."""
        self.reads.clear()
        self.writes.clear()
