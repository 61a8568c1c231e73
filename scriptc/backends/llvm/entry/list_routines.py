"""Support code, in LLVM IR, of the functions that copy lists and containers in and out."""

from collections.abc import Mapping

from scriptc.backends.llvm.routines.small import Routine

_MEMO_GET = Routine(
    """\
; What the memo has for an object, or 0.
define internal i64 @sc.memo_get(ptr %memo, ptr %object) cold noinline nounwind {
  %none = icmp eq ptr %memo, null
  br i1 %none, label %unknown, label %look
look:
  %key = call ptr @PyLong_FromVoidPtr(ptr %object)
  %found = call ptr @PyDict_GetItem(ptr %memo, ptr %key)
  call void @Py_DecRef(ptr %key)
  %missing = icmp eq ptr %found, null
  br i1 %missing, label %unknown, label %known
known:
  %value = call i64 @PyLong_AsUnsignedLongLong(ptr %found)
  ret i64 %value
unknown:
  ret i64 0
}
""",
    frozenset(
        {
            "declare ptr @PyLong_FromVoidPtr(ptr)",
            "declare i64 @PyLong_AsUnsignedLongLong(ptr)",
            "declare ptr @PyDict_GetItem(ptr, ptr)",
            "declare void @Py_DecRef(ptr)",
        }
    ),
    shared=True,
)

_MEMO_PUT = Routine(
    """\
define internal void @sc.memo_put(ptr %memo, ptr %object, i64 %value) cold noinline nounwind {
  %none = icmp eq ptr %memo, null
  br i1 %none, label %done, label %put
put:
  %key = call ptr @PyLong_FromVoidPtr(ptr %object)
  %number = call ptr @PyLong_FromUnsignedLongLong(i64 %value)
  %status = call i32 @PyDict_SetItem(ptr %memo, ptr %key, ptr %number)
  call void @Py_DecRef(ptr %key)
  call void @Py_DecRef(ptr %number)
  br label %done
done:
  ret void
}
""",
    frozenset(
        {
            "declare ptr @PyLong_FromVoidPtr(ptr)",
            "declare ptr @PyLong_FromUnsignedLongLong(i64)",
            "declare i32 @PyDict_SetItem(ptr, ptr, ptr)",
            "declare void @Py_DecRef(ptr)",
        }
    ),
    shared=True,
)

# Put what a block holds into the list it was copied from; whether that worked.
_WRITE_BACK = Routine(
    """\
define internal i1 @sc.write_back(ptr %list, ptr %new) cold noinline nounwind {
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %bad, label %put
put:
  %status = call i32 @PyList_SetSlice(ptr %list, i64 0, i64 9223372036854775807, ptr %new)
  call void @Py_DecRef(ptr %new)
  %good = icmp eq i32 %status, 0
  ret i1 %good
bad:
  ret i1 false
}
""",
    frozenset({"declare i32 @PyList_SetSlice(ptr, i64, i64, ptr)", "declare void @Py_DecRef(ptr)"}),
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

ROUTINES: Mapping[str, Routine] = {
    "dict_put": _DICT_PUT,
    "memo_get": _MEMO_GET,
    "memo_put": _MEMO_PUT,
    "set_room": _SET_ROOM,
    "write_back": _WRITE_BACK,
}
