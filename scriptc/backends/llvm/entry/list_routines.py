"""Support code, in LLVM IR, of the functions that copy lists and containers in and out."""

from collections.abc import Mapping

from scriptc.backends.llvm.loading.abi import BLOCK_HEADER
from scriptc.backends.llvm.routines.small import Routine

# A memo: a dict, what is noted of lists that may be written, and whether it is asked which object a
# block stands for. Its keys are addresses, of objects of Python's and of blocks. For an object it
# has the address of the block, and in its low bits the number of the type.
MEMO_SIZE, MEMO_DICT, MEMO_NOTES, MEMO_TWO_WAYS = 24, 0, 8, 16
TYPE_BITS = 6

_MEMO_GET = Routine(
    f"""\
; What the memo has for the address of an object or a block, or null; it is borrowed.
define internal ptr @sc.memo_get(ptr %memo, ptr %address) cold noinline nounwind {{
  %none = icmp eq ptr %memo, null
  br i1 %none, label %unknown, label %look
look:
  %dict.at = getelementptr i8, ptr %memo, i64 {MEMO_DICT}
  %dict = load ptr, ptr %dict.at
  %key = call ptr @PyLong_FromVoidPtr(ptr %address)
  %found = call ptr @PyDict_GetItem(ptr %dict, ptr %key)
  call void @Py_DecRef(ptr %key)
  ret ptr %found
unknown:
  ret ptr null
}}
""",
    frozenset(
        {
            "declare ptr @PyLong_FromVoidPtr(ptr)",
            "declare ptr @PyDict_GetItem(ptr, ptr)",
            "declare void @Py_DecRef(ptr)",
        }
    ),
    shared=True,
)

_MEMO_BLOCK = Routine(
    """\
; The block of an object, with the number of its type in the low bits, or 0.
define internal i64 @sc.memo_block(ptr %memo, ptr %object) cold noinline nounwind {
  %found = call ptr @sc.memo_get(ptr %memo, ptr %object)
  %missing = icmp eq ptr %found, null
  br i1 %missing, label %unknown, label %known
known:
  %value = call i64 @PyLong_AsUnsignedLongLong(ptr %found)
  ret i64 %value
unknown:
  ret i64 0
}
""",
    frozenset({"declare i64 @PyLong_AsUnsignedLongLong(ptr)"}),
    ("memo_get",),
    shared=True,
)

_MEMO_PUT = Routine(
    f"""\
; Note the block of an object, and the number of its type.
define internal void @sc.memo_put(ptr %memo, ptr %object, ptr %block, i64 %number)
    cold noinline nounwind {{
  %none = icmp eq ptr %memo, null
  br i1 %none, label %done, label %put
put:
  %dict.at = getelementptr i8, ptr %memo, i64 {MEMO_DICT}
  %dict = load ptr, ptr %dict.at
  %bits = ptrtoint ptr %block to i64
  %high = shl i64 %bits, {TYPE_BITS}
  %tagged = or i64 %high, %number
  %key = call ptr @PyLong_FromVoidPtr(ptr %object)
  %value = call ptr @PyLong_FromUnsignedLongLong(i64 %tagged)
  %status = call i32 @PyDict_SetItem(ptr %dict, ptr %key, ptr %value)
  call void @Py_DecRef(ptr %key)
  call void @Py_DecRef(ptr %value)
  %two.at = getelementptr i8, ptr %memo, i64 {MEMO_TWO_WAYS}
  %two = load i64, ptr %two.at
  %asked = icmp ne i64 %two, 0
  br i1 %asked, label %back, label %done
back:
  call void @sc.memo_made(ptr %memo, ptr %block, ptr %object)
  br label %done
done:
  ret void
}}
""",
    frozenset(
        {
            "declare ptr @PyLong_FromVoidPtr(ptr)",
            "declare ptr @PyLong_FromUnsignedLongLong(i64)",
            "declare i32 @PyDict_SetItem(ptr, ptr, ptr)",
            "declare void @Py_DecRef(ptr)",
        }
    ),
    ("memo_made",),
    shared=True,
)

_MEMO_MADE = Routine(
    f"""\
; Note the object that a block is to Python, if there is one.
define internal void @sc.memo_made(ptr %memo, ptr %block, ptr %object) cold noinline nounwind {{
  %no_memo = icmp eq ptr %memo, null
  %no_object = icmp eq ptr %object, null
  %none = or i1 %no_memo, %no_object
  br i1 %none, label %done, label %put
put:
  %dict.at = getelementptr i8, ptr %memo, i64 {MEMO_DICT}
  %dict = load ptr, ptr %dict.at
  %key = call ptr @PyLong_FromVoidPtr(ptr %block)
  %status = call i32 @PyDict_SetItem(ptr %dict, ptr %key, ptr %object)
  call void @Py_DecRef(ptr %key)
  br label %done
done:
  ret void
}}
""",
    frozenset(
        {
            "declare ptr @PyLong_FromVoidPtr(ptr)",
            "declare i32 @PyDict_SetItem(ptr, ptr, ptr)",
            "declare void @Py_DecRef(ptr)",
        }
    ),
    shared=True,
)

# Note a list that may be written: what it held, whose count is taken over, and the function that
# puts what it holds later into the object; whether there was room for that.
_NOTE = Routine(
    f"""\
define internal i1 @sc.note(ptr %memo, ptr %object, ptr %block, ptr %before, ptr %back)
    cold noinline nounwind {{
  %lacking = icmp eq ptr %before, null
  br i1 %lacking, label %bad, label %room
room:
  %note = call ptr @PyMem_Malloc(i64 40)
  %failed = icmp eq ptr %note, null
  br i1 %failed, label %drop, label %fill
fill:
  call void @Py_IncRef(ptr %object)
  call void @sc_retain(ptr %block)
  %notes.at = getelementptr i8, ptr %memo, i64 {MEMO_NOTES}
  %next = load ptr, ptr %notes.at
  store ptr %note, ptr %notes.at
  store ptr %next, ptr %note
  %object.at = getelementptr i8, ptr %note, i64 8
  store ptr %object, ptr %object.at
  %block.at = getelementptr i8, ptr %note, i64 16
  store ptr %block, ptr %block.at
  %before.at = getelementptr i8, ptr %note, i64 24
  store ptr %before, ptr %before.at
  %back.at = getelementptr i8, ptr %note, i64 32
  store ptr %back, ptr %back.at
  ret i1 true
drop:
  call void @sc_release(ptr %before)
  ret i1 false
bad:
  ret i1 false
}}
""",
    frozenset(
        {
            "declare ptr @PyMem_Malloc(i64)",
            "declare void @Py_IncRef(ptr)",
            "declare void @sc_retain(ptr)",
            "declare void @sc_release(ptr)",
        }
    ),
    shared=True,
)

# Put what noted lists hold into their objects, drop the notes and the memo; whether that worked.
_SETTLE = Routine(
    f"""\
define internal i1 @sc.settle(ptr %memo, i1 %writes) cold noinline nounwind {{
entry:
  %notes.at = getelementptr i8, ptr %memo, i64 {MEMO_NOTES}
  %first = load ptr, ptr %notes.at
  br i1 %writes, label %head, label %clear
head:
  %note = phi ptr [ %first, %entry ], [ %next, %put ]
  %good = phi i1 [ true, %entry ], [ %both, %put ]
  %last = icmp eq ptr %note, null
  br i1 %last, label %clear, label %put
put:
  %next = load ptr, ptr %note
  %object.at = getelementptr i8, ptr %note, i64 8
  %object = load ptr, ptr %object.at
  %block.at = getelementptr i8, ptr %note, i64 16
  %block = load ptr, ptr %block.at
  %before.at = getelementptr i8, ptr %note, i64 24
  %before = load ptr, ptr %before.at
  %back.at = getelementptr i8, ptr %note, i64 32
  %back = load ptr, ptr %back.at
  %done = call i1 %back(ptr %object, ptr %block, ptr %before, ptr %memo)
  %both = and i1 %good, %done
  br label %head
clear:
  %result = phi i1 [ true, %entry ], [ %good, %head ]
  br label %drop
drop:
  %old = phi ptr [ %first, %clear ], [ %older, %one ]
  %empty = icmp eq ptr %old, null
  br i1 %empty, label %end, label %one
one:
  %older = load ptr, ptr %old
  %its_object.at = getelementptr i8, ptr %old, i64 8
  %its_object = load ptr, ptr %its_object.at
  call void @Py_DecRef(ptr %its_object)
  %its_block.at = getelementptr i8, ptr %old, i64 16
  %its_block = load ptr, ptr %its_block.at
  call void @sc_release(ptr %its_block)
  %its_before.at = getelementptr i8, ptr %old, i64 24
  %its_before = load ptr, ptr %its_before.at
  call void @sc_release(ptr %its_before)
  call void @PyMem_Free(ptr %old)
  br label %drop
end:
  store ptr null, ptr %notes.at
  ret i1 %result
}}
""",
    frozenset(
        {
            "declare void @Py_DecRef(ptr)",
            "declare void @PyMem_Free(ptr)",
            "declare void @sc_release(ptr)",
        }
    ),
    shared=True,
)

# Put the items of a new list, which is dropped, into the list it was copied from; whether that
# worked.
_PUT_ITEMS = Routine(
    """\
define internal i1 @sc.put_items(ptr %list, ptr %new) cold noinline nounwind {
  %status = call i32 @PyList_SetSlice(ptr %list, i64 0, i64 9223372036854775807, ptr %new)
  call void @Py_DecRef(ptr %new)
  %good = icmp eq i32 %status, 0
  ret i1 %good
}
""",
    frozenset({"declare i32 @PyList_SetSlice(ptr, i64, i64, ptr)", "declare void @Py_DecRef(ptr)"}),
    shared=True,
)

# Put what a new dict or set, which is dropped, holds into the one it was copied from.
_PUT_BACK = Routine(
    """\
define internal i1 @sc.put_back(ptr %function, ptr %held, ptr %new) cold noinline nounwind {
  %done = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %function, ptr %held, ptr %new,
      ptr null)
  call void @Py_DecRef(ptr %new)
  %failed = icmp eq ptr %done, null
  br i1 %failed, label %bad, label %drop
drop:
  call void @Py_DecRef(ptr %done)
  ret i1 true
bad:
  ret i1 false
}
""",
    frozenset(
        {
            "declare ptr @PyObject_CallFunctionObjArgs(ptr, ...)",
            "declare void @Py_DecRef(ptr)",
        }
    ),
    shared=True,
)

# Put an item, whose objects are taken over, into a dict; whether that worked.
_DICT_PUT = Routine(
    """\
define internal i1 @sc.dict_put(ptr %dict, ptr %key, ptr %value) cold noinline nounwind {
  %no_key = icmp eq ptr %key, null
  %no_value = icmp eq ptr %value, null
  %none = or i1 %no_key, %no_value
  br i1 %none, label %done, label %put
put:
  %status = call i32 @PyDict_SetItem(ptr %dict, ptr %key, ptr %value)
  %good = icmp eq i32 %status, 0
  br label %done
done:
  %result = phi i1 [ false, %0 ], [ %good, %put ]
  call void @Py_DecRef(ptr %key)
  call void @Py_DecRef(ptr %value)
  ret i1 %result
}
""",
    frozenset({"declare i32 @PyDict_SetItem(ptr, ptr, ptr)", "declare void @Py_DecRef(ptr)"}),
    shared=True,
)

# Give a new set a table of slots, and the place where pop() looks first; the slots, or null.
_SET_ROOM = Routine(
    """\
define internal ptr @sc.set_room(ptr %set, i64 %size, i64 %finger, i64 %mask_at, i64 %table_at,
    i64 %finger_at) cold noinline nounwind {
  %none = icmp eq ptr %set, null
  br i1 %none, label %bad, label %made
made:
  %table_place = getelementptr i8, ptr %set, i64 %table_at
  %finger_place = getelementptr i8, ptr %set, i64 %finger_at
  store i64 %finger, ptr %finger_place
  %small = icmp ule i64 %size, 8
  br i1 %small, label %own, label %sized
sized:
  ; A file may state any table: searches end in those of a power of two alone.
  %less = sub i64 %size, 1
  %both = and i64 %size, %less
  %odd = icmp ne i64 %both, 0
  br i1 %odd, label %wrong, label %other
wrong:
  call void @PyErr_BadInternalCall()
  ret ptr null
own:
  %slots = load ptr, ptr %table_place
  ret ptr %slots
other:
  %room = call ptr @PyMem_Calloc(i64 %size, i64 16)
  %failed = icmp eq ptr %room, null
  br i1 %failed, label %lacking, label %good
good:
  store ptr %room, ptr %table_place
  %mask_place = getelementptr i8, ptr %set, i64 %mask_at
  %mask = sub i64 %size, 1
  store i64 %mask, ptr %mask_place
  ret ptr %room
lacking:
  %error = call ptr @PyErr_NoMemory()
  ret ptr null
bad:
  ret ptr null
}
""",
    frozenset(
        {
            "declare ptr @PyMem_Calloc(i64, i64)",
            "declare ptr @PyErr_NoMemory()",
            "declare void @PyErr_BadInternalCall()",
        }
    ),
    shared=True,
)

# As `_rebuild` and `_index_for` in `stdlib/dicts.py`; there are no entries that were removed.
_DICT_INDEX = Routine(
    f"""\
; An index of entries of so many bytes with their hash somewhere; few entries need none.
define internal ptr @sc.dict_index(ptr %entries, i64 %count, i64 %stride, i64 %hash_at,
    ptr %deleter) noinline nounwind {{
  %many = icmp ugt i64 %count, 8
  %sparse = icmp ugt i64 %count, 32
  %dense.wanted = shl i64 %count, 2
  %sparse.wanted = shl i64 %count, 4
  br i1 %many, label %measure, label %make
measure:
  %enough = phi i64 [16, %0], [%twice, %measure]
  %twice = shl i64 %enough, 1
  %below = icmp ult i64 %enough, %dense.wanted
  %far.below = icmp ult i64 %enough, %sparse.wanted
  %few = icmp ult i64 %enough, 4096
  %sparse.too = and i1 %far.below, %sparse
  %sparse.below = and i1 %sparse.too, %few
  %less = or i1 %below, %sparse.below
  br i1 %less, label %measure, label %make
make:
  %size = phi i64 [0, %0], [%enough, %measure]
  %list = call ptr @sc.new_list(i64 %size, i64 4, ptr %deleter)
  %failed = icmp eq ptr %list, null
  br i1 %failed, label %done, label %clear
clear:
  %size.at = getelementptr i8, ptr %list, i64 {BLOCK_HEADER}
  store i64 %size, ptr %size.at
  %items.at = getelementptr i8, ptr %list, i64 {BLOCK_HEADER + 16}
  %slots = load ptr, ptr %items.at
  %bytes = shl i64 %size, 2
  call void @llvm.memset.p0.i64(ptr %slots, i8 -1, i64 %bytes, i1 false)
  %mask = sub i64 %size, 1
  br i1 %many, label %each, label %done
each:
  %place = phi i64 [0, %clear], [%place.next, %put]
  %far = mul i64 %place, %stride
  %behind = add i64 %far, %hash_at
  %hash.at = getelementptr i8, ptr %entries, i64 %behind
  %hash = load i64, ptr %hash.at
  %start = and i64 %hash, %mask
  %positive = and i64 %hash, 9223372036854775807
  br label %look
look:
  %slot = phi i64 [%start, %each], [%further, %next]
  %rest = phi i64 [%positive, %each], [%shorter, %next]
  %slot.at = getelementptr i32, ptr %slots, i64 %slot
  %held = load i32, ptr %slot.at
  %free = icmp slt i32 %held, 0
  br i1 %free, label %put, label %next
next:
  %shorter = lshr i64 %rest, 5
  %five = mul i64 %slot, 5
  %moved = add i64 %five, %shorter
  %one = add i64 %moved, 1
  %further = and i64 %one, %mask
  br label %look
put:
  %short = trunc i64 %place to i32
  store i32 %short, ptr %slot.at
  %place.next = add i64 %place, 1
  %more = icmp ult i64 %place.next, %count
  br i1 %more, label %each, label %done
done:
  ret ptr %list
}}
""",
    frozenset({"declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"}),
    ("new_list",),
)

ROUTINES: Mapping[str, Routine] = {
    "dict_index": _DICT_INDEX,
    "dict_put": _DICT_PUT,
    "memo_block": _MEMO_BLOCK,
    "memo_get": _MEMO_GET,
    "memo_made": _MEMO_MADE,
    "memo_put": _MEMO_PUT,
    "note": _NOTE,
    "put_back": _PUT_BACK,
    "put_items": _PUT_ITEMS,
    "set_room": _SET_ROOM,
    "settle": _SETTLE,
}
