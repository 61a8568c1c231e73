"""LLVM code that holds the locks of random generators while a call from Python lasts.

NumPy's methods take the lock of a generator for each draw, and give up the GIL while they fill an
array. A compiled call takes the locks of its generators when it begins, each once and in the order
of their addresses, so that two calls with the same generators never wait for one another.

What an object holds is not known when a call begins. Where classes of a program have generators as
fields, each draw looks whether the call has the lock, and takes it. A call that would have to wait
for one gives back all that it has before, as it does where its table is full: between draws it
needs none.

A table of locks is their number, and as many addresses of objects, null among them.
"""

from collections.abc import Iterator, Mapping, Sequence

from scriptc.backends.llvm.emitter.function import Components, Emitter, ModuleState
from scriptc.backends.llvm.emitter.literals import string_constant
from scriptc.backends.llvm.generators.fields import field
from scriptc.backends.llvm.loading import abi, random_layout
from scriptc.backends.llvm.loading.abi import BoundaryError, Context
from scriptc.backends.llvm.routines.small import Routine
from scriptc_runtime.types import (
    RANDOM_SOURCES,
    RANDOM_STATE,
    ListType,
    OptionalType,
    PyType,
    TupleType,
    Type,
    holds_source,
)


def sources_in(type_: Type, components: Components) -> Iterator[tuple[PyType, str]]:
    """Yield the generators in an argument, which are null where an optional is None.

    Raises BoundaryError for those in a list.
    """
    match type_:
        case PyType() if type_ in RANDOM_SOURCES:
            yield type_, components[0]
        case TupleType(items):
            at = 0
            for item in items:
                width = len(abi.flatten(item))
                yield from sources_in(item, components[at : at + width])
                at += width
        case OptionalType(item):
            yield from sources_in(item, components[1:])
        case ListType(item) if holds_source(item):
            raise BoundaryError(f"a list of {item} cannot be an argument: give each by itself")
        case _:
            return


def global_source(e: Emitter) -> tuple[PyType, str]:
    """Return the state that functions of np.random draw from."""
    return RANDOM_STATE, e.python_object("global_random")


def are_in_objects(state: ModuleState) -> bool:
    """Whether objects of a module's classes may hold generators."""
    return any(map(holds_source, (t for c in state.module.classes.values() for _, t in c.fields)))


def take(e: Emitter, sources: Sequence[tuple[PyType, str]]) -> tuple[str, str]:
    """Take the locks of some generators; return their table, and whether that worked, an i1."""
    slots = max(len(sources), _HELD) if are_in_objects(e.state) else len(sources)
    table = e.alloca(f"[{slots + 1} x ptr]")
    e.write(f"store i64 {len(sources)}, ptr {table}")
    for place, (type_, source) in enumerate(sources, 1):
        at = e.let(f"getelementptr ptr, ptr {table}, i64 {place}")
        lock_at = field(e, source, random_layout.LOCK_AT[type_])
        # An absent one has no lock: read a null instead, from the table's own place.
        e.write(f"store ptr null, ptr {at}")
        absent = e.let(f"icmp eq ptr {source}, null")
        from_ = e.let(f"select i1 {absent}, ptr {at}, ptr {lock_at}")
        e.write(f"store ptr {e.let(f'load ptr, ptr {from_}')}, ptr {at}")
    e.state.routines.add("lock")
    return table, e.let(f"call i1 @sc.lock(ptr {table}, {_names(e)})")


def hold(e: Emitter, type_: PyType, source: str) -> str:
    """Take the lock of a generator unless the call has it; return an i1, false if it raised."""
    e.state.routines.add("hold_lock")
    lock = e.let(f"load ptr, ptr {field(e, source, random_layout.LOCK_AT[type_])}")
    table = e.let(f"load ptr, ptr {e.let(f'getelementptr i8, ptr %ctx, i64 {Context.LOCKS}')}")
    return e.let(f"call i1 @sc.hold_lock(ptr {table}, ptr {lock}, {_names(e)})")


def take_again(e: Emitter, table: str) -> str:
    """Take locks that were given back for a call, which may have raised.

    Return an i1, which is false where an exception has come in between and no lock is held.
    """
    e.state.routines.add("lock_again")
    return e.let(f"call i1 @sc.lock_again(ptr {table}, {_names(e)})")


def give_back(e: Emitter, table: str) -> None:
    """Release the locks of a table."""
    e.state.routines.add("unlock")
    e.write(f"call void @sc.unlock(ptr {table}, {_names(e)})")


def _names(e: Emitter) -> str:
    return f"ptr {string_constant(e, 'acquire')}, ptr {string_constant(e, 'release')}"


# As many locks have a place in the table of a call whose draws take them.
_HELD = 8
_CALLED = frozenset(
    {
        "declare ptr @PyObject_VectorcallMethod(ptr, ptr, i64, ptr)",
        "declare void @Py_DecRef(ptr)",
        "declare void @Py_IncRef(ptr)",
        "declare void @PyErr_Clear()",
    }
)
_ERRORS = frozenset(
    {"declare void @PyErr_Fetch(ptr, ptr, ptr)", "declare void @PyErr_Restore(ptr, ptr, ptr)"}
)
ROUTINES: Mapping[str, Routine] = {
    # Insertion sort: there are one or two locks. One that stands there twice is taken once.
    "lock": Routine(
        """\
define internal i1 @sc.lock(ptr %table, ptr %acquire, ptr %release) noinline {
entry:
  %count = load i64, ptr %table
  %locks = getelementptr ptr, ptr %table, i64 1
  br label %outer
outer:
  %i = phi i64 [ 1, %entry ], [ %i.next, %placed ]
  %unsorted = icmp slt i64 %i, %count
  br i1 %unsorted, label %insert, label %take
insert:
  %here.at = getelementptr ptr, ptr %locks, i64 %i
  %here = load ptr, ptr %here.at
  br label %inner
inner:
  %j = phi i64 [ %i, %insert ], [ %j.less, %shift ]
  %first = icmp eq i64 %j, 0
  br i1 %first, label %placed, label %compare
compare:
  %j.less = sub i64 %j, 1
  %before.at = getelementptr ptr, ptr %locks, i64 %j.less
  %before = load ptr, ptr %before.at
  %greater = icmp ugt ptr %before, %here
  br i1 %greater, label %shift, label %placed
shift:
  %to = getelementptr ptr, ptr %locks, i64 %j
  store ptr %before, ptr %to
  br label %inner
placed:
  %place = getelementptr ptr, ptr %locks, i64 %j
  store ptr %here, ptr %place
  %i.next = add i64 %i, 1
  br label %outer
take:
  %k = phi i64 [ 0, %outer ], [ %k.next, %next ]
  %last = phi ptr [ null, %outer ], [ %lock, %next ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %look, label %done
look:
  %lock.at = getelementptr ptr, ptr %locks, i64 %k
  %lock = load ptr, ptr %lock.at
  %same = icmp eq ptr %lock, %last
  br i1 %same, label %skip, label %call
skip:
  store ptr null, ptr %lock.at
  br label %next
call:
  call void @Py_IncRef(ptr %lock)
  %got = call ptr @PyObject_VectorcallMethod(ptr %acquire, ptr %lock.at, i64 1, ptr null)
  %failed = icmp eq ptr %got, null
  br i1 %failed, label %undo, label %taken
taken:
  call void @Py_DecRef(ptr %got)
  br label %next
next:
  %k.next = add i64 %k, 1
  br label %take
undo:
  ; Give back what is held so far; the exception stays for the caller.
  call void @Py_DecRef(ptr %lock)
  %class.at = alloca ptr
  %value.at = alloca ptr
  %trace.at = alloca ptr
  call void @PyErr_Fetch(ptr %class.at, ptr %value.at, ptr %trace.at)
  store i64 %k, ptr %table
  call void @sc.unlock(ptr %table, ptr %acquire, ptr %release)
  store i64 0, ptr %table
  %class = load ptr, ptr %class.at
  %value = load ptr, ptr %value.at
  %trace = load ptr, ptr %trace.at
  call void @PyErr_Restore(ptr %class, ptr %value, ptr %trace)
  ret i1 false
done:
  ret i1 true
}
""",
        _CALLED | _ERRORS,
        ("unlock",),
        shared=True,
    ),
    "hold_lock": Routine(
        f"""\
define internal i1 @sc.hold_lock(ptr %table, ptr %lock, ptr %acquire, ptr %release) noinline {{
entry:
  %count = load i64, ptr %table
  %locks = getelementptr ptr, ptr %table, i64 1
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k.next, %look ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %look, label %missing
look:
  %at = getelementptr ptr, ptr %locks, i64 %k
  %held = load ptr, ptr %at
  %k.next = add i64 %k, 1
  %same = icmp eq ptr %held, %lock
  br i1 %same, label %done, label %head
missing:
  %full = icmp sge i64 %count, {_HELD}
  br i1 %full, label %alone, label %try
try:
  ; acquire(False) does not wait.
  %arguments = alloca [2 x ptr]
  store ptr %lock, ptr %arguments
  %second = getelementptr ptr, ptr %arguments, i64 1
  store ptr @_Py_FalseStruct, ptr %second
  %got = call ptr @PyObject_VectorcallMethod(ptr %acquire, ptr %arguments, i64 2, ptr null)
  %failed = icmp eq ptr %got, null
  br i1 %failed, label %raised, label %asked
raised:
  ret i1 false
asked:
  %free = icmp eq ptr %got, @_Py_TrueStruct
  call void @Py_DecRef(ptr %got)
  br i1 %free, label %add, label %alone
add:
  call void @Py_IncRef(ptr %lock)
  %place = getelementptr ptr, ptr %locks, i64 %count
  store ptr %lock, ptr %place
  %one.more = add i64 %count, 1
  store i64 %one.more, ptr %table
  br label %done
alone:
  call void @sc.unlock(ptr %table, ptr %acquire, ptr %release)
  store ptr %lock, ptr %locks
  store i64 1, ptr %table
  %taken = call i1 @sc.lock(ptr %table, ptr %acquire, ptr %release)
  ret i1 %taken
done:
  ret i1 true
}}
""",
        _CALLED
        | {
            "@_Py_FalseStruct = external global i8",
            "@_Py_TrueStruct = external global i8",
        },
        ("lock", "unlock"),
        shared=True,
    ),
    # The exception that is set, if one is, stays; one raised in here takes its place.
    "lock_again": Routine(
        """\
define internal i1 @sc.lock_again(ptr %table, ptr %acquire, ptr %release) noinline {
  %class.at = alloca ptr
  %value.at = alloca ptr
  %trace.at = alloca ptr
  call void @PyErr_Fetch(ptr %class.at, ptr %value.at, ptr %trace.at)
  %class = load ptr, ptr %class.at
  %value = load ptr, ptr %value.at
  %trace = load ptr, ptr %trace.at
  %taken = call i1 @sc.lock(ptr %table, ptr %acquire, ptr %release)
  br i1 %taken, label %restore, label %forget
restore:
  call void @PyErr_Restore(ptr %class, ptr %value, ptr %trace)
  ret i1 true
forget:
  call void @Py_DecRef(ptr %class)
  call void @Py_DecRef(ptr %value)
  call void @Py_DecRef(ptr %trace)
  ret i1 false
}
""",
        _CALLED | _ERRORS,
        ("lock",),
        shared=True,
    ),
    "unlock": Routine(
        """\
define internal void @sc.unlock(ptr %table, ptr %acquire, ptr %release) noinline {
entry:
  %count = load i64, ptr %table
  %locks = getelementptr ptr, ptr %table, i64 1
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k.next, %next ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %look, label %done
look:
  %lock.at = getelementptr ptr, ptr %locks, i64 %k
  %lock = load ptr, ptr %lock.at
  %none = icmp eq ptr %lock, null
  br i1 %none, label %next, label %call
call:
  %got = call ptr @PyObject_VectorcallMethod(ptr %release, ptr %lock.at, i64 1, ptr null)
  %failed = icmp eq ptr %got, null
  br i1 %failed, label %clear, label %released
clear:
  call void @PyErr_Clear()
  br label %drop
released:
  call void @Py_DecRef(ptr %got)
  br label %drop
drop:
  call void @Py_DecRef(ptr %lock)
  br label %next
next:
  %k.next = add i64 %k, 1
  br label %head
done:
  ret void
}
""",
        _CALLED,
        shared=True,
    ),
}
