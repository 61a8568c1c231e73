"""What sorting would put at some places of a row, and rows parted there, as LLVM IR.

    sc.part.select_at_f64      writes the elements at some places of the sorted row
    sc.part.partition_by_f64   parts the row: what is less stands before such an element
    sc.part.order_by_f64       gives the indices that part it

A sample of the row says between which two values an element must lie: thrice the deviation that
its place in the sample may have, to both sides.  One walk over the row keeps what lies between
them, a fraction of it; after a few walks so little is left that it is sorted, by NumPy's own
function.  Where many elements are equal, and a walk does not leave half, the next one looks for a
single value.  A row made to mislead the samples is sorted in the end.

For one element type the first of them is an object of its own, and the others are another. Each is
compiled when the first function needs it, once per cache.  Statuses are 0, 1 where there is no
memory, and 2 where the row has no such place.
"""

from collections.abc import Iterator, Mapping
from string import Template

from scriptc.backends.llvm.loading import numpy_routines
from scriptc.backends.llvm.loading.machine_code import PART_PREFIX
from scriptc.backends.llvm.support.selection.keys import (
    Keys,
    Lines,
    as_bits,
    declarations,
    has_nan_text,
)
from scriptc.backends.llvm.support.selection.parting import PARTING_TEXT
from scriptc.backends.llvm.support.selection.walks import Split, Walk
from scriptc_runtime.types import DType

# What the names of the parts begin with: of those that give elements, and that part rows.
SELECTING, PARTING = "at_", "by_"
PARTS = {"select": SELECTING, "partition": PARTING, "order": PARTING}
# Elements that NumPy sorts as fast as they are parted, and walks after which it sorts the rest.
_SHORT, _WALKS = 256, 24
# Places that are found one by one; a walk or two each is less than sorting the row.
_FEW = 24
# From so many elements on the sample is larger.
_SAMPLES = ((1 << 17, 1024), (1 << 13, 256), (0, 64))


def symbol(what: str, dtype: DType) -> str:
    """Return the symbol of a function: "select", "partition" or "order"."""
    return f"{PART_PREFIX}{what}_{PARTS[what]}{dtype.value}"


def selection_text(part: str, features: str) -> str:
    """Return the text of a part, for a processor with these features."""
    selects = part.startswith(SELECTING)
    dtype = DType(part.removeprefix(SELECTING if selects else PARTING))
    keys, plain = Keys(dtype), Keys(dtype, plain=True)
    walks = [Walk("keep", keys).text(features), Walk("keep_keys", plain).text(features)]
    common = {
        "sort": numpy_routines.sort_symbol(f"int{keys.bits}", "quicksort", order=False),
        "t": keys.type,
        "size": dtype.itemsize,
        "least": keys.least,
        "most": keys.most,
        "short": _SHORT,
    }
    texts = [
        *(*declarations(keys, features, indices=not selects), *walks),
        _FINDING.substitute(common, **_samples(keys)),
    ]
    if not selects:
        return "\n".join((*texts, *_parting(keys, common, features)))
    if keys.has_nan:
        texts.append(has_nan_text(keys))
    return "\n".join((*texts, _SELECTING.substitute(common, **_elements(keys))))


def _samples(keys: Keys) -> Mapping[str, object]:
    """Return what the text that finds elements has in particular."""
    step, sample_bits = _sampled(keys)
    return {
        "walks": _WALKS,
        "step": step,
        "sample_bits": sample_bits,
        **{f"from{i}": least for i, (least, _) in enumerate(_SAMPLES)},
        **{f"sample{i}": size for i, (_, size) in enumerate(_SAMPLES)},
    }


def _elements(keys: Keys) -> Mapping[str, object]:
    """Return what the text that gives elements has in particular."""
    back, bits = as_bits(keys, "%key")
    return {
        "select": symbol("select", keys.dtype),
        "nan": keys.nan if keys.has_nan else 0,
        "look": "call i1 @has_nan(ptr %row, i64 %n)" if keys.has_nan else "or i1 false, false",
        "room": _SHORT + 64,
        "few": _FEW,
        "back": "\n".join(back),
        "bits": bits,
    }


def _parting(keys: Keys, common: Mapping[str, object], features: str) -> Iterator[str]:
    """Return what parts rows."""
    elements, indices = Split("split", keys), Split("split_indices", keys, beside="i64")
    yield elements.text(features)
    yield indices.text(features)
    symbols = {what: symbol(what, keys.dtype) for what in ("partition", "order")}
    gaps = {"gap": elements.gap(features), "gap_beside": indices.gap(features)}
    yield PARTING_TEXT.substitute(common, **symbols, **gaps)


def _sampled(keys: Keys) -> tuple[str, str]:
    """Return the instructions that make a key of `%bits`, and it."""
    lines = Lines(1, "s")
    key = lines.key(keys, "%bits")
    return "\n".join(lines.lines), key


_FINDING = Template("""\
declare ptr @aligned_alloc(i64, i64)
declare void @free(ptr)
declare i32 @$sort(ptr, i64, ptr)
declare double @llvm.sqrt.f64(double)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)

define internal ptr @memory(i64 %n, i64 %size) nounwind {
  ; With room behind the last element for a vector.
  %most = icmp ule i64 %n, 70368744177664
  br i1 %most, label %take, label %none
take:
  %bytes = mul i64 %n, %size
  %more = add i64 %bytes, 191
  %whole = and i64 %more, -64
  %memory = call ptr @aligned_alloc(i64 64, i64 %whole)
  ret ptr %memory
none:
  ret ptr null
}

; Take some elements from all over a row, each from a stretch of its own, as keys.
define internal void @sample(ptr %in, i64 %n, i64 %count, ptr %out, i1 %raw) nounwind {
entry:
  %wide = uitofp i64 %n to double
  %parts = uitofp i64 %count to double
  %step = fdiv double %wide, %parts
  %last = sub i64 %n, 1
  br label %each
each:
  %k = phi i64 [ 0, %entry ], [ %k.next, %each ]
  %state = phi i64 [ 1, %entry ], [ %state.next, %each ]
  %grown = mul i64 %state, 1103515245
  %state.next = urem i64 %grown, 2147483647
  %chance = uitofp i64 %state.next to double
  %share = fmul double %chance, 0x3E00000000200000
  %number = uitofp i64 %k to double
  %stretch = fadd double %number, %share
  %at = fmul double %stretch, %step
  %near = fptoui double %at to i64
  %index = call i64 @llvm.smin.i64(i64 %near, i64 %last)
  %place = getelementptr $t, ptr %in, i64 %index
  %bits = load $t, ptr %place
$step
  %key = select i1 %raw, $t $sample_bits, $t %bits
  %to = getelementptr $t, ptr %out, i64 %k
  store $t %key, ptr %to
  %k.next = add i64 %k, 1
  %done = icmp eq i64 %k.next, %count
  br i1 %done, label %end, label %each
end:
  ret void
}

; Leave the keys around a place of the sorted row in a buffer, in order: the place of the first and
; how many there are, none where there is no memory. What equals one of them is among them.
define internal { i64, i64 } @around(ptr %row, i64 %n, i64 %place, ptr %buffer) nounwind {
entry:
  %sample = alloca [$sample0 x $t], align 64
  br label %look
look:
  %raw = phi i1 [ true, %entry ], [ false, %found ], [ false, %missed ]
  %m = phi i64 [ %n, %entry ], [ %kept, %found ], [ %again.kept, %missed ]
  %first = phi i64 [ 0, %entry ], [ %found.first, %found ], [ %again.less, %missed ]
  %wide = phi i1 [ true, %entry ], [ %halves, %found ], [ true, %missed ]
  %floor = phi $t [ $least, %entry ], [ %low, %found ], [ %again.low, %missed ]
  %ceiling = phi $t [ $most, %entry ], [ %high, %found ], [ %again.high, %missed ]
  %walk = phi i64 [ 0, %entry ], [ %walk.next, %found ], [ %walk.next, %missed ]
  %walk.next = add i64 %walk, 1
  %few = icmp ule i64 %m, $short
  %tired = icmp uge i64 %walk, $walks
  %enough = or i1 %few, %tired
  br i1 %enough, label %finish, label %pick

pick:
  %large = icmp uge i64 %m, $from0
  %middling = icmp uge i64 %m, $from1
  %smaller = select i1 %middling, i64 $sample1, i64 $sample2
  %size = select i1 %large, i64 $sample0, i64 %smaller
  %from = select i1 %raw, ptr %row, ptr %buffer
  call void @sample(ptr %from, i64 %m, i64 %size, ptr %sample, i1 %raw)
  %sorted = call i32 @$sort(ptr %sample, i64 %size, ptr null)
  %failed = icmp ne i32 %sorted, 0
  br i1 %failed, label %none, label %choose
choose:
  %rank = sub i64 %place, %first
  %rank.wide = uitofp i64 %rank to double
  %m.wide = uitofp i64 %m to double
  %size.wide = uitofp i64 %size to double
  %share = fdiv double %rank.wide, %m.wide
  %rest = fsub double 1.0, %share
  %middle.wide = fmul double %share, %size.wide
  %middle.any = fptoui double %middle.wide to i64
  %size.last = sub i64 %size, 1
  %middle = call i64 @llvm.smin.i64(i64 %middle.any, i64 %size.last)
  %variance = fmul double %middle.wide, %rest
  %deviation = call double @llvm.sqrt.f64(double %variance)
  %thrice = fmul double %deviation, 3.0
  %reach = fptoui double %thrice to i64
  %more = add i64 %reach, 2
  %spread = select i1 %wide, i64 %more, i64 0
  %low.any = sub i64 %middle, %spread
  %high.any = add i64 %middle, %spread
  %low.place = call i64 @llvm.smax.i64(i64 %low.any, i64 0)
  %high.place = call i64 @llvm.smin.i64(i64 %high.any, i64 %size.last)
  %low.at = getelementptr $t, ptr %sample, i64 %low.place
  %low.key = load $t, ptr %low.at
  %high.at = getelementptr $t, ptr %sample, i64 %high.place
  %high.key = load $t, ptr %high.at
  ; Beyond the ends of the sample there is no bound but what is known already.
  %lowest = icmp slt i64 %low.any, 0
  %low = select i1 %lowest, $t %floor, $t %low.key
  %highest = icmp sgt i64 %high.any, %size.last
  %high = select i1 %highest, $t %ceiling, $t %high.key
  br i1 %raw, label %walk.row, label %walk.buffer
walk.row:
  %row.pair = call { i64, i64 } @keep(ptr %row, i64 %n, $t %low, $t %high, ptr %buffer)
  br label %walked
walk.buffer:
  %buffer.pair = call { i64, i64 } @keep_keys(
    ptr %buffer, i64 %m, $t %low, $t %high, ptr %buffer)
  br label %walked
walked:
  %pair = phi { i64, i64 } [ %row.pair, %walk.row ], [ %buffer.pair, %walk.buffer ]
  %kept = extractvalue { i64, i64 } %pair, 0
  %less = extractvalue { i64, i64 } %pair, 1
  %below = icmp ult i64 %rank, %less
  %end = add i64 %less, %kept
  %above = icmp uge i64 %rank, %end
  %outside = or i1 %below, %above
  br i1 %outside, label %missed, label %inside
inside:
  %found.first = add i64 %first, %less
  %equal = icmp eq $t %low, %high
  br i1 %equal, label %same, label %found
same:
  %same.first = insertvalue { i64, i64 } poison, i64 %found.first, 0
  %same.both = insertvalue { i64, i64 } %same.first, i64 %kept, 1
  ret { i64, i64 } %same.both
found:
  %twice = shl i64 %kept, 1
  %halves = icmp ult i64 %twice, %m
  br label %look
missed:
  ; The buffer has lost what was wanted: it is taken from the row once more.
  %before = sub $t %low, 1
  %behind = add $t %high, 1
  %again.low = select i1 %below, $t %floor, $t %behind
  %again.high = select i1 %below, $t %before, $t %ceiling
  %again = call { i64, i64 } @keep(ptr %row, i64 %n, $t %again.low, $t %again.high, ptr %buffer)
  %again.kept = extractvalue { i64, i64 } %again, 0
  %again.less = extractvalue { i64, i64 } %again, 1
  br label %look

finish:
  br i1 %raw, label %all, label %order
all:
  %all.pair = call { i64, i64 } @keep(ptr %row, i64 %n, $t $least, $t $most, ptr %buffer)
  br label %order
order:
  %ordered = call i32 @$sort(ptr %buffer, i64 %m, ptr null)
  %unordered = icmp ne i32 %ordered, 0
  br i1 %unordered, label %none, label %done
done:
  %done.first = insertvalue { i64, i64 } poison, i64 %first, 0
  %done.both = insertvalue { i64, i64 } %done.first, i64 %m, 1
  ret { i64, i64 } %done.both
none:
  ret { i64, i64 } zeroinitializer
}

; Whether a row has all of the places.
define internal i1 @has_places(ptr %places, i64 %count, i64 %apart, i64 %n) nounwind {
entry:
  br label %each
each:
  %k = phi i64 [ 0, %entry ], [ %k.next, %next ]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %look, label %yes
look:
  %offset = mul i64 %k, %apart
  %at = getelementptr i64, ptr %places, i64 %offset
  %place = load i64, ptr %at
  %k.next = add i64 %k, 1
  %good = icmp ult i64 %place, %n
  br i1 %good, label %next, label %no
next:
  br label %each
yes:
  ret i1 true
no:
  ret i1 false
}
""")

# What the parts that give elements have beside it.
_SELECTING = Template("""\
define i32 @$select(ptr %given, i64 %n, i64 %step, ptr %places, i64 %count, i64 %apart, ptr %out)
    nounwind {
entry:
  %possible = call i1 @has_places(ptr %places, i64 %count, i64 %apart, i64 %n)
  br i1 %possible, label %lies, label %impossible
impossible:
  ret i32 2
lies:
  %dense = icmp eq i64 %step, 1
  br i1 %dense, label %dense.row, label %gather
dense.row:
  %dense.status = call i32 @selected(
    ptr %given, i64 %n, ptr %places, i64 %count, i64 %apart, ptr %out)
  ret i32 %dense.status
gather:
  %copy = call ptr @memory(i64 %n, i64 $size)
  %nowhere = icmp eq ptr %copy, null
  br i1 %nowhere, label %no, label %each
each:
  %i = phi i64 [ 0, %gather ], [ %i.next, %element ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %element, label %copied
element:
  %offset = mul i64 %i, %step
  %from = getelementptr $t, ptr %given, i64 %offset
  %bits = load $t, ptr %from
  %to = getelementptr $t, ptr %copy, i64 %i
  store $t %bits, ptr %to
  %i.next = add i64 %i, 1
  br label %each
copied:
  %status = call i32 @selected(ptr %copy, i64 %n, ptr %places, i64 %count, i64 %apart, ptr %out)
  call void @free(ptr %copy)
  ret i32 %status
no:
  ret i32 1
}

; The same of a row that lies side by side, and has the places.
define internal i32 @selected(
    ptr %row, i64 %n, ptr %places, i64 %count, i64 %apart, ptr %out) nounwind {
entry:
  %stack = alloca [$room x $t], align 64
  %missing = $look
  br i1 %missing, label %fill, label %room
fill:
  %f = phi i64 [ 0, %entry ], [ %f.next, %fill.one ]
  %f.more = icmp ult i64 %f, %count
  br i1 %f.more, label %fill.one, label %filled
fill.one:
  %f.at = getelementptr $t, ptr %out, i64 %f
  store $t $nan, ptr %f.at
  %f.next = add i64 %f, 1
  br label %fill
filled:
  ret i32 0

room:
  %short = icmp ule i64 %n, $short
  br i1 %short, label %start, label %take
take:
  %taken = call ptr @memory(i64 %n, i64 $size)
  %nowhere = icmp eq ptr %taken, null
  br i1 %nowhere, label %no, label %start
start:
  %buffer = phi ptr [ %stack, %room ], [ %taken, %take ]
  %owned = phi ptr [ null, %room ], [ %taken, %take ]
  %many = icmp ugt i64 %count, $few
  br i1 %many, label %sort, label %each
sort:
  %whole.pair = call { i64, i64 } @keep(ptr %row, i64 %n, $t $least, $t $most, ptr %buffer)
  %sorted = call i32 @$sort(ptr %buffer, i64 %n, ptr null)
  %unsorted = icmp ne i32 %sorted, 0
  br i1 %unsorted, label %failed, label %each

each:
  %k = phi i64 [ 0, %start ], [ 0, %sort ], [ %k.next, %give ]
  %first = phi i64 [ 0, %start ], [ 0, %sort ], [ %near.first, %give ]
  %m = phi i64 [ 0, %start ], [ %n, %sort ], [ %near.m, %give ]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %one, label %done
one:
  %place.offset = mul i64 %k, %apart
  %place.at = getelementptr i64, ptr %places, i64 %place.offset
  %place = load i64, ptr %place.at
  %offset = sub i64 %place, %first
  %there = icmp ult i64 %offset, %m
  br i1 %there, label %give, label %search
search:
  %pair = call { i64, i64 } @around(ptr %row, i64 %n, i64 %place, ptr %buffer)
  %pair.first = extractvalue { i64, i64 } %pair, 0
  %pair.m = extractvalue { i64, i64 } %pair, 1
  %nothing = icmp eq i64 %pair.m, 0
  br i1 %nothing, label %failed, label %give
give:
  %near.first = phi i64 [ %first, %one ], [ %pair.first, %search ]
  %near.m = phi i64 [ %m, %one ], [ %pair.m, %search ]
  %near.at = sub i64 %place, %near.first
  %key.at = getelementptr $t, ptr %buffer, i64 %near.at
  %key = load $t, ptr %key.at
$back
  %out.at = getelementptr $t, ptr %out, i64 %k
  store $t $bits, ptr %out.at
  %k.next = add i64 %k, 1
  br label %each
done:
  call void @free(ptr %owned)
  ret i32 0
failed:
  call void @free(ptr %owned)
  ret i32 1
no:
  ret i32 1
}
""")
