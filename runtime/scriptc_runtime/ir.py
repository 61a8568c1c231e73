"""The SSA intermediate representation: immutable, so a pass is a function Module -> Module.

    module   = class* weight* object* function* entry*
    function = name, params, result type, block
    block    = params, instructions; the last one is a terminator
    instr    = results = op operands [attributes] {blocks}

Control flow is nested blocks.  A region instruction (`if`, `for`, `while`, `block`, `try`) has a
label; the one terminator `exit @label values` leaves it with its results, and `exit @loop.next
values` starts the next iteration of a loop.  The label of a function is its return.
"""

import enum
from collections.abc import Mapping, Sequence
from typing import Any

from scriptc_runtime.ops.control import EXIT
from scriptc_runtime.ops.opdef import Attr, Attrs, Effects, OpDef, OpTypeError
from scriptc_runtime.record import field, record, replace
from scriptc_runtime.types import Type


class Value:
    """A value defined once.  Two values are equal only if they are the same object."""

    __slots__ = ("name", "type")

    def __init__(self, type: Type, name: str = "") -> None:
        self.type = type
        self.name = name  # the source variable, for readers of the text; no meaning

    def __repr__(self) -> str:
        return f"%{self.name or '?'}: {self.type}"


class Label:
    """What `exit` names: a region instruction or a function; identity is all it has."""

    __slots__ = ("name",)

    def __init__(self, name: str = "") -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"@{self.name or '?'}"


@record
class Loc:
    """A place in the source: line and column from 1.

    After inlining, `function` names the function the line belongs to, `file` its file, and `caller`
    is the place of the call, so a traceback still has one entry per scripted frame. The text form
    has no `file`: there the module has the function.
    """

    line: int
    column: int
    function: str = ""
    caller: "Loc | None" = None
    file: str = ""


NOWHERE = Loc(0, 0)


@record(eq=False)
class Target:
    """Where an `exit` goes: out of `label`, or to the next iteration of that loop."""

    label: Label
    next: bool = False


class Listed:
    """What is listed once of a block and kept with it."""

    __slots__ = ("instrs",)
    instrs: Sequence["Instr"]  # those of the blocks inside of it as well


@record(eq=False)
class Block(Listed):
    """Instructions in execution order; the last is the only terminator."""

    params: tuple[Value, ...]
    body: tuple["Instr", ...]


class Noted:
    """What is found of an instruction once and kept with it: its op, types and attributes stay."""

    __slots__ = ("effects", "footprint")
    effects: Effects
    footprint: Any  # which the analysis of effects makes of them


@record(eq=False)
class Instr(Noted):
    """`results = op operands [attrs] {blocks}`.

    `cleanup` lists the values that must be released when this instruction raises; the ownership
    pass fills it in low IR.
    """

    op: OpDef
    operands: tuple[Value, ...]
    attrs: Attrs
    results: tuple[Value, ...]
    loc: Loc = NOWHERE
    blocks: tuple[Block, ...] = ()
    label: Label | None = None
    target: Target | None = None
    cleanup: tuple[Value, ...] = ()

    @property
    def result(self) -> Value:
        """The only result."""
        (value,) = self.results
        return value


@record(eq=False)
class Given:
    """What callers of a function make sure of.

    `dense` are parameters that are arrays in C order, `apart` pairs that share no memory, and
    `several` axes of parameters whose size is not 1, each with the array's parameter.
    """

    dense: tuple[Value, ...] = ()
    apart: tuple[tuple[Value, Value], ...] = ()
    several: tuple[tuple[Value, int], ...] = ()


NOTHING_GIVEN = Given()


class Role(enum.Enum):
    """What a function is for; the text of a function has the word."""

    SCRIPT = ""  # written by the user
    LIBRARY = "library"  # of stdlib/
    INSTANCE = "instance"  # of stdlib/, compiled apart for its types
    SEARCH = "search"  # an instance that only reads: while it runs, nothing else does
    KERNEL = "kernel"  # a part of a nest, which several threads may run at once
    FALLBACK = "fallback"  # the version of a loop that keeps its checks: no frame of its own
    LOOP = "loop"  # a loop of a long function: no frame of its own
    SHARED = "shared"  # what it raises is raised by the function that calls it
    MAKER = "maker"  # makes the objects of a saved module


# Roles of what is compiled apart, and calls nothing else.
INSTANCES = (Role.INSTANCE, Role.SEARCH)
# Roles whose calls add no frame to a traceback.
UNFRAMED = (Role.FALLBACK, Role.LOOP)
# What core IR may hold; functions of the other roles are made on the way to machine code.
CORE_ROLES = (Role.SCRIPT, Role.LIBRARY)


@record(eq=False, weakly=True)
class Function:
    """A function with one result; `label` is what `return` exits."""

    name: str
    params: tuple[Value, ...]
    result: Type
    body: Block
    label: Label
    loc: Loc = NOWHERE
    file: str = ""
    given: Given = NOTHING_GIVEN
    role: Role = Role.SCRIPT


@record(eq=False)
class Extern:
    """A function of the library that is compiled apart: its types, and what a call of it does.

    It stands in for its body between the passes and machine code alone, so it has no text.
    """

    name: str
    params: tuple[Value, ...]
    result: Type
    effects: Effects
    may_not_end: bool
    role: Role = Role.INSTANCE


@record
class ClassDecl:
    """A class: its fields in order; the symbols in their dims are bound by the instance.

    The fields of its base, if it has one, come first.
    """

    name: str
    fields: tuple[tuple[str, Type], ...]
    base: str | None = None

    def field_type(self, name: str) -> Type:
        """Return the type of field `name`.  Raises KeyError."""
        return dict(self.fields)[name]


def names_of_line(name: str, classes: Mapping[str, ClassDecl]) -> tuple[str, ...]:
    """Return a class and those that it inherits from, the nearest first."""
    base = classes[name].base
    return (name,) if base is None else (name, *names_of_line(base, classes))


def heirs_of(name: str, classes: Mapping[str, ClassDecl]) -> tuple[str, ...]:
    """Return the classes that inherit from one."""
    return tuple(c for c in classes if c != name and name in names_of_line(c, classes))


@record
class View:
    """Where the elements of an array stand among those of a weight, in its flat order."""

    weight: str
    offset: int
    strides: tuple[int, ...]


@record
class Weight:
    """An array stored beside the module under `name`, or a view of another one that is."""

    name: str
    type: Type
    view: View | None = None


@record
class WeightRef:
    """A value in an object: the weight `name`."""

    name: str


@record
class ObjectRef:
    """A value in an object: another object, declared before."""

    name: str


@record(exact=True)
class ListValue:
    """A value in an object: a list that nothing else holds."""

    items: tuple["FieldValue", ...]


Constant = bool | int | float | complex | str | None
FieldValue = WeightRef | ObjectRef | ListValue | tuple["FieldValue", ...] | Constant


@record(exact=True)
class ObjectDecl:
    """An instance of `class_name`, with a value for each of its fields."""

    name: str
    class_name: str
    fields: tuple[tuple[str, FieldValue], ...]


@record
class Entry:
    """A name users call: `function` with the object as first argument and weights as last ones."""

    name: str
    function: str
    object: str | None = None
    captures: tuple[str, ...] = ()


@record(eq=False)
class Module:
    """Everything a saved file or a compilation holds."""

    functions: Mapping[str, Function]
    classes: Mapping[str, ClassDecl] = field(default_factory=dict[str, ClassDecl])
    weights: Mapping[str, Weight] = field(default_factory=dict[str, Weight])
    objects: Mapping[str, ObjectDecl] = field(default_factory=dict[str, ObjectDecl])
    entries: tuple[Entry, ...] = ()
    externs: Mapping[str, Extern] = field(default_factory=dict[str, Extern])

    def callee(self, call: Instr) -> Function | Extern:
        """Return the function that an instruction calls.  Raises KeyError where there is none."""
        name = str(call.attrs["callee"])
        return self.functions[name] if name in self.functions else self.externs[name]

    def with_functions(self, functions: Mapping[str, Function]) -> "Module":
        """Return the module with other functions."""
        return replace(self, functions=functions)


def walk(block: Block) -> Sequence[Instr]:
    """Return every instruction of `block` and of the blocks inside it, outer ones first."""
    try:
        return block.instrs
    except AttributeError:
        found: list[Instr] = []
    waiting = [iter(block.body)]
    while waiting:
        for instr in waiting[-1]:
            found.append(instr)
            if instr.blocks:
                waiting += [iter(inner.body) for inner in reversed(instr.blocks)]
                break
        else:
            waiting.pop()
    block.instrs = found
    return found


def types_in(function: Function) -> set[Type]:
    """Return the types of all values of a function."""
    values = (v for i in walk(function.body) for v in (*i.operands, *i.results))
    return {v.type for v in (*function.params, *values)}


def first_deeper(block: Block, depth: int) -> Instr | None:
    """Return the first instruction inside of more than `depth` blocks, this one included."""
    waiting = [(block, 1)]
    while waiting:
        inner, level = waiting.pop()
        if level > depth:
            return inner.body[0]
        waiting += [(b, level + 1) for i in reversed(inner.body) for b in reversed(i.blocks)]
    return None


class Builder:
    """Appends instructions to the innermost open block; types come from the ops."""

    __slots__ = ("_open", "_place")

    def __init__(self) -> None:
        self._open: list[tuple[tuple[Value, ...], list[Instr]]] = []
        self._place = NOWHERE

    @property
    def depth(self) -> int:
        """How many blocks are open, each in the one before."""
        return len(self._open)

    def open(self, *params: Value) -> None:
        """Start a block with `params`; what follows goes there until `close`."""
        self._open.append((params, []))

    def close(self) -> Block:
        """End the innermost open block and return it."""
        params, body = self._open.pop()
        return Block(params, tuple(body))

    def emit(
        self, op: OpDef, *operands: Value, loc: Loc = NOWHERE, hint: str = "", **attrs: Attr
    ) -> Value:
        """Append an instruction with one result and return that.  Raises OpTypeError."""
        return self.append(make(op, operands, attrs, loc, hint)).result

    def effect(self, op: OpDef, *operands: Value, loc: Loc = NOWHERE, **attrs: Attr) -> None:
        """Append an instruction without results.  Raises OpTypeError."""
        self.append(make(op, operands, attrs, loc))

    def region(
        self,
        op: OpDef,
        operands: Sequence[Value],
        blocks: Sequence[Block],
        label: Label,
        types: Sequence[Type],
        loc: Loc = NOWHERE,
        **attrs: Attr,
    ) -> tuple[Value, ...]:
        """Append a region instruction whose exits carry values of `types`."""
        results = tuple(Value(t) for t in types)
        instr = Instr(op, tuple(operands), attrs, results, loc, tuple(blocks), label)
        return self.append(instr).results

    def exit(self, label: Label, *values: Value, next: bool = False, loc: Loc = NOWHERE) -> None:
        """End the open block by leaving `label`, or by its next iteration.

        No text of the source says that an arm or an iteration ends: without `loc` the exit stands
        where the instruction before it stands.
        """
        place = self._place if loc is NOWHERE else loc
        self.append(Instr(EXIT, values, {}, (), place, target=Target(label, next)))

    def append(self, instr: Instr) -> Instr:
        """Append `instr` itself, so that its results stay the same values."""
        self._open[-1][1].append(instr)
        if instr.loc is not NOWHERE:
            self._place = instr.loc
        return instr


def make(
    op: OpDef, operands: Sequence[Value], attrs: Attrs, loc: Loc = NOWHERE, hint: str = ""
) -> Instr:
    """Return an instruction whose result types the op's rule gives.

    `hint` names the results for readers of the text.  Raises OpTypeError.
    """
    types = op.infer([v.type for v in operands], attrs)
    return Instr(op, tuple(operands), attrs, tuple(Value(t, hint) for t in types), loc)


__all__ = [
    "CORE_ROLES",
    "NOWHERE",
    "Block",
    "Builder",
    "ClassDecl",
    "Constant",
    "Entry",
    "FieldValue",
    "Function",
    "Instr",
    "Label",
    "ListValue",
    "Loc",
    "Module",
    "ObjectDecl",
    "ObjectRef",
    "OpTypeError",
    "Role",
    "Target",
    "Value",
    "View",
    "Weight",
    "WeightRef",
    "first_deeper",
    "make",
    "walk",
]
