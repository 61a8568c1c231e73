"""Fuse: array ops become nodes, and nodes become loop nests where somebody needs their values.

    %1 = sub %x, %m : tensor<f32, [B, N]>       =>      (nothing yet)
    %2 = exp %1 : tensor<f32, [B, N]>                   (nothing yet)
    %3 = sum %2 [axis=1] : tensor<f32, [B]>             one nest: for each row, a reduction of
    exit @return %3                                     exp(x - m) into the result
                                                        exit @return %result

Needs: core IR without library ops; effects.
Gives: low IR: no op on tensors is left but views, sizes, loads, stores and nests.
Does not: fuse across regions, or move a read of memory over a write that may touch it.
Cases: tests/cases/fusion/fuse, tests/cases/fusion/fuse_into_nests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from scriptc.analysis.contiguity import Contiguity, orders_of_results
from scriptc.analysis.effects import FunctionEffects, ModuleEffects
from scriptc.analysis.instr_kinds import raises_on_elements
from scriptc.analysis.remarks import (
    Bytes,
    Kind,
    Message,
    Reason,
    Topic,
    about,
    is_versions,
    line_near,
    name_fields,
    remark,
    remarks_wanted,
    same_as,
)
from scriptc.kernels.builder import Code
from scriptc.kernels.fusion import products, schedule, stores
from scriptc.kernels.fusion.build import BUILDERS
from scriptc.kernels.fusion.folds_first import folds_first, held_scalars
from scriptc.kernels.fusion.indexing import checked
from scriptc.kernels.fusion.indexing.slices import (
    is_cheap,
    part_of,
    sliced_values,
    split_of,
    subview_of,
    written_groups,
)
from scriptc.kernels.fusion.nodes import (
    Axes,
    Fold,
    Joined,
    Map,
    Node,
    Part,
    Pick,
    Place,
    Rolled,
    Scalar,
    Source,
    arrays_of,
    children,
    has_folds,
    is_costly,
    is_light,
    outermost_costly,
    substitute,
    topological,
)
from scriptc.kernels.fusion.sizes import Sizes
from scriptc.kernels.loops.fuse_products import Pair, find_pairs
from scriptc.passes.rebuild import Renaming
from scriptc_runtime.ir import (
    Block,
    Builder,
    Function,
    Instr,
    Label,
    Loc,
    Module,
    Role,
    Value,
    make,
    walk,
)
from scriptc_runtime.ops import arrays, control, data, low, picking, reshaping
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Trait
from scriptc_runtime.record import replace
from scriptc_runtime.types import INT, DType, TensorType

IN_MEMORY = Message("fuse", Topic.MEMORY, Kind.NOTE, "a new array of {bytes}: {why}")

# What takes values that are not in memory, beside what is a node itself.
_SOFT = (arrays.ASSIGN, arrays.DIM, picking.PUT_AT)
# What walks over nodes is recursive, and Python's stack has an end.
MAX_HEIGHT = 64
# Ends of slices behind every array are not added up: the sums would not fit into 64 bits.
_FAR = 2**48


def fuse(module: Module) -> Module:
    """Return `module` with every array op opened."""
    return _fused(module, routines=True)


def fuse_into_nests(module: Module) -> Module:
    """Return `module` with every array op opened, for a device without the CPU's routines."""
    return _fused(module, routines=False)


def _fused(module: Module, *, routines: bool) -> Module:
    effects, results = ModuleEffects(module), orders_of_results(module)
    functions: dict[str, Function] = {}
    checks: dict[str, Function] = {}
    for name, function in module.functions.items():
        if not _has_arrays(function):
            functions[name] = function
            continue
        about(function)
        known = effects.function(name), Contiguity(function, results)
        # A device without the routines has one kernel for all layouts.
        versions = routines and function.role is not Role.FALLBACK
        fuser = _Fuser(*known, routines=routines, versions=versions)
        functions[name] = fuser.function(function)
        checks.update(fuser.code.functions)
    return module.with_functions({**functions, **checks})


def _has_arrays(function: Function) -> bool:
    made = (value for instr in walk(function.body) for value in instr.results)
    return any(isinstance(value.type, TensorType) for value in (*function.params, *made))


class _Fuser:
    """The walk over one function.  `pending` are values whose nodes wait for a nest."""

    def __init__(
        self,
        effects: FunctionEffects,
        contiguity: Contiguity,
        *,
        routines: bool,
        versions: bool,
    ) -> None:
        self._effects = effects
        self._contiguity = contiguity
        self.routines = routines
        self._builder = Builder()
        self._names = Renaming()
        self._pending: dict[Value, Node] = {}
        self._waiting: dict[Node, Value] = {}  # of what waits, and of some that waits no more
        self._many = MAX_HEIGHT  # values that wait, some of which may be used no more
        self._heights: dict[Value, int] = {}  # of the nodes of what waits or has waited
        self.sizes = Sizes()
        self._numbers: dict[Value, int] = {}
        self._origins: dict[Value, Value] = {}
        self._pairs: Mapping[Instr, Pair] = {}
        self._together: dict[Pair, products.Together | None] = {}
        self._uses: Counter[Value] = Counter()
        self._hard: Counter[Value] = Counter()
        self._now: Counter[Value] = Counter()
        self._slices: dict[Value, Place] = {}
        self._written: set[Value] = set()
        self._at: Instr | None = None  # for which what waits is computed
        self._label: Label | None = None  # of the function
        self._sliced: set[Instr] = set()  # the views that may be slices of what waits
        self._held: frozenset[Instr] = frozenset()  # the scalars that may wait with folds
        self.code = Code(self._builder, versions=versions, has_functions=routines)

    def function(self, function: Function) -> Function:
        """Return `function` in low IR."""
        self._label = function.label
        name_fields(function)
        self._written = written_groups(function, self._effects)
        for value in self._contiguity.known:
            self.code.expect_order(value, self._contiguity.of(value))
        if self.routines:
            dense = self.code.is_dense
            self.code.expect_arguments([p for p in function.params if not dense(p)])
        return replace(function, body=self._block(function.body))

    def node(self, value: Value) -> Node:
        """Return the node of an operand; see `build.Context`."""
        if value in self._pending:
            return self._pending[value]
        value = self._names[value]
        if isinstance(value.type, TensorType):
            return Source(value, self.axes(value), self._slices.get(value))
        assert isinstance(value.type, DType)
        return Scalar(value, value.type)

    def array(self, value: Value) -> Value:
        """Return an operand as an array in memory, computing it now if it waits."""
        self._need([value])
        return self._names[value]

    def settled(self, value: Value) -> Node:
        """Return the node of an array that is read at any place: what is costly is computed now."""
        if value in self._pending and not self._hard[value]:
            names = {node: v for v, node in self._pending.items()}
            costly = [names.get(n) for n in outermost_costly(self._pending[value])]
            self._flush([v for v in costly if v is not None])
            if is_light(self.node(value)) and is_cheap(self.node(value)):
                return self.node(value)
        self._need([value])
        return self.node(value)

    def passed(self, values: Sequence[Value]) -> Sequence[Node]:
        """Return the nodes of arrays of which each element is read in one place here.

        What holds folds, or is costly and read elsewhere, by another one of them say, is computed
        now.
        """
        nodes = [self._pending[v] for v in values if v in self._pending]
        below = Counter(n for node in nodes for n in topological([node]) if self._waits(n))
        shared = [n for n, count in below.items() if count > 1 and is_costly(n)]
        inside = {child for n in shared for child in topological(children(n))}
        self._need([self._waiting[n] for n in shared if n not in inside])
        return [self._passed(value) for value in values]

    def _waits(self, node: Node) -> bool:
        """Whether a node is all of what waits for a value."""
        value = self._waiting.get(node)
        return value is not None and self._pending.get(value) is node

    def _let_wait(self, value: Value, node: Node) -> None:
        self._pending[value] = node
        self._waiting[node] = value

    def _passed(self, value: Value) -> Node:
        node = self._pending.get(value)
        if node is not None and not self._hard[value]:
            light = is_light(node)
            if light or (self._uses[value] == 1 and not has_folds(node)):
                return node
        self._need([value])
        return self.node(value)

    def scalar(self, value: Value) -> Value:
        """Return an operand in a register, computing it now if it waits."""
        self._need([value])
        return self._names[value]

    def shares(self, view: Value, array: Value) -> None:
        """Take note that `view` shares the memory of `array`."""
        self._origins[view] = self._origins.get(array, array)

    def together(self, instr: Instr) -> products.Together | None:
        """Return the pair of products over one matrix that `instr` belongs to."""
        pair = self._pairs.get(instr)
        if pair is None:
            return None
        if pair not in self._together:
            self._together[pair] = self._start(pair) if pair.first.instr is instr else None
        return self._together[pair]

    def _start(self, pair: Pair) -> products.Together | None:
        node = self.node(pair.first.matrix)
        if not isinstance(node, Source):
            return None
        vector = None if pair.chained else self.array(pair.second.vector)
        written = [self._names[value] for value in pair.written]
        return products.Together(self.code.at(pair.first.instr.loc), pair, node, vector, written)

    def slices(self, view: Value, array: Value, starts: tuple[int, ...]) -> None:
        """Take note where in `array` the elements of `view` stand."""
        place = self._slices.get(array)
        if place is not None:
            array = place.array
            starts = tuple(a + b for a, b in zip(place.starts, starts, strict=True))
        self._slices[view] = Place(array, starts)

    def axes(self, array: Value) -> Axes:
        """Return the axes of an array in memory."""
        return self.sizes.of(self.code, array)

    def number(self, value: Value) -> int | None:
        """Return the int that an operand is known to be."""
        return self._numbers.get(value)

    def _block(self, block: Block) -> Block:
        block = folds_first(block, _is_node)
        outer = self._pending, self._uses, self._hard, self._now, self._sliced, self._held
        outer_sizes, self.sizes = self.sizes, self.sizes.inside()
        self._pending = {}
        self._sliced = sliced_values(block, _is_node, self._is_unwritten)
        self._held = held_scalars(block, _is_node)
        soft = self._sliced | self._held
        self._uses, self._hard = _count_uses(block, soft)
        outer_pairs, self._pairs = self._pairs, find_pairs(block, self._effects)
        self._builder.open(*block.params)
        for instr in block.body:
            self._now, hard = _uses_of(instr, soft)
            self._instr(instr)
            # What is left is what is still to come.
            self._uses.subtract(self._now)
            self._hard.subtract(hard)
        self._pending, self._uses, self._hard, self._now, self._sliced, self._held = outer
        self._pairs = outer_pairs
        self.sizes = outer_sizes
        return self._builder.close()

    def _instr(self, instr: Instr) -> None:
        self._at = instr
        value = instr.attrs["value"] if instr.op is data.CONST else None
        if isinstance(value, int) and abs(value) < _FAR:
            self._numbers[instr.result] = value
        held = instr in self._held and any(v in self._pending for v in instr.operands)
        if held or _is_node(instr):
            self._wait(instr)
            return
        if instr.blocks:
            self._flush([v for v in self._pending if self._now[v]])
        self._before_writes(instr)
        if instr.op is arrays.ASSIGN:
            self._assign(instr)
        elif _is_elementwise(instr) and any(isinstance(v.type, TensorType) for v in instr.operands):
            self._on_elements(instr)
        elif instr.op in checked.OPENERS:
            if not (instr in self._sliced and self._slice(instr)):
                self._open(instr)
        elif _is_recast(instr):
            code, number = self.code.at(instr.loc), self.scalar(instr.operands[0])
            change = self.sizes.whole if number.type is INT else self.sizes.to_int
            self._bind(instr.result, change(code, number))
        else:
            self._need(instr.operands)
            self.sizes.forms.note_int(instr, [self._names[v] for v in instr.operands])
            self._builder.append(replace(self._names.instr(instr), blocks=self._blocks(instr)))

    def _wait(self, instr: Instr) -> None:
        """Let the node of an array op wait, unless it is computed already or has to be now."""
        node = BUILDERS[instr.op](self, instr)
        if isinstance(node, Source):
            self._bind(instr.result, node.array)
        elif isinstance(node, Scalar) and not isinstance(instr.result.type, TensorType):
            self._bind(instr.result, node.value)
        else:
            self._let_wait(instr.result, node)
            if raises_on_elements(instr) or self._height(instr) >= MAX_HEIGHT:
                self._need([instr.result])

    def _blocks(self, instr: Instr) -> tuple[Block, ...]:
        if instr.op not in (control.FOR, control.WHILE):
            return tuple(self._block(b) for b in instr.blocks)
        # What copies an argument in each iteration would keep the iterations from being done
        # together.
        arguments = self.code.expect_arguments(())
        blocks = tuple(self._block(b) for b in instr.blocks)
        self.code.expect_arguments(arguments)
        return blocks

    def _is_unwritten(self, array: Value) -> bool:
        return self._effects.group(array) not in self._written

    def _slice(self, view: Instr) -> bool:
        """Let a view wait as a slice of what waits, unless memory is the better place."""
        base = view.operands[0]
        if base not in self._pending or self._hard[base] or self._height(view) >= MAX_HEIGHT:
            return False
        node = self._pending[base]
        if view.op is reshaping.RESHAPE:
            again = is_costly(node) and self._uses[base] > 1
            part = None if again else split_of(self, view, node)
        else:
            part = part_of(self, view, node)
        if part is not None:
            self._let_wait(view.result, part)
        return part is not None

    def _flush_slices(self, values: Sequence[Value]) -> None:
        """Compute what slices among `values` are slices of, and make them views of that."""
        names = {node: value for value, node in self._pending.items()}
        for value in values:
            part = self._pending.get(value)
            if not isinstance(part, Part):
                continue
            if part.arg in names and names[part.arg] in self._pending:
                self._flush([names[part.arg]])
                part = self._pending[value]
            assert isinstance(part, Part)
            if isinstance(part.arg, Source):
                assert isinstance(value.type, TensorType)
                self._pending.pop(value)
                view = subview_of(self.code, part, part.arg.array, value.type)
                self._bind(value, view)
                self.slices(view, part.arg.array, part.starts)

    def _open(self, instr: Instr) -> None:
        value = checked.OPENERS[instr.op](self, instr)
        if value is not None:
            self._bind(instr.result, value)

    def _height(self, instr: Instr) -> int:
        """Return how many nodes stand over each other in what waits for `instr`."""
        below = (self._heights[v] for v in instr.operands if v in self._pending)
        height = self._heights[instr.result] = 1 + max(below, default=0)
        return height

    def _assign(self, instr: Instr) -> None:
        target, source = instr.operands
        array = self.array(target)
        if source in self._pending:
            self._flush(self._needed_again([source]))
        place = Source(array, self.axes(array))
        node = self.node(source)
        code = self.code.at(instr.loc)
        self.sizes.require_fits(code, node.axes, place.axes)
        stores.assign(code, place, node, self.may_alias, self._may_be_same)

    def _on_elements(self, instr: Instr) -> None:
        """Compute a ufunc on arrays without axes: it gives a scalar."""
        elements = [
            self.code.op(low.LOAD, self.array(v))
            if isinstance(v.type, TensorType)
            else self.scalar(v)
            for v in instr.operands
        ]
        value = self._builder.append(make(instr.op, elements, instr.attrs, instr.loc)).result
        self._bind(instr.result, value)

    def _bind(self, old: Value, new: Value) -> None:
        same_as(new, old)
        self._names[old] = new
        known = self._contiguity
        self.code.expect_order(new, known.of(old), spaced=known.is_spaced(old))
        self._origins.setdefault(new, old)

    def _memory(self, array: Value) -> Value:
        return self._effects.memory(self._origins.get(array, array))

    def _overlapping(self, array: Value) -> AbstractSet[Value]:
        return self._effects.overlapping(self._origins.get(array, array))

    def may_alias(self, first: Value, second: Value) -> bool:
        """Whether two arrays in memory may share elements."""
        return self._memory(second) in self._overlapping(first)

    def _may_be_same(self, first: Value, second: Value) -> bool:
        origins = self._origins
        return self._effects.share_class(origins.get(first, first), origins.get(second, second))

    def _before_writes(self, instr: Instr) -> None:
        """Compute what waits, is still used, and reads memory that `instr` may write."""
        writes = list(self._effects.footprint(instr).writes)
        if not writes:
            return
        # What is written must be in memory first: values that wait may be computed from it.
        self._need(writes)
        written = set[Value]().union(*(self._overlapping(self._names[v]) for v in writes))
        own = set(instr.operands) if instr.op is arrays.ASSIGN else set[Value]()
        self._flush(
            [
                value
                for value, node in self._pending.items()
                if self._uses[value] > (value in own)
                and not written.isdisjoint(map(self._memory, arrays_of(node)))
            ]
        )

    def _need(self, values: Sequence[Value]) -> None:
        """Compute `values` that wait, and with them what will have to be in memory later."""
        if any(v in self._pending for v in values):
            self._flush([v for v in self._pending if v in values or self._hard[v]])

    def _needed_again(self, values: Sequence[Value]) -> list[Value]:
        """Return what waits, costs more than a load, and is part of `values` and of what stays.

        It is computed once, into memory: `values` themselves if they are used later.
        """
        names = {node: v for v, node in self._pending.items()}
        shared = {
            node
            for node in topological([self._pending[v] for v in values])
            if node in names and (isinstance(node, Fold) or is_costly(node))
        }
        if not shared:
            return []
        oldest = min(node.number for node in shared)
        found: set[Value] = set()
        todo = [node for v, node in self._pending.items() if self._uses[v] > self._now[v]]
        seen: set[Node] = set()
        while todo:
            node = todo.pop()
            if node in seen or node.number < oldest:
                continue
            seen.add(node)
            if node in shared:
                found.add(names[node])
            else:
                todo += children(node)
        return [v for v in self._pending if v in found]

    def _flush(self, values: Sequence[Value]) -> None:
        self._flush_slices(values)
        values = [v for v in values if v in self._pending]
        if not values:
            return
        chosen = {*values, *self._needed_again(values)}
        if remarks_wanted():
            self._say(chosen, values)
        values = [v for v in self._pending if v in chosen]
        nodes = [self._pending.pop(v) for v in values]
        for value, computed in zip(values, schedule.materialise(self.code, nodes), strict=True):
            self._bind(value, computed)
        self._replace_computed(dict(zip(nodes, values, strict=True)))

    def _say(self, chosen: AbstractSet[Value], needed: Sequence[Value]) -> None:
        """Leave remarks on the arrays that are computed into memory now, and why."""
        for value in chosen:
            node = self._pending[value]
            if not isinstance(node, Map | Fold | Pick | Joined | Rolled) or not node.axes:
                continue
            why = self._why(node.loc) if value in needed else Reason("it is used more than once")
            bytes_ = Bytes(node.dtype, [axis.dim for axis in node.axes])
            remark(IN_MEMORY, node.loc, bytes=bytes_, why=why)

    def _why(self, near: Loc) -> Reason:
        """Return why what is made at a place is in memory for the instruction that is looked at."""
        assert self._at is not None
        line = self._at.loc
        if self._at.op is control.EXIT:
            target = self._at.target
            if target is not None and target.label is self._label:
                return Reason("it is returned")
            if target is not None and target.next:
                return Reason("the next iteration uses it")
            return Reason("it is used later on")
        if self._at.op in (control.FOR, control.WHILE) or is_versions(self._at):
            return Reason("the loop in line {line} uses it", line=line)
        if self._effects.footprint(self._at).writes:
            return Reason("line {line} writes it, or what it is computed from", line=line)
        if line_near(line, near) == near.line:
            return Reason("the rest of this line uses it")
        return Reason("line {line} uses it", line=line)

    def _replace_computed(self, computed: dict[Node, Value]) -> None:
        """Let the nodes that still wait read what is in memory now instead of computing it."""
        known: dict[Node, Node] = {node: self.node(value) for node, value in computed.items()}
        oldest = min(node.number for node in computed)
        memo: dict[Node, Node] = {}
        for value, node in self._pending.items():
            self._let_wait(value, substitute(node, known, memo, oldest))
        self._forget_unused()

    def _forget_unused(self) -> None:
        """Drop what no value that is still used is computed from, each time there may be much."""
        if len(self._pending) < self._many:
            return
        needed = set(topological([n for v, n in self._pending.items() if self._uses[v]]))
        self._pending = {v: n for v, n in self._pending.items() if n in needed}
        self._many = 2 * len(self._pending) + MAX_HEIGHT


def _is_node(instr: Instr) -> bool:
    """Whether `instr` waits as a node: an array, or a fold of one to a scalar."""
    if instr.op not in BUILDERS:
        return False
    return isinstance(instr.result.type, TensorType) or not _is_elementwise(instr)


def _is_recast(instr: Instr) -> bool:
    """Whether an int of the language becomes one of NumPy's, or the other way round."""
    return instr.op is e.CAST and {instr.operands[0].type, instr.result.type} == {INT, DType.I64}


def _is_elementwise(instr: Instr) -> bool:
    return Trait.ELEMENTWISE in instr.op.traits


def _uses_of(instr: Instr, soft: AbstractSet[Instr]) -> tuple[Counter[Value], Counter[Value]]:
    """Return how often values are used in `instr`, and how often by something but a node."""
    uses: Counter[Value] = Counter(instr.operands)
    for block in instr.blocks:
        for inner in walk(block):
            uses.update(inner.operands)
    waits = _is_node(instr) or instr.op in _SOFT or instr in soft
    return uses, Counter() if waits else uses.copy()


def _count_uses(block: Block, soft: AbstractSet[Instr]) -> tuple[Counter[Value], Counter[Value]]:
    uses: Counter[Value] = Counter()
    hard: Counter[Value] = Counter()
    for instr in block.body:
        more, harder = _uses_of(instr, soft)
        # `+=` would look through all counts each time.
        uses.update(more)
        hard.update(harder)
    return uses, hard
