"""Functions in LLVM IR by which host code reaches a device: memory, launches, numbers fetched.

They call the driver through a table of addresses, which is filled when a device is opened; code
that reaches no device never looks at it.  All work goes to the stream of the calling thread.
"""

from collections.abc import Mapping

from scriptc.backends.llvm.loading.abi import BLOCK_DELETER, BLOCK_HEADER, Context
from scriptc.backends.llvm.routines.small import Routine
from scriptc.kernels.device.launch import (
    ERROR_WORDS,
    FIRST_VALUE,
    MOST_VALUES,
    SITE_BITS,
    CallFields,
)

# The table: the key by which a thread keeps its call, what reads it, the context of the device,
# what to call where memory is missing and for a kernel that is not there yet, and the driver's
# functions.
TABLE = (
    *("call key", "pthread_getspecific", "context", "make room", "compile"),
    *("cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2"),
    *("cuMemAllocAsync", "cuMemFreeAsync", "cuLaunchKernel"),
    *("cuMemcpyDtoHAsync_v2", "cuStreamSynchronize", "cuMemsetD8Async", "cuMemcpyHtoDAsync_v2"),
)
RAISED = -1  # a status: there is an exception


def _entry(name: str) -> str:
    """Return LLVM IR that loads an entry of the table into `%f`."""
    place = TABLE.index(name)
    return f"  %f.at = getelementptr ptr, ptr @sc_driver, i64 {place}\n  %f = load ptr, ptr %f.at"


_PLACES = range(FIRST_VALUE, FIRST_VALUE + MOST_VALUES)
_VALUES = "\n".join(
    f"  %a{n}.at = getelementptr i64, ptr %words, i64 {n}\n  %a{n} = load i64, ptr %a{n}.at"
    for n in _PLACES
)
_GIVEN = ", ".join(f"i64 %a{n}" for n in _PLACES)

_CALL = Routine(
    f"""\
@sc_driver = global [{len(TABLE)} x ptr] zeroinitializer

; What this thread keeps of the call that it runs: `CallFields`.
define internal ptr @sc.device_call() nounwind {{
  %key = load i64, ptr @sc_driver
  %key32 = trunc i64 %key to i32
{_entry("pthread_getspecific")}
  %call = call ptr %f(i32 %key32)
  ret ptr %call
}}
""",
    shared=True,
)

_STREAM = Routine(
    """\
define internal ptr @sc.device_stream() nounwind {
  %call = call ptr @sc.device_call()
  %stream = load ptr, ptr %call
  ret ptr %stream
}
""",
    calls=("device_call",),
    shared=True,
)

_FREE = Routine(
    f"""\
; The deleter of a block that owns device memory: free when the stream it is of has come so far.
; Any thread may drop the last reference, with any context.
define internal void @sc.device_free(ptr %owner) nounwind {{
  %context.at = getelementptr ptr, ptr @sc_driver, i64 {TABLE.index("context")}
  %context = load ptr, ptr %context.at
  %push.at = getelementptr ptr, ptr @sc_driver, i64 {TABLE.index("cuCtxPushCurrent_v2")}
  %push = load ptr, ptr %push.at
  %pushed = call i32 %push(ptr %context)
  %at = getelementptr i8, ptr %owner, i64 {BLOCK_HEADER}
  %memory = load i64, ptr %at
  %stream.at = getelementptr i8, ptr %owner, i64 {BLOCK_HEADER + 8}
  %stream = load ptr, ptr %stream.at
{_entry("cuMemFreeAsync")}
  %status = call i32 %f(i64 %memory, ptr %stream)
  %popped = alloca ptr
  %pop.at = getelementptr ptr, ptr @sc_driver, i64 {TABLE.index("cuCtxPopCurrent_v2")}
  %pop = load ptr, ptr %pop.at
  %ended = call i32 %pop(ptr %popped)
  ret void
}}
""",
    shared=True,
)

_NEW = Routine(
    f"""\
; A block that owns as many bytes of device memory: its data are the address, and the stream that
; the memory is of. Null where there is no memory.
define internal ptr @sc.device_new(i64 %bytes) nounwind {{
  %owner = call ptr @sc_alloc(i64 16)
  %none = icmp eq ptr %owner, null
  br i1 %none, label %failed, label %take
take:
  %at = getelementptr i8, ptr %owner, i64 {BLOCK_HEADER}
  %some = call i64 @llvm.umax.i64(i64 %bytes, i64 1)
{_entry("cuMemAllocAsync")}
  %stream = call ptr @sc.device_stream()
  %status = call i32 %f(ptr %at, i64 %some, ptr %stream)
  %taken = icmp eq i32 %status, 0
  br i1 %taken, label %own, label %room
room:
  %room.at = getelementptr ptr, ptr @sc_driver, i64 {TABLE.index("make room")}
  %make.room = load ptr, ptr %room.at
  call void %make.room()
  %again = call i32 %f(ptr %at, i64 %some, ptr %stream)
  %late = icmp eq i32 %again, 0
  br i1 %late, label %own, label %drop
own:
  %stream.at = getelementptr i8, ptr %owner, i64 {BLOCK_HEADER + 8}
  store ptr %stream, ptr %stream.at
  %deleter.at = getelementptr i8, ptr %owner, i64 {BLOCK_DELETER}
  store ptr @sc.device_free, ptr %deleter.at
  ret ptr %owner
drop:
  call void @sc_release(ptr %owner)
  br label %failed
failed:
  ret ptr null
}}
""",
    frozenset(
        {
            "declare noalias ptr @sc_alloc(i64)",
            "declare void @sc_release(ptr)",
            "declare i64 @llvm.umax.i64(i64, i64)",
        }
    ),
    calls=("device_free", "device_stream"),
    shared=True,
)

_LAUNCH = Routine(
    f"""\
; Launch the kernel of an entry of the table of kernels. It is compiled before its first launch.
define internal i32 @sc.device_launch(ptr %entry, i64 %blocks, i64 %threads, ptr %args) nounwind {{
  %known = load atomic ptr, ptr %entry monotonic, align 8
  %new = icmp eq ptr %known, null
  br i1 %new, label %compile, label %launch
compile:
  %compile.at = getelementptr ptr, ptr @sc_driver, i64 {TABLE.index("compile")}
  %compiled = load ptr, ptr %compile.at
  %refused = call i32 %compiled(ptr %entry)
  %made = load ptr, ptr %entry
  %fine = icmp eq i32 %refused, 0
  br i1 %fine, label %launch, label %failed
failed:
  ret i32 %refused
launch:
  %kernel = phi ptr [%known, %0], [%made, %compile]
{_entry("cuLaunchKernel")}
  %stream = call ptr @sc.device_stream()
  %b = trunc i64 %blocks to i32
  %t = trunc i64 %threads to i32
  %status = call i32 %f(ptr %kernel, i32 %b, i32 1, i32 1, i32 %t, i32 1, i32 1, i32 0,
      ptr %stream, ptr %args, ptr null)
  ret i32 %status
}}
""",
    calls=("device_stream",),
    shared=True,
)

_GUARDED = Routine(
    f"""\
; Launch a kernel whose last two arguments, from `last` on, are the address of the call's error
; record and the number of the launch.  One that `may_fail` has to be asked about before the call
; ends.
define internal i32 @sc.device_launch_guarded(ptr %entry, i64 %blocks, i64 %threads, ptr %args,
    ptr %last, i64 %may_fail) nounwind {{
  %call = call ptr @sc.device_call()
  %launches.at = getelementptr i8, ptr %call, i64 {CallFields.LAUNCHES}
  %before = load i64, ptr %launches.at
  %launches = add i64 %before, 1
  store i64 %launches, ptr %launches.at
  %record.at = getelementptr i8, ptr %call, i64 {CallFields.RECORD}
  store ptr %record.at, ptr %last
  %second = getelementptr ptr, ptr %last, i64 1
  store ptr %launches.at, ptr %second
  %asked.at = getelementptr i8, ptr %call, i64 {CallFields.TO_ASK}
  %to.ask = load i64, ptr %asked.at
  %may = icmp ne i64 %may_fail, 0
  %now = select i1 %may, i64 %may_fail, i64 %to.ask
  store i64 %now, ptr %asked.at
  %status = call i32 @sc.device_launch(ptr %entry, i64 %blocks, i64 %threads, ptr %args)
  ret i32 %status
}}
""",
    calls=("device_call", "device_launch"),
    shared=True,
)

_FETCH = Routine(
    f"""\
; Copy bytes from device memory once all before is done, and return how that ended.  What kernels
; may have failed with comes with them.
define internal i32 @sc.device_fetch(ptr %to, ptr %from, i64 %bytes) nounwind {{
  %call = call ptr @sc.device_call()
  %asked.at = getelementptr i8, ptr %call, i64 {CallFields.TO_ASK}
  %to.ask = load i64, ptr %asked.at
  %ask = icmp eq i64 %to.ask, {CallFields.ASK}
  %stream = load ptr, ptr %call
{_entry("cuMemcpyDtoHAsync_v2")}
  br i1 %ask, label %with, label %copy
with:
  %record.at = getelementptr i8, ptr %call, i64 {CallFields.RECORD}
  %record = load ptr, ptr %record.at
  %words = getelementptr i8, ptr %call, i64 {CallFields.WORDS}
  %first = call i32 %f(ptr %words, ptr %record, i64 {8 * ERROR_WORDS}, ptr %stream)
  %first.fine = icmp eq i32 %first, 0
  br i1 %first.fine, label %copy, label %done
copy:
  %status = call i32 %f(ptr %to, ptr %from, i64 %bytes, ptr %stream)
  %fine = icmp eq i32 %status, 0
  br i1 %fine, label %wait, label %done
wait:
  %g.at = getelementptr ptr, ptr @sc_driver, i64 {TABLE.index("cuStreamSynchronize")}
  %g = load ptr, ptr %g.at
  %ended = call i32 %g(ptr %stream)
  %good = icmp eq i32 %ended, 0
  %both = and i1 %good, %ask
  br i1 %both, label %note, label %done
note:
  store i64 {CallFields.KNOWN}, ptr %asked.at
  br label %done
done:
  %result = phi i32 [%first, %with], [%status, %copy], [%ended, %wait], [0, %note]
  ret i32 %result
}}
""",
    calls=("device_call",),
    shared=True,
)

_ASK = Routine(
    f"""\
; Raise what a kernel of the call has failed with, if one has, when all of them are done: {RAISED},
; then, else the driver's status.  `sites` has a kind of exception and a place for each.
define internal i32 @sc.device_raise_failed(ptr %ctx, ptr %sites) nounwind {{
  %call = call ptr @sc.device_call()
  %asked.at = getelementptr i8, ptr %call, i64 {CallFields.TO_ASK}
  %to.ask = load i64, ptr %asked.at
  %words = getelementptr i8, ptr %call, i64 {CallFields.WORDS}
  %record.at = getelementptr i8, ptr %call, i64 {CallFields.RECORD}
  switch i64 %to.ask, label %known [i64 {CallFields.NOTHING}, label %fine
      i64 {CallFields.ASK}, label %ask]
ask:
  store i64 {CallFields.NOTHING}, ptr %asked.at
  %record = load ptr, ptr %record.at
  %status = call i32 @sc.device_fetch(ptr %words, ptr %record, i64 {8 * ERROR_WORDS})
  %got = icmp eq i32 %status, 0
  br i1 %got, label %known, label %refused
refused:
  ret i32 %status
known:
  store i64 {CallFields.NOTHING}, ptr %asked.at
  %word = load i64, ptr %words
  %none = icmp eq i64 %word, -1
  br i1 %none, label %fine, label %failed
fine:
  ret i32 0
failed:
  %old = load ptr, ptr %record.at
  call void @sc.device_clear(ptr %old)
  %site = and i64 %word, {(1 << SITE_BITS) - 1}
  %kind.at = getelementptr [2 x i32], ptr %sites, i64 %site
  %kind = load i32, ptr %kind.at
  %place.at = getelementptr i32, ptr %kind.at, i64 1
  %place = load i32, ptr %place.at
{_VALUES}
  call void @sc.raise{MOST_VALUES}(ptr %ctx, i32 %kind, i32 %place, ptr null, {_GIVEN})
  ret i32 {RAISED}
}}
""",
    calls=("device_call", "device_fetch", "device_clear", f"raise{MOST_VALUES}"),
    shared=True,
)

_CLEAR = Routine(
    f"""\
; Make a record one of no error, for the kernels to come and the calls on other streams.
define internal void @sc.device_clear(ptr %record) nounwind {{
  %stream = call ptr @sc.device_stream()
{_entry("cuMemsetD8Async")}
  %rest = getelementptr i8, ptr %record, i64 8
  %first = call i32 %f(ptr %record, i8 zeroext -1, i64 8, ptr %stream)
  %second = call i32 %f(ptr %rest, i8 zeroext 0, i64 {8 * (ERROR_WORDS - 1)}, ptr %stream)
  %g.at = getelementptr ptr, ptr @sc_driver, i64 {TABLE.index("cuStreamSynchronize")}
  %g = load ptr, ptr %g.at
  %ended = call i32 %g(ptr %stream)
  ret void
}}
""",
    calls=("device_stream",),
    shared=True,
)

_REPLACE = Routine(
    f"""\
; An exception of host code gives way to what a kernel before has failed with.
define internal void @sc.device_raise_first(ptr %ctx, ptr %sites) cold noinline nounwind {{
  %text.at = getelementptr i8, ptr %ctx, i64 {Context.MESSAGE}
  %text = load ptr, ptr %text.at
  %trace.at = getelementptr i8, ptr %ctx, i64 {Context.TRACE}
  %trace = load ptr, ptr %trace.at
  %instance.at = getelementptr i8, ptr %ctx, i64 {Context.INSTANCE}
  %instance = load ptr, ptr %instance.at
  %status = call i32 @sc.device_raise_failed(ptr %ctx, ptr %sites)
  %raised = icmp eq i32 %status, {RAISED}
  br i1 %raised, label %drop, label %done
drop:
  call void @Py_DecRef(ptr %text)
  call void @sc_release(ptr %trace)
  call void @sc_release(ptr %instance)
  br label %done
done:
  ret void
}}
""",
    frozenset({"declare void @Py_DecRef(ptr)", "declare void @sc_release(ptr)"}),
    calls=("device_raise_failed",),
    shared=True,
)

_PUT = Routine(
    f"""\
; Copy bytes to device memory.  Once it returns the driver has taken them.
define internal i32 @sc.device_put(ptr %to, ptr %from, i64 %bytes) nounwind {{
  %stream = call ptr @sc.device_stream()
{_entry("cuMemcpyHtoDAsync_v2")}
  %status = call i32 %f(ptr %to, ptr %from, i64 %bytes, ptr %stream)
  ret i32 %status
}}
""",
    calls=("device_stream",),
    shared=True,
)

ROUTINES: Mapping[str, Routine] = {
    "device_call": _CALL,
    "device_stream": _STREAM,
    "device_free": _FREE,
    "device_new": _NEW,
    "device_launch": _LAUNCH,
    "device_launch_guarded": _GUARDED,
    "device_fetch": _FETCH,
    "device_put": _PUT,
    "device_clear": _CLEAR,
    "device_raise_failed": _ASK,
    "device_raise_first": _REPLACE,
}
