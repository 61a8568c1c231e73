"""Independent: loops over `range` whose iterations threads share, as they do those of `prange`.

    for i in range(n):                          for i in range(n) [grows=()]:
        for j in range(m):              =>          for j in range(m):
            c[i, j] = a[i, j] * b[j]                    c[i, j] = a[i, j] * b[j]

No iteration of such a loop raises, ends the loop or hands a value to the next one; and where two
iterations access an array that one of them writes, they never lead to one element, which
`dependence` shows. A loop inside another one is worth sharing if it holds loops itself, but for a
few iterations nothing is.

Needs: low IR with what `assumptions` assumes of arrays, after the passes that rearrange loops.
Gives: low IR; loops to share are marked as those over `prange` are.
Does not: share loops around array statements, whose iterations are shared themselves.
Cases: tests/cases/loops/parallelise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from scriptc.analysis import dependence
from scriptc.analysis.affine import Affine, LoopForms, Range
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import are_few, constant_int, has_known_step, is_next
from scriptc.analysis.remarks import (
    TESTED,
    Doing,
    Index,
    Kind,
    Message,
    Named,
    Reason,
    Topic,
    is_versions,
    muted,
    name_loops,
    remark,
    remarks_wanted,
)
from scriptc.kernels.loops.nest_parts import is_quiet
from scriptc.passes.per_function import per_function
from scriptc.passes.plain import WRITES_NONE, why_carried
from scriptc_runtime.ir import Block, Function, Instr, Label, Value, walk
from scriptc_runtime.ops import control, low
from scriptc_runtime.ops.opdef import Attrs
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import INT

SHARED = Message(
    "parallelise",
    Topic.PARALLEL,
    Kind.DONE,
    "parallel: threads share its iterations, if they are much work",
)
NOT_SHARED = Message("parallelise", Topic.PARALLEL, Kind.MISSED, "not parallel: {why}")

_LOOPS = (control.FOR, control.WHILE, low.LOOP, low.REDUCE)
_ACCESSES = (low.LOAD, low.STORE)
_REGIONS = (*_LOOPS, control.IF, control.BLOCK)
_MARK: Attrs = {"grows": ()}


@per_function
def parallelise(function: Function) -> Function:
    """Return `function` with the loops marked that threads may share."""
    looked_at = _is_loop if remarks_wanted() else _is_plain
    if not any(map(looked_at, walk(function.body))):
        return function
    name_loops(function)
    definitions = definitions_of(function)
    uses = Counter(v for i in walk(function.body) for v in i.operands)
    body = _Marker(definitions, uses).block(function.body, None)
    return function if body is function.body else replace(function, body=body)


def is_independent(
    loop: Instr, definitions: Mapping[Value, Instr], uses: Mapping[Value, int]
) -> bool:
    """Whether the iterations of a loop over `range` that carries nothing may run in any order.

    `uses` says how often the function has a value as an operand.
    """
    return _Iterations(loop, definitions, uses).why_not() is None


def _is_loop(instr: Instr) -> bool:
    return instr.op is control.FOR and not instr.attrs


def _is_plain(instr: Instr) -> bool:
    """Whether it is a loop over `range` that carries nothing."""
    return _is_loop(instr) and len(instr.operands) == 3


def _too_little(loop: Instr, inside: bool, definitions: Mapping[Value, Instr]) -> Reason | None:
    """Return why a loop is not worth sharing; None where it may be."""
    if are_few(loop, definitions):
        return Reason("it has few iterations")
    if inside and not any(i.op in _LOOPS for i in walk(loop.blocks[0])):
        return Reason("of nested loops, an innermost one is too little work to share")
    return None


@record(eq=False)
class _Marker:
    """Marks the outermost loops of one function that may be shared."""

    definitions: Mapping[Value, Instr]
    uses: Mapping[Value, int]

    def block(self, block: Block, around: Instr | None) -> Block:
        """Return `block` with its loops marked; `around` is the innermost loop around it."""
        body: list[Instr] = []
        for instr in block.body:
            if self._is_marked(instr, around):
                body.append(replace(instr, attrs=_MARK))
                continue
            new = replace(instr, blocks=self._blocks(instr, around)) if instr.blocks else instr
            body.append(instr if new.blocks == instr.blocks else new)
        return block if tuple(body) == block.body else Block(block.params, tuple(body))

    def _blocks(self, instr: Instr, around: Instr | None) -> tuple[Block, ...]:
        inner = instr if instr.op in _LOOPS else around
        first, *others = instr.blocks
        blocks = [self.block(first, inner)]
        with muted(silent=is_versions(instr)):
            blocks += [self.block(b, inner) for b in others]
        return tuple(blocks)

    def _is_marked(self, instr: Instr, around: Instr | None) -> bool:
        if not _is_plain(instr):
            if _is_loop(instr) and remarks_wanted() and not _is_of_blocks(instr):
                little = _too_little(instr, around is not None, self.definitions)
                remark(NOT_SHARED, instr.loc, why=little or why_carried(instr))
            return False
        why = _too_little(instr, around is not None, self.definitions)
        if why is None:
            why = _Iterations(instr, self.definitions, self.uses).why_not()
        if why is None:
            remark(SHARED, instr.loc)
        elif remarks_wanted() and not _is_of_blocks(instr):
            # Of a block of iterations the loop around it is no reason.
            if around is not None and _is_of_blocks(around):
                why = _Iterations(instr, self.definitions, self.uses).why_not() or why
            remark(NOT_SHARED, instr.loc, why=why)
        return why is None


def _is_of_blocks(loop: Instr) -> bool:
    """Whether an iteration of a loop is a block of those of the source: they speak for it."""
    labels = (i.label for i in loop.blocks[0].body)
    return any(label is not None and label.name == TESTED for label in labels)


class _Forms(LoopForms):
    """Forms that hold in iterations alone: loops must not be counted by them."""

    def _count(self, value: Value) -> Value:
        """Return the count of a loop that has any: the other choice of `iterations` is 0."""
        made = self.definitions.get(value)
        if made is None or made.op is not low.SELECT:
            return value
        _, some, none = made.operands
        return some if constant_int(none, self.definitions) == 0 else value


class _Iterations:
    """What the iterations of one loop do."""

    def __init__(
        self, loop: Instr, definitions: Mapping[Value, Instr], uses: Mapping[Value, int]
    ) -> None:
        self._loop = loop
        self._definitions = definitions
        self._uses = uses
        self._body = tuple(walk(loop.blocks[0]))

    def why_not(self) -> Reason | None:
        """Return why the iterations may not run in any order, or side by side; None if they may."""
        labels = {i.label for i in self._body if i.label is not None}
        unfit = next((i for i in self._body if not self._may_stand(i, labels)), None)
        if unfit is not None:
            # What is shared itself tells most.
            inside = (i for i in self._body if i.op is low.LOOP and i.attrs["parallel"])
            return Reason("{what}", what=Doing(next(inside, unfit)))
        shared = [i for i in self._body if i.op in _ACCESSES and not self._is_own(i.operands[0])]
        written = dict.fromkeys(i.operands[0] for i in shared if i.op is low.STORE)
        touched = dict.fromkeys(i.operands[0] for i in shared)
        if not written:
            return Reason(WRITES_NONE)
        for array, other in ((a, b) for a in written for b in touched):
            if not self._are_apart(array, other):
                return self._may_share_memory(array, other)
        forms = _Forms(self._loop, self._definitions)
        if self._loop.blocks[0].params[0] not in forms.variables:
            return Reason("its bounds are not known before it")
        return next(filter(None, (self._meeting(array, forms) for array in written)), None)

    def _may_stand(self, instr: Instr, labels: set[Label]) -> bool:
        if instr.op is control.FOR and not has_known_step(instr, self._definitions):
            return False
        if instr.op in _REGIONS:
            return not (instr.op is low.LOOP and instr.attrs["parallel"]) and not _is_shared(instr)
        if instr.op is control.EXIT:
            assert instr.target is not None
            return instr.target.label in labels or is_next(instr, self._loop)
        return is_quiet(instr) or instr.op in (low.NEW_ARRAY, low.SIZE)

    def _is_own(self, array: Value) -> bool:
        """Whether each iteration, or each thread, can have an array of its own instead."""
        made = self._definitions.get(array)
        if made is None or made.op is not low.NEW_ARRAY:
            return False
        uses = sum(array in i.operands for i in self._body)
        return made in self._body or (bool(made.attrs.get("scratch")) and uses == self._uses[array])

    def _are_apart(self, written: Value, other: Value) -> bool:
        """Whether two arrays share no memory, or are one, each element of which has one index."""
        if written is other:
            return dependence.is_spread(written, self._definitions)
        return dependence.is_distinct(written, other, self._definitions)

    def _meeting(self, array: Value, forms: LoopForms) -> Reason | None:
        """Return where an iteration may access an element of `array` that another one writes."""
        accesses: list[dependence.Access] = []
        for instr in self._body:
            if instr.op not in _ACCESSES or instr.operands[0] is not array:
                continue
            access = dependence.access_of(instr, forms)
            if access is None:
                return Reason(
                    "it is not known which elements of {array} line {line} accesses in an "
                    "iteration, so two iterations may meet in one element",
                    array=Named(array, self._definitions),
                    line=instr.loc,
                )
            accesses.append(access)
        step = self._definitions[self._loop.operands[2]].attrs["value"]
        assert isinstance(step, int)
        for first, second in _conflicts(accesses):
            if not _never_meet(first, second, abs(step), forms):
                return self._met(first, second)
        return None

    def _met(self, first: dependence.Access, second: dependence.Access) -> Reason:
        if not first.writes:
            first, second = second, first
        loops = (self._loop, *self._body)
        if list(first.index) == list(second.index):
            return Reason(
                "two iterations may meet in one element, {array}[{index}]",
                array=Named(first.array, self._definitions),
                index=Index(first.index, self._definitions, loops),
            )
        return Reason(
            "an iteration writes {array}[{written}], and another one {does} {array}[{met}]",
            array=Named(first.array, self._definitions),
            written=Index(first.index, self._definitions, loops),
            does="writes" if second.writes else "reads",
            met=Index(second.index, self._definitions, loops),
        )

    def _may_share_memory(self, first: Value, second: Value) -> Reason:
        array, other = Named(first, self._definitions), Named(second, self._definitions)
        if first is second:
            return Reason("two indices of {array} may lead to one element", array=array)
        return Reason("{array} and {other} may share memory", array=array, other=other)


def _is_shared(instr: Instr) -> bool:
    return instr.op is control.FOR and bool(instr.attrs)


def _conflicts(
    accesses: list[dependence.Access],
) -> Iterator[tuple[dependence.Access, dependence.Access]]:
    for first in accesses:
        for second in accesses:
            if first.writes or second.writes:
                yield first, second


def _never_meet(
    first: dependence.Access, second: dependence.Access, step: int, forms: LoopForms
) -> bool:
    """Whether the second access never meets, further up, an element of the first."""
    (mine, ends), *inner = forms.variables.items()
    names = {variable: Affine(0, ((Value(INT), 1),)) for variable in forms.variables}
    others = [
        (
            names[v].terms[0][0],
            Range(dependence.replaced(e.low, names), dependence.replaced(e.high, names)),
        )
        for v, e in inner
    ]
    later = names[mine].terms[0][0], Range(Affine(step, ((mine, 1),)), ends.high)
    bounds = [*reversed(others), *reversed(inner), later, (mine, ends)]
    return dependence.lie_apart(first.index, second.renamed(names), bounds)
