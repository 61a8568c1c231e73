"""Loads that lie one element apart: one vector, and single elements that are shifted into it.

    %l = load %a, %j                      the vector at j + 1
    %m = load %a, %j + 1        =>        a[j] before all of its lanes but the last
    %r = load %a, %j + 2                  all of its lanes but the first, and a[j + 9] behind them

Of the three vectors two lie across two lines of the cache. A processor that has stores waiting for
memory holds such a load back where it looks like one of them by the low 12 bits of its address; a
vector within a line it tells apart. So a stencil of an array that no cache holds takes up to half
as long again with them. It is the vector in the middle that is loaded: that of `a[1:-1]` is aligned
where the store to `out[1:-1]` is.
"""

from collections.abc import Iterator, Mapping, Sequence, Set

from scriptc.backends.llvm.emitter.function import Emitter, literal
from scriptc.backends.llvm.vectors import lanes as vectors_lanes
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import data, low
from scriptc_runtime.ops import elementwise as ops

# The loads that lie beside a load, with itself, from left to right; and its number among them.
Beside = tuple[Sequence[Instr], int]


def neighbours(e: Emitter, body: Sequence[Instr], lanes: Set[Value]) -> Mapping[Instr, Beside]:
    """Return those loads of an innermost loop that have others beside them.

    `lanes` are the values that differ in the iterations of a vector. A load may stand before what
    is before it in the loop: no iteration writes what another one reads, and arrays that are stored
    to are left out.
    """
    stored = {i.operands[0] for i in body if i.op is low.STORE}
    made = {result: i for i in body for result in i.results}
    rows: dict[tuple[Value, ...], dict[int, Instr]] = {}
    for instr in body:
        if instr.op is not low.LOAD or instr.result not in lanes or instr.operands[0] in stored:
            continue
        if instr.result.type in vectors_lanes.NUMBERS:
            *row, last = instr.operands
            origin, places = _place(e, made, last)
            rows.setdefault((*row, origin), {}).setdefault(places, instr)
    found: dict[Instr, Beside] = {}
    for row in rows.values():
        for run in _runs(row):
            found |= {load: (run, number) for number, load in enumerate(run)}
    return found


def _place(e: Emitter, made: Mapping[Value, Instr], index: Value) -> tuple[Value, int]:
    """Return an index as another one and a number."""
    instr = made.get(index)
    if instr is not None and instr.op is ops.ADD:
        for first, second in (instr.operands, instr.operands[::-1]):
            number = _constant(e, made, second)
            if number is not None:
                origin, places = _place(e, made, first)
                return origin, places + number
    return index, 0


def _constant(e: Emitter, made: Mapping[Value, Instr], value: Value) -> int | None:
    instr = made.get(value)
    if instr is None:
        return literal(e.one(value)) if value in e.values else None
    number = instr.attrs["value"] if instr.op is data.CONST else None
    return number if isinstance(number, int) else None


def _runs(row: Mapping[int, Instr]) -> Iterator[Sequence[Instr]]:
    """Yield loads of a row without a gap between them, two at least."""
    run: list[Instr] = []
    for places in sorted(row):
        run.append(row[places])
        if places + 1 not in row:
            if len(run) > 1:
                yield tuple(run)
            run = []
