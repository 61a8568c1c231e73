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
from scriptc.analysis.instr_kinds import effects_of
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import NOWHERE, Block, Function, Instr, Loc, Role, Value, walk
from scriptc_runtime.ops import arrays, control, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import field, record
from scriptc_runtime.types import DType


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
    found = _listener.get()
    return found is not None and not _is_fallback(found.function)


def about(function: Function) -> None:
    """Say which function the remarks that follow are about."""
    found = _listener.get()
    if found is not None:
        found.function = function


def remark(message: Message, loc: Loc, **values: object) -> None:
    """Leave a remark at a place.

    Of fallbacks nothing is kept: the versions of their loops that usually run tell it all.
    """
    found = _listener.get()
    if found is None or loc is NOWHERE or _is_fallback(found.function):
        return
    found.found.append(Remark(message, loc, values, found.function))


def made_at(array: Value, loc: Loc) -> None:
    """Say what line an array is made for, where its instruction does not."""
    found = _listener.get()
    if found is not None and loc is not NOWHERE:
        found.places[array] = loc


def same_as(value: Value, other: Value) -> None:
    """Say that a value is called in the source as another one is."""
    found = _listener.get()
    if found is not None and value is not other:
        found.same.setdefault(value, other)


def loop_number(loc: Loc) -> int:
    """Return the number by which LLVM is to speak of a loop; 0 where nobody listens."""
    found = _listener.get()
    if found is None or loc is NOWHERE or _is_fallback(found.function):
        return 0
    found.loops.append((loc, found.function))
    return len(found.loops)


def _is_fallback(function: Function | None) -> bool:
    return function is not None and function.role is Role.FALLBACK


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
    """Return the place of an instruction, or of the last one inside of it that has one."""
    if instr.loc is not NOWHERE:
        return instr.loc
    found = _listener.get()
    known = [found.places[r] for r in instr.results if r in found.places] if found else ()
    if known:
        return known[0]
    places = [loc for block in instr.blocks for loc in places_in(block)]
    return places[-1] if places else NOWHERE


# -------------------------------------------------------------------------------------- words

# What an array or a number is another name for.
_SAME = frozenset(
    {
        *(low.ASSUME_CONTIGUOUS, low.ASSUME_DISTINCT, low.IN_ROWS),
        *(arrays.VIEW, arrays.PART, arrays.TRANSPOSE, e.CAST),
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
        while not value.name and value not in seen:
            seen.add(value)
            made = self._definitions.get(value)
            if made is not None and made.op in _SAME:
                value = made.operands[0]
            elif value in self._remarks.places:
                return _of_line(self._remarks.places[value])
            elif value in self._remarks.same:
                value = self._remarks.same[value]
            elif made is not None and made.loc is not NOWHERE:
                return _of_line(made.loc)
        return words(value if value.name else self._value)


def _of_line(loc: Loc) -> str:
    """Write an array as the place that it is made at, for who has the source to name it."""
    while loc.caller is not None:
        loc = loc.caller
    return f"\x01{loc.line}:{loc.column}\x01"


class Bytes:
    """How much memory an array takes: `8 * N * M`."""

    __slots__ = ("_dims", "_dtype")

    def __init__(self, dtype: DType, dims: Sequence[Dim]) -> None:
        self._dtype = dtype
        self._dims = dims

    def __str__(self) -> str:
        size = self._dtype.itemsize
        if not all(dim.known for dim in self._dims):
            return f"{size} bytes for each element"
        size *= math.prod(dim.constant for dim in self._dims if dim.is_constant)
        sizes = [f"({d})" if d.constant else str(d) for d in self._dims if not d.is_constant]
        return f"{' * '.join((f'{size:,}', *sizes))} bytes"


class Index:
    """Linear forms of loop variables, as an index is written: `i - 1, j`.

    `loops` are those whose variables may stand in it. A variable has its name in the source alone:
    it is written as the place of its loop, which `variable_at` marks.
    """

    __slots__ = ("_definitions", "_forms", "_loops")

    def __init__(
        self,
        forms: Sequence[Affine],
        definitions: Mapping[Value, Instr],
        loops: Sequence[Instr] = (),
    ) -> None:
        self._forms = forms
        self._definitions = definitions
        self._loops = loops

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
        made = self._definitions.get(value)
        if made is not None and made.op in (arrays.DIM, low.SIZE):
            return f"{Named(made.operands[0], self._definitions)}.shape[{made.attrs['axis']}]"
        shown = str(Named(value, self._definitions))
        return shown if shown.isidentifier() else "n"


def variable_at(loc: Loc) -> str:
    """Write the variable of the loop at a place, for who has the source to name it."""
    return f"\x00{loc.line}:{loc.column}\x00"


_SAID: Mapping[OpDef, str] = {
    arrays.INDEX: "has a range check, which may raise",
    arrays.SET_INDEX: "has a range check, which may raise",
    control.EXIT: "leaves the loop",
    low.LOOP: "computes whole arrays",
    low.FAIL: "may raise an exception",
}


class Doing:
    """What an instruction does that loops are not changed for: `line 7 calls g()`."""

    __slots__ = ("_instr",)

    def __init__(self, instr: Instr) -> None:
        self._instr = instr

    def at(self, near: Loc) -> str:
        """Return the words as they stand at a place."""
        return f"line {line_near(self._instr.loc, near)} {self._what()}"

    def _what(self) -> str:
        instr = self._instr
        if instr.op is control.CALL:
            return f"calls {instr.attrs['callee']}()"
        if instr.op in (control.WHILE, control.FOR):
            return "is a loop of unknown length"
        if instr.op in _SAID:
            return _SAID[instr.op]
        if effects_of(instr).raises:
            return f"may raise an exception ({instr.op.name})"
        return f"does more than compute, load and store ({instr.op.name})"


def words(value: object, near: Loc = NOWHERE) -> str:
    """Put a value of a remark at a place into words; a place is the number of its line."""
    match value:
        case Loc():
            return str(line_near(value, near))
        case Reason() | Doing():
            return value.at(near)
        case Value():
            return value.name or f"an array {value.type}"
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
