"""Small counted blocks: objects, lists and their items, containers, texts of a line.

A small block is its header and its data, in whole units of 16 bytes; its length in units is the
highest byte of its count. It is cut from the next piece of memory, so that what is made together
lies together, or it is one of its length that was let go. Small blocks are not given back to the
system: a program takes what it had at most.
"""

from scriptc.backends.llvm.loading.abi import BLOCK_ENTERED, BLOCK_TRACKED
from scriptc.backends.llvm.routines.small import COUNT_BLOCK

# The longest has 512 bytes, 496 of them data. Pieces come from malloc until these together have a
# mebibyte; from then on they have 2 MiB in huge pages, where the system has such. `sc_alloc`, which
# takes larger ones, is the allocator's, as are `new_pages` and `recycle`.
_SLOT_BITS = 2
_LISTS, _ENTERED_SLOT = 33 << _SLOT_BITS, (BLOCK_TRACKED | BLOCK_ENTERED) >> (56 - _SLOT_BITS)
SMALL_BLOCKS_TEXT = f"""\
; Free ones. The marks of `rings.py` stand below the length in the first word, so there are four
; lists for each number of units: of those without marks, and as the last, of those with both.
@sc_small_blocks = global [{_LISTS} x ptr] zeroinitializer
@small.next = internal global i64 0
@small.end = internal global i64 0
@small.pieces = internal global i64 0

; What `sc_alloc_small` gives where it has no free block of the length, or the length is large.
define noalias ptr @sc_alloc_fresh(i64 %bytes) nounwind {{
  %fits = icmp ule i64 %bytes, 496
  br i1 %fits, label %measure, label %large
large:
  %other = tail call ptr @sc_alloc(i64 %bytes)
  ret ptr %other
measure:
  %padded = add i64 %bytes, 31                      ; the header is one unit
  %units = lshr i64 %padded, 4
  %size = shl i64 %units, 4
  br label %cut
cut:
  %start = load i64, ptr @small.next
  %behind = add i64 %start, %size
  %end = load i64, ptr @small.end
  %full = icmp ugt i64 %behind, %end
  br i1 %full, label %piece, label %take
piece:
  %more = call i1 @small_piece()
  br i1 %more, label %cut, label %none
take:
  store i64 %behind, ptr @small.next
  %block = inttoptr i64 %start to ptr
  %highest = shl i64 %units, 56
  %word = or i64 %highest, 1
  store i64 %word, ptr %block
  %deleter.at = getelementptr i8, ptr %block, i64 8
  store ptr null, ptr %deleter.at
{COUNT_BLOCK}
  ret ptr %block
none:
  ret ptr null
}}

; Forget which free blocks the table has, as it drops them.
define internal void @forget_entered() nounwind {{
  br label %head
head:
  %slot = phi i64 [0, %0], [%slot.next, %next]
  %more = icmp ult i64 %slot, {_LISTS}
  br i1 %more, label %look, label %done
look:
  %entered = or i64 %slot, {_ENTERED_SLOT}
  %from = getelementptr ptr, ptr @sc_small_blocks, i64 %entered
  %to = getelementptr ptr, ptr @sc_small_blocks, i64 %slot
  %first = load ptr, ptr %from
  %none = icmp eq ptr %first, null
  br i1 %none, label %next, label %walk
walk:
  %block = phi ptr [%first, %look], [%behind, %walk]
  %behind = load ptr, ptr %block
  %last = icmp eq ptr %behind, null
  br i1 %last, label %join, label %walk
join:
  %others = load ptr, ptr %to
  store ptr %others, ptr %block
  store ptr %first, ptr %to
  store ptr null, ptr %from
  br label %next
next:
  %slot.next = add i64 %slot, {1 << _SLOT_BITS}
  br label %head
done:
  ret void
}}

; Take a piece of memory to cut; whether there was one.
define internal i1 @small_piece() cold noinline nounwind {{
  %before = load i64, ptr @small.pieces
  %many = icmp uge i64 %before, 16
  br i1 %many, label %pages, label %heap
pages:
  %far = call ptr @new_pages(i64 2093056)           ; with 4 kB of places, 2 MiB
  br label %look
heap:
  %near = call ptr @aligned_alloc(i64 64, i64 65536)
  br label %look
look:
  %got = phi ptr [%far, %pages], [%near, %heap]
  %size = phi i64 [2093008, %pages], [65536, %heap] ; pages start with a header
  %failed = icmp eq ptr %got, null
  br i1 %failed, label %none, label %note
note:
  %first = ptrtoint ptr %got to i64
  %end = add i64 %first, %size
  store i64 %first, ptr @small.next
  store i64 %end, ptr @small.end
  %after = add i64 %before, 1
  store i64 %after, ptr @small.pieces
  ret i1 true
none:
  ret i1 false
}}

; The end of a large block.
define void @sc_recycle(ptr %block) nounwind {{
  call void @leave(ptr %block)
  tail call void @recycle(ptr %block)
  ret void
}}
"""

# What runs for each small block, see `assemble.blocks_text`.
SMALL_ALLOC_TEXT = f"""\
; A block of `bytes` with count 1, its data aligned to 16 bytes and not initialised; null where
; there is no memory.
define noalias ptr @sc_alloc_small(i64 %bytes) nounwind {{
  %fits = icmp ule i64 %bytes, 496
  br i1 %fits, label %measure, label %other
measure:
  %padded = add i64 %bytes, 31                      ; the header is one unit
  %units = lshr i64 %padded, 4
  %slot = shl i64 %units, {_SLOT_BITS}
  %list = getelementptr ptr, ptr @sc_small_blocks, i64 %slot
  %block = load ptr, ptr %list
  %empty = icmp eq ptr %block, null
  br i1 %empty, label %other, label %reuse
reuse:
  %next = load ptr, ptr %block
  store ptr %next, ptr %list
  %highest = shl i64 %units, 56
  %word = or i64 %highest, 1
  store i64 %word, ptr %block
  %deleter.at = getelementptr i8, ptr %block, i64 8
  store ptr null, ptr %deleter.at
{COUNT_BLOCK}
  ret ptr %block
other:
  %new = tail call ptr @sc_alloc_fresh(i64 %bytes)
  ret ptr %new
}}

; The same for a block that can be in a ring: one that stands in the table already, if there is one.
define noalias ptr @sc_alloc_ring(i64 %bytes) nounwind {{
  %fits = icmp ule i64 %bytes, 496
  br i1 %fits, label %measure, label %other
measure:
  %padded = add i64 %bytes, 31
  %units = lshr i64 %padded, 4
  %first = shl i64 %units, {_SLOT_BITS}
  %slot = or i64 %first, {_ENTERED_SLOT}
  %list = getelementptr ptr, ptr @sc_small_blocks, i64 %slot
  %block = load ptr, ptr %list
  %empty = icmp eq ptr %block, null
  br i1 %empty, label %other, label %reuse
reuse:
  %next = load ptr, ptr %block
  store ptr %next, ptr %list
  %highest = shl i64 %units, 56
  %word = or i64 %highest, {1 | BLOCK_TRACKED | BLOCK_ENTERED}
  store i64 %word, ptr %block
{COUNT_BLOCK}
  ret ptr %block
other:
  %new = tail call ptr @sc_alloc_small(i64 %bytes)
  ret ptr %new
}}

; Keep a block of either kind that nobody owns for the next one of its size.
define internal void @reuse(ptr %block) nounwind {{
  %word = load i64, ptr %block
  %slot = lshr i64 %word, {56 - _SLOT_BITS}
  %large = icmp ult i64 %slot, {1 << _SLOT_BITS}
  br i1 %large, label %other, label %keep
other:
  tail call void @sc_recycle(ptr %block)
  ret void
keep:
  %list = getelementptr ptr, ptr @sc_small_blocks, i64 %slot
  %next = load ptr, ptr %list
  store ptr %next, ptr %block
  store ptr %block, ptr %list
  ret void
}}
"""
