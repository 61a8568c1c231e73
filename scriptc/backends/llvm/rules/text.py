"""LLVM code for str, which is CPython's own, for printing, and for the text of exceptions."""

from collections.abc import Mapping

from scriptc.backends.llvm.emitter.box import Boxer
from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.emitter.layout import verify_layout
from scriptc.backends.llvm.emitter.literals import text_constant
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.loading.abi import CONTEXT_SIZE
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import control, data
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import STR

_CONVERSIONS: Mapping[str, str] = {
    "s": "@PyObject_Str",
    "r": "@PyObject_Repr",
    "a": "@PyObject_ASCII",
}


def checked(e: Emitter, instr: Instr, obj: str) -> str:
    """Go on with an object that a CPython function returned, or raise what that has raised."""
    e.check_status(e.let(f"icmp eq ptr {obj}, null"), e.python_failed_block(instr))
    return obj


def drop(e: Emitter, obj: str) -> None:
    """Count one owner of an object less."""
    e.declare("declare void @Py_DecRef(ptr)")
    e.write(f"call void @Py_DecRef(ptr {obj})")


def _keep(e: Emitter, obj: str) -> str:
    e.declare("declare void @Py_IncRef(ptr)")
    e.write(f"call void @Py_IncRef(ptr {obj})")
    return obj


def _concat(e: Emitter, instr: Instr) -> None:
    pieces = e.operands(instr) or [text_constant(e, "")]
    joined = pieces[0]
    for position, piece in enumerate(pieces[1:]):
        longer = e.intrinsic("ptr", "@sc_joined", "ptr %ctx", f"ptr {joined}", f"ptr {piece}")
        if position:
            drop(e, joined)
        joined = checked(e, instr, longer)
    e.bind(instr, joined if len(pieces) > 1 else _keep(e, joined))


def _extend(e: Emitter, instr: Instr) -> None:
    """Append to a text as CPython does, which copies it only where someone else owns it."""
    text, *pieces = e.operands(instr)
    at = e.alloca("ptr")
    e.declare("declare void @PyUnicode_Append(ptr, ptr)")
    e.write(f"store ptr {text}, ptr {at}")
    for piece in pieces:
        e.write(f"call void @PyUnicode_Append(ptr {at}, ptr {piece})")
        text = checked(e, instr, e.let(f"load ptr, ptr {at}"))
    e.bind(instr, text)


def _length(e: Emitter, instr: Instr) -> None:
    e.bind(instr, e.intrinsic("i64", "@PyUnicode_GetLength", f"ptr {e.one(instr.operands[0])}"))


def _format(e: Emitter, instr: Instr) -> None:
    (value,) = instr.operands
    spec, conversion = str(instr.attrs["spec"]), str(instr.attrs["conversion"])
    components = e.components(value)
    if value.type is STR:
        obj = _keep(e, components[0])
    else:
        obj = checked(e, instr, Boxer(e, verify_layout()).box(value.type, components))
    if conversion and (value.type is not STR or conversion != "s"):
        obj = _replaced(e, instr, obj, e.intrinsic("ptr", _CONVERSIONS[conversion], f"ptr {obj}"))
    if spec or (value.type is not STR and not conversion):
        given = text_constant(e, spec)
        text = e.intrinsic("ptr", "@PyObject_Format", f"ptr {obj}", f"ptr {given}")
        obj = _replaced(e, instr, obj, text)
    e.bind(instr, obj)


def _replaced(e: Emitter, instr: Instr, old: str, new: str) -> str:
    drop(e, old)
    return checked(e, instr, new)


def _print(e: Emitter, instr: Instr) -> None:
    """Call Python's own print, so that a sys.stdout of the user's is honoured."""
    _call(e, instr, "builtins.print")


def _print_with(e: Emitter, instr: Instr) -> None:
    _call(e, instr, "print_with")


def _call(e: Emitter, instr: Instr, function: str) -> None:
    """Call a function of Python's with the operands, which are texts."""
    pieces = e.operands(instr)
    base = e.alloca(f"[{len(pieces) + 1} x ptr]")
    for position, piece in enumerate(pieces):
        at = e.let(f"getelementptr ptr, ptr {base}, i64 {position}")
        e.write(f"store ptr {piece}, ptr {at}")
    done = e.intrinsic(
        "ptr",
        "@PyObject_Vectorcall",
        f"ptr {e.python_object(function)}",
        f"ptr {base}",
        f"i64 {len(pieces)}",
        "ptr null",
    )
    drop(e, checked(e, instr, done))


def _exception_text(e: Emitter, instr: Instr) -> None:
    """Ask Python, which knows the messages of the sites."""
    context = e.alloca(f"[{CONTEXT_SIZE} x i8], align 8")
    components = e.components(instr.operands[0])
    for component, type_, offset in zip(
        components, abi.EXCEPTION_COMPONENTS, abi.EXCEPTION_OFFSETS, strict=True
    ):
        at = e.let(f"getelementptr i8, ptr {context}, i64 {offset}")
        e.write(f"store {type_} {component}, ptr {at}")
    e.state.routines.add("call_with_address")
    function = e.python_object("exception_text")
    text = e.let(f"call ptr @sc.call_with_address(ptr {function}, ptr {context})")
    e.bind(instr, checked(e, instr, text))


RULES: Mapping[OpDef, Rule] = {
    data.CONCAT: _concat,
    data.EXTEND: _extend,
    data.STR_LEN: _length,
    data.FORMAT: _format,
    data.PRINT: _print,
    data.PRINT_WITH: _print_with,
    control.EXCEPTION_TEXT: _exception_text,
}
