"""Pack: a column that a nest reads again and again is laid out as a row first.

    for i in range(n):                              t = columns of a, one after the other
        for k in range(m):                          for i in range(n):
            loop i + 1 {(j)                 =>          for k in range(m):
              c[i, j] += a[i, k] * a[j, k]}                 loop i + 1 {(j)
                                                              c[i, j] += a[i, k] * t[k, j]}

The innermost loop, over a part of a column, jumps from row to row of `a`, in each iteration of an
outer loop that meets the same elements. They are copied once, to where they are neighbours: the
part of the array between the least and the greatest index on both axes. It is legal where nothing
in the nest writes the array.

Needs: low IR with what `assumptions` assumes of arrays.
Gives: low IR, same results bit for bit.
Does not: pack arrays that are written, or of other ranks than two, or what is read once.
Cases: tests/cases/loops/pack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scriptc.analysis import dependence
from scriptc.analysis.affine import Affine, LoopForms, Range
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.remarks import Kind, Message, Named, Topic, remark
from scriptc.kernels.builder import Code, emit_form
from scriptc.kernels.loops.nest_parts import is_quiet
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import rebuild_outermost
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Value, walk
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import INT, TensorType

_ROUNDS = (low.LOOP, low.REDUCE)


PACKED = Message(
    "pack", Topic.MEMORY, Kind.DONE, "columns of {array} are copied to rows before the loop"
)


@per_function
def pack(function: Function) -> Function:
    """Return `function` with columns laid out as rows where that pays."""
    if not any(i.op is low.ASSUME_DISTINCT for i in walk(function.body)):
        return function
    definitions = definitions_of(function)

    def packed(instr: Instr, builder: Builder) -> bool:
        if instr.op is not control.FOR or instr.attrs:
            return False
        for new in _Packer(instr, definitions).run():
            builder.append(new)
        return True

    body = rebuild_outermost(function.body, packed)
    return function if body is function.body else replace(function, body=body)


@record(eq=False)
class _Box:
    """A part of an array, and the columns in it as rows: where it begins, and the new array."""

    array: Value
    ends: tuple[Range, Range]
    firsts: tuple[Value, Value]
    packed: Value


class _Packer:
    def __init__(self, loop: Instr, definitions: Mapping[Value, Instr]) -> None:
        self._loop = loop
        self._definitions = definitions
        self._forms = LoopForms(loop, definitions)
        self._written = {i.operands[0] for i in walk(loop.blocks[0]) if i.op is low.STORE}
        self._boxes: list[_Box] = []
        self._builder = Builder()

    def run(self) -> list[Instr]:
        if not all(_is_plain(i) for i in walk(self._loop.blocks[0])):
            return [self._loop]
        self._builder.open()
        block = self._block(self._loop.blocks[0], (self._loop.blocks[0].params[0],))
        before = self._builder.close().body
        if not self._boxes:
            return [self._loop]
        for box in self._boxes:
            remark(PACKED, self._loop.loc, array=Named(box.array, self._definitions))
        return [*before, replace(self._loop, blocks=(block,))]

    def _block(self, block: Block, variables: Sequence[Value]) -> Block:
        body: list[Instr] = []
        for instr in block.body:
            inner = (*variables, instr.blocks[0].params[0]) if _is_loop(instr) else variables
            if instr.op in _ROUNDS and not any(i.blocks for i in instr.blocks[0].body):
                body.append(self._iterations(instr, inner))
                continue
            blocks = tuple(self._block(b, inner) for b in instr.blocks)
            body.append(replace(instr, blocks=blocks) if blocks else instr)
        return Block(block.params, tuple(body))

    def _iterations(self, loop: Instr, variables: Sequence[Value]) -> Instr:
        (block,) = loop.blocks
        builder = Builder()
        builder.open(*block.params)
        for instr in block.body:
            box = self._box(instr, variables) if instr.op is low.LOAD else None
            if box is None:
                builder.append(instr)
                continue
            code = Code(builder, instr.loc)
            _, row, column = instr.operands
            places = [
                index if _is_zero(ends) else code.op(e.SUB, index, first)
                for index, ends, first in zip((row, column), box.ends, box.firsts, strict=True)
            ]
            builder.append(replace(instr, operands=(box.packed, places[1], places[0])))
        return replace(loop, blocks=(builder.close(),))

    def _box(self, load: Instr, variables: Sequence[Value]) -> _Box | None:
        """Return what to read instead of a column; None where it stays where it is."""
        access = dependence.access_of(load, self._forms)
        if access is None or len(access.index) != 2 or not self._is_kept(access.array):
            return None
        steps = [dict(form.terms) for form in access.index]
        down = [s.get(variables[-1], 0) for s in steps]
        if down != [1, 0] or all(v in steps[0] or v in steps[1] for v in variables):
            return None
        return self._known(access) or self._new(access)

    def _is_kept(self, array: Value) -> bool:
        """Whether nothing in the nest writes what an array holds."""
        return all(
            dependence.is_distinct(array, other, self._definitions) for other in self._written
        )

    def _known(self, access: dependence.Access) -> _Box | None:
        ranges = [self._forms.range(form) for form in access.index]
        for box in self._boxes:
            pairs = zip(box.ends, ranges, strict=True)
            if box.array is access.array and all(
                a.low.equals(b.low) and a.high.equals(b.high) for a, b in pairs
            ):
                return box
        return None

    def _new(self, access: dependence.Access) -> _Box | None:
        rows, columns = (self._forms.range(form) for form in access.index)
        ends = (rows.low, rows.high, columns.low, columns.high)
        inside = self._forms.inside
        if any(not form.is_small or any(v in inside for v, _ in form.terms) for form in ends):
            return None
        code = Code(self._builder, self._loop.loc)
        (first_row, height), (first_column, width) = (
            _clipped(code, access.array, axis, ends) for axis, ends in enumerate((rows, columns))
        )
        assert isinstance(access.array.type, TensorType)
        type_ = TensorType(access.array.type.dtype, (UNKNOWN, UNKNOWN))
        packed = code.new_array(type_, [width, height])

        def column(number: Value) -> None:
            place = code.op(e.ADD, first_column, number)

            def element(index: Value) -> None:
                row = code.op(e.ADD, first_row, index)
                value = code.op(low.LOAD, access.array, row, place)
                code.builder.effect(low.STORE, packed, value, number, index, loc=code.loc)

            code.loop(height, element, parallel=False)

        _columns(code, width, column)
        box = _Box(access.array, (rows, columns), (first_row, first_column), packed)
        self._boxes.append(box)
        return box


def _is_loop(instr: Instr) -> bool:
    return instr.op is control.FOR or instr.op in _ROUNDS


def _is_plain(instr: Instr) -> bool:
    """Whether an instruction writes nothing but elements, and a loop is no other than counted."""
    if instr.blocks:
        return (_is_loop(instr) and not instr.attrs.get("grows")) or instr.op is control.IF
    return instr.target is not None or is_quiet(instr)


def _is_zero(ends: Range) -> bool:
    return ends.low == Affine(0)


def _clipped(code: Code, array: Value, axis: int, ends: Range) -> tuple[Value, Value]:
    """Return the first index of a box and how many there are, inside of the array."""
    zero = code.number(0)
    first, last = (emit_form(code, form) for form in (ends.low, ends.high.plus(Affine(1))))
    first = code.op(e.MAXIMUM, first, zero)
    last = code.op(e.MINIMUM, last, code.size(array, axis))
    return first, code.op(e.MAXIMUM, code.op(e.SUB, last, first), zero)


def _columns(code: Code, count: Value, emit: Callable[[Value], None]) -> None:
    builder, index, label = code.builder, Value(INT, "column"), Label("for")
    zero, one = (builder.emit(data.CONST, loc=code.loc, value=n) for n in (0, 1))
    operands = (zero, code.to_int(count), one)
    builder.open(index)
    emit(code.to_i64(index))
    builder.exit(label, next=True, loc=code.loc)
    block = builder.close()
    builder.append(Instr(control.FOR, operands, {}, (), code.loc, (block,), label))
