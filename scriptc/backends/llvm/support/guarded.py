"""Memory between unreadable pages: the allocator in which code that leaves a block dies at once.

    ... | no access | header, data ............. | no access | ...

In one mode data are aligned as `allocator.py` has them, and start right behind the header, which
starts a page; in the other they end where the unreadable page begins, at most a byte before it.
What is freed becomes unreadable as a whole, and waits in a queue, the oldest first to be given back
to the system: who still uses it dies as well. It is for tests, and for Linux: `SCRIPTC_GUARD`.

Each block takes two system calls, a page at least, and two of the mappings that a process may
have. So blocks beyond the first thousands that live at a time stand in plain memory.
"""

from scriptc.backends.llvm.routines.small import COUNT_BLOCK
from scriptc.backends.llvm.support.allocator import COUNTS_TEXT
from scriptc.backends.llvm.support.rings import rings_text

# Where a block has its place among those that are tracked: there, others have their class.
_PLACE = -40

# How a block is described, besides what `allocator.py` says: -24 start and -16 length of all its
# pages, the unreadable ones included; null where it stands in plain memory. There are no small
# ones: what asks for one has a block of the other kind.
GUARDED_TEXT = (
    """\
declare ptr @mmap(ptr, i64, i32, i32, i32, i64)
declare i32 @munmap(ptr, i64)
declare i32 @mprotect(ptr, i64, i32)
@sc_guard_ends = global i8 0 ; whether data end where a page does
@sc_cached_bytes = global i64 0 ; of what waits
@sc_cache_limit = global i64 268435456
@sc_spare_limit = global i64 0
@guarded = internal global i64 0
@queue = internal global [4096 x { ptr, i64 }] zeroinitializer
@queue.first = internal global i64 0
@queue.count = internal global i64 0

define noalias ptr @sc_alloc(i64 %bytes) nounwind {
  %sane = icmp ule i64 %bytes, 70368744177664
  br i1 %sane, label %take, label %none
take:
  %odd = and i64 %bytes, 1
  %even = add i64 %bytes, %odd                      ; owners have even addresses
  %capacity = add i64 %even, 64
  %many = load i64, ptr @guarded
  %few = icmp ult i64 %many, 16384
  br i1 %few, label %guard, label %plain
guard:
  %pages = call ptr @pages(i64 %capacity)
  %refused = icmp eq ptr %pages, null
  br i1 %refused, label %plain, label %count
count:
  %more = add i64 %many, 1
  store i64 %more, ptr @guarded
  br label %give
plain:
  %padded = add i64 %capacity, 63
  %whole = and i64 %padded, -64
  %got = call ptr @aligned_alloc(i64 64, i64 %whole)
  %failed = icmp eq ptr %got, null
  br i1 %failed, label %none, label %describe
describe:
  %piece = getelementptr i8, ptr %got, i64 48
  %start.at = getelementptr i8, ptr %piece, i64 -24
  store ptr null, ptr %start.at
  %zero.at = getelementptr i8, ptr %piece, i64 -8
  store i64 0, ptr %zero.at
  br label %give
give:
  %block = phi ptr [%pages, %count], [%piece, %describe]
  store i64 1, ptr %block
  %deleter.at = getelementptr i8, ptr %block, i64 8
  store ptr null, ptr %deleter.at
  %bytes.at = getelementptr i8, ptr %block, i64 -48
  store i64 %bytes, ptr %bytes.at
  %capacity.at = getelementptr i8, ptr %block, i64 -32
  store i64 %capacity, ptr %capacity.at
"""
    + COUNT_BLOCK
    + """
  ret ptr %block
none:
  ret ptr null
}

define noalias ptr @sc_alloc_small(i64 %bytes) nounwind {
  %block = tail call ptr @sc_alloc(i64 %bytes)
  ret ptr %block
}

define noalias ptr @sc_alloc_ring(i64 %bytes) nounwind {
  %block = tail call ptr @sc_alloc(i64 %bytes)
  ret ptr %block
}

; There are no lists of free blocks.
define internal void @forget_entered() nounwind {
  ret void
}

define internal void @reuse(ptr %block) nounwind {
  call void @leave(ptr %block)
  tail call void @recycle(ptr %block)
  ret void
}

; The owner in so many bytes between unreadable pages, which are described there; null without.
define internal ptr @pages(i64 %bytes) nounwind {
  %padded = add i64 %bytes, 4095
  %inside = and i64 %padded, -4096
  %length = add i64 %inside, 8192
  ; PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
  %start = call ptr @mmap(ptr null, i64 %length, i32 0, i32 16418, i32 -1, i64 0)
  %number = ptrtoint ptr %start to i64
  %failed = icmp eq i64 %number, -1
  br i1 %failed, label %none, label %open
open:
  %first = getelementptr i8, ptr %start, i64 4096
  %status = call i32 @mprotect(ptr %first, i64 %inside, i32 3) ; PROT_READ | PROT_WRITE
  %opened = icmp eq i32 %status, 0
  br i1 %opened, label %place, label %close
close:
  %ignored = call i32 @munmap(ptr %start, i64 %length)
  br label %none
place:
  %ends = load i8, ptr @sc_guard_ends
  %at.end = icmp ne i8 %ends, 0
  %slack = sub i64 %inside, %bytes
  %skip = select i1 %at.end, i64 %slack, i64 0
  %behind = add i64 %skip, 48
  %block = getelementptr i8, ptr %first, i64 %behind
  %start.at = getelementptr i8, ptr %block, i64 -24
  store ptr %start, ptr %start.at
  %length.at = getelementptr i8, ptr %block, i64 -16
  store i64 %length, ptr %length.at
  %zero.at = getelementptr i8, ptr %block, i64 -8
  store i64 1, ptr %zero.at
  ret ptr %block
none:
  ret ptr null
}

define internal void @recycle(ptr %block) nounwind {
  %start.at = getelementptr i8, ptr %block, i64 -24
  %start = load ptr, ptr %start.at
  %plain = icmp eq ptr %start, null
  br i1 %plain, label %free, label %close
free:
  %got = getelementptr i8, ptr %block, i64 -48
  call void @free(ptr %got)
  ret void
close:
  %length.at = getelementptr i8, ptr %block, i64 -16
  %length = load i64, ptr %length.at
  ; New pages in place of the old ones, whose memory the system has back: as above, and MAP_FIXED
  %ignored = call ptr @mmap(ptr %start, i64 %length, i32 0, i32 16434, i32 -1, i64 0)
  %many = load i64, ptr @guarded
  %less = sub i64 %many, 1
  store i64 %less, ptr @guarded
  %waiting = load i64, ptr @queue.count
  %full = icmp eq i64 %waiting, 4096
  br i1 %full, label %make.room, label %enter
make.room:
  call void @give_back()
  br label %enter
enter:
  %first = load i64, ptr @queue.first
  %count = load i64, ptr @queue.count
  %behind = add i64 %first, %count
  %place = and i64 %behind, 4095
  %entry = getelementptr { ptr, i64 }, ptr @queue, i64 %place
  store ptr %start, ptr %entry
  %entry.length = getelementptr i8, ptr %entry, i64 8
  store i64 %length, ptr %entry.length
  %count.more = add i64 %count, 1
  store i64 %count.more, ptr @queue.count
  %bytes = load i64, ptr @sc_cached_bytes
  %bytes.more = add i64 %bytes, %length
  store i64 %bytes.more, ptr @sc_cached_bytes
  br label %look
look:
  %now = load i64, ptr @sc_cached_bytes
  %limit = load i64, ptr @sc_cache_limit
  %over = icmp ugt i64 %now, %limit
  br i1 %over, label %oldest, label %done
oldest:
  call void @give_back()
  br label %look
done:
  ret void
}

; Give what waits longest back to the system; there is something.
define internal void @give_back() nounwind {
  %first = load i64, ptr @queue.first
  %entry = getelementptr { ptr, i64 }, ptr @queue, i64 %first
  %start = load ptr, ptr %entry
  %entry.length = getelementptr i8, ptr %entry, i64 8
  %length = load i64, ptr %entry.length
  %ignored = call i32 @munmap(ptr %start, i64 %length)
  %behind = add i64 %first, 1
  %next = and i64 %behind, 4095
  store i64 %next, ptr @queue.first
  %count = load i64, ptr @queue.count
  %count.less = sub i64 %count, 1
  store i64 %count.less, ptr @queue.count
  %bytes = load i64, ptr @sc_cached_bytes
  %bytes.less = sub i64 %bytes, %length
  store i64 %bytes.less, ptr @sc_cached_bytes
  ret void
}

define void @sc_trim() nounwind {
entry:
  br label %look
look:
  %count = load i64, ptr @queue.count
  %some = icmp ne i64 %count, 0
  br i1 %some, label %oldest, label %done
oldest:
  call void @give_back()
  br label %look
done:
  ret void
}

; What kernels have in place of `aligned_alloc` and `free`. Threads run them, so nothing waits.
; It is aligned in any mode, as the compiler knows what `aligned_alloc` gives.
define ptr @sc_guard_take(i64 %alignment, i64 %bytes) nounwind {
  %padded = add i64 %bytes, 127
  %capacity = and i64 %padded, -64
  %block = call ptr @pages(i64 %capacity)
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %none, label %give
give:
  %data = getelementptr i8, ptr %block, i64 16
  ret ptr %data
none:
  ret ptr null
}

define void @sc_guard_give(ptr %data) nounwind {
  %nothing = icmp eq ptr %data, null
  br i1 %nothing, label %done, label %unmap
unmap:
  %start.at = getelementptr i8, ptr %data, i64 -40
  %start = load ptr, ptr %start.at
  %length.at = getelementptr i8, ptr %data, i64 -32
  %length = load i64, ptr %length.at
  %ignored = call i32 @munmap(ptr %start, i64 %length)
  br label %done
done:
  ret void
}
"""
    + COUNTS_TEXT
    + rings_text(_PLACE)
)
