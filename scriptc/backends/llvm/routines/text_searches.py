"""Functions in LLVM IR that search, compare and hash texts; see `texts`."""

import sys
from collections.abc import Mapping

from scriptc.backends.llvm.loading.abi import (
    TEXT_HASH,
)
from scriptc.backends.llvm.routines.small import Routine
from scriptc.backends.llvm.routines.texts import MEASURES, OF_BYTES, OF_NUMBERS, fields
from scriptc_runtime.ops import texts

_BOUND = Routine(
    """\
; Where a bound of a slice is: counted from the end if it is negative, and inside of the text.
define internal i64 @sc.text_bound(i64 %given, i64 %length, i64 %lowest, i64 %highest) nounwind {
  %negative = icmp slt i64 %given, 0
  %from.end = add i64 %given, %length
  %place = select i1 %negative, i64 %from.end, i64 %given
  %too.low = icmp slt i64 %place, %lowest
  %raised = select i1 %too.low, i64 %lowest, i64 %place
  %too.high = icmp sgt i64 %raised, %highest
  %bound = select i1 %too.high, i64 %highest, i64 %raised
  ret i64 %bound
}
""",
    shared=True,
)

# One in each byte of a word.
_EACH = 0x0101010101010101

_FIND = Routine(
    f"""\
; Where a text has another one in `text[start:stop]`, the last place if `last`; -1 if nowhere.
define internal i64 @sc.text_find(ptr %text, ptr %part, i64 %start, i64 %stop, i1 %last) nounwind {{
{fields("text", *MEASURES)}
{fields("part", *MEASURES)}
  %negative = icmp slt i64 %start, 0
  %from.end = add i64 %start, %text.length
  %place = select i1 %negative, i64 %from.end, i64 %start
  %before = icmp slt i64 %place, 0
  %first = select i1 %before, i64 0, i64 %place
  %end = call i64 @sc.text_bound(i64 %stop, i64 %text.length, i64 0, i64 %text.length)
  %room = sub i64 %end, %first
  %short = icmp slt i64 %room, %part.length
  %behind = icmp sgt i64 %first, %end
  %wider = icmp ugt i64 %part.kind, %text.kind
  %cannot = or i1 %short, %wider
  %never = or i1 %cannot, %behind
  br i1 %never, label %nowhere, label %may
may:
  %most = sub i64 %room, %part.length
  %final = add i64 %first, %most
  %is.empty = icmp eq i64 %part.length, 0
  br i1 %is.empty, label %ends, label %some
ends:
  %edge = select i1 %last, i64 %end, i64 %first
  ret i64 %edge
some:
  ; As where a text is to start or to end with another one.
  %one.place = icmp eq i64 %most, 0
  br i1 %one.place, label %only, label %search
only:
  %only.same = call i1 @sc.text_match(ptr %text, i64 %first, ptr %part)
  %only.at = select i1 %only.same, i64 %first, i64 -1
  ret i64 %only.at
search:
  %part.first = call i64 @sc.text_get(ptr %part.data, i64 %part.shift, i64 0)
  br i1 %last, label %back, label %forth
back:
  %b = phi i64 [ %final, %search ], [ %b.next, %back.on ]
  %b.code = call i64 @sc.text_get(ptr %text.data, i64 %text.shift, i64 %b)
  %b.like = icmp eq i64 %b.code, %part.first
  br i1 %b.like, label %back.look, label %back.on
back.look:
  %b.same = call i1 @sc.text_match(ptr %text, i64 %b, ptr %part)
  br i1 %b.same, label %back.found, label %back.on
back.found:
  ret i64 %b
back.on:
  %b.next = sub i64 %b, 1
  %b.more = icmp sge i64 %b.next, %first
  br i1 %b.more, label %back, label %nowhere
forth:
  %bytes = icmp eq i64 %text.shift, 0
  br i1 %bytes, label %measure, label %slow
measure:
  %within = icmp ule i64 %end, 8
  %whole = icmp eq i64 %first, 0
  %single = icmp eq i64 %part.length, 1
  %of.few = and i1 %within, %whole
  %in.word = and i1 %of.few, %single
  br i1 %in.word, label %word, label %quick
word:
  ; A character among eight: a byte that is zero after this makes the highest bit of its own one.
  %chars = load i64, ptr %text.data
  %each = mul i64 %part.first, {_EACH}
  %differing = xor i64 %chars, %each
  %end.bits = shl i64 %end, 3
  %all.there = icmp eq i64 %end, 8
  %not.there = shl i64 -1, %end.bits
  %hidden = select i1 %all.there, i64 0, i64 %not.there
  %shown = or i64 %differing, %hidden
  %less = sub i64 %shown, {_EACH}
  %inverse = xor i64 %shown, -1
  %borrowed = and i64 %less, %inverse
  %marks = and i64 %borrowed, {_EACH * 0x80 - 2**64}
  %missing = icmp eq i64 %marks, 0
  %mark = call i64 @llvm.cttz.i64(i64 %marks, i1 false)
  %nearest = lshr i64 %mark, 3
  %in.word.at = select i1 %missing, i64 -1, i64 %nearest
  ret i64 %in.word.at
quick:
  %q = phi i64 [ %first, %measure ], [ %q.next, %quick.on ]
  %q.at = getelementptr i8, ptr %text.data, i64 %q
  %q.left = sub i64 %final, %q
  %q.count = add i64 %q.left, 1
  %byte = trunc i64 %part.first to i32
  %q.found = call ptr @memchr(ptr %q.at, i32 %byte, i64 %q.count)
  %q.none = icmp eq ptr %q.found, null
  br i1 %q.none, label %nowhere, label %quick.look
quick.look:
  %found.bits = ptrtoint ptr %q.found to i64
  %start.bits = ptrtoint ptr %text.data to i64
  %q.place = sub i64 %found.bits, %start.bits
  br i1 %single, label %quick.found, label %quick.compare
quick.compare:
  %q.same = call i1 @sc.text_match(ptr %text, i64 %q.place, ptr %part)
  br i1 %q.same, label %quick.found, label %quick.on
quick.found:
  ret i64 %q.place
quick.on:
  %q.next = add i64 %q.place, 1
  %q.more = icmp sle i64 %q.next, %final
  br i1 %q.more, label %quick, label %nowhere
slow:
  %s = phi i64 [ %first, %forth ], [ %s.next, %slow.on ]
  %s.code = call i64 @sc.text_get(ptr %text.data, i64 %text.shift, i64 %s)
  %s.like = icmp eq i64 %s.code, %part.first
  br i1 %s.like, label %slow.look, label %slow.on
slow.look:
  %s.same = call i1 @sc.text_match(ptr %text, i64 %s, ptr %part)
  br i1 %s.same, label %slow.found, label %slow.on
slow.found:
  ret i64 %s
slow.on:
  %s.next = add i64 %s, 1
  %s.more = icmp sle i64 %s.next, %final
  br i1 %s.more, label %slow, label %nowhere
nowhere:
  ret i64 -1
}}
""",
    OF_BYTES | OF_NUMBERS | {"declare i64 @llvm.cttz.i64(i64, i1)"},
    ("text_bound", "text_get", "text_match"),
    shared=True,
)


def _scan(name: str, kind: str, *, wanted: bool) -> Routine:
    """Return the search for characters of a kind of CPython's, or for others unless `wanted`."""
    is_one = texts.SCANS["blank" if kind == "Whitespace" else "break"]
    members = sum(1 << code for code in range(64) if is_one(chr(code)))
    many = "%bytes" if wanted else "false"
    return Routine(
        f"""\
; The first place from a start on with such a character; the length where there is none.
define internal i64 @sc.text_{name}(ptr %text, i64 %start) nounwind {{
{fields("text", *MEASURES)}
  %negative = icmp slt i64 %start, 0
  %first = select i1 %negative, i64 0, i64 %start
  %bytes = icmp eq i64 %text.shift, 0
  br label %head
head:
  %i = phi i64 [ %first, %0 ], [ %next, %on ], [ %reach, %ahead ]
  %reach = add i64 %i, 16
  %fits = icmp sle i64 %reach, %text.length
  %quick = and i1 %fits, {many}
  br i1 %quick, label %sixteen, label %one
sixteen:
  ; All such characters are below this or beyond ASCII.
  %chars.at = getelementptr i8, ptr %text.data, i64 %i
  %chars = load <16 x i8>, ptr %chars.at, align 1
  %low = icmp slt <16 x i8> %chars, splat (i8 {members.bit_length()})
  %marks = bitcast <16 x i1> %low to i16
  %missing = icmp eq i16 %marks, 0
  br i1 %missing, label %ahead, label %found
ahead:
  br label %head
found:
  %mark = call i16 @llvm.cttz.i16(i16 %marks, i1 true)
  %further = zext i16 %mark to i64
  %nearest = add i64 %i, %further
  br label %look
one:
  %inside = icmp slt i64 %i, %text.length
  br i1 %inside, label %look, label %end
look:
  %place = phi i64 [ %i, %one ], [ %nearest, %found ]
  %next = add i64 %place, 1
  br i1 %bytes, label %byte, label %wide
byte:
  ; Nothing is inlined here, and most texts are of bytes.
  %byte.at = getelementptr i8, ptr %text.data, i64 %place
  %of.byte.i8 = load i8, ptr %byte.at
  %of.byte = zext i8 %of.byte.i8 to i64
  br label %class
wide:
  %of.wide = call i64 @sc.text_get(ptr %text.data, i64 %text.shift, i64 %place)
  br label %class
class:
  %code = phi i64 [ %of.byte, %byte ], [ %of.wide, %wide ]
  %is.low = icmp ult i64 %code, 64
  %is.ascii = icmp ult i64 %code, 128
  br i1 %is.ascii, label %known, label %ask
known:
  %bit = and i64 %code, 63
  %word = lshr i64 {members}, %bit
  %of.low = trunc i64 %word to i1
  %of.ascii = and i1 %of.low, %is.low
  br label %tell
ask:
  %code.i32 = trunc i64 %code to i32
  %answer = call i32 @_PyUnicode_Is{kind}(i32 %code.i32)
  %of.others = icmp ne i32 %answer, 0
  br label %tell
tell:
  %is = phi i1 [ %of.ascii, %known ], [ %of.others, %ask ]
  %found.it = icmp eq i1 %is, {str(wanted).lower()}
  br i1 %found.it, label %done, label %on
on:
  br label %head
done:
  ret i64 %place
end:
  ret i64 %text.length
}}
""",
        OF_NUMBERS
        | {"declare i16 @llvm.cttz.i16(i16, i1)", f"declare i32 @_PyUnicode_Is{kind}(i32)"},
        ("text_get",),
        shared=True,
    )


_MATCH = Routine(
    f"""\
; Whether a text has another one at a place, behind which there is enough of it.
define internal i1 @sc.text_match(ptr %text, i64 %place, ptr %part) nounwind {{
{fields("text", "kind", "shift")}
{fields("part", *MEASURES)}
  %same.size = icmp eq i64 %text.shift, %part.shift
  br i1 %same.size, label %compare, label %head
compare:
  %skipped = shl i64 %place, %text.shift
  %at = getelementptr i8, ptr %text.data, i64 %skipped
  %bytes = shl i64 %part.length, %part.shift
  %order = call i32 @memcmp(ptr %at, ptr %part.data, i64 %bytes)
  %equal = icmp eq i32 %order, 0
  ret i1 %equal
head:
  %i = phi i64 [ 0, %0 ], [ %next, %one ]
  %more = icmp ult i64 %i, %part.length
  br i1 %more, label %one, label %yes
one:
  %there = add i64 %place, %i
  %a = call i64 @sc.text_get(ptr %text.data, i64 %text.shift, i64 %there)
  %b = call i64 @sc.text_get(ptr %part.data, i64 %part.shift, i64 %i)
  %next = add i64 %i, 1
  %like = icmp eq i64 %a, %b
  br i1 %like, label %head, label %no
yes:
  ret i1 true
no:
  ret i1 false
}}
""",
    OF_BYTES | OF_NUMBERS,
    ("text_get",),
    shared=True,
)

# In the code that calls it, up to the characters.
_EQUAL = Routine(
    f"""\
define internal i1 @sc.text_equal(ptr %one, ptr %two) nounwind {{
  %same = icmp eq ptr %one, %two
  br i1 %same, label %yes, label %look
look:
{fields("one", *MEASURES)}
{fields("two", "length", "kind")}
  %like.length = icmp eq i64 %one.length, %two.length
  %like.kind = icmp eq i64 %one.kind, %two.kind
  %like = and i1 %like.length, %like.kind
  br i1 %like, label %compare, label %no
compare:
  ; A text has room for two words of characters, whatever its length. Of up to 16 bytes the first
  ; and the last are compared, which overlap, so that no length of words has to be foreseen.
  %bytes = shl i64 %one.length, %one.shift
  %is.short = icmp ule i64 %bytes, 16
  br i1 %is.short, label %short, label %long
short:
  %word.one = load i64, ptr %one.data
  %word.two = load i64, ptr %two.data
  %unlike = xor i64 %word.one, %word.two
  %behind = call i64 @llvm.usub.sat.i64(i64 %bytes, i64 8)
  %end.one.at = getelementptr i8, ptr %one.data, i64 %behind
  %end.one = load i64, ptr %end.one.at, align 1
  %end.two.at = getelementptr i8, ptr %two.data, i64 %behind
  %end.two = load i64, ptr %end.two.at, align 1
  %end.unlike = xor i64 %end.one, %end.two
  %either = or i64 %unlike, %end.unlike
  %missing = call i64 @llvm.usub.sat.i64(i64 8, i64 %bytes)
  %bits = shl i64 %missing, 3
  %none.there = icmp eq i64 %bytes, 0
  %shown = select i1 %none.there, i64 0, i64 %bits
  %there = shl i64 %either, %shown
  %same.words = icmp eq i64 %there, 0
  %equal.words = or i1 %same.words, %none.there
  ret i1 %equal.words
long:
  %order = call i32 @memcmp(ptr %one.data, ptr %two.data, i64 %bytes)
  %equal = icmp eq i32 %order, 0
  ret i1 %equal
yes:
  ret i1 true
no:
  ret i1 false
}}
""",
    OF_BYTES | OF_NUMBERS,
)

_ORDER = Routine(
    f"""\
; Below zero, zero or above it: which text comes first.
define internal i32 @sc.text_order(ptr %one, ptr %two) nounwind {{
{fields("one", *MEASURES)}
{fields("two", *MEASURES)}
  %least = call i64 @llvm.umin.i64(i64 %one.length, i64 %two.length)
  %shifts = or i64 %one.shift, %two.shift
  %bytes = icmp eq i64 %shifts, 0
  br i1 %bytes, label %compare, label %head
compare:
  %order = call i32 @memcmp(ptr %one.data, ptr %two.data, i64 %least)
  %differ = icmp ne i32 %order, 0
  br i1 %differ, label %done, label %lengths
done:
  ret i32 %order
head:
  %i = phi i64 [ 0, %0 ], [ %next, %both ]
  %more = icmp ult i64 %i, %least
  br i1 %more, label %both, label %lengths
both:
  %a = call i64 @sc.text_get(ptr %one.data, i64 %one.shift, i64 %i)
  %b = call i64 @sc.text_get(ptr %two.data, i64 %two.shift, i64 %i)
  %next = add i64 %i, 1
  %like = icmp eq i64 %a, %b
  br i1 %like, label %head, label %unlike
unlike:
  %less = icmp ult i64 %a, %b
  %sign = select i1 %less, i32 -1, i32 1
  ret i32 %sign
lengths:
  %longer = icmp ugt i64 %one.length, %two.length
  %shorter = icmp ult i64 %one.length, %two.length
  %up = zext i1 %longer to i32
  %down = sext i1 %shorter to i32
  %by.length = or i32 %up, %down
  ret i32 %by.length
}}
""",
    OF_BYTES | OF_NUMBERS,
    ("text_get",),
    shared=True,
)


def _first_word(text: str) -> str:
    """Return lines that read the first eight characters as a number, zeros for those not there."""
    return f"""\
  %{text}.word = load i64, ptr %{text}.data
  %{text}.turned = call i64 @llvm.bswap.i64(i64 %{text}.word)
  %{text}.few = icmp ult i64 %{text}.length, 8
  %{text}.bytes = and i64 %{text}.length, 7
  %{text}.bits = shl i64 %{text}.bytes, 3
  %{text}.behind = lshr i64 -1, %{text}.bits
  %{text}.before = xor i64 %{text}.behind, -1
  %{text}.mask = select i1 %{text}.few, i64 %{text}.before, i64 -1
  %{text}.first = and i64 %{text}.turned, %{text}.mask"""


# In the code that calls it, where the first characters tell.
_COMPARED = Routine(
    f"""\
define internal i32 @sc.text_compared(ptr %one, ptr %two) alwaysinline nounwind {{
{fields("one", "length", "kind")}
{fields("two", "length", "kind")}
  %kinds = or i64 %one.kind, %two.kind
  %bytes = icmp ult i64 %kinds, 2
  br i1 %bytes, label %look, label %whole
look:
  ; A text has room for a word of characters, whatever its length.
{_first_word("one")}
{_first_word("two")}
  %alike = icmp eq i64 %one.first, %two.first
  br i1 %alike, label %whole, label %differ
differ:
  %less = icmp ult i64 %one.first, %two.first
  %sign = select i1 %less, i32 -1, i32 1
  ret i32 %sign
whole:
  %order = call i32 @sc.text_order(ptr %one, ptr %two)
  ret i32 %order
}}
""",
    frozenset({"declare i64 @llvm.bswap.i64(i64)"}),
    ("text_order",),
)

_HASH_BYTES = "Py_HashBuffer" if sys.version_info >= (3, 14) else "_Py_HashBytes"

# In the code that calls it, where the hash is known.
_HASH = Routine(
    f"""\
define internal i64 @sc.text_hash(ptr %text) nounwind {{
  %hash.at = getelementptr i8, ptr %text, i64 {TEXT_HASH}
  %known = load i64, ptr %hash.at
  %missing = icmp eq i64 %known, -1
  br i1 %missing, label %compute, label %done
compute:
  %hash = call i64 @sc.text_hashed(ptr %text)
  ret i64 %hash
done:
  ret i64 %known
}}
""",
    calls=("text_hashed",),
)

_HASHED = Routine(
    f"""\
; The hash that Python has in this process for such a text. It is kept.
define internal i64 @sc.text_hashed(ptr %text) nounwind {{
  %hash.at = getelementptr i8, ptr %text, i64 {TEXT_HASH}
{fields("text", *MEASURES)}
  %bytes = shl i64 %text.length, %text.shift
  %hash = call i64 @{_HASH_BYTES}(ptr %text.data, i64 %bytes)
  store i64 %hash, ptr %hash.at
  ret i64 %hash
}}
""",
    frozenset({f"declare i64 @{_HASH_BYTES}(ptr, i64)"}) | OF_NUMBERS,
    shared=True,
)

ROUTINES: Mapping[str, Routine] = {
    "text_blank": _scan("blank", "Whitespace", wanted=True),
    "text_bound": _BOUND,
    "text_break": _scan("break", "Linebreak", wanted=True),
    "text_equal": _EQUAL,
    "text_find": _FIND,
    "text_hash": _HASH,
    "text_hashed": _HASHED,
    "text_ink": _scan("ink", "Whitespace", wanted=False),
    "text_match": _MATCH,
    "text_compared": _COMPARED,
    "text_order": _ORDER,
}
