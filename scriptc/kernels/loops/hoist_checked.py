"""First iteration: what all compute alike, and may raise, is computed before the first one.

    for j in range(m):                       if 0 < m:
        y = i * (h - 1) / (n - 1)    =>          y = i * (h - 1) / (n - 1)
        ...                                      for j in range(m): ...

`hoist` moves what never raises. The rest may raise where a first iteration would have raised it:
there has to be a first iteration, and nothing that anyone could notice may come before it in that
iteration.

Needs: low IR, after `unchecked`.
Gives: low IR, same results, same exceptions.
Does not: move what only some iterations compute, or what comes behind something else that may
raise.
Cases: tests/cases/loops/hoist_checked.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import constant_int, has_known_step
from scriptc.analysis.instr_kinds import computes, may_raise
from scriptc.analysis.remarks import Kind, Message, Topic, remark
from scriptc.kernels.builder import Code
from scriptc.kernels.loops.nest_parts import is_quiet
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import map_blocks
from scriptc_runtime.ir import Block, Builder, Function, Instr, Value, walk
from scriptc_runtime.ops import control, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import replace
from scriptc_runtime.types import BOOL, FLOAT, INT, DType

HOISTED = Message(
    "hoist_checked",
    Topic.ORDER,
    Kind.DONE,
    "computed once, before the loop of line {line}: it is the same in all iterations",
)

_FIXED = (control.FOR, control.EXIT, control.IF)


@per_function
def hoist_checked(function: Function) -> Function:
    """Return `function` with such instructions before their loops."""
    if not any(i.op is control.FOR for i in walk(function.body)):
        return function
    made = definitions_of(function)
    body = _block(function.body, made)
    return function if body is function.body else replace(function, body=body)


def _block(block: Block, made: Mapping[Value, Instr]) -> Block:
    builder = Builder()
    builder.open(*block.params)
    for old in block.body:
        instr = map_blocks(old, lambda inner: _block(inner, made))
        moved = _moved(instr, made) if instr.op is control.FOR else ()
        for each in moved:
            remark(HOISTED, each.loc, line=instr.loc)
        if moved:
            _emit(Code(builder, instr.loc), instr, moved, made)
        else:
            builder.append(instr)
    new = builder.close()
    return block if new.body == block.body else new


def _moved(loop: Instr, made: Mapping[Value, Instr]) -> Sequence[Instr]:
    """Return what may be computed before the first iteration, if something of it may raise."""
    (block,) = loop.blocks
    if loop.attrs or not has_known_step(loop, made):
        return ()
    inside = set(block.params)
    moved: list[Instr] = []
    for instr in block.body:
        if inside.isdisjoint(instr.operands) and _computes_number(instr):
            moved.append(instr)
        elif _is_unnoticed(instr, made):
            inside.update(instr.results)
        else:
            break
    return moved if any(map(may_raise, moved)) else ()


def _computes_number(instr: Instr) -> bool:
    """Whether an instruction makes a number of others, and may raise."""
    if len(instr.results) != 1 or not computes(instr):
        return False
    return all(_is_number(v) for v in (*instr.operands, instr.result))


def _is_number(value: Value) -> bool:
    return value.type in (INT, FLOAT, BOOL) or isinstance(value.type, DType)


def _is_unnoticed(instr: Instr, made: Mapping[Value, Instr]) -> bool:
    """Whether nobody can tell if an instruction has run: it ends, and only computes and loads."""
    if is_quiet(instr):
        return instr.op is not low.STORE
    if instr.op is not control.FOR or instr.attrs:
        return False
    inner = list(walk(instr.blocks[0]))
    if not all(has_known_step(i, made) for i in (instr, *inner) if i.op is control.FOR):
        return False
    labels = {i.label for i in (instr, *inner)}
    if any(i.target is not None and i.target.label not in labels for i in inner):
        return False
    return all(i.op in _FIXED or (is_quiet(i) and i.op is not low.STORE) for i in inner)


def _emit(code: Code, loop: Instr, moved: Sequence[Instr], made: Mapping[Value, Instr]) -> None:
    """Emit the loop behind what is moved, where it has an iteration."""
    start, stop, step, *carried = loop.operands
    (block,) = loop.blocks
    rest = Block(block.params, tuple(i for i in block.body if i not in moved))
    up = (constant_int(step, made) or 0) > 0
    some = code.test(e.LT if up else e.GT, code.to_i64(start), code.to_i64(stop))

    def iterations() -> Sequence[Value]:
        for instr in moved:
            code.builder.append(instr)
        ended = tuple(Value(r.type) for r in loop.results)
        return code.builder.append(replace(loop, blocks=(rest,), results=ended)).results

    code.choose(some, iterations, lambda: carried, "iterations", loop.results)
