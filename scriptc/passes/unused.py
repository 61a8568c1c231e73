"""Unused results: drop what loops carry, or regions give, and nobody uses.

    %2 = for @L0 %0, %n, %1, %x {(%i, %3)        =>      for @L0 %0, %n, %1 {(%i)
      %4 = copy %p                                         %4 = copy %p
      ...                                                  ...
      exit @L0.next %4                                     exit @L0.next
    }                                                    }

A name that each iteration binds anew before it reads it is loop-carried like any other; once it
does not, the array it was bound to before the loop is dead code, and those of the iterations live
for one iteration.

Needs: valid IR.
Gives: valid IR, same results, same effects; what only such values needed is left to `dce`.
Does not: change the types of what is left, or drop a region.
Cases: tests/cases/passes/unused.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress

from scriptc.passes.per_function import per_function
from scriptc_runtime.ir import Block, Function, Instr, Label, Value, walk
from scriptc_runtime.ops import control
from scriptc_runtime.record import replace

_LOOPS = {control.FOR: 3, control.WHILE: 0}  # how many operands come before what is carried
_REGIONS = (*_LOOPS, control.IF, control.BLOCK, control.TRY)
# Which of the values that go to a label are kept, those of its next iteration apart from its
# results.
Kept = Mapping[tuple[Label, bool], Sequence[bool]]


@per_function
def unused(function: Function) -> Function:
    """Return `function` with regions that give only what is used."""
    regions = [i for i in walk(function.body) if i.op in _REGIONS]
    received = {key: values for region in regions for key, values in _received(region)}
    if not any(received.values()):
        return function
    live = _live(function, received)
    kept = {key: [value in live for value in values] for key, values in received.items()}
    fewer = {key: flags for key, flags in kept.items() if not all(flags)}
    return replace(function, body=_block(function.body, fewer)) if fewer else function


def _received(region: Instr) -> Iterator[tuple[tuple[Label, bool], Sequence[Value]]]:
    """Yield what receives the values that exits of a region carry, by where they lead."""
    assert region.label is not None
    yield (region.label, False), region.results
    if region.op in _LOOPS:
        yield (region.label, True), _params(region)


def _params(loop: Instr) -> Sequence[Value]:
    """Return what a loop carries, as its iterations see it."""
    return loop.blocks[0].params[1 if loop.op is control.FOR else 0 :]


def _live(function: Function, received: Mapping[tuple[Label, bool], Sequence[Value]]) -> set[Value]:
    """Return the values that something needs but the ways on and out of a region."""
    needs: dict[Value, list[Value]] = {}  # what a value receives
    todo: list[Value] = []

    def reach(receivers: Sequence[Value], given: Sequence[Value]) -> None:
        for receiver, value in zip(receivers, given, strict=True):
            needs.setdefault(receiver, []).append(value)

    for instr in walk(function.body):
        target = instr.target
        if target is not None and (target.label, target.next) in received:
            reach(received[target.label, target.next], instr.operands)
        elif instr.op in _LOOPS:
            first = _LOOPS[instr.op]
            todo += instr.operands[:first]
            reach(_params(instr), instr.operands[first:])
            if instr.op is control.FOR:
                # Both or none: what is carried is the result where the range ends.
                reach(_params(instr), instr.results)
                reach(instr.results, _params(instr))
        else:
            todo += instr.operands
    live: set[Value] = set()
    while todo:
        value = todo.pop()
        if value not in live:
            live.add(value)
            todo += needs.get(value, ())
    return live


def _block(block: Block, kept: Kept) -> Block:
    body = tuple([_instr(instr, kept) for instr in block.body])
    return block if body == block.body else Block(block.params, body)


def _instr(instr: Instr, kept: Kept) -> Instr:
    if instr.target is not None:
        flags = kept.get((instr.target.label, instr.target.next))
        return instr if flags is None else replace(instr, operands=_only(instr.operands, flags))
    if not instr.blocks:
        return instr
    blocks = tuple([_block(b, kept) for b in instr.blocks])
    if instr.label is not None and (flags := kept.get((instr.label, False))):
        instr = replace(instr, results=_only(instr.results, flags))
    if instr.label is not None and (flags := kept.get((instr.label, True))):
        first, (body,) = _LOOPS[instr.op], blocks
        own = len(body.params) - len(flags)
        params = (*body.params[:own], *_only(body.params[own:], flags))
        operands = (*instr.operands[:first], *_only(instr.operands[first:], flags))
        attrs = instr.attrs
        if isinstance(grows := attrs.get("grows"), tuple):
            attrs = {**attrs, "grows": tuple(compress(grows, flags))}
        instr = replace(instr, operands=operands, attrs=attrs)
        blocks = (Block(params, body.body),)
    changed = any(new is not b for new, b in zip(blocks, instr.blocks, strict=True))
    return replace(instr, blocks=blocks) if changed else instr


def _only(values: Sequence[Value], flags: Sequence[bool]) -> tuple[Value, ...]:
    return tuple(compress(values, flags))
