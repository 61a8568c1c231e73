"""Pairs of products that read one matrix: `a @ x` and `y @ a` become one pass over it.

    %1 = matmul %a, %x                       both_products %1, %2, %room, %a, %x, %y
    ...                                =>    ...
    %2 = matmul %y, %a

The second product is computed with the first one.  That is right where its vector is there already,
or is the first result itself, as in `(a @ x) @ a`, and where nothing between the two writes the
matrix or that vector.  What is written in between may share memory with either of them, as any two
arguments may: then a test decides when the function runs, and the second product stays where it is
if it has to, as it does where its sizes do not fit and it will raise.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.effects import FunctionEffects
from scriptc_runtime.ir import Block, Instr, Value
from scriptc_runtime.ops import arrays
from scriptc_runtime.record import record
from scriptc_runtime.types import DType, TensorType

# Instructions between the two; what stands further apart is not looked for.
_NEAR = 40


@record(eq=False)
class Product:
    """A product of a matrix and a vector: `matrix @ vector`, or with `left` `vector @ matrix`."""

    instr: Instr
    matrix: Value
    vector: Value
    left: bool


@record(eq=False)
class Pair:
    """Two products, one with a vector on each side; `written` may share memory with operands."""

    first: Product
    second: Product
    written: Sequence[Value]

    @property
    def chained(self) -> bool:
        """Whether the second product takes its vector from the first."""
        return self.second.vector is self.first.instr.result


def find_pairs(block: Block, effects: FunctionEffects) -> Mapping[Instr, Pair]:
    """Return the pairs among the instructions of a block, under both of their products."""
    found: dict[Instr, Pair] = {}
    places = {instr: place for place, instr in enumerate(block.body)}
    turned = {i.result: i.operands[0] for i in block.body if _turns(i)}
    products = [p for instr in block.body if (p := _as_product(instr, turned)) is not None]
    for number, first in enumerate(products):
        for second in products[number + 1 :]:
            if first.instr in found or second.instr in found:
                continue
            start, stop = places[first.instr], places[second.instr]
            if stop - start > _NEAR:
                break
            pair = _pair(first, second, block.body[start + 1 : stop], effects)
            if pair is not None:
                found[first.instr] = found[second.instr] = pair
    return found


def _turns(instr: Instr) -> bool:
    """Whether an instruction swaps the axes of a matrix: a transposition may keep their order."""
    return instr.op is arrays.TRANSPOSE and instr.attrs["order"] == (1, 0)


def _as_product(instr: Instr, turned: Mapping[Value, Value]) -> Product | None:
    if instr.op is not arrays.MATMUL:
        return None
    ranks = [v.type.rank if isinstance(v.type, TensorType) else 0 for v in instr.operands]
    if ranks not in ([2, 1], [1, 2]):
        return None
    left = ranks == [1, 2]
    matrix, vector = reversed(instr.operands) if left else instr.operands
    assert isinstance(matrix.type, TensorType)
    if matrix.type.dtype not in (DType.F32, DType.F64):
        return None
    if matrix in turned:
        return Product(instr, turned[matrix], vector, not left)
    return Product(instr, matrix, vector, left)


def _pair(
    first: Product, second: Product, between: Sequence[Instr], effects: FunctionEffects
) -> Pair | None:
    if first.matrix is not second.matrix or first.left == second.left:
        return None
    made = {r for instr in between for r in instr.results}
    chained = second.vector is first.instr.result
    if second.vector in made or (chained and first.left) or any(i.blocks for i in between):
        return None
    written: dict[Value, None] = {}
    for instr in between:
        for value in effects.footprint(instr).writes:
            if effects.may_alias(value, first.matrix) or effects.may_alias(value, second.vector):
                written[value] = None
    if any(value in made or value is first.instr.result for value in written):
        return None
    return Pair(first, second, list(written))
