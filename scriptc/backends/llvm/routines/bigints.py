"""Functions in LLVM IR for ints of any size: words and limbs, see `rules/bigints.py`."""

from collections.abc import Mapping

from scriptc.backends.llvm.loading.abi import BLOCK_HEADER
from scriptc.backends.llvm.routines.small import Routine

_SIZE, _ITEMS = BLOCK_HEADER, BLOCK_HEADER + 16
_MASK = "declare ptr @llvm.ptrmask.p0.i64(ptr, i64)"


def _counter(name: str, counted: str) -> Routine:
    """Return what counts an owner of a number that is no word."""
    return Routine(
        f"""\
define internal void @sc.{name}(ptr %number) alwaysinline nounwind {{
  %word = ptrtoint ptr %number to i64
  %small = trunc i64 %word to i1
  br i1 %small, label %done, label %count
count:
  %block = call ptr @llvm.ptrmask.p0.i64(ptr %number, i64 -4)
  call void @sc.{counted}(ptr %block)
  br label %done
done:
  ret void
}}
""",
        frozenset({_MASK}),
        (counted,),
    )


_OF_INT = Routine(
    f"""\
; An int of any size like one of 64 bits; where there is no memory, MemoryError is set.
define internal ptr @sc.bigint_of(i64 %number) nounwind {{
  %twice = shl i64 %number, 1
  %back = ashr i64 %twice, 1
  %fits = icmp eq i64 %back, %number
  br i1 %fits, label %small, label %large
small:
  %word = or i64 %twice, 1
  %tagged = inttoptr i64 %word to ptr
  ret ptr %tagged
large:
  %list = call ptr @sc.new_list(i64 1, i64 8, ptr @sc.list_free)
  %failed = icmp eq ptr %list, null
  br i1 %failed, label %none, label %fill
fill:
  %less = icmp slt i64 %number, 0
  %opposite = sub i64 0, %number
  %limb = select i1 %less, i64 %opposite, i64 %number
  %items.at = getelementptr i8, ptr %list, i64 {_ITEMS}
  %items = load ptr, ptr %items.at
  store i64 %limb, ptr %items
  %size.at = getelementptr i8, ptr %list, i64 {_SIZE}
  store i64 1, ptr %size.at
  %sign = select i1 %less, i64 2, i64 0
  %made = getelementptr i8, ptr %list, i64 %sign
  ret ptr %made
none:
  %ignored = call ptr @PyErr_NoMemory()
  ret ptr null
}}
""",
    frozenset({"declare ptr @PyErr_NoMemory()"}),
    ("new_list", "list_free"),
    shared=True,
)

_TO_INT = Routine(
    f"""\
; Whether 64 bits hold a number, which is stored if they do.
define internal i1 @sc.bigint_int(ptr %number, ptr %out) nounwind {{
  %word = ptrtoint ptr %number to i64
  %small = trunc i64 %word to i1
  br i1 %small, label %is.small, label %is.large
is.small:
  %half = ashr i64 %word, 1
  store i64 %half, ptr %out
  ret i1 true
is.large:
  %block = call ptr @llvm.ptrmask.p0.i64(ptr %number, i64 -4)
  %items.at = getelementptr i8, ptr %block, i64 {_ITEMS}
  %items = load ptr, ptr %items.at
  %limb = load i64, ptr %items
  %bit = and i64 %word, 2
  %less = icmp ne i64 %bit, 0
  %opposite = sub i64 0, %limb
  %value = select i1 %less, i64 %opposite, i64 %limb
  %below = icmp slt i64 %value, 0
  %sign = xor i1 %below, %less
  %size.at = getelementptr i8, ptr %block, i64 {_SIZE}
  %size = load i64, ptr %size.at
  %single = icmp eq i64 %size, 1
  %same = xor i1 %sign, true
  %fits = and i1 %single, %same
  store i64 %value, ptr %out
  ret i1 %fits
}}
""",
    frozenset({_MASK}),
    shared=True,
)

_OF_PYTHON = frozenset(
    {
        _MASK,
        "declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr)",
        "declare i64 @_PyLong_NumBits(ptr)",
        "declare i32 @_PyLong_AsByteArray(ptr, ptr, i64, i32, i32, i32)",
        "declare ptr @_PyLong_FromByteArray(ptr, i64, i32, i32)",
        "declare ptr @PyLong_FromLongLong(i64)",
        "declare ptr @PyNumber_Absolute(ptr)",
        "declare ptr @PyNumber_Negative(ptr)",
        "declare void @Py_DecRef(ptr)",
        "declare void @sc_release(ptr)",
    }
)

_IN = Routine(
    f"""\
; A number like an int of Python's; null for null, and where there is no memory. CPython before 3.13
; does not look at the last argument of what copies the bytes.
define internal ptr @sc.bigint_in(ptr %object) nounwind {{
  %far.at = alloca i32
  %absent = icmp eq ptr %object, null
  br i1 %absent, label %none, label %ask
ask:
  %number = call i64 @PyLong_AsLongLongAndOverflow(ptr %object, ptr %far.at)
  %far = load i32, ptr %far.at
  %fits = icmp eq i32 %far, 0
  br i1 %fits, label %short, label %long
short:
  %word = call ptr @sc.bigint_of(i64 %number)
  ret ptr %word
long:
  %size = call ptr @PyNumber_Absolute(ptr %object)
  %lost = icmp eq ptr %size, null
  br i1 %lost, label %none, label %measure
measure:
  %bits = call i64 @_PyLong_NumBits(ptr %size)
  %up = add i64 %bits, 63
  %limbs = lshr i64 %up, 6
  %bytes = shl i64 %limbs, 3
  %list = call ptr @sc.new_list(i64 %limbs, i64 8, ptr @sc.list_free)
  %failed = icmp eq ptr %list, null
  br i1 %failed, label %drop, label %fill
fill:
  %items.at = getelementptr i8, ptr %list, i64 {_ITEMS}
  %items = load ptr, ptr %items.at
  %code = call i32 @_PyLong_AsByteArray(ptr %size, ptr %items, i64 %bytes, i32 1, i32 0, i32 1)
  %size.at = getelementptr i8, ptr %list, i64 {_SIZE}
  store i64 %limbs, ptr %size.at
  call void @Py_DecRef(ptr %size)
  %less = icmp slt i32 %far, 0
  %sign = select i1 %less, i64 2, i64 0
  %made = getelementptr i8, ptr %list, i64 %sign
  ret ptr %made
drop:
  call void @Py_DecRef(ptr %size)
  br label %none
none:
  ret ptr null
}}
""",
    _OF_PYTHON,
    ("bigint_of", "new_list", "list_free"),
    shared=True,
)

_OUT = Routine(
    f"""\
; A new int of Python's like a number, which is left alone.
define internal ptr @sc.bigint_out(ptr %number) nounwind {{
  %word = ptrtoint ptr %number to i64
  %small = trunc i64 %word to i1
  br i1 %small, label %short, label %long
short:
  %half = ashr i64 %word, 1
  %made = call ptr @PyLong_FromLongLong(i64 %half)
  ret ptr %made
long:
  %block = call ptr @llvm.ptrmask.p0.i64(ptr %number, i64 -4)
  %items.at = getelementptr i8, ptr %block, i64 {_ITEMS}
  %items = load ptr, ptr %items.at
  %size.at = getelementptr i8, ptr %block, i64 {_SIZE}
  %limbs = load i64, ptr %size.at
  %bytes = shl i64 %limbs, 3
  %size = call ptr @_PyLong_FromByteArray(ptr %items, i64 %bytes, i32 1, i32 0)
  %bit = and i64 %word, 2
  %positive = icmp eq i64 %bit, 0
  %failed = icmp eq ptr %size, null
  %plain = or i1 %positive, %failed
  br i1 %plain, label %done, label %turn
turn:
  %less = call ptr @PyNumber_Negative(ptr %size)
  call void @Py_DecRef(ptr %size)
  ret ptr %less
done:
  ret ptr %size
}}
""",
    _OF_PYTHON,
    shared=True,
)

ROUTINES: Mapping[str, Routine] = {
    "bigint_drop": _counter("bigint_drop", "block_drop"),
    "bigint_in": _IN,
    "bigint_int": _TO_INT,
    "bigint_keep": _counter("bigint_keep", "block_keep"),
    "bigint_of": _OF_INT,
    "bigint_out": _OUT,
}
