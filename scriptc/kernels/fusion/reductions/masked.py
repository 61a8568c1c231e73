"""Masked folds: what a mask picks is folded where it lies, and not copied first.

    %v = compress %x, %mask                    %n = sum %mask
    %n = dim %v [axis=0]              =>       %w = where %mask, %x, 0.0
    %s = sum %v [axis=none]                    %s = sum %w

Every use of what is picked must be a fold of all of it, its size, or elementwise work on it that
ends in these.  Such work is done for the elements that are not picked as well, so nothing in it
may raise; their results are dropped.  The arrays are read as they were where they were picked from:
copies stand there, which fusion leaves out where nothing is written in between.

A sum meets zeros between the elements that are picked, which change nothing: NumPy starts its sums
at 0.0, so none of them is -0.0.  The order of the additions is open.

Needs: core IR without library ops.
Gives: the same results; `compress` stands only where an array of what is picked is needed.
Does not: look at uses in other blocks.
Cases: tests/cases/fusion/reduce_masked.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.remarks import Kind, Message, Topic, about, remark
from scriptc.kernels.builder import Code
from scriptc.kernels.fusion.indexing.masks import is_total, require_sizes
from scriptc.kernels.fusion.reductions import leading_axes
from scriptc.passes.rebuild import Renaming
from scriptc_runtime.ir import Block, Builder, Function, Instr, Module, Value, make, walk
from scriptc_runtime.ops import arrays, data, picking, reductions
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import TensorType

FOLDED = Message(
    "reduce_masked",
    Topic.FUSION,
    Kind.DONE,
    "reduced under the mask, without gathering what it picks",
)

# What an element that is not picked counts as.
_KINDS: Mapping[OpDef, str] = {
    reductions.SUM: "sum",
    reductions.PROD: "product",
    reductions.ANY: "max",
    reductions.ALL: "min",
    reductions.MAX: "max",
    reductions.MIN: "min",
}

_ENDED = frozenset({reductions.MAX, reductions.MIN, arrays.DIM})  # not to be computed too early


def reduce_masked(module: Module) -> Module:
    """Return `module` with folds of what masks pick as folds of whole arrays."""
    functions = dict(module.functions)
    for name, function in module.functions.items():
        about(function)
        if any(i.op is picking.COMPRESS for i in walk(function.body)):
            functions[name] = _function(function)
    return module.with_functions(functions)


def _function(function: Function) -> Function:
    uses: dict[Value, list[Instr]] = {}
    for instr in walk(function.body):
        for operand in dict.fromkeys(instr.operands):
            uses.setdefault(operand, []).append(instr)
    body = _Folder(uses).block(function.body)
    return function if body is function.body else replace(function, body=body)


@record
class _Picked:
    """A mask, the whole array that stands for what it picks, and how many it picks."""

    mask: Value
    whole: Value
    count: Value


class _Folder:
    def __init__(self, uses: Mapping[Value, Sequence[Instr]]) -> None:
        self._uses = uses
        self._names = Renaming()
        self._picked: dict[Value, _Picked] = {}
        self._builder = Builder()
        self._done: set[Instr] = set()
        self._later: dict[Value, Instr] = {}  # what this block has still to define

    def block(self, block: Block) -> Block:
        """Return a block with the folds in it replaced."""
        self._builder.open(*block.params)
        outer, self._later = self._later, {r: i for i in block.body for r in i.results}
        inside = set(block.body)
        for old in block.body:
            for result in old.results:
                self._later.pop(result, None)
            if old not in self._done:
                self._instr(old, inside)
        self._later = outer
        new = self._builder.close()
        return block if new.body == block.body else new

    def _instr(self, old: Instr, inside: set[Instr]) -> None:
        if old.op is picking.COMPRESS and self._is_folded(old.result, inside):
            remark(FOLDED, old.loc)
            self._pick(old)
        elif any(v in self._picked for v in old.operands):
            self._use(old)
        else:
            blocks = tuple(self.block(b) for b in old.blocks)
            changed = any(new is not b for new, b in zip(blocks, old.blocks, strict=True))
            instr = self._names.instr(old)
            self._builder.append(replace(instr, blocks=blocks) if changed else instr)

    def _is_folded(self, value: Value, inside: set[Instr]) -> bool:
        """Whether all uses of a value that is picked can do without the array of it."""
        for use in self._uses.get(value, ()):
            if use not in inside:
                return False
            if use.op is arrays.DIM or (use.op in _KINDS and not use.attrs["keepdims"]):
                continue
            alone = all(v is value or not isinstance(v.type, TensorType) for v in use.operands)
            if not (alone and is_total(use) and self._is_folded(use.result, inside)):
                return False
        return True

    def _pick(self, old: Instr) -> None:
        instr = self._names.instr(old)
        code = Code(self._builder, instr.loc)
        x, mask = instr.operands
        require_sizes(code, x, mask)
        whole, chosen = code.op(arrays.COPY, x), code.op(arrays.COPY, mask)
        attrs = {"axis": None, "keepdims": False}
        count = self._builder.append(make(reductions.SUM, [chosen], attrs, instr.loc)).result
        self._picked[instr.result] = _Picked(chosen, whole, count)
        self._hoist(instr.result)

    def _hoist(self, value: Value) -> None:
        """Fold what is picked here where that can be said now: sums stand beside the count."""
        for use in self._uses.get(value, ()):
            others = [v for v in use.operands if v is not value]
            if use.op in _ENDED or not all(map(self._is_ready, others)):
                continue
            self._use(use)
            self._done.add(use)
            if use.result in self._picked:
                self._hoist(use.result)

    def _is_ready(self, value: Value) -> bool:
        """Whether a value is there; a constant that is to come is made here as well."""
        made = self._later.get(value)
        if made is not None and made.op is data.CONST:
            self._names[value] = self._builder.append(
                replace(made, results=(Value(value.type),))
            ).result
            return True
        return made is None

    def _use(self, instr: Instr) -> None:
        found = next(self._picked[v] for v in instr.operands if v in self._picked)
        code = Code(self._builder, instr.loc)
        if instr.op is arrays.DIM:
            self._names[instr.result] = code.to_int(found.count)
        elif instr.op in _KINDS:
            self._names[instr.result] = _folded(code, instr, found)
        else:
            operands = [
                found.whole if v in self._picked else self._names[v] for v in instr.operands
            ]
            whole = self._builder.append(make(instr.op, operands, instr.attrs, instr.loc)).result
            self._picked[instr.result] = replace(found, whole=whole)


def _folded(code: Code, instr: Instr, found: _Picked) -> Value:
    whole = found.whole
    assert isinstance(whole.type, TensorType)
    if instr.op in (reductions.MAX, reductions.MIN):
        name = "maximum" if instr.op is reductions.MAX else "minimum"
        message = f"zero-size array to reduction operation {name} which has no identity"
        some = code.test(e.NE, found.count, code.number(0))
        code.require(some, "ValueError", message)
    other = leading_axes.identity(code, _KINDS[instr.op], whole.type.dtype)
    chosen = code.op(e.WHERE, found.mask, whole, other)
    return code.builder.append(make(instr.op, [chosen], instr.attrs, instr.loc)).result
