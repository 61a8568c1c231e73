"""What passes say of their decisions: records that `scriptc explain` shows beside the source.

    SHARED = Message("parallelise", Topic.PARALLEL, Kind.DONE, "parallel: threads share {what}")

    remark(SHARED, loop.loc, what="its iterations")       in the pass, at the place of the decision

A message is declared once, beside the pass that leaves it, so that a test can ask of each whether
any program has it. A remark has the values of its message as they are: nothing is put into words
before somebody reads it. Most compilations have no listener, and then a remark costs a look-up.
"""

import math
from collections.abc import Generator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from typing import cast

from scriptc.analysis.affine import Affine
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.instr_kinds import effects_of
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import NOWHERE, Block, Function, Instr, Loc, Role, Value, walk
from scriptc_runtime.ops import arrays, control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import field, record
from scriptc_runtime.reserved import FALLBACK_PREFIX, LIBRARY_PREFIX
from scriptc_runtime.types import DType, ListType, TensorType


class Kind(Enum):
    """Whether the code was changed, was left as it was, or is only described."""

    DONE = "done"
    MISSED = "missed"
    NOTE = "note"


class Topic(Enum):
    """What a remark is about, in the order of a listing."""

    CALLS = "calls"
    FUSION = "fusion"
    ORDER = "loops"
    CHECKS = "checks"
    VERSIONS = "versions"
    PARALLEL = "threads"
    VECTORS = "vectors"
    PRODUCTS = "products"
    MEMORY = "memory"


@record
class Message:
    """What a pass can say: a text with places for values in braces."""

    by: str  # the pass
    topic: Topic
    kind: Kind
    text: str


class Reason:
    """Why something is not done, as a legality or cost test found it: a text and its values."""

    __slots__ = ("text", "values")

    def __init__(self, text: str, **values: object) -> None:
        self.text = text
        self.values = values

    def at(self, near: Loc) -> str:
        """Return the text as it stands at a place: lines are those of its function."""
        said = {name: words(value, near) for name, value in self.values.items()}
        return self.text.format(**said)

    def __str__(self) -> str:
        return self.at(NOWHERE)


@record(eq=False)
class Remark:
    """A message at a place of the source; `function` is the one whose code the pass looked at."""

    message: Message
    loc: Loc
    values: Mapping[str, object]
    function: Function | None

    @property
    def text(self) -> str:
        """The message with its values."""
        return Reason(self.message.text, **self.values).at(self.loc)


@record(frozen=False)
class Remarks:
    """What the passes of one compilation have said, in order."""

    found: list[Remark] = field(default_factory=list[Remark])
    # Loops that LLVM is to say something of: it knows them by their number, from 1.
    loops: list[tuple[Loc, Function | None]] = field(
        default_factory=list[tuple[Loc, Function | None]]
    )
    function: Function | None = None
    # Of arrays whose instructions have no place of their own.
    places: dict[Value, Loc] = field(default_factory=dict[Value, Loc])
    # What arrays are views of, or stand for.
    same: dict[Value, Value] = field(default_factory=dict[Value, Value])
    # Of views, where they are made.
    parts: dict[Value, Loc] = field(default_factory=dict[Value, Loc])
    # Of variables of loops, where these are.
    variables: dict[Value, Loc] = field(default_factory=dict[Value, Loc])
    # Of values that are called otherwise than their own name or their definition says.
    called: dict[Value, "Named"] = field(default_factory=dict[Value, "Named"])
    muted: bool = False


_listener: "ContextVar[Remarks | None]" = ContextVar("remarks", default=None)


@contextmanager
def remarks_kept() -> Generator[Remarks]:
    """Collect what the passes of this thread say meanwhile."""
    remarks = Remarks()
    token = _listener.set(remarks)
    try:
        yield remarks
    finally:
        _listener.reset(token)


def remarks_wanted() -> bool:
    """Whether somebody listens: for what takes time to find out."""
    return _heard() is not None


def _heard() -> Remarks | None:
    """Return what keeps a remark of the code that is looked at, if anything does."""
    found = _listener.get()
    silent = found is None or found.muted or _is_fallback(found.function)
    return None if silent else found


@contextmanager
def muted(*, silent: bool = True) -> Generator[None]:
    """Keep nothing that is said meanwhile, of code that hardly ever runs."""
    found = _listener.get()
    if found is None or found.muted or not silent:
        yield
        return
    found.muted = True
    try:
        yield
    finally:
        found.muted = False


def about(function: Function) -> None:
    """Say which function the remarks that follow are about."""
    found = _listener.get()
    if found is not None:
        found.function = function


def remark(message: Message, loc: Loc, **values: object) -> None:
    """Leave a remark at a place.

    Of fallbacks nothing is kept: the versions of their loops that usually run tell it all.
    """
    found = _heard()
    if found is None or loc is NOWHERE:
        return
    found.found.append(Remark(message, loc, values, found.function))


def made_at(array: Value, loc: Loc) -> None:
    """Say what line an array is made for, where its instruction does not."""
    found = _listener.get()
    if found is not None and loc is not NOWHERE:
        found.places[array] = loc


def part_of(view: Value, array: Value, loc: Loc) -> None:
    """Say that a view of an array is made at a place, and is called as the array is."""
    found = _listener.get()
    if found is not None:
        found.parts[view] = loc
        same_as(view, array)


def same_as(value: Value, other: Value) -> None:
    """Say that a value is called in the source as another one is."""
    found = _listener.get()
    if found is not None and value is not other:
        found.same.setdefault(value, other)


def stands_for(param: Value, value: Value, definitions: Mapping[Value, Instr]) -> None:
    """Say what value of another function a parameter is, which has no name of the source."""
    found = _listener.get()
    if found is not None:
        found.called[param] = Named(value, definitions)
        if value in found.parts:
            found.parts[param] = found.parts[value]


def name_loops(function: Function) -> None:
    """Say where the loops of a function are, whose variables stand in indices."""
    found = _listener.get()
    for instr in walk(function.body) if found is not None else ():
        if found is not None and instr.op is control.FOR and instr.loc is not NOWHERE:
            found.variables.setdefault(instr.blocks[0].params[0], instr.loc)


def name_fields(function: Function) -> None:
    """Say what the fields are called that a function reads, for who knows no definitions."""
    found = _listener.get()
    reads = [i for i in walk(function.body) if i.op is data.FIELD] if found else ()
    if found is not None and reads:
        definitions = definitions_of(function)
        found.called.update({i.result: Named(i.result, definitions) for i in reads})


def loop_number(loc: Loc) -> int:
    """Return the number by which LLVM is to speak of a loop; 0 where nobody listens."""
    found = _heard()
    if found is None or loc is NOWHERE:
        return 0
    found.loops.append((loc, found.function))
    return len(found.loops)


def _is_fallback(function: Function | None) -> bool:
    return function is not None and function.role is Role.FALLBACK


# Labels of choices between two versions of a loop: the second one runs where the guard fails.
VERSIONS, TESTED = "versions", "tested"
# Labels of loops that no statement of the source is: one that looks at numbers for a loop that
# comes after it, and one that combines what threads have found.
TEST, COMBINING = "test", "combining"


def is_added(loop: Instr) -> bool:
    """Whether a loop is none of the source: what is said of it would be taken for another one."""
    return loop.label is not None and loop.label.name in (TEST, COMBINING)


def is_versions(instr: Instr) -> bool:
    """Whether an instruction chooses between a fast version of a loop and one for the rest."""
    return instr.label is not None and instr.label.name in (VERSIONS, TESTED)


# ------------------------------------------------------------------------------------- places


def places_in(block: Block) -> Sequence[Loc]:
    """Return the lines that the instructions of a block come from, one place of each.

    Exits are left out: they have the place of what was emitted before them.
    """
    found: dict[tuple[object, ...], Loc] = {}
    for instr in walk(block):
        if instr.loc is not NOWHERE and instr.op is not control.EXIT:
            found.setdefault(_line(instr.loc), instr.loc)
    return list(found.values())


def _line(loc: Loc) -> tuple[object, ...]:
    return loc.line, loc.function, loc.file, loc.caller


def place_of(instr: Instr) -> Loc:
    """Return the place of an instruction, or the last line of what is inside of it."""
    if instr.loc is not NOWHERE:
        return instr.loc
    found = _listener.get()
    known = [found.places[r] for r in instr.results if r in found.places] if found else ()
    if known:
        return known[0]
    places = [loc for block in instr.blocks for loc in places_in(block)]
    return max(places, key=lambda loc: _outermost(loc).line, default=NOWHERE)


def _outermost(loc: Loc) -> Loc:
    while loc.caller is not None:
        loc = loc.caller
    return loc


# -------------------------------------------------------------------------------------- words

# What an array or a number is another name for.
_SAME = frozenset(
    {
        *(low.ASSUME_CONTIGUOUS, low.ASSUME_DISTINCT, low.IN_ROWS),
        *(arrays.VIEW, arrays.PART, arrays.RECORD_FIELD, arrays.TRANSPOSE, e.CAST),
    }
)


class Named:
    """A value by the name that it, or what it was made of, has in the source."""

    __slots__ = ("_definitions", "_remarks", "_value")

    def __init__(self, value: Value, definitions: Mapping[Value, Instr]) -> None:
        self._value = value
        self._definitions = definitions
        self._remarks = _listener.get() or Remarks()

    def __str__(self) -> str:
        value, seen = self._value, set[Value]()
        while value not in seen and (not value.name or value in self._remarks.called):
            seen.add(value)
            if self._remarks.called.get(value, self) is not self:
                return str(self._remarks.called[value])
            made = self._definitions.get(value)
            if made is not None and made.op in _SAME:
                value = made.operands[0]
            elif made is not None and made.op is data.FIELD:
                return self._field(made)
            elif value in self._remarks.places:
                return _of_line(self._remarks.places[value])
            elif value in self._remarks.same:
                value = self._remarks.same[value]
            elif made is not None and made.loc is not NOWHERE:
                return _of_line(made.loc)
        return words(value if value.name else self._value)

    def _field(self, read: Instr) -> str:
        owner = str(Named(read.operands[0], self._definitions))
        return f"{owner}.{read.attrs['name']}"


def _of_line(loc: Loc) -> str:
    """Write an array as the place that it is made at, for who has the source to name it."""
    loc = _outermost(loc)
    return f"\x01{loc.line}:{loc.column}\x01"


class PartOf:
    """A part of an array as the source writes it, `x[::2]`, or the array by its name."""

    __slots__ = ("_loc", "_named")

    def __init__(self, value: Value) -> None:
        self._named = Named(value, {})
        found = _listener.get()
        loc = found.parts.get(value) if found is not None else None
        self._loc = None if loc is None or loc.caller is not None else loc

    def __str__(self) -> str:
        loc = self._loc
        return str(self._named) if loc is None else f"\x02{loc.line}:{loc.column}\x02"


class Bytes:
    """How much memory an array takes: `8 * N * M`."""

    __slots__ = ("_dims", "_dtype")

    def __init__(self, dtype: DType, dims: Sequence[Dim]) -> None:
        self._dtype = dtype
        self._dims = dims

    def __str__(self) -> str:
        size = self._dtype.itemsize
        if not all(dim.known for dim in self._dims):
            return f"{size} byte{'s' if size > 1 else ''} for each element"
        size *= math.prod(dim.constant for dim in self._dims if dim.is_constant)
        sizes = [f"({d})" if d.constant else str(d) for d in self._dims if not d.is_constant]
        factors = sizes if size == 1 and sizes else [f"{size:,}", *sizes]
        return f"{' * '.join(factors)} bytes"


class Index:
    """Linear forms of loop variables, as an index is written: `i - 1, j`.

    `loops` are those whose variables may stand in it. A variable has its name in the source alone:
    it is written as the place of its loop, which `variable_at` marks.
    """

    __slots__ = ("_definitions", "_forms", "_loops", "_remarks")

    def __init__(
        self,
        forms: Sequence[Affine],
        definitions: Mapping[Value, Instr],
        loops: Sequence[Instr] = (),
    ) -> None:
        self._forms = forms
        self._definitions = definitions
        self._loops = loops
        self._remarks = _listener.get() or Remarks()

    def __str__(self) -> str:
        return ", ".join(map(self._written, self._forms))

    def _written(self, form: Affine) -> str:
        text = ""
        for value, factor in form.terms:
            name = self._name(value)
            times = "" if abs(factor) == 1 else f"{abs(factor)} * "
            sign = ("-" if factor < 0 else "") if not text else (" - " if factor < 0 else " + ")
            text += f"{sign}{times}{name}"
        if not text:
            return str(form.constant)
        if form.constant:
            text += f" {'-' if form.constant < 0 else '+'} {abs(form.constant)}"
        return text

    def _name(self, value: Value) -> str:
        for loop in self._loops:
            if loop.blocks and value in loop.blocks[0].params:
                return variable_at(loop.loc)
        if value in self._remarks.variables:
            return variable_at(self._remarks.variables[value])
        made = self._definitions.get(value)
        if made is not None and made.op in (arrays.DIM, low.SIZE):
            return f"{Named(made.operands[0], self._definitions)}.shape[{made.attrs['axis']}]"
        shown = str(Named(value, self._definitions))
        return shown if shown.isidentifier() else "n"


def variable_at(loc: Loc) -> str:
    """Write the variable of the loop at a place, for who has the source to name it."""
    return f"\x00{loc.line}:{loc.column}\x00"


_SAID: Mapping[OpDef, str] = {
    arrays.INDEX: "has a range check, which may raise IndexError",
    arrays.SET_INDEX: "has a range check, which may raise IndexError",
    arrays.VIEW: "makes a slice, whose bounds are checked",
    control.EXIT: "leaves the loop",
    control.TRY: "handles exceptions",
    data.FIELD: "reads a field, which an object may not have been given",
    data.SET_FIELD: "sets a field of an object",
    e.CAST: "may raise: not every number can be converted",
    low.LOOP: "computes whole arrays",
}


class Doing:
    """What an instruction does that loops are not changed for: `line 7 calls g()`."""

    __slots__ = ("_instr",)

    def __init__(self, instr: Instr) -> None:
        self._instr = instr

    def at(self, near: Loc) -> str:
        """Return the words as they stand at a place."""
        return f"line {line_near(place_of(self._instr), near)} {self._what()}"

    def _what(self) -> str:
        instr = self._instr
        if instr.op is control.CALL:
            return _called(str(instr.attrs["callee"]))
        if instr.op in (control.WHILE, control.FOR):
            return "is a loop of unknown length"
        if instr.op in (low.FAIL, control.RAISE):
            return f"may raise {instr.attrs['kind']}"
        if instr.op in _SAID:
            return _SAID[instr.op]
        if any(isinstance(v.type, ListType) for v in (*instr.operands, *instr.results)):
            return "works on a list"
        if effects_of(instr).raises:
            return "may raise an exception"
        return "does more than to read, compute and write elements"


def _called(callee: str) -> str:
    if callee.startswith(FALLBACK_PREFIX):
        return "may raise: where a guard does not hold, its iterations run with all checks"
    return f"calls {shown_function(callee)}()"


def shown_function(name: str) -> str:
    """Return a function as a user calls it: `sort` of `stdlib.sorting.sort.0`."""
    if not name.startswith(LIBRARY_PREFIX):
        return name
    return next((part for part in reversed(name.split(".")) if not part.isdecimal()), name)


def words(value: object, near: Loc = NOWHERE) -> str:
    """Put a value of a remark at a place into words; a place is the number of its line."""
    match value:
        case Loc():
            return str(line_near(value, near))
        case Reason() | Doing():
            return value.at(near)
        case Value():
            return value.name or ("an array" if isinstance(value.type, TensorType) else "a value")
        case Dim():
            return str(value)
        case str():
            return value
        case list() | tuple() | set() | frozenset():
            items = cast("Sequence[object] | AbstractSet[object]", value)
            return listed(list(dict.fromkeys(words(item, near) for item in items)))
        case _:
            return str(value)


def line_near(loc: Loc, near: Loc) -> int:
    """Return the line of a place in the function of another one, which may have inlined it."""
    return place_near(loc, near).line


def place_near(loc: Loc, near: Loc) -> Loc:
    """Return a place, or the call that led there, in the function of another place if it may."""
    while loc.caller is not None and loc.caller != near.caller:
        loc = loc.caller
    return loc


def listed(items: Sequence[str]) -> str:
    """Return `a, b and c`."""
    *most, last = items or ("nothing",)
    return f"{', '.join(most)} and {last}" if most else last
