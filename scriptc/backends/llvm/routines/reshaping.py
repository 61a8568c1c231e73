"""The routine that finds strides for an array in another shape."""

from collections.abc import Mapping

from scriptc.backends.llvm.routines.small import Routine

# `old` holds m sizes and m strides and is scratch memory; `new` holds n sizes, whose product is
# that of the old ones, and takes n strides.  Sizes of 1 are dropped first, then axes matched in
# groups of one product: the old axes of a group must lie behind each other without gaps.
_RESHAPE = Routine(
    """\
define internal i1 @sc.reshape(ptr %old, i64 %m, ptr %new, i64 %n) noinline nounwind {
entry:
  %old.strides = getelementptr i64, ptr %old, i64 %m
  %strides = getelementptr i64, ptr %new, i64 %n
  br label %clear
clear:
  %c = phi i64 [ 0, %entry ], [ %c.next, %clear.one ]
  %empty = phi i1 [ false, %entry ], [ %empty.next, %clear.one ]
  %c.done = icmp eq i64 %c, %n
  br i1 %c.done, label %cleared, label %clear.one
clear.one:
  %c.at = getelementptr i64, ptr %strides, i64 %c
  store i64 1, ptr %c.at
  %c.size.at = getelementptr i64, ptr %new, i64 %c
  %c.size = load i64, ptr %c.size.at
  %c.zero = icmp eq i64 %c.size, 0
  %empty.next = or i1 %empty, %c.zero
  %c.next = add i64 %c, 1
  br label %clear
cleared:
  br i1 %empty, label %yes, label %squeeze
squeeze:
  %r = phi i64 [ 0, %cleared ], [ %r.next, %squeeze.one ]
  %k = phi i64 [ 0, %cleared ], [ %k.next, %squeeze.one ]
  %r.done = icmp eq i64 %r, %m
  br i1 %r.done, label %group, label %squeeze.one
squeeze.one:
  %r.size.at = getelementptr i64, ptr %old, i64 %r
  %r.size = load i64, ptr %r.size.at
  %r.stride.at = getelementptr i64, ptr %old.strides, i64 %r
  %r.stride = load i64, ptr %r.stride.at
  %k.size.at = getelementptr i64, ptr %old, i64 %k
  store i64 %r.size, ptr %k.size.at
  %k.stride.at = getelementptr i64, ptr %old.strides, i64 %k
  store i64 %r.stride, ptr %k.stride.at
  %r.one = icmp eq i64 %r.size, 1
  %k.more = add i64 %k, 1
  %k.next = select i1 %r.one, i64 %k, i64 %k.more
  %r.next = add i64 %r, 1
  br label %squeeze
group:
  %oi = phi i64 [ 0, %squeeze ], [ %oj, %filled ]
  %ni = phi i64 [ 0, %squeeze ], [ %nj, %filled ]
  %more.new = icmp slt i64 %ni, %n
  %more.old = icmp slt i64 %oi, %k
  %more = and i1 %more.new, %more.old
  br i1 %more, label %match.start, label %tail
match.start:
  %np.at = getelementptr i64, ptr %new, i64 %ni
  %np.first = load i64, ptr %np.at
  %op.at = getelementptr i64, ptr %old, i64 %oi
  %op.first = load i64, ptr %op.at
  %oj.first = add i64 %oi, 1
  %nj.first = add i64 %ni, 1
  br label %match
match:
  %np = phi i64 [ %np.first, %match.start ], [ %np.more, %grow.new ], [ %np, %grow.old ]
  %op = phi i64 [ %op.first, %match.start ], [ %op, %grow.new ], [ %op.more, %grow.old ]
  %oj = phi i64 [ %oj.first, %match.start ], [ %oj, %grow.new ], [ %oj.more, %grow.old ]
  %nj = phi i64 [ %nj.first, %match.start ], [ %nj.more, %grow.new ], [ %nj, %grow.old ]
  %equal = icmp eq i64 %np, %op
  br i1 %equal, label %check, label %differ
differ:
  %fewer = icmp slt i64 %np, %op
  br i1 %fewer, label %grow.new, label %grow.old
grow.new:
  %nj.at = getelementptr i64, ptr %new, i64 %nj
  %nj.size = load i64, ptr %nj.at
  %np.more = mul i64 %np, %nj.size
  %nj.more = add i64 %nj, 1
  br label %match
grow.old:
  %oj.at = getelementptr i64, ptr %old, i64 %oj
  %oj.size = load i64, ptr %oj.at
  %op.more = mul i64 %op, %oj.size
  %oj.more = add i64 %oj, 1
  br label %match
check:
  %o = phi i64 [ %oi, %match ], [ %o.next, %check.good ]
  %o.next = add i64 %o, 1
  %o.more = icmp slt i64 %o.next, %oj
  br i1 %o.more, label %check.one, label %fill.start
check.one:
  %here.at = getelementptr i64, ptr %old.strides, i64 %o
  %here = load i64, ptr %here.at
  %size.at = getelementptr i64, ptr %old, i64 %o.next
  %size = load i64, ptr %size.at
  %stride.at = getelementptr i64, ptr %old.strides, i64 %o.next
  %stride = load i64, ptr %stride.at
  %span = mul i64 %size, %stride
  %dense = icmp eq i64 %here, %span
  br i1 %dense, label %check.good, label %no
check.good:
  br label %check
fill.start:
  %last.old = sub i64 %oj, 1
  %last.at = getelementptr i64, ptr %old.strides, i64 %last.old
  %last = load i64, ptr %last.at
  br label %fill
fill:
  %j = phi i64 [ %nj, %fill.start ], [ %j.next, %fill ]
  %s = phi i64 [ %last, %fill.start ], [ %s.next, %fill ]
  %j.next = sub i64 %j, 1
  %s.at = getelementptr i64, ptr %strides, i64 %j.next
  store i64 %s, ptr %s.at
  %j.size.at = getelementptr i64, ptr %new, i64 %j.next
  %j.size = load i64, ptr %j.size.at
  %s.next = mul i64 %s, %j.size
  %j.done = icmp sle i64 %j.next, %ni
  br i1 %j.done, label %filled, label %fill
filled:
  br label %group
tail:
  %any = icmp sgt i64 %ni, 0
  br i1 %any, label %tail.some, label %yes
tail.some:
  %before = sub i64 %ni, 1
  %before.at = getelementptr i64, ptr %strides, i64 %before
  %before.stride = load i64, ptr %before.at
  br label %tail.head
tail.head:
  %t = phi i64 [ %ni, %tail.some ], [ %t.next, %tail.one ]
  %t.done = icmp eq i64 %t, %n
  br i1 %t.done, label %yes, label %tail.one
tail.one:
  %t.at = getelementptr i64, ptr %strides, i64 %t
  store i64 %before.stride, ptr %t.at
  %t.next = add i64 %t, 1
  br label %tail.head
yes:
  ret i1 true
no:
  ret i1 false
}
""",
    shared=True,
)

ROUTINES: Mapping[str, Routine] = {"reshape": _RESHAPE}
