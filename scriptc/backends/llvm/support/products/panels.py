"""Inner loops of products of matrices and vectors, as LLVM IR: panels of a few rows.

    dots8x1    adds sums along 8 rows of a matrix, each times a vector, to 8 numbers
    dots8x2    the same for two vectors at once
    axpys8x1   adds 8 rows of a matrix, each times a number, to a row of results
    axpys8x2   adds them to two rows of results, with numbers for each
    dotsfar8x1 and axpysfar8x1    the same for a matrix that no cache close by holds

Each is compiled when it is first called.

Both read their rows side by side: memory is read in as many streams, and the vector, or the row of
results, is loaded once for all of them.  More than 8 streams are slower than 8, though registers
would hold the sums of 16 rows, and so are fewer.  For two vectors an element is loaded once.

Of rows that come from memory the last bytes ask for the first ones of the rows that follow: without
that, eight streams would start anew every time, and short rows are little more than their start.
Sixteen steps an iteration are faster than four there with AVX-512, and slower where a cache holds
the matrix; without it eight are as fast.

The order of the additions is fixed, whatever the number of rows that are read together.  A sum
along a row has one accumulator of 512 bits, whose lanes are added in pairs at the end.  What is
added to a row of results is the sum, in pairs, of `GROUP` scaled rows; the rows that are left are
added one by one.
"""

from collections.abc import Callable, Mapping, Sequence
from string import Template

from scriptc.backends.llvm.loading.machine_code import PART_PREFIX
from scriptc.backends.llvm.vectors.lanes import locality
from scriptc.backends.llvm.vectors.reductions import TYPES, ElementType
from scriptc_runtime.record import record

GROUP = 8  # rows that are added up before they are added to the results
WIDE = 8  # rows that are summed up side by side
TOGETHER = 2  # vectors that meet an element in a register: 16 numbers or sums, and 8 elements
NARROW = 4  # rows of the panel for what whole panels leave
# Steps of an iteration for one vector: of a matrix that a cache close by holds, and of others, if a
# step is one vector of the processor.
_NEAR_STEPS, _FAR_STEPS = 4, 16
# Bytes of each row that iterations ask for ahead of time. Processors look ahead only as far as the
# instructions reach that may wait for memory, and two stand there for each load. It goes to the
# second-level cache: eight streams into the first one are up to 1.5 times slower.
_AHEAD, _LEVEL = 1 << 10, 2
_BITS = 512
# What the functions are called, and the objects that hold them: "dots8x1_f64".
DOTS, AXPYS = "dots", "axpys"


@record
class Panel:
    """What the loops of a kind of product have in common: `scaled` matrices are scaled first."""

    dtype: str
    scaled: bool

    @property
    def type(self) -> ElementType:
        """How elements are combined."""
        return TYPES[self.dtype]

    @property
    def name(self) -> str:
        """What the names of the functions end in."""
        return f"{self.dtype}{'_scaled' if self.scaled else ''}"

    @property
    def lanes(self) -> int:
        """Elements of a vector."""
        return _BITS // self.type.bits

    @property
    def vector(self) -> str:
        """The LLVM type of a vector."""
        return self.type.shape(self.lanes)

    def masked(self, action: str) -> str:
        """Return the name of a load, or a store, of some lanes."""
        return f"@llvm.masked.{action}.v{self.lanes}{self.dtype}.p0"


@record
class Rows:
    """How many rows a loop reads side by side, and how many vectors meet them.

    Rows that are far, in no cache close by, it asks for ahead of time, and takes `far` steps in an
    iteration.
    """

    count: int
    vectors: int
    far: int = 0

    def symbol(self, what: str, panel: Panel) -> str:
        """Return the symbol of the function that does `what`."""
        far = "far" if self.far else ""
        return f"{PART_PREFIX}rows_{what}{far}{self.count}x{self.vectors}_{panel.name}"


PANELS = {p.name: p for p in (Panel(t, s) for t in ("f64", "f32") for s in (False, True))}


def loops(what: str, features: str) -> Mapping[str, Rows]:
    """Return the loops that do `what` on a processor with these features, by their roles.

    Whole panels meet several vectors, or one, near or far; then come the rows that are left.
    """
    # Without so many registers of 512 bits, a vector at a time, and a step is two of theirs.
    many = "+avx512f" in features
    wide, together, far = (WIDE, TOGETHER, _FAR_STEPS) if many else (NARROW, 1, _FAR_STEPS // 2)
    left = {"left": Rows(NARROW, 1)}
    if what == AXPYS:
        wide = GROUP
        left = {"left_several": Rows(1, together), "left": Rows(1, 1)}
    return {
        "several": Rows(wide, together),
        "near": Rows(wide, 1),
        "far": Rows(wide, 1, far),
        **left,
    }


def symbols(panel: Panel, features: str) -> Mapping[str, str]:
    """Return the symbols of all loops by what they do and their roles: "dots_far", for example."""
    return {
        f"{what}_{role}": rows.symbol(what, panel)
        for what in (DOTS, AXPYS)
        for role, rows in loops(what, features).items()
    }


def panels_text(part: str, features: str) -> str:
    """Return the text of such a loop, an object of its own, for a processor with these features."""
    kind, _, name = part.partition("_")
    panel, what = PANELS[name], DOTS if kind.startswith(DOTS) else AXPYS
    symbol = f"{PART_PREFIX}rows_{part}"
    rows = next(r for r in loops(what, features).values() if r.symbol(what, panel) == symbol)
    text = dots_text(panel, rows) if what == DOTS else axpys_text(panel, rows)
    return "\n".join((*_declarations(panel), text))


def _declarations(panel: Panel) -> list[str]:
    lines = [
        "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)",
        "declare i64 @llvm.smax.i64(i64, i64)",
    ]
    for lanes in dict.fromkeys((panel.lanes, NARROW)):
        v, mask = panel.type.shape(lanes), f"<{lanes} x i1>"
        suffix = f"v{lanes}{panel.dtype}.p0"
        lines.append(f"declare {v} @llvm.masked.load.{suffix}(ptr, {mask}, {v})")
        lines.append(f"declare void @llvm.masked.store.{suffix}({v}, ptr, {mask})")
    return lines


def splat(vector: str, name: str, scalar: str) -> str:
    """Return the instructions that put a scalar, `double %c` for example, into every lane."""
    lanes = vector[1:].split(" ", 1)[0]
    return (
        f"  {name}.first = insertelement {vector} poison, {scalar}, i64 0\n"
        f"  {name} = shufflevector {vector} {name}.first, {vector} poison, "
        f"<{lanes} x i32> zeroinitializer"
    )


class _Text:
    """Instructions of a loop over columns; under a mask where fewer than a vector are left."""

    def __init__(self, panel: Panel, prefix: str, *, masked: bool = False, jump: str = "") -> None:
        self._panel = panel
        self._prefix = prefix
        self._masked = masked
        self._jump = jump
        self._lines: list[str] = []

    def let(self, text: str) -> str:
        """Write an instruction and return the name of its result."""
        name = f"%{self._prefix}{len(self._lines)}"
        self._lines.append(f"  {name} = {text}")
        return name

    def load(self, base: str, at: str) -> str:
        """Load the vector that lies `at` bytes behind `base`."""
        panel, v = self._panel, self._panel.vector
        place = self.let(f"getelementptr i8, ptr {base}, i64 {at}")
        align = panel.type.bits // 8
        if not self._masked:
            return self.let(f"load {v}, ptr {place}, align {align}")
        mask = f"<{panel.lanes} x i1> %inside"
        arguments = f"ptr align {align} {place}, {mask}, {v} zeroinitializer"
        return self.let(f"call {v} {panel.masked('load')}({arguments})")

    def store(self, value: str, base: str, at: str) -> None:
        """Store a vector `at` bytes behind `base`."""
        panel, v = self._panel, self._panel.vector
        place = self.let(f"getelementptr i8, ptr {base}, i64 {at}")
        align = panel.type.bits // 8
        if not self._masked:
            self._lines.append(f"  store {v} {value}, ptr {place}, align {align}")
            return
        arguments = f"{v} {value}, ptr align {align} {place}, <{panel.lanes} x i1> %inside"
        self._lines.append(f"  call void {panel.masked('store')}({arguments})")

    def element(self, row: str, at: str) -> str:
        """Load a vector of the matrix, and multiply it by the scale if there is one."""
        loaded = self.load(row, at)
        if not self._panel.scaled:
            return loaded
        return self.let(f"fmul {self._panel.vector} {loaded}, %scale")

    def fetch(self, rows: Sequence[str], at: str) -> None:
        """Ask for what rows hold ahead of `at`, or for what follows behind their ends."""
        if self._masked:
            return
        far = self.let(f"add i64 {at}, {_AHEAD}")
        if self._jump:
            far = self.let(f"add i64 {far}, {self._jump}")
        for row in rows:
            place = self.let(f"getelementptr i8, ptr {row}, i64 {far}")
            how = f"i32 0, i32 {locality(_LEVEL)}, i32 1"
            self._lines.append(f"  call void @llvm.prefetch.p0(ptr {place}, {how})")

    def product(self, element: str, factor: str) -> str:
        """Multiply an element of the matrix by a factor."""
        v = self._panel.vector
        product = self.let(f"fmul {v} {element}, {factor}")
        # An infinite factor makes NaN of the zeros outside.
        if not self._masked:
            return product
        mask = f"<{self._panel.lanes} x i1> %inside"
        return self.let(f"select {mask}, {v} {product}, {v} zeroinitializer")

    def add(self, first: str, second: str) -> str:
        """Add two vectors."""
        return self.let(f"fadd {self._panel.vector} {first}, {second}")

    def __str__(self) -> str:
        return "\n".join(self._lines)


# From byte 0 to byte `n * size`, some vectors at a time, then one, then under a mask.
_LOOP = Template("""\
  %all = mul nuw nsw i64 %n, $size
  %without = sub nsw i64 %all, $ahead
  %before.last = call i64 @llvm.smax.i64(i64 %without, i64 0)
  %end = and i64 %all, -64
  %rest.bytes = sub nuw nsw i64 %all, %end
  %rest = udiv exact i64 %rest.bytes, $size
  %rest.small = trunc i64 %rest to i32
$spread
  %inside = icmp ult <$lanes x i32> <$places>, %bound
$walks
  %partly = icmp ne i64 %rest, 0
  br i1 %partly, label %part, label %finish
part:
$part
  br label %finish
finish:
$after
""")

# From byte `start` on, as many whole iterations as there are before a limit.
_WALK = Template("""\
  %$name.end = and i64 $limit, -$bytes
  %$name.some = icmp ult i64 $start, %$name.end
  br i1 %$name.some, label %$name, label %$name.done
$name:
  %$name.at = phi i64 [ $start, %$before ], [ %$name.next, %$name ]
$carried
$text
  %$name.next = add nuw nsw i64 %$name.at, $bytes
  %$name.more = icmp ult i64 %$name.next, %$name.end
  br i1 %$name.more, label %$name, label %$name.done
$name.done:
$out""")

# What a loop over columns carries from one step to the next, and its values after the step.
_Step = Callable[[_Text, str, Sequence[str]], Sequence[str]]


@record
class _Walk:
    """Iterations of some steps over the columns before a limit.

    They ask for memory `jump` bytes further than ahead of them.
    """

    name: str
    steps: int
    limit: str = "%all"
    jump: str = ""


# Some steps at a time, then one.
_ONE = _Walk("one", 1)
_NEAR = (_Walk("near", _NEAR_STEPS), _ONE)


def _columns(panel: Panel, carried: int, step: _Step, walks: Sequence[_Walk]) -> str:
    """Return a loop over columns that starts with zeros and leaves its results in %total0, ..."""
    texts: list[str] = []
    values, before, start = ["zeroinitializer"] * carried, "entry", "0"
    for walk in walks:
        texts.append(_walk(panel, walk, step, values, before, start))
        name = walk.name
        values, before, start = (
            [f"%{name}.out{k}" for k in range(carried)],
            f"{name}.done",
            f"%{name}.end",
        )
    part = _Text(panel, "m", masked=True)
    parted = step(part, "%end", values)
    return _LOOP.substitute(
        size=panel.type.bits // 8,
        lanes=panel.lanes,
        places=", ".join(f"i32 {lane}" for lane in range(panel.lanes)),
        spread=splat(f"<{panel.lanes} x i32>", "%bound", "i32 %rest.small"),
        walks="\n".join(texts),
        ahead=_AHEAD,
        part=part,
        after=_phis(panel, "%total", before, values, "part", parted),
    )


def _walk(
    panel: Panel, walk: _Walk, step: _Step, values: Sequence[str], before: str, start: str
) -> str:
    """Return the code of a walk that starts with `values` and leaves its own in %name.out0, ..."""
    name = walk.name
    text = _Text(panel, f"{name}.", jump=walk.jump)
    after: Sequence[str] = [f"%{name}.in{k}" for k in range(len(values))]
    for number in range(walk.steps):
        at = text.let(f"add nuw nsw i64 %{name}.at, {number * _BITS // 8}")
        after = step(text, at, after)
    return _WALK.substitute(
        name=name,
        limit=walk.limit,
        bytes=walk.steps * _BITS // 8,
        start=start,
        before=before,
        carried=_phis(panel, f"%{name}.in", before, values, name, after),
        text=text,
        out=_phis(panel, f"%{name}.out", before, values, name, after),
    )


def _phis(
    panel: Panel, name: str, first: str, start: Sequence[str], block: str, after: Sequence[str]
) -> str:
    """Return the vectors that are those of `start` from one block, and of `after` from another."""
    return "\n".join(
        f"  {name}{k} = phi {panel.vector} [ {one}, %{first} ], [ {other}, %{block} ]"
        for k, (one, other) in enumerate(zip(start, after, strict=True))
    )


def _rows(rows: int, count: str = "") -> str:
    """Return the addresses of rows; those from `count` on are those of the last one."""
    lines: list[str] = ["  %row0 = getelementptr i8, ptr %a, i64 0"]
    for k in range(1, rows):
        step = "%pitch"
        if count:
            lines.append(f"  %is{k} = icmp sgt i64 {count}, {k}")
            lines.append(f"  %pitch{k} = select i1 %is{k}, i64 %pitch, i64 0")
            step = f"%pitch{k}"
        lines.append(f"  %row{k} = getelementptr i8, ptr %row{k - 1}, i64 {step}")
    return "\n".join(lines)


def dots_text(panel: Panel, rows: Rows) -> str:
    """Return the function that adds sums along rows to as many numbers, for some vectors.

    That of `NARROW` rows takes a number of rows: those behind are the last one once more.
    """
    v, t = panel.vector, panel.type.llvm

    def step(text: _Text, at: str, before: Sequence[str]) -> Sequence[str]:
        factors = [text.load(f"%x{i}", at) for i in range(rows.vectors)]
        elements = _elements(text, at, rows)
        products = [text.product(element, factor) for factor in factors for element in elements]
        return [text.add(b, p) for b, p in zip(before, products, strict=True)]

    narrow = rows.count == NARROW
    scale = splat(v, "%scale", f"{t} %scale.one") + "\n" if panel.scaled else ""
    sums = [_added_sums(panel, rows.count, i, narrow=narrow) for i in range(rows.vectors)]
    return (
        f"define void @{rows.symbol(DOTS, panel)}(ptr %out, ptr %a, i64 %pitch, ptr %x,\n"
        f"  i64 %n, {t} %scale.one, i64 %count, i64 %apart, i64 %results, i64 %jump)\n"
        f"  noinline nounwind {{\nentry:\n"
        f"{scale}{_rows(rows.count, '%count' if narrow else '')}\n"
        f"{_spaced(t, 'x', '%apart', rows.vectors)}\n"
        f"{_spaced(t, 'out', '%results', rows.vectors)}\n"
        f"{_columns(panel, rows.count * rows.vectors, step, _walks(rows))}{''.join(sums)}"
        "  ret void\n}\n"
    )


def _walks(rows: Rows) -> Sequence[_Walk]:
    if rows.far:
        # The last bytes of the rows ask for the first ones of those that are read next.
        whole = _Walk("far", rows.far, limit="%before.last")
        return whole, _Walk("last", 1, jump="%jump")
    return _NEAR if rows.vectors == 1 else (_ONE,)


def _elements(text: _Text, at: str, rows: Rows) -> Sequence[str]:
    """Return the elements of rows, and ask for those that follow if they are far."""
    if rows.far:
        text.fetch([f"%row{k}" for k in range(rows.count)], at)
    return [text.element(f"%row{k}", at) for k in range(rows.count)]


def _spaced(t: str, name: str, apart: str, count: int) -> str:
    """Return the instructions that give the addresses %name0, %name1, ..., elements apart."""
    lines = [f"  %{name}0 = getelementptr {t}, ptr %{name}, i64 0"]
    for i in range(1, count):
        lines.append(f"  %{name}{i} = getelementptr {t}, ptr %{name}{i - 1}, i64 {apart}")
    return "\n".join(lines)


def _added_sums(panel: Panel, rows: int, vector: int, *, narrow: bool) -> str:
    """Return the instructions that add up the lanes of a vector's totals in pairs, and keep them.

    Its totals are %total0, ... for the first vector, and those of the next one follow.
    """
    text, lanes, t = _Text(panel, f"f{vector}."), panel.lanes, panel.type
    size = min(lanes, rows)
    lines: list[str] = []
    for start in range(0, rows, size):
        first = vector * rows + start
        values, width = [f"%total{k}" for k in range(first, first + size)], lanes
        while len(values) > 1:
            values = [
                _pairs(text, t, lanes, a, b) for a, b in zip(values[::2], values[1::2], strict=True)
            ]
        (value,) = values
        while width > size:
            value = _pairs(text, t, width, value, None)
            width //= 2
        place = text.let(f"getelementptr {t.llvm}, ptr %out{vector}, i64 {start}")
        lines.append(_added(text, t, size, value, place, narrow=narrow))
    return "\n".join((str(text), *lines, ""))


def _pairs(text: _Text, t: ElementType, width: int, first: str, second: str | None) -> str:
    """Add neighbours: the sums of the first vector, and then those of the second."""
    v = t.shape(width)
    out = width if second else width // 2
    halves = [
        text.let(
            f"shufflevector {v} {first}, {v} {second or 'poison'}, "
            f"<{out} x i32> <{', '.join(f'i32 {2 * lane + odd}' for lane in range(out))}>"
        )
        for odd in (0, 1)
    ]
    return text.let(f"fadd {t.shape(out)} {halves[0]}, {halves[1]}")


def _added(text: _Text, t: ElementType, size: int, value: str, place: str, *, narrow: bool) -> str:
    v, align = t.shape(size), f"align {t.bits // 8}"
    if not narrow:
        before = text.let(f"load {v}, ptr {place}, {align}")
        after = text.let(f"fadd {v} {before}, {value}")
        return f"  store {v} {after}, ptr {place}, {align}"
    bound = f"<{size} x i32>"
    places = ", ".join(f"i32 {lane}" for lane in range(size))
    name = f"v{size}{t.name}.p0"
    return f"""\
  %count.small = trunc i64 %count to i32
{splat(bound, "%counts", "i32 %count.small")}
  %kept = icmp ult {bound} <{places}>, %counts
  %old = call {v} @llvm.masked.load.{name}(ptr {align} {place}, <{size} x i1> %kept,
    {v} zeroinitializer)
  %new = fadd {v} %old, {value}
  call void @llvm.masked.store.{name}({v} %new, ptr {align} {place}, <{size} x i1> %kept)"""


def axpys_text(panel: Panel, rows: Rows) -> str:
    """Return the function that adds scaled rows to a row of results, for some vectors."""
    v, t = panel.vector, panel.type.llvm
    factors: list[str] = []
    for i in range(rows.vectors):
        for k in range(rows.count):
            name = f"%c{i}.{k}"
            factors.append(f"  {name}.at = getelementptr {t}, ptr %c{i}, i64 {k}")
            factors.append(f"  {name}.one = load {t}, ptr {name}.at")
            factors.append(splat(v, name, f"{t} {name}.one"))
    if panel.scaled:
        factors.append(splat(v, "%scale", f"{t} %scale.one"))

    def step(text: _Text, at: str, before: Sequence[str]) -> Sequence[str]:
        elements = _elements(text, at, rows)
        for i in range(rows.vectors):
            values = [text.product(element, f"%c{i}.{k}") for k, element in enumerate(elements)]
            while len(values) > 1:
                values = [text.add(a, b) for a, b in zip(values[::2], values[1::2], strict=True)]
            text.store(text.add(text.load(f"%out{i}", at), values[0]), f"%out{i}", at)
        return ()

    lines = "\n".join(factors)
    return (
        f"define void @{rows.symbol(AXPYS, panel)}(ptr %out, ptr %a, i64 %pitch, ptr %c,\n"
        f"  i64 %n, {t} %scale.one, i64 %apart, i64 %results, i64 %jump)\n"
        f"  noinline nounwind {{\nentry:\n"
        f"{_rows(rows.count)}\n{_spaced(t, 'c', '%apart', rows.vectors)}\n"
        f"{_spaced(t, 'out', '%results', rows.vectors)}\n{lines}\n"
        f"{_columns(panel, 0, step, _walks(rows))}  ret void\n}}\n"
    )
