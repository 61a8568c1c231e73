"""Random array programs in core IR, and arguments to call them with.

The generator follows the sizes of every array as it goes, so most programs run to their end and
some raise in the middle.  Data are small dyadic rationals, and the bits that a result may need are
counted, so every sum is exact in any order and results are compared bit for bit.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from scriptc_runtime.dims import UNKNOWN, Dim, symbol
from scriptc_runtime.ir import (
    Builder,
    Function,
    Instr,
    Label,
    Loc,
    Module,
    OpTypeError,
    Value,
    make,
)
from scriptc_runtime.ops import arrays, control, data, reductions
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Attr, OpDef
from scriptc_runtime.types import BOOL, INT, DType, TensorType, TupleType, Type
from tests.support.programs_arguments import Argument, Program

DTYPES = (DType.B1, DType.I64, DType.F32, DType.F64)
FLOATS = (DType.F32, DType.F64)
Shape = tuple[int, ...]
# Bits a float value may need for its magnitude and behind its point; None if it may be rounded.
Bits = tuple[int, int] | None
_START: Bits = (3, 2)
_LIMIT = {DType.F32: 20, DType.F64: 46}
MAX_ELEMENTS = 200


@dataclass(frozen=True, slots=True)
class Item:
    """A value, its sizes in the call that the program is made for, and its bits."""

    value: Value
    shape: Shape
    bits: Bits = None

    @property
    def dtype(self) -> DType:
        type_ = self.value.type
        if isinstance(type_, TensorType):
            return type_.dtype
        assert isinstance(type_, DType)
        return type_

    @property
    def is_array(self) -> bool:
        return isinstance(self.value.type, TensorType)


def make_program(rng: random.Random) -> Program:
    """Return a program of a few statements over a few arrays."""
    sizes = {"N": rng.choice((0, 1, 2, 3, 4)), "M": rng.choice((1, 2, 3)), "K": rng.choice((1, 3))}
    if rng.random() < 0.5:
        sizes["K"] = sizes["N"]  # two names that turn out equal
    arguments: list[Argument] = []
    params: list[Item] = []
    for number in range(rng.randint(1, 4)):
        argument, item = _parameter(rng, sizes, f"a{number}", arguments, params)
        arguments.append(argument)
        params.append(item)
    return Program(_Writer(rng, params).run(rng.randint(3, 12)), arguments)


def _parameter(
    rng: random.Random,
    sizes: dict[str, int],
    name: str,
    arguments: Sequence[Argument],
    params: Sequence[Item],
) -> tuple[Argument, Item]:
    if arguments and rng.random() < 0.15:
        index = rng.randrange(len(arguments))
        old, twin = arguments[index], params[index]
        item = Item(Value(twin.value.type, name), twin.shape, twin.bits)
        return Argument(old.dtype, old.shape, old.layout, old.seed, index), item
    dtype = rng.choice((*DTYPES, DType.F64, DType.F64))
    dims: list[Dim] = []
    shape: list[int] = []
    for _ in range(rng.choice((0, 1, 1, 2, 2, 2, 3))):
        known = rng.choice((*sizes, 1, None))
        shape.append(
            sizes[known] if isinstance(known, str) else known or rng.choice(list(sizes.values()))
        )
        dims.append(
            symbol(known) if isinstance(known, str) else UNKNOWN if known is None else Dim(known)
        )
    layout = rng.choice(("dense", "dense", "transposed", "strided", "reversed"))
    argument = Argument(dtype, tuple(shape), layout, rng.randrange(2**31))
    value = Value(TensorType(dtype, tuple(dims)), name)
    return argument, Item(value, argument.shape, _START)


@dataclass(slots=True)
class _Writer:
    """Writes one function; `items` are the values in reach."""

    rng: random.Random
    params: Sequence[Item]
    builder: Builder = field(default_factory=Builder)
    items: list[Item] = field(default_factory=list[Item])
    line: int = 1
    depth: int = 0
    index: Value | None = None  # of the innermost loop

    def run(self, statements: int) -> Module:
        label = Label("return")
        self.builder.open()
        self.items = list(self.params)
        self.statements(statements)
        # Many values at the end: what fusion keeps apart and what it shares both show.
        chosen = [self.rng.choice(self.items) for _ in range(self.rng.randint(1, 4))]
        result = self.builder.emit(data.TUPLE, *(c.value for c in chosen))
        assert isinstance(result.type, TupleType)
        self.builder.exit(label, result)
        values = tuple(p.value for p in self.params)
        body = self.builder.close()
        return Module({"f": Function("f", values, result.type, body, label)})

    def statements(self, count: int) -> None:
        kinds = list(_STATEMENTS)
        weights = list(_STATEMENTS.values())
        for _ in range(count):
            self.line += 1
            kind = self.rng.choices(kinds, weights)[0]
            try:
                item = kind(self)
            except OpTypeError:
                continue  # sizes that can never fit are refused before anything runs
            if item is not None:
                self.items.append(item)

    def emit(self, op: OpDef, *operands: Value, **attrs: Attr) -> Value:
        return self.builder.append(make(op, operands, attrs, Loc(self.line, 1))).result

    def integer(self, value: int) -> Value:
        return self.emit(data.CONST, value=value)

    def none(self) -> Value:
        return self.emit(data.CONST, value=None)

    def number(self, dtype: DType) -> Item:
        """Return a constant."""
        value = self.rng.randint(-3, 3)
        match dtype.kind:
            case "b":
                return Item(self.emit(data.CONST, value=value > 0, dtype=dtype), ())
            case "i":
                return Item(self.emit(data.CONST, value=value, dtype=dtype), ())
            case _:
                number = self.emit(data.CONST, value=value / 2, dtype=dtype)
                return Item(number, (), (2, 1))

    def pick(self, want: Callable[[Item], bool] = lambda item: True) -> Item | None:
        """Return a value in reach, recent ones more often."""
        found = [i for i in self.items if want(i)]
        if not found:
            return None
        return found[max(self.rng.randrange(len(found)) for _ in range(2))]

    def array(self, least: int = 0, dtypes: Sequence[DType] = DTYPES) -> Item | None:
        return self.pick(lambda i: i.is_array and len(i.shape) >= least and i.dtype in dtypes)

    def operand(self, other: Item) -> Item:
        """Return something to compute with `other`, that mostly broadcasts."""
        if self.rng.random() < 0.2:
            return self.number(other.dtype)
        sloppy = self.rng.random() < 0.03
        found = self.pick(
            lambda i: i.dtype is other.dtype and (sloppy or _fits(i.shape, other.shape))
        )
        return found or self.number(other.dtype)


def _fits(first: Shape, second: Shape) -> bool:
    pairs = zip(reversed(first), reversed(second), strict=False)
    return all(a == b or 1 in (a, b) for a, b in pairs)


def _broadcast(*shapes: Shape) -> Shape:
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return max(shapes, key=len)  # it will raise


def _small(shape: Shape) -> bool:
    return int(np.prod(shape)) <= MAX_ELEMENTS


def _held(bits: Bits, dtype: DType) -> Bits:
    """Return `bits` if a value that needs them is exact in `dtype`."""
    fits = bits is not None and (dtype not in FLOATS or sum(bits) <= _LIMIT[dtype])
    return bits if fits else None


def _binary(w: _Writer) -> Item | None:
    first = w.pick(lambda i: i.dtype is not DType.B1)
    if first is None:
        return None
    second = w.operand(first)
    if w.rng.random() < 0.5:
        first, second = second, first
    op = w.rng.choice((e.ADD, e.SUB, e.MUL, e.ADD, e.MUL, e.DIV, e.MOD, e.FLOORDIV, e.MAXIMUM))
    if op is e.DIV and first.dtype is DType.I64:
        op = e.MINIMUM
    shape = _broadcast(first.shape, second.shape)
    if not _small(shape):
        return None
    item = Item(w.emit(op, first.value, second.value), shape, _binary_bits(op, first, second))
    return _with_plain_zeros(w, item) if op in (e.MAXIMUM, e.MINIMUM) else item


def _binary_bits(op: OpDef, first: Item, second: Item) -> Bits:
    if first.bits is None or second.bits is None:
        return None
    (m, f), (n, g) = first.bits, second.bits
    bits: Bits = None
    if op in (e.ADD, e.SUB):
        bits = max(m, n) + 1, max(f, g)
    elif op is e.MUL:
        bits = m + n, f + g
    elif op in (e.MAXIMUM, e.MINIMUM):
        bits = max(m, n), max(f, g)
    return _held(bits, first.dtype)


def _with_plain_zeros(w: _Writer, item: Item) -> Item:
    """Make every zero positive: max and min may choose either."""
    if item.dtype not in FLOATS:
        return item
    zero = w.emit(data.CONST, value=0.0, dtype=item.dtype)
    return Item(w.emit(e.ADD, item.value, zero), item.shape, item.bits)


def _power(w: _Writer) -> Item | None:
    # Raises on a negative exponent.
    first = w.array(0, (DType.I64,))
    if first is None or w.rng.random() < 0.6:
        return None
    second = w.operand(first)
    exponent = second if w.rng.random() < 0.1 else Item(w.emit(e.ABS, second.value), second.shape)
    shape = _broadcast(first.shape, exponent.shape)
    return Item(w.emit(e.POW, first.value, exponent.value), shape) if _small(shape) else None


def _unary(w: _Writer) -> Item | None:
    item = w.pick(lambda i: i.dtype is not DType.B1)
    if item is None:
        return None
    if item.dtype in FLOATS and w.rng.random() < 0.4:
        return Item(w.emit(e.SQRT, item.value), item.shape)
    return Item(w.emit(w.rng.choice((e.NEG, e.ABS)), item.value), item.shape, item.bits)


def _logic(w: _Writer) -> Item | None:
    first = w.pick()
    if first is None:
        return None
    second = w.operand(first)
    if first.dtype in (DType.B1, DType.I64) and w.rng.random() < 0.5:
        op = w.rng.choice((e.AND, e.OR, e.XOR))
    else:
        op = w.rng.choice((e.EQ, e.NE, e.LT, e.LE, e.GT, e.GE))
    shape = _broadcast(first.shape, second.shape)
    return Item(w.emit(op, first.value, second.value), shape) if _small(shape) else None


def _where(w: _Writer) -> Item | None:
    condition = w.pick(lambda i: i.dtype is DType.B1)
    first = w.pick()
    if condition is None or first is None:
        return None
    second = w.operand(first)
    shape = _broadcast(condition.shape, first.shape, second.shape)
    if not _small(shape):
        return None
    value = w.emit(e.WHERE, condition.value, first.value, second.value)
    bits = _binary_bits(e.MAXIMUM, first, second)
    return Item(value, shape, bits)


def _cast(w: _Writer) -> Item | None:
    item = w.pick(lambda i: i.dtype in (DType.B1, DType.I64))
    if item is None:
        item = w.pick(lambda i: i.dtype is DType.F32)
        if item is None:
            return None
        return Item(w.emit(e.CAST, item.value, to=DType.F64), item.shape, item.bits)
    to = w.rng.choice((DType.F64, DType.I64, DType.F64))
    bits = (1, 0) if item.dtype is DType.B1 else None
    return Item(w.emit(e.CAST, item.value, to=to), item.shape, bits)


def _fold(w: _Writer) -> Item | None:
    op = w.rng.choice((reductions.SUM, reductions.SUM, reductions.MAX, reductions.MIN))
    exact = op is reductions.SUM
    item = w.pick(lambda i: i.is_array and not (exact and i.dtype in FLOATS and i.bits is None))
    if item is None:
        return None
    count = w.rng.randint(0, len(item.shape))
    axes = tuple(sorted(w.rng.sample(range(len(item.shape)), count)))
    whole = w.rng.random() < 0.25
    reduced = tuple(range(len(item.shape))) if whole else axes
    elements = int(np.prod([item.shape[a] for a in reduced]))
    if not exact and elements == 0 and w.rng.random() < 0.9:
        return None  # raises
    keepdims = w.rng.random() < 0.5
    value = w.emit(op, item.value, axis=None if whole else axes, keepdims=keepdims)
    if keepdims:
        shape = tuple(1 if a in reduced else n for a, n in enumerate(item.shape))
    else:
        shape = tuple(n for a, n in enumerate(item.shape) if a not in reduced)
    bits = item.bits
    if exact and bits is not None and item.dtype in FLOATS:
        bits = _held((bits[0] + elements.bit_length(), bits[1]), item.dtype)
    result = Item(value, shape, bits if item.dtype in FLOATS else None)
    return result if exact else _with_plain_zeros(w, result)


def _matmul(w: _Writer) -> Item | None:
    def usable(i: Item) -> bool:
        product = i.is_array and 1 <= len(i.shape) <= 2 and i.dtype is not DType.B1
        return product and (i.dtype is DType.I64 or i.bits is not None)

    first = w.pick(usable)
    if first is None:
        return None
    sloppy = w.rng.random() < 0.05
    second = w.pick(
        lambda i: usable(i) and i.dtype is first.dtype and (sloppy or i.shape[0] == first.shape[-1])
    )
    if second is None:
        return None
    bits: Bits = None
    if first.dtype in FLOATS:
        assert first.bits is not None
        assert second.bits is not None
        (m, f), (n, g) = first.bits, second.bits
        bits = _held((m + n + first.shape[-1].bit_length(), f + g), first.dtype)
        if bits is None:
            return None
    shape = (*first.shape[:-1], *second.shape[1:])
    return Item(w.emit(arrays.MATMUL, first.value, second.value), shape, bits)


def _new(w: _Writer) -> Item | None:
    if w.rng.random() < 0.4:
        dtype = w.rng.choice((DType.I64, DType.F64))
        half = 1 if dtype is DType.I64 else 2
        start, stop = w.rng.randint(-3, 3), w.rng.randint(-3, 6)
        step = w.rng.choice((1, 1, 2, -1, -2, 0) if w.rng.random() < 0.2 else (1, 1, 2, -1))
        numbers = [
            w.emit(data.CONST, value=v if half == 1 else v / half, dtype=dtype)
            for v in (start, stop, step)
        ]
        size = len(range(start, stop, step)) if step else 0
        return Item(w.emit(arrays.ARANGE, *numbers), (size,), _START)
    dtype = w.rng.choice(DTYPES)
    shape = tuple(w.rng.choice((0, 1, 2, 3)) for _ in range(w.rng.randint(0, 2)))
    sizes = [w.integer(s) for s in shape]
    if w.rng.random() < 0.02 and sizes:
        sizes[-1] = w.integer(-1)
    dims = tuple(s if w.rng.random() < 0.5 else None for s in shape)
    value = w.number(dtype)
    return Item(w.emit(arrays.FULL, value.value, *sizes, dims=dims), shape, value.bits)


def _copy(w: _Writer) -> Item | None:
    item = w.array()
    return item and Item(w.emit(arrays.COPY, item.value), item.shape, item.bits)


def _transpose(w: _Writer) -> Item | None:
    item = w.array(1)
    if item is None:
        return None
    order = tuple(w.rng.sample(range(len(item.shape)), len(item.shape)))
    shape = tuple(item.shape[a] for a in order)
    return Item(w.emit(arrays.TRANSPOSE, item.value, order=order), shape, item.bits)


def _view(w: _Writer) -> Item | None:
    item = w.array()
    if item is None:
        return None
    letters = ""
    operands: list[Value] = []
    shape: list[int] = []
    for size in item.shape[: w.rng.randint(0, len(item.shape))]:
        if w.rng.random() < 0.2:
            letters += "n"
            shape.append(1)
        if w.rng.random() < 0.3:
            letters += "i"
            operands.append(_position(w, size))
            continue
        bounds = [None if w.rng.random() < 0.4 else w.rng.randint(-5, 5) for _ in range(2)]
        steps = (None, None, 1, 2, -1, -2, 0) if w.rng.random() < 0.05 else (None, None, 1, 2, -1)
        step = w.rng.choice(steps)
        operands += [w.none() if b is None else w.integer(b) for b in (*bounds, step)]
        letters += "s"
        shape.append(len(range(size)[slice(bounds[0], bounds[1], step)]) if step != 0 else 0)
    value = w.emit(arrays.VIEW, item.value, *operands, axes=letters)
    rest = item.shape[len(letters) - letters.count("n") :]
    return Item(value, (*shape, *rest), item.bits)


def _position(w: _Writer, size: int) -> Value:
    if w.index is not None and w.rng.random() < 0.6:
        # Some rounds are in range and some are not.
        return w.emit(w.rng.choice((e.ADD, e.SUB)), w.index, w.integer(w.rng.randint(-1, 1)))
    if size == 0 or w.rng.random() < 0.02:
        return w.integer(w.rng.randint(-6, 6))
    return w.integer(w.rng.randint(-size, size - 1))


def _index(w: _Writer) -> Item | None:
    item = w.array()
    if item is None or (0 in item.shape and w.rng.random() < 0.95):
        return None
    places = [_position(w, size) for size in item.shape]
    return Item(w.emit(arrays.INDEX, item.value, *places), (), item.bits)


def _set_index(w: _Writer) -> None:
    item = w.array()
    if item is None or (0 in item.shape and w.rng.random() < 0.95):
        return
    value = w.number(item.dtype)
    places = [_position(w, size) for size in item.shape]
    w.builder.effect(arrays.SET_INDEX, item.value, value.value, *places, loc=Loc(w.line, 1))


def _assign(w: _Writer) -> None:
    target = w.array()
    if target is None:
        return
    sloppy = w.rng.random() < 0.03
    # What is written must not need more bits than what was there: views of it are in reach.
    source = w.pick(
        lambda i: (
            (
                i.dtype is target.dtype
                and (sloppy or _broadcast(i.shape, target.shape) == target.shape)
                and (target.bits is None or i.bits is None or i.dtype not in FLOATS)
            )
            or (i.dtype is target.dtype and i.bits == target.bits and i.shape == target.shape)
        )
    )
    if source is None or w.rng.random() < 0.1:
        source = w.number(target.dtype)
    if len(source.shape) > len(target.shape):
        return
    if target.dtype in FLOATS and source.bits is None and target.bits is not None:
        return
    w.builder.effect(arrays.ASSIGN, target.value, source.value, loc=Loc(w.line, 1))


def _condition(w: _Writer) -> Value:
    item = w.pick(lambda i: i.dtype is DType.B1 and not i.is_array)
    if item is not None and w.rng.random() < 0.8:
        return w.emit(e.CAST, item.value, to=BOOL)
    return w.emit(data.CONST, value=w.rng.random() < 0.5)


def _if(w: _Writer) -> Item | None:
    if w.depth > 2:
        return None
    condition, label = _condition(w), Label("if")
    outside = list(w.items)
    ends: list[list[Item]] = []
    builders = [Builder(), Builder()]
    outer = w.builder
    w.depth += 1
    for builder in builders:
        w.builder, w.items = builder, list(outside)
        builder.open()
        w.statements(w.rng.randint(0, 3))
        ends.append(w.items)
    w.depth -= 1
    w.builder, w.items = outer, outside
    pairs = [(a, b) for a in ends[0] for b in ends[1] if _alike(a, b) and a is not b]
    pair = w.rng.choice(pairs) if pairs and w.rng.random() < 0.8 else None
    values = (pair[0].value, pair[1].value) if pair else None
    for number, builder in enumerate(builders):
        builder.exit(label, *([values[number]] if values else []))
    blocks = [b.close() for b in builders]
    types = [_unsized(values[0].type)] if values else []
    results = outer.region(control.IF, (condition,), blocks, label, types, Loc(w.line, 1))
    if pair is None:
        return None
    bits = pair[0].bits if pair[0].bits == pair[1].bits else None
    return Item(results[0], pair[0].shape, bits)


def _alike(first: Item, second: Item) -> bool:
    same = first.dtype is second.dtype and first.shape == second.shape
    return same and first.is_array is second.is_array


def _unsized(type_: Type) -> Type:
    if isinstance(type_, TensorType):
        return TensorType(type_.dtype, (UNKNOWN,) * type_.rank)
    return type_


def _for(w: _Writer) -> Item | None:
    start = w.pick()
    if w.depth > 1 or start is None:
        return None
    label, index = Label("for"), Value(INT, "i")
    param = Value(_unsized(start.value.type), "carried")
    outer, outside = w.builder, list(w.items)
    w.builder, w.depth = Builder(), w.depth + 1
    w.builder.open(index, param)
    carried = Item(param, start.shape)
    w.items.append(carried)
    around, w.index = w.index, index
    w.statements(w.rng.randint(1, 4))
    w.index = around
    nexts = [i for i in w.items if _alike(i, start)]
    w.builder.exit(label, w.rng.choice(nexts).value, next=True)
    block = w.builder.close()
    w.builder, w.items, w.depth = outer, outside, w.depth - 1
    first, step = w.rng.randint(0, 2), w.rng.choice((1, 1, 1, 2, -1))
    stop = first + w.rng.randint(-1, 3) * (1 if step > 0 else -1)
    bounds = (w.integer(first), w.integer(stop), w.integer(step))
    result = Value(param.type)
    operands = (*bounds, start.value)
    w.builder.append(Instr(control.FOR, operands, {}, (result,), Loc(w.line, 1), (block,), label))
    return Item(result, start.shape)


_Statement = Callable[[_Writer], Item | None]
_STATEMENTS: dict[_Statement, int] = {
    _binary: 26,
    _unary: 8,
    _logic: 6,
    _where: 6,
    _cast: 4,
    _power: 2,
    _fold: 16,
    _matmul: 7,
    _new: 6,
    _copy: 3,
    _transpose: 4,
    _view: 9,
    _index: 5,
    _set_index: 5,
    _assign: 9,
    _if: 4,
    _for: 5,
}
