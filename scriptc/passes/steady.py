"""Steady values: what loops carry and regions give without a change is what was there before.

    %2 = for @L0 %0, %n, %1, %x {(%i, %3)        =>      %2 = for @L0 %0, %n, %1, %x {(%i, %3)
      assign %3, %p                                        assign %x, %p
      exit @L0.next %3                                     exit @L0.next %x
    }                                                    }
    exit @return %2                                      exit @return %x

`out += f(i)` in a loop binds `out` to the array that it was, so a loop carries it. Outside of
the loop its sizes are known, and nothing has to be asked of them in an iteration.

Needs: valid IR.
Gives: valid IR, same results; what is carried for nobody is left to `unused`.
Does not: look at what is equal but another value.
Cases: tests/cases/passes/steady.
Source: the removal of trivial phis in Braun et al., Simple and Efficient Construction of Static
Single Assignment Form, 2013.
"""

from collections.abc import Iterable, Mapping, Sequence

from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, map_blocks
from scriptc_runtime.ir import Block, Function, Instr, Label, Value, walk
from scriptc_runtime.ops import control
from scriptc_runtime.record import replace
from scriptc_runtime.types import TensorType, Type

_LOOPS = {control.FOR: 3, control.WHILE: 0}  # how many operands come before what is carried
# What reaches a value, by the ways into it.
_Given = Mapping[Value, Sequence[Value]]


@per_function
def steady(function: Function) -> Function:
    """Return `function` with what is handed on unchanged replaced by what it is."""
    given = _given(function)
    if not given:
        return function
    names = _same(given, _Places(function))
    return function if names is None else replace(function, body=_block(function.body, names))


def _given(function: Function) -> _Given:
    """Return what reaches each value that a region gives or a loop carries."""
    given: dict[Value, list[Value]] = {}
    receivers: dict[tuple[Label, bool], Sequence[Value]] = {}

    def reach(values: Iterable[Value], coming: Iterable[Value]) -> None:
        for value, each in zip(values, coming, strict=True):
            given.setdefault(value, []).append(each)

    for instr in walk(function.body):
        if instr.label is not None:
            receivers[instr.label, False] = instr.results
            if instr.op in _LOOPS:
                carried = _carried(instr)
                receivers[instr.label, True] = carried
                reach(carried, instr.operands[_LOOPS[instr.op] :])
                if instr.op is control.FOR:
                    reach(instr.results, carried)
        if instr.target is not None:
            found = receivers.get((instr.target.label, instr.target.next))
            if found is not None:
                reach(found, instr.operands)
    return given


def _carried(loop: Instr) -> Sequence[Value]:
    return loop.blocks[0].params[1 if loop.op is control.FOR else 0 :]


class _Places:
    """Where values are defined: what is defined in a region is not known behind it."""

    def __init__(self, function: Function) -> None:
        self._defined: dict[Value, int] = {}
        self._regions: dict[Value, tuple[int, int]] = {}  # of what they give: first and last place
        self._number = 0
        self._block(function.body)

    def _block(self, block: Block) -> None:
        for instr in block.body:
            self._number += 1
            first = self._number
            for value in (v for inner in instr.blocks for v in inner.params):
                self._defined[value] = first
            for inner in instr.blocks:
                self._block(inner)
            for result in instr.results:
                self._defined[result] = self._number
                if instr.blocks:
                    self._regions[result] = first, self._number

    def are_outside(self, value: Value, region_gives: Value) -> bool:
        """Whether a value is known behind the region that gives another one, if one does."""
        first, last = self._regions.get(region_gives, (0, -1))
        return not first <= self._defined.get(value, -1) <= last


def _same(given: _Given, places: _Places) -> Renaming | None:
    """Return what values stand for that one alone reaches; None if there are no such."""
    names, found = Renaming(), False
    changed = True
    while changed:
        changed = False
        for value, coming in given.items():
            if names[value] is not value:
                continue
            others = {names[each] for each in coming} - {value}
            if len(others) != 1:
                continue
            (other,) = others
            if _may_stand(other.type, value.type) and places.are_outside(other, value):
                names[value] = other
                found = changed = True
    return names if found else None


def _may_stand(own: Type, declared: Type) -> bool:
    """Whether a value of a type may stand where one of another stands: its sizes may be known."""
    if isinstance(own, TensorType) and isinstance(declared, TensorType):
        pairs = zip(own.dims, declared.dims, strict=False)
        is_like = own.dtype is declared.dtype and len(own.dims) == len(declared.dims)
        return is_like and all(d == o or not d.known for o, d in pairs)
    return own == declared


def _block(block: Block, names: Renaming) -> Block:
    body = tuple(map_blocks(names.instr(i), lambda b: _block(b, names)) for i in block.body)
    return block if body == block.body else Block(block.params, body)
