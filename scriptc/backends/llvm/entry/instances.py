"""LLVM IR that makes and frees Python's objects of scripted classes.

Such an object holds a count of its block, and the block knows its object: what comes out of a
script a second time is the same object. The block's word is no reference; it is null again before
anything can see that the object dies.
"""

from collections.abc import Mapping

from scriptc.backends.llvm.emitter.layout import Layout
from scriptc.backends.llvm.loading.abi import INSTANCE_OBJECT
from scriptc.backends.llvm.loading.heap_types import INSTANCE_HANDLE, INSTANCE_WEAK_REFERENCES
from scriptc.backends.llvm.routines.small import Routine


def instance_routines(layout: Layout) -> Mapping[str, Routine]:
    """Return the functions for this Python."""
    return {
        "box_instance": _BOX_INSTANCE,
        "box_named": _BOX_NAMED,
        "free_instance": _free_instance(layout),
    }


_BOX_INSTANCE = Routine(
    f"""\
; The object of a block, whose count is taken over; null without memory, with the exception set.
define internal ptr @sc.box_instance(ptr %block, ptr %class) noinline nounwind {{
entry:
  %object.at = getelementptr i8, ptr %block, i64 {INSTANCE_OBJECT}
  %object = load ptr, ptr %object.at
  %unseen = icmp eq ptr %object, null
  br i1 %unseen, label %make, label %known
known:
  call void @Py_IncRef(ptr %object)
  call void @sc_release(ptr %block)
  ret ptr %object
make:
  %made = call ptr @PyType_GenericAlloc(ptr %class, i64 0)
  %failed = icmp eq ptr %made, null
  br i1 %failed, label %give.up, label %look
give.up:
  call void @sc_release(ptr %block)
  ret ptr null
look:
  ; The allocation may have run the cycle collector, and that Python code which met this block.
  %meanwhile = load ptr, ptr %object.at
  %first = icmp eq ptr %meanwhile, null
  br i1 %first, label %tie, label %late
tie:
  %handle.at = getelementptr i8, ptr %made, i64 {INSTANCE_HANDLE}
  store ptr %block, ptr %handle.at
  store ptr %made, ptr %object.at
  ret ptr %made
late:
  call void @Py_IncRef(ptr %meanwhile)
  call void @Py_DecRef(ptr %made)
  call void @sc_release(ptr %block)
  ret ptr %meanwhile
}}
""",
    frozenset(
        {
            "declare void @Py_IncRef(ptr)",
            "declare void @Py_DecRef(ptr)",
            "declare ptr @PyType_GenericAlloc(ptr, i64)",
            "declare void @sc_release(ptr)",
        }
    ),
    shared=True,
)


_BOX_NAMED = Routine(
    """\
; What a function of Python's makes of an object, which is taken over; null with the exception set.
define internal ptr @sc.box_named(ptr %object, ptr %maker) noinline nounwind {
entry:
  %none = icmp eq ptr %object, null
  br i1 %none, label %give.up, label %make
give.up:
  ret ptr null
make:
  %made = call ptr @PyObject_CallOneArg(ptr %maker, ptr %object)
  call void @Py_DecRef(ptr %object)
  ret ptr %made
}
""",
    frozenset(
        {
            "declare void @Py_DecRef(ptr)",
            "declare ptr @PyObject_CallOneArg(ptr, ptr)",
        }
    ),
    shared=True,
)


def _free_instance(layout: Layout) -> Routine:
    """Return what a type does to an object that nothing refers to any more."""
    return Routine(
        f"""\
define internal void @sc.free_instance(ptr %object) nounwind {{
entry:
  call void @PyObject_GC_UnTrack(ptr %object)
  %handle.at = getelementptr i8, ptr %object, i64 {INSTANCE_HANDLE}
  %block = load ptr, ptr %handle.at
  %empty = icmp eq ptr %block, null
  br i1 %empty, label %look, label %part
part:
  ; Callbacks of weak references run Python code: it gets a new object of the block.
  %object.at = getelementptr i8, ptr %block, i64 {INSTANCE_OBJECT}
  store ptr null, ptr %object.at
  store ptr null, ptr %handle.at
  br label %look
look:
  %weak.at = getelementptr i8, ptr %object, i64 {INSTANCE_WEAK_REFERENCES}
  %weak = load ptr, ptr %weak.at
  %strong = icmp eq ptr %weak, null
  br i1 %strong, label %let.go, label %clear
clear:
  call void @PyObject_ClearWeakRefs(ptr %object)
  br label %let.go
let.go:
  call void @sc_release(ptr %block)
  %class.at = getelementptr i8, ptr %object, i64 {layout.ob_type}
  %class = load ptr, ptr %class.at
  call void @PyObject_GC_Del(ptr %object)
  call void @Py_DecRef(ptr %class)
  ret void
}}
""",
        frozenset(
            {
                "declare void @PyObject_GC_UnTrack(ptr)",
                "declare void @PyObject_ClearWeakRefs(ptr)",
                "declare void @PyObject_GC_Del(ptr)",
                "declare void @Py_DecRef(ptr)",
                "declare void @sc_release(ptr)",
            }
        ),
        shared=True,
    )
