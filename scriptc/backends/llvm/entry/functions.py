"""Functions in LLVM IR that the entries from Python call: where they meet CPython's objects."""

import sys
from collections.abc import Mapping

import numpy as np

from scriptc.backends.llvm.emitter.layout import ArrayFlag, Layout, verify_layout
from scriptc.backends.llvm.entry import device_arrays
from scriptc.backends.llvm.entry.instances import instance_routines
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.routines.small import Routine

STACK_RESERVE = 256 * 1024  # bytes at the end of the stack that scripted functions leave alone


def routines() -> Mapping[str, Routine]:
    """Return the functions for this Python and NumPy."""
    layout = verify_layout()
    return {
        "box_array": _box_array(layout),
        "box_tuple": _box_tuple(layout),
        "call_with_address": _CALL_WITH_ADDRESS,
        "new_array": _NEW_ARRAY,
        "report": _report(layout),
        "same_array": _same_array(layout),
        **instance_routines(layout),
        **device_arrays.routines(),
        "stack_limit": _STACK_LIMIT_LINUX if sys.platform == "linux" else _STACK_LIMIT,
    }


# Of NumPy's type numbers: complex64, then complex128.
_FIRST_COMPLEX = np.dtype(np.complex64).num


def _box_array(layout: Layout) -> Routine:
    """Return what makes an array: the argument itself where it comes out unchanged, or a view."""
    whole = int(ArrayFlag.ALIGNED | ArrayFlag.WRITEABLE)
    return Routine(
        f"""\
define internal ptr @sc.box_array(ptr %data, ptr %owner, i32 %rank, ptr %shape, ptr %strides,
                                  i32 %number) noinline nounwind {{
entry:
  %bits = ptrtoint ptr %owner to i64
  %tagged = trunc i64 %bits to i1
  br i1 %tagged, label %argument, label %fresh
argument:
  %array = getelementptr i8, ptr %owner, i64 -1
  %same.place = call i1 @sc.same_array(ptr %array, ptr %data, i32 %rank, ptr %shape, ptr %strides)
  ; The real parts of a complex array lie where it does.
  %descr.at = getelementptr i8, ptr %array, i64 {layout.array_descr}
  %descr = load ptr, ptr %descr.at
  %number.at = getelementptr i8, ptr %descr, i64 {layout.descr_type_num}
  %its.number = load i32, ptr %number.at
  %its.code = sub i32 %its.number, {_FIRST_COMPLEX}
  %code = sub i32 %number, {_FIRST_COMPLEX}
  %its.complex = icmp ult i32 %its.code, 2
  %complex = icmp ult i32 %code, 2
  %parts = xor i1 %its.complex, %complex
  %whole = xor i1 %parts, true
  %same = and i1 %same.place, %whole
  br i1 %same, label %unchanged, label %view
unchanged:
  ret ptr %array
view:
  %its.flags.at = getelementptr i8, ptr %array, i64 {layout.array_flags}
  %its.flags = load i32, ptr %its.flags.at
  %flags.part = and i32 %its.flags, {whole}
  %flags.view = or i32 %flags.part, {int(ArrayFlag.ALIGNED)}
  br label %make
fresh:
  %constant = icmp eq ptr %owner, null
  br i1 %constant, label %make, label %wrap
wrap:
  %capsule = call ptr @sc_capsule_new(ptr %owner)
  %unwrapped = icmp eq ptr %capsule, null
  br i1 %unwrapped, label %failed, label %make
make:
  %base = phi ptr [ %array, %view ], [ null, %fresh ], [ %capsule, %wrap ]
  %flags = phi i32 [ %flags.view, %view ], [ {whole}, %fresh ], [ {whole}, %wrap ]
  %made = call ptr @sc.new_array(ptr %data, ptr %base, i32 %rank, ptr %shape, ptr %strides,
                                 i32 %number, i32 %flags)
  ret ptr %made
failed:
  ret ptr null
}}
""",
        frozenset({"declare ptr @sc_capsule_new(ptr)"}),
        ("same_array", "new_array"),
        shared=True,
    )


# An array object over memory that `base` keeps alive, if that is not null.
_NEW_ARRAY = Routine(
    """\
define internal ptr @sc.new_array(ptr %data, ptr %base, i32 %rank, ptr %shape, ptr %strides,
                                  i32 %number, i32 %flags) noinline nounwind {
  %made = call ptr @PyArray_New(ptr @PyArray_Type, i32 %rank, ptr %shape, i32 %number,
                                ptr %strides, ptr %data, i32 0, i32 %flags, ptr null)
  %missing = icmp eq ptr %made, null
  br i1 %missing, label %drop, label %hold
drop:
  ; A null base is let pass.
  call void @Py_DecRef(ptr %base)
  ret ptr null
hold:
  %free = icmp eq ptr %base, null
  br i1 %free, label %done, label %own
own:
  ; It takes the reference over, even where it fails.
  %status = call i32 @PyArray_SetBaseObject(ptr %made, ptr %base)
  %bad = icmp ne i32 %status, 0
  br i1 %bad, label %discard, label %done
done:
  ret ptr %made
discard:
  call void @Py_DecRef(ptr %made)
  ret ptr null
}
""",
    frozenset(
        {
            "declare ptr @PyArray_New(ptr, i32, ptr, i32, ptr, ptr, i32, i32, ptr)",
            "declare i32 @PyArray_SetBaseObject(ptr, ptr)",
            "declare void @Py_DecRef(ptr)",
            "@PyArray_Type = external global i8",
        }
    ),
    shared=True,
)


def _same_array(layout: Layout) -> Routine:
    """Return what says whether an array object has just this memory, sizes and strides."""
    return Routine(
        f"""\
define internal i1 @sc.same_array(ptr %array, ptr %data, i32 %rank, ptr %shape,
                                  ptr %strides) noinline nounwind {{
entry:
  %its.data.at = getelementptr i8, ptr %array, i64 {layout.array_data}
  %its.data = load ptr, ptr %its.data.at
  %its.rank.at = getelementptr i8, ptr %array, i64 {layout.array_ndim}
  %its.rank = load i32, ptr %its.rank.at
  %its.shape.at = getelementptr i8, ptr %array, i64 {layout.array_shape}
  %its.shape = load ptr, ptr %its.shape.at
  %its.strides.at = getelementptr i8, ptr %array, i64 {layout.array_strides}
  %its.strides = load ptr, ptr %its.strides.at
  %same.data = icmp eq ptr %data, %its.data
  %same.rank = icmp eq i32 %rank, %its.rank
  %same = and i1 %same.data, %same.rank
  br i1 %same, label %axis, label %differs
axis:
  %i = phi i32 [ 0, %entry ], [ %next, %compare ]
  %more = icmp ult i32 %i, %rank
  br i1 %more, label %compare, label %equal
compare:
  %size.at = getelementptr i64, ptr %shape, i32 %i
  %size = load i64, ptr %size.at
  %its.size.at = getelementptr i64, ptr %its.shape, i32 %i
  %its.size = load i64, ptr %its.size.at
  %stride.at = getelementptr i64, ptr %strides, i32 %i
  %stride = load i64, ptr %stride.at
  %its.stride.at = getelementptr i64, ptr %its.strides, i32 %i
  %its.stride = load i64, ptr %its.stride.at
  %same.size = icmp eq i64 %size, %its.size
  %same.stride = icmp eq i64 %stride, %its.stride
  %same.axis = and i1 %same.size, %same.stride
  %next = add i32 %i, 1
  br i1 %same.axis, label %axis, label %differs
equal:
  ret i1 true
differs:
  ret i1 false
}}
""",
        shared=True,
    )


def _box_tuple(layout: Layout) -> Routine:
    """Take the items over; where one of them is null, or there is no memory, drop the others."""
    return Routine(
        f"""\
define internal ptr @sc.box_tuple(ptr %items, i64 %count) noinline nounwind {{
entry:
  %tuple = call ptr @PyTuple_New(i64 %count)
  %none = icmp eq ptr %tuple, null
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %stored ]
  %bad = phi i1 [ %none, %entry ], [ %bad.now, %stored ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %item, label %end
item:
  %from = getelementptr ptr, ptr %items, i64 %i
  %object = load ptr, ptr %from
  %missing = icmp eq ptr %object, null
  %bad.now = or i1 %bad, %missing
  br i1 %none, label %drop, label %store
drop:
  call void @Py_DecRef(ptr %object)
  br label %stored
store:
  %place = getelementptr i8, ptr %tuple, i64 {layout.tuple_items}
  %to = getelementptr ptr, ptr %place, i64 %i
  store ptr %object, ptr %to
  br label %stored
stored:
  %next = add i64 %i, 1
  br label %head
end:
  br i1 %bad, label %fail, label %done
fail:
  ; A null among the items is let pass, as in a tuple that is being filled.
  call void @Py_DecRef(ptr %tuple)
  ret ptr null
done:
  ret ptr %tuple
}}
""",
        frozenset({"declare ptr @PyTuple_New(i64)", "declare void @Py_DecRef(ptr)"}),
        shared=True,
    )


_CALL_WITH_ADDRESS = Routine(
    """\
; Call a Python function with an address, as an int.
define internal ptr @sc.call_with_address(ptr %function, ptr %address) cold noinline nounwind {
entry:
  %arguments = alloca [2 x ptr]
  %int = call ptr @PyLong_FromVoidPtr(ptr %address)
  %failed = icmp eq ptr %int, null
  br i1 %failed, label %none, label %call
none:
  ret ptr null
call:
  %first = getelementptr ptr, ptr %arguments, i64 1
  store ptr %int, ptr %first
  ; The highest bit says that the callee may use the place before the arguments.
  %result = call ptr @PyObject_Vectorcall(ptr %function, ptr %first, i64 -9223372036854775807,
                                          ptr null)
  call void @Py_DecRef(ptr %int)
  ret ptr %result
}
""",
    frozenset(
        {
            "declare ptr @PyLong_FromVoidPtr(ptr)",
            "declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)",
            "declare void @Py_DecRef(ptr)",
        }
    ),
    shared=True,
)


def _report(layout: Layout) -> Routine:
    """Raise in CPython what the context says."""
    return Routine(
        f"""\
define internal void @sc.report(ptr %ctx, ptr %raiser) cold noinline nounwind {{
entry:
  %exception = call ptr @sc.call_with_address(ptr %raiser, ptr %ctx)
  %trace.at = getelementptr i8, ptr %ctx, i64 {abi.Context.TRACE}
  %trace = load ptr, ptr %trace.at
  %traced = icmp ne ptr %trace, null
  br i1 %traced, label %forget, label %look
forget:
  %release = load ptr, ptr @sc_release_at
  call void %release(ptr %trace)
  br label %look
look:
  %instance.at = getelementptr i8, ptr %ctx, i64 {abi.Context.INSTANCE}
  %instance = load ptr, ptr %instance.at
  %owned = icmp ne ptr %instance, null
  br i1 %owned, label %let.go, label %raise
let.go:
  %release.it = load ptr, ptr @sc_release_at
  call void %release.it(ptr %instance)
  br label %raise
raise:
  %failed = icmp eq ptr %exception, null
  br i1 %failed, label %done, label %set
set:
  %class.at = getelementptr i8, ptr %exception, i64 {layout.ob_type}
  %class = load ptr, ptr %class.at
  %traceback = call ptr @PyException_GetTraceback(ptr %exception)
  call void @Py_IncRef(ptr %class)
  ; It takes all three over, and leaves `__context__` alone.
  call void @PyErr_Restore(ptr %class, ptr %exception, ptr %traceback)
  br label %done
done:
  ret void
}}
""",
        frozenset(
            {
                "declare ptr @PyException_GetTraceback(ptr)",
                "declare void @PyErr_Restore(ptr, ptr, ptr)",
                "declare void @Py_IncRef(ptr)",
            }
        ),
        ("call_with_address",),
        shared=True,
    )


# Asking where the stack ends takes microseconds, so the answer for the main thread is kept. Another
# thread's is not: its number may be given to a later thread with a smaller stack.
_STACK_LIMIT_LINUX = Routine(
    f"""\
@sc.stack.thread = internal global i64 0
@sc.stack.limit = internal global ptr null
define internal ptr @sc.stack_limit() noinline nounwind {{
entry:
  %thread = call i64 @pthread_self()
  %known = load i64, ptr @sc.stack.thread
  %same = icmp eq i64 %thread, %known
  br i1 %same, label %kept, label %ask
kept:
  %limit = load ptr, ptr @sc.stack.limit
  ret ptr %limit
ask:
  %attributes = alloca [64 x i8], align 16
  %start.at = alloca ptr
  %size.at = alloca i64
  %got = call i32 @pthread_getattr_np(i64 %thread, ptr %attributes)
  %refused = icmp ne i32 %got, 0
  br i1 %refused, label %guess, label %read
guess:
  ; Unknown: what every thread has below here.
  %here = getelementptr i8, ptr %attributes, i64 {-STACK_RESERVE // 4}
  ret ptr %here
read:
  %read.status = call i32 @pthread_attr_getstack(ptr %attributes, ptr %start.at, ptr %size.at)
  %destroyed = call i32 @pthread_attr_destroy(ptr %attributes)
  %start = load ptr, ptr %start.at
  %found = getelementptr i8, ptr %start, i64 {STACK_RESERVE}
  %process = call i32 @getpid()
  %task = call i32 @gettid()
  %main = icmp eq i32 %process, %task
  br i1 %main, label %keep, label %done
done:
  ret ptr %found
keep:
  store ptr %found, ptr @sc.stack.limit
  store i64 %thread, ptr @sc.stack.thread
  ret ptr %found
}}
""",
    frozenset(
        {
            "declare i64 @pthread_self()",
            "declare i32 @getpid()",
            "declare i32 @gettid()",
            "declare i32 @pthread_getattr_np(i64, ptr)",
            "declare i32 @pthread_attr_getstack(ptr, ptr, ptr)",
            "declare i32 @pthread_attr_destroy(ptr)",
        }
    ),
    shared=True,
)

_STACK_LIMIT = Routine(
    f"""\
; Nothing is known of the stack: use what the smallest of them surely has left.
define internal ptr @sc.stack_limit() noinline nounwind {{
  %here = alloca i8
  %limit = getelementptr i8, ptr %here, i64 {-STACK_RESERVE // 2}
  ret ptr %limit
}}
""",
    shared=True,
)
