"""LLVM code for what texts are made of: characters, slices, searches, and what is said of them."""

import sys
from collections.abc import Callable, Mapping

from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.rules.objects import LIST_ITEMS, LIST_SIZE
from scriptc.backends.llvm.rules.text import checked, drop, load, object_of, routine
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import texts
from scriptc_runtime.ops.opdef import OpDef

# Which letters of ASCII the routine changes itself: small ones, capitals.
_HERE: Mapping[str, tuple[bool, bool]] = {
    "casefold": (False, True),
    "lower": (False, True),
    "swapcase": (True, True),
    "upper": (True, False),
}
_CLASSES: Mapping[str, str] = {
    "alpha": "Alpha",
    "decimal": "DecimalDigit",
    "digit": "Digit",
    "lower": "Lowercase",
    "numeric": "Numeric",
    "printable": "Printable",
    "space": "Whitespace",
    "title": "Titlecase",
    "upper": "Uppercase",
}
_END_OF_CODES = 0x110000


def _code_at(e: Emitter, instr: Instr) -> str:
    """Return the number of the character at an index, or raise IndexError."""
    text, index = e.operands(instr)
    length = load(e, text, abi.TEXT_LENGTH)
    place = index
    if not index.isdecimal():
        negative = e.let(f"icmp slt i64 {index}, 0")
        from_end = e.let(f"add i64 {index}, {length}")
        place = e.let(f"select i1 {negative}, i64 {from_end}, i64 {index}")
    outside = e.let(f"icmp uge i64 {place}, {length}")
    e.raise_if(outside, "IndexError", "string index out of range", instr)
    return _point(e, text, place)


def _point(e: Emitter, text: str, place: str) -> str:
    data = e.let(f"getelementptr i8, ptr {text}, i64 {abi.TEXT_DATA}")
    kind = load(e, text, abi.TEXT_KIND, "i32")
    shift = e.intrinsic("i32", "@llvm.usub.sat.i32", f"i32 {kind}", "i32 1")
    wide = e.let(f"zext i32 {shift} to i64")
    given = (f"ptr {data}", f"i64 {wide}", f"i64 {place}")
    return routine(e, "text_point", *given, result="i64")


def _code(e: Emitter, instr: Instr) -> None:
    e.bind(instr, _code_at(e, instr))


def _get(e: Emitter, instr: Instr) -> None:
    code = _code_at(e, instr)
    e.bind(instr, checked(e, instr, routine(e, "text_char", f"i64 {code}")))


def _ord(e: Emitter, instr: Instr) -> None:
    (text,) = e.operands(instr)
    length = load(e, text, abi.TEXT_LENGTH)
    message = "ord() expected a character, but string of length {} found"
    several = e.let(f"icmp ne i64 {length}, 1")
    e.raise_if(several, "TypeError", message, instr, (length,))
    e.bind(instr, _point(e, text, "0"))


def _chr(e: Emitter, instr: Instr) -> None:
    (code,) = e.operands(instr)
    if sys.version_info < (3, 13):
        # The number is a C int there.
        short = e.let(f"sext i32 {e.let(f'trunc i64 {code} to i32')} to i64")
        beyond = e.let(f"icmp ne i64 {short}, {code}")
        message = "Python int too large to convert to C int"
        e.raise_if(beyond, "OverflowError", message, instr)
    wrong = e.let(f"icmp uge i64 {code}, {_END_OF_CODES}")
    e.raise_if(wrong, "ValueError", "chr() arg not in range(0x110000)", instr)
    e.bind(instr, checked(e, instr, routine(e, "text_char", f"i64 {code}")))


def _slice(e: Emitter, instr: Instr) -> None:
    text, start, stop, step = e.operands(instr)
    if not (step.lstrip("-").isdecimal() and int(step)):
        none = e.let(f"icmp eq i64 {step}, 0")
        e.raise_if(none, "ValueError", "slice step cannot be zero", instr)
    given = (f"ptr {text}", f"i64 {start}", f"i64 {stop}", f"i64 {step}")
    e.bind(instr, checked(e, instr, routine(e, "text_slice", *given)))


def _find(e: Emitter, instr: Instr) -> None:
    text, part, start, stop = e.operands(instr)
    last = "true" if instr.attrs["last"] else "false"
    given = (f"ptr {text}", f"ptr {part}", f"i64 {start}", f"i64 {stop}", f"i1 {last}")
    e.bind(instr, routine(e, "text_find", *given, result="i64"))


def _scan(e: Emitter, instr: Instr) -> None:
    text, start = e.operands(instr)
    name = f"text_{instr.attrs['kind']}"
    e.bind(instr, routine(e, name, f"ptr {text}", f"i64 {start}", result="i64"))


def _join(e: Emitter, instr: Instr) -> None:
    between, parts = e.operands(instr)
    items, size = load(e, parts, LIST_ITEMS, "ptr"), load(e, parts, LIST_SIZE)
    given = ("ptr %ctx", f"ptr {between}", f"ptr {items}", f"i64 {size}")
    e.bind(instr, checked(e, instr, routine(e, "text_joined", *given)))


def _repeat(e: Emitter, instr: Instr) -> None:
    text, count = e.operands(instr)
    e.bind(instr, checked(e, instr, routine(e, "text_repeated", f"ptr {text}", f"i64 {count}")))


def _changed(e: Emitter, instr: Instr) -> None:
    (text,) = e.operands(instr)
    kind = str(instr.attrs["kind"])
    upper, lower = _HERE.get(kind, (False, False))
    method = e.python_object(f"str.{kind}")
    given = (f"ptr {text}", f"ptr {method}", f"i1 {str(upper).lower()}", f"i1 {str(lower).lower()}")
    e.bind(instr, checked(e, instr, routine(e, "text_changed", *given)))


def _char_is(e: Emitter, instr: Instr) -> None:
    kind = str(instr.attrs["kind"])

    def asked() -> str:
        name = f"@_PyUnicode_Is{_CLASSES[kind]}"
        found = e.intrinsic("i32", name, f"i32 {_as_code(e, instr)}")
        return e.let(f"icmp ne i32 {found}, 0")

    def looked_up(code: str) -> str:
        low, high = (_members(kind, first) for first in (0, 64))
        word = e.let(f"select i1 {e.let(f'icmp ult i64 {code}, 64')}, i64 {low}, i64 {high}")
        found = e.let(f"lshr i64 {word}, {e.let(f'and i64 {code}, 63')}")
        return e.let(f"trunc i64 {found} to i1")

    e.bind(instr, _of_ascii(e, instr, "i1", looked_up, asked))


def _members(kind: str, first: int) -> int:
    """Return a bit for each of 64 characters of ASCII: whether it is of a kind."""
    return sum(1 << bit for bit in range(64) if texts.CLASSES[kind](chr(first + bit)))


def _of_ascii(
    e: Emitter, instr: Instr, kind: str, known: Callable[[str], str], asked: Callable[[], str]
) -> str:
    """Return what is known of a number that ASCII has, and what Python is asked of the others."""
    (code,) = e.operands(instr)
    here, there, done = e.label(), e.label(), e.label()
    e.branch(e.let(f"icmp ult i64 {code}, 128"), here, there)
    e.start(here)
    from_here, at_here = known(code), e.block
    e.jump(done)
    e.start(there)
    from_there, at_there = asked(), e.block
    e.jump(done)
    e.start(done)
    return e.let(f"phi {kind} [ {from_here}, %{at_here} ], [ {from_there}, %{at_there} ]")


def _as_code(e: Emitter, instr: Instr) -> str:
    """Return a number as CPython takes one; beyond all characters it stands for none."""
    (code,) = e.operands(instr)
    inside = e.intrinsic("i64", "@llvm.umin.i64", f"i64 {code}", f"i64 {_END_OF_CODES - 1}")
    return e.let(f"trunc i64 {inside} to i32")


def _decimal(e: Emitter, instr: Instr) -> None:
    def asked() -> str:
        found = e.intrinsic("i32", "@_PyUnicode_ToDecimalDigit", f"i32 {_as_code(e, instr)}")
        return e.let(f"sext i32 {found} to i64")

    def counted(code: str) -> str:
        digit = e.let(f"sub i64 {code}, 48")
        return e.let(f"select i1 {e.let(f'icmp ult i64 {digit}, 10')}, i64 {digit}, i64 -1")

    e.bind(instr, _of_ascii(e, instr, "i64", counted, asked))


def _is_identifier(e: Emitter, instr: Instr) -> None:
    obj = object_of(e, instr, e.one(instr.operands[0]))
    found = e.intrinsic("i32", "@PyUnicode_IsIdentifier", f"ptr {obj}")
    drop(e, obj)
    e.bind(instr, e.let(f"icmp ne i32 {found}, 0"))


def _to_float(e: Emitter, instr: Instr) -> None:
    text = e.one(instr.operands[0])
    short = routine(e, "decimal_read", f"ptr {text}", result="double")
    from_short, other, done = e.block, e.label(), e.label()
    e.branch(e.let(f"fcmp uno double {short}, 0.0"), other, done)
    e.start(other)
    obj = object_of(e, instr, text)
    made = e.intrinsic("ptr", "@PyFloat_FromString", f"ptr {obj}")
    drop(e, obj)
    number = checked(e, instr, made)
    value = e.intrinsic("double", "@PyFloat_AsDouble", f"ptr {number}")
    drop(e, number)
    from_other = e.block
    e.jump(done)
    e.start(done)
    e.bind(instr, e.let(f"phi double [ {short}, %{from_short} ], [ {value}, %{from_other} ]"))


RULES: Mapping[OpDef, Rule] = {
    texts.STR_GET: _get,
    texts.STR_CODE: _code,
    texts.ORD: _ord,
    texts.CHR: _chr,
    texts.STR_SLICE: _slice,
    texts.STR_FIND: _find,
    texts.STR_SCAN: _scan,
    texts.STR_JOIN: _join,
    texts.STR_REPEAT: _repeat,
    texts.STR_CHANGED: _changed,
    texts.CHAR_IS: _char_is,
    texts.CHAR_DECIMAL: _decimal,
    texts.STR_IS_IDENTIFIER: _is_identifier,
    texts.STR_TO_FLOAT: _to_float,
}
