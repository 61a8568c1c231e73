"""Scalars: a small array that is written first, and then read by elements, is its elements.

    %row = view %out, %i                         if (dim %out [axis=1]) == 2: ... else: fail
    %v = empty 2 : tensor<f64, [2]>       =>     set_index %out, %a, %i, 0
    set_index %v, %a, 0                          set_index %out, %b, %i, 1
    set_index %v, %b, 1
    assign %row, %v

That is a point, a colour, or a tuple that is stored into a row. An array may go if each use of it
reads an element at a constant place, computes another such array from it element by element, or
stores it into what has as many axes. The loops around work on no arrays then, and get versions
without checks.

Needs: core IR without library ops, after `inline`.
Gives: the same; same results, same exceptions.
Does not: touch arrays that are written again after they were read, or that are broadcast.
Cases: tests/cases/kernels/scalar_replacement.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import prod

from scriptc.analysis.instr_kinds import effects_of, raises_on_elements
from scriptc.analysis.remarks import Kind, Message, Topic, remark, remarks_wanted
from scriptc.kernels.builder import Code
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import rebuild
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Value, make, walk
from scriptc_runtime.ops import arrays, control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record
from scriptc_runtime.types import INT, NONE, TensorType, element_of

REPLACED = Message(
    "scalar_replacement",
    Topic.MEMORY,
    Kind.DONE,
    "no array in memory: its {count} elements are values in registers",
)

Place = tuple[int, ...]

_MAKES = (arrays.EMPTY, arrays.FULL)
_MOST_ELEMENTS = 9  # those of a 3 x 3 matrix
# What gives the same bits for a number as for an element, and raises nothing.
_COMPUTED = frozenset({e.ADD, e.SUB, e.MUL, e.NEG, e.ABS, e.CAST, *e.COMPARISONS})


@per_function
def scalar_replacement(function: Function) -> Function:
    """Return `function` with such arrays as scalars."""
    if not any(i.op in _MAKES and _shape(i.result) for i in walk(function.body)):
        return function
    small = _SmallArrays(function)
    if remarks_wanted():
        for instr in walk(function.body):
            for shape in (small.shapes[r] for r in instr.results if r in small.shapes):
                remark(REPLACED, instr.loc, count=prod(shape))
    return rebuild(function, _Opener(small).rewrite) if small.shapes else function


def _shape(array: Value) -> Place | None:
    """Return the shape of a small array; None where it is unknown, or too large."""
    if not isinstance(array.type, TensorType) or not array.type.rank:
        return None
    if not all(dim.is_constant for dim in array.type.dims):
        return None
    shape = tuple(dim.constant for dim in array.type.dims)
    return shape if 0 < prod(shape) <= _MOST_ELEMENTS else None


class _SmallArrays:
    """The arrays of a function that may go, and the views that they alone are stored into."""

    def __init__(self, function: Function) -> None:
        self.shapes: dict[Value, Place] = {}
        self.views: dict[Value, Instr] = {}
        self._numbers: dict[Value, int] = {}
        self._written: dict[Value, set[Place]] = {}
        self._read: set[Value] = set()
        self._computed: dict[Value, Instr] = {}
        self._refused: set[Value] = set()
        self._uses: Counter[Value] = Counter()
        self._block(function.body)
        self._drop_refused()
        if self.shapes:
            self._find_views(function.body)

    def place(self, index: Sequence[Value], shape: Place) -> Place | None:
        """Return the place that indices name; None if they are no constants, or lie outside."""
        found = tuple(self._numbers.get(value, -1) for value in index)
        inside = all(0 <= i < size for i, size in zip(found, shape, strict=True))
        return found if inside else None

    def _block(self, block: Block) -> None:
        own: set[Value] = set()  # what is made here, and so may be written here
        for instr in block.body:
            self._uses.update(instr.operands)
            if instr.op is data.CONST and instr.result.type is INT:
                value = instr.attrs["value"]
                assert isinstance(value, int)
                self._numbers[instr.result] = value
            for number, value in enumerate(instr.operands):
                if value in self.shapes and not self._is_opened(instr, number, value, own):
                    self._refused.add(value)
            for inner in instr.blocks:
                self._block(inner)
            if instr.op in _MAKES or _is_computed(instr):
                self._made(instr)
                own.add(instr.result)

    def _made(self, instr: Instr) -> None:
        shape = _shape(instr.result)
        if shape is None or (instr.op in _MAKES and not self._has_sizes(instr, shape)):
            return
        self.shapes[instr.result] = shape
        match instr.op:
            case arrays.EMPTY:
                self._written[instr.result] = set()
            case arrays.FULL:
                self._written[instr.result] = set(product(*map(range, shape)))
            case _:
                self._computed[instr.result] = instr

    def _has_sizes(self, instr: Instr, shape: Place) -> bool:
        """Whether an array is asked to have the shape that its type says: else it raises."""
        sizes = instr.operands[-len(shape) :]
        return shape == tuple(self._numbers.get(size) for size in sizes)

    def _is_opened(self, instr: Instr, number: int, array: Value, own: set[Value]) -> bool:
        """Whether a use of an array as operand `number` can be one of its elements."""
        shape = self.shapes[array]
        if instr.op is arrays.SET_INDEX and number == 0:
            place = self.place(instr.operands[2:], shape)
            if place is None or array in self._read or array not in own:
                return False
            self._written.get(array, set[Place]()).add(place)
            return array in self._written and instr.operands[1].type is element_of(array.type)
        self._read.add(array)
        if instr.op is arrays.INDEX:
            return self.place(instr.operands[1:], shape) is not None
        if instr.op is arrays.ASSIGN:
            return number == 1 and _fits(instr.operands[0], shape)
        return _is_computed(instr) and _shape(instr.result) == shape

    def _drop_refused(self) -> None:
        """Leave the arrays of which each use, and each operand, is opened."""
        for array, places in self._written.items():
            if len(places) < prod(self.shapes[array]):
                self._refused.add(array)
        before = -1
        while before < len(self._refused):
            before = len(self._refused)
            for result, instr in self._computed.items():
                whole = [v for v in instr.operands if isinstance(v.type, TensorType)]
                if result in self._refused or not all(
                    self.shapes.get(v) == self.shapes[result] and v not in self._refused
                    for v in whole
                ):
                    self._refused.update((result, *whole))
        for array in self._refused:
            self.shapes.pop(array, None)

    def _find_views(self, block: Block) -> None:
        """Find the views that nothing but a store of scalars needs.

        They are checked where the store is, so nothing that anyone could notice may come between.
        """
        waiting: dict[Value, Instr] = {}
        for instr in block.body:
            if instr.op is arrays.VIEW and self._uses[instr.result] == 1 and _is_plain(instr):
                waiting[instr.result] = instr
            elif instr.op is arrays.ASSIGN and instr.operands[1] in self.shapes:
                view = waiting.get(instr.operands[0])
                if view is not None:
                    self.views[view.result] = view
                waiting.clear()
            elif not self._goes(instr) and _is_noticed(instr):
                waiting.clear()
            for inner in instr.blocks:
                self._find_views(inner)

    def _goes(self, instr: Instr) -> bool:
        made = instr.op in _MAKES and instr.result in self.shapes
        return made or (instr.op is arrays.SET_INDEX and instr.operands[0] in self.shapes)


def _fits(target: Value, shape: Place) -> bool:
    """Whether what is stored there needs no broadcasting."""
    assert isinstance(target.type, TensorType)
    dims = target.type.dims
    if len(dims) != len(shape) or 2 * len(shape) > low.MOST_NUMBERS:
        return False
    return all(size != 1 or dim.is_constant for size, dim in zip(shape, dims, strict=True))


def _is_computed(instr: Instr) -> bool:
    """Whether an instruction computes elements that the same op gives for numbers."""
    if instr.op not in _COMPUTED or _shape(instr.result) is None:
        return False
    elements = [element_of(v.type) for v in instr.operands]
    known = [element for element in elements if element is not None]
    if len(known) < len(elements) or raises_on_elements(instr):
        return False
    return instr.op.infer(known, instr.attrs) == (element_of(instr.result.type),)


def _is_plain(view: Instr) -> bool:
    """Whether a view takes an element or the whole of each axis."""
    letters = str(view.attrs["axes"])
    whole = all(v.type in (INT, NONE) for v in view.operands[1:])
    counts = sum(v.type is NONE for v in view.operands), letters.count("s")
    return "n" not in letters and whole and counts[0] == 3 * counts[1]


def _is_noticed(instr: Instr) -> bool:
    if instr.blocks or instr.target:
        return True
    effects = effects_of(instr)
    return bool(effects.writes) or effects.raises or instr.op is control.CALL


@record(eq=False)
class _Where:
    """Where elements are stored: an index for each axis of `base`, or None for one that is kept."""

    base: Value
    index: Sequence[Value | None]

    @property
    def axes(self) -> Sequence[int]:
        return [axis for axis, index in enumerate(self.index) if index is None]


class _Opener:
    """Rewrites what is done with arrays to what is done with their elements."""

    def __init__(self, small: _SmallArrays) -> None:
        self._small = small
        self._elements: dict[Value, dict[Place, Value]] = {}

    def rewrite(self, instr: Instr, builder: Builder) -> Sequence[Value] | None:
        """Emit what stands for an instruction; see `rebuild`."""
        first = instr.operands[0] if instr.operands else None
        shapes, views = self._small.shapes, self._small.views
        if instr.op is arrays.VIEW and instr.result in views:
            views[instr.result] = instr  # with its operands as they are called now
        elif instr.op is arrays.EMPTY and instr.result in shapes:
            self._elements[instr.result] = {}
        elif instr.op is arrays.FULL and instr.result in shapes:
            every = product(*map(range, shapes[instr.result]))
            self._elements[instr.result] = dict.fromkeys(every, instr.operands[0])
        elif len(instr.results) == 1 and instr.result in shapes:
            self._elements[instr.result] = self._computed(instr, builder)
        elif instr.op is arrays.SET_INDEX and first in shapes:
            place = self._small.place(instr.operands[2:], shapes[first])
            assert place is not None
            self._elements[first][place] = instr.operands[1]
        elif instr.op is arrays.INDEX and first in shapes:
            place = self._small.place(instr.operands[1:], shapes[first])
            assert place is not None
            return (self._elements[first][place],)
        elif instr.op is arrays.ASSIGN and instr.operands[1] in shapes:
            self._assign(Code(builder, instr.loc), *instr.operands)
        else:
            return None
        return instr.results

    def _computed(self, instr: Instr, builder: Builder) -> dict[Place, Value]:
        found: dict[Place, Value] = {}
        for place in product(*map(range, self._small.shapes[instr.result])):
            operands = [
                self._elements[v][place] if v in self._elements else v for v in instr.operands
            ]
            found[place] = builder.append(make(instr.op, operands, instr.attrs, instr.loc)).result
        return found

    def _assign(self, code: Code, target: Value, source: Value) -> None:
        shape = self._small.shapes[source]
        view = self._small.views.get(target)
        where = _where(view) if view else _Where(target, [None] * len(shape))
        self._require(code, where, shape, view)
        if view:
            code = code.at(view.loc)
        for place, value in self._elements[source].items():
            kept = iter(place)
            index = [
                code.builder.emit(data.CONST, loc=code.loc, value=next(kept)) if i is None else i
                for i in where.index
            ]
            code.builder.effect(arrays.SET_INDEX, where.base, value, *index, loc=code.loc)

    def _require(self, code: Code, where: _Where, shape: Place, view: Instr | None) -> None:
        """Check that elements fit where they are stored, in NumPy's words if not."""
        assert isinstance(where.base.type, TensorType)
        dims = [where.base.type.dims[axis] for axis in where.axes]
        if dims == [Dim(size) for size in shape]:
            return
        emit = code.builder.emit
        own = [code.number(size) for size in shape]
        sizes = [emit(arrays.DIM, where.base, loc=code.loc, axis=a) for a in where.axes]
        others = [code.to_i64(size) for size in sizes]
        pairs = zip(own, others, strict=True)
        fits = code.both([code.test(e.EQ, first, second) for first, second in pairs])
        label = Label("check")
        code.builder.open()
        code.builder.exit(label, loc=code.loc)
        passed = code.builder.close()
        code.builder.open()
        if view:
            code.builder.append(_copy(view))  # an index that is out of range is noticed first
        inner = ",".join("{}" for _ in shape)
        text = f"({inner}{',' if len(shape) == 1 else ''})"
        message = f"could not broadcast input array from shape {text} into shape {text}"
        code.builder.effect(
            low.FAIL, *own, *others, loc=code.loc, kind="ValueError", message=message
        )
        failed = code.builder.close()
        code.builder.region(control.IF, (fits,), (passed, failed), label, (), code.loc)


def _copy(view: Instr) -> Instr:
    return make(view.op, view.operands, view.attrs, view.loc)


def _where(view: Instr) -> _Where:
    base, *operands = view.operands
    assert isinstance(base.type, TensorType)
    given = iter(operands)
    index: list[Value | None] = []
    for letter in str(view.attrs["axes"]):
        if letter == "i":
            index.append(next(given))
        else:
            _ = next(given), next(given), next(given)
            index.append(None)
    return _Where(base, [*index, *[None] * (base.type.rank - len(index))])
