"""How many iterations come before what a loop stores is aligned, and what it does past the caches.

    b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3      7 iterations under a mask, then whole vectors:
                                                  each store goes to one line of the cache, not two

A vector that lies across two lines takes two accesses, and one that lies across two pages several.
Of loads and stores, which cannot all be aligned, it is the stores that wait for memory; where rows
are folded, several at once, into a buffer that is in a cache, it is the loads.

Whole lines that are stored past the caches are not read from memory first, which is a third of what
a copy moves. It pays for arrays that no cache holds: nothing of them would be there for the next
loop. Other threads see such stores late; those that share a loop take leave of it by an instruction
that waits for them.

A processor looks as far ahead in memory as the instructions reach that may wait for it. Where there
are many for each load, and where stencils begin a row, it is asked for what comes next.
"""

from collections.abc import Sequence
from functools import reduce

from scriptc.analysis.remarks import places_in, remark, remarks_wanted
from scriptc.backends.llvm.emitter.addresses import address, parts, product
from scriptc.backends.llvm.emitter.function import Emitter, literal
from scriptc.kernels.loops.streaming_stores import (
    LEAST_ROUNDS,
    PAST,
    PAST_CACHES,
    store_past_caches,
)
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import data, low
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.record import record
from scriptc_runtime.types import DType, TensorType

_LINE = 64  # bytes
# Where only some of the stores can be aligned, there is less to gain, and nothing from some loads.
_LEAST_APART = 256
_NEVER = (1 << 63) - 1
# Rows that are folded at once: with fewer of them, the buffer takes as many accesses.
_SEVERAL_ROWS = 4
# Instructions that floats take for each load: so many hold the next one back.
_MANY = 3
# How far ahead memory is asked for, in bytes: several rows of a stencil, where these are short, and
# of rows that are folded side by side as much as a first-level cache holds of all. What a stencil
# asks for goes to the second level: it would displace rows that are read again from the first.
_AHEAD_OF_STENCIL, _AHEAD_OF_ROWS = 7 << 10, 1 << 10
# How many rows ahead lines are asked for that are stored in part.
_ROWS_AHEAD = 2


def iterations_before_alignment(e: Emitter, loop: Instr, count: str) -> str:
    """Write code that finds the trip count, and return it; "0" where that is not known."""
    stores = [i for i in loop.blocks[0].body if i.op is low.STORE]
    if not stores or ((known := literal(count)) is not None and known < LEAST_ROUNDS):
        return "0"
    accesses, apart = stores, _LEAST_APART
    if all(is_own(e, store.operands[0]) for store in stores):
        accesses, apart = _folded_rows(e, loop), _NEVER
    first, *others = [_address_at_round_zero(e, loop, access) for access in accesses] or [None]
    if first is None:
        return "0"
    size = _item_size(accesses[0])
    at = e.let(f"ptrtoint ptr {first} to i64")
    behind = e.let(f"sub i64 0, {at}")
    elements = e.let(f"lshr i64 {behind}, {size.bit_length() - 1}")
    iterations = e.let(f"and i64 {elements}, {_LINE // size - 1}")
    long = e.let(f"icmp sge i64 {count}, {_least_iterations(e, at, others, apart)}")
    return e.let(f"select i1 {long}, i64 {iterations}, i64 0")


def goes_past_caches(e: Emitter, loop: Instr, head: str) -> str:
    """Write code that finds out if a loop behind `head` iterations is one over what no cache holds.

    Such a loop stores whole lines past the caches, or asks for the rows that it folds in time.
    Return the name of the truth, or "" where there is nothing to do so with.
    """
    if not e.is_kernel:
        return ""
    if rows := _folded_rows(e, loop):
        return is_large(e, rows[0].operands[0]) if _holds_loads_back(loop, rows) else ""
    store = store_past_caches(loop.blocks[0].body)
    first = None if store is None else _address_at_round_zero(e, loop, store)
    if store is None or first is None:
        return ""
    for place in places_in(loop.blocks[0]) if remarks_wanted() else ():
        remark(PAST, place, limit=PAST_CACHES >> 20)
    large = is_large(e, store.operands[0])
    before = e.let(f"mul i64 {head}, {_item_size(store)}")
    at = e.let(f"add i64 {e.let(f'ptrtoint ptr {first} to i64')}, {before}")
    aligned = e.let(f"icmp eq i64 {e.let(f'and i64 {at}, {_LINE - 1}')}, 0")
    return e.let(f"and i1 {large}, {aligned}")


def is_large(e: Emitter, array: Value) -> str:
    """Write code that finds out if an array is in no cache, and return the name of the truth."""
    assert isinstance(array.type, TensorType)
    elements = reduce(lambda a, b: product(e, a, b), parts(e, array).sizes)
    return e.let(f"icmp sge i64 {elements}, {PAST_CACHES // array.type.dtype.itemsize}")


def _folded_rows(e: Emitter, loop: Instr) -> Sequence[Instr]:
    """Return the loads of the rows that a loop folds into a buffer of its own, if it does so."""
    body = loop.blocks[0].body
    stores = [i for i in body if i.op is low.STORE]
    rows = [i for i in body if i.op is low.LOAD and not is_own(e, i.operands[0])]
    folds = all(is_own(e, store.operands[0]) for store in stores)
    return rows if folds and len(rows) >= _SEVERAL_ROWS else ()


def _holds_loads_back(loop: Instr, rows: Sequence[Instr]) -> bool:
    """Whether there are many instructions for each row."""
    computed = [i for i in loop.blocks[0].body if i.op is not low.LOAD]
    floats = [i for i in computed if any(r.type in (DType.F64, DType.F32) for r in i.results)]
    return len(floats) >= _MANY * len(rows)


@record
class Ahead:
    """What a loop asks memory for ahead of its iterations.

    The first of them reads at `place`, a number, elements of `size` bytes; and what it asks for is
    `distance` bytes behind, for the cache of a `level`. What iterations under masks read, at the
    ends of short rows, it may be asked for as well.
    """

    place: str
    size: int
    distance: int
    level: int
    ends: bool


def asked_ahead(e: Emitter, loop: Instr) -> Sequence[Ahead]:
    """Write code for what a loop for which `goes_past_caches` holds asks for ahead of time.

    That is where it reads what is farthest ahead in memory of arrays that it reads in several rows,
    as stencils do, or every row that it folds.
    """
    places: dict[Value, list[str]] = {}
    for load in loop.blocks[0].body:
        if load.op is not low.LOAD or (at := _read_at_round_zero(e, loop, load)) is None:
            continue
        places.setdefault(load.operands[0], []).append(e.let(f"ptrtoint ptr {at} to i64"))
    folds = bool(_folded_rows(e, loop))
    found: list[Ahead] = []
    for array, rows in places.items():
        assert isinstance(array.type, TensorType)
        size = array.type.dtype.itemsize
        if folds and not is_own(e, array):
            found += [Ahead(row, size, _AHEAD_OF_ROWS, level=1, ends=False) for row in rows]
        elif len(rows) > 1:
            last = reduce(
                lambda a, b: e.intrinsic("i64", "@llvm.umax.i64", f"i64 {a}", f"i64 {b}"), rows
            )
            # Frozen, as LLVM would compute it anew for every place that is counted from it.
            last = e.let(f"freeze i64 {last}")
            found.append(Ahead(last, size, _AHEAD_OF_STENCIL, level=2, ends=True))
    return found


def rows_behind(e: Emitter, array: Value, at: str) -> str:
    """Write where the element at `at` lies some rows later, and return it; "" without rows.

    A line that is stored in part is read from memory, and the stores behind it wait for that.
    """
    strides = parts(e, array).strides
    if len(strides) < 2:
        return ""
    assert isinstance(array.type, TensorType)
    step = e.let(f"mul i64 {strides[-2]}, {_ROWS_AHEAD * array.type.dtype.itemsize}")
    return e.let(f"getelementptr i8, ptr {at}, i64 {step}")


def is_own(e: Emitter, array: Value) -> bool:
    """Whether an array is a buffer of the kernel, which is aligned and in a cache."""
    if array not in e.values:
        return False
    described = parts(e, array)
    return described.owner in ("null", described.data)


def _item_size(access: Instr) -> int:
    array = access.operands[0]
    assert isinstance(array.type, TensorType)
    return array.type.dtype.itemsize


def _read_at_round_zero(e: Emitter, loop: Instr, load: Instr) -> str | None:
    array, *index = load.operands
    if array not in e.values or not index or parts(e, array).strides[-1] != "1":
        return None
    first = _at_round_zero(e, loop, index)
    return None if first is None else address(e, array, first)


def _least_iterations(e: Emitter, at: str, others: Sequence[str | None], least_apart: int) -> str:
    """Return how many iterations are worth it, for accesses at `at` and other places."""
    apart = "0"
    for other in others:
        if other is None:
            return str(least_apart)
        place = e.let(f"ptrtoint ptr {other} to i64")
        apart = e.let(f"or i64 {apart}, {e.let(f'sub i64 {place}, {at}')}")
    if not others:
        return str(LEAST_ROUNDS)
    within = e.let(f"and i64 {apart}, {_LINE - 1}")
    together = e.let(f"icmp eq i64 {within}, 0")
    return e.let(f"select i1 {together}, i64 {LEAST_ROUNDS}, i64 {least_apart}")


def _address_at_round_zero(e: Emitter, loop: Instr, access: Instr) -> str | None:
    """Write code for where the first iteration loads or stores; return it, or None."""
    array, *index = access.operands
    if access.op is low.STORE:
        _, *index = index
    if array not in e.values or not index or is_own(e, array):
        return None
    if parts(e, array).strides[-1] != "1":
        return None
    first = _at_round_zero(e, loop, index)
    return None if first is None else address(e, array, first)


def _at_round_zero(e: Emitter, loop: Instr, index: Sequence[Value]) -> list[Value] | None:
    """Return the index of a store in the first iteration, of values that stand outside the loop."""
    (block,) = loop.blocks
    (number,) = block.params
    *outer, last = index
    # An earlier copy of the loop has left values for what is computed inside.
    inside = {r for i in block.body if i.op is not data.CONST for r in i.results}
    if any(v not in e.values or v in inside for v in outer):
        return None
    e.values[number] = ("0",)
    if last is number:
        return [*outer, last]
    definition = next((i for i in block.body if last in i.results), None)
    if definition is None or definition.op is not ops.ADD or number not in definition.operands:
        return None
    others = [v for v in definition.operands if v is not number]
    if len(others) != 1 or others[0] not in e.values or others[0] in inside:
        return None
    return [*outer, *others]
