"""LLVM code for bytes: the text of the characters that have them as their numbers."""

from collections.abc import Mapping
from typing import cast

from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.rules.objects import LIST_ITEMS, LIST_SIZE, new_list
from scriptc.backends.llvm.rules.text import checked, load, routine
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import byte_strings as ops
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import ListType

_LAST_OF_BYTES = 1  # the kind of texts whose characters are below 256


def _text(e: Emitter, instr: Instr) -> None:
    e.bind(instr, e.one(instr.operands[0]))


def _of_text(e: Emitter, instr: Instr) -> None:
    text = e.one(instr.operands[0])
    kind = load(e, text, abi.TEXT_KIND, "i32")
    wide = e.let(f"icmp ugt i32 {kind}, {_LAST_OF_BYTES}")
    e.raise_if(wide, "ValueError", ops.NO_BYTE, instr)
    e.bind(instr, text)


def _items(e: Emitter, instr: Instr) -> None:
    text = e.one(instr.operands[0])
    length = load(e, text, abi.TEXT_LENGTH)
    block = new_list(e, instr, cast(ListType, instr.result.type), length)
    data = e.let(f"getelementptr i8, ptr {text}, i64 {abi.TEXT_DATA}")
    _copy(e, load(e, block, LIST_ITEMS, "ptr"), data, length)
    size = e.let(f"getelementptr i8, ptr {block}, i64 {LIST_SIZE}")
    e.write(f"store i64 {length}, ptr {size}")
    e.bind(instr, block)


def _copy(e: Emitter, to: str, source: str, count: str) -> None:
    e.declare("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    given = f"ptr {to}, ptr {source}, i64 {count}, i1 false"
    e.write(f"call void @llvm.memcpy.p0.p0.i64({given})")


def _of_items(e: Emitter, instr: Instr) -> None:
    block = e.one(instr.operands[0])
    items, size = load(e, block, LIST_ITEMS, "ptr"), load(e, block, LIST_SIZE)
    given = (f"ptr {items}", f"i64 {size}")
    e.bind(instr, checked(e, instr, routine(e, "text_of_bytes", *given)))


def _encoded(e: Emitter, instr: Instr) -> None:
    given = (f"ptr {e.one(instr.operands[0])}", *_how(instr))
    e.bind(instr, checked(e, instr, routine(e, "text_encoded", *given)))


def _decoded(e: Emitter, instr: Instr) -> None:
    given = (f"ptr {e.one(instr.operands[0])}", *_how(instr))
    e.bind(instr, checked(e, instr, routine(e, "text_decoded", *given)))


def _how(instr: Instr) -> tuple[str, str]:
    """Return the last two arguments of what encodes and decodes: places in rows of names."""
    encoding = ops.ENCODINGS.index(str(instr.attrs["encoding"]))
    return f"i64 {encoding}", f"i64 {ops.ERRORS.index(str(instr.attrs['errors']))}"


RULES: Mapping[OpDef, Rule] = {
    ops.BYTES_TEXT: _text,
    ops.TEXT_BYTES: _of_text,
    ops.BYTES_ITEMS: _items,
    ops.BYTES_OF: _of_items,
    ops.ENCODED: _encoded,
    ops.DECODED: _decoded,
}
