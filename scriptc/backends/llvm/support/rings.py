"""The collector of rings: blocks that refer to each other, and that nobody else refers to.

Blocks of types that can be in a ring are *tracked*: they stand in a table, `entries`. Nothing is
done where counts change. When the table is full, the collector takes from the count of each tracked
block what tracked blocks hold of it. What is left are owners outside: registers, objects of
Python's, blocks that are not tracked. What these lead to stays, and gets its count back; the rest
is let go. That is the collector of CPython (Modules/gcmodule.c), without its lists and generations.

The second argument of a tracked block's deleter is a function. If it is not null, the deleter calls
it with each block that is held and may be tracked, and releases nothing.

Three bits of a block's first word, below the length of a small one, are for this: whether it is
tracked, whether the table has it, and whether it was reached. A small block stays in the table when
it is let go, until the next collection, and waits in a list for the next one that is to be tracked:
its memory is never given back. A large one, whose memory is, knows its place in the table.

The table has room for three times what a collection leaves, so all collections together take time
in proportion to the blocks that were tracked. The second half of its memory is room for what is
reached and not looked at yet, so a collection itself takes no memory, but where something is let
go.
"""

from string import Template

from scriptc.backends.llvm.loading.abi import BLOCK_COUNT_BITS, BLOCK_ENTERED, BLOCK_TRACKED

_REACHED = 1 << 53
COUNT_MASK = (1 << BLOCK_COUNT_BITS) - 1
# The places that the table has at first.
_FIRST_ROOM = 8192
_OLDEST = 2  # the generation of Python's collector that has all objects


def rings_text(place: int) -> str:
    """Return the collector as LLVM IR.

    A large block has its place in the table `place` bytes behind its start.
    """
    return _RINGS.substitute(
        place=place,
        tracked=BLOCK_TRACKED,
        entered=BLOCK_ENTERED,
        reached=_REACHED,
        marks=BLOCK_TRACKED | BLOCK_ENTERED,
        unmarked=~(BLOCK_TRACKED | BLOCK_ENTERED),
        unreached=~_REACHED,
        count=COUNT_MASK,
        first=_FIRST_ROOM,
        oldest=_OLDEST,
    )


_RINGS = Template("""\
@stop.name = internal constant [5 x i8] c"stop\\00"
@generation.name = internal constant [11 x i8] c"generation\\00"
@entries = internal global ptr null
@entries.count = internal global i64 0
@entries.room = internal global i64 0
; How many there were, and how many blocks of all kinds, when a call had ended last and collected;
; or fewer since.
@rest.entries = internal global i64 0
@rest.live = internal global i64 0
@met.count = internal global i64 0      ; what is reached and not looked at, behind the entries

; Track a block, which is whole; without memory for that it is not tracked.
define void @sc_track(ptr %block) noinline nounwind {
  %before = load i64, ptr @entries.count
  %room = load i64, ptr @entries.room
  %full = icmp eq i64 %before, %room
  br i1 %full, label %make.room, label %put
make.room:
  %roomy = call i1 @entries_make_room()
  br i1 %roomy, label %put, label %done
put:
  %place = load i64, ptr @entries.count
  %more = add i64 %place, 1
  store i64 %more, ptr @entries.count
  %word = load i64, ptr %block
  %marked = or i64 %word, $marks
  store i64 %marked, ptr %block
  %table = load ptr, ptr @entries
  %entry = getelementptr ptr, ptr %table, i64 %place
  store ptr %block, ptr %entry
  %units = lshr i64 %word, 56
  %large = icmp eq i64 %units, 0
  br i1 %large, label %note, label %done
note:
  %place.at = getelementptr i8, ptr %block, i64 $place
  store i64 %place, ptr %place.at
  br label %done
done:
  ret void
}

; Put a block at a place of the table.
define internal void @enter(ptr %block, i64 %place) nounwind {
  %table = load ptr, ptr @entries
  %entry = getelementptr ptr, ptr %table, i64 %place
  store ptr %block, ptr %entry
  %word = load i64, ptr %block
  %kind = lshr i64 %word, 55
  %large = icmp eq i64 %kind, 1  ; a free small one has the next one there
  br i1 %large, label %note, label %done
note:
  %place.at = getelementptr i8, ptr %block, i64 $place
  store i64 %place, ptr %place.at
  br label %done
done:
  ret void
}

; Take a large block, which is about to be given back, out of the table.
define internal void @leave(ptr %block) nounwind {
  %word = load i64, ptr %block
  %bit = and i64 %word, $entered
  %outside = icmp eq i64 %bit, 0
  br i1 %outside, label %done, label %take
take:
  %place.at = getelementptr i8, ptr %block, i64 $place
  %place = load i64, ptr %place.at
  %count = load i64, ptr @entries.count
  %less = sub i64 %count, 1
  store i64 %less, ptr @entries.count
  %table = load ptr, ptr @entries
  %last.at = getelementptr ptr, ptr %table, i64 %less
  %last = load ptr, ptr %last.at
  call void @enter(ptr %last, i64 %place)
  br label %done
done:
  ret void
}

; Have room for one more: what was let go leaves the table, and rings are collected; whether there
; is room.
define internal i1 @entries_make_room() cold noinline nounwind {
  %collected = call i32 @sc_collect_rings()
  %count = load i64, ptr @entries.count
  %room = load i64, ptr @entries.room
  %some = icmp ult i64 %count, %room
  br i1 %some, label %yes, label %grow
grow:
  %twice = shl i64 %room, 1
  %grown = call i1 @entries_move(i64 %twice)
  ret i1 %grown
yes:
  ret i1 true
}

; Move the table to memory with room for so many at least; whether there was some.
define internal i1 @entries_move(i64 %wanted) nounwind {
  %few = icmp ult i64 %wanted, $first
  %room = select i1 %few, i64 $first, i64 %wanted
  %bytes = shl i64 %room, 4
  %new = call ptr @aligned_alloc(i64 64, i64 %bytes)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %none, label %copy
copy:
  %old = load ptr, ptr @entries
  %count = load i64, ptr @entries.count
  %used = shl i64 %count, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %new, ptr %old, i64 %used, i1 false)
  call void @free(ptr %old)
  store ptr %new, ptr @entries
  store i64 %room, ptr @entries.room
  ret i1 true
none:
  ret i1 false
}

; At the end of a call from Python: collect, if there are more blocks than after the last time, and
; half as many more are tracked. Else the table keeps what was let go: if the next call does the
; same, it tracks nothing new. What was collected within a call does not count: what stayed then may
; have been for the call alone.
define void @sc_end_call() nounwind {
  %live = load i64, ptr @sc_live_blocks
  %rest.live = load i64, ptr @rest.live
  %grown = icmp sgt i64 %live, %rest.live
  br i1 %grown, label %look, label %fewer
fewer:
  store i64 %live, ptr @rest.live
  br label %look
look:
  %count = load i64, ptr @entries.count
  %rest = load i64, ptr @rest.entries
  %half = lshr i64 %rest, 1
  %most = add i64 %rest, %half
  %many = icmp ugt i64 %count, %most
  %both = and i1 %many, %grown
  br i1 %both, label %collect, label %lower
collect:
  %collected = call i32 @sc_collect_rings()
  %live.now = load i64, ptr @sc_live_blocks
  store i64 %live.now, ptr @rest.live
  %left = load i64, ptr @entries.count
  store i64 %left, ptr @rest.entries
  br label %done
lower:
  %less = icmp ult i64 %count, %rest
  br i1 %less, label %note, label %done
note:
  store i64 %count, ptr @rest.entries
  br label %done
done:
  ret void
}

; Let go of all rings that nobody outside owns. 0 if a deleter is running, which may have let go of
; some of what its block refers to; else 1.
define i32 @sc_collect_rings() nounwind {
  %deleting = load i8, ptr @sc_deleting
  %busy = icmp ne i8 %deleting, 0
  br i1 %busy, label %no, label %collect
no:
  ret i32 0
collect:
  call void @drop_entries()
  call void @visit_entries(ptr @take_owner)
  call void @reach_all()
  call void @collect_unreached()
  ret i32 1
}

; Whether a tracked block has its deleter in some memory: a ring with an owner that is not found.
define i32 @sc_tracks_in(ptr %start, i64 %size) nounwind {
  call void @drop_entries()
  %table = load ptr, ptr @entries
  %count = load i64, ptr @entries.count
  %first = ptrtoint ptr %start to i64
  br label %head
head:
  %i = phi i64 [0, %0], [%i.next, %look]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %look, label %no
look:
  %at = getelementptr ptr, ptr %table, i64 %i
  %block = load ptr, ptr %at
  %deleter.at = getelementptr i8, ptr %block, i64 8
  %deleter = load i64, ptr %deleter.at
  %offset = sub i64 %deleter, %first
  %inside = icmp ult i64 %offset, %size
  %i.next = add i64 %i, 1
  br i1 %inside, label %yes, label %head
yes:
  ret i32 1
no:
  ret i32 0
}

; What Python's collector calls before and after it has run. No Python code runs here, in which a
; Ctrl-C would be handled: what a callback of the collector raises is lost.
define void @sc_collect_with_python(ptr %phase, ptr %info) nounwind {
  %other = call i32 @PyUnicode_CompareWithASCIIString(ptr %phase, ptr @stop.name)
  %before = icmp ne i32 %other, 0
  br i1 %before, label %done, label %look
look:
  %number = call ptr @PyDict_GetItemString(ptr %info, ptr @generation.name)
  %none = icmp eq ptr %number, null
  br i1 %none, label %done, label %compare
compare:
  %generation = call i64 @PyLong_AsLong(ptr %number)
  %oldest = icmp eq i64 %generation, $oldest
  br i1 %oldest, label %collect, label %done
collect:
  %collected = call i32 @sc_collect_rings()
  br label %done
done:
  ret void
}

; Drop those that are not tracked: they were let go. A large one has left by itself.
define internal void @drop_entries() nounwind {
  call void @forget_entered()
  %table = load ptr, ptr @entries
  %count = load i64, ptr @entries.count
  br label %head
head:
  %i = phi i64 [0, %0], [%i.next, %next]
  %kept = phi i64 [0, %0], [%kept.next, %next]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %look, label %done
look:
  %at = getelementptr ptr, ptr %table, i64 %i
  %block = load ptr, ptr %at
  %word = load i64, ptr %block
  %bit = and i64 %word, $tracked
  %free = icmp eq i64 %bit, 0
  br i1 %free, label %next, label %keep
keep:
  call void @enter(ptr %block, i64 %kept)
  %kept.more = add i64 %kept, 1
  br label %next
next:
  %kept.next = phi i64 [%kept, %look], [%kept.more, %keep]
  %i.next = add i64 %i, 1
  br label %head
done:
  store i64 %kept, ptr @entries.count
  ret void
}

; Call a function with all that tracked blocks hold.
define internal void @visit_entries(ptr %visit) nounwind {
  %table = load ptr, ptr @entries
  %count = load i64, ptr @entries.count
  br label %head
head:
  %i = phi i64 [0, %0], [%i.next, %look]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %look, label %done
look:
  %at = getelementptr ptr, ptr %table, i64 %i
  %block = load ptr, ptr %at
  call void @visit_held(ptr %block, ptr %visit)
  %i.next = add i64 %i, 1
  br label %head
done:
  ret void
}

define internal void @visit_held(ptr %block, ptr %visit) alwaysinline nounwind {
  %deleter.at = getelementptr i8, ptr %block, i64 8
  %deleter = load ptr, ptr %deleter.at
  call void %deleter(ptr %block, ptr %visit)
  ret void
}

define internal i1 @is_tracked(ptr %block) alwaysinline nounwind {
  %none = icmp eq ptr %block, null
  br i1 %none, label %no, label %look
look:
  %word = load i64, ptr %block
  %bit = and i64 %word, $tracked
  %tracked = icmp ne i64 %bit, 0
  ret i1 %tracked
no:
  ret i1 false
}

; What is called with a block that a tracked one holds: it loses an owner, or has it again.
define internal void @take_owner(ptr %block) nounwind {
  %tracked = call i1 @is_tracked(ptr %block)
  br i1 %tracked, label %count, label %done
count:
  %word = load i64, ptr %block
  %less = sub i64 %word, 1
  store i64 %less, ptr %block
  br label %done
done:
  ret void
}

define internal void @give_owner(ptr %block) nounwind {
  %tracked = call i1 @is_tracked(ptr %block)
  br i1 %tracked, label %count, label %done
count:
  %word = load i64, ptr %block
  %more = add i64 %word, 1
  store i64 %more, ptr %block
  br label %done
done:
  ret void
}

; The same with a block that is held by one which stays, so it stays as well.
define internal void @give_and_reach(ptr %block) nounwind {
  %tracked = call i1 @is_tracked(ptr %block)
  br i1 %tracked, label %count, label %done
count:
  %word = load i64, ptr %block
  %more = add i64 %word, 1
  store i64 %more, ptr %block
  call void @reach(ptr %block)
  br label %done
done:
  ret void
}

; Note that a block stays; the first time, what it holds is to be looked at.
define internal void @reach(ptr %block) nounwind {
  %word = load i64, ptr %block
  %bit = and i64 %word, $reached
  %new = icmp eq i64 %bit, 0
  br i1 %new, label %meet, label %done
meet:
  %marked = or i64 %word, $reached
  store i64 %marked, ptr %block
  %table = load ptr, ptr @entries
  %room = load i64, ptr @entries.room
  %met = load i64, ptr @met.count
  %place = add i64 %room, %met
  %at = getelementptr ptr, ptr %table, i64 %place
  store ptr %block, ptr %at
  %met.more = add i64 %met, 1
  store i64 %met.more, ptr @met.count
  br label %done
done:
  ret void
}

; Reach all that has owners outside, and what that leads to.
define internal void @reach_all() nounwind {
  %table = load ptr, ptr @entries
  %room = load i64, ptr @entries.room
  %behind = getelementptr ptr, ptr %table, i64 %room
  %count = load i64, ptr @entries.count
  br label %head
head:
  %i = phi i64 [0, %0], [%i.next, %next]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %look, label %done
look:
  %at = getelementptr ptr, ptr %table, i64 %i
  %block = load ptr, ptr %at
  %word = load i64, ptr %block
  %owners = and i64 %word, $count
  %outside = icmp ne i64 %owners, 0
  br i1 %outside, label %root, label %next
root:
  call void @reach(ptr %block)
  br label %met
met:
  %left = load i64, ptr @met.count
  %some = icmp ne i64 %left, 0
  br i1 %some, label %follow, label %next
follow:
  %less = sub i64 %left, 1
  store i64 %less, ptr @met.count
  %last.at = getelementptr ptr, ptr %behind, i64 %less
  %last = load ptr, ptr %last.at
  call void @visit_held(ptr %last, ptr @give_and_reach)
  br label %met
next:
  %i.next = add i64 %i, 1
  br label %head
done:
  ret void
}

; Part what was reached from the rest, and let go of that.
define internal void @collect_unreached() nounwind {
  %table = load ptr, ptr @entries
  %room = load i64, ptr @entries.room
  %garbage = getelementptr ptr, ptr %table, i64 %room
  %count = load i64, ptr @entries.count
  br label %head
head:
  %i = phi i64 [0, %0], [%i.next, %next]
  %kept = phi i64 [0, %0], [%kept.next, %next]
  %dead = phi i64 [0, %0], [%dead.next, %next]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %look, label %parted
look:
  %at = getelementptr ptr, ptr %table, i64 %i
  %block = load ptr, ptr %at
  %word = load i64, ptr %block
  %bit = and i64 %word, $reached
  %stays = icmp ne i64 %bit, 0
  br i1 %stays, label %keep, label %part
keep:
  %unmarked = and i64 %word, $unreached
  store i64 %unmarked, ptr %block
  call void @enter(ptr %block, i64 %kept)
  %kept.more = add i64 %kept, 1
  br label %next
part:
  %garbage.at = getelementptr ptr, ptr %garbage, i64 %dead
  store ptr %block, ptr %garbage.at
  %dead.more = add i64 %dead, 1
  br label %next
next:
  %kept.next = phi i64 [%kept.more, %keep], [%kept, %part]
  %dead.next = phi i64 [%dead, %keep], [%dead.more, %part]
  %i.next = add i64 %i, 1
  br label %head
parted:
  store i64 %kept, ptr @entries.count
  %none = icmp eq i64 %dead, 0
  br i1 %none, label %look.at.room, label %bury
bury:
  call void @let_go_of_rings(ptr %garbage, i64 %dead)
  br label %look.at.room
look.at.room:
  %left = load i64, ptr @entries.count
  %room.now = load i64, ptr @entries.room
  %twice = shl i64 %left, 1
  %short = icmp ugt i64 %twice, %room.now
  br i1 %short, label %grow, label %done
grow:
  %wanted = add i64 %twice, %left
  %grown = call i1 @entries_move(i64 %wanted)
  br label %done
done:
  ret void
}

; Let go of blocks that refer to each other alone. Deleters may run code of Python's, which may
; track others: so these are copied, and tracked no more. Without memory for that all of them stay,
; until another time.
define internal void @let_go_of_rings(ptr %garbage, i64 %count) nounwind {
  call void @visit_all(ptr %garbage, i64 %count, ptr @give_owner)
  %bytes = shl i64 %count, 3
  %padded = add i64 %bytes, 63
  %whole = and i64 %padded, -64
  %own = call ptr @aligned_alloc(i64 64, i64 %whole)
  %failed = icmp eq ptr %own, null
  br i1 %failed, label %give.up, label %hold
give.up:
  call void @enter_again(ptr %garbage, i64 %count)
  ret void
hold:
  call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %garbage, i64 %bytes, i1 false)
  br label %untrack
untrack:
  %i = phi i64 [0, %hold], [%i.next, %untrack]
  %at = getelementptr ptr, ptr %own, i64 %i
  %block = load ptr, ptr %at
  %word = load i64, ptr %block
  %plain = and i64 %word, $unmarked
  %held = add i64 %plain, 1                         ; until all deleters have run
  store i64 %held, ptr %block
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %count
  br i1 %more, label %untrack, label %delete
delete:
  store i8 1, ptr @sc_deleting
  call void @visit_all(ptr %own, i64 %count, ptr null)
  br label %free
free:
  %k = phi i64 [0, %delete], [%k.next, %free]
  %dead.at = getelementptr ptr, ptr %own, i64 %k
  %dead = load ptr, ptr %dead.at
  %dead.word = load i64, ptr %dead
  %nobody = sub i64 %dead.word, 1
  store i64 %nobody, ptr %dead
  %live = load i64, ptr @sc_live_blocks
  %live.less = sub i64 %live, 1
  store i64 %live.less, ptr @sc_live_blocks
  call void @reuse(ptr %dead)
  %k.next = add i64 %k, 1
  %others = icmp ult i64 %k.next, %count
  br i1 %others, label %free, label %finish
finish:
  call void @free(ptr %own)
  call void @let_go_of_waiting()
  ret void
}

define internal void @visit_all(ptr %blocks, i64 %count, ptr %visit) nounwind {
  br label %head
head:
  %i = phi i64 [0, %0], [%i.next, %head]
  %at = getelementptr ptr, ptr %blocks, i64 %i
  %block = load ptr, ptr %at
  call void @visit_held(ptr %block, ptr %visit)
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %count
  br i1 %more, label %head, label %done
done:
  ret void
}

; Put blocks, of which there are some, back into the table.
define internal void @enter_again(ptr %blocks, i64 %count) nounwind {
  br label %head
head:
  %i = phi i64 [0, %0], [%i.next, %head]
  %at = getelementptr ptr, ptr %blocks, i64 %i
  %block = load ptr, ptr %at
  %place = load i64, ptr @entries.count
  call void @enter(ptr %block, i64 %place)
  %place.next = add i64 %place, 1
  store i64 %place.next, ptr @entries.count
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %count
  br i1 %more, label %head, label %done
done:
  ret void
}
""")
