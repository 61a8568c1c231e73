"""LLVM code for constants, tuples and optionals: values that live in registers."""

from collections.abc import Mapping
from typing import cast

from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.emitter.literals import (
    float_constant,
    string_constant,
    text_constant,
    zeros,
)
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.rules.scalars import refuse
from scriptc_runtime.ir import Instr, Value, walk
from scriptc_runtime.ops import data as ops
from scriptc_runtime.ops import named
from scriptc_runtime.ops.control import RAISE
from scriptc_runtime.ops.low import RETAIN
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import DType, PyType, TupleType, is_counted


def _const(e: Emitter, instr: Instr) -> None:
    value = instr.attrs["value"]
    match instr.result.type:
        case PyType.NONE:
            e.bind(instr)
        case PyType.BOOL | DType.B1:
            e.bind(instr, "true" if value else "false")
        case PyType.INT:
            e.bind(instr, str(int(cast(int, value))))
        case DType() as dtype if dtype.kind in "iu":
            e.bind(instr, str(int(cast(int, value))))
        case PyType.FLOAT | DType.F64 | DType.F32 | DType.F16 as type_:
            e.bind(instr, float_constant(float(cast(float, value)), type_))
        case PyType.STR:
            is_message = instr.result in _messages(e)
            made = string_constant if is_message else text_constant
            e.bind(instr, made(e, str(value)))
        case _:
            raise refuse(e, instr)


def _messages(e: Emitter) -> frozenset[Value]:
    """Return the constants that are raised and nothing else: those are Python's from the start."""
    if e.messages is None:
        made, raised, used = set[Value](), set[Value](), set[Value]()
        for instr in walk(e.function.body):
            if instr.op is ops.CONST and instr.result.type is PyType.STR:
                made.add(instr.result)
            elif instr.op is not RETAIN:
                (raised if instr.op is RAISE else used).update(instr.operands)
        e.messages = frozenset(made & raised - used)
    return e.messages


def _tuple(e: Emitter, instr: Instr) -> None:
    e.bind(instr, *(c for value in instr.operands for c in e.components(value)))


def _item(e: Emitter, instr: Instr) -> None:
    (base,) = instr.operands
    index = cast(int, instr.attrs["index"])
    items = cast(TupleType, base.type).items
    start = sum(len(abi.flatten(item)) for item in items[:index])
    width = len(abi.flatten(items[index]))
    e.bind(instr, *e.components(base)[start : start + width])


def _some(e: Emitter, instr: Instr) -> None:
    e.bind(instr, "true", *e.components(instr.operands[0]))


def _nothing(e: Emitter, instr: Instr) -> None:
    e.bind(instr, *zeros(instr.result.type))


def _has_value(e: Emitter, instr: Instr) -> None:
    e.bind(instr, e.components(instr.operands[0])[0])


def _unwrap(e: Emitter, instr: Instr) -> None:
    present, *components = e.components(instr.operands[0])
    if is_counted(instr.result.type) and present != "true":
        absent = e.let(f"xor i1 {present}, true")
        e.raise_if(absent, "TypeError", ops.ABSENT, instr)
    e.bind(instr, *components)


def _same(e: Emitter, instr: Instr) -> None:
    e.bind(instr, *e.components(instr.operands[0]))


RULES: Mapping[OpDef, Rule] = {
    **dict.fromkeys(named.OPS, _same),
    ops.CONST: _const,
    ops.TUPLE: _tuple,
    ops.ITEM: _item,
    ops.SOME: _some,
    ops.NOTHING: _nothing,
    ops.HAS_VALUE: _has_value,
    ops.UNWRAP: _unwrap,
}
