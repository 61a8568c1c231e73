"""Copies of the operands of products whose elements do not lie together, as LLVM IR.

@packed               a vector, or its copy
sc.part.pack_f64      a copy of a matrix: its rows are contiguous, and one follows the other
"""

from string import Template

from scriptc.backends.llvm.loading.machine_code import PART_PREFIX


def packing_text(part: str, element: str) -> str:
    """Return the text for an element type, as a part of the support code."""
    return _TEXT.substitute(prefix=PART_PREFIX, part=part, t=element)


_TEXT = Template("""\
; Copy elements that lie `step` apart.
define internal void @gather(ptr %to, ptr %from, i64 %n, i64 %step) nounwind {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %copy ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %copy, label %done
copy:
  %offset = mul nsw i64 %i, %step
  %source = getelementptr $t, ptr %from, i64 %offset
  %element = load $t, ptr %source
  %target = getelementptr $t, ptr %to, i64 %i
  store $t %element, ptr %target
  %i.next = add nsw i64 %i, 1
  br label %head
done:
  ret void
}

; Return where the elements of a vector lie together: in `room`, unless they do so already.
define internal ptr @packed(ptr %x, i64 %n, i64 %step, ptr %room) nounwind {
entry:
  %dense = icmp eq i64 %step, 1
  br i1 %dense, label %same, label %copy
same:
  ret ptr %x
copy:
  call void @gather(ptr %room, ptr %x, i64 %n, i64 %step)
  ret ptr %room
}

define void @${prefix}pack_$part(ptr %a, i64 %m, i64 %n, i64 %down, i64 %across, ptr %room)
  nounwind {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %row ]
  %more = icmp slt i64 %i, %m
  br i1 %more, label %row, label %done
row:
  %offset = mul nsw i64 %i, %down
  %from = getelementptr $t, ptr %a, i64 %offset
  %place = mul nsw i64 %i, %n
  %to = getelementptr $t, ptr %room, i64 %place
  call void @gather(ptr %to, ptr %from, i64 %n, i64 %across)
  %i.next = add nsw i64 %i, 1
  br label %head
done:
  ret void
}
""")
