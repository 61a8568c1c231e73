"""LLVM code for calls of Python's clocks and of its `random`."""

from collections.abc import Mapping

from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.rules.text import checked, drop, pointers, routine
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import outside
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import FLOAT, PYTHON_RANDOM


def _ask(e: Emitter, instr: Instr) -> None:
    name = str(instr.attrs["kind"])
    asked = outside.ASKED[name]
    objects: list[str] = []
    for type_, value in zip(asked.given, e.operands(instr), strict=True):
        if type_ is FLOAT:
            objects.append(e.intrinsic("ptr", "@PyFloat_FromDouble", f"double {value}"))
        elif type_ is PYTHON_RANDOM:
            e.declare("declare void @Py_IncRef(ptr)")
            e.write(f"call void @Py_IncRef(ptr {value})")  # the call gives up what it is given
            objects.append(value)
        else:
            objects.append(e.intrinsic("ptr", "@PyLong_FromLongLong", f"i64 {value}"))
    function = e.python_object(f"outside.{name}")
    given = (f"ptr {function}", f"ptr {pointers(e, objects)}", f"i64 {len(objects)}")
    found = checked(e, instr, routine(e, "text_call", *given))
    if asked.result is PYTHON_RANDOM:
        e.bind(instr, found)
        return
    if asked.result is FLOAT:
        e.bind(instr, e.intrinsic("double", "@PyFloat_AsDouble", f"ptr {found}"))
    elif asked.result is not None:
        e.bind(instr, e.intrinsic("i64", "@PyLong_AsLongLong", f"ptr {found}"))
    drop(e, found)


RULES: Mapping[OpDef, Rule] = {outside.ASK: _ask}
