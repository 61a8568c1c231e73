"""Support code of compiled functions, as LLVM IR: what is not compiled with each of them.

It is compiled once per cache, loaded once per process, and bound by symbol. It is never unloaded,
so it may hold the deleters of memory that NumPy arrays keep after everything else of ours is gone.
Its core is what almost every program needs. The allocator, see `allocator.py`, what programs of
arrays need, and the rest are objects of their own, which come with the first program that needs
some of them.

All of it runs under the GIL, the pool (`pool.py`) excepted: its threads, and code that has released
the GIL, touch no counts and take no counted blocks. What must become atomic on a free-threaded
Python, or before that changes: the counts (relaxed increment, acquire-release decrement), the two
counters, and the lists of free blocks (one set per thread); on free-threaded builds the loads of
words of a callable need acquire order as well.
"""

import ctypes
import platform
import re
import sys
from collections.abc import Iterable
from string import Template

from scriptc.backends.llvm.emitter.effort import Effort
from scriptc.backends.llvm.emitter.layout import verify_layout
from scriptc.backends.llvm.loading.abi import JOB_POLL, POLL_ROUNDS, Context
from scriptc.backends.llvm.loading.callable import CallableBody, Word, word_offset
from scriptc.backends.llvm.loading.heap_types import LayoutError
from scriptc.backends.llvm.loading.machine_code import ARRAYS, DECIMALS, OF_BLOCKS, part_of
from scriptc.backends.llvm.machine import compile_to_object
from scriptc.backends.llvm.routine_table import shared_routines, usual_routines
from scriptc.backends.llvm.routines import decimals
from scriptc.backends.llvm.routines.small import Routine
from scriptc.backends.llvm.support import allocator, guarded, small_blocks
from scriptc.backends.llvm.support.threads import pool as threads_pool

_SYMBOL = re.compile(r"@([\w.]+)")
_DEFINED = re.compile(r"^(?:define [^@\n]*)?@([\w.]+)(?:\(| = (?!external))", re.MULTILINE)
_DECLARED = re.compile(r"^(?:declare [^@\n]*)?@([\w.]+)(?:\(| = external)", re.MULTILINE)


def support_object(callable_type: type[CallableBody]) -> bytes:
    """Compile the core: bytes for the cache, the same for every function."""
    return compile_support(core_text(callable_type))


def compile_support(text: str) -> bytes:
    """Compile support code, which is as LLVM's passes would leave it.

    Nothing is optimised: a fifth of the time, for 2 ns at an allocation.
    """
    return compile_to_object(text, optimise=0, effort=Effort.NONE)


def core_text(callable_type: type[CallableBody]) -> str:
    """Return the core for the functions of one callable type, as LLVM IR.

    The text depends on the Python version only, so its object can be cached.
    """
    layout = verify_layout()
    calls = _CALLS.substitute(
        held=_held_offset(),
        slow=word_offset(callable_type, Word.SLOW),
        vectorcall=word_offset(callable_type, Word.VECTORCALL),
        parameters=word_offset(callable_type, Word.PARAMETERS),
        names=word_offset(callable_type, Word.NAMES),
        defaults=word_offset(callable_type, Word.DEFAULTS),
        tuple_size=layout.tuple_size,
        tuple_items=layout.tuple_items,
        job=Context.JOB,
        ask=JOB_POLL,
        poll=Context.POLL,
        poll_iterations=POLL_ROUNDS,
    )
    routines = usual_routines()
    declared = set(_DECLARATIONS.splitlines()).union(*(r.declarations for r in routines))
    return _module(declared, calls, *(r.shared_text for r in routines))


def memory_text(system: str = sys.platform) -> str:
    """Return the allocator, as LLVM IR."""
    return _module(allocator.allocator_declarations(), allocator.allocator_text(system))


def blocks_text() -> str:
    """Return what of the allocator runs for each small block, to be optimised, as LLVM IR."""
    text = allocator.ENDS_TEXT + small_blocks.SMALL_ALLOC_TEXT
    for name, plain in OF_BLOCKS.items():
        text = text.replace(f"@{plain}(", f"@{name}(")
    return _module(allocator.BLOCKS_DECLARATIONS.splitlines(), text)


def guarded_text() -> str:
    """Return the allocator that stands in its place where `SCRIPTC_GUARD` asks for it."""
    return _module(allocator.allocator_declarations(), guarded.GUARDED_TEXT)


def arrays_text(system: str = sys.platform) -> str:
    """Return the thread pool, and the routines that most programs of arrays need."""
    pool, needed = threads_pool.pool_text(system, platform.machine())
    return _routines_text(ARRAYS, pool, needed)


def routines_text(part: str) -> str:
    """Return the routines of a part of the support code that has nothing else."""
    return _routines_text(part, "", ())


def decimals_text() -> str:
    """Return the routines for floats in digits, with their table."""
    return _routines_text(DECIMALS, decimals.powers_text(), ())


def _routines_text(part: str, text: str, needed: Iterable[str]) -> str:
    """Return the routines of a part, behind a text that needs these declarations."""
    routines = shared_routines(lambda symbol: part_of(symbol) == part)
    texts = (text, *(routine.shared_text for routine in routines))
    meant = {symbol for text in texts for symbol in _SYMBOL.findall(text)}
    others = shared_routines(lambda symbol: symbol in meant and part_of(symbol) != part)
    declared = _declared(routines, (*needed, *(other.head for other in others)))
    return _module(declared, *texts)


def _declared(routines: Iterable[Routine], others: Iterable[str]) -> set[str]:
    """Return declarations of what a part may refer to."""
    usual = (r.head for r in usual_routines())
    declared = {*_DECLARATIONS.splitlines(), *others, *usual}
    return declared.union(*(r.declarations for r in routines))


def defined_names(text: str) -> set[str]:
    """Return the symbols that LLVM IR defines."""
    return set(_DEFINED.findall(text))


def declared_names(text: str) -> set[str]:
    """Return the symbols that LLVM IR needs from elsewhere."""
    return set(_DECLARED.findall(text))


def _module(declared: Iterable[str], *definitions: str) -> str:
    """Return definitions with the declarations of what they refer to outside."""
    text = "\n".join(definitions)
    outside = set(_SYMBOL.findall(text)) - defined_names(text)
    return "\n".join(
        (*sorted(d for d in declared if not outside.isdisjoint(_SYMBOL.findall(d))), text)
    )


def _held_offset() -> int:
    """Return where `_held` stands in every callable, in bytes; null there once it is cleared."""
    offset, held = verify_layout().head, (object(),)
    probe = CallableBody(core_text, core_text)
    probe._held = held  # pyright: ignore[reportPrivateUsage]  # read by the code above
    if ctypes.c_void_p.from_address(id(probe) + offset).value != id(held):
        raise LayoutError("this Python places the slots of a class elsewhere")
    return offset


_DECLARATIONS = """\
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare void @PyErr_SetString(ptr, ptr)
declare i32 @PyErr_CheckSignals()
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare void @Py_DecRef(ptr)
@PyExc_RuntimeError = external global ptr
"""

# `sc_bind` gives up on whatever is not plainly right (too many arguments, an unknown or repeated
# keyword, a keyword that is not interned, a missing argument): the slow path then binds as Python
# does and raises Python's own TypeError.
_CALLS = Template("""\
@sc_release_at = global ptr null ; the address of `sc_release`, once there is a block to release
@destroyed = private constant [40 x i8] c"scriptc function called after its end\\00\\00\\00"

; The end of every chain of specialisations: call the slow path.
define ptr @sc_miss(ptr %self, ptr %args, i64 %nargsf, ptr %names) {
  %held.at = getelementptr i8, ptr %self, i64 $held
  %held = load ptr, ptr %held.at
  %cleared = icmp eq ptr %held, null
  br i1 %cleared, label %gone, label %call
call:
  %slow.at = getelementptr i8, ptr %self, i64 $slow
  %slow = load ptr, ptr %slow.at
  %result = musttail call ptr @PyObject_Vectorcall(ptr %slow, ptr %args, i64 %nargsf, ptr %names)
  ret ptr %result
gone:
  %class = load ptr, ptr @PyExc_RuntimeError
  call void @PyErr_SetString(ptr %class, ptr @destroyed)
  ret ptr null
}

; Put keywords and defaults in their places and call again with all arguments by position.
define ptr @sc_bind(ptr %self, ptr %args, i64 %nargsf, ptr %names) {
entry:
  %slots = alloca [32 x ptr]
  %given = and i64 %nargsf, 9223372036854775807
  %held.at = getelementptr i8, ptr %self, i64 $held
  %held = load ptr, ptr %held.at
  %alive = icmp ne ptr %held, null
  %wanted.at = getelementptr i8, ptr %self, i64 $parameters
  %wanted = load i64, ptr %wanted.at
  %few = icmp ule i64 %given, %wanted
  %room = icmp ule i64 %wanted, 32
  %fits = and i1 %few, %room
  %go = and i1 %fits, %alive
  br i1 %go, label %positional, label %miss

positional:
  %given.bytes = shl i64 %given, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %slots, ptr %args, i64 %given.bytes, i1 false)
  %rest = sub i64 %wanted, %given
  %rest.bytes = shl i64 %rest, 3
  %rest.at = getelementptr ptr, ptr %slots, i64 %given
  call void @llvm.memset.p0.i64(ptr %rest.at, i8 0, i64 %rest.bytes, i1 false)
  %parameter.names.at = getelementptr i8, ptr %self, i64 $names
  %parameter.names = load ptr, ptr %parameter.names.at
  %none = icmp eq ptr %names, null
  br i1 %none, label %fill, label %keywords

keywords:
  %count.at = getelementptr i8, ptr %names, i64 $tuple_size
  %count = load i64, ptr %count.at
  %items = getelementptr i8, ptr %names, i64 $tuple_items
  br label %keyword
keyword:
  %k = phi i64 [0, %keywords], [%k.next, %put]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %find, label %fill
find:
  %name.at = getelementptr ptr, ptr %items, i64 %k
  %name = load ptr, ptr %name.at
  br label %candidate
candidate:
  %p = phi i64 [%given, %find], [%p.next, %differs]
  %left = icmp ult i64 %p, %wanted
  br i1 %left, label %compare, label %miss
compare:
  %parameter.at = getelementptr ptr, ptr %parameter.names, i64 %p
  %parameter = load ptr, ptr %parameter.at
  %same = icmp eq ptr %parameter, %name
  br i1 %same, label %put, label %differs
differs:
  %p.next = add i64 %p, 1
  br label %candidate
put:
  %index = add i64 %given, %k
  %value.at = getelementptr ptr, ptr %args, i64 %index
  %value = load ptr, ptr %value.at
  %slot.at = getelementptr ptr, ptr %slots, i64 %p
  store ptr %value, ptr %slot.at
  %k.next = add i64 %k, 1
  br label %keyword

fill:
  %defaults.at = getelementptr i8, ptr %self, i64 $defaults
  %defaults = load ptr, ptr %defaults.at
  br label %default
default:
  %d = phi i64 [%given, %fill], [%d.next, %filled]
  %empty = icmp ult i64 %d, %wanted
  br i1 %empty, label %look, label %call
look:
  %place.at = getelementptr ptr, ptr %slots, i64 %d
  %place = load ptr, ptr %place.at
  %missing = icmp eq ptr %place, null
  br i1 %missing, label %take, label %filled
take:
  %default.at = getelementptr ptr, ptr %defaults, i64 %d
  %object = load ptr, ptr %default.at
  store ptr %object, ptr %place.at
  %required = icmp eq ptr %object, null
  br i1 %required, label %miss, label %filled
filled:
  %d.next = add i64 %d, 1
  br label %default

call:
  %first.at = getelementptr i8, ptr %self, i64 $vectorcall
  %first = load ptr, ptr %first.at
  %off = icmp eq ptr %first, null
  br i1 %off, label %miss, label %again
again:
  %result = call ptr %first(ptr %self, ptr %slots, i64 %wanted, ptr null)
  ret ptr %result
miss:
  %slowly = musttail call ptr @sc_miss(ptr %self, ptr %args, i64 %nargsf, ptr %names)
  ret ptr %slowly
}

; Let other threads run for a moment, and Ctrl-C through: 0, or another status with the exception
; set. Loops come here every millisecond or less often, so no clock is needed. A chunk of a launch
; runs without the GIL: there the pool knows whether to go on.
define i32 @sc_poll(ptr %context) {
  %job.at = getelementptr i8, ptr %context, i64 $job
  %job = load ptr, ptr %job.at
  %alone = icmp eq ptr %job, null
  br i1 %alone, label %held, label %apart
apart:
  %ask.at = getelementptr i8, ptr %job, i64 $ask
  %ask = load ptr, ptr %ask.at
  %stop = tail call i32 %ask(ptr %context, ptr %job)
  ret i32 %stop
held:
  %state = call ptr @PyEval_SaveThread()
  call void @PyEval_RestoreThread(ptr %state)
  %status = call i32 @PyErr_CheckSignals()
  ret i32 %status
}
""")
