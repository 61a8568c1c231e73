"""LLVM code for texts that are joined and measured, and for printing."""

from collections.abc import Mapping

from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.emitter.literals import text_constant
from scriptc.backends.llvm.loading import abi
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import data
from scriptc_runtime.ops.opdef import OpDef


def checked(e: Emitter, instr: Instr, obj: str) -> str:
    """Go on with what a function returned that sets CPython's exception, or raise that."""
    e.check_status(e.let(f"icmp eq ptr {obj}, null"), e.python_failed_block(instr))
    return obj


def drop(e: Emitter, obj: str) -> None:
    """Count one owner of an object less."""
    e.declare("declare void @Py_DecRef(ptr)")
    e.write(f"call void @Py_DecRef(ptr {obj})")


def routine(e: Emitter, name: str, *arguments: str, result: str = "ptr") -> str:
    """Call a routine of texts; arguments are written `i64 %x`."""
    e.state.routines.add(name)
    return e.let(f"call {result} @sc.{name}({', '.join(arguments)})")


def object_of(e: Emitter, instr: Instr, text: str) -> str:
    """Return a new str of Python's like a text."""
    return checked(e, instr, routine(e, "text_out", f"ptr {text}"))


def _concat(e: Emitter, instr: Instr) -> None:
    pieces = e.operands(instr) or [text_constant(e, "")]
    base = pointers(e, pieces)
    given = ("ptr %ctx", "ptr null", f"ptr {base}", f"i64 {len(pieces)}")
    e.bind(instr, checked(e, instr, routine(e, "text_joined", *given)))


def pointers(e: Emitter, values: list[str]) -> str:
    """Store pointers one after the other and return where."""
    base = e.alloca(f"[{len(values) + 1} x ptr]")
    for position, pointer in enumerate(values):
        at = e.let(f"getelementptr ptr, ptr {base}, i64 {position}")
        e.write(f"store ptr {pointer}, ptr {at}")
    return base


def _extend(e: Emitter, instr: Instr) -> None:
    """Append to a text, which is copied only where someone else owns it."""
    text, *pieces = e.operands(instr)
    for piece in pieces:
        given = ("ptr %ctx", f"ptr {text}", f"ptr {piece}")
        text = checked(e, instr, routine(e, "text_extended", *given))
    e.bind(instr, text)


def _length(e: Emitter, instr: Instr) -> None:
    e.bind(instr, load(e, e.one(instr.operands[0]), abi.TEXT_LENGTH))


def load(e: Emitter, block: str, offset: int, type_: str = "i64") -> str:
    """Return a field of a block."""
    at = e.let(f"getelementptr i8, ptr {block}, i64 {offset}")
    return e.let(f"load {type_}, ptr {at}")


def _print(e: Emitter, instr: Instr) -> None:
    """Call Python's own print, so that a sys.stdout of the user's is honoured."""
    _call(e, instr, "builtins.print")


def _print_with(e: Emitter, instr: Instr) -> None:
    _call(e, instr, "print_with")


def _call(e: Emitter, instr: Instr, function: str) -> None:
    """Call a function of Python's with the operands, which are texts."""
    pieces = [routine(e, "text_out", f"ptr {text}") for text in e.operands(instr)]
    e.state.routines.add("text_call")
    base = pointers(e, pieces)
    called = e.python_object(function)
    given = f"ptr {called}, ptr {base}, i64 {len(pieces)}"
    drop(e, checked(e, instr, e.let(f"call ptr @sc.text_call({given})")))


RULES: Mapping[OpDef, Rule] = {
    data.CONCAT: _concat,
    data.EXTEND: _extend,
    data.STR_LEN: _length,
    data.PRINT: _print,
    data.PRINT_WITH: _print_with,
}
