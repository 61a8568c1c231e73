"""Elements as signed integers in the same order, as LLVM IR.

Floats are in order of their value, -0.0 before 0.0, and NaN comes last: their keys are their bits,
where those below zero have all but the sign inverted.  So one routine orders elements of a width,
whatever they are.

Vectors are used where the processor can bring the lanes of a mask together.  With AVX-512 that is
an instruction; with AVX2 a table says for each mask how lanes of 32 and 64 bits are permuted.
"""

from collections.abc import Iterator
from itertools import count

from scriptc_runtime.record import record
from scriptc_runtime.types import DType

_VECTOR = 512  # bits
# What has `vpcompress` for lanes of 32 bits or more, and for others.
_COMPRESSES = {True: "+avx512f", False: "+avx512vbmi2"}
_PERMUTES, _PERMUTED = "+avx2", 256  # what permutes lanes of 32 bits, and how many bits of them
_BYTES, _INTEGERS = "<8 x i8>", "<8 x i32>"
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
        if _COMPRESSES[width >= 32] in features:
            return _VECTOR // width
        return _PERMUTED // width if width >= 32 and _PERMUTES in features else 1


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

    def both(self, *truths: str) -> str:
        """Return whether all of some conditions are true; "" is one that always is."""
        found, *others = (truth for truth in truths if truth)
        for other in others:
            found = self.let(f"and {self.type('i1')} {found}, {other}")
        return found

    def count(self, truth: str) -> str:
        """Return how many of some conditions are true."""
        if self.lanes == 1:
            return self.let(f"zext i1 {truth} to i64")
        whole = f"i{self.lanes}"
        bits = self.let(f"bitcast <{self.lanes} x i1> {truth} to {whole}")
        found = self.let(f"call {whole} @llvm.ctpop.{whole}({whole} {bits})")
        return found if self.lanes == 64 else self.let(f"zext {whole} {found} to i64")

    def keep(
        self, element: str, values: str, mask: str, base: str, at: str, limit: str = ""
    ) -> None:
        """Store the values under a mask side by side.

        What is behind them is overwritten, up to a whole vector, but with a `limit`: it is how many
        values are stored.
        """
        type_, align = self.type(element), int(element[1:]) // 8
        if self.lanes > 1 and self.lanes * int(element[1:]) == _PERMUTED:
            values = self._permuted(type_, values, mask)
        elif self.lanes > 1:
            name = f"@llvm.experimental.vector.compress.v{self.lanes}{element}"
            given = f"{type_} {values}, <{self.lanes} x i1> {mask}, {type_} poison"
            values = self.let(f"call {type_} {name}({given})")
        place = self.let(f"getelementptr {element}, ptr {base}, i64 {at}")
        if not limit:
            self.write(f"store {type_} {values}, ptr {place}, align {align}")
            return
        front = self.front(self.let(f"trunc i64 {limit} to i32"))
        given = f"{type_} {values}, ptr align {align} {place}, <{self.lanes} x i1> {front}"
        self.write(f"call void @llvm.masked.store.v{self.lanes}{element}.p0({given})")

    def front(self, count: str) -> str:
        """Return the mask of as many lanes in front as an i32 says."""
        vector, places = f"<{self.lanes} x i32>", range(self.lanes)
        one = self.let(f"insertelement {vector} poison, i32 {count}, i64 0")
        zeros = f"<{self.lanes} x i32> zeroinitializer"
        counts = self.let(f"shufflevector {vector} {one}, {vector} poison, {zeros}")
        numbers = ", ".join(f"i32 {place}" for place in places)
        return self.let(f"icmp ult {vector} <{numbers}>, {counts}")

    def _permuted(self, type_: str, values: str, mask: str) -> str:
        """Return a vector with the values under a mask in front, for AVX2."""
        whole = f"i{self.lanes}"
        bits = self.let(f"bitcast <{self.lanes} x i1> {mask} to {whole}")
        row = self.let(f"zext {whole} {bits} to i64")
        place = self.let(f"getelementptr {_BYTES}, ptr @lanes{self.lanes}, i64 {row}")
        narrow = self.let(f"load {_BYTES}, ptr {place}, align 8")
        order = self.let(f"zext {_BYTES} {narrow} to {_INTEGERS}")
        given = self.let(f"bitcast {type_} {values} to {_INTEGERS}")
        given = f"{_INTEGERS} {given}, {_INTEGERS} {order}"
        found = self.let(f"call {_INTEGERS} @llvm.x86.avx2.permd({given})")
        return self.let(f"bitcast {_INTEGERS} {found} to {type_}")


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


def declarations(keys: Keys, features: str, *, indices: bool) -> list[str]:
    """Return the declarations and tables of what walks call, with those over indices perhaps."""
    found: dict[str, None] = {}
    for element in dict.fromkeys((keys.type, "i64") if indices else (keys.type,)):
        lanes = keys.lanes(features, int(element[1:]))
        if lanes == 1:
            continue
        masks = f"<{lanes} x i1>"
        found[f"declare i{lanes} @llvm.ctpop.i{lanes}(i{lanes})"] = None
        for loaded in dict.fromkeys((keys.type, element)):
            v = f"<{lanes} x {loaded}>"
            found[f"declare {v} @llvm.masked.load.v{lanes}{loaded}.p0(ptr, {masks}, {v})"] = None
        v = f"<{lanes} x {element}>"
        found[f"declare void @llvm.masked.store.v{lanes}{element}.p0({v}, ptr, {masks})"] = None
        if lanes * int(element[1:]) == _PERMUTED:
            found[f"declare {_INTEGERS} @llvm.x86.avx2.permd({_INTEGERS}, {_INTEGERS})"] = None
            found[_permutations(lanes)] = None
        else:
            name = f"@llvm.experimental.vector.compress.v{lanes}{element}"
            found[f"declare {v} {name}({v}, {masks}, {v})"] = None
    if keys.has_nan:
        lanes = _VECTOR // keys.bits
        found[f"declare i1 @llvm.vector.reduce.or.v{lanes}i1(<{lanes} x i1>)"] = None
    return list(found)


def _permutations(lanes: int) -> str:
    """Return the table that says for each mask which eighths of a vector go in front."""
    each = 8 // lanes  # eighths of a lane
    rows: list[int] = []
    for mask in range(1 << lanes):
        kept = [lane for lane in range(lanes) if mask >> lane & 1]
        eighths = [each * lane + part for lane in kept for part in range(each)]
        rows += (*eighths, *[0] * (8 - len(eighths)))
    text = "".join(f"\\{eighth:02x}" for eighth in rows)
    return f'@lanes{lanes} = internal constant [{len(rows)} x i8] c"{text}", align 64'
