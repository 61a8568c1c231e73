"""Functions in LLVM IR by which host code reaches a device: memory, launches, numbers fetched.

They call the driver through a table of addresses, which is filled when a device is opened; code
that reaches no device never looks at it.  All work goes to the stream of the calling thread.
"""

from collections.abc import Mapping

from scriptc.backends.llvm.loading.abi import BLOCK_DELETER, BLOCK_HEADER
from scriptc.backends.llvm.routines.small import Routine

# The table: the key by which a thread keeps its stream, what reads it, and the driver's functions.
TABLE = (
    *("stream key", "pthread_getspecific", "cuMemAllocAsync", "cuMemFreeAsync", "cuLaunchKernel"),
    *("cuMemcpyDtoHAsync_v2", "cuStreamSynchronize", "cuMemsetD8Async", "cuMemcpyHtoDAsync_v2"),
)
NO_ROOM = -1  # a status, of memory that is missing
ERROR_BYTES = 48  # of the error word and what follows it


def _entry(name: str) -> str:
    """Return LLVM IR that loads an entry of the table into `%f`."""
    place = TABLE.index(name)
    return f"  %f.at = getelementptr ptr, ptr @sc_driver, i64 {place}\n  %f = load ptr, ptr %f.at"


_STREAM = Routine(
    f"""\
@sc_driver = global [{len(TABLE)} x ptr] zeroinitializer

define internal ptr @sc.device_stream() nounwind {{
  %key = load i64, ptr @sc_driver
  %key32 = trunc i64 %key to i32
{_entry("pthread_getspecific")}
  %stream = call ptr %f(i32 %key32)
  ret ptr %stream
}}
""",
    shared=True,
)

_FREE = Routine(
    f"""\
; The deleter of a block that owns device memory: free when the stream it is of has come so far.
define internal void @sc.device_free(ptr %owner) nounwind {{
  %at = getelementptr i8, ptr %owner, i64 {BLOCK_HEADER}
  %memory = load i64, ptr %at
  %stream.at = getelementptr i8, ptr %owner, i64 {BLOCK_HEADER + 8}
  %stream = load ptr, ptr %stream.at
{_entry("cuMemFreeAsync")}
  %status = call i32 %f(i64 %memory, ptr %stream)
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
  br i1 %taken, label %own, label %drop
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
define internal i32 @sc.device_launch(ptr %kernel, i64 %blocks, i64 %threads, ptr %args) nounwind {{
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

_FETCH = Routine(
    f"""\
; Copy bytes from device memory once all before is done, and return how that ended.
define internal i32 @sc.device_fetch(ptr %to, ptr %from, i64 %bytes) nounwind {{
  %stream = call ptr @sc.device_stream()
{_entry("cuMemcpyDtoHAsync_v2")}
  %status = call i32 %f(ptr %to, ptr %from, i64 %bytes, ptr %stream)
  %fine = icmp eq i32 %status, 0
  br i1 %fine, label %wait, label %failed
wait:
  %g.at = getelementptr ptr, ptr @sc_driver, i64 {TABLE.index("cuStreamSynchronize")}
  %g = load ptr, ptr %g.at
  %ended = call i32 %g(ptr %stream)
  ret i32 %ended
failed:
  ret i32 %status
}}
""",
    calls=("device_stream",),
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

_CHECKED = Routine(
    f"""\
; Launch a kernel whose last argument, in `slot`, is the address of an error word, and read that
; into `words`; return how it ended, {NO_ROOM} where there is no memory.
define internal i32 @sc.device_launch_checked(ptr %kernel, i64 %blocks, i64 %threads, \
ptr %args, ptr %slot, ptr %words) nounwind {{
  %owner = call ptr @sc.device_new(i64 {ERROR_BYTES})
  %none = icmp eq ptr %owner, null
  br i1 %none, label %short, label %fill
short:
  ret i32 {NO_ROOM}
fill:
  %at = getelementptr i8, ptr %owner, i64 {BLOCK_HEADER}
  %word = load ptr, ptr %at
  store ptr %word, ptr %slot
  %stream = call ptr @sc.device_stream()
{_entry("cuMemsetD8Async")}
  %rest = getelementptr i8, ptr %word, i64 8
  %first = call i32 %f(ptr %word, i8 zeroext -1, i64 8, ptr %stream)
  %first.fine = icmp eq i32 %first, 0
  br i1 %first.fine, label %clear, label %done
clear:
  %second = call i32 %f(ptr %rest, i8 zeroext 0, i64 {ERROR_BYTES - 8}, ptr %stream)
  %second.fine = icmp eq i32 %second, 0
  br i1 %second.fine, label %start, label %done
start:
  %launched = call i32 @sc.device_launch(ptr %kernel, i64 %blocks, i64 %threads, ptr %args)
  %launched.fine = icmp eq i32 %launched, 0
  br i1 %launched.fine, label %read, label %done
read:
  %fetched = call i32 @sc.device_fetch(ptr %words, ptr %word, i64 {ERROR_BYTES})
  br label %done
done:
  %status = phi i32 [%first, %fill], [%second, %clear], [%launched, %start], [%fetched, %read]
  call void @sc_release(ptr %owner)
  ret i32 %status
}}
""",
    frozenset({"declare void @sc_release(ptr)"}),
    calls=("device_new", "device_launch", "device_fetch", "device_stream"),
    shared=True,
)

ROUTINES: Mapping[str, Routine] = {
    "device_stream": _STREAM,
    "device_free": _FREE,
    "device_new": _NEW,
    "device_launch": _LAUNCH,
    "device_fetch": _FETCH,
    "device_put": _PUT,
    "device_launch_checked": _CHECKED,
}
