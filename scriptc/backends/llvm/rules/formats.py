"""LLVM code for values in formats: by routines that know the format, see `text_styles`.

What only CPython knows, the text of an object say, its functions give: they get objects of
Python's, and what they return is copied.
"""

from collections.abc import Mapping

from scriptc.backends.llvm.emitter.box import Boxer
from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.emitter.layout import verify_layout
from scriptc.backends.llvm.emitter.literals import string_constant, text_constant
from scriptc.backends.llvm.routines import text_styles
from scriptc.backends.llvm.routines.text_styles import Style
from scriptc.backends.llvm.rules.text import checked, drop, object_of, routine
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import data, texts
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import BOOL, FLOAT, INT, STR, DType

_CONVERSIONS: Mapping[str, str] = {
    "s": "@PyObject_Str",
    "r": "@PyObject_Repr",
    "a": "@PyObject_ASCII",
}
_FLOAT_LETTERS = frozenset("eEfFgG%")


def _format(e: Emitter, instr: Instr) -> None:
    (value,) = instr.operands
    spec, conversion = str(instr.attrs["spec"]), str(instr.attrs["conversion"])
    text = _here(e, instr, value, spec, conversion)
    if text is not None:
        e.bind(instr, checked(e, instr, text))
        return
    obj = _shown(e, instr, value, conversion)
    if spec or (value.type is not STR and not conversion):
        given = string_constant(e, spec)
        text = e.intrinsic("ptr", "@PyObject_Format", f"ptr {obj}", f"ptr {given}")
        obj = _replaced(e, instr, obj, text)
    e.bind(instr, checked(e, instr, routine(e, "text_taken", f"ptr {obj}")))


def _format_by(e: Emitter, instr: Instr) -> None:
    value, spec = instr.operands
    given = object_of(e, instr, e.one(spec))
    obj = _shown(e, instr, value, str(instr.attrs["conversion"]))
    text = e.intrinsic("ptr", "@PyObject_Format", f"ptr {obj}", f"ptr {given}")
    drop(e, given)
    obj = _replaced(e, instr, obj, text)
    e.bind(instr, checked(e, instr, routine(e, "text_taken", f"ptr {obj}")))


def _shown(e: Emitter, instr: Instr, value: Value, conversion: str) -> str:
    """Return a new object of a value, or of what a conversion makes of it."""
    components = e.components(value)
    e.retain(value.type, components)
    obj = checked(e, instr, Boxer(e, verify_layout()).box(value.type, components))
    if conversion and (value.type is not STR or conversion != "s"):
        return _replaced(e, instr, obj, e.intrinsic("ptr", _CONVERSIONS[conversion], f"ptr {obj}"))
    return obj


def _array_text(e: Emitter, instr: Instr) -> None:
    obj = _shown(e, instr, instr.operands[0], str(instr.attrs["kind"])[0])
    e.bind(instr, checked(e, instr, routine(e, "text_taken", f"ptr {obj}")))


def _replaced(e: Emitter, instr: Instr, old: str, new: str) -> str:
    drop(e, old)
    return checked(e, instr, new)


def _here(e: Emitter, instr: Instr, value: Value, spec: str, conversion: str) -> str | None:
    """Return a new text, or null with an exception set; None if CPython is to make it."""
    if not conversion or (conversion == "s" and value.type is STR):
        return _formatted(e, value, spec)
    # Numbers have one text for all conversions.
    is_number = value.type in (INT, BOOL, FLOAT)
    if not is_number and not (value.type is STR and conversion == "r"):
        return None
    style = text_styles.text_style(spec) if spec else None
    if spec and style is None:
        return None
    quoted = None if is_number else routine(e, "format_quoted", f"ptr {e.one(value)}")
    plain = _formatted(e, value, "") if is_number else quoted
    if plain is None or style is None:
        return plain
    checked(e, instr, plain)
    text = _filled(e, plain, style)
    e.state.routines.add("text_release")
    e.write(f"call void @sc.text_release(ptr {plain})")
    return text


def _formatted(e: Emitter, value: Value, spec: str) -> str | None:
    """Return the text of a value without a conversion; None if CPython is to make it."""
    match value.type:
        case _ if value.type is STR:
            style = text_styles.text_style(spec)
            return style and _filled(e, e.one(value), style)
        case _ if value.type is BOOL and not spec:
            return _bool_text(e, e.one(value))
        case _ if value.type in (BOOL, INT):
            kept = "i1" if value.type is BOOL else "i64"
            return _int_text(e, e.one(value), kept, "u" if value.type is BOOL else "i", spec)
        case DType(kind="i" | "u", itemsize=size):
            return _int_text(e, e.one(value), f"i{8 * size}", value.type.kind, spec)
        case _ if value.type is FLOAT:
            return _float_text(e, e.one(value), spec)
        case DType.F64 if spec:
            return _float_text(e, e.one(value), spec)
        case DType.F32 if spec:
            return _float_text(e, e.let(f"fpext float {e.one(value)} to double"), spec)
        case _:
            return None


def _filled(e: Emitter, text: str, style: Style) -> str:
    numbers = (f"i64 {style.word}", f"i64 {style.width}", f"i64 {style.places}")
    return routine(e, "format_text", f"ptr {text}", *numbers)


def _bool_text(e: Emitter, value: str) -> str:
    yes, no = text_constant(e, "True"), text_constant(e, "False")
    text = e.let(f"select i1 {value}, ptr {yes}, ptr {no}")
    e.state.routines.add("text_keep")
    e.write(f"call void @sc.text_keep(ptr {text})")
    return text


def _int_text(e: Emitter, value: str, type_: str, kind: str, spec: str) -> str | None:
    """Return the text of an int of a type of LLVM's, signed or not."""
    whole, signed = value, kind == "i"
    if type_ != "i64":
        whole = e.let(f"{'sext' if signed else 'zext'} {type_} {value} to i64")
    if spec[-1:] in _FLOAT_LETTERS:
        return _float_text(e, e.let(f"{'si' if signed else 'ui'}tofp i64 {whole} to double"), spec)
    style = text_styles.int_style(spec, unsigned=not signed)
    if style is None:
        return None
    if style.is_plain and (signed or type_ != "i64"):
        return routine(e, "text_of_int", f"i64 {whole}")
    return routine(e, "format_int", f"i64 {whole}", f"i64 {style.word}", f"i64 {style.width}")


def _float_text(e: Emitter, number: str, spec: str) -> str | None:
    style = text_styles.float_style(spec)
    if style is None:
        return None
    letter = ord(style.letter or "r")
    numbers = (f"i64 {style.word}", f"i64 {style.width}", f"i64 {style.places}", f"i64 {letter}")
    given = string_constant(e, spec)
    return routine(e, "decimal_text", f"double {number}", *numbers, f"ptr {given}")


RULES: Mapping[OpDef, Rule] = {
    data.FORMAT: _format,
    texts.FORMAT_BY: _format_by,
    texts.ARRAY_TEXT: _array_text,
}
