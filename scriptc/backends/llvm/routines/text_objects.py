"""Functions in LLVM IR that copy texts from and to Python's objects; see `texts`."""

from collections.abc import Mapping

from scriptc.backends.llvm.emitter.layout import verify_layout
from scriptc.backends.llvm.loading.abi import TEXT_DATA, TEXT_HASH
from scriptc.backends.llvm.routines.small import Routine
from scriptc.backends.llvm.routines.texts import MEASURES, OF_BYTES, OF_NUMBERS, fields


def _in() -> Routine:
    """Return what copies a str of Python's."""
    layout = verify_layout()
    bit = layout.str_kind_bit
    return Routine(
        f"""\
; A text like a str of Python's; null for null, and where there is no memory, with no exception set.
define internal ptr @sc.text_in(ptr %object) nounwind {{
  %absent = icmp eq ptr %object, null
  br i1 %absent, label %none, label %look
look:
  %length.at = getelementptr i8, ptr %object, i64 {layout.str_length}
  %length = load i64, ptr %length.at
  %state.at = getelementptr i8, ptr %object, i64 {layout.str_state}
  %state.low = load i32, ptr %state.at
  %state = zext i32 %state.low to i64
  %bits = lshr i64 %state, {bit}
  %its.kind = and i64 %bits, 7
  %compact = and i64 %bits, 8
  %ascii = and i64 %bits, 16
  %is.ascii = icmp ne i64 %ascii, 0
  %is.compact = icmp ne i64 %compact, 0
  br i1 %is.compact, label %kept, label %none
kept:
  %offset = select i1 %is.ascii, i64 {layout.str_ascii}, i64 {layout.str_data}
  %from = getelementptr i8, ptr %object, i64 %offset
  %is.one = icmp eq i64 %length, 1
  %is.byte = icmp eq i64 %its.kind, 1
  %is.char = and i1 %is.one, %is.byte
  br i1 %is.char, label %char, label %several
char:
  %byte = load i8, ptr %from
  %code = zext i8 %byte to i64
  %single = call ptr @sc.text_char(i64 %code)
  ret ptr %single
several:
  %shift = lshr i64 %its.kind, 1
  %wide = add i64 %shift, 1
  %kind = select i1 %is.ascii, i64 0, i64 %wide
  %text = call ptr @sc.text_new(i64 %length, i64 %kind)
  %failed = icmp eq ptr %text, null
  br i1 %failed, label %none, label %fill
fill:
  %data = getelementptr i8, ptr %text, i64 {TEXT_DATA}
  %bytes = shl i64 %length, %shift
  call void @llvm.memcpy.p0.p0.i64(ptr %data, ptr %from, i64 %bytes, i1 false)
  %its.hash.at = getelementptr i8, ptr %object, i64 {layout.str_hash}
  %its.hash = load i64, ptr %its.hash.at
  %hash.at = getelementptr i8, ptr %text, i64 {TEXT_HASH}
  store i64 %its.hash, ptr %hash.at
  ret ptr %text
none:
  ret ptr null
}}
""",
        OF_BYTES,
        ("text_new", "text_char"),
        shared=True,
    )


_CONSTANT = Routine(
    """\
; A text like a str of Python's which lives as long as the process.
define internal ptr @sc.text_constant(ptr %object) nounwind {
  %text = call ptr @sc.text_in(ptr %object)
  %kept = call ptr @sc.text_immortal(ptr %text)
  ret ptr %kept
}
""",
    calls=("text_in", "text_immortal"),
    shared=True,
)

_TAKEN = Routine(
    """\
; A text like a new str of Python's, which is dropped; for null the exception is set already.
define internal ptr @sc.text_taken(ptr %object) nounwind {
  %absent = icmp eq ptr %object, null
  br i1 %absent, label %none, label %copy
copy:
  %text = call ptr @sc.text_in(ptr %object)
  call void @Py_DecRef(ptr %object)
  %failed = icmp eq ptr %text, null
  br i1 %failed, label %full, label %done
full:
  %ignored = call ptr @PyErr_NoMemory()
  ret ptr null
done:
  ret ptr %text
none:
  ret ptr null
}
""",
    frozenset({"declare void @Py_DecRef(ptr)", "declare ptr @PyErr_NoMemory()"}),
    ("text_in",),
    shared=True,
)


def _out() -> Routine:
    """Return what makes a str of Python's. It knows its hash, if the text does."""
    layout = verify_layout()
    return Routine(
        f"""\
; A new str of Python's like a text, which is left alone.
define internal ptr @sc.text_out(ptr %text) nounwind {{
{fields("text", *MEASURES)}
  %ascii = icmp eq i64 %text.kind, 0
  %several = icmp ugt i64 %text.length, 1
  %plain = and i1 %ascii, %several
  br i1 %plain, label %make, label %ask
make:
  %new = call ptr @PyUnicode_New(i64 %text.length, i32 127)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %done, label %fill
fill:
  %to = getelementptr i8, ptr %new, i64 {layout.str_ascii}
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %text.data, i64 %text.length, i1 false)
  %hash.at = getelementptr i8, ptr %text, i64 {TEXT_HASH}
  %hash = load i64, ptr %hash.at
  %its.hash.at = getelementptr i8, ptr %new, i64 {layout.str_hash}
  store i64 %hash, ptr %its.hash.at
  br label %done
done:
  ret ptr %new
ask:
  %size = shl i64 1, %text.shift
  %bytes = trunc i64 %size to i32
  %object = call ptr @PyUnicode_FromKindAndData(i32 %bytes, ptr %text.data, i64 %text.length)
  ret ptr %object
}}
""",
        frozenset(
            {
                "declare ptr @PyUnicode_FromKindAndData(i32, ptr, i64)",
                "declare ptr @PyUnicode_New(i64, i32)",
            }
        )
        | OF_NUMBERS
        | OF_BYTES,
        shared=True,
    )


# One in each byte of a word.
_EACH = 0x0101010101010101
_CHANGED = Routine(
    f"""\
; What a method of str gives for a text. Letters of ASCII are changed here: those in `low` (the
; first of A to Z, or of a to z) get the other case.
define internal ptr @sc.text_changed(ptr %text, ptr %method, i1 %upper, i1 %lower) nounwind {{
{fields("text", *MEASURES)}
  %plain = icmp eq i64 %text.kind, 0
  %some = or i1 %upper, %lower
  %here = and i1 %plain, %some
  br i1 %here, label %make, label %ask
make:
  %new = call ptr @sc.text_room(i64 %text.length, i64 0)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %none, label %fill
fill:
  %to = getelementptr i8, ptr %new, i64 {TEXT_DATA}
  %raising = sext i1 %upper to i64
  %lowering = sext i1 %lower to i64
  br label %eight
eight:
  ; Eight at a time: where a sum with a letter's distance from 128 has the highest bit, it is above.
  %w = phi i64 [ 0, %fill ], [ %w.next, %eight.put ]
  %w.next = add i64 %w, 8
  %fits = icmp ule i64 %w.next, %text.length
  br i1 %fits, label %eight.put, label %head
eight.put:
  %w.from = getelementptr i8, ptr %text.data, i64 %w
  %word = load i64, ptr %w.from, align 1
  %from.a = add i64 %word, {0x1F * _EACH}
  %over.z = add i64 %word, {0x05 * _EACH}
  %from.capital = add i64 %word, {0x3F * _EACH}
  %over.capital = add i64 %word, {0x25 * _EACH}
  %small = xor i64 %from.a, %over.z
  %large = xor i64 %from.capital, %over.capital
  %small.turned = and i64 %small, %raising
  %large.turned = and i64 %large, %lowering
  %either = or i64 %small.turned, %large.turned
  %high = and i64 %either, {0x80 * _EACH - 2**64}
  %bit = lshr i64 %high, 2
  %changed = xor i64 %word, %bit
  %w.to = getelementptr i8, ptr %to, i64 %w
  store i64 %changed, ptr %w.to, align 1
  br label %eight
head:
  %i = phi i64 [ %w, %eight ], [ %next, %one ]
  %more = icmp ult i64 %i, %text.length
  br i1 %more, label %one, label %done
one:
  %from.at = getelementptr i8, ptr %text.data, i64 %i
  %byte = load i8, ptr %from.at
  %above.a = sub i8 %byte, 97
  %is.lower = icmp ult i8 %above.a, 26
  %above.capital = sub i8 %byte, 65
  %is.upper = icmp ult i8 %above.capital, 26
  %raised = and i1 %is.lower, %upper
  %lowered = and i1 %is.upper, %lower
  %turned = or i1 %raised, %lowered
  %other = xor i8 %byte, 32
  %put = select i1 %turned, i8 %other, i8 %byte
  %to.at = getelementptr i8, ptr %to, i64 %i
  store i8 %put, ptr %to.at
  %next = add i64 %i, 1
  br label %head
done:
  ret ptr %new
ask:
  %object = call ptr @sc.text_out(ptr %text)
  %unmade = icmp eq ptr %object, null
  br i1 %unmade, label %none, label %call
call:
  %given = alloca ptr
  store ptr %object, ptr %given
  %result = call ptr @PyObject_Vectorcall(ptr %method, ptr %given, i64 1, ptr null)
  call void @Py_DecRef(ptr %object)
  %found = call ptr @sc.text_taken(ptr %result)
  ret ptr %found
none:
  ret ptr null
}}
""",
    frozenset(
        {
            "declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)",
            "declare void @Py_DecRef(ptr)",
        }
    )
    | OF_NUMBERS,
    ("text_out", "text_room", "text_taken"),
    shared=True,
)

_CALL_WITH_TEXTS = Routine(
    """\
; Call a function of Python's with new objects, which are dropped; null among them is a failure.
define internal ptr @sc.text_call(ptr %function, ptr %objects, i64 %count) cold noinline
    nounwind {
  br label %look
look:
  %i = phi i64 [ 0, %0 ], [ %i.next, %there ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %one, label %call
one:
  %at = getelementptr ptr, ptr %objects, i64 %i
  %object = load ptr, ptr %at
  %i.next = add i64 %i, 1
  %missing = icmp eq ptr %object, null
  br i1 %missing, label %drop, label %there
there:
  br label %look
call:
  %result = call ptr @PyObject_Vectorcall(ptr %function, ptr %objects, i64 %count, ptr null)
  br label %drop
drop:
  %found = phi ptr [ null, %one ], [ %result, %call ]
  br label %head
head:
  %k = phi i64 [ 0, %drop ], [ %k.next, %let.go ]
  %left = icmp ult i64 %k, %count
  br i1 %left, label %let.go, label %done
let.go:
  %its.at = getelementptr ptr, ptr %objects, i64 %k
  %its = load ptr, ptr %its.at
  call void @Py_DecRef(ptr %its)
  %k.next = add i64 %k, 1
  br label %head
done:
  ret ptr %found
}
""",
    frozenset(
        {
            "declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)",
            "declare void @Py_DecRef(ptr)",
        }
    ),
    shared=True,
)

ROUTINES: Mapping[str, Routine] = {
    "text_constant": _CONSTANT,
    "text_in": _in(),
    "text_out": _out(),
    "text_taken": _TAKEN,
    "text_changed": _CHANGED,
    "text_call": _CALL_WITH_TEXTS,
}
