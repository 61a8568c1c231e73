"""What the iterations of a loop write to elements that other ones write, too.

    h[k[i]] += w[i]                 an update: what is there, and something that it does not
                                    decide on, give what is there afterwards
    h[k[i]] = w[i]                  a put: of all for one element the last one stays

Such a loop carries nothing on but by these elements, and no iteration sees what an element was.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from scriptc.analysis.affine import LoopForms
from scriptc.analysis.dependence import is_distinct, is_spread
from scriptc.analysis.induction import has_known_step
from scriptc.analysis.instr_kinds import computes, is_for_kernels, may_raise
from scriptc.kernels.device.loop_ends import exact_of
from scriptc.kernels.loops.parallelise import is_independent
from scriptc_runtime.ir import Instr, Value, walk
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record
from scriptc_runtime.types import INT, DType, TensorType

PUT, ADD, SUB = "put", "add", "sub"
_KINDS: Mapping[OpDef, str] = {
    e.ADD: ADD, e.SUB: SUB, e.MUL: "mul", e.MAXIMUM: "maximum", e.MINIMUM: "minimum",
}  # fmt: skip
_LOOPS = (control.FOR, control.WHILE)
_OF_KERNELS = (control.IF, control.BLOCK, *_LOOPS, low.LOAD, low.SIZE, data.TUPLE)


@record(eq=False)
class Update:
    """A store to an element of an array, and what it does with what is there."""

    kind: str
    store: Instr
    amount: Value
    dropped: Sequence[Instr]  # what reads the element and combines it

    @property
    def array(self) -> Value:
        """The array that it writes."""
        return self.store.operands[0]

    @property
    def index(self) -> Sequence[Value]:
        """Where it writes."""
        return self.store.operands[2:]

    @property
    def in_any_order(self) -> bool:
        """Whether ints are added, which comes to the same in any order."""
        return self.kind in (ADD, SUB) and dtype_of(self.array).kind in "iu"


def dtype_of(array: Value) -> DType:
    """Return what the elements of an array are."""
    assert isinstance(array.type, TensorType)
    return array.type.dtype


@record(eq=False)
class Updates:
    """The updates of a loop, which hold where `spread` arrays are so and `pairs` lie apart."""

    all: Sequence[Update]
    spread: Sequence[Value]
    pairs: Sequence[tuple[Value, Value]]


def updates_of(loop: Instr, definitions: Mapping[Value, Instr]) -> Updates | None:
    """Return what the iterations of a loop write; None where they do more, or nothing of this.

    Those of a parallel loop are promised not to meet, but where they read what they write: many
    count so.
    """
    if loop.results or not has_known_step(loop, definitions):
        return None
    body = tuple(walk(loop.blocks[0]))
    stores = [i for i in body if i.op is low.STORE]
    loads = [i for i in body if i.op is low.LOAD]
    written = dict.fromkeys(i.operands[0] for i in stores)
    read = dict.fromkeys(i.operands[0] for i in loads)
    if not written or any(a in _made_in(body) for a in (*written, *read)):
        return None
    if loop.attrs and (written.keys().isdisjoint(read) or _is_promised(loop, definitions)):
        return None
    found = _Body(loop, body, definitions).updates(stores, loads)
    if found is None or any(_is_ordered_elsewhere(u, found, loop) for u in found):
        return None
    dropped = {i for u in found for i in (u.store, *u.dropped)}
    if not all(i in dropped or _may_stand(i) for i in body):
        return None
    others = dict.fromkeys((*read, *written))
    pairs = [(a, b) for a in written for b in others if a is not b]
    spread = [a for a in written if not is_spread(a, definitions)]
    unknown = [p for p in pairs if not is_distinct(*p, definitions)]
    # A guard has been there for what it can prove; this is its other way, which is seldom gone.
    if (spread or unknown) and _is_affine(loop, stores, definitions):
        return None
    return Updates(found, spread, unknown)


def _is_affine(loop: Instr, stores: Sequence[Instr], definitions: Mapping[Value, Instr]) -> bool:
    """Whether all stores are to elements whose index is linear in loop variables."""
    forms = LoopForms(loop, definitions)
    index = (given_index(v, definitions) for store in stores for v in store.operands[2:])
    return all(forms.form(v) is not None for v in index)


def given_index(value: Value, definitions: Mapping[Value, Instr]) -> Value:
    """Return an index as the program gives it: it may count from the end."""
    made = definitions.get(value)
    is_checked = made is not None and made.op is low.SELECT and made.attrs.get("seldom")
    return made.operands[2] if made is not None and is_checked else value


def _made_in(body: Sequence[Instr]) -> set[Value]:
    return {r for i in body for r in i.results}


def _is_promised(loop: Instr, definitions: Mapping[Value, Instr]) -> bool:
    """Whether no two iterations meet in an element, as was promised."""
    uses = Counter(v for i in walk(loop.blocks[0]) for v in i.operands)
    return is_independent(loop, definitions, uses)


def _may_stand(instr: Instr) -> bool:
    """Whether an instruction reads and computes, or leaves the iteration or the loop."""
    if instr.target is not None or instr.op is low.FAIL:
        return True
    if instr.op is control.FOR and instr.attrs:
        return False
    if not is_for_kernels(instr) and instr.op is not data.TUPLE:
        return False
    if instr.op in _OF_KERNELS:
        return True
    return computes(instr) and (not may_raise(instr) or exact_of(instr) is not None)


def _is_ordered_elsewhere(update: Update, updates: Sequence[Update], loop: Instr) -> bool:
    """Whether the order of an update with others is not that of iterations, and matters."""
    if update.in_any_order:
        return any(o.array is update.array and not o.in_any_order for o in updates)
    if any(o.array is update.array and o.kind != update.kind for o in updates):
        return True
    return any(update.store in walk(i.blocks[0]) for i in _loops_in(loop))


def _loops_in(loop: Instr) -> Iterator[Instr]:
    return (i for i in walk(loop.blocks[0]) if i.op in _LOOPS)


@record(eq=False)
class _Body:
    loop: Instr
    body: Sequence[Instr]
    definitions: Mapping[Value, Instr]

    def updates(self, stores: Sequence[Instr], loads: Sequence[Instr]) -> Sequence[Update] | None:
        """Return what stores do; None where a load of what is written is for something else."""
        read = {i.operands[0] for i in loads}
        uses = Counter(v for i in self.body for v in i.operands)
        found: list[Update] = []
        for store in stores:
            if store.operands[0] not in read:
                found.append(Update(PUT, store, store.operands[1], ()))
            elif (update := self._update(store, uses)) is not None:
                found.append(update)
            else:
                return None
        dropped = {i for update in found for i in update.dropped}
        written = {u.array for u in found}
        if any(i.operands[0] in written and i not in dropped for i in loads):
            return None
        return found if self._are_apart(found) else None

    def _update(self, store: Instr, uses: Mapping[Value, int]) -> Update | None:
        array, stored, *index = store.operands
        value, casts = self._before_casts(stored)
        made = self.definitions.get(value)
        if made is None or made not in self.body or made.op not in _KINDS:
            return None
        if dtype_of(array) is DType.B1:
            return None  # truths are no numbers to combine
        if any(uses[v] != 1 for v in (value, *(c.result for c in casts))):
            return None
        first, second = made.operands
        for old, amount in ((first, second), (second, first)):
            load = self.definitions.get(old)
            if made.op is e.SUB and old is not first:
                continue
            if load is None or load.op is not low.LOAD or uses[old] != 1 or load not in self.body:
                continue
            if load.operands[0] is array and all(map(self._is_one, load.operands[1:], index)):
                return Update(_KINDS[made.op], store, amount, (load, made, *casts))
        return None

    def _before_casts(self, value: Value) -> tuple[Value, Sequence[Instr]]:
        """Return what a value is an int of 64 bits of and back, and the casts."""
        last = self.definitions.get(value)
        first = (
            self.definitions.get(last.operands[0]) if last is not None and last.operands else None
        )
        if last is None or first is None or (last.op, first.op) != (e.CAST, e.CAST):
            return value, ()
        inner, (given,) = first.result.type, first.operands
        if inner not in (INT, DType.I64) or given.type != value.type:
            return value, ()
        is_int = isinstance(given.type, DType) and given.type.kind in "iu"
        fits = is_int and given.type is not DType.U64
        return (given, (first, last)) if fits else (value, ())

    def _is_one(self, read: Value, written: Value) -> bool:
        """Whether a load and a store have one index: what is written needs no look at its end."""
        return written in (read, given_index(read, self.definitions))

    def _are_apart(self, updates: Sequence[Update]) -> bool:
        """Whether no other store comes between the load of an element and the store to it."""
        for update in updates:
            if update.dropped:
                first, last = map(self.body.index, (update.dropped[0], update.store))
                between = self.body[first:last]
                if any(i.op is low.STORE and i.operands[0] is update.array for i in between):
                    return False
        return True
