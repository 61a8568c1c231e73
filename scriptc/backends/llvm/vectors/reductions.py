"""Reductions as LLVM IR text: fast, and the same bits on every machine and any number of threads.

Integer results, maxima and minima do not depend on the order: they are plain loops, and LLVM's
vectoriser chooses. Floating-point sums and products do, so their order is fixed here:

- Elements are taken in blocks of 1024. A loop writes those of a block to a buffer on the stack; it
  vectorises like any elementwise loop, whatever the elements are. A contiguous array needs no
  buffer. (Accumulating inside that loop needs either `reassoc`, and with it an order that depends
  on the width of the machine, or an array of accumulators, which LLVM keeps in registers for some
  elements and some lane counts only, at three times the time to compile.)
- A block is reduced by one accumulator of 2048 bits, then its lanes pairwise. LLVM splits it into
  registers: four of AVX-512, which hides the latency of an addition, or eight of AVX2. A block of
  at most `FEW` elements is reduced in their order, as NumPy does it. `fold_lanes` and `fold_values`
  say so for vectors and for single values: a lane that has met no element changes nothing.
- Elements that are simple enough need no buffer: `rows.py` writes them as vectors of the
  accumulator's shape. Both ways give the same bits.
- Blocks are combined as a binary counter carries, so pairwise for any number of them.

What is done once for each block stands in the support code, see `blocks.py`.

The error of a sum is at most c log2(n) eps sum|x| with c = 4: 31 additions in a lane of f64 (15 of
f32), 5 or 6 across the lanes, and then one for each doubling of the number of blocks.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import reduce
from itertools import pairwise

from scriptc.backends.llvm.loading.machine_code import PART_PREFIX
from scriptc_runtime.record import record

BLOCK = 1024  # elements
BLOCK_SHIFT = 10
CARRY_DEPTH = 64 - BLOCK_SHIFT
FEW = 4  # elements
PART = "blocks_"  # what the names of the parts with `routine` begin with


class Kind(Enum):
    """How two elements are combined."""

    SUM = "sum"
    PRODUCT = "product"
    MAX = "max"
    MIN = "min"


# Takes the SSA name of an i64 index; gives the instructions of that element and its value.
Element = Callable[[str], tuple[Sequence[str], str]]
# Takes the SSA name of how many elements are done, and the label of the block at hand; gives the
# instructions that look for Ctrl-C now and then, and the label of the block that they end in.
Look = Callable[[str, str], tuple[Sequence[str], str]]


def look_never(_done: str, block: str) -> tuple[Sequence[str], str]:
    """Give no instructions, as loops over what memory holds need none."""
    return (), block


@record
class Loop:
    """The text of a reduction inside a function."""

    entry: tuple[str, ...]  # goes to the entry block of the function: stack memory
    lines: tuple[str, ...]  # continue the current block, and end in a new one ...
    exit: str  # ... of this label
    result: str


@record
class ElementType:
    """How elements of one dtype are combined."""

    name: str
    llvm: str
    bits: int
    in_blocks: bool
    operations: Mapping[Kind, str]  # an instruction, or an intrinsic without its suffix
    identities: Mapping[Kind, str]

    @property
    def lanes(self) -> int:
        """Elements of the accumulator of a block: four vectors of 512 bits."""
        return 2048 // self.bits

    def shape(self, lanes: int) -> str:
        """Return the LLVM type of that many elements."""
        return self.llvm if lanes == 1 else f"<{lanes} x {self.llvm}>"

    def combine(self, kind: Kind, a: str, b: str, lanes: int = 1) -> str:
        """Return the instruction that combines two values, or two vectors lane by lane."""
        operation, t = self.operations[kind], self.shape(lanes)
        if operation.startswith("@"):
            flag = "nsz " if self.in_blocks else ""  # which zero is left open; saves instructions
            # What is new stands first: LLVM looks for NaN there, and what came before need not
            # wait for that.
            return f"call {flag}{t} {self._intrinsic(kind, lanes)}({t} {b}, {t} {a})"
        return f"{operation} {t} {a}, {b}"

    def declarations(self, kind: Kind, lanes: int = 1) -> set[str]:
        """Return what a module that combines like this declares."""
        if not self.operations[kind].startswith("@"):
            return set()
        t = self.shape(lanes)
        return {f"declare {t} {self._intrinsic(kind, lanes)}({t}, {t})"}

    def _intrinsic(self, kind: Kind, lanes: int) -> str:
        vector = "" if lanes == 1 else f"v{lanes}"
        return f"{self.operations[kind]}.{vector}{self.name}"


def _float_type(name: str, llvm: str, bits: int) -> ElementType:
    return ElementType(
        name,
        llvm,
        bits,
        in_blocks=True,
        operations={
            Kind.SUM: "fadd",
            Kind.PRODUCT: "fmul",
            Kind.MAX: "@llvm.maximum",  # NaN if either is NaN, unlike maxnum
            Kind.MIN: "@llvm.minimum",
        },
        identities={
            Kind.SUM: "0.0",  # not -0.0: the sum of no elements is 0.0, and NumPy starts there too
            Kind.PRODUCT: "1.0",
            Kind.MAX: "0xFFF0000000000000",
            Kind.MIN: "0x7FF0000000000000",
        },
    )


def _integer_type(name: str, bits: int) -> ElementType:
    signed = name.startswith("i")
    least, greatest = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, -1)
    return ElementType(
        f"i{bits}",
        f"i{bits}",
        bits,
        in_blocks=False,
        operations={
            Kind.SUM: "add",
            Kind.PRODUCT: "mul",
            Kind.MAX: "@llvm.smax" if signed else "@llvm.umax",
            Kind.MIN: "@llvm.smin" if signed else "@llvm.umin",
        },
        identities={
            Kind.SUM: "0",
            Kind.PRODUCT: "1",
            Kind.MAX: str(least),
            Kind.MIN: str(greatest),
        },
    )


TYPES: Mapping[str, ElementType] = {
    "f64": _float_type("f64", "double", 64),
    "f32": _float_type("f32", "float", 32),
    **{f"{s}{bits}": _integer_type(f"{s}{bits}", bits) for s in "iu" for bits in (8, 16, 32, 64)},
}


def routine(name: str, kind: Kind, type_: str) -> str:
    """Return what a loop in blocks calls: one of the functions of `blocks.py`."""
    return f"@{PART_PREFIX}{name}_{PART}{kind.value}_{type_}"


def declarations(names: Iterable[tuple[Kind, str]]) -> frozenset[str]:
    """Return what a module with loops of these (kind, type) pairs declares.

    A loop that counts needs nothing.
    """
    found: set[str] = set()
    for kind, type_ in names:
        t = TYPES[type_]
        found |= t.declarations(kind)
        if t.in_blocks:
            found |= {"declare i64 @llvm.umin.i64(i64, i64)", *vector_declarations(kind, t)}
            found |= {f"declare {head}" for head in heads(kind, t).values()}
    return frozenset(found)


def heads(kind: Kind, t: ElementType) -> Mapping[str, str]:
    """Return the heads of the functions that loops in blocks call, by their names.

    LLVM sees no more of them where they are called.
    """
    one, pure = t.llvm, "nounwind willreturn memory"
    parameters = {
        "block": (one, "ptr nocapture readonly %data, i64 %n", "argmem: read"),
        "fold": (one, f"{t.shape(t.lanes)} %fold{t.lanes}, i64 %n", "none"),
        "carry": ("void", f"ptr nocapture %stack, i64 %count, {one} %value", "argmem: readwrite"),
        "finish": (one, "ptr nocapture readonly %stack, i64 %count", "argmem: read"),
    }
    return {
        name: f"{result} {routine(name, kind, t.name)}({given}) {pure}({memory})"
        for name, (result, given, memory) in parameters.items()
    }


def emit_reduction_loop(
    kind: Kind,
    type_: str,
    n: str,
    element: Element,
    prefix: str,
    hint: str = "",
    look: Look = look_never,
) -> Loop:
    """Return a loop that combines element(0) to element(n - 1), in the order of the module.

    `n` is an i64, at least 0. `element` is called once, so its text appears once; it may use
    several basic blocks, but then nothing is vectorised. `prefix` starts every name and label, and
    must differ from those of other loops of the function. Type b1 counts: its result is an i64.
    `hint` is metadata for the loop over elements, written `, !llvm.loop !7`. Only a loop in blocks
    uses `look`.
    """
    if type_ == "b1":
        return _plain_loop(kind, "i64", n, _widened(element, prefix), prefix, hint)
    if TYPES[type_].in_blocks:
        return _block_loop(kind, type_, n, _buffered(element, type_, prefix, hint), prefix, look)
    return _plain_loop(kind, type_, n, element, prefix, hint)


def vector_declarations(kind: Kind, t: ElementType) -> set[str]:
    """Return the declarations of what the accumulator of a block needs."""
    width = t.lanes
    v = t.shape(width)
    found = {f"declare {v} @llvm.masked.load.v{width}{t.name}.p0(ptr, <{width} x i1>, {v})"}
    while width > 1:
        found |= t.declarations(kind, width)
        width //= 2
    return found


def _widened(element: Element, prefix: str) -> Element:
    def count(index: str) -> tuple[Sequence[str], str]:
        lines, value = element(index)
        return [*lines, f"%{prefix}.one = zext i1 {value} to i64"], f"%{prefix}.one"

    return count


def _plain_loop(
    kind: Kind, type_: str, n: str, element: Element, prefix: str, hint: str = ""
) -> Loop:
    """Return a loop over one accumulator, which LLVM may take apart as it likes."""
    p, t = f"%{prefix}", TYPES[type_].llvm
    identity = TYPES[type_].identities[kind]
    lines, value = element(f"{p}.i")
    text = f"""\
  br label {p}.start
{prefix}.start:
  {p}.some = icmp sgt i64 {n}, 0
  br i1 {p}.some, label {p}.element, label {p}.end
{prefix}.element:
  {p}.i = phi i64 [ 0, {p}.start ], [ {p}.next, {p}.combine ]
  {p}.before = phi {t} [ {identity}, {p}.start ], [ {p}.after, {p}.combine ]
{_indent(lines)}
  br label {p}.combine
{prefix}.combine:
  {p}.after = {TYPES[type_].combine(kind, f"{p}.before", value)}
  {p}.next = add nuw nsw i64 {p}.i, 1
  {p}.done = icmp eq i64 {p}.next, {n}
  br i1 {p}.done, label {p}.end, label {p}.element{hint}
{prefix}.end:
  {p}.result = phi {t} [ {identity}, {p}.start ], [ {p}.after, {p}.combine ]"""
    return Loop((), tuple(text.splitlines()), f"{prefix}.end", f"{p}.result")


@record
class _Values:
    """Text that brings the elements of a block to contiguous memory; it ends in block `exit`.

    It may use the names .begin and .size of the block.
    """

    entry: tuple[str, ...]
    lines: str
    exit: str
    pointer: str


def _buffered(element: Element, type_: str, prefix: str, hint: str) -> _Values:
    p, t = f"%{prefix}", TYPES[type_].llvm
    lines, value = element(f"{p}.i")
    text = f"""\
  br label {p}.element
{prefix}.element:
  {p}.offset = phi i64 [ 0, {p}.block ], [ {p}.offset_next, {p}.keep ]
  {p}.i = add nuw nsw i64 {p}.begin, {p}.offset
{_indent(lines)}
  br label {p}.keep
{prefix}.keep:
  {p}.slot = getelementptr inbounds {t}, ptr {p}.values, i64 {p}.offset
  store {t} {value}, ptr {p}.slot
  {p}.offset_next = add nuw nsw i64 {p}.offset, 1
  {p}.full = icmp eq i64 {p}.offset_next, {p}.size
  br i1 {p}.full, label {p}.reduce, label {p}.element{hint}
{prefix}.reduce:"""
    buffer = f"  {p}.values = alloca [{BLOCK} x {t}], align 64"
    return _Values((buffer,), text, f"{prefix}.reduce", f"{p}.values")


def _block_loop(
    kind: Kind, type_: str, n: str, values: _Values, prefix: str, look: Look = look_never
) -> Loop:
    p, t, identity = f"%{prefix}", TYPES[type_].llvm, TYPES[type_].identities[kind]
    block, carry, finish = (routine(name, kind, type_) for name in ("block", "carry", "finish"))
    looking, last = look(f"{p}.begin_next", f"{prefix}.carry")
    stack = f"  {p}.stack = alloca [{CARRY_DEPTH} x {t}], align 64"
    text = f"""\
  br label {p}.start
{prefix}.start:
  {p}.some = icmp sgt i64 {n}, 0
  br i1 {p}.some, label {p}.block, label {p}.end
{prefix}.block:
  {p}.begin = phi i64 [ 0, {p}.start ], [ {p}.begin_next, %{last} ]
  {p}.left = sub nuw nsw i64 {n}, {p}.begin
  {p}.size = call i64 @llvm.umin.i64(i64 {p}.left, i64 {BLOCK})
{values.lines}
  {p}.value = call {t} {block}(ptr {values.pointer}, i64 {p}.size)
  {p}.short = icmp ule i64 {n}, {BLOCK}
  br i1 {p}.short, label {p}.end, label {p}.carry
{prefix}.carry:
  {p}.count = lshr exact i64 {p}.begin, {BLOCK_SHIFT}
  call void {carry}(ptr {p}.stack, i64 {p}.count, {t} {p}.value)
  {p}.begin_next = add nuw nsw i64 {p}.begin, {BLOCK}
{_indent(looking)}
  {p}.done = icmp sge i64 {p}.begin_next, {n}
  br i1 {p}.done, label {p}.finish, label {p}.block
{prefix}.finish:
  {p}.blocks = add nuw nsw i64 {p}.count, 1
  {p}.carried = call {t} {finish}(ptr {p}.stack, i64 {p}.blocks)
  br label {p}.end
{prefix}.end:
  {p}.result = phi {t} [ {identity}, {p}.start ], [ {p}.value, %{values.exit} ],
    [ {p}.carried, {p}.finish ]"""
    entry = (stack, *values.entry)
    return Loop(entry, tuple(text.splitlines()), f"{prefix}.end", f"{p}.result")


def fold_block(kind: Kind, t: ElementType, lanes: int, n: str, p: str) -> str:
    """Combine the lanes of %fold32, say, that have met `n` elements, to %block."""
    v, few = t.shape(lanes), f"{p}few."
    first = ", ".join(f"i32 {lane}" for lane in range(FEW))
    return f"""\
  {few}fold{FEW} = shufflevector {v} {p}fold{lanes}, {v} poison, <{FEW} x i32> <{first}>
{fold_lanes(kind, t, FEW, few)}
{fold_lanes(kind, t, lanes, p)}
  {few}hold = icmp ule i64 {n}, {FEW}
  {p}block = select i1 {few}hold, {t.llvm} {few}result, {t.llvm} {p}result"""


def fold_lanes(kind: Kind, t: ElementType, lanes: int, p: str) -> str:
    """Combine the lanes of %fold64, say, to %result: a few in their order, others pairwise.

    Of more, the halves give %fold32, and so on down to %fold2. `p` starts all these names, in place
    of the % sign.
    """
    if lanes <= FEW:
        return _fold_in_order(kind, t, lanes, p)
    lines: list[str] = []
    half = lanes // 2
    while half > 1:
        v = t.shape(2 * half)
        for name, start in (("low", 0), ("high", half)):
            picked = ", ".join(f"i32 {start + lane}" for lane in range(half))
            lines.append(
                f"  {p}{name}{half} = shufflevector {v} {p}fold{2 * half}, {v} poison,"
                f" <{half} x i32> <{picked}>"
            )
        combined = t.combine(kind, f"{p}low{half}", f"{p}high{half}", half)
        lines.append(f"  {p}fold{half} = {combined}")
        half //= 2
    lines += [
        f"  {p}low1 = extractelement {t.shape(2)} {p}fold2, i64 0",
        f"  {p}high1 = extractelement {t.shape(2)} {p}fold2, i64 1",
        f"  {p}result = {t.combine(kind, f'{p}low1', f'{p}high1')}",
    ]
    return "\n".join(lines)


def _fold_in_order(kind: Kind, t: ElementType, lanes: int, p: str) -> str:
    v, totals = t.shape(lanes), [f"{p}lane0", *(f"{p}total{i}" for i in range(1, lanes - 1))]
    lines = [f"  {p}lane{i} = extractelement {v} {p}fold{lanes}, i64 {i}" for i in range(lanes)]
    lines += [
        f"  {after} = {t.combine(kind, before, f'{p}lane{i}')}"
        for i, (before, after) in enumerate(pairwise([*totals, f"{p}result"]), 1)
    ]
    return "\n".join(lines)


def fold_values(values: Sequence[str], combine: Callable[[str, str], str]) -> str:
    """Combine values, at least one, as `fold_lanes` does the lanes that they would be."""
    if len(values) <= FEW:
        return reduce(combine, values)
    while len(values) > 1:
        half = 1 << ((len(values) - 1).bit_length() - 1)
        values = [*map(combine, values, values[half:]), *values[len(values) - half : half]]
    return values[0]


def _indent(lines: Iterable[str]) -> str:
    return "\n".join(f"  {line.strip()}" for line in lines)
