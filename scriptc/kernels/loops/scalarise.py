"""Slices: rows and columns that a loop takes from arrays are opened as loops over elements.

    for j in range(i):                              for j in range(i):
        a[i, j] -= a[i, :j] @ a[:j, j]      =>          s = reduce j {(k) a[i, k] * a[k, j]}
                                                        a[i, j] = a[i, j] - s

A view costs no more than its bounds then, the parts need no memory, and the nest that appears is
one that `interchange` can look at. This is the body of the fast version of a loop; `versions` has
the guard prove, for every iteration at once, what is left unchecked:

- bounds of slices are linear forms that lie in order inside their axis, so nothing is clipped;
- parts that meet have the same length, so nothing is broadcast or refused;
- two arrays of which one is written share no memory.

An assignment computes its right side first. It is one loop where an element that is read is the
one that is written, or lies ahead of it in the same part, or in a row that is known to be another;
else the right side goes through a buffer.

Needs: a loop of core IR without library ops.
Gives: the same loop without views and arithmetic of arrays, and what the guard must prove.
Does not: open slices whose bounds are no linear forms, parts of two axes, or loops over whole rows
that are good nests as they are: there must be a product of two parts, a column, or an inner loop.
"""

from collections.abc import Callable, Mapping, Sequence

from scriptc.analysis.affine import Affine
from scriptc.analysis.instr_kinds import effects_of, is_straight, raises_on_elements
from scriptc.analysis.remarks import Kind, Message, Topic
from scriptc.analysis.sections import UP, ZERO, Part, Place, Places, Unopened
from scriptc.kernels.builder import I64, Code, emit_form
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ir import Block, Builder, Instr, Label, Value, make, walk
from scriptc_runtime.ops import arrays, control, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Attrs, OpDef, Trait
from scriptc_runtime.record import field, record, replace
from scriptc_runtime.types import BOOL, DType, TensorType, element_of

OPENED = Message(
    "scalarise",
    Topic.FUSION,
    Kind.DONE,
    "slices in this loop are loops over their elements, without views or temporaries",
)


@record(eq=False)
class Buffer:
    """Memory for a part: its array, and the most elements that it ever has."""

    array: Value
    most: Affine


@record(eq=False)
class Opened:
    """A loop without views, and what must hold before it may run."""

    loop: Instr
    conditions: Sequence[Affine]  # each at least 0
    pairs: Sequence[tuple[Value, Value]]  # each of arrays that share no memory
    sizes: Sequence[Instr]  # to stand before the guard
    buffers: Sequence[Buffer]


@record(eq=False)
class _Computed:
    """Elements computed from parts, scalars and other elements; `age` counts writes before it."""

    op: OpDef | None
    attrs: Attrs
    args: tuple["_Row", ...]
    instr: Instr
    age: int


@record(eq=False)
class _Same:
    """One value for every element."""

    value: Value


_Row = Part | _Computed | _Same


def open_slices(
    loop: Instr, definitions: Mapping[Value, Instr], lasting: set[Value]
) -> Opened | None:
    """Return a counted loop with what it does to slices opened; None where it stays as it is."""
    if loop.op is not control.FOR or loop.attrs or not _has_reason(loop):
        return None
    opener = _Opener(loop, definitions, lasting)
    try:
        return opener.run()
    except Unopened:
        return None


def _has_reason(loop: Instr) -> bool:
    """Whether the loop does something to slices that a nest for each of them does badly."""
    body = list(walk(loop.blocks[0]))
    if not any(i.op is arrays.VIEW for i in body):
        return False
    if any(i.op is arrays.MATMUL and not isinstance(i.result.type, TensorType) for i in body):
        return True
    if any(map(_is_column, body)):
        return True
    nested = any(i.op is control.FOR for i in loop.blocks[0].body)
    return nested and any(i.op in (arrays.SET_INDEX, low.STORE) for i in body)


def _writes(instr: Instr) -> bool:
    if not is_straight(instr):
        return False
    return bool(effects_of(instr).writes) or instr.op is control.CALL


def _is_column(instr: Instr) -> bool:
    if instr.op is not arrays.VIEW:
        return False
    letters, base = str(instr.attrs["axes"]), instr.operands[0].type
    assert isinstance(base, TensorType)
    return "s" in letters and letters.endswith("i") and len(letters) == base.rank


@record(eq=False)
class _Found:
    pairs: dict[tuple[Value, Value], None] = field(default_factory=dict[tuple[Value, Value], None])
    buffers: list[Buffer] = field(default_factory=list[Buffer])


class _Opener:
    def __init__(
        self, loop: Instr, definitions: Mapping[Value, Instr], lasting: set[Value]
    ) -> None:
        self._loop = loop
        self._lasting = lasting
        self._definitions = definitions
        self._places = Places(loop, definitions, lasting.__contains__)
        self._rows: dict[Value, _Row] = {}
        self._found = _Found()
        self._builder = Builder()
        self._writes: list[Value | None] = []  # the arrays written so far; None is any

    def run(self) -> Opened:
        block = self._block(self._loop.blocks[0])
        found = self._found
        return Opened(
            replace(self._loop, blocks=(block,)),
            tuple(self._places.conditions),
            tuple(found.pairs),
            tuple(self._places.sizes),
            tuple(found.buffers),
        )

    def _block(self, block: Block) -> Block:
        self._builder.open(*block.params)
        for instr in block.body:
            self._instr(instr)
        return self._builder.close()

    def _instr(self, instr: Instr) -> None:
        if instr.blocks:
            if instr.op not in (control.FOR, control.IF) or instr.attrs:
                raise Unopened
            # What is computed before a loop meets what any iteration of it writes.
            self._writes += [self._written(i) for i in walk(instr.blocks[0]) if _writes(i)]
            blocks = tuple(self._block(b) for b in instr.blocks)
            self._builder.append(replace(instr, blocks=blocks))
        elif instr.op is arrays.VIEW:
            base = self._part(instr.operands[0])
            self._rows[instr.result] = self._places.view(instr, base)
        elif instr.op is arrays.ASSIGN:
            self._assign(instr)
        elif instr.op is arrays.MATMUL:
            self._product(instr)
        elif any(isinstance(r.type, TensorType) for r in instr.results):
            self._rows[instr.result] = self._computed(instr)
        else:
            self._keep(instr)

    def _keep(self, instr: Instr) -> None:
        for value in instr.operands:
            if isinstance(value.type, TensorType) and value not in self._lasting:
                raise Unopened
        if _writes(instr):
            self._writes.append(self._written(instr))
        self._builder.append(instr)

    def _written(self, instr: Instr) -> Value | None:
        """Return the array that an instruction writes; None where that may be any."""
        if instr.op not in (arrays.SET_INDEX, arrays.ASSIGN, low.STORE):
            return None
        array = instr.operands[0]
        while (made := self._definitions.get(array)) is not None and made.op is arrays.VIEW:
            array = made.operands[0]
        return array

    def _part(self, value: Value) -> Part:
        row = self._rows.get(value)
        return row if isinstance(row, Part) else self._places.whole(value)

    # Elements.

    def _row(self, value: Value) -> _Row:
        if value in self._rows:
            return self._rows[value]
        if isinstance(value.type, TensorType):
            return self._part(value)
        return _Same(value)

    def _computed(self, instr: Instr) -> _Computed:
        elementwise = Trait.ELEMENTWISE in instr.op.traits
        if not (elementwise or instr.op is arrays.COPY) or len(instr.results) != 1:
            raise Unopened
        elements = [element_of(v.type) for v in instr.operands]
        if elementwise and (raises_on_elements(instr) or None in elements):
            raise Unopened
        op = instr.op if elementwise else None
        row = _Computed(
            op, instr.attrs, tuple(map(self._row, instr.operands)), instr, len(self._writes)
        )
        self._count(row)
        return row

    def _count(self, row: _Row) -> Affine | None:
        """Return the number of elements, which the guard holds to be one; None for a scalar."""
        match row:
            case Part():
                if len(row.along) != 1:
                    raise Unopened
                return row.places[row.along[0]].count
            case _Same():
                return None
            case _Computed():
                count = None
                for arg in row.args:
                    own = self._count(arg)
                    if count is not None and own is not None:
                        self._places.same(count, own)
                    count = count if own is None else own
                return count

    def _parts(self, row: _Row) -> list[Part]:
        match row:
            case Part():
                return [row]
            case _Same():
                return []
            case _Computed():
                parts = [p for arg in row.args for p in self._parts(arg)]
                for written in self._writes[row.age :]:
                    self._require_unwritten(parts, written)
                return parts

    def _require_unwritten(self, parts: Sequence[Part], written: Value | None) -> None:
        """Have the guard prove that what was read before a write is the same after it."""
        if written is None or any(p.array is written for p in parts):
            raise Unopened
        self._found.pairs.update(dict.fromkeys((p.array, written) for p in parts))

    # Loops over elements.

    def _product(self, instr: Instr) -> None:
        if isinstance(instr.result.type, TensorType):
            raise Unopened
        element = instr.result.type
        if not isinstance(element, DType) or element is DType.F16 or element.kind not in "fi":
            raise Unopened
        rows = [self._row(v) for v in instr.operands]
        counts = [self._count(row) for row in rows]
        if counts[0] is None or counts[1] is None:
            raise Unopened
        self._places.same(counts[0], counts[1])
        for row in rows:
            self._parts(row)
        code = Code(self._builder, instr.loc)
        elements = [self._element(code, row) for row in rows]
        count = emit_form(code, counts[0])
        index, label = Value(I64, "k"), Label("reduce")
        self._builder.open(index)
        first, second = (element(index) for element in elements)
        self._builder.exit(label, code.op(e.MUL, first, second), next=True, loc=instr.loc)
        attrs: Attrs = {"kind": "sum", "parallel": False}
        block = self._builder.close()
        results = instr.results
        self._builder.append(
            Instr(low.REDUCE, (count,), attrs, results, instr.loc, (block,), label)
        )

    def _assign(self, instr: Instr) -> None:
        target, source = self._part(instr.operands[0]), self._row(instr.operands[1])
        count, own = self._count(target), self._count(source)
        assert count is not None
        if own is not None:
            self._places.same(count, own)
        through_buffer = [self._is_overwritten(p, target) for p in self._parts(source)]
        code = Code(self._builder, instr.loc)
        if any(through_buffer):
            source = self._buffered(code, source, count)
        self._store(code, target, source, count)
        self._writes.append(target.array)

    def _is_overwritten(self, part: Part, target: Part) -> bool:
        """Whether an assignment may write an element of `part` before it is read."""
        if part.array is not target.array:
            self._found.pairs[part.array, target.array] = None
            return False
        if part.along != target.along:
            return not self._lies_apart(part, target)
        (axis,) = target.along
        own, written = part.places[axis], target.places[axis]
        by = own.first.plus(written.first, -1)
        ahead = own.step == written.step and by.is_constant and by.constant * own.step >= 0
        pairs = zip(part.places, target.places, strict=True)
        same_row = all(a.first.equals(b.first) for a, b in pairs if a.count is None)
        return not (ahead and same_row) and not self._lies_apart(part, target)

    def _lies_apart(self, part: Part, target: Part) -> bool:
        """Whether the index of an axis shows that two parts of an array share no element."""
        for own, written in zip(part.places, target.places, strict=True):
            if own.count is not None or written.count is not None:
                continue
            ends = self._places.forms.range(own.first.plus(written.first, -1))
            if ends.low.is_constant and ends.low.constant > 0:
                return True
            if ends.high.is_constant and ends.high.constant < 0:
                return True
        return False

    def _buffered(self, code: Code, source: _Row, count: Affine) -> _Row:
        """Emit the loop that computes `source` into a buffer, and return that as a part."""
        most = self._places.forms.range(count).high
        if not most.is_small or any(v in self._places.forms.inside for v, _ in most.terms):
            raise Unopened
        assert isinstance(source, _Computed | Part)
        dtype = _dtype(source)
        array = Value(TensorType(dtype, (UNKNOWN,)))
        self._found.buffers.append(Buffer(array, most))
        part = Part(array, (Place(ZERO, count),))
        self._store(code, part, source, count)
        return part

    def _store(self, code: Code, target: Part, source: _Row, count: Affine) -> None:
        element = self._element(code, source)
        places = self._index(code, target)
        iterations = emit_form(code, count)

        def store(index: Value) -> None:
            value = element(index)
            code.builder.effect(low.STORE, target.array, value, *places(index), loc=code.loc)

        code.loop(iterations, store, parallel=False)

    def _element(self, code: Code, row: _Row) -> Callable[[Value], Value]:
        """Emit what all elements share, and return what emits the one at an index."""
        match row:
            case Part():
                places = self._index(code, row)
                return lambda index: code.op(low.LOAD, row.array, *places(index))
            case _Same():
                return lambda index: row.value
            case _Computed():
                args = [self._element(code, arg) for arg in row.args]
                return lambda index: _apply(code, row, [arg(index) for arg in args])

    def _index(self, code: Code, part: Part) -> Callable[[Value], list[Value]]:
        firsts = [emit_form(code, place.first) for place in part.places]

        def at(index: Value) -> list[Value]:
            found: list[Value] = []
            for place, first in zip(part.places, firsts, strict=True):
                if place.count is None:
                    found.append(first)
                elif place.first == ZERO and place.step == UP:
                    found.append(index)
                else:
                    found.append(code.op(e.ADD if place.step == UP else e.SUB, first, index))
            return found

        return at


def _dtype(row: Part | _Computed) -> DType:
    value = row.array if isinstance(row, Part) else row.instr.result
    assert isinstance(value.type, TensorType)
    return value.type.dtype


def _apply(code: Code, row: _Computed, args: Sequence[Value]) -> Value:
    if row.op is None:
        return args[0]
    if row.op is e.WHERE:
        condition = code.builder.emit(e.CAST, args[0], loc=row.instr.loc, to=BOOL)
        return code.builder.emit(low.SELECT, condition, *args[1:], loc=row.instr.loc)
    return code.builder.append(make(row.op, args, row.attrs, row.instr.loc)).result
