"""The walk that passes share: rebuild a function, replacing some instructions.

An instruction that nothing changes stays the same object, so a diff of two dumps shows exactly
what a pass did.
"""

import enum
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import is_

from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Loc, Target, Value
from scriptc_runtime.ops.control import CALL
from scriptc_runtime.ops.opdef import Attr, Attrs
from scriptc_runtime.ops.signature import TYPES
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import Type


class Ended(enum.Enum):
    """What a rewrite returns if the code it emitted ends the block."""

    ENDED = "ended"


# Returns the values that stand for the results of the instruction, after emitting what computes
# them; None keeps the instruction.  Blocks of a region come rebuilt already.
Rewrite = Callable[[Instr, Builder], Sequence[Value] | Ended | None]


class Renaming:
    """Which value stands for which; chains are followed."""

    __slots__ = ("_names", "leaves")

    def __init__(self) -> None:
        self._names: dict[Value, Value] = {}
        # What says whether it leaves values as they are, as it does most.
        self.leaves: Callable[[Iterable[Value]], bool] = self._names.keys().isdisjoint

    def __setitem__(self, old: Value, new: Value) -> None:
        if old is not new:  # which would be a chain without an end
            self._names[old] = new

    def __getitem__(self, value: Value) -> Value:
        while value in self._names:
            value = self._names[value]
        return value

    def update(self, other: "Renaming") -> None:
        """Add what `other` says."""
        self._names.update(other._names)

    def instr(self, instr: Instr) -> Instr:
        """Return `instr` with its own operands renamed; the same object if none is."""
        if not instr.cleanup and self.leaves(instr.operands):
            return instr
        operands = tuple(self[v] for v in instr.operands)
        cleanup = tuple(self[v] for v in instr.cleanup)
        if operands == instr.operands and cleanup == instr.cleanup:
            return instr
        return replace(instr, operands=operands, cleanup=cleanup)


def rebuild(function: Function, rewrite: Rewrite) -> Function:
    """Return `function` with every instruction, inner ones first, offered to `rewrite`."""
    body = rebuild_block(function.body, rewrite, Renaming())
    return function if body is function.body else replace(function, body=body)


def rebuild_block(block: Block, rewrite: Rewrite, names: Renaming) -> Block:
    """Return `block` rebuilt; the same object if nothing in it changed."""
    builder = Builder()
    builder.open(*block.params)
    leaves, append = names.leaves, builder.append
    for old in block.body:
        instr = old if leaves(old.operands) and not old.cleanup else names.instr(old)
        if instr.blocks:
            instr = map_blocks(instr, lambda b: rebuild_block(b, rewrite, names))
        results = rewrite(instr, builder)
        if results is None:
            append(instr)
            continue
        if results is Ended.ENDED:
            break  # the rest cannot run
        for result, value in zip(instr.results, results, strict=True):
            names[result] = value
    new = builder.close()
    return block if new.body == block.body else new


def rebuild_outermost(block: Block, emit: Callable[[Instr, Builder], bool]) -> Block:
    """Return `block` with every instruction, outer ones first, offered to `emit`.

    That returns whether it has emitted what stands for the instruction; into the blocks of others
    the walk goes on.  The same object comes back if nothing changed.
    """
    builder = Builder()
    builder.open(*block.params)
    for instr in block.body:
        if not emit(instr, builder):
            if instr.blocks:
                instr = map_blocks(instr, lambda b: rebuild_outermost(b, emit))
            builder.append(instr)
    new = builder.close()
    return block if new.body == block.body else new


def map_blocks(instr: Instr, change: Callable[[Block], Block]) -> Instr:
    """Return `instr` with its blocks changed; the same object if none is."""
    if not instr.blocks:
        return instr
    blocks = tuple([change(b) for b in instr.blocks])
    if all(map(is_, blocks, instr.blocks)):
        return instr
    return replace(instr, blocks=blocks)


def with_callees(block: Block, names: Mapping[str, str]) -> Block:
    """Return `block` with calls of the functions that have new names; the same object if none."""
    body = tuple([_with_callee(instr, names) for instr in block.body])
    return block if body == block.body else Block(block.params, body)


def _with_callee(instr: Instr, names: Mapping[str, str]) -> Instr:
    if instr.op is CALL and (callee := str(instr.attrs["callee"])) in names:
        return replace(instr, attrs={**instr.attrs, "callee": names[callee]})
    return map_blocks(instr, lambda block: with_callees(block, names))


def copied(region: Instr) -> Instr:
    """Return a copy of a region of one block: all that it defines is new, labels included."""
    assert region.label is not None
    label = Label(region.label.name)
    block = clone(region.blocks[0], Renaming(), {region.label: label}, lambda loc: loc)
    results = tuple(Value(r.type) for r in region.results)
    return replace(region, blocks=(block,), results=results, label=label)


def clone(
    block: Block,
    bindings: Renaming,
    labels: dict[Label, Label],
    place: Callable[[Loc], Loc],
    retype: Callable[[Type], Type] | None = None,
) -> Block:
    """Return a copy of `block` in which every value and label it defines is new.

    Values in `bindings` and labels in `labels` are replaced, and both are filled in on the way;
    `place` gives the new location of an instruction.  `retype` says what a type is in the copy,
    where that belongs to another function.
    """
    return _Copier(bindings, labels, place, retype).block(block)


@record
class _Copier:
    bindings: Renaming
    labels: dict[Label, Label]
    place: Callable[[Loc], Loc]
    retype: Callable[[Type], Type] | None

    def block(self, block: Block) -> Block:
        params = tuple(map(self._fresh, block.params))
        return Block(params, tuple(map(self._instr, block.body)))

    def _instr(self, instr: Instr) -> Instr:
        label, target = instr.label, instr.target
        if label is not None:
            self.labels[label] = label = Label(label.name)
        if target is not None:
            target = Target(self.labels.get(target.label, target.label), target.next)
        operands = tuple(self.bindings[v] for v in instr.operands)
        blocks = tuple(map(self.block, instr.blocks))
        results = tuple(map(self._fresh, instr.results))
        loc = self.place(instr.loc)
        return Instr(instr.op, operands, self._attrs(instr), results, loc, blocks, label, target)

    def _attrs(self, instr: Instr) -> Attrs:
        if self.retype is None:
            return instr.attrs
        return {name: self._attr(value) for name, value in instr.attrs.items()}

    def _attr(self, value: Attr) -> Attr:
        assert self.retype is not None
        return self.retype(value) if isinstance(value, TYPES) else value

    def _fresh(self, value: Value) -> Value:
        type_ = self.retype(value.type) if self.retype else value.type
        new = Value(type_, value.name)
        self.bindings[value] = new
        return new
