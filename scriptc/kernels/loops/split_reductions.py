"""Partial folds: a fold of many elements to a scalar is made of folds of chunks, side by side.

    %s = reduce %n [kind="sum"] {(%i) ...}      =>      %size = chunk %n, 1
                                                        loop %chunks [parallel=true] {(%c)
                                                          %p = reduce %size [kind="sum"] {(%j)
                                                            ... at %c * %size + %j ...}
                                                          store %partial, %p, %c
                                                        }
                                                        two of %partial are combined to one, and
                                                        so on, down to %s, by a function that
                                                        all such folds have in common

How many iterations a chunk has follows from the shape alone, so a sum has the same bits whoever
adds it up: the chunks are there for one thread, too. There are 256 chunks at most, and one for up
to 65536 elements, whose fold is then the result. In a loop, such a fold stands there as it is: a
launch would take longer than a few elements do. A chunk of single elements has a power of two of
them, and chunks are combined as blocks are in a fold: then a fold has the bits that it has whole.

Needs: low IR after `fuse`.
Gives: low IR; the folds of chunks stand in parallel loops, for `outline`.
Does not: touch folds inside nests, whose iterations are shared already, and those known to be
short.
Cases: tests/cases/loops/split_reductions, and for a device
Cases: tests/cases/device/split_for_device.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.induction import constant_int
from scriptc.analysis.remarks import Kind, Message, Topic, about, place_of, remark
from scriptc.kernels.builder import I64, Code
from scriptc.kernels.loops.rows_of_sums import ChunksOfRows, Rows
from scriptc.passes.rebuild import Renaming, clone, copied, map_blocks
from scriptc_runtime.dims import UNKNOWN, Dim
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Module, Role, Value, walk
from scriptc_runtime.ops import control, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.control import CALL
from scriptc_runtime.record import replace
from scriptc_runtime.reserved import FALLBACK_PREFIX
from scriptc_runtime.types import DType, TensorType

CHUNKS = Message(
    "split_reductions",
    Topic.PARALLEL,
    Kind.DONE,
    "parallel: threads share chunks of the {kind}, of {elements} elements or more each; the result "
    "is the same for any number of threads",
)
ALONE = Message(
    "split_reductions", Topic.PARALLEL, Kind.MISSED, "the {kind} is not parallel: {why}"
)

LOOPS = (control.FOR, control.WHILE, low.LOOP)
_IN_PAIRS = {"sum": e.ADD, "product": e.MUL}


def split_for_device(module: Module) -> Module:
    """Return `module` with long folds to a scalar in chunks, without branches on how many.

    Host code would have to wait for their number there, and for what a function returns.  Of a sum
    of rows, the rows are added first, so that all threads have work, and chunks are sums of these.
    """
    functions: dict[str, Function] = {}
    for name, function in module.functions.items():
        about(function)
        body = _Sharer(function.body, None).block(function.body, False)
        functions[name] = replace(function, body=body)
    return module.with_functions(functions)


def split_reductions(module: Module) -> Module:
    """Return `module` with long folds to a scalar in chunks."""
    made: dict[str, Function] = {}
    functions: dict[str, Function] = {}
    for name, function in module.functions.items():
        about(function)
        body = _Sharer(function.body, made).block(function.body, False)
        functions[name] = replace(function, body=body)
    return module.with_functions({**functions, **made})


class _Sharer:
    def __init__(self, body: Block, made: dict[str, Function] | None) -> None:
        self._made = made
        self._definitions: Mapping[Value, Instr] = {r: i for i in walk(body) for r in i.results}

    def block(self, block: Block, looped: bool) -> Block:
        """Return a block that no two threads run at once, with its folds in chunks.

        `looped` says that a loop holds it.
        """
        builder = Builder()
        builder.open(*block.params)
        for instr in block.body:
            if instr.op is low.REDUCE and (self._made is None or instr.attrs.get("parallel", True)):
                self._fold(instr, builder, looped)
                continue
            if instr.op is low.LOOP and instr.attrs["parallel"]:
                builder.append(instr)
                continue
            if self._made is None and instr.op is control.FOR and instr.attrs:
                builder.append(instr)  # over `prange`: its iterations are shared
                continue
            within = looped or instr.op in LOOPS
            builder.append(map_blocks(instr, lambda b, within=within: self.block(b, within)))
        new = builder.close()
        return block if new.body == block.body else new

    def _fold(self, fold: Instr, builder: Builder, looped: bool) -> None:
        inner = [i for i in fold.blocks[0].body if i.op in (low.REDUCE, low.LOOP)]
        inside = {r for b in fold.blocks for i in walk(b) for r in i.results}
        number = constant_int(fold.operands[0], self._definitions)
        inner_number = constant_int(inner[0].operands[0], self._definitions) if inner else 1
        short = (
            number is not None and number * (inner_number or low.FOLD_ELEMENTS) <= low.FOLD_ELEMENTS
        )
        known = not inner or inner_number is not None or inner[0].operands[0] not in inside
        if short or not known or not isinstance(fold.result.type, DType):
            why = "it has few elements" if short else "how long it is follows from elements"
            remark(ALONE, place_of(fold), kind=fold.attrs["kind"], why=why)
            builder.append(fold)
            return
        kind = fold.attrs["kind"]
        remark(CHUNKS, place_of(fold), kind=kind, elements=low.FOLD_ELEMENTS)
        code = Code(builder, fold.loc)
        if looped and not inner and self._made is not None:
            self._emit_short_or_not(code, fold)
            return
        if not inner:
            iterations = code.number(1)
        elif inner_number is not None:
            iterations = code.number(inner_number)
        else:
            iterations = inner[0].operands[0]
        self._emit(code, fold, iterations)

    def _emit_short_or_not(self, code: Code, fold: Instr) -> None:
        """Emit a fold in two forms: as it is where it would be one chunk, and in chunks."""
        few = code.test(e.LE, fold.operands[0], code.number(low.FOLD_ELEMENTS))

        def whole() -> Sequence[Value]:
            return code.builder.append(copied(fold)).results

        def chunks() -> Sequence[Value]:
            result = Value(fold.result.type)
            self._emit(code, replace(fold, results=(result,)), code.number(1))
            return (result,)

        code.choose(few, whole, chunks, "few", fold.results)

    def _emit(self, code: Code, fold: Instr, inner: Value) -> None:
        """Emit a fold in chunks, each iteration of which folds `inner` elements."""
        builder, kind = code.builder, str(fold.attrs["kind"])
        count, one = fold.operands[0], code.number(1)
        size = code.op(low.CHUNK, count, inner)
        chunks = code.op(low.CHUNKS, count, size)
        assert isinstance(fold.result.type, DType)
        type_ = TensorType(fold.result.type, (Dim(low.FOLD_CHUNKS),))
        partial = code.new_array(type_, [code.number(low.FOLD_CHUNKS)])
        made = self._made
        rows = Rows.of(fold, fold, self._definitions) if made is None else None
        of_rows = ChunksOfRows(code, fold, rows, size, chunks) if rows is not None else None

        def chunk(number: Value) -> None:
            first = code.op(e.MUL, number, size)
            length = code.op(e.MINIMUM, size, code.op(e.SUB, count, first))
            part = replace(fold, attrs={**fold.attrs, "chunk": True})
            value = (
                part_of_fold(code, part, first, length)
                if of_rows is None
                else of_rows.chunk(part, number, first, length)
            )
            builder.effect(low.STORE, partial, value, number, loc=code.loc)

        code.loop(chunks, chunk, parallel=True)
        if made is None:
            value = combined(code, kind, partial, chunks, levels_of(code, chunks))
            builder.append(
                Instr(e.CAST, (value,), {"to": fold.result.type}, fold.results, code.loc)
            )
            return

        def alone() -> Sequence[Value]:
            return (code.op(low.LOAD, partial, code.number(0)),)

        def several() -> Sequence[Value]:
            return (combine(code, made, kind, partial, chunks),)

        code.choose(code.test(e.EQ, chunks, one), alone, several, "chunks", fold.results)


def combine(
    code: Code, made: dict[str, Function], kind: str, partial: Value, count: Value
) -> Value:
    """Emit the fold of the first `count` elements of `partial`, at least one.

    A function does it, one for all such folds, as large arrays alone have several; `made` has it.
    """
    assert isinstance(partial.type, TensorType)
    dtype = partial.type.dtype
    name = f"{FALLBACK_PREFIX}reduce.{kind}.{dtype}"
    if name not in made:
        made[name] = _combining(name, kind, dtype)
    return code.builder.emit(CALL, partial, count, loc=code.loc, callee=name, result=dtype)


def _combining(name: str, kind: str, dtype: DType) -> Function:
    builder, label = Builder(), Label("return")
    parts, count = Value(TensorType(dtype, (UNKNOWN,)), "parts"), Value(I64, "count")
    builder.open()
    code = Code(builder)
    builder.exit(label, combined(code, kind, parts, count, levels_of(code, count)))
    body, role = builder.close(), Role.FALLBACK
    return Function(name, (parts, count), dtype, body, label, role=role)


def levels_of(code: Code, count: Value) -> Value:
    """Emit how often two of `count` values are combined to one until one is left."""
    return code.op(low.DIGITS, code.op(e.SUB, count, code.number(1)))


def combined(
    code: Code, kind: str, parts: Value, count: Value, levels: Value, *row: Value
) -> Value:
    """Emit the fold of the first `count` parts, at least one, in an array or in a row of it.

    Parts that are each the fold of the same power of two of blocks, all but the last, give what one
    fold of all elements does: neighbours are combined, then pairs of them. The array keeps these.
    """
    op = _IN_PAIRS.get(kind)
    assert isinstance(parts.type, TensorType)
    if parts.type.dtype.kind != "f" or op is None:
        return code.reduce(kind, count, lambda c: code.op(low.LOAD, parts, *row, c))
    one = code.number(1)

    def level(number: Value) -> None:
        twice = code.op(e.ADD, number, one)
        step = code.op(e.SHL, one, number)
        up = code.op(e.SUB, code.op(e.ADD, count, step), one)

        def pair(i: Value) -> None:
            first = code.op(e.SHL, i, twice)
            values = [
                code.op(low.LOAD, parts, *row, place)
                for place in (first, code.op(e.ADD, first, step))
            ]
            both = code.op(op, *values)
            code.builder.effect(low.STORE, parts, both, *row, first, loc=code.loc)

        code.loop(code.op(e.SHR, up, twice), pair, parallel=False)

    code.loop(levels, level, parallel=False)
    return code.op(low.LOAD, parts, *row, code.number(0))


def part_of_fold(
    code: Code, fold: Instr, first: Value, length: Value, names: Renaming | None = None
) -> Value:
    """Emit the fold of `length` iterations from `first` on, and return its value.

    `names` says what stands for values from outside of it.
    """
    return part_of_loop(code, fold, first, length, names).result


def part_of_loop(
    code: Code, loop: Instr, first: Value, length: Value, names: Renaming | None = None
) -> Instr:
    """Emit `length` iterations of a loop or a fold from `first` on, and return what they are."""
    builder, bindings = code.builder, names or Renaming()
    assert loop.label is not None
    index, label = Value(I64, "i"), Label("reduce" if loop.results else "loop")
    builder.open(index)
    bindings[loop.blocks[0].params[0]] = code.op(e.ADD, first, index)
    body = Block((), loop.blocks[0].body)
    for instr in clone(body, bindings, {loop.label: label}, lambda loc: loc).body:
        builder.append(instr)
    block = builder.close()
    results = tuple(Value(result.type) for result in loop.results)
    part = Instr(loop.op, (length,), loop.attrs, results, loop.loc, (block,), label)
    return builder.append(part)
