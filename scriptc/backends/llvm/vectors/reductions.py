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
- Blocks are combined as a binary counter carries, so pairwise for any number of them. Threads that
  share a loop store the result of each block (a loop over at most 1024 elements gives it), and at
  the end one of them calls `sc_sum_of_blocks_f64`: the same bits as one loop over all.

The error of a sum is at most c log2(n) eps sum|x| with c = 4: 31 additions in a lane of f64 (15 of
f32), 5 or 6 across the lanes, and then one for each doubling of the number of blocks.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import reduce
from itertools import pairwise

from scriptc.backends.llvm.elementary.functions import Text
from scriptc.backends.llvm.emitter.effort import AS_WRITTEN
from scriptc_runtime.record import record

BLOCK = 1024  # elements
BLOCK_SHIFT = 10
CARRY_DEPTH = 64 - BLOCK_SHIFT
FEW = 4  # elements


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


def symbol(kind: Kind, type_: str) -> str:
    """Return the function that reduces a run: `T @sc_sum_f64(ptr data, i64 n, i64 stride)`.

    The stride counts elements. Maximum and minimum of no elements are infinite, or the least and
    greatest integer: whoever calls refuses them first.
    """
    return f"@sc_{kind.value}_{type_}"


def loop_functions(names: Iterable[tuple[Kind, str]]) -> Text:
    """Return the functions that the loops of these (kind, type) pairs call.

    Every text that holds such a loop needs them. A loop that counts needs none.
    """
    definitions: list[str] = []
    declarations: set[str] = set()
    for kind, type_ in _ordered(names):
        declarations |= _declarations(kind, TYPES[type_])
        if TYPES[type_].in_blocks:
            definitions += [_fold_function(kind, type_), _block_function(kind, type_)]
            definitions.append(_carry_functions(kind, type_))
    return Text("\n".join(definitions), frozenset(declarations))


def functions(names: Iterable[tuple[Kind, str]]) -> Text:
    """Return `symbol` of these pairs, what combines stored blocks, and all that they call."""
    wanted = _ordered(names)
    loops = loop_functions(wanted)
    definitions = [loops.definitions]
    for kind, type_ in wanted:
        if TYPES[type_].in_blocks:
            definitions.append(_stored_blocks_function(kind, type_))
        definitions.append(_run_function(kind, type_))
    return Text("\n".join(definitions), loops.declarations)


def _ordered(names: Iterable[tuple[Kind, str]]) -> list[tuple[Kind, str]]:
    return sorted(set(names), key=lambda name: (name[0].value, name[1]))


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


def _declarations(kind: Kind, t: ElementType) -> set[str]:
    found = t.declarations(kind)
    if not t.in_blocks:
        return found
    width = t.lanes
    v = t.shape(width)
    load = f"declare {v} @llvm.masked.load.v{width}{t.name}.p0(ptr, <{width} x i1>, {v})"
    found |= {load, "declare i64 @llvm.umin.i64(i64, i64)"}
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


def _in_place(data: str, type_: str, prefix: str) -> _Values:
    p, t = f"%{prefix}", TYPES[type_].llvm
    line = f"  {p}.values = getelementptr inbounds {t}, ptr {data}, i64 {p}.begin"
    return _Values((), line, f"{prefix}.block", f"{p}.values")


def _block_loop(
    kind: Kind, type_: str, n: str, values: _Values, prefix: str, look: Look = look_never
) -> Loop:
    p, t, name = f"%{prefix}", TYPES[type_].llvm, f"@sc_{kind.value}"
    looking, last = look(f"{p}.begin_next", values.exit)
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
  {p}.value = call {t} {name}_block_{type_}(ptr {values.pointer}, i64 {p}.size)
  {p}.count = lshr exact i64 {p}.begin, {BLOCK_SHIFT}
  call void {name}_carry_{type_}(ptr {p}.stack, i64 {p}.count, {t} {p}.value)
  {p}.begin_next = add nuw nsw i64 {p}.begin, {BLOCK}
{_indent(looking)}
  {p}.done = icmp sge i64 {p}.begin_next, {n}
  br i1 {p}.done, label {p}.end, label {p}.block
{prefix}.end:
  {p}.blocks = phi i64 [ 0, {p}.start ], [ {p}.count, %{last} ]
  {p}.any = zext i1 {p}.some to i64
  {p}.carried = add nuw nsw i64 {p}.blocks, {p}.any
  {p}.result = call {t} {name}_finish_{type_}(ptr {p}.stack, i64 {p}.carried)"""
    entry = (stack, *values.entry)
    return Loop(entry, tuple(text.splitlines()), f"{prefix}.end", f"{p}.result")


def _block_function(kind: Kind, type_: str) -> str:
    """`T @sc_sum_block_f64(ptr data, i64 n)`: reduces contiguous elements, at most a block of them.

    Whole rows of the accumulator come first; what is left fills a part of one more row. LLVM splits
    the wide vector into as many registers as it takes.
    """
    t = TYPES[type_]
    v, identity = f"<{t.lanes} x {t.llvm}>", t.identities[kind]
    places = ", ".join(f"i32 {lane}" for lane in range(t.lanes))
    head = f"{t.llvm} @sc_{kind.value}_block_{type_}(ptr readonly %data, i64 %n) {AS_WRITTEN}"
    return f"""\
define internal {head} {{
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
  %rest = call {v} @llvm.masked.load.v{t.lanes}{type_}.p0(ptr align {t.bits // 8} %from,
    <{t.lanes} x i1> %inside, {v} splat ({t.llvm} {identity}))
  %acc_part = {t.combine(kind, "%acc", "%rest", t.lanes)}
  br label %fold
fold:
  %all = phi {v} [ %acc, %tail ], [ %acc_part, %part ]
  %result = call {t.llvm} @sc_{kind.value}_fold_{type_}({v} %all, i64 %n)
  ret {t.llvm} %result
}}
"""


def _fold_function(kind: Kind, type_: str) -> str:
    """`T @sc_sum_fold_f64(<32 x T> lanes, i64 n)`: combines what `n` elements have made."""
    t = TYPES[type_]
    lanes = f"{t.shape(t.lanes)} %fold{t.lanes}"
    return f"""\
define internal {t.llvm} @sc_{kind.value}_fold_{type_}({lanes}, i64 %n) {AS_WRITTEN} {{
{fold_block(kind, t, t.lanes, "%n", "%")}
  ret {t.llvm} %block
}}
"""


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


def _carry_functions(kind: Kind, type_: str) -> str:
    """Combine blocks: each bit of their count stands for a full slot of 2^bit blocks on a stack.

    `void @sc_sum_carry_f64(ptr stack, i64 count, T value)` adds the result of block `count`,
    `T @sc_sum_finish_f64(ptr stack, i64 count)` combines the full slots.
    """
    t = TYPES[type_]
    name = f"@sc_{kind.value}"
    combine = t.combine(kind, "%earlier", "%later")
    return f"""\
define internal void {name}_carry_{type_}(ptr %stack, i64 %count, {t.llvm} %value) {AS_WRITTEN} {{
entry:
  br label %slot
slot:
  %depth = phi i64 [ 0, %entry ], [ %deeper, %carry ]
  %bits = phi i64 [ %count, %entry ], [ %bits_next, %carry ]
  %later = phi {t.llvm} [ %value, %entry ], [ %both, %carry ]
  %at = getelementptr inbounds {t.llvm}, ptr %stack, i64 %depth
  %full = trunc i64 %bits to i1
  br i1 %full, label %carry, label %store
carry:
  %earlier = load {t.llvm}, ptr %at
  %both = {combine}
  %bits_next = lshr i64 %bits, 1
  %deeper = add nuw nsw i64 %depth, 1
  br label %slot
store:
  store {t.llvm} %later, ptr %at
  ret void
}}
define internal {t.llvm} {name}_finish_{type_}(ptr readonly %stack, i64 %count) {AS_WRITTEN} {{
entry:
  br label %slot
slot:
  %depth = phi i64 [ 0, %entry ], [ %deeper, %next ]
  %bits = phi i64 [ %count, %entry ], [ %bits_next, %next ]
  %later = phi {t.llvm} [ {t.identities[kind]}, %entry ], [ %later_next, %next ]
  %done = icmp eq i64 %bits, 0
  br i1 %done, label %exit, label %look
look:
  %full = trunc i64 %bits to i1
  br i1 %full, label %take, label %next
take:
  %at = getelementptr inbounds {t.llvm}, ptr %stack, i64 %depth
  %earlier = load {t.llvm}, ptr %at
  %both = {combine}
  br label %next
next:
  %later_next = phi {t.llvm} [ %later, %look ], [ %both, %take ]
  %bits_next = lshr i64 %bits, 1
  %deeper = add nuw nsw i64 %depth, 1
  br label %slot
exit:
  ret {t.llvm} %later
}}
"""


def _stored_blocks_function(kind: Kind, type_: str) -> str:
    """`T @sc_sum_of_blocks_f64(ptr results, i64 count)`: combines stored results of blocks."""
    t = TYPES[type_]
    name = f"@sc_{kind.value}"
    return f"""\
define internal {t.llvm} {name}_of_blocks_{type_}(ptr readonly %results, i64 %count) nounwind {{
entry:
  %stack = alloca [{CARRY_DEPTH} x {t.llvm}], align 64
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %block ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %block, label %exit
block:
  %at = getelementptr inbounds {t.llvm}, ptr %results, i64 %i
  %value = load {t.llvm}, ptr %at
  call void {name}_carry_{type_}(ptr %stack, i64 %i, {t.llvm} %value)
  %next = add nuw nsw i64 %i, 1
  br label %head
exit:
  %total = call {t.llvm} {name}_finish_{type_}(ptr %stack, i64 %count)
  ret {t.llvm} %total
}}
"""


def _run_function(kind: Kind, type_: str) -> str:
    t = TYPES[type_].llvm
    if TYPES[type_].in_blocks:
        packed = _block_loop(kind, type_, "%n", _in_place("%data", type_, "packed"), "packed")
    else:
        packed = _plain_loop(kind, type_, "%n", _element_of_run(t, "packed", None), "packed")
    strided_element = _element_of_run(t, "strided", "%stride")
    strided = emit_reduction_loop(kind, type_, "%n", strided_element, "strided")
    return "\n".join(
        (
            f"define internal {t} {symbol(kind, type_)}(ptr readonly %data, i64 %n, i64 %stride)"
            " nounwind {",
            "entry:",
            *packed.entry,
            *strided.entry,
            "  %contiguous = icmp eq i64 %stride, 1",
            "  br i1 %contiguous, label %packed, label %strided",
            "packed:",
            *packed.lines,
            f"  ret {t} {packed.result}",
            "strided:",
            *strided.lines,
            f"  ret {t} {strided.result}",
            "}",
            "",
        )
    )


def _element_of_run(t: str, prefix: str, stride: str | None) -> Element:
    p = f"%{prefix}"

    def element(index: str) -> tuple[Sequence[str], str]:
        at = index if stride is None else f"{p}.place"
        place = [] if stride is None else [f"{at} = mul nsw i64 {index}, {stride}"]
        return [
            *place,
            f"{p}.from = getelementptr inbounds {t}, ptr %data, i64 {at}",
            f"{p}.loaded = load {t}, ptr {p}.from",
        ], f"{p}.loaded"

    return element


def _indent(lines: Iterable[str]) -> str:
    return "\n".join(f"  {line.strip()}" for line in lines)
