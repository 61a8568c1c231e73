"""Strips: a nest goes over a part of its second axis at a time, for what it reads again of planes.

    loop %n [parallel=true] {(%i)              loop (%m / %strip, upwards) {(%s)
      loop %m [parallel=true] {(%j)              loop %n [parallel=true] {(%i)
        loop %k [parallel=true] {(%l)              loop (%strip, or what is left) [parallel=true] {
          load %a, %i, %j, %l            =>          %j = %s * %strip + ...
          load %a, %i + 1, %j, %l                    loop %k [parallel=true] {(%l)
          load %a, %i + 2, %j, %l ... }}}              load %a, %i, %j, %l ... }}}}

A stencil reads every plane of an array in several iterations of the outermost loop. Where these
planes are more than a cache holds, each of them comes from farther away every time; the strips of
them that the iterations have in common come from the cache but once.

Iterations of parallel loops are independent, so their order is free; where two indices of the array
that is written lead to one element, the planes stay whole.

The back ends ask for this as they write a kernel: how threads share its iterations is as it was.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import cast

from scriptc.analysis.remarks import Kind, Message, Topic, places_in, remark, remarks_wanted
from scriptc.kernels.builder import Code
from scriptc.kernels.loops.nest import Chain, chain_of
from scriptc.passes.rebuild import Renaming
from scriptc_runtime.ir import Block, Builder, Instr, Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.types import TensorType

STRIPS = Message(
    "tile",
    Topic.ORDER,
    Kind.DONE,
    "tiled in strips of rows: what several planes read is still in the cache",
)

# A plane has rows, of which strips are made, and these have elements.
_LEAST_AXES = 3
# Bytes that a second-level cache holds, with room for what passes by.
_CACHE = 1 << 19
# Strips of fewer rows would read too many twice, as stencils reach beyond them.
_LEAST_ROWS = 16


def in_strips(loop: Instr) -> Block | None:
    """Return the nest that `loop` is, in strips; None if no plane is read in several iterations."""
    chain = chain_of(loop) if loop.op is low.LOOP else None
    if chain is None or len(chain.loops) < _LEAST_AXES:
        return None
    planes = list(_planes(chain))
    targets = list(dict.fromkeys(i.operands[0] for i in chain.body if i.op is low.STORE))
    inside = {r for each in (*chain.between, chain.body) for i in each for r in i.results}
    if not planes or not inside.isdisjoint((*chain.counts, *targets)):
        return None
    for place in places_in(loop.blocks[0]) if remarks_wanted() else ():
        remark(STRIPS, place)
    code = Code(Builder(), loop.loc)
    code.builder.open()
    rows, strip = _strip(code, chain, sum(planes), targets)
    _emit(code, chain, rows, strip)
    return code.builder.close()


def _planes(chain: Chain) -> Iterator[int]:
    """Yield, for each array that is read in several planes, how large an element of all is."""
    along = set(chain.iterations[:1])
    for instr in chain.between[0]:
        if not along.isdisjoint(instr.operands):
            along.update(instr.results)
    read: dict[tuple[Value, int], set[Value]] = {}
    for load in chain.body:
        if load.op is low.LOAD:
            array, *index = load.operands
            for axis, at in enumerate(index):
                if at in along:
                    read.setdefault((array, axis), set()).add(at)
    for (array, _), places in read.items():
        if len(places) > 1:
            yield len(places) * cast(TensorType, array.type).dtype.itemsize


def _strip(code: Code, chain: Chain, element: int, targets: Sequence[Value]) -> tuple[Value, Value]:
    """Emit how many rows there are, and how many of them a strip has."""
    _, rows, *inner = chain.counts
    one = code.number(1)
    row = reduce(lambda first, second: code.op(e.MUL, first, second), inner)
    fitting = code.op(e.FLOORDIV, code.number(_CACHE // element), code.op(e.MAXIMUM, row, one))
    tests = [code.op(low.IS_SPREAD, target) for target in targets]
    tests.append(code.test(e.GE, fitting, code.number(_LEAST_ROWS)))
    whole = code.op(e.MAXIMUM, rows, one)
    strip = code.select(code.both(tests), code.op(e.MINIMUM, fitting, whole), whole)
    return rows, strip


def _emit(code: Code, chain: Chain, rows: Value, strip: Value) -> None:
    """Emit a loop over strips."""
    more = code.op(e.ADD, rows, code.op(e.SUB, strip, code.number(1)))

    def over(number: Value) -> None:
        first = code.op(e.MUL, number, strip)
        left = code.op(e.MINIMUM, strip, code.op(e.SUB, rows, first))
        _emit_strip(code, chain, first, left)

    code.loop(code.op(e.FLOORDIV, more, strip), over, parallel=False)


def _emit_strip(code: Code, chain: Chain, first: Value, rows: Value) -> None:
    """Emit all iterations of the outermost loop, each for some rows from the first on."""
    names = Renaming()

    def plane(number: Value) -> None:
        names[chain.iterations[0]] = number
        code.again(chain.between[0], names)
        code.loop(rows, row, parallel=True)

    def row(number: Value) -> None:
        names[chain.iterations[1]] = code.op(e.ADD, first, number)
        code.again(chain.loops[1].blocks[0].body[:-1], names)

    code.loop(chain.counts[0], plane, parallel=True)
