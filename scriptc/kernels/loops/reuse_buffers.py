"""Buffers: an array that lives in a part of an iteration takes the memory of the last one.

    for @L0 ... {(%i: int)                   for @L0 ... {(%i: int)
      %1 = new_array %n             =>         %1 = kept_array %n [slot=0]
      launch %n, %x, %1                        launch %n, %x, %1
      ...                                      ...
      exit @L0.next                            exit @L0.next
    }                                        }
                                             drop_kept [slot=0]

A kept array has no count and is not released.  Its memory is taken when the instruction first
runs, so a loop without iterations takes none, and taken anew only where it is too small; it is
given back after the outermost loop, or when the function is left inside of it.  Contents are never
cleared: whoever makes an array writes each element before it is read.

An array may be kept if nothing that shares its memory can be met in the next iteration of the loop
around it: all of that is made inside the loop, is not carried by it, and is neither returned nor
put into an object.  Arrays whose lives do not overlap share a slot, as they would share a block
that the allocator hands out again: more buffers than needed would push others out of the cache.

Needs: low IR after `outline`, before `ownership`.
Gives: low IR, same results.
Does not: touch kernels, whose buffers belong to the thread that runs them.
Cases: tests/cases/loops/reuse_buffers.
"""

import sys
from collections.abc import Mapping, Sequence

from scriptc.analysis.effects import FunctionEffects, ModuleEffects
from scriptc.analysis.remarks import Bytes, Kind, Message, Topic, about, place_of, remark
from scriptc.passes.rebuild import map_blocks
from scriptc_runtime.ir import Block, Function, Instr, Module, Role, Value, walk
from scriptc_runtime.ops import arrays, buffers, control, low, products
from scriptc_runtime.ops.opdef import Attrs
from scriptc_runtime.ops.reshaping import RESHAPED
from scriptc_runtime.record import field, record, replace
from scriptc_runtime.types import TensorType, is_counted

REUSED = Message(
    "reuse_buffers",
    Topic.MEMORY,
    Kind.DONE,
    "an array of {bytes} is allocated once, and used again in each iteration",
)
NEW = Message(
    "reuse_buffers",
    Topic.MEMORY,
    Kind.MISSED,
    "an array of {bytes} is new in each iteration: it may be in use after the iteration ends",
)
TOO_MANY = Message(
    "reuse_buffers",
    Topic.MEMORY,
    Kind.MISSED,
    "an array of {bytes} is new in each iteration: {most} others have their memory kept",
)

_LOOPS = (control.FOR, control.WHILE)
# What may happen to a kept array: nobody outside of the function gets to hold it.
_USES = frozenset(
    {
        *(low.LAUNCH, *products.OPS, low.LOAD, low.STORE, low.SIZE, low.SUBVIEW, low.MAY_OVERLAP),
        *(low.IS_CONTIGUOUS, low.HAS_RUNS, low.IS_SPREAD, low.ADJOIN),
        *(low.ASSUME_CONTIGUOUS, low.ASSUME_DISTINCT, low.EITHER, low.LENGTHWISE),
        *(arrays.INDEX, arrays.SET_INDEX, arrays.DIM, arrays.VIEW, arrays.TRANSPOSE, arrays.PART),
        arrays.RECORD_FIELD,
        *(RESHAPED, control.CALL, control.EXIT, *_LOOPS),
    }
)


def reuse_buffers(module: Module) -> Module:
    """Return `module` with arrays that live for a part of an iteration in memory that is kept."""
    effects: ModuleEffects | None = None
    functions: dict[str, Function] = {}
    for name, function in module.functions.items():
        if function.role is not Role.KERNEL and _makes_arrays_in_loops(function.body):
            about(function)
            effects = effects or ModuleEffects(module)
            functions[name] = _with_buffers(function, effects.function(name))
        else:
            functions[name] = function
    return module.with_functions(functions)


def _makes_arrays_in_loops(block: Block) -> bool:
    loops = (i for i in walk(block) if i.op in _LOOPS)
    return any(i.op is low.NEW_ARRAY for loop in loops for i in walk(loop.blocks[0]))


@record(frozen=False, eq=False)
class _Life:
    """Of all that shares one array's memory: the loops around what is made and used, and when."""

    made: list[Sequence[Instr]] = field(default_factory=list[Sequence[Instr]])
    used: list[tuple[Sequence[Instr], int]] = field(
        default_factory=list[tuple[Sequence[Instr], int]]
    )
    first: int = sys.maxsize
    held: bool = False  # by somebody who may outlive the iteration


class _Lives:
    """The lives of what shares memory, in terms of places in the text of a function."""

    def __init__(self, function: Function, effects: FunctionEffects) -> None:
        self._effects = effects
        self._return = function.label
        self._lives: dict[Value, _Life] = {}
        self._ends: dict[Instr, int] = {}  # the last place inside a loop
        self.sites: list[tuple[Instr, Sequence[Instr]]] = []
        self._place = 0
        for param in function.params:
            self._made(param, ())
        self._block(function.body, ())

    def span(self, site: Instr, loops: Sequence[Instr]) -> tuple[int, int] | None:
        """Return where a new array begins and ends to live in an iteration; None if it goes on."""
        life = self._lives[self._effects.group(site.result)]
        depth = len(loops)
        if life.held or any(around[:depth] != loops for around in life.made):
            return None
        # A loop inside the iteration needs what it uses until it has ended.
        return life.first, max(
            [
                self._ends[around[depth]] if len(around) > depth else place
                for around, place in life.used
            ],
            default=life.first,
        )

    def _block(self, block: Block, loops: tuple[Instr, ...]) -> None:
        for instr in block.body:
            self._place += 1
            self._uses(instr, loops)
            is_loop = instr.op in _LOOPS
            for part in instr.blocks:
                for param in part.params:
                    self._made(param, loops)  # what is loop-carried belongs to no iteration
                self._block(part, (*loops, instr) if is_loop else loops)
            if is_loop:
                self._ends[instr] = self._place
            for result in instr.results:
                self._made(result, loops)
            if instr.op is low.NEW_ARRAY and loops:
                self.sites.append((instr, loops))

    def _life(self, value: Value) -> _Life:
        return self._lives.setdefault(self._effects.group(value), _Life())

    def _made(self, value: Value, loops: Sequence[Instr]) -> None:
        if is_counted(value.type):
            life = self._life(value)
            life.made.append(loops)
            life.first = min(life.first, self._place)
            life.held = life.held or not isinstance(value.type, TensorType)

    def _uses(self, instr: Instr, loops: Sequence[Instr]) -> None:
        leaves = instr.target is not None and instr.target.label is self._return
        for value in instr.operands:
            if is_counted(value.type):
                life = self._life(value)
                life.used.append((loops, self._place))
                life.held = life.held or leaves or instr.op not in _USES


def _bytes(site: Instr) -> Bytes:
    type_ = site.result.type
    assert isinstance(type_, TensorType)
    return Bytes(type_.dtype, type_.dims)


def _with_buffers(function: Function, effects: FunctionEffects) -> Function:
    lives = _Lives(function, effects)
    slots: dict[Instr, int] = {}
    busy: list[int] = []  # until where each slot is needed
    for site, loops in lives.sites:
        span = lives.span(site, loops)
        if span is None:
            remark(NEW, place_of(site), bytes=_bytes(site))
            continue
        first, last = span
        slot = next((s for s, until in enumerate(busy) if until < first), len(busy))
        if slot < buffers.MAX_SLOTS:
            busy[slot : slot + 1] = [last]
            slots[site] = slot
            remark(REUSED, place_of(site), bytes=_bytes(site))
        else:
            remark(TOO_MANY, place_of(site), bytes=_bytes(site), most=buffers.MAX_SLOTS)
    return replace(function, body=_block(function.body, slots, outside=True)) if slots else function


def _block(block: Block, slots: Mapping[Instr, int], *, outside: bool) -> Block:
    """Return `block` with arrays in slots; those of a loop are dropped `outside` of all loops."""
    body: list[Instr] = []
    for instr in block.body:
        if instr in slots:
            attrs: Attrs = {"type": instr.attrs["type"], "slot": slots[instr]}
            body.append(replace(instr, op=buffers.KEPT_ARRAY, attrs=attrs))
            continue
        is_loop = instr.op in _LOOPS
        inside = outside and not is_loop
        new = map_blocks(instr, lambda b, inside=inside: _block(b, slots, outside=inside))
        body.append(new)
        if is_loop and outside and new is not instr:
            used = {slots[i] for i in walk(instr.blocks[0]) if i in slots}
            body += [
                Instr(buffers.DROP_KEPT, (), {"slot": slot}, (), instr.loc) for slot in sorted(used)
            ]
    return block if tuple(body) == block.body else Block(block.params, tuple(body))
