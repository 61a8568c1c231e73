"""Functions in LLVM IR that copy bytes from and to Python's objects; see `texts`.

Bytes are kept as the text of the characters with these numbers: one byte each.
"""

from collections.abc import Mapping, Sequence

from scriptc.backends.llvm.loading.abi import TEXT_DATA
from scriptc.backends.llvm.routines.small import Routine
from scriptc.backends.llvm.routines.texts import OF_BYTES, OF_HEAP, fields
from scriptc_runtime.ops.byte_strings import ENCODINGS, ERRORS

_TEXT_OF_BYTES = Routine(
    f"""\
; A text of the characters whose numbers stand at an address.
define internal ptr @sc.text_of_bytes(ptr %from, i64 %length) nounwind {{
  %none = icmp eq i64 %length, 0
  br i1 %none, label %empty, label %some
empty:
  %nothing = call ptr @sc.text_empty()
  ret ptr %nothing
some:
  %single = icmp eq i64 %length, 1
  br i1 %single, label %char, label %several
char:
  %byte = load i8, ptr %from
  %code = zext i8 %byte to i64
  %lone = call ptr @sc.text_char(i64 %code)
  ret ptr %lone
several:
  %kind = call i64 @sc.text_widest(ptr %from, i64 0, i64 %length, i64 1)
  %text = call ptr @sc.text_room(i64 %length, i64 %kind)
  %failed = icmp eq ptr %text, null
  br i1 %failed, label %done, label %fill
fill:
  %to = getelementptr i8, ptr %text, i64 {TEXT_DATA}
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %length, i1 false)
  br label %done
done:
  ret ptr %text
}}
""",
    OF_HEAP | OF_BYTES,
    ("text_char", "text_empty", "text_room", "text_widest"),
    shared=True,
)

_OF_PYTHON = frozenset(
    {
        "declare i64 @PyBytes_Size(ptr)",
        "declare ptr @PyBytes_AsString(ptr)",
        "declare ptr @PyBytes_FromStringAndSize(ptr, i64)",
        "declare void @Py_DecRef(ptr)",
    }
)

_IN = Routine(
    """\
; Bytes like a bytes of Python's; null for null, and where there is no memory.
define internal ptr @sc.text_bytes_in(ptr %object) nounwind {
  %absent = icmp eq ptr %object, null
  br i1 %absent, label %none, label %copy
copy:
  %length = call i64 @PyBytes_Size(ptr %object)
  %from = call ptr @PyBytes_AsString(ptr %object)
  %text = call ptr @sc.text_of_bytes(ptr %from, i64 %length)
  ret ptr %text
none:
  ret ptr null
}
""",
    _OF_PYTHON,
    ("text_of_bytes",),
    shared=True,
)

_OUT = Routine(
    f"""\
; A new bytes of Python's like ours, which are left alone.
define internal ptr @sc.text_bytes_out(ptr %text) nounwind {{
{fields("text", "length")}
  %object = call ptr @PyBytes_FromStringAndSize(ptr %text.data, i64 %text.length)
  ret ptr %object
}}
""",
    _OF_PYTHON,
    shared=True,
)

_TAKEN = Routine(
    """\
; Bytes like a new bytes of Python's, which is dropped; for null the exception is set already.
define internal ptr @sc.text_bytes_taken(ptr %object) nounwind {
  %absent = icmp eq ptr %object, null
  br i1 %absent, label %none, label %copy
copy:
  %text = call ptr @sc.text_bytes_in(ptr %object)
  call void @Py_DecRef(ptr %object)
  ret ptr %text
none:
  ret ptr null
}
""",
    _OF_PYTHON,
    ("text_bytes_in",),
    shared=True,
)


def _row(names: Sequence[str]) -> str:
    """Return names of C, each of them in eight bytes."""
    return "".join(name + "\\00" * (8 - len(name)) for name in names)


_NAMES = """\
  %encoding.place = shl i64 %encoding, 3
  %encoding.at = getelementptr i8, ptr @sc.text.encodings, i64 %encoding.place
  %errors.place = shl i64 %errors, 3
  %errors.at = getelementptr i8, ptr @sc.text.errors, i64 %errors.place"""

_ENCODED = Routine(
    f"""\
; A text in an encoding.
@sc.text.encodings = internal constant [{8 * len(ENCODINGS)} x i8] c"{_row(ENCODINGS)}"
@sc.text.errors = internal constant [{8 * len(ERRORS)} x i8] c"{_row(ERRORS)}"
define internal ptr @sc.text_encoded(ptr %text, i64 %encoding, i64 %errors) nounwind {{
{_NAMES}
  %object = call ptr @sc.text_out(ptr %text)
  %failed = icmp eq ptr %object, null
  br i1 %failed, label %none, label %ask
ask:
  %made = call ptr @PyUnicode_AsEncodedString(ptr %object, ptr %encoding.at, ptr %errors.at)
  call void @Py_DecRef(ptr %object)
  %found = call ptr @sc.text_bytes_taken(ptr %made)
  ret ptr %found
none:
  ret ptr null
}}
""",
    _OF_PYTHON | {"declare ptr @PyUnicode_AsEncodedString(ptr, ptr, ptr)"},
    ("text_out", "text_bytes_taken"),
    shared=True,
)

_DECODED = Routine(
    f"""\
; The text that bytes are in an encoding.
define internal ptr @sc.text_decoded(ptr %text, i64 %encoding, i64 %errors) nounwind {{
{_NAMES}
{fields("text", "length")}
  %made = call ptr @PyUnicode_Decode(ptr %text.data, i64 %text.length, ptr %encoding.at,
                                     ptr %errors.at)
  %found = call ptr @sc.text_taken(ptr %made)
  ret ptr %found
}}
""",
    frozenset({"declare ptr @PyUnicode_Decode(ptr, i64, ptr, ptr)"}),
    ("text_taken", "text_encoded"),
    shared=True,
)

ROUTINES: Mapping[str, Routine] = {
    "text_decoded": _DECODED,
    "text_bytes_in": _IN,
    "text_bytes_out": _OUT,
    "text_bytes_taken": _TAKEN,
    "text_encoded": _ENCODED,
    "text_of_bytes": _TEXT_OF_BYTES,
}
