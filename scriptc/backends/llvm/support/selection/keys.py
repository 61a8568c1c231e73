"""Elements as signed integers in the same order, as LLVM IR, and walks that keep those in a range.

Floats are in order of their value, -0.0 before 0.0, and NaN comes last: their keys are their bits,
where those below zero have all but the sign inverted.  So one routine orders elements of a width,
whatever they are.

A walk reads vectors, where the processor can bring the lanes of a mask together; it needs room for
a vector behind what it keeps.  It may write where it reads.
"""

from collections.abc import Iterator
from itertools import count

from scriptc_runtime.record import record
from scriptc_runtime.types import DType

_VECTOR = 512  # bits
# What has `vpcompress` for lanes of 32 bits or more, and for others.
_COMPRESSES = {True: "+avx512f", False: "+avx512vbmi2"}
_MANTISSAS = {DType.F64: 52, DType.F32: 23, DType.F16: 10}


@record
class Keys:
    """The elements of a dtype as integers, `plain` where they are integers in order already."""

    dtype: DType
    plain: bool = False

    @property
    def bits(self) -> int:
        """The width of an element."""
        return 8 * self.dtype.itemsize

    @property
    def type(self) -> str:
        """The LLVM type of a key."""
        return f"i{self.bits}"

    @property
    def least(self) -> int:
        """The least key."""
        return -(1 << self.bits - 1)

    @property
    def most(self) -> int:
        """The largest key, that of NaN."""
        return (1 << self.bits - 1) - 1

    @property
    def has_nan(self) -> bool:
        """Whether some elements are no numbers."""
        return self.dtype.kind == "f" and not self.plain

    @property
    def infinity(self) -> int:
        """The bits of infinity."""
        mantissa = _MANTISSAS[self.dtype]
        return (1 << self.bits - 1) - (1 << mantissa)

    @property
    def nan(self) -> int:
        """The bits of a NaN."""
        return self.infinity | 1 << _MANTISSAS[self.dtype] - 1

    def lanes(self, features: str, width: int = 0) -> int:
        """Return how many elements are met at once, with others of `width` bits beside them."""
        width = max(width, self.bits)
        return _VECTOR // width if _COMPRESSES[width >= 32] in features else 1


class Lines:
    """Instructions on vectors, or on single elements where there is one lane."""

    def __init__(self, lanes: int, prefix: str) -> None:
        self.lanes = lanes
        self._names: Iterator[int] = count()
        self._prefix = prefix
        self.lines: list[str] = []

    def type(self, element: str) -> str:
        """Return the type of some elements."""
        return element if self.lanes == 1 else f"<{self.lanes} x {element}>"

    def constant(self, element: str, value: int) -> str:
        """Return a number in every lane."""
        return str(value) if self.lanes == 1 else f"splat ({element} {value})"

    def let(self, text: str) -> str:
        """Write an instruction and return the name of its result."""
        name = f"%{self._prefix}{next(self._names)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def write(self, text: str) -> None:
        """Write an instruction without a result."""
        self.lines.append(f"  {text}")

    def load(self, element: str, base: str, at: str, mask: str = "") -> str:
        """Load what lies at an index, where the mask is true if there is one."""
        place = self.let(f"getelementptr {element}, ptr {base}, i64 {at}")
        type_, align = self.type(element), int(element[1:]) // 8
        if not mask:
            return self.let(f"load {type_}, ptr {place}, align {align}")
        masks = f"<{self.lanes} x i1> {mask}"
        arguments = f"ptr align {align} {place}, {masks}, {type_} zeroinitializer"
        name = f"@llvm.masked.load.v{self.lanes}{element}.p0"
        return self.let(f"call {type_} {name}({arguments})")

    def key(self, keys: Keys, bits: str) -> str:
        """Return the keys of elements, which are given as integers of their bits."""
        if keys.plain or keys.dtype.kind in "ib":
            return bits
        type_ = self.type(keys.type)
        if keys.dtype.kind == "u":
            return self.let(f"xor {type_} {bits}, {self.constant(keys.type, keys.least)}")
        sign = self.let(f"ashr {type_} {bits}, {self.constant(keys.type, keys.bits - 1)}")
        others = self.let(f"lshr {type_} {sign}, {self.constant(keys.type, 1)}")
        key = self.let(f"xor {type_} {bits}, {others}")
        nan, most = self.is_nan(keys, bits), self.constant(keys.type, keys.most)
        return self.let(f"select {self.type('i1')} {nan}, {type_} {most}, {type_} {key}")

    def is_nan(self, keys: Keys, bits: str) -> str:
        """Return whether elements are NaN."""
        type_ = self.type(keys.type)
        size = self.let(f"and {type_} {bits}, {self.constant(keys.type, keys.most)}")
        return self.let(f"icmp ugt {type_} {size}, {self.constant(keys.type, keys.infinity)}")

    def count(self, truth: str) -> str:
        """Return how many of some conditions are true."""
        if self.lanes == 1:
            return self.let(f"zext i1 {truth} to i64")
        whole = f"i{self.lanes}"
        bits = self.let(f"bitcast <{self.lanes} x i1> {truth} to {whole}")
        found = self.let(f"call {whole} @llvm.ctpop.{whole}({whole} {bits})")
        return found if self.lanes == 64 else self.let(f"zext {whole} {found} to i64")

    def keep(self, element: str, values: str, mask: str, base: str, at: str) -> None:
        """Store the values under a mask side by side; what is behind them is overwritten."""
        type_ = self.type(element)
        if self.lanes > 1:
            name = f"@llvm.experimental.vector.compress.v{self.lanes}{element}"
            given = f"{type_} {values}, <{self.lanes} x i1> {mask}, {type_} poison"
            values = self.let(f"call {type_} {name}({given})")
        place = self.let(f"getelementptr {element}, ptr {base}, i64 {at}")
        self.write(f"store {type_} {values}, ptr {place}, align {int(element[1:]) // 8}")


def as_bits(keys: Keys, key: str) -> tuple[list[str], str]:
    """Return the instructions that turn a key into the bits of its element, and their result."""
    lines = Lines(1, "back")
    if not keys.has_nan:
        return lines.lines, lines.key(keys, key)
    t = keys.type
    sign = lines.let(f"ashr {t} {key}, {keys.bits - 1}")
    others = lines.let(f"lshr {t} {sign}, 1")
    bits = lines.let(f"xor {t} {key}, {others}")
    missing = lines.let(f"icmp eq {t} {key}, {keys.most}")
    found = lines.let(f"select i1 {missing}, {t} {keys.nan}, {t} {bits}")
    return lines.lines, found


@record
class Walk:
    """A function that keeps what lies between two keys, both included.

    It takes where elements lie, how many, the two keys, where to write, and, to keep something
    beside each of them (`beside`, an integer type), where that lies.  It writes keys, or the
    elements themselves; it returns how many were kept, and how many are less.
    """

    name: str
    keys: Keys
    as_keys: bool = True
    beside: str = ""

    def text(self, features: str) -> str:
        """Return the text of the function, for a processor with these features."""
        lanes = self.keys.lanes(features, int(self.beside[1:] or 0))
        t, v = self.keys.type, Lines(lanes, "").type(self.keys.type)
        last = ", ptr %beside" if self.beside else ""
        head = (
            f"define internal {{ i64, i64 }} @{self.name}"
            f"(ptr %in, i64 %n, {t} %low, {t} %high, ptr %out{last}) nounwind {{\nentry:"
        )
        if lanes == 1:
            bounds = f"  %lows = or {t} %low, 0\n  %highs = or {t} %high, 0"
        else:
            bounds = "\n".join(_splat(v, t, name) for name in ("low", "high"))
        return "\n".join((head, bounds, self._loop(lanes), self._rest(lanes), "}", ""))

    def _loop(self, lanes: int) -> str:
        body = Lines(lanes, "w")
        kept, less = self._step(body, "%i", "%kept", "")
        lines = "\n".join(body.lines)
        return f"""\
  %whole = and i64 %n, -{lanes}
  %some = icmp ne i64 %whole, 0
  br i1 %some, label %each, label %rest
each:
  %i = phi i64 [ 0, %entry ], [ %i.next, %each ]
  %kept = phi i64 [ 0, %entry ], [ %kept.next, %each ]
  %less = phi i64 [ 0, %entry ], [ %less.next, %each ]
{lines}
  %kept.next = add nuw nsw i64 %kept, {kept}
  %less.next = add nuw nsw i64 %less, {less}
  %i.next = add nuw nsw i64 %i, {lanes}
  %more = icmp ult i64 %i.next, %whole
  br i1 %more, label %each, label %rest
rest:
  %all.kept = phi i64 [ 0, %entry ], [ %kept.next, %each ]
  %all.less = phi i64 [ 0, %entry ], [ %less.next, %each ]"""

    def _rest(self, lanes: int) -> str:
        """Return what meets the elements that fill no vector, and the end."""
        pair = "{ i64, i64 }"
        if lanes == 1:
            return f"""\
  %first = insertvalue {pair} poison, i64 %all.kept, 0
  %both = insertvalue {pair} %first, i64 %all.less, 1
  ret {pair} %both"""
        body = Lines(lanes, "r")
        kept, less = self._step(body, "%whole", "%all.kept", "%inside")
        places = ", ".join(f"i32 {lane}" for lane in range(lanes))
        lines = "\n".join(body.lines)
        return f"""\
  %left = sub i64 %n, %whole
  %left.small = trunc i64 %left to i32
{_splat(f"<{lanes} x i32>", "i32", "left.small")}
  %inside = icmp ult <{lanes} x i32> <{places}>, %left.smalls
{lines}
  %end.kept = add nuw nsw i64 %all.kept, {kept}
  %end.less = add nuw nsw i64 %all.less, {less}
  %first = insertvalue {pair} poison, i64 %end.kept, 0
  %both = insertvalue {pair} %first, i64 %end.less, 1
  ret {pair} %both"""

    def _step(self, body: Lines, at: str, place: str, mask: str) -> tuple[str, str]:
        """Write what is done with some elements; return how many stay, and how many are less."""
        t = self.keys.type
        v, truths = body.type(t), body.type("i1")
        bits = body.load(t, "%in", at, mask)
        key = body.key(self.keys, bits)
        above = body.let(f"icmp sge {v} {key}, %lows")
        below = body.let(f"icmp sle {v} {key}, %highs")
        inside = body.let(f"and {truths} {above}, {below}")
        less = body.let(f"icmp slt {v} {key}, %lows")
        if mask:
            inside, less = (body.let(f"and {truths} {c}, {mask}") for c in (inside, less))
        values, element = (key if self.as_keys else bits), t
        if self.beside:
            values, element = body.load(self.beside, "%beside", at, mask), self.beside
        body.keep(element, values, inside, "%out", place)
        return body.count(inside), body.count(less)


def _splat(vector: str, element: str, name: str) -> str:
    lanes = vector[1:].split(" ", 1)[0]
    return (
        f"  %{name}.one = insertelement {vector} poison, {element} %{name}, i64 0\n"
        f"  %{name}s = shufflevector {vector} %{name}.one, {vector} poison, "
        f"<{lanes} x i32> zeroinitializer"
    )


def has_nan_text(keys: Keys) -> str:
    """Return the function that says whether there is a NaN among elements."""
    lanes = _VECTOR // keys.bits
    wide, one = Lines(lanes, "w"), Lines(1, "r")
    found = wide.is_nan(keys, wide.load(keys.type, "%in", "%i"))
    last = one.is_nan(keys, one.load(keys.type, "%in", "%k"))
    truths = f"<{lanes} x i1>"
    vector_lines, lines = "\n".join(wide.lines), "\n".join(one.lines)
    return f"""\
define internal i1 @has_nan(ptr %in, i64 %n) nounwind {{
entry:
  %whole = and i64 %n, -{lanes}
  %some = icmp ne i64 %whole, 0
  br i1 %some, label %each, label %rest
each:
  %i = phi i64 [ 0, %entry ], [ %i.next, %each ]
  %found = phi {truths} [ zeroinitializer, %entry ], [ %found.next, %each ]
{vector_lines}
  %found.next = or {truths} %found, {found}
  %i.next = add nuw nsw i64 %i, {lanes}
  %more = icmp ult i64 %i.next, %whole
  br i1 %more, label %each, label %rest
rest:
  %all = phi {truths} [ zeroinitializer, %entry ], [ %found.next, %each ]
  %any = call i1 @llvm.vector.reduce.or.v{lanes}i1({truths} %all)
  br label %head
head:
  %k = phi i64 [ %whole, %rest ], [ %k.next, %next ]
  %result = phi i1 [ %any, %rest ], [ %result.next, %next ]
  %left = icmp ult i64 %k, %n
  br i1 %left, label %next, label %done
next:
{lines}
  %result.next = or i1 %result, {last}
  %k.next = add nuw nsw i64 %k, 1
  br label %head
done:
  ret i1 %result
}}
"""


def declarations(keys: Keys, features: str) -> list[str]:
    """Return the declarations of what walks call."""
    found: dict[str, None] = {}
    for width in (0, 64):
        lanes = keys.lanes(features, width)
        if lanes == 1:
            continue
        masks = f"<{lanes} x i1>"
        found[f"declare i{lanes} @llvm.ctpop.i{lanes}(i{lanes})"] = None
        for element in dict.fromkeys((keys.type, f"i{max(width, keys.bits)}")):
            v, suffix = f"<{lanes} x {element}>", f"v{lanes}{element}"
            found[f"declare {v} @llvm.masked.load.{suffix}.p0(ptr, {masks}, {v})"] = None
            compress = f"@llvm.experimental.vector.compress.{suffix}({v}, {masks}, {v})"
            found[f"declare {v} {compress}"] = None
    if keys.has_nan:
        lanes = _VECTOR // keys.bits
        found[f"declare i1 @llvm.vector.reduce.or.v{lanes}i1(<{lanes} x i1>)"] = None
    return list(found)
