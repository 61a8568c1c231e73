"""Loop versions: a counted loop with bounds checks runs unchecked where a guard proves them.

    for i in range(n):                 if 0 <= first index and last index < size:
        a[i] = b[i] * 2.0                  the loop without checks
                               =>      else:
                                           the loop as it was, with exact exceptions

The fast version has no way to raise in its innermost loops, so LLVM vectorises them.  Overflow
checks on linear arithmetic go with the bounds checks, whether or not it makes an index: the guard
holds every value that goes into it to 40 bits.  It also proves what `assumptions` has the fast
version assume of the arrays, which is reason enough for two versions where nothing is checked any
more.

Needs: IR without library ops.
Gives: IR where proven accesses are `load` and `store`; same results, same exceptions.
Does not: look through indices that are no linear forms of loop variables.
Cases: tests/cases/loops/version_bounds, tests/cases/loops/version_bounds_apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scriptc.analysis import serial_sums
from scriptc.analysis.affine import Affine, LoopForms, Range
from scriptc.analysis.contiguity import Contiguity, orders_of_results
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.effects import ModuleEffects
from scriptc.analysis.remarks import (
    VERSIONS,
    Index,
    Kind,
    Message,
    Named,
    Reason,
    Topic,
    remark,
    remarks_wanted,
)
from scriptc.kernels.builder import Code, emit_form
from scriptc.kernels.loops import assumptions, scalarise
from scriptc.kernels.loops.loop_functions import LoopFunctions
from scriptc.passes.rebuild import Renaming, copied, rebuild_outermost
from scriptc_runtime.ir import Block, Builder, Function, Instr, Module, Role, Value, walk
from scriptc_runtime.ops import arrays, control, data, exact, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import INT, TensorType

MOVED = Message(
    "version_bounds",
    Topic.CHECKS,
    Kind.DONE,
    "range check of {array} moved before the loop of line {line}",
)
KEPT = Message(
    "version_bounds", Topic.CHECKS, Kind.MISSED, "range check of {array} in each iteration: {why}"
)
TWO_VERSIONS = Message(
    "version_bounds",
    Topic.VERSIONS,
    Kind.NOTE,
    "two versions; a guard before the loop chooses the fast one: {conditions}",
)

# Ops with an array as result that only look at memory which is there.
_CHEAP = frozenset(
    {
        *(arrays.VIEW, arrays.TRANSPOSE, arrays.PART, arrays.RECORD_FIELD),
        *(data.FIELD, control.CELL_GET),
    }
)
# Checked arithmetic, and what computes the same where the guard says that it fits.
_WRAPPING: Mapping[OpDef, OpDef] = {
    **{op: op for op in (e.ADD, e.SUB, e.MUL, e.NEG)},
    exact.SCALE: e.MUL,
}
_LOOPS = (control.FOR, control.WHILE)
_CHECKED = (arrays.INDEX, arrays.SET_INDEX)
LIMIT = 2**40  # no array has more elements; sums of a few such numbers fit in 64 bits


def version_bounds(module: Module) -> Module:
    """Return `module` with two versions of each loop that has checks a guard can prove."""
    return _versions(module, apart=False)


def version_bounds_apart(module: Module) -> Module:
    """Do as `version_bounds`, with fallbacks as functions of their own where possible."""
    return _versions(module, apart=True)


def _versions(module: Module, *, apart: bool) -> Module:
    functions: dict[str, Function] = {}
    exact: dict[str, Function] = {}
    effects, results = ModuleEffects(module), orders_of_results(module)
    for name, function in module.functions.items():
        definitions = dict(definitions_of(function))
        if not any(i.op in _LOOPS for i in walk(function.body)):
            functions[name] = function
            continue
        loops = LoopFunctions(function, definitions, Role.FALLBACK) if apart else None
        memory = assumptions.Memory(Contiguity(function, results), effects.function(name))
        versions = _Versions(
            function.body, definitions, assumptions.long_lived(function), memory, loops
        )
        body = versions.block(function.body)
        functions[name] = function if body is function.body else replace(function, body=body)
        exact.update(loops.functions if loops else {})
    return module.with_functions({**functions, **exact})


@record(eq=False)
class _Access:
    """A checked access and the range of its index on each axis."""

    array: Value
    ranges: Sequence[Range]


@record(eq=False)
class _Plan:
    """What the guard of a loop proves."""

    loop: Instr  # what becomes the fast version
    accesses: dict[Instr, _Access]
    arithmetic: dict[Instr, Sequence[Range]]  # the ranges of what goes in and of what comes out
    layout: assumptions.Layout
    opened: scalarise.Opened | None


@record(eq=False)
class _Versions:
    """Makes the versions of one function, whose arrays of one kind last for the whole call."""

    body: Block
    definitions: dict[Value, Instr]
    lasting: set[Value]
    memory: assumptions.Memory
    exact: LoopFunctions | None

    def block(self, block: Block) -> Block:
        return rebuild_outermost(block, self._versions)

    def _versions(self, instr: Instr, builder: Builder) -> bool:
        plan = self._plan(instr) if instr.op in _LOOPS else None
        if plan is not None:
            self._emit(builder, instr, plan)
        return plan is not None

    def _plan(self, loop: Instr) -> _Plan | None:
        opened = scalarise.open_slices(loop, self.definitions, self.lasting)
        if opened is not None:
            loop = opened.loop
        elif any(is_array_work(i) for i in walk(loop.blocks[0])):
            # Work on whole arrays dwarfs a guard, and would be compiled twice: the loops inside it,
            # or beside it, get their own versions.
            return None
        accesses, arithmetic = _proofs(loop, self.definitions, opened)
        # Wherever its elements lie, such a loop takes the same time.
        is_sum = serial_sums.is_lone_sum(loop, self.body)
        layout = assumptions.NOTHING if is_sum else assumptions.layout_of(loop, self.lasting)
        if opened is not None and not layout.covers(opened.pairs):
            return None
        if not accesses and not layout.arrays:
            return None
        return _Plan(loop, accesses, arithmetic, layout, opened)

    def _say(self, loop: Instr, plan: _Plan) -> None:
        """Leave remarks on what a guard proves."""
        for instr, access in plan.accesses.items():
            array = Named(access.array, self.definitions)
            remark(MOVED, instr.loc, array=array, line=loop.loc)
        if plan.opened is not None:
            remark(scalarise.OPENED, loop.loc)
        checked = dict.fromkeys(a.array for a in plan.accesses.values())
        conditions: list[Reason] = []
        if checked:
            names = [Named(a, self.definitions) for a in checked]
            conditions.append(Reason("every index inside {arrays}", arrays=names))
        conditions += plan.layout.unknown(self.memory).said(self.definitions)
        if conditions:
            remark(TWO_VERSIONS, loop.loc, conditions=conditions)

    def _emit(self, builder: Builder, loop: Instr, plan: _Plan) -> None:
        if remarks_wanted():
            self._say(loop, plan)
        code = Code(builder, loop.loc)
        for size in plan.opened.sizes if plan.opened else ():
            builder.append(size)
        conditions = [*_guard(code, plan), *plan.layout.conditions(code, self.memory)]

        def fast(results: tuple[Value, ...]) -> Sequence[Value]:
            names = Renaming()
            plan.layout.assume(code, names)
            for buffer in plan.opened.buffers if plan.opened else ():
                _make(code, buffer, names)
            body = _unchecked(plan.loop.blocks[0], plan, names)
            # What is computed from a renamed value must not be taken for computed from the old one.
            self.definitions.update((r, i) for i in walk(body) for r in i.results)
            # Inner loops may have accesses to arrays that this loop makes.
            made = replace(names.instr(plan.loop), blocks=(self.block(body),), results=results)
            return builder.append(made).results

        def slow() -> Sequence[Value]:
            again = replace(loop, results=tuple([Value(r.type) for r in loop.results]))
            if self.exact and self.exact.emit(builder, again):
                return again.results
            return builder.append(copied(loop)).results

        if not conditions:
            fast(loop.results)
            return
        made = tuple(Value(r.type) for r in loop.results)
        guard = code.both(conditions)
        code.choose(guard, lambda: fast(made), slow, VERSIONS, loop.results)


def _proofs(
    loop: Instr, definitions: dict[Value, Instr], opened: scalarise.Opened | None
) -> tuple[dict[Instr, _Access], dict[Instr, Sequence[Range]]]:
    """Return the accesses that a guard can prove, and the arithmetic that goes with them."""
    if loop.op is not control.FOR:
        return {}, {}
    forms = LoopForms(loop, definitions)
    accesses: dict[Instr, _Access] = {}
    arithmetic: dict[Instr, Sequence[Range]] = {}
    for instr in walk(loop.blocks[0]):
        access = _provable(instr, forms) if instr.op in _CHECKED else None
        if isinstance(access, _Access):
            accesses[instr] = access
        elif access is not None:
            remark(KEPT, instr.loc, array=Named(instr.operands[0], definitions), why=access)
        elif instr.op in _WRAPPING and instr.result.type is INT:
            ranges = _linear(instr, forms)
            if ranges is not None:
                arithmetic[instr] = ranges
    return (accesses, arithmetic) if accesses or opened else ({}, {})


def _linear(instr: Instr, forms: LoopForms) -> Sequence[Range] | None:
    """Return the ranges of the operands and of the result where all are small.

    An operand may be a NumPy integer that has wrapped around, so its range matters as well.
    """
    ranges: list[Range] = []
    for value in (*instr.operands, instr.result):
        form = forms.form(value)
        if form is None:
            return None
        ends = forms.range(form)
        if not (ends.low.is_small and ends.high.is_small):
            return None
        ranges.append(ends)
    return ranges


def is_array_work(instr: Instr) -> bool:
    """Whether `instr` computes or writes a whole array."""
    makes = any(isinstance(r.type, TensorType) for r in instr.results)
    return instr.op is arrays.ASSIGN or (makes and instr.op not in _CHEAP and not instr.blocks)


def _provable(instr: Instr, forms: LoopForms) -> _Access | Reason | None:
    """Return the ranges of an index, or why they are not known; None where nothing is checked."""
    array = instr.operands[0]
    if array in forms.inside:
        made = forms.definitions.get(array)
        if made is not None and made.op is data.FIELD:
            return Reason("a field may change in the loop; bind it to a variable before the loop")
        return Reason("the array, or a view of one, is made inside of the loop")
    first = 1 if instr.op is arrays.INDEX else 2
    ranges: list[Range] = []
    for index in instr.operands[first:]:
        form = forms.form(index)
        if form is None:
            return Reason("its index is computed or read in the loop, not counted by it")
        ends = forms.range(form)
        if not (ends.low.is_small and ends.high.is_small):
            return Reason("its index has factors so large that its range might overflow")
        if not ends.low.terms and ends.low.constant < 0:
            # The checked access knows how.
            written = Index([form], forms.definitions, (forms.loop, *walk(forms.loop.blocks[0])))
            return Reason("index {index} counts from the end of the axis", index=written)
        ranges.append(ends)
    return _Access(array, ranges) if ranges else None  # without an index nothing is checked


def _guard(code: Code, plan: _Plan) -> list[Value]:
    """Emit the tests that accesses are in range, and arithmetic fits, in every iteration."""
    forms = list(plan.opened.conditions) if plan.opened else []
    ranges = [r for access in plan.accesses.values() for r in access.ranges]
    ranges += [r for several in plan.arithmetic.values() for r in several]
    used = (*forms, *(form for ends in ranges for form in (ends.low, ends.high)))
    held = dict.fromkeys(value for form in used for value, _ in form.terms)
    conditions = [test for value in held for test in small_enough(code, value)]
    zero = code.number(0)
    conditions += [code.test(e.GE, emit_form(code, form), zero) for form in forms]
    tested: set[tuple[Affine, Value | None, int]] = set()
    for access in plan.accesses.values():
        for axis, ends in enumerate(access.ranges):
            if (ends.low, None, 0) not in tested:
                tested.add((ends.low, None, 0))
                conditions.append(code.test(e.GE, emit_form(code, ends.low), zero))
            if (ends.high, access.array, axis) not in tested:
                tested.add((ends.high, access.array, axis))
                size = code.builder.emit(arrays.DIM, access.array, loc=code.loc, axis=axis)
                last = emit_form(code, ends.high)
                conditions.append(code.test(e.LT, last, code.to_i64(size)))
    return conditions


def small_enough(code: Code, value: Value) -> list[Value]:
    """Emit the tests that a number is small enough for sums of a few such numbers to fit."""
    number = code.to_i64(value)
    return [
        code.test(e.GE, number, code.number(-LIMIT)),
        code.test(e.LE, number, code.number(LIMIT)),
    ]


def _make(code: Code, buffer: scalarise.Buffer, names: Renaming) -> None:
    """Emit the memory of a buffer; a loop without iterations may ask for less than none."""
    made = names[buffer.array] = Value(buffer.array.type, buffer.array.name)
    code.scratch(made, code.op(e.MAXIMUM, emit_form(code, buffer.most), code.number(0)))


def _unchecked(block: Block, plan: _Plan, names: Renaming) -> Block:
    """Return `block` with the planned accesses and index arithmetic unchecked."""
    builder = Builder()
    builder.open(*block.params)
    for old in block.body:
        instr = names.instr(old)
        code = Code(builder, instr.loc)
        if old in plan.accesses:
            _access(code, instr, names)
        elif old in plan.arithmetic:
            operands = (code.to_i64(v) for v in instr.operands)
            names[instr.result] = code.to_int(code.op(_WRAPPING[instr.op], *operands))
        else:
            blocks = tuple(_unchecked(b, plan, names) for b in instr.blocks)
            builder.append(replace(instr, blocks=blocks) if blocks else instr)
    return builder.close()


def _access(code: Code, instr: Instr, names: Renaming) -> None:
    if instr.op is arrays.INDEX:
        array, *index = instr.operands
        names[instr.result] = code.op(low.LOAD, array, *(code.to_i64(i) for i in index))
    else:
        array, value, *index = instr.operands
        places = [code.to_i64(i) for i in index]
        code.builder.effect(low.STORE, array, value, *places, loc=instr.loc)
