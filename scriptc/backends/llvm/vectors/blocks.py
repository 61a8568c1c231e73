"""What reductions do once for each block of elements, as LLVM IR.

    sc.part.block_blocks_sum_f64     reduces contiguous elements, at most a block of them
    sc.part.fold_blocks_sum_f64      combines the lanes of an accumulator that n elements have made
    sc.part.carry_blocks_sum_f64     adds the result of block `count` to a stack
    sc.part.finish_blocks_sum_f64    combines the full slots of the stack

Each bit of the count of blocks stands for a full slot of 2^bit blocks on the stack.

For one kind of reduction and one element type this is an object of its own, compiled when the first
function needs it, once per cache.
"""

from __future__ import annotations

from scriptc.backends.llvm.vectors import reductions


def blocks_text(part: str) -> str:
    """Return the text of a part."""
    kind, type_ = part.removeprefix(reductions.PART).split("_")
    return definitions(reductions.Kind(kind), type_)


def definitions(kind: reductions.Kind, type_: str) -> str:
    """Return the functions that loops of this kind call, and what these declare."""
    t = reductions.TYPES[type_]
    bodies = {
        "block": _block(kind, t),
        "fold": _fold(kind, t),
        "carry": _carry(kind, t),
        "finish": _finish(kind, t),
    }
    own = reductions.heads(kind, t)
    declared = (
        d for d in reductions.declarations([(kind, type_)]) if not d.endswith(tuple(own.values()))
    )
    functions = (f"define {own[name]} {{\n{body}\n}}\n" for name, body in bodies.items())
    return "\n".join((*sorted(declared), *functions))


def _block(kind: reductions.Kind, t: reductions.ElementType) -> str:
    # Whole rows of the accumulator come first; what is left fills a part of one more row. LLVM
    # splits the wide vector into as many registers as it takes.
    v, identity = f"<{t.lanes} x {t.llvm}>", t.identities[kind]
    places = ", ".join(f"i32 {lane}" for lane in range(t.lanes))
    return f"""\
entry:
  %rows_end = and i64 %n, {-t.lanes}
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %row ]
  %acc = phi {v} [ splat ({t.llvm} {identity}), %entry ], [ %acc_next, %row ]
  %from = getelementptr inbounds {t.llvm}, ptr %data, i64 %i
  %whole = icmp ult i64 %i, %rows_end
  br i1 %whole, label %row, label %tail
row:
  %values = load {v}, ptr %from, align {t.bits // 8}
  %acc_next = {t.combine(kind, "%acc", "%values", t.lanes)}
  %next = add nuw nsw i64 %i, {t.lanes}
  br label %head
tail:
  %left = sub nuw nsw i64 %n, %rows_end
  %some = icmp ne i64 %left, 0
  br i1 %some, label %part, label %fold
part:
  %left_small = trunc i64 %left to i32
  %left_first = insertelement <{t.lanes} x i32> poison, i32 %left_small, i64 0
  %left_all = shufflevector <{t.lanes} x i32> %left_first, <{t.lanes} x i32> poison,
    <{t.lanes} x i32> zeroinitializer
  %inside = icmp ult <{t.lanes} x i32> <{places}>, %left_all
  %rest = call {v} @llvm.masked.load.v{t.lanes}{t.name}.p0(ptr align {t.bits // 8} %from,
    <{t.lanes} x i1> %inside, {v} splat ({t.llvm} {identity}))
  %acc_part = {t.combine(kind, "%acc", "%rest", t.lanes)}
  br label %fold
fold:
  %all = phi {v} [ %acc, %tail ], [ %acc_part, %part ]
  %result = call {t.llvm} {reductions.routine("fold", kind, t.name)}({v} %all, i64 %n)
  ret {t.llvm} %result"""


def _fold(kind: reductions.Kind, t: reductions.ElementType) -> str:
    return f"""\
{reductions.fold_block(kind, t, t.lanes, "%n", "%")}
  ret {t.llvm} %block"""


def _carry(kind: reductions.Kind, t: reductions.ElementType) -> str:
    return f"""\
{_slots(t, "%value", "%both", "carry")}
  %at = getelementptr inbounds {t.llvm}, ptr %stack, i64 %depth
  %full = trunc i64 %bits to i1
  br i1 %full, label %carry, label %store
carry:
  %earlier = load {t.llvm}, ptr %at
  %both = {t.combine(kind, "%earlier", "%later")}
  %bits_next = lshr i64 %bits, 1
  %deeper = add nuw nsw i64 %depth, 1
  br label %slot
store:
  store {t.llvm} %later, ptr %at
  ret void"""


def _finish(kind: reductions.Kind, t: reductions.ElementType) -> str:
    return f"""\
{_slots(t, t.identities[kind], "%later_next", "next")}
  %done = icmp eq i64 %bits, 0
  br i1 %done, label %exit, label %look
look:
  %full = trunc i64 %bits to i1
  br i1 %full, label %take, label %next
take:
  %at = getelementptr inbounds {t.llvm}, ptr %stack, i64 %depth
  %earlier = load {t.llvm}, ptr %at
  %both = {t.combine(kind, "%earlier", "%later")}
  br label %next
next:
  %later_next = phi {t.llvm} [ %later, %look ], [ %both, %take ]
  %bits_next = lshr i64 %bits, 1
  %deeper = add nuw nsw i64 %depth, 1
  br label %slot
exit:
  ret {t.llvm} %later"""


def _slots(t: reductions.ElementType, first: str, more: str, end: str) -> str:
    """Return the head of a loop over the slots of a stack, with a value that each one changes.

    The value is `first`, and `more` behind each slot, where the block `end` goes on.
    """
    return f"""\
entry:
  br label %slot
slot:
  %depth = phi i64 [ 0, %entry ], [ %deeper, %{end} ]
  %bits = phi i64 [ %count, %entry ], [ %bits_next, %{end} ]
  %later = phi {t.llvm} [ {first}, %entry ], [ {more}, %{end} ]"""
