"""Partial folds: a fold of many elements to a scalar is made of folds of chunks, side by side.

    %s = reduce %n [kind="sum"] {(%i) ...}      =>      %size = chunk %n, 1
                                                        loop %chunks [parallel=true] {(%c)
                                                          %p = reduce %size [kind="sum"] {(%j)
                                                            ... at %c * %size + %j ...}
                                                          store %partial, %p, %c
                                                        }
                                                        %s = reduce %chunks [kind="sum"] {(%c)
                                                          load %partial, %c ...}

How many rounds a chunk has follows from the shape alone, so a sum has the same bits whoever adds
it up: the chunks are there for one thread, too. There are 256 chunks at most, and one for up to
65536 elements, whose fold is then the result. In a loop, such a fold stands there as it is: a
launch would take longer than a few elements do.

Needs: low IR after `fuse`.
Gives: low IR; the folds of chunks stand in parallel loops, for `outline`.
Does not: touch folds inside nests, whose rounds are shared already, and those known to be short.
"""

from collections.abc import Mapping, Sequence

from scriptc.kernels.code import I64, Code
from scriptc.passes.rebuild import Renaming, clone, copied, map_blocks
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import Block, Builder, Instr, Label, Module, Value, walk
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import replace
from scriptc_runtime.types import DType, TensorType

_LOOPS = (control.FOR, control.WHILE, low.LOOP)


def share_folds(module: Module) -> Module:
    """Return `module` with long folds to a scalar in chunks."""
    return module.with_functions(
        {
            name: replace(function, body=_Sharer(function.body).block(function.body, False))
            for name, function in module.functions.items()
        }
    )


class _Sharer:
    def __init__(self, body: Block) -> None:
        self._definitions: Mapping[Value, Instr] = {r: i for i in walk(body) for r in i.results}

    def block(self, block: Block, looped: bool) -> Block:
        """Return a block that no two threads run at once, with its folds in chunks.

        `looped` says that a loop holds it.
        """
        builder = Builder()
        builder.open(*block.params)
        for instr in block.body:
            if instr.op is low.REDUCE and instr.attrs.get("parallel", True):
                self._fold(instr, builder, looped)
                continue
            if instr.op is low.LOOP and instr.attrs["parallel"]:
                builder.append(instr)
                continue
            within = looped or instr.op in _LOOPS
            builder.append(map_blocks(instr, lambda b, within=within: self.block(b, within)))
        new = builder.close()
        return block if new.body == block.body else new

    def _fold(self, fold: Instr, builder: Builder, looped: bool) -> None:
        inner = [i for i in fold.blocks[0].body if i.op in (low.REDUCE, low.LOOP)]
        inside = {r for b in fold.blocks for i in walk(b) for r in i.results}
        number = self._number(fold.operands[0])
        inner_number = self._number(inner[0].operands[0]) if inner else 1
        short = (
            number is not None and number * (inner_number or low.FOLD_ELEMENTS) <= low.FOLD_ELEMENTS
        )
        known = not inner or inner_number is not None or inner[0].operands[0] not in inside
        if short or not known or not isinstance(fold.result.type, DType):
            builder.append(fold)
            return
        code = Code(builder, fold.loc)
        if looped and not inner:
            _emit_short_or_not(code, fold)
            return
        if not inner:
            rounds = code.number(1)
        elif inner_number is not None:
            rounds = code.number(inner_number)
        else:
            rounds = inner[0].operands[0]
        _emit(code, fold, rounds)

    def _number(self, value: Value) -> int | None:
        definition = self._definitions.get(value)
        if definition is None or definition.op is not data.CONST:
            return None
        return int(str(definition.attrs["value"]))


def _emit_short_or_not(code: Code, fold: Instr) -> None:
    """Emit a fold in two forms: as it is where it would be one chunk, and in chunks."""
    few = code.test(e.LE, fold.operands[0], code.number(low.FOLD_ELEMENTS))

    def whole() -> Sequence[Value]:
        return code.builder.append(copied(fold)).results

    def chunks() -> Sequence[Value]:
        result = Value(fold.result.type)
        _emit(code, replace(fold, results=(result,)), code.number(1))
        return (result,)

    code.choose(few, whole, chunks, "few", fold.results)


def _emit(code: Code, fold: Instr, inner: Value) -> None:
    """Emit a fold in chunks, each round of which folds `inner` elements."""
    builder, kind = code.builder, str(fold.attrs["kind"])
    count, one = fold.operands[0], code.number(1)
    size = code.op(low.CHUNK, count, inner)
    up = code.op(e.ADD, count, code.op(e.SUB, size, one))
    chunks = code.op(e.FLOORDIV, up, size)
    assert isinstance(fold.result.type, DType)
    type_ = TensorType(fold.result.type, (Dim(low.FOLD_CHUNKS),))
    partial = code.new_array(type_, [code.number(low.FOLD_CHUNKS)])

    def chunk(number: Value) -> None:
        first = code.op(e.MUL, number, size)
        length = code.op(e.MINIMUM, size, code.op(e.SUB, count, first))
        value = part_of_fold(code, fold, first, length)
        builder.effect(low.STORE, partial, value, number, loc=code.loc)

    code.loop(chunks, chunk, parallel=True)

    def alone() -> Sequence[Value]:
        return (code.op(low.LOAD, partial, code.number(0)),)

    def several() -> Sequence[Value]:
        return (code.reduce(kind, chunks, lambda c: code.op(low.LOAD, partial, c)),)

    code.choose(code.test(e.EQ, chunks, one), alone, several, "chunks", fold.results)


def part_of_fold(
    code: Code, fold: Instr, first: Value, length: Value, names: Renaming | None = None
) -> Value:
    """Emit the fold of `length` rounds from `first` on, and return its value.

    `names` says what stands for values from outside of it.
    """
    builder, bindings = code.builder, names or Renaming()
    index, label = Value(I64, "i"), Label("reduce")
    assert fold.label is not None
    builder.open(index)
    bindings[fold.blocks[0].params[0]] = code.op(e.ADD, first, index)
    body = Block((), fold.blocks[0].body)
    for instr in clone(body, bindings, {fold.label: label}, lambda loc: loc).body:
        builder.append(instr)
    block = builder.close()
    result = Value(fold.result.type)
    builder.append(Instr(low.REDUCE, (length,), fold.attrs, (result,), fold.loc, (block,), label))
    return result
