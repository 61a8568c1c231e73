"""Plain modules: their loops stand alone, and read arrays one element at a time.

Where nothing works on whole arrays, no loop is inside of another, and none writes an array, there
is nothing to make a nest of, to turn or to share, so most of the passes over low IR leave the
module as it is. Where there are no arrays at all, that holds for loops inside of others, too, but
for nests of `for` loops over numbers alone.
"""

from collections.abc import Iterable, Sequence

from scriptc.analysis.ranges import ADDS, SUBS
from scriptc.analysis.remarks import (
    Doing,
    Kind,
    Message,
    Reason,
    Topic,
    about,
    remark,
    remarks_wanted,
)
from scriptc_runtime.ir import Block, Instr, Module, Value, types_in, walk
from scriptc_runtime.ops import arrays, control
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import ListType, Type, holds_array, holds_list

# Of a loop that shares nothing: sums in another order need the word of whoever writes the loop.
WRITES_NONE = "it writes no array, and only prange shares such loops"
ALONE = Message("plain", Topic.PARALLEL, Kind.MISSED, "not parallel: {why}")

_LOOPS = (control.FOR, control.WHILE)
_PASSING = (*_LOOPS, control.EXIT)
# What may have to do with arrays: it hands them over, or reads one element.
_OF_ELEMENTS = (arrays.INDEX, arrays.DIM, control.EXIT, control.CALL)


def is_plain(module: Module) -> bool:
    """Whether all functions of a module in core IR, without library ops, are plain."""
    types = {name: types_in(f) for name, f in module.functions.items()}
    has_arrays = any(map(holds_array, set[Type]().union(*types.values())))
    plain = all(
        _is_plain(f.body, _LOOPS if has_arrays else _that_nest(types[name]), within=())
        for name, f in module.functions.items()
    )
    if plain and remarks_wanted():
        _say(module)
    return plain


def _say(module: Module) -> None:
    """Say of the loops why no pass looks whether threads may share them."""
    for function in module.functions.values():
        about(function)
        for instr in walk(function.body):
            if instr.op in _LOOPS:
                carries = len(instr.blocks[0].params) > (instr.op is control.FOR)
                remark(ALONE, instr.loc, why=why_carried(instr) if carries else _serial(instr))


def _serial(loop: Instr) -> Reason:
    for instr in walk(loop.blocks[0]):
        if any(isinstance(v.type, ListType) for v in instr.operands) and instr.op not in _PASSING:
            return Reason("{what}", what=Doing(instr))
    return Reason(WRITES_NONE)


def why_carried(loop: Instr) -> Reason:
    """Return the reason that a loop is serial that hands values from iteration to iteration."""
    numbers = loop.blocks[0].params[loop.op is control.FOR :]
    names = [p.name for p in numbers if p.name]
    if not names:
        return Reason("each iteration needs a value of the one before")
    if all(_only_added_to(loop, p) for p in numbers):
        text = "each iteration adds to {names}, and only prange adds in another order"
        return Reason(text, names=names)
    return Reason("each iteration needs {names} of the one before", names=names)


def _only_added_to(loop: Instr, param: Value) -> bool:
    """Whether a number is a sum, of one loop or of loops in one another."""
    uses = [i for i in walk(loop.blocks[0]) if param in i.operands]
    if len(uses) != 1:
        return False
    (use,) = uses
    if use.op is control.FOR:
        return _only_added_to(use, use.blocks[0].params[use.operands.index(param) - 2])
    return use.op in (*ADDS, *SUBS) and use.operands.index(param) == 0


def _that_nest(types: Iterable[Type]) -> Sequence[OpDef]:
    """Return the kinds of loops in which no other may be, of a function without arrays."""
    return () if any(map(holds_list, types)) else (control.FOR,)


def _is_plain(block: Block, alone: Sequence[OpDef], within: Sequence[OpDef]) -> bool:
    for instr in block.body:
        is_loop = instr.op in _LOOPS
        # The iterations of a loop with `grows` are shared.
        if is_loop and ((instr.op in alone and within) or "grows" in instr.attrs):
            return False
        values = (*instr.operands, *instr.results)
        if instr.op not in _OF_ELEMENTS and any(holds_array(v.type) for v in values):
            return False
        around = (*within, instr.op) if is_loop and instr.op in alone else within
        if not all(_is_plain(inner, alone, around) for inner in instr.blocks):
            return False
    return True
