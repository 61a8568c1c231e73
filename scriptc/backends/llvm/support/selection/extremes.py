"""The place of the first largest, or least, element of a row, as LLVM IR.

    sc.part.max_first_f64    the index of the first largest element, or of the first NaN
    sc.part.min_first_f64    the same of the least

A block of a row is read in groups of four vectors. Each lane remembers its extreme, and in which
group it was first met: so only one group is looked at again, and no branch depends on where the
extreme of all is. The last group shares elements with the one before it.

For one element type this is an object of its own, compiled when the first function needs it, once
per cache.
"""

from collections.abc import Iterable, Sequence
from string import Template

from scriptc.backends.llvm.loading.machine_code import PART_PREFIX
from scriptc.backends.llvm.vectors.reductions import TYPES, ElementType, Kind
from scriptc_runtime.record import record
from scriptc_runtime.types import DType

PART = "first_"  # what the names of the parts begin with
KINDS = {"max": Kind.MAX, "min": Kind.MIN}
_VECTOR = 512  # bits
_GROUP = 4  # vectors
_GROUPS = 32  # of a block


def symbol(kind: str, dtype: DType) -> str:
    """Return the symbol of a function, for "max" or "min"."""
    return f"{PART_PREFIX}{kind}_{PART}{dtype.value}"


def extremes_text(part: str) -> str:
    """Return the text of a part."""
    dtype = DType(part.removeprefix(PART))
    kinds = [_Extreme(dtype, kind) for kind in KINDS]
    declared = {line: None for extreme in kinds for line in extreme.declarations()}
    return "\n".join((*declared, *(extreme.text() for extreme in kinds)))


@record
class _Extreme:
    """The functions for one dtype and kind."""

    dtype: DType
    kind: str

    @property
    def type(self) -> ElementType:
        return TYPES["u8" if self.dtype is DType.B1 else self.dtype.value]

    @property
    def lanes(self) -> int:
        return _VECTOR // self.type.bits

    @property
    def is_float(self) -> bool:
        return self.dtype.kind == "f"

    @property
    def vector(self) -> str:
        return self.type.shape(self.lanes)

    @property
    def masks(self) -> str:
        return f"<{self.lanes} x i1>"

    @property
    def number(self) -> str:
        """The type of the number of a group, as wide as an element."""
        return f"i{self.type.bits}"

    @property
    def identity(self) -> str:
        return self.type.identities[KINDS[self.kind]]

    @property
    def more(self) -> str:
        """What compares two values, of which the first may be the extreme."""
        way = "gt" if self.kind == "max" else "lt"
        if self.is_float:
            return f"fcmp o{way}"
        return f"icmp {'s' if self.dtype.kind == 'i' else 'u'}{way}"

    @property
    def across(self) -> str:
        """What finds the extreme of the lanes of a vector."""
        letter = "f" if self.is_float else self.more[5]
        return f"@llvm.vector.reduce.{letter}{self.kind}.v{self.lanes}{self.type.name}"

    @property
    def load(self) -> str:
        """What loads some lanes of a vector."""
        return f"@llvm.masked.load.v{self.lanes}{self.type.name}.p0"

    def declarations(self) -> Sequence[str]:
        """Return what the functions call."""
        v, whole = self.vector, f"i{self.lanes}"
        return (
            f"declare {v} {self.load}(ptr, {self.masks}, {v})",
            f"declare {self.type.llvm} {self.across}({v})",
            f"declare {whole} @llvm.cttz.{whole}({whole}, i1)",
            f"declare i1 @llvm.vector.reduce.or.v{self.lanes}i1({self.masks})",
            "declare i64 @llvm.umin.i64(i64, i64)",
            "declare i64 @llvm.smax.i64(i64, i64)",
            f"declare {self.number} @llvm.vector.reduce.umin.v{self.lanes}{self.number}"
            f"(<{self.lanes} x {self.number}>)",
        )

    def text(self) -> str:
        """Return the functions."""
        wide = self.type.bits == 64
        return _TEXT.substitute(
            symbol=symbol(self.kind, self.dtype),
            kind=self.kind,
            t=self.type.llvm,
            v=self.vector,
            masks=self.masks,
            lanes=self.lanes,
            group=_GROUP * self.lanes,
            block=_GROUPS * _GROUP * self.lanes,
            groups=_GROUPS,
            identity=self.identity,
            whole=f"i{self.lanes}",
            more=self.more,
            equal="fcmp oeq" if self.is_float else "icmp eq",
            across=self.across,
            flags="nnan nsz " if self.is_float else "",
            missing=f"fcmp uno {self.type.llvm} %x, %x" if self.is_float else "or i1 false, false",
            loads=_lines(line for k in range(_GROUP) for line in self._load(k)),
            part=_lines(line for k in range(_GROUP) for line in self._part(k)),
            top=_lines(self._top()),
            nan=_lines(self._nan()),
            place=_lines(self._place()),
            int=self.number,
            numbers=f"<{self.lanes} x {self.number}>",
            number="  %number = " + ("add i64 %i, 0" if wide else f"trunc i64 %i to {self.number}"),
            widen="" if wide else f"  %first.wide = zext {self.number} %first to i64\n",
            first_wide="%first" if wide else "%first.wide",
        )

    def _load(self, k: int) -> Sequence[str]:
        return (
            f"%x{k}.at = getelementptr {self.vector}, ptr %at, i64 {k}",
            f"%x{k} = load {self.vector}, ptr %x{k}.at, align {self.type.bits // 8}",
        )

    def _part(self, k: int) -> Sequence[str]:
        """Return the load of one of four vectors of which there are `%n` elements in all."""
        v, whole = self.vector, f"i{self.lanes}"
        given = (
            f"ptr align {self.type.bits // 8} %x{k}.at, {self.masks} %in{k}",
            f"{v} splat ({self.type.llvm} {self.identity})",
        )
        return (
            f"%x{k}.at = getelementptr {v}, ptr %at, i64 {k}",
            f"%left{k} = sub i64 %n, {k * self.lanes}",
            f"%some{k} = call i64 @llvm.smax.i64(i64 %left{k}, i64 0)",
            f"%full{k} = icmp uge i64 %some{k}, {self.lanes}",
            f"%shift{k} = select i1 %full{k}, i64 0, i64 %some{k}",
            f"%bits{k} = {'add' if self.lanes == 64 else 'trunc'} i64 %shift{k}"
            f"{', 0' if self.lanes == 64 else f' to {whole}'}",
            f"%one{k} = shl {whole} 1, %bits{k}",
            f"%ones{k} = sub {whole} %one{k}, 1",
            f"%mask{k} = select i1 %full{k}, {whole} -1, {whole} %ones{k}",
            f"%in{k} = bitcast {whole} %mask{k} to {self.masks}",
            f"%x{k} = call {v} {self.load}({', '.join(given)})",
        )

    def _top(self) -> Sequence[str]:
        """Return what makes the extreme of four vectors."""
        lines: list[str] = []
        for name, one, other in (("a", "%x0", "%x1"), ("b", "%x2", "%x3"), ("top", "%a", "%b")):
            lines.append(f"%{name}.more = {self.more} {self.vector} {one}, {other}")
            chosen = f"{self.vector} {one}, {self.vector} {other}"
            lines.append(f"%{name} = select {self.masks} %{name}.more, {chosen}")
        return lines

    def _nan(self) -> Sequence[str]:
        """Return what says in which lanes of four vectors there is NaN."""
        if not self.is_float:
            return (f"%nan = or {self.masks} zeroinitializer, zeroinitializer",)
        return (
            f"%nan.a = fcmp uno {self.vector} %x0, %x1",
            f"%nan.b = fcmp uno {self.vector} %x2, %x3",
            f"%nan = or {self.masks} %nan.a, %nan.b",
        )

    def _place(self) -> Sequence[str]:
        """Return what finds the first of the values in four vectors, which hold one."""
        whole, lines = f"i{self.lanes}", list[str]()
        equal = "fcmp oeq" if self.is_float else "icmp eq"
        for k in reversed(range(_GROUP)):
            lines += [
                f"%equal{k} = {equal} {self.vector} %x{k}, %values",
                f"%hits{k} = bitcast {self.masks} %equal{k} to {whole}",
                f"%lane{k} = call {whole} @llvm.cttz.{whole}({whole} %hits{k}, i1 false)",
                f"%own{k} = {'add' if self.lanes == 64 else 'zext'} {whole} %lane{k}"
                f"{', 0' if self.lanes == 64 else ' to i64'}",
            ]
            if k == _GROUP - 1:
                lines.append(f"%first{k} = add i64 %own{k}, 0")
                continue
            lines += [
                f"%behind{k} = add i64 %first{k + 1}, {self.lanes}",
                f"%none{k} = icmp eq {whole} %hits{k}, 0",
                f"%first{k} = select i1 %none{k}, i64 %behind{k}, i64 %own{k}",
            ]
        return lines


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"  {line}\n" for line in lines)


_TEXT = Template("""\
; The extreme of a block, its first place, and whether there is NaN, which leaves these open.
define internal { $t, i64, i1 } @${kind}_of_block(ptr %row, i64 %n) nounwind {
entry:
  %last = sub i64 %n, $group
  br label %each
each:
  %i = phi i64 [ 0, %entry ], [ %i.next, %each ]
  %best = phi $v [ splat ($t $identity), %entry ], [ %best.next, %each ]
  %where = phi $numbers [ zeroinitializer, %entry ], [ %where.next, %each ]
  %lost = phi $masks [ zeroinitializer, %entry ], [ %lost.next, %each ]
  %begin = mul i64 %i, $group
  %from = call i64 @llvm.umin.i64(i64 %begin, i64 %last)
  %at = getelementptr $t, ptr %row, i64 %from
$loads$top$nan  %better = $more $v %top, %best
  %best.next = select $masks %better, $v %top, $v %best
$number
  %number.one = insertelement $numbers poison, $int %number, i64 0
  %number.each = shufflevector $numbers %number.one, $numbers poison,
    <$lanes x i32> zeroinitializer
  %where.next = select $masks %better, $numbers %number.each, $numbers %where
  %lost.next = or $masks %lost, %nan
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %begin, %last
  br i1 %more, label %each, label %across
across:
  %value = call ${flags}$t $across($v %best.next)
  %any = call i1 @llvm.vector.reduce.or.v${lanes}i1($masks %lost.next)
  %one = insertelement $v poison, $t %value, i64 0
  %values = shufflevector $v %one, $v poison, <$lanes x i32> zeroinitializer
  %same = $equal $v %best.next, %values
  %wheres = select $masks %same, $numbers %where.next, $numbers splat ($int $groups)
  %first = call $int @llvm.vector.reduce.umin.v${lanes}$int($numbers %wheres)
$widen  %again.begin = mul i64 $first_wide, $group
  %again.from = call i64 @llvm.umin.i64(i64 %again.begin, i64 %last)
  %again.at = getelementptr $t, ptr %row, i64 %again.from
  %pair.at = call i64 @${kind}_place(ptr %again.at, $v %values)
  %place = add i64 %again.from, %pair.at
  %r0 = insertvalue { $t, i64, i1 } poison, $t %value, 0
  %r1 = insertvalue { $t, i64, i1 } %r0, i64 %place, 1
  %r2 = insertvalue { $t, i64, i1 } %r1, i1 %any, 2
  ret { $t, i64, i1 } %r2
}

define internal i64 @${kind}_place(ptr %at, $v %values) nounwind {
$loads$place  ret i64 %first0
}

; The same of a row with fewer elements than a group has.
define internal { $t, i64, i1 } @${kind}_of_few(ptr %at, i64 %n) nounwind {
$part$top$nan  %value = call ${flags}$t $across($v %top)
  %any = call i1 @llvm.vector.reduce.or.v${lanes}i1($masks %nan)
  %one = insertelement $v poison, $t %value, i64 0
  %values = shufflevector $v %one, $v poison, <$lanes x i32> zeroinitializer
$place  %r0 = insertvalue { $t, i64, i1 } poison, $t %value, 0
  %r1 = insertvalue { $t, i64, i1 } %r0, i64 %first0, 1
  %r2 = insertvalue { $t, i64, i1 } %r1, i1 %any, 2
  ret { $t, i64, i1 } %r2
}

define i64 @$symbol(ptr %row, i64 %n, i64 %step) nounwind {
entry:
  %dense = icmp eq i64 %step, 1
  br i1 %dense, label %near, label %apart
near:
  %few = icmp ult i64 %n, $group
  br i1 %few, label %once, label %block
once:
  %all = call { $t, i64, i1 } @${kind}_of_few(ptr %row, i64 %n)
  %all.place = extractvalue { $t, i64, i1 } %all, 1
  %all.nan = extractvalue { $t, i64, i1 } %all, 2
  br i1 %all.nan, label %apart, label %known
known:
  ret i64 %all.place
block:
  %begin = phi i64 [ 0, %near ], [ %end, %next ]
  %best = phi $t [ $identity, %near ], [ %best.next, %next ]
  %place = phi i64 [ 0, %near ], [ %place.next, %next ]
  %last = sub i64 %n, $group
  %start = call i64 @llvm.umin.i64(i64 %begin, i64 %last)
  %left = sub i64 %n, %start
  %count = call i64 @llvm.umin.i64(i64 %left, i64 $block)
  %at = getelementptr $t, ptr %row, i64 %start
  %found = call { $t, i64, i1 } @${kind}_of_block(ptr %at, i64 %count)
  %value = extractvalue { $t, i64, i1 } %found, 0
  %inner = extractvalue { $t, i64, i1 } %found, 1
  %nan = extractvalue { $t, i64, i1 } %found, 2
  br i1 %nan, label %apart, label %next
next:
  %better = $more $t %value, %best
  %best.next = select i1 %better, $t %value, $t %best
  %here = add i64 %start, %inner
  %place.next = select i1 %better, i64 %here, i64 %place
  %end = add i64 %start, %count
  %over = icmp eq i64 %end, %n
  br i1 %over, label %done, label %block
done:
  ret i64 %place.next

; One by one, until a NaN.
apart:
  %begun = phi i64 [ 0, %entry ], [ 0, %once ], [ %start, %block ]
  br label %one
one:
  %i = phi i64 [ %begun, %apart ], [ %i.next, %onward ]
  %top = phi $t [ $identity, %apart ], [ %top.next, %onward ]
  %top.place = phi i64 [ 0, %apart ], [ %top.place.next, %onward ]
  %offset = mul i64 %i, %step
  %x.at = getelementptr $t, ptr %row, i64 %offset
  %x = load $t, ptr %x.at
  %missing = $missing
  br i1 %missing, label %lost, label %onward
onward:
  %higher = $more $t %x, %top
  %top.next = select i1 %higher, $t %x, $t %top
  %top.place.next = select i1 %higher, i64 %i, i64 %top.place
  %i.next = add i64 %i, 1
  %end.one = icmp eq i64 %i.next, %n
  br i1 %end.one, label %all.met, label %one
all.met:
  ret i64 %top.place.next
lost:
  ret i64 %i
}
""")
