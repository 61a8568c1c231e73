"""Plain modules: their loops stand alone, and read arrays one element at a time.

Where nothing works on whole arrays, no loop is inside of another, and none writes an array, there
is nothing to make a nest of, to turn or to share, so most of the passes over low IR leave the
module as it is.
"""

from scriptc.analysis.remarks import Kind, Message, Topic, about, remark, remarks_wanted
from scriptc_runtime.ir import Block, Module, walk
from scriptc_runtime.ops import arrays, control
from scriptc_runtime.types import TensorType, Type, parts_of

# Of a loop that shares nothing: sums in another order need the word of whoever writes the loop.
WRITES_NONE = "it writes no array, and only prange shares such loops"
ALONE = Message("plain", Topic.PARALLEL, Kind.MISSED, f"not parallel: {WRITES_NONE}")

_LOOPS = (control.FOR, control.WHILE)
# What may have to do with arrays: it hands them over, or reads one element.
_OF_ELEMENTS = (arrays.INDEX, arrays.DIM, control.EXIT, control.CALL)


def is_plain(module: Module) -> bool:
    """Whether all functions of a module in core IR, without library ops, are plain."""
    plain = all(_is_plain(f.body, in_loop=False) for f in module.functions.values())
    if plain and remarks_wanted():
        _say(module)
    return plain


def _say(module: Module) -> None:
    """Say of the loops why no pass looks whether threads may share them."""
    for function in module.functions.values():
        about(function)
        for instr in walk(function.body):
            if instr.op in _LOOPS:
                remark(ALONE, instr.loc)


def _is_plain(block: Block, *, in_loop: bool) -> bool:
    for instr in block.body:
        is_loop = instr.op in _LOOPS
        # The iterations of a loop with `grows` are shared.
        if is_loop and (in_loop or "grows" in instr.attrs):
            return False
        values = (*instr.operands, *instr.results)
        if instr.op not in _OF_ELEMENTS and any(_holds_array(v.type) for v in values):
            return False
        if not all(_is_plain(inner, in_loop=in_loop or is_loop) for inner in instr.blocks):
            return False
    return True


def _holds_array(type_: Type) -> bool:
    return isinstance(type_, TensorType) or any(map(_holds_array, parts_of(type_)))
