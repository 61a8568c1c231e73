"""Predicated stores: `a[mask] = f(a[mask], b[mask], s)` as one loop over all elements.

    %x = compress %a, %mask                    %v = mul %a, %s
    %v = mul %x, %s                    =>      %w = where %mask, %v, %a
    put_masked %a, %mask, %v                   assign %a, %w

Nothing is picked and put back: the loop computes for every element and keeps what was there where
the mask is false.  That is the same where

- all that the values are computed from is picked by `mask`, or is a scalar: by that very value, or
  by one that is computed in the same way from what nobody has written to since;
- nothing in between writes to the mask or to what is picked from;
- the ops in between work on each element alone and never raise: they also meet the elements that
  are not picked, whose results are dropped;
- they are vector code: where few elements are picked, a call for each of all would take longer.

Writing an element to itself changes nothing, and the assignment deals with arrays that overlap.

Needs: core IR without library ops.
Gives: the same results; `put_masked` stands only where values come from elsewhere.
Does not: look beyond one block.
Cases: tests/cases/fusion/mask_stores.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.effects import FunctionEffects, ModuleEffects
from scriptc.analysis.instr_kinds import VECTORISED
from scriptc.analysis.remarks import Kind, Message, Topic, about, remark
from scriptc.kernels.builder import Code
from scriptc.kernels.fusion.indexing.masks import is_total, require_sizes
from scriptc_runtime.bits import same_bits
from scriptc_runtime.ir import Block, Builder, Function, Instr, Module, Value, make, walk
from scriptc_runtime.ops import arrays, data, elementary, reshaping
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import picking as picking_ops
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import DType, TensorType, element_of, is_complex

MASKED = Message(
    "mask_stores",
    Topic.FUSION,
    Kind.DONE,
    "one loop over the whole array: what the mask does not pick keeps its value, nothing is "
    "gathered",
)

_CALLED = frozenset({*elementary.ROUNDED, e.POW}) - frozenset(VECTORISED)
_FLOATS = (DType.F64, DType.F32)  # whose powers are vector code
_CALLED_OF_COMPLEX = frozenset({*elementary.ROUNDED, e.LOG, e.SQRT, e.POW})


def mask_stores(module: Module) -> Module:
    """Return `module` with predicated stores."""
    effects: ModuleEffects | None = None
    functions = dict(module.functions)
    for name, function in module.functions.items():
        about(function)
        if any(i.op is picking_ops.PUT_MASKED for i in walk(function.body)):
            effects = effects or ModuleEffects(module)
            body = _Stores(function, effects.function(name)).block(function.body)
            functions[name] = replace(function, body=body)
    return module.with_functions(functions)


@record(eq=False)
class _Plan:
    """What a store takes: the instructions that compute it, and those that pick.

    With each pick come the array and the mask, as they are before they are put in one row.
    """

    computed: Sequence[Instr]
    picks: Mapping[Instr, tuple[Value, Value]]


class _Stores:
    def __init__(self, function: Function, effects: FunctionEffects) -> None:
        self._effects = effects
        self._uses: dict[Value, list[Instr]] = {}
        self._definitions: dict[Value, Instr] = {}
        for instr in walk(function.body):
            for result in instr.results:
                self._definitions[result] = instr
            for operand in dict.fromkeys(instr.operands):
                self._uses.setdefault(operand, []).append(instr)

    def block(self, block: Block) -> Block:
        """Return a block with its stores predicated."""
        places = {instr: i for i, instr in enumerate(block.body)}
        stores = [i for i in block.body if i.op is picking_ops.PUT_MASKED]
        plans = {s: plan for s in stores if (plan := self._plan(s, block, places))}
        picks = {pick: pair for plan in plans.values() for pick, pair in plan.picks.items()}
        dropped = self._dropped(plans)
        builder = Builder()
        builder.open(*block.params)
        for instr in block.body:
            if instr in picks:
                require_sizes(Code(builder, instr.loc), *picks[instr])
            if instr in dropped:
                continue
            if instr in plans:
                remark(MASKED, instr.loc)
                _emit(builder, instr, plans[instr])
                continue
            blocks = tuple(self.block(b) for b in instr.blocks)
            builder.append(replace(instr, blocks=blocks) if blocks else instr)
        return builder.close()

    def _plan(self, store: Instr, block: Block, places: Mapping[Instr, int]) -> _Plan | None:
        _, mask, values = store.operands
        computed: dict[Instr, None] = {}
        picks: dict[Instr, tuple[Value, Value]] = {}
        todo = [values]
        while todo:
            value = todo.pop()
            made = self._definitions.get(value)
            if not isinstance(value.type, TensorType):
                continue
            if made is None or made not in places:
                return None
            if made.op is picking_ops.COMPRESS:
                upto = block.body[: places[store]]
                source, chosen = (self._whole(v, upto, places) for v in made.operands)
                if _rank(source) != _rank(mask):
                    return None
                if not self._is_same(chosen, mask, block, places):
                    return None
                picks[made] = source, chosen
            elif is_total(made) and not _is_called(made):
                computed[made] = None
                todo += made.operands
            else:
                return None
        if not picks or not self._is_untouched(store, block, places, picks):
            return None
        return _Plan([i for i in block.body if i in computed], picks)

    def _is_same(
        self, first: Value, second: Value, block: Block, places: Mapping[Instr, int]
    ) -> bool:
        """Whether two values are one, or are computed alike from the same elements."""
        if first is second:
            return True
        one, other = self._definitions.get(first), self._definitions.get(second)
        if one is None or other is None or one.op is not other.op:
            return False
        if not same_bits(one.attrs, other.attrs):
            return False
        if one.op is data.CONST:
            return True
        if one not in places or other not in places or not is_total(one):
            return False
        pairs = zip(one.operands, other.operands, strict=True)
        if not all(self._is_same(a, b, block, places) for a, b in pairs):
            return False
        start, stop = sorted((places[one], places[other]))
        read = [v for v in one.operands if isinstance(v.type, TensorType)]
        return not self._is_written(block.body[start:stop], read)

    def _is_written(self, between: Sequence[Instr], read: Sequence[Value]) -> bool:
        for instr in between:
            written = self._effects.footprint(instr).writes
            if any(self._effects.may_alias(w, r) for w in written for r in read):
                return True
        return False

    def _whole(self, array: Value, upto: Sequence[Instr], places: Mapping[Instr, int]) -> Value:
        """Return the array whose elements stand in one row here, if nobody writes to either."""
        made = self._definitions.get(array)
        if made is None or made not in places:
            return array
        if made.op is not reshaping.RESHAPE or _rank(array) != 1:
            return array
        # The row may be a copy.
        pair = (array, made.operands[0])
        return array if self._is_written(upto[places[made] :], pair) else made.operands[0]

    def _is_untouched(
        self,
        store: Instr,
        block: Block,
        places: Mapping[Instr, int],
        picks: Mapping[Instr, tuple[Value, Value]],
    ) -> bool:
        """Whether nothing is written between picking and storing that either reads."""
        first = min(places[pick] for pick in picks)
        read = [store.operands[1], *(v for pair in picks.values() for v in pair)]
        return not self._is_written(block.body[first : places[store]], read)

    def _dropped(self, plans: Mapping[Instr, _Plan]) -> set[Instr]:
        """Return what only planned stores need."""
        dropped: set[Instr] = set(plans)
        for plan in plans.values():
            rows = [row for pick in plan.picks.items() for row in self._rows(*pick)]
            for instr in (*reversed(plan.computed), *plan.picks, *rows):
                if all(use in dropped for use in self._uses.get(instr.result, ())):
                    dropped.add(instr)
        return dropped - set(plans)

    def _rows(self, pick: Instr, kept: tuple[Value, Value]) -> list[Instr]:
        """Return what makes rows of an array and its mask for a pick, users before what they use.

        As the mask has the shape of the array, there is nothing in it that could raise.
        """
        made = [self._definitions.get(v) for v in pick.operands if v not in kept]
        rows = [i for i in made if i is not None and i.op is reshaping.RESHAPE]
        sizes = [self._definitions.get(v) for row in rows for v in row.operands[1:]]
        counts = [i for i in sizes if i is not None and i.op is arrays.DIM]
        return [*rows, *counts, *rows]


def _rank(array: Value) -> int:
    assert isinstance(array.type, TensorType)
    return array.type.rank


def _is_called(instr: Instr) -> bool:
    """Whether an op is a call for each element."""
    element = element_of(instr.operands[0].type)
    if instr.op in _CALLED:
        return instr.op is not e.POW or element not in _FLOATS
    return element is not None and is_complex(element) and instr.op in _CALLED_OF_COMPLEX


def _emit(builder: Builder, store: Instr, plan: _Plan) -> None:
    target, mask, values = store.operands
    code = Code(builder, store.loc)
    require_sizes(code, target, mask)
    known: dict[Value, Value] = {p.result: source for p, (source, _) in plan.picks.items()}
    for instr in plan.computed:
        operands = [known.get(v, v) for v in instr.operands]
        made = builder.append(make(instr.op, operands, instr.attrs, instr.loc))
        known[instr.result] = made.result
    chosen = code.op(e.WHERE, mask, known[values], target)
    builder.effect(arrays.ASSIGN, target, chosen, loc=store.loc)
