"""Memory of compiled functions: counted blocks, and the cache of free ones.

An *owner* is the address of a block: its count and its deleter, then, after `BLOCK_HEADER` bytes,
its data. A null owner stands for memory that somebody else keeps alive during the call, as the
caller does with the arguments; retain and release let it pass.

There are two kinds of blocks, and the highest byte of the count tells them apart. In a *small* one,
see `small_blocks.py`, it says how long the block is. In a *large* one, here, it is zero: what else
is known of it stands in 48 bytes before the owner, and its data are aligned to 64 bytes.

A large array that a loop makes and drops again takes three times as long to write in new pages as
in old ones. So free blocks are kept: the first 256 MB as they are; more of them, up to a quarter of
the machine's memory, with their pages on offer to the system, which takes them as soon as memory is
short. When the cache is more than half full and lacks a size, it is emptied.
"""

from scriptc.backends.llvm.loading.abi import BLOCK_COUNT_BITS
from scriptc.backends.llvm.routines.small import COUNT_BLOCK
from scriptc.backends.llvm.support.rings import COUNT_MASK, rings_text
from scriptc.backends.llvm.support.small_blocks import SMALL_ALLOC_TEXT, SMALL_BLOCKS_TEXT

# Where a large block has its place among those that are tracked, see `rings.py`, from its start:
# that word is free in one of less than 1 MiB.
_PLACE = -16


def allocator_declarations() -> tuple[str, ...]:
    """Return what the text needs of others on every system."""
    return tuple(_DECLARATIONS.splitlines())


def allocator_text(system: str) -> str:
    """Return the functions that take and give blocks, as LLVM IR."""
    pages = _LINUX if system == "linux" else _PORTABLE
    small = SMALL_BLOCKS_TEXT + SMALL_ALLOC_TEXT
    return COUNTS_TEXT + _BLOCKS + pages + small + rings_text(_PLACE)


_DECLARATIONS = """\
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare ptr @PyCapsule_New(ptr, ptr, ptr)
declare ptr @PyCapsule_GetPointer(ptr, ptr)
declare i32 @PyUnicode_CompareWithASCIIString(ptr, ptr)
declare ptr @PyDict_GetItemString(ptr, ptr)
declare i64 @PyLong_AsLong(ptr)
declare ptr @aligned_alloc(i64, i64)
declare void @free(ptr)
"""

# What `assemble.blocks_text` needs of the allocator.
BLOCKS_DECLARATIONS = """\
declare noalias ptr @sc_alloc_fresh(i64)
declare void @sc_recycle(ptr)
@sc_deleting = external global i8
@sc_live_blocks = external global i64
@sc_small_blocks = external global ptr
@sc_total_allocs = external global i64
@sc_waiting = external global i64
"""

# Counts, and the end of blocks: what runs for each of them, see `assemble.blocks_text`.
ENDS_TEXT = f"""\
define void @sc_release(ptr %owner) nounwind {{
  %borrowed = icmp eq ptr %owner, null
  br i1 %borrowed, label %done, label %count
count:
  %n = load i64, ptr %owner
  %less = sub i64 %n, 1
  store i64 %less, ptr %owner
  %owners = shl i64 %less, {64 - BLOCK_COUNT_BITS}
  %last = icmp eq i64 %owners, 0
  br i1 %last, label %dead, label %done
dead:
  tail call void @sc_end(ptr %owner)
  ret void
done:
  ret void
}}

; Let go of a block that nobody owns. Deleters release other blocks. Those that die meanwhile wait
; until the deleter has returned, in a list through their counts, whose highest bits stay: a chain
; of a million objects is let go without a frame for each.
define void @sc_end(ptr %owner) nounwind {{
  %live = load i64, ptr @sc_live_blocks
  %live.less = sub i64 %live, 1
  store i64 %live.less, ptr @sc_live_blocks
  %deleter.at = getelementptr i8, ptr %owner, i64 8
  %deleter = load ptr, ptr %deleter.at
  %plain = icmp eq ptr %deleter, null
  br i1 %plain, label %recycle, label %delete
recycle:
  tail call void @reuse(ptr %owner)
  ret void
delete:
  %deleting = load i8, ptr @sc_deleting
  %busy = icmp ne i8 %deleting, 0
  br i1 %busy, label %wait, label %first
wait:
  %before = load i64, ptr @sc_waiting
  %size = load i64, ptr %owner
  %chained = or i64 %size, %before
  store i64 %chained, ptr %owner
  %its.address = ptrtoint ptr %owner to i64
  store i64 %its.address, ptr @sc_waiting
  ret void
first:
  store i8 1, ptr @sc_deleting
  call void %deleter(ptr %owner, ptr null)
  call void @reuse(ptr %owner)
  tail call void @let_go_of_waiting()
  ret void
}}

; The end of what deletes: let go of the blocks that have died meanwhile, and those after them.
define internal void @let_go_of_waiting() nounwind {{
  br label %look
look:
  %address = load i64, ptr @sc_waiting
  %none = icmp eq i64 %address, 0
  br i1 %none, label %finished, label %more
more:
  %block = inttoptr i64 %address to ptr
  %word = load i64, ptr %block
  %rest = and i64 %word, {COUNT_MASK}
  store i64 %rest, ptr @sc_waiting
  %deleter.at = getelementptr i8, ptr %block, i64 8
  %deleter = load ptr, ptr %deleter.at
  call void %deleter(ptr %block, ptr null)
  call void @reuse(ptr %block)
  br label %look
finished:
  store i8 0, ptr @sc_deleting
  ret void
}}
"""

# What is the same under `SCRIPTC_GUARD`: `sc_alloc`, `sc_alloc_small`, `recycle`, `reuse` and
# `sc_trim` are not.
COUNTS_TEXT = (
    ENDS_TEXT
    + """\
@sc_live_blocks = global i64 0
@sc_total_allocs = global i64 0
@sc_deleting = global i8 0
@sc_waiting = global i64 0
@capsule_name = private constant [14 x i8] c"scriptc.block\\00"

define void @sc_retain(ptr %owner) nounwind {
  %borrowed = icmp eq ptr %owner, null
  br i1 %borrowed, label %done, label %count
count:
  %n = load i64, ptr %owner
  %more = add i64 %n, 1
  store i64 %more, ptr %owner
  br label %done
done:
  ret void
}

; The same with all data zero. Fresh pages are zero already and are not touched.
define noalias ptr @sc_alloc_zero(i64 %bytes) nounwind {
  %block = call ptr @sc_alloc(i64 %bytes)
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %done, label %look
look:
  %zero.at = getelementptr i8, ptr %block, i64 -8
  %zero = load i64, ptr %zero.at
  %dirty = icmp eq i64 %zero, 0
  br i1 %dirty, label %clear, label %done
clear:
  %data = getelementptr i8, ptr %block, i64 16
  call void @llvm.memset.p0.i64(ptr align 64 %data, i8 0, i64 %bytes, i1 false)
  br label %done
done:
  ret ptr %block
}

; A capsule that owns one count of a block, taken over from the caller: the base of a NumPy array.
define ptr @sc_capsule_new(ptr %owner) {
  %capsule = call ptr @PyCapsule_New(ptr %owner, ptr @capsule_name, ptr @sc_capsule_free)
  %failed = icmp eq ptr %capsule, null
  br i1 %failed, label %drop, label %done
drop:
  call void @sc_release(ptr %owner)
  br label %done
done:
  ret ptr %capsule
}

define void @sc_capsule_free(ptr %capsule) {
  %owner = call ptr @PyCapsule_GetPointer(ptr %capsule, ptr @capsule_name)
  call void @sc_release(ptr %owner)
  ret void
}
"""
)

# Sizes are rounded up to classes: 1, 2, 3, 4 units of 64 bytes, then four steps to each doubling.
# Freed blocks wait in one list per class, all lists together up to `sc_cache_limit` bytes, and with
# pages on offer up to `sc_spare_limit` (0: not known yet). What stands before the owner: -48 the
# bytes asked for, -40 class, -32 capacity in bytes with these and the header, -24 start and -16
# length of its pages (from 1 MiB on), -8 whether the data are still zero. In a free block +0 is the
# next.
_BLOCKS = (
    """\
@sc_cached_bytes = global i64 0
@sc_cache_limit = global i64 268435456
@sc_spare_limit = global i64 0
@free_blocks = internal global [160 x ptr] zeroinitializer

; A block of `bytes` with count 1, its data not initialised; null where there is no memory.
define noalias ptr @sc_alloc(i64 %bytes) nounwind {
  ; Unsigned: a negative size is too large as well.
  %sane = icmp ule i64 %bytes, 70368744177664
  br i1 %sane, label %classify, label %none
classify:
  %padded = add i64 %bytes, 63
  %units = lshr i64 %padded, 6                      ; without the header, which is one more
  %zeros = call i64 @llvm.ctlz.i64(i64 %units, i1 false)
  %log = sub i64 63, %zeros
  %steps = sub i64 %log, 2
  %tiny = icmp slt i64 %steps, 0
  %shift = select i1 %tiny, i64 0, i64 %steps
  %quarter = lshr i64 %units, %shift
  %octave = shl i64 %shift, 2
  %class = add i64 %octave, %quarter
  %above = add i64 %quarter, 1
  %rounded = shl i64 %above, %shift
  %capacity = shl i64 %rounded, 6
  %list = getelementptr ptr, ptr @free_blocks, i64 %class
  %cached = load ptr, ptr %list
  %empty = icmp eq ptr %cached, null
  br i1 %empty, label %fresh, label %reuse
reuse:
  %next = load ptr, ptr %cached
  store ptr %next, ptr %list
  %kept = load i64, ptr @sc_cached_bytes
  %kept.less = sub i64 %kept, %capacity
  store i64 %kept.less, ptr @sc_cached_bytes
  br label %give
fresh:
  %new = call ptr @new_block(i64 %class, i64 %capacity)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %none, label %give
give:
  %block = phi ptr [%cached, %reuse], [%new, %fresh]
  store i64 1, ptr %block
  %deleter.at = getelementptr i8, ptr %block, i64 8
  store ptr null, ptr %deleter.at
  %bytes.at = getelementptr i8, ptr %block, i64 -48
  store i64 %bytes, ptr %bytes.at
"""
    + COUNT_BLOCK
    + """
  ret ptr %block
none:
  ret ptr null
}

; Keep a block that nobody owns for the next one of its class, or give it back.
define internal void @recycle(ptr %owner) nounwind {
  %capacity.at = getelementptr i8, ptr %owner, i64 -32
  %capacity = load i64, ptr %capacity.at
  %kept = load i64, ptr @sc_cached_bytes
  %kept.more = add i64 %kept, %capacity
  %limit = load i64, ptr @sc_cache_limit
  %full = icmp ugt i64 %kept.more, %limit
  br i1 %full, label %spare, label %keep
spare:
  %start.at = getelementptr i8, ptr %owner, i64 -24
  %start = load ptr, ptr %start.at
  %heap = icmp eq ptr %start, null
  br i1 %heap, label %discard, label %large
large:
  %most = call i64 @most_cached()
  %beyond = icmp ugt i64 %kept.more, %most
  br i1 %beyond, label %discard, label %offer
offer:
  %length.at = getelementptr i8, ptr %owner, i64 -16
  %length = load i64, ptr %length.at
  %taken = call i1 @offer_pages(ptr %start, i64 %length)
  br i1 %taken, label %keep, label %discard
discard:
  call void @free_block(ptr %owner)
  ret void
keep:
  store i64 %kept.more, ptr @sc_cached_bytes
  %zero.at = getelementptr i8, ptr %owner, i64 -8
  store i64 0, ptr %zero.at
  %class.at = getelementptr i8, ptr %owner, i64 -40
  %class = load i64, ptr %class.at
  %list = getelementptr ptr, ptr @free_blocks, i64 %class
  %next = load ptr, ptr %list
  store ptr %next, ptr %owner
  store ptr %owner, ptr %list
  ret void
}

; Give all cached blocks back to the system.
define void @sc_trim() nounwind {
entry:
  br label %class
class:
  %c = phi i64 [0, %entry], [%c.next, %emptied]
  %list = getelementptr ptr, ptr @free_blocks, i64 %c
  %more = icmp ult i64 %c, 160
  br i1 %more, label %block, label %done
block:
  %head = load ptr, ptr %list
  %empty = icmp eq ptr %head, null
  br i1 %empty, label %emptied, label %discard
discard:
  %next = load ptr, ptr %head
  store ptr %next, ptr %list
  call void @free_block(ptr %head)
  br label %block
emptied:
  %c.next = add i64 %c, 1
  br label %class
done:
  store i64 0, ptr @sc_cached_bytes
  ret void
}

; A block below 1 MiB comes from malloc. A larger one has pages of its own: when there are none to
; reuse and the cache is more than half full, it holds the wrong sizes and is emptied first.
define internal ptr @new_block(i64 %class, i64 %capacity) nounwind {
  %small = icmp ult i64 %capacity, 1048576
  br i1 %small, label %heap, label %large
heap:
  %got = call ptr @aligned_alloc(i64 64, i64 %capacity)
  %failed = icmp eq ptr %got, null
  br i1 %failed, label %none, label %describe
describe:
  %piece = getelementptr i8, ptr %got, i64 48
  %start.at = getelementptr i8, ptr %piece, i64 -24
  store ptr null, ptr %start.at
  %piece.zero.at = getelementptr i8, ptr %piece, i64 -8
  store i64 0, ptr %piece.zero.at
  br label %label
large:
  %kept = load i64, ptr @sc_cached_bytes
  %twice = shl i64 %kept, 1
  %most = call i64 @most_cached()
  %stale = icmp ugt i64 %twice, %most
  br i1 %stale, label %trim, label %map
trim:
  call void @sc_trim()
  br label %map
map:
  %mapped = call ptr @new_pages(i64 %capacity)
  %unmapped = icmp eq ptr %mapped, null
  br i1 %unmapped, label %none, label %label
label:
  %block = phi ptr [%piece, %describe], [%mapped, %map]
  %class.at = getelementptr i8, ptr %block, i64 -40
  store i64 %class, ptr %class.at
  %capacity.at = getelementptr i8, ptr %block, i64 -32
  store i64 %capacity, ptr %capacity.at
  ret ptr %block
none:
  ret ptr null
}

define internal void @free_block(ptr %block) nounwind {
  %start.at = getelementptr i8, ptr %block, i64 -24
  %start = load ptr, ptr %start.at
  %heap = icmp eq ptr %start, null
  br i1 %heap, label %small, label %large
small:
  %got = getelementptr i8, ptr %block, i64 -48
  call void @free(ptr %got)
  ret void
large:
  %length.at = getelementptr i8, ptr %block, i64 -16
  %length = load i64, ptr %length.at
  call void @free_pages(ptr %start, i64 %length)
  ret void
}
"""
)

# Pages aligned to 2 MiB and marked for huge pages: one fault then brings 2 MiB, not 4 KiB. The
# block itself starts a little later, at one of 16 places: were all data at the same distance from
# such a boundary, the arrays of one loop would fall into the same few sets of the cache, and a load
# from one would wait for a store to another that agrees in its low 12 bits.
_LINUX = """\
declare ptr @mmap(ptr, i64, i32, i32, i32, i64)
declare i32 @munmap(ptr, i64)
declare i32 @madvise(ptr, i64, i32)
declare i64 @sysconf(i32)
@next_place = internal global i64 0

define internal ptr @new_pages(i64 %capacity) nounwind {
  %padded = add i64 %capacity, 2101247              ; 4 kB of places, then up to whole 2 MiB
  %length = and i64 %padded, -2097152
  %asked = add i64 %length, 2097152
  ; PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS
  %got = call ptr @mmap(ptr null, i64 %asked, i32 3, i32 34, i32 -1, i64 0)
  %first = ptrtoint ptr %got to i64
  %failed = icmp eq i64 %first, -1
  br i1 %failed, label %none, label %align
align:
  %bumped = add i64 %first, 2097151
  %start = and i64 %bumped, -2097152
  %before = sub i64 %start, %first
  %after = sub i64 2097152, %before
  %has.before = icmp ne i64 %before, 0
  br i1 %has.before, label %cut.before, label %behind
cut.before:
  %ignored.1 = call i32 @munmap(ptr %got, i64 %before)
  br label %behind
behind:
  %end = add i64 %start, %length
  %end.at = inttoptr i64 %end to ptr
  %has.after = icmp ne i64 %after, 0
  br i1 %has.after, label %cut.after, label %ready
cut.after:
  %ignored.2 = call i32 @munmap(ptr %end.at, i64 %after)
  br label %ready
ready:
  %pages = inttoptr i64 %start to ptr
  %ignored.3 = call i32 @madvise(ptr %pages, i64 %length, i32 14)   ; MADV_HUGEPAGE, a wish
  %turn = load i64, ptr @next_place
  %turn.next = add i64 %turn, 5                     ; neighbours in time lie far apart
  store i64 %turn.next, ptr @next_place
  %place = and i64 %turn, 15
  %far = shl i64 %place, 8
  %skip = add i64 %far, 48
  %block = getelementptr i8, ptr %pages, i64 %skip
  %start.at = getelementptr i8, ptr %block, i64 -24
  store ptr %pages, ptr %start.at
  %length.at = getelementptr i8, ptr %block, i64 -16
  store i64 %length, ptr %length.at
  %zero.at = getelementptr i8, ptr %block, i64 -8
  store i64 1, ptr %zero.at
  ret ptr %block
none:
  ret ptr null
}

define internal void @free_pages(ptr %pages, i64 %length) nounwind {
  %ignored = call i32 @munmap(ptr %pages, i64 %length)
  ret void
}

; How many bytes may wait: a quarter of the machine's memory, as all but the first are on offer.
define internal i64 @most_cached() nounwind {
  %known = load i64, ptr @sc_spare_limit
  %asked = icmp ne i64 %known, 0
  br i1 %asked, label %done, label %ask
ask:
  %pages = call i64 @sysconf(i32 85)                ; _SC_PHYS_PAGES
  %page = call i64 @sysconf(i32 30)                 ; _SC_PAGESIZE
  %memory = mul i64 %pages, %page
  %quarter = ashr i64 %memory, 2                    ; below zero where the system does not say
  %limit = load i64, ptr @sc_cache_limit
  %most = call i64 @llvm.smax.i64(i64 %quarter, i64 %limit)
  store i64 %most, ptr @sc_spare_limit
  br label %done
done:
  %result = phi i64 [%known, %0], [%most, %ask]
  ret i64 %result
}

; Let the system take the pages of a free block, all but the first, which holds the header. A write
; to one takes it back. False where that is too little, or the system does not know of such a thing.
define internal i1 @offer_pages(ptr %pages, i64 %length) nounwind {
  %little = icmp ult i64 %length, 16777216
  br i1 %little, label %no, label %offer
no:
  ret i1 false
offer:
  %rest = getelementptr i8, ptr %pages, i64 2097152
  %rest.length = sub i64 %length, 2097152
  %status = call i32 @madvise(ptr %rest, i64 %rest.length, i32 8)   ; MADV_FREE
  %done = icmp eq i32 %status, 0
  ret i1 %done
}
"""

_PORTABLE = """\
define internal ptr @new_pages(i64 %capacity) nounwind {
  %got = call ptr @aligned_alloc(i64 64, i64 %capacity)
  %failed = icmp eq ptr %got, null
  br i1 %failed, label %done, label %describe
describe:
  %block = getelementptr i8, ptr %got, i64 48
  %start.at = getelementptr i8, ptr %block, i64 -24
  store ptr %got, ptr %start.at
  %length.at = getelementptr i8, ptr %block, i64 -16
  store i64 %capacity, ptr %length.at
  %zero.at = getelementptr i8, ptr %block, i64 -8
  store i64 0, ptr %zero.at
  ret ptr %block
done:
  ret ptr null
}

define internal void @free_pages(ptr %pages, i64 %length) nounwind {
  call void @free(ptr %pages)
  ret void
}

define internal i64 @most_cached() nounwind {
  %limit = load i64, ptr @sc_cache_limit
  ret i64 %limit
}

define internal i1 @offer_pages(ptr %pages, i64 %length) nounwind {
  ret i1 false
}
"""
