"""How many rounds of a loop come before its stores are aligned, and which stores pass the caches.

    b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3      7 rounds under a mask, then whole vectors:
                                                  each store goes to one line of the cache, not two

A vector that lies across two lines takes two accesses, and one that lies across two pages several.
Of loads and stores, which cannot all be aligned, it is the stores that wait for memory.

Whole lines that are stored past the caches are not read from memory first, which is a third of what
a copy moves. It pays for arrays that no cache holds: nothing of them would be there for the next
loop. Other threads see such stores late; those that share a loop take leave of it by an instruction
that waits for them.
"""

from collections.abc import Sequence
from functools import reduce

from scriptc.backends.llvm.addresses import address, parts, product
from scriptc.backends.llvm.emit_function import Emitter, literal
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.ops import low
from scriptc_runtime.types import TensorType

_LINE = 64  # bytes
# A loop of fewer rounds has little to gain, and one more start to lose.
_LEAST_ROUNDS = 96
# Where only some of the stores can be aligned, there is less to gain.
_LEAST_APART = 256
# Bytes of an array that is taken to be in no cache, and instructions of a loop over it.
_PAST_CACHES = 48 << 20
_MOST_INSTRUCTIONS = 40


def rounds_before_alignment(e: Emitter, loop: Instr, count: str) -> str:
    """Write code that finds the number of rounds, and return it; "0" where that is not known."""
    stores = [i for i in loop.blocks[0].body if i.op is low.STORE]
    if not stores or ((known := literal(count)) is not None and known < _LEAST_ROUNDS):
        return "0"
    first, *others = (_address_at_round_zero(e, loop, store) for store in stores)
    if first is None:
        return "0"
    array = stores[0].operands[0]
    assert isinstance(array.type, TensorType)
    size = array.type.dtype.itemsize
    at = e.let(f"ptrtoint ptr {first} to i64")
    behind = e.let(f"sub i64 0, {at}")
    elements = e.let(f"lshr i64 {behind}, {size.bit_length() - 1}")
    rounds = e.let(f"and i64 {elements}, {_LINE // size - 1}")
    long = e.let(f"icmp sge i64 {count}, {_least_rounds(e, at, others)}")
    return e.let(f"select i1 {long}, i64 {rounds}, i64 0")


def goes_past_caches(e: Emitter, loop: Instr, head: str) -> str:
    """Write code that finds out if vectors behind `head` rounds are stored past the caches.

    Return the name of the truth, or "" where they never are: where stores are of several places, or
    to what is read as well and so is in a cache, or where a loop is too long to stand there twice.
    """
    body = loop.blocks[0].body
    stores = [i for i in body if i.op is low.STORE]
    read = {i.operands[0] for i in body if i.op is low.LOAD}
    array = stores[0].operands[0]
    if len(stores) > 1 or array in read or len(body) > _MOST_INSTRUCTIONS or not e.is_kernel:
        return ""
    first = _address_at_round_zero(e, loop, stores[0])
    if first is None:
        return ""
    assert isinstance(array.type, TensorType)
    size = array.type.dtype.itemsize
    elements = reduce(lambda a, b: product(e, a, b), parts(e, array).sizes)
    large = e.let(f"icmp sge i64 {elements}, {_PAST_CACHES // size}")
    before = e.let(f"mul i64 {head}, {size}")
    at = e.let(f"add i64 {e.let(f'ptrtoint ptr {first} to i64')}, {before}")
    aligned = e.let(f"icmp eq i64 {e.let(f'and i64 {at}, {_LINE - 1}')}, 0")
    return e.let(f"and i1 {large}, {aligned}")


def leading_rows(e: Emitter, loop: Instr) -> list[tuple[str, int]]:
    """Write code for where the first round reads what is farthest ahead in memory, for each array.

    Return these places, as numbers, and the size of an element; of arrays that are read in several
    rows, as stencils do.
    """
    places: dict[Value, list[str]] = {}
    for load in loop.blocks[0].body:
        if load.op is not low.LOAD or (at := _read_at_round_zero(e, loop, load)) is None:
            continue
        places.setdefault(load.operands[0], []).append(e.let(f"ptrtoint ptr {at} to i64"))
    found: list[tuple[str, int]] = []
    for array, rows in places.items():
        assert isinstance(array.type, TensorType)
        if len(rows) > 1:
            last = reduce(
                lambda a, b: e.intrinsic("i64", "@llvm.umax.i64", f"i64 {a}", f"i64 {b}"), rows
            )
            found.append((last, array.type.dtype.itemsize))
    return found


def _read_at_round_zero(e: Emitter, loop: Instr, load: Instr) -> str | None:
    array, *index = load.operands
    if array not in e.values or not index or parts(e, array).strides[-1] != "1":
        return None
    first = _at_round_zero(e, loop, index)
    return None if first is None else address(e, array, first)


def _least_rounds(e: Emitter, at: str, others: Sequence[str | None]) -> str:
    """Return how many rounds are worth it, for stores at `at` and other places."""
    apart = "0"
    for other in others:
        if other is None:
            return str(_LEAST_APART)
        place = e.let(f"ptrtoint ptr {other} to i64")
        apart = e.let(f"or i64 {apart}, {e.let(f'sub i64 {place}, {at}')}")
    if not others:
        return str(_LEAST_ROUNDS)
    within = e.let(f"and i64 {apart}, {_LINE - 1}")
    together = e.let(f"icmp eq i64 {within}, 0")
    return e.let(f"select i1 {together}, i64 {_LEAST_ROUNDS}, i64 {_LEAST_APART}")


def _address_at_round_zero(e: Emitter, loop: Instr, store: Instr) -> str | None:
    """Write code for where the first round stores, and return it; None where that is not known."""
    array, _, *index = store.operands
    assert isinstance(array.type, TensorType)
    if array not in e.values or not index:
        return None
    described = parts(e, array)
    is_own = described.owner in ("null", described.data)  # a buffer of the kernel, which is aligned
    if is_own or described.strides[-1] != "1":
        return None
    first = _at_round_zero(e, loop, index)
    return None if first is None else address(e, array, first)


def _at_round_zero(e: Emitter, loop: Instr, index: Sequence[Value]) -> list[Value] | None:
    """Return the index of a store in the first round, of values that stand outside the loop."""
    (block,) = loop.blocks
    (number,) = block.params
    *outer, last = index
    if any(v not in e.values for v in outer):
        return None
    e.values[number] = ("0",)
    if last is number:
        return [*outer, last]
    definition = next((i for i in block.body if last in i.results), None)
    if definition is None or definition.op is not ops.ADD or number not in definition.operands:
        return None
    others = [v for v in definition.operands if v is not number]
    return [*outer, *others] if len(others) == 1 and others[0] in e.values else None
