"""What is LLVM IR of its own in the functions that copy objects of `collections` in and out.

What only Python knows of them, as the order of an OrderedDict, functions of Python tell.
"""

from scriptc.backends.llvm.emitter.function import SELDOM, Emitter
from scriptc.backends.llvm.rules.objects import field_place, load_value
from scriptc_runtime.collection_classes import factory_name
from scriptc_runtime.types import DequeType, DictType


def dict_source(e: Emitter, type_: DictType) -> str:
    """Return the dict whose items are copied in place of `%list`: of most it is that itself."""
    if type_.kind == "OrderedDict":
        return _called(e, "plain_of")
    if type_.kind == "defaultdict":
        found = _called(e, f"has_factory.{factory_name(type_.value)}")
        drop(e, found)
        e.declare("@_Py_TrueStruct = external global i8")
        fits, other = e.label(), e.label()
        e.branch(e.let(f"icmp eq ptr {found}, @_Py_TrueStruct"), fits, other)
        e.start(other)
        e.write("ret ptr null")
        e.start(fits)
    return "%list"


def deque_parts(e: Emitter) -> tuple[str, str]:
    """Return a new list of the items of a deque, and how many it takes."""
    limit = _called(e, "limit_of")
    most = e.intrinsic("i64", "@PyLong_AsLongLong", f"ptr {limit}")
    drop(e, limit)
    return _called(e, "plain_of"), most


def drop(e: Emitter, obj: str) -> None:
    """Give up an object that was made in place of `%list`."""
    if obj != "%list":
        e.declare("declare void @Py_DecRef(ptr)")
        e.write(f"call void @Py_DecRef(ptr {obj})")


def return_of_class(e: Emitter, type_: DictType, plain: str) -> None:
    """Return a new dict, as an object of its class."""
    if type_.kind == "dict":
        e.write(f"ret ptr {plain}")
        return
    factory = factory_name(type_.value) if type_.kind == "defaultdict" else ""
    _return_made(e, plain, f"made_{type_.kind}.{factory}")


def write_deque_made(e: Emitter, type_: DequeType, inner: str) -> None:
    """Write the body of the function that makes a deque; `inner` makes the list of its items."""
    items, start, limit = (
        load_value(e, field_place(e, type_, "%block", field))[0]
        for field in ("items", "start", "limit")
    )
    plain = e.let(f"call ptr {inner}(ptr {items}, ptr %memo)")
    _return_without(e, plain)
    for count in (start, limit):
        number = e.intrinsic("ptr", "@PyLong_FromLongLong", f"i64 {count}")
        _return_without(e, number, plain)
        status = e.intrinsic("i32", "@PyList_Append", f"ptr {plain}", f"ptr {number}")
        drop(e, number)
        good, failed = e.label(), e.label()
        e.branch(e.let(f"icmp eq i32 {status}, 0"), good, failed)
        e.start(failed)
        drop(e, plain)
        e.write("ret ptr null")
        e.start(good)
    _return_made(e, plain, "deque_of")


def _called(e: Emitter, name: str) -> str:
    """Return what a function of Python gives for the object."""
    function = f"ptr {e.python_object(f'collections.{name}')}"
    found = e.intrinsic("ptr", "@PyObject_CallOneArg", function, "ptr %list")
    _return_without(e, found)
    return found


def _return_without(e: Emitter, made: str, *held: str) -> None:
    """Return null where nothing was made."""
    there, none = e.label(), e.label()
    e.branch(e.let(f"icmp eq ptr {made}, null"), none, there, SELDOM)
    e.start(none)
    for obj in held:
        drop(e, obj)
    e.write("ret ptr null")
    e.start(there)


def _return_made(e: Emitter, plain: str, name: str) -> None:
    e.state.routines.add("box_named")
    maker = e.python_object(f"collections.{name}")
    e.write(f"ret ptr {e.let(f'call ptr @sc.box_named(ptr {plain}, ptr {maker})')}")
