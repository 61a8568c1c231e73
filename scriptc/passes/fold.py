"""Fold: compute instructions on constants, and take the branches that constants decide.

    %1 = const [value=2] : int
    %2 = const [value=3] : int
    %3 = mul %1, %2 : int              =>      %3 = const [value=6] : int

Needs: valid IR.
Gives: valid IR, same result bit for bit.
Does not: fold what raises (the exception belongs to run time), or ops whose last bit depends on
who computes them (`exp`, `log`, powers of floats).
Cases: tests/cases/passes/fold.
"""

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from scriptc.passes.rebuild import Ended, rebuild
from scriptc_runtime.ir import Block, Builder, Function, Instr, Module, Value, walk
from scriptc_runtime.ops import control, data, elementary, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.types import BOOL, COMPLEX, FLOAT, INT, STR, DType, Type

_INEXACT = {e.EXP, e.LOG, e.POW, *elementary.ROUNDED}
_COMPUTED = {*e.OPS, *elementary.OPS}
_FOLDABLE = frozenset(_COMPUTED - _INEXACT | {data.ITEM, data.STR_LEN, data.CONCAT})


def fold(module: Module) -> Module:
    """Return `module` with constants folded."""
    return module.with_functions({n: fold_function(f) for n, f in module.functions.items()})


def fold_function(function: Function) -> Function:
    """Return one function with constants folded."""
    constants = {i.result: _value(i) for i in walk(function.body) if i.op is data.CONST}
    if not any([_is_decided(i, constants) for i in walk(function.body)]):
        return function

    def rewrite(instr: Instr, builder: Builder) -> Sequence[Value] | Ended | None:
        if instr.op is control.IF and instr.operands[0] in constants:
            return _take(instr, instr.blocks[0 if constants[instr.operands[0]] else 1], builder)
        if instr.op is low.SELECT and instr.operands[0] in constants:
            return (instr.operands[1 if constants[instr.operands[0]] else 2],)
        if instr.op not in _FOLDABLE or not _is_decided(instr, constants):
            return None
        folded = _evaluate(instr, [constants[v] for v in instr.operands])
        if folded is None:
            return None
        value = builder.append(folded).result
        constants[value] = _value(folded)
        return (value,)

    return rebuild(function, rewrite)


def _is_decided(instr: Instr, constants: Mapping[Value, object]) -> bool:
    """Whether constants may decide on an instruction."""
    if instr.op in _FOLDABLE:
        return all([v in constants for v in instr.operands])
    chooses = instr.op is control.IF or instr.op is low.SELECT
    return chooses and instr.operands[0] in constants


def _evaluate(instr: Instr, operands: Sequence[object]) -> Instr | None:
    """Return the constant that `instr` computes, None where it raises or is no scalar."""
    type_ = instr.result.type
    if not _is_scalar(type_) or instr.op.evaluate is None:
        return None
    try:
        with np.errstate(all="ignore"):
            result = instr.op.evaluate(*operands, **instr.attrs)
    except (ArithmeticError, ValueError):
        return None
    builder = Builder()
    builder.open()
    if isinstance(type_, DType):
        number = cast("float", np.asarray(result).item())
        builder.emit(data.CONST, loc=instr.loc, value=number, dtype=type_)
    else:
        assert isinstance(result, bool | int | float | complex | str)
        builder.emit(data.CONST, loc=instr.loc, value=result)
    return builder.close().body[0]


def _value(instr: Instr) -> object:
    assert instr.op.evaluate is not None
    return instr.op.evaluate(**instr.attrs)


def _is_scalar(type_: Type) -> bool:
    return isinstance(type_, DType) or type_ in (INT, FLOAT, COMPLEX, BOOL, STR)


def _take(instr: Instr, taken: Block, builder: Builder) -> Sequence[Value] | Ended:
    """Emit the block of a decided `if`: in place where its only exit is its last instruction."""
    label = instr.label
    assert label is not None
    *body, last = taken.body
    leaves = [i for i in walk(taken) if i.target and i.target.label is label]
    if leaves and not (len(leaves) == 1 and leaves[0] is last):
        types = [r.type for r in instr.results]
        return builder.region(control.BLOCK, (), (taken,), label, types, instr.loc)
    for inner in body:
        builder.append(inner)
    if leaves:
        return last.operands
    # The block never comes back to the `if`.
    builder.append(last)
    return Ended.ENDED
