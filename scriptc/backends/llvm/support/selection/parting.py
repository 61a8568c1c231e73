"""Rows parted at places, as LLVM IR: what is less than an element there, what equals it, the rest.

One walk leaves what is less in front, in the order of the row, and writes the others to a buffer.
Of several places each one parts the stretch between those where the row is parted already.
"""

from string import Template

# Beside what `routines.py` finds elements with.
PARTING_TEXT = Template("""\
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; What sorting puts at a place, how many are less, how many equal it: none where there is no memory.
define internal { $t, i64, i64 } @pivot(ptr %row, i64 %n, i64 %place, ptr %buffer) nounwind {
entry:
  %pair = call { i64, i64 } @around(ptr %row, i64 %n, i64 %place, ptr %buffer)
  %first = extractvalue { i64, i64 } %pair, 0
  %m = extractvalue { i64, i64 } %pair, 1
  %nothing = icmp eq i64 %m, 0
  br i1 %nothing, label %none, label %some
none:
  ret { $t, i64, i64 } zeroinitializer
some:
  %offset = sub i64 %place, %first
  %key.at = getelementptr $t, ptr %buffer, i64 %offset
  %key = load $t, ptr %key.at
  br label %down
down:
  %low = phi i64 [ %offset, %some ], [ %low.next, %down.look ]
  %low.next = sub i64 %low, 1
  %lowest = icmp eq i64 %low, 0
  br i1 %lowest, label %down.done, label %down.look
down.look:
  %low.at = getelementptr $t, ptr %buffer, i64 %low.next
  %low.key = load $t, ptr %low.at
  %low.same = icmp eq $t %low.key, %key
  br i1 %low.same, label %down, label %down.done
down.done:
  br label %up
up:
  %high = phi i64 [ %offset, %down.done ], [ %high.next, %up.look ]
  %high.next = add i64 %high, 1
  %highest = icmp eq i64 %high.next, %m
  br i1 %highest, label %up.done, label %up.look
up.look:
  %high.at = getelementptr $t, ptr %buffer, i64 %high.next
  %high.key = load $t, ptr %high.at
  %high.same = icmp eq $t %high.key, %key
  br i1 %high.same, label %up, label %up.done
up.done:
  %less = add i64 %first, %low
  %equal = sub i64 %high.next, %low
  %one = insertvalue { $t, i64, i64 } poison, $t %key, 0
  %two = insertvalue { $t, i64, i64 } %one, i64 %less, 1
  %all = insertvalue { $t, i64, i64 } %two, i64 %equal, 2
  ret { $t, i64, i64 } %all
}

; The stretch that a place lies in, between places where the row is parted already.
define internal { i64, i64 } @stretch(
    ptr %places, i64 %count, i64 %apart, i64 %place, i64 %n) nounwind {
entry:
  br label %each
each:
  %k = phi i64 [ 0, %entry ], [ %k.next, %next ]
  %start = phi i64 [ 0, %entry ], [ %start.next, %next ]
  %end = phi i64 [ %n, %entry ], [ %end.next, %next ]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %next, label %done
next:
  %offset = mul i64 %k, %apart
  %at = getelementptr i64, ptr %places, i64 %offset
  %other = load i64, ptr %at
  %front = icmp sle i64 %other, %place
  %later = call i64 @llvm.smax.i64(i64 %start, i64 %other)
  %sooner = call i64 @llvm.smin.i64(i64 %end, i64 %other)
  %start.next = select i1 %front, i64 %later, i64 %start
  %end.next = select i1 %front, i64 %end, i64 %sooner
  %k.next = add i64 %k, 1
  br label %each
done:
  %one = insertvalue { i64, i64 } poison, i64 %start, 0
  %both = insertvalue { i64, i64 } %one, i64 %end, 1
  ret { i64, i64 } %both
}

; Write the elements of a row around a pivot.
define internal void @moved(
    ptr %row, i64 %n, $t %key, i64 %less, i64 %equal, ptr %buffer) nounwind {
  call void @split(ptr %row, i64 %n, $t %key, i64 %equal, ptr %row, ptr %buffer)
  %equal.at = getelementptr $t, ptr %row, i64 %less
  %equal.bytes = mul i64 %equal, $size
  call void @llvm.memcpy.p0.p0.i64(ptr %equal.at, ptr %buffer, i64 %equal.bytes, i1 false)
  %behind = add i64 %equal, $gap
  %from = getelementptr $t, ptr %buffer, i64 %behind
  %end = add i64 %less, %equal
  %to = getelementptr $t, ptr %row, i64 %end
  %left = sub i64 %n, %end
  %bytes = mul i64 %left, $size
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  ret void
}

; The same with what lies beside the elements.
define internal void @moved_indices(
    ptr %row, i64 %n, $t %key, i64 %less, i64 %equal, ptr %beside, ptr %buffer) nounwind {
  call void @split_indices(ptr %row, i64 %n, $t %key, i64 %equal, ptr %beside, ptr %buffer)
  %equal.at = getelementptr i64, ptr %beside, i64 %less
  %equal.bytes = mul i64 %equal, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %equal.at, ptr %buffer, i64 %equal.bytes, i1 false)
  %behind = add i64 %equal, $gap_beside
  %from = getelementptr i64, ptr %buffer, i64 %behind
  %end = add i64 %less, %equal
  %to = getelementptr i64, ptr %beside, i64 %end
  %left = sub i64 %n, %end
  %bytes = mul i64 %left, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  ret void
}

; Part a row, and what lies beside its elements if there is anything.
define internal i32 @parted(
    ptr %row, i64 %n, ptr %beside, ptr %places, i64 %count, i64 %apart) nounwind {
entry:
  %possible = call i1 @has_places(ptr %places, i64 %count, i64 %apart, i64 %n)
  br i1 %possible, label %take, label %impossible
impossible:
  ret i32 2
take:
  %alone = icmp eq ptr %beside, null
  %width = select i1 %alone, i64 $size, i64 8
  %buffer = call ptr @memory(i64 %n, i64 %width)
  %nowhere = icmp eq ptr %buffer, null
  br i1 %nowhere, label %no, label %each
each:
  %k = phi i64 [ 0, %take ], [ %k.next, %next ]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %one, label %done
one:
  %place.offset = mul i64 %k, %apart
  %place.at = getelementptr i64, ptr %places, i64 %place.offset
  %place = load i64, ptr %place.at
  %ends = call { i64, i64 } @stretch(ptr %places, i64 %k, i64 %apart, i64 %place, i64 %n)
  %start = extractvalue { i64, i64 } %ends, 0
  %end = extractvalue { i64, i64 } %ends, 1
  %inner = getelementptr $t, ptr %row, i64 %start
  %length = sub i64 %end, %start
  %rank = sub i64 %place, %start
  %pivot = call { $t, i64, i64 } @pivot(ptr %inner, i64 %length, i64 %rank, ptr %buffer)
  %key = extractvalue { $t, i64, i64 } %pivot, 0
  %less = extractvalue { $t, i64, i64 } %pivot, 1
  %equal = extractvalue { $t, i64, i64 } %pivot, 2
  %nothing = icmp eq i64 %equal, 0
  br i1 %nothing, label %failed, label %move
move:
  %k.next = add i64 %k, 1
  br i1 %alone, label %elements, label %indices
indices:
  %beside.inner = getelementptr i64, ptr %beside, i64 %start
  call void @moved_indices(ptr %inner, i64 %length, $t %key, i64 %less, i64 %equal,
    ptr %beside.inner, ptr %buffer)
  %last = icmp eq i64 %k.next, %count
  br i1 %last, label %next, label %elements
elements:
  call void @moved(ptr %inner, i64 %length, $t %key, i64 %less, i64 %equal, ptr %buffer)
  br label %next
next:
  br label %each
done:
  call void @free(ptr %buffer)
  ret i32 0
failed:
  call void @free(ptr %buffer)
  ret i32 1
no:
  ret i32 1
}

define i32 @$partition(ptr %row, i64 %n, ptr %places, i64 %count, i64 %apart) nounwind {
  %status = call i32 @parted(
    ptr %row, i64 %n, ptr null, ptr %places, i64 %count, i64 %apart)
  ret i32 %status
}

; The elements are parted with their indices, which begin as 0, 1, 2, ...
define i32 @$order(ptr %row, i64 %n, ptr %order, ptr %places, i64 %count, i64 %apart)
    nounwind {
entry:
  br label %each
each:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %next, label %part
next:
  %at = getelementptr i64, ptr %order, i64 %i
  store i64 %i, ptr %at
  %i.next = add i64 %i, 1
  br label %each
part:
  %status = call i32 @parted(
    ptr %row, i64 %n, ptr %order, ptr %places, i64 %count, i64 %apart)
  ret i32 %status
}
""")
