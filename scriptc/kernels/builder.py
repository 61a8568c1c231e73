"""Emits the scalar code that surrounds loop nests: sizes, checks, loops."""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager

from scriptc.analysis.affine import Affine
from scriptc.analysis.contiguity import Order
from scriptc.analysis.remarks import made_at, part_of, same_as
from scriptc.passes.rebuild import Renaming, clone
from scriptc_runtime.dims import ONE, symbol
from scriptc_runtime.ir import (
    NOWHERE,
    Block,
    Builder,
    Function,
    Instr,
    Label,
    Loc,
    Role,
    Value,
    make,
)
from scriptc_runtime.ops import arrays, control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Attrs, OpDef
from scriptc_runtime.ops.reshaping import RESHAPED
from scriptc_runtime.record import field, record
from scriptc_runtime.types import BOOL, COMPLEX, FLOAT, INT, NONE, DType, TensorType, Type
from scriptc_runtime.values import INT_MAX

I64 = DType.I64
# What arrays keep Python's numbers as.
KEPT_AS: Mapping[Type, DType] = {
    BOOL: DType.B1,
    INT: I64,
    FLOAT: DType.F64,
    COMPLEX: DType.C128,
}


@record
class _Facts:
    """What is known of arrays."""

    dense: set[Value] = field(default_factory=set[Value])
    rows: set[Value] = field(default_factory=set[Value])
    made: set[Value] = field(default_factory=set[Value])
    spaced: set[Value] = field(default_factory=set[Value])
    sizes: dict[Value, tuple[Value, ...]] = field(default_factory=dict[Value, tuple[Value, ...]])
    ones: set[Value] = field(default_factory=set[Value])  # sizes that are hardly ever another
    same: dict[Value, Value] = field(
        default_factory=dict[Value, Value]
    )  # sizes that are equal here
    scattered: set[Value] = field(default_factory=set[Value])
    arguments: list[Value] = field(default_factory=list[Value])
    functions: dict[str, Function] = field(default_factory=dict[str, Function])
    versions: bool = True
    has_functions: bool = False


class Code:
    """A builder that speaks of i64 sizes and indices; `loc` goes to what it emits."""

    def __init__(
        self,
        builder: Builder,
        loc: Loc = NOWHERE,
        facts: "_Facts | None" = None,
        *,
        versions: bool = True,
        has_functions: bool = False,
    ) -> None:
        self.builder = builder
        self.loc = loc
        self._facts = facts or _Facts(versions=versions, has_functions=has_functions)

    def at(self, loc: Loc) -> "Code":
        """Return the same code at another place of the source."""
        return Code(self.builder, loc, self._facts)

    @property
    def versions(self) -> bool:
        """Whether what is emitted runs often enough for versions of it."""
        return self._facts.versions

    @property
    def functions(self) -> Mapping[str, Function]:
        """The functions that were made for what is emitted, by name."""
        return self._facts.functions

    @property
    def has_functions(self) -> bool:
        """Whether what is long and often the same may be functions."""
        return self._facts.has_functions

    def shared(
        self, name: str, operands: Sequence[Value], emit: "Callable[[Code, Sequence[Value]], None]"
    ) -> None:
        """Call a function that all code of this name has in common.

        Its body is what `emit` emits for its parameters; what it raises, the caller raises.
        """
        if name not in self._facts.functions:
            params = [Value(_of_any_size(v.type, i), f"p{i}") for i, v in enumerate(operands)]
            builder, label = Builder(), Label("return")
            builder.open()
            emit(Code(builder), params)
            builder.exit(label, builder.emit(data.CONST, value=None))
            body, role = builder.close(), Role.SHARED
            made = Function(name, tuple(params), NONE, body, label, role=role)
            self._facts.functions[name] = made
        self.builder.emit(control.CALL, *operands, loc=self.loc, callee=name, result=NONE)

    def is_dense(self, array: Value) -> bool:
        """Whether `array` is known to be C-contiguous."""
        return array in self._facts.dense

    def has_rows(self, array: Value) -> bool:
        """Whether the rows of `array` are known to be contiguous."""
        return array in self._facts.rows or array in self._facts.dense

    def is_made(self, array: Value) -> bool:
        """Whether `array` was made here, so whoever sees its definition knows it C-contiguous."""
        return array in self._facts.made

    def is_spaced(self, array: Value) -> bool:
        """Whether no rows of `array` are contiguous, but those of one element."""
        return array in self._facts.spaced

    def expect_order(self, array: Value, order: Order, *, spaced: bool = False) -> None:
        """Take note of what is known of the places of elements."""
        if spaced:
            self._facts.spaced.add(array)
        if order is Order.DENSE:
            self._facts.dense.add(array)
        elif order is Order.ROWS:
            self._facts.rows.add(array)

    def is_argument(self, array: Value) -> bool:
        """Whether `array` is one that a caller gave, for code that may copy it."""
        return array in self._facts.arguments

    def expect_arguments(self, arrays: Sequence[Value]) -> Sequence[Value]:
        """Take note of what a caller gives, and return what was noted before."""
        before = tuple(self._facts.arguments)
        self._facts.arguments[:] = arrays
        return before

    def is_scattered(self, array: Value) -> bool:
        """Whether `array` is a view made here whose rows hardly ever lie as such in memory."""
        return array in self._facts.scattered

    def number(self, value: int) -> Value:
        """Return the constant `value`."""
        return self.builder.emit(data.CONST, loc=self.loc, value=value, dtype=I64)

    def to_i64(self, value: Value) -> Value:
        """Return an int as an i64."""
        return value if value.type is I64 else self.cast(value, I64)

    def cast(self, value: Value, to: DType) -> Value:
        """Return `value` converted."""
        return self.builder.emit(e.CAST, value, loc=self.loc, to=to)

    def to_int(self, value: Value) -> Value:
        """Return an i64 as an int."""
        return self.builder.emit(e.CAST, value, loc=self.loc, to=INT)

    def op(self, op: OpDef, *operands: Value) -> Value:
        """Return the result of `op`."""
        return self.builder.emit(op, *operands, loc=self.loc)

    def test(self, op: OpDef, first: Value, second: Value) -> Value:
        """Return a comparison of NumPy scalars as a bool."""
        return self.builder.emit(e.CAST, self.op(op, first, second), loc=self.loc, to=BOOL)

    def both(self, conditions: Sequence[Value]) -> Value:
        """Return whether all conditions hold; there must be one."""
        total = conditions[0]
        for condition in conditions[1:]:
            total = self.op(e.AND, total, condition)
        return total

    def select(
        self, condition: Value, first: Value, second: Value, *, seldom: bool = False
    ) -> Value:
        """Return `first` where the bool holds, which may be `seldom`, else `second`."""
        attrs: Attrs = {"seldom": True} if seldom else {}
        made = make(low.SELECT, (condition, first, second), attrs, self.loc)
        return self.builder.append(made).result

    def iterations(self, start: Value, stop: Value) -> Value:
        """Return how many iterations a loop from `start` to before `stop` has.

        Where there is none, the difference of the two may be one that does not fit.
        """
        some = self.test(e.LT, start, stop)
        return self.select(some, self.op(e.SUB, stop, start), self.number(0))

    def length_of_range(
        self, start: Value, stop: Value, step: Value, known: Sequence[int | None]
    ) -> Value:
        """Return how many items a range has, whose step is not 0; `known` are its numbers.

        Of more than 2**63 - 1 it has as many: no loop comes to their end, no memory holds them.
        """
        zero = self.number(0)
        if known[0] == 0 and known[2] == 1:
            return self.op(e.MAXIMUM, stop, zero)
        one = self.number(1)
        low, high, pace = start, stop, step
        if known[2] is None:
            up = self.test(e.GT, step, zero)
            low, high = self.select(up, start, stop), self.select(up, stop, start)
            pace = self.select(up, step, self.op(e.NEG, step))
        elif known[2] < 0:
            low, high, pace = stop, start, self.op(e.NEG, step)
        some = self.test(e.LT, low, high)
        # Without a sign, as a distance may be one that does not fit, and so may the least step's.
        gaps = self.cast(self.op(e.SUB, self.op(e.SUB, high, low), one), DType.U64)
        if known[2] not in (1, -1):
            gaps = self.op(e.FLOORDIV, gaps, self.cast(pace, DType.U64))
        most = self.cast(self.number(INT_MAX - 1), DType.U64)
        count = self.op(e.ADD, self.cast(self.op(e.MINIMUM, gaps, most), I64), one)
        return self.select(some, count, zero)

    def size(self, array: Value, axis: int) -> Value:
        """Return the size of an axis: the value the array was made with where that is known."""
        if array in self._facts.sizes:
            return self._facts.sizes[array][axis]
        assert isinstance(array.type, TensorType)
        dim = array.type.dims[axis]
        if dim.is_constant:
            return self.number(dim.constant)
        return self.builder.emit(low.SIZE, array, loc=self.loc, axis=axis)

    def new_array(self, type_: TensorType, sizes: Sequence[Value]) -> Value:
        """Return a new array with unspecified elements."""
        sizes = [self._same(size) for size in sizes]
        array = self.builder.emit(low.NEW_ARRAY, *sizes, loc=self.loc, type=type_)
        made_at(array, self.loc)
        return self.made(array, sizes)

    def scratch(self, array: Value, size: Value) -> None:
        """Make `array`, a row that each iteration of the loops around writes before it reads it."""
        attrs: Attrs = {"type": array.type, "scratch": True}
        self.builder.append(Instr(low.NEW_ARRAY, (size,), attrs, (array,), self.loc))

    def made(self, array: Value, sizes: Sequence[Value]) -> Value:
        """Take note of the sizes of an array that was made here, on one way or another."""
        self._facts.made.add(array)
        self._facts.dense.add(array)
        self._facts.sizes[array] = tuple(sizes)
        return array

    def subview(
        self, array: Value, letters: str, numbers: Sequence[Value], type_: TensorType
    ) -> Value:
        """Return the part of `array` that `letters` and numbers in range select."""
        view = self.builder.emit(
            low.SUBVIEW, array, *numbers, loc=self.loc, axes=letters, type=type_
        )
        part_of(view, array, self.loc)
        self._facts.sizes[view] = self._view_sizes(array, letters, numbers)
        if letters.endswith("i") and type_.dims[-1:] not in ((), (ONE,)):
            self._facts.scattered.add(view)
        return view

    def transposed(self, array: Value, sizes: Sequence[Value], order: tuple[int, ...]) -> Value:
        """Return a view of `array`, whose sizes are given, with its axes in another order."""
        view = self.builder.emit(arrays.TRANSPOSE, array, loc=self.loc, order=order)
        same_as(view, array)
        self._facts.sizes[view] = tuple(sizes[a] for a in order)
        self._facts.scattered.add(view)
        return view

    @contextmanager
    def same_sizes(self, pairs: Iterable[tuple[Value, Value]]) -> Generator[None]:
        """Take sizes for equal in what is emitted meanwhile: loops over one are over the other."""
        before = dict(self._facts.same)
        for one, other in pairs:
            first, second = self._same(one), self._same(other)
            if first is not second:
                self._facts.same[first] = second
        try:
            yield
        finally:
            self._facts.same.clear()
            self._facts.same.update(before)

    def _same(self, size: Value) -> Value:
        while size in self._facts.same:
            size = self._facts.same[size]
        return size

    def expect_one(self, size: Value) -> None:
        """Take note that a size is 1, but for arrays that are cut short."""
        self._facts.ones.add(size)

    def seems_one(self, size: Value) -> bool:
        """Whether a size is expected to be 1."""
        return size in self._facts.ones

    def reshaped(
        self, array: Value, sizes: Sequence[Value], type_: TensorType, *, dense: bool
    ) -> Value:
        """Return `array` in another shape of as many elements, which strides can describe."""
        attrs: Attrs = {"type": type_, "dense": dense}
        made = make(RESHAPED, (array, *sizes), attrs, self.loc)
        result = self.builder.append(made).result
        if dense:
            self._facts.made.add(result)
            self._facts.dense.add(result)
        same_as(result, array)
        self._facts.sizes[result] = tuple(sizes)
        return result

    def _view_sizes(
        self, array: Value, letters: str, numbers: Sequence[Value]
    ) -> tuple[Value, ...]:
        assert isinstance(array.type, TensorType)
        sizes: list[Value] = []
        given = iter(numbers)
        for letter in letters:
            match letter:
                case "n":
                    sizes.append(self.number(1))
                case "i":
                    next(given)
                case _:
                    _, count, _ = next(given), next(given), next(given)
                    sizes.append(count)
        taken = len(letters) - letters.count("n")
        return (*sizes, *(self.size(array, a) for a in range(taken, array.type.rank)))

    def require(self, condition: Value, kind: str, message: str, *values: Value) -> None:
        """Raise `kind` unless the bool holds."""
        label = Label("check")
        self.builder.open()
        self.builder.exit(label, loc=self.loc)
        passed = self.builder.close()
        self.builder.open()
        self.builder.effect(low.FAIL, *values, loc=self.loc, kind=kind, message=message)
        failed = self.builder.close()
        self.builder.region(control.IF, (condition,), (passed, failed), label, (), self.loc)

    def choose(
        self,
        condition: Value,
        then: Callable[[], Sequence[Value]],
        otherwise: Callable[[], Sequence[Value]],
        name: str = "choose",
        results: Sequence[Value] | None = None,
    ) -> tuple[Value, ...]:
        """Emit both ways of an `if` and return the values of the one that runs.

        They are new ones, or `results`, which others refer to already.
        """
        label = Label(name)
        blocks: list[Block] = []
        values: Sequence[Value] = ()
        for arm in (then, otherwise):
            self.builder.open()
            values = arm()
            self.builder.exit(label, *values, loc=self.loc)
            blocks.append(self.builder.close())
        if results is None:
            results = [Value(v.type) for v in values]
        chosen = Instr(control.IF, (condition,), {}, tuple(results), self.loc, tuple(blocks), label)
        return self.builder.append(chosen).results

    def again(self, instrs: Iterable[Instr], names: Renaming) -> tuple[Instr, ...]:
        """Emit copies of instructions and return them; `names` learns what they define."""
        copies = clone(Block((), tuple(instrs)), names, {}, lambda loc: loc).body
        for instr in copies:
            self.builder.append(instr)
        return copies

    def computed(
        self, instrs: Iterable[Instr], old: Value, number: Value, lines: Mapping[Instr, Value]
    ) -> Renaming:
        """Emit copies of instructions and return what stands for their results.

        The iteration `old` is `number` in the copies, and the loads among them are of that element
        of `lines`, arrays of one axis.
        """
        names = Renaming()
        names[old] = number
        for instr in instrs:
            if instr in lines:
                names[instr.result] = self.op(low.LOAD, lines[instr], number)
            else:
                self.again((instr,), names)
        return names

    def loop(self, count: Value, body: Callable[[Value], None], *, parallel: bool) -> None:
        """Emit a loop over 0 .. `count`."""
        count = self._same(count)
        index, label = Value(I64, "i"), Label("loop")
        self.builder.open(index)
        body(index)
        self.builder.exit(label, next=True, loc=self.loc)
        block = self.builder.close()
        attrs = {"parallel": parallel}
        self.builder.append(Instr(low.LOOP, (count,), attrs, (), self.loc, (block,), label))

    def search(
        self, count: Value, start: Value, goal: Value, body: Callable[[Value, Value], Value]
    ) -> None:
        """Emit a loop over 0 .. `count` that carries an i64 on, and ends where that is `goal`."""
        index, state = Value(INT, "i"), Value(I64, "state")
        label, test = Label("search"), Label("there")
        self.builder.open(index, state)
        self.builder.open()
        self.builder.exit(label, state, loc=self.loc)
        there = self.builder.close()
        self.builder.open()
        self.builder.exit(test, loc=self.loc)
        further = self.builder.close()
        reached = self.test(e.EQ, state, goal)
        self.builder.region(control.IF, (reached,), (there, further), test, (), self.loc)
        after = body(self.to_i64(index), state)
        self.builder.exit(label, after, next=True, loc=self.loc)
        block = self.builder.close()
        first, step = (self.builder.emit(data.CONST, loc=self.loc, value=n) for n in (0, 1))
        operands = (first, self.to_int(count), step, start)
        self.builder.region(control.FOR, operands, (block,), label, (I64,), self.loc)

    def scan(self, count: Value, start: Value, body: Callable[[Value, Value], Value]) -> Value:
        """Emit a loop over 0 .. `count` that carries an i64 on, and return the last one."""
        index, state, label = Value(INT, "i"), Value(I64, "state"), Label("scan")
        self.builder.open(index, state)
        after = body(self.to_i64(index), state)
        self.builder.exit(label, after, next=True, loc=self.loc)
        block = self.builder.close()
        first, step = (self.builder.emit(data.CONST, loc=self.loc, value=n) for n in (0, 1))
        operands = (first, self.to_int(count), step, start)
        (last,) = self.builder.region(control.FOR, operands, (block,), label, (I64,), self.loc)
        return last

    def each(self, count: int, body: Callable[[Value], None]) -> None:
        """Emit a loop over 0 .. `count`, in order."""
        emit = self.builder.emit
        self._in_order(lambda: emit(data.CONST, loc=self.loc, value=count), body)

    def iterate(self, count: Value, body: Callable[[Value], None]) -> None:
        """Emit a loop over 0 .. `count`, an i64, as a `for` of the source is."""
        stop = self.to_int(count)
        self._in_order(lambda: stop, body)

    def _in_order(self, stop: Callable[[], Value], body: Callable[[Value], None]) -> None:
        index, label = Value(INT, "i"), Label("each")
        self.builder.open(index)
        body(self.to_i64(index))
        self.builder.exit(label, next=True, loc=self.loc)
        block = self.builder.close()
        first = self.builder.emit(data.CONST, loc=self.loc, value=0)
        behind = stop()
        step = self.builder.emit(data.CONST, loc=self.loc, value=1)
        self.builder.region(control.FOR, (first, behind, step), (block,), label, (), self.loc)

    def reduce(
        self,
        kind: str,
        count: Value,
        body: Callable[[Value], Value],
        *,
        parallel: bool = True,
        name: str = "reduce",
    ) -> Value:
        """Emit a reduction over 0 .. `count` of the values that `body` gives."""
        count = self._same(count)
        index, label = Value(I64, "i"), Label(name)
        self.builder.open(index)
        value = body(index)
        self.builder.exit(label, value, next=True, loc=self.loc)
        block = self.builder.close()
        result = Value(value.type)
        attrs: Attrs = {"kind": kind} if parallel else {"kind": kind, "parallel": False}
        instr = Instr(low.REDUCE, (count,), attrs, (result,), self.loc, (block,), label)
        return self.builder.append(instr).result


def emit_form(code: Code, form: Affine) -> Value:
    """Emit a linear form as an i64, which the values of it are held small for."""
    total: Value | None = None
    for value, coefficient in form.terms:
        term = code.to_i64(value)
        if coefficient == -1 and total is not None:
            total = code.op(e.SUB, total, term)
            continue
        if coefficient != 1:
            term = code.op(e.MUL, term, code.number(coefficient))
        total = term if total is None else code.op(e.ADD, total, term)
    if total is None:
        return code.number(form.constant)
    if form.constant:
        total = code.op(e.ADD, total, code.number(form.constant))
    return total


def _of_any_size(type_: Type, number: int) -> Type:
    """Return the type of a parameter that takes arrays of all sizes."""
    if not isinstance(type_, TensorType):
        return type_
    dims = tuple(symbol(f"s{number}_{axis}") for axis in range(type_.rank))
    return TensorType(type_.dtype, dims)
