"""CuPy's arrays in and out of machine code, as LLVM IR: read where they lie, made by one call.

What is needed of CuPy stands in a table that is filled when it was found in the process, and each
of its places tried (`specialise/cupy_arrays.py`).  Until then no object is an array of its.
"""

from collections.abc import Mapping

from scriptc.backends.llvm.emitter.layout import Layout, verify_layout
from scriptc.backends.llvm.routines.small import Routine
from scriptc.kernels.device.launch import CallFields
from scriptc_runtime.types import (
    DType,
    OptionalType,
    PyType,
    TensorType,
    TupleType,
    Type,
)

# The table: types, functions, and where objects keep what is read of them, in bytes.
TABLE = (
    *("ndarray", "MemoryPointer", "made", "context", "stream", "keep", "idle"),
    *("cuCtxGetCurrent", "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2"),
    *("shape", "strides", "dtype", "data", "address", "device"),
)
MOST_AXES = 64
_FOREIGN_ORDER = ord(">")
_SIMPLE = frozenset({PyType.INT, PyType.FLOAT, PyType.BOOL, PyType.COMPLEX, PyType.NONE})


def crosses(type_: Type) -> bool:
    """Whether values of a type go in and out with arrays of a device as they are."""
    match type_:
        case TensorType() | DType():
            return True
        case TupleType(items):
            return all(map(crosses, items))
        case OptionalType(item):
            return crosses(item)
        case _:
            return type_ in _SIMPLE


def has_array(type_: Type) -> bool:
    """Whether every value of a type has an array."""
    match type_:
        case TupleType(items):
            return any(map(has_array, items))
        case _:
            return isinstance(type_, TensorType)


def _word(name: str, into: str, type_: str = "i64") -> str:
    """Return LLVM IR that loads a word of the table."""
    return (
        f"  {into}.at = getelementptr i64, ptr @sc_device_arrays, i64 {TABLE.index(name)}\n"
        f"  {into} = load {type_}, ptr {into}.at"
    )


def _at(obj: str, place: str, into: str, type_: str) -> str:
    """Return LLVM IR that loads what an object keeps at a place of the table."""
    return (
        f"{_word(place, f'{into}.place')}\n"
        f"  {into}.from = getelementptr i8, ptr {obj}, i64 {into}.place\n"
        f"  {into} = load {type_}, ptr {into}.from"
    )


def _read(layout: Layout) -> Routine:
    """Read an array of CuPy's: its address, sizes and strides, in bytes, go to `%out`.

    False for what is none, has another rank or dtype, or lies on another device or at no multiple
    of `%align`.
    """
    return Routine(
        f"""\
@sc_device_arrays = global [{len(TABLE)} x i64] zeroinitializer

define internal i1 @sc.read_device_array(ptr %obj, i64 %rank, i32 %number, i32 %other, i64 %align,
                                         ptr %out) noinline nounwind {{
entry:
  %type.at = getelementptr i8, ptr %obj, i64 {layout.ob_type}
  %type = load ptr, ptr %type.at
{_word("ndarray", "%ndarray", "ptr")}
  %is.array = icmp eq ptr %type, %ndarray
  br i1 %is.array, label %array, label %no
array:
{_at("%obj", "shape", "%shape", "ptr")}
  %shape.end.at = getelementptr i8, ptr %shape.from, i64 8
  %shape.end = load i64, ptr %shape.end.at
  %shape.start = ptrtoint ptr %shape to i64
  %shape.bytes = sub i64 %shape.end, %shape.start
  %bytes = shl i64 %rank, 3
  %ranks = icmp eq i64 %shape.bytes, %bytes
{_at("%obj", "dtype", "%dtype", "ptr")}
  %number.at = getelementptr i8, ptr %dtype, i64 {layout.descr_type_num}
  %its.number = load i32, ptr %number.at
  %is.number = icmp eq i32 %its.number, %number
  %is.other = icmp eq i32 %its.number, %other
  %numbers = or i1 %is.number, %is.other
  %order.at = getelementptr i8, ptr %dtype, i64 {layout.descr_byteorder}
  %order = load i8, ptr %order.at
  %native = icmp ne i8 %order, {_FOREIGN_ORDER}
{_at("%obj", "data", "%data", "ptr")}
  %holder.at = getelementptr i8, ptr %data, i64 {layout.ob_type}
  %holder = load ptr, ptr %holder.at
{_word("MemoryPointer", "%pointer", "ptr")}
  %is.pointer = icmp eq ptr %holder, %pointer
  %kinds = and i1 %ranks, %numbers
  %ways = and i1 %native, %is.pointer
  %fits = and i1 %kinds, %ways
  br i1 %fits, label %memory, label %no
memory:
{_at("%data", "device", "%device", "i32")}
  %here = icmp eq i32 %device, 0
{_at("%data", "address", "%address", "i64")}
  %mask = sub i64 %align, 1
  %beside = and i64 %address, %mask
  %aligned = icmp eq i64 %beside, 0
  %good = and i1 %here, %aligned
  br i1 %good, label %copy, label %no
copy:
  store i64 %address, ptr %out
{_at("%obj", "strides", "%strides", "ptr")}
  %sizes.to = getelementptr i64, ptr %out, i64 1
  %strides.to = getelementptr i8, ptr %sizes.to, i64 %bytes
  call void @llvm.memcpy.p0.p0.i64(ptr %sizes.to, ptr %shape, i64 %bytes, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %strides.to, ptr %strides, i64 %bytes, i1 false)
  ret i1 true
no:
  ret i1 false
}}
""",
        frozenset({"declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"}),
        shared=True,
    )


# Null where the context cannot be had, another call of this thread is under way, or all states are
# taken: the slow path sees to that.  An idle state is what comes next, its words, and whether the
# context was made current for it; the interpreter's lock guards the row of them.
_ENTER = Routine(
    f"""\
define internal ptr @sc.enter_device() nounwind {{
entry:
  %found.at = alloca i64
  store i64 0, ptr %found.at
{_word("cuCtxGetCurrent", "%ask", "ptr")}
  %status = call i32 %ask(ptr %found.at)
  %fine = icmp eq i32 %status, 0
  %outer = call ptr @sc.device_call()
  %outermost = icmp eq ptr %outer, null
{_word("idle", "%state", "ptr")}
  %some = icmp ne ptr %state, null
  %both = and i1 %fine, %outermost
  %ready = and i1 %both, %some
  br i1 %ready, label %look, label %no
look:
  %found = load i64, ptr %found.at
{_word("context", "%context")}
  %same = icmp eq i64 %found, %context
  br i1 %same, label %go, label %push
push:
{_word("cuCtxPushCurrent_v2", "%make.current", "ptr")}
  %pushed = call i32 %make.current(i64 %context)
  %good = icmp eq i32 %pushed, 0
  br i1 %good, label %go, label %no
go:
  %other = phi i64 [ 0, %look ], [ 1, %push ]
  %next = load ptr, ptr %state
  store ptr %next, ptr %state.at
  %other.at = getelementptr i64, ptr %state, i64 2
  store i64 %other, ptr %other.at
{_word("stream", "%current", "ptr")}
  %without = icmp eq ptr %current, null
  br i1 %without, label %set, label %read
read:
  %told = call ptr %current()
  br label %set
set:
  %stream = phi ptr [ null, %go ], [ %told, %read ]
  %words.at = getelementptr ptr, ptr %state, i64 1
  %words = load ptr, ptr %words.at
  %stream.at = getelementptr i8, ptr %words, i64 {CallFields.STREAM}
  store ptr %stream, ptr %stream.at
  %asked.at = getelementptr i8, ptr %words, i64 {CallFields.TO_ASK}
  store i64 {CallFields.NOTHING}, ptr %asked.at
  %key = load i64, ptr @sc_driver
  %key32 = trunc i64 %key to i32
{_word("keep", "%keep", "ptr")}
  %kept = call i32 %keep(i32 %key32, ptr %words)
  ret ptr %state
no:
  ret ptr null
}}
""",
    calls=("read_device_array", "device_call"),
    shared=True,
)

_LEAVE = Routine(
    f"""\
define internal void @sc.leave_device(ptr %state) nounwind {{
entry:
  %key = load i64, ptr @sc_driver
  %key32 = trunc i64 %key to i32
{_word("keep", "%keep", "ptr")}
  %kept = call i32 %keep(i32 %key32, ptr null)
{_word("idle", "%next", "ptr")}
  store ptr %next, ptr %state
  store ptr %state, ptr %next.at
  %other.at = getelementptr i64, ptr %state, i64 2
  %other = load i64, ptr %other.at
  %same = icmp eq i64 %other, 0
  br i1 %same, label %done, label %pop
pop:
  %popped = alloca i64
{_word("cuCtxPopCurrent_v2", "%back", "ptr")}
  %status = call i32 %back(ptr %popped)
  br label %done
done:
  ret void
}}
""",
    calls=("read_device_array",),
    shared=True,
)


def _vector(layout: Layout) -> Routine:
    """Make a tuple of ints; null without memory."""
    return Routine(
        f"""\
define internal ptr @sc.box_ints(ptr %values, i32 %count) noinline nounwind {{
entry:
  %count64 = sext i32 %count to i64
  %tuple = call ptr @PyTuple_New(i64 %count64)
  %none = icmp eq ptr %tuple, null
  br i1 %none, label %failed, label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %store ]
  %more = icmp ult i64 %i, %count64
  br i1 %more, label %item, label %done
item:
  %from = getelementptr i64, ptr %values, i64 %i
  %value = load i64, ptr %from
  %int = call ptr @PyLong_FromLongLong(i64 %value)
  %missing = icmp eq ptr %int, null
  br i1 %missing, label %drop, label %store
store:
  %place = getelementptr i8, ptr %tuple, i64 {layout.tuple_items}
  %to = getelementptr ptr, ptr %place, i64 %i
  store ptr %int, ptr %to
  %next = add i64 %i, 1
  br label %head
drop:
  call void @Py_DecRef(ptr %tuple)
  br label %failed
failed:
  ret ptr null
done:
  ret ptr %tuple
}}
""",
        frozenset(
            {
                "declare ptr @PyTuple_New(i64)",
                "declare ptr @PyLong_FromLongLong(i64)",
                "declare void @Py_DecRef(ptr)",
            }
        ),
        shared=True,
    )


_BOX = Routine(
    f"""\
; An array of CuPy's: the argument itself where it comes out unchanged, a view of it, or new.
define internal ptr @sc.box_device_array(ptr %data, ptr %owner, i32 %rank, ptr %shape, ptr %strides,
                                         i32 %number, i32 %other, i64 %itemsize) noinline {{
entry:
  %read = alloca [{1 + 2 * MOST_AXES} x i64]
  %arguments = alloca [8 x ptr]
  %rank64 = sext i32 %rank to i64
  %bytes = shl i64 %rank64, 3
  %bits = ptrtoint ptr %owner to i64
  %tagged = trunc i64 %bits to i1
  br i1 %tagged, label %argument, label %fresh
argument:
  %array = getelementptr i8, ptr %owner, i64 -1
  %known = call i1 @sc.read_device_array(ptr %array, i64 %rank64, i32 %number, i32 %other, i64 1,
                                         ptr %read)
  br i1 %known, label %compare, label %make
compare:
  %its.data = load ptr, ptr %read
  %same.data = icmp eq ptr %its.data, %data
  %its.shape = getelementptr i64, ptr %read, i64 1
  %its.strides = getelementptr i8, ptr %its.shape, i64 %bytes
  %shapes = call i32 @memcmp(ptr %its.shape, ptr %shape, i64 %bytes)
  %steps = call i32 @memcmp(ptr %its.strides, ptr %strides, i64 %bytes)
  %differ = or i32 %shapes, %steps
  %agree = icmp eq i32 %differ, 0
  %same = and i1 %same.data, %agree
  br i1 %same, label %unchanged, label %make
unchanged:
  ret ptr %array
fresh:
  %constant = icmp eq ptr %owner, null
  br i1 %constant, label %make, label %wrap
wrap:
  %capsule = call ptr @sc_capsule_new(ptr %owner)
  %unwrapped = icmp eq ptr %capsule, null
  br i1 %unwrapped, label %failed, label %make
failed:
  ret ptr null
make:
  %base = phi ptr [ %array, %argument ], [ %array, %compare ], [ @_Py_NoneStruct, %fresh ],
                  [ %capsule, %wrap ]
  br label %axis
axis:
  ; In C order each stride is the product of the sizes behind it.
  %left = phi i64 [ %rank64, %make ], [ %i, %step ]
  %whole = phi i64 [ %itemsize, %make ], [ %wider, %step ]
  %plain = phi i1 [ true, %make ], [ %plain.now, %step ]
  %more = icmp ne i64 %left, 0
  br i1 %more, label %step, label %build
step:
  %i = sub i64 %left, 1
  %size.at = getelementptr i64, ptr %shape, i64 %i
  %size = load i64, ptr %size.at
  %stride.at = getelementptr i64, ptr %strides, i64 %i
  %stride = load i64, ptr %stride.at
  %fits = icmp eq i64 %stride, %whole
  %plain.now = and i1 %plain, %fits
  %wider = mul i64 %whole, %size
  br label %axis
build:
  %address = call ptr @PyLong_FromVoidPtr(ptr %data)
  %room = call ptr @PyLong_FromLongLong(i64 %whole)
  %number64 = sext i32 %number to i64
  %code = call ptr @PyLong_FromLongLong(i64 %number64)
  %stream = call ptr @sc.device_stream()
  %stream.int = call ptr @PyLong_FromVoidPtr(ptr %stream)
  %sizes = call ptr @sc.box_ints(ptr %shape, i32 %rank)
  br i1 %plain, label %call, label %steps.too
steps.too:
  %its.steps = call ptr @sc.box_ints(ptr %strides, i32 %rank)
  br label %call
call:
  %jumps = phi ptr [ null, %build ], [ %its.steps, %steps.too ]
  %a0 = getelementptr ptr, ptr %arguments, i64 1
  %a1 = getelementptr ptr, ptr %arguments, i64 2
  %a2 = getelementptr ptr, ptr %arguments, i64 3
  %a3 = getelementptr ptr, ptr %arguments, i64 4
  %a4 = getelementptr ptr, ptr %arguments, i64 5
  %a5 = getelementptr ptr, ptr %arguments, i64 6
  %a6 = getelementptr ptr, ptr %arguments, i64 7
  store ptr %address, ptr %a0
  store ptr %room, ptr %a1
  store ptr %base, ptr %a2
  store ptr %code, ptr %a3
  store ptr %stream.int, ptr %a4
  store ptr %sizes, ptr %a5
  store ptr %jumps, ptr %a6
  %m0 = icmp eq ptr %address, null
  %m1 = icmp eq ptr %room, null
  %m3 = icmp eq ptr %code, null
  %m4 = icmp eq ptr %stream.int, null
  %m5 = icmp eq ptr %sizes, null
  %m6 = icmp eq ptr %jumps, null
  %strided = xor i1 %plain, true
  %m7 = and i1 %m6, %strided
  %n0 = or i1 %m0, %m1
  %n1 = or i1 %m3, %m4
  %n2 = or i1 %m5, %m7
  %n3 = or i1 %n0, %n1
  %missing = or i1 %n3, %n2
  br i1 %missing, label %let.go, label %ask
ask:
  ; The highest bit says that the callee may use the place before the arguments.
  %count = select i1 %plain, i64 -9223372036854775802, i64 -9223372036854775801
{_word("made", "%maker", "ptr")}
  %result = call ptr @PyObject_Vectorcall(ptr %maker, ptr %a0, i64 %count, ptr null)
  br label %let.go
let.go:
  %made = phi ptr [ null, %call ], [ %result, %ask ]
  call void @Py_DecRef(ptr %address)
  call void @Py_DecRef(ptr %room)
  call void @Py_DecRef(ptr %code)
  call void @Py_DecRef(ptr %stream.int)
  call void @Py_DecRef(ptr %sizes)
  call void @Py_DecRef(ptr %jumps)
  %immortal = icmp eq ptr %base, @_Py_NoneStruct
  br i1 %immortal, label %done, label %drop
drop:
  call void @Py_DecRef(ptr %base)
  br label %done
done:
  ret ptr %made
}}
""",
    frozenset(
        {
            "declare ptr @sc_capsule_new(ptr)",
            "declare i32 @memcmp(ptr, ptr, i64)",
            "declare ptr @PyLong_FromVoidPtr(ptr)",
            "declare ptr @PyLong_FromLongLong(i64)",
            "declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)",
            "declare void @Py_DecRef(ptr)",
            "@_Py_NoneStruct = external global i8",
        }
    ),
    calls=("read_device_array", "box_ints", "device_stream"),
    shared=True,
)


def routines() -> Mapping[str, Routine]:
    """Return the functions for this Python and NumPy."""
    layout = verify_layout()
    return {
        "read_device_array": _read(layout),
        "enter_device": _ENTER,
        "leave_device": _LEAVE,
        "box_ints": _vector(layout),
        "box_device_array": _BOX,
    }
