"""How scripted values and calls look to LLVM.

Every scripted function is

    define internal {i32, RESULT...} @"name"(ptr %ctx, PARAMETERS...)

with the status first (0: returned, 1: raised), then the flattened result. A value is flattened to
the components that `flatten` lists: an array to data, owner, sizes and strides (in elements), a
tuple to its items in order, an optional to a flag and its item, a union to the place of its member
and a slot for each, a counted object to its pointer.
"""

from collections.abc import Mapping, Sequence
from functools import cache

from scriptc_runtime.errors import Diagnostic, UnsupportedError
from scriptc_runtime.record import record
from scriptc_runtime.types import (
    CellType,
    ClassType,
    DequeType,
    DictType,
    DType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)
from scriptc_runtime.values import EXCEPTIONS

# How the names of two kinds of functions begin, see `rules/launch.py`.
LAUNCH, SHARE = "launch.", "share."

# The header of a counted block, in bytes from its start, which is its owner's address.
BLOCK_HEADER = 16
BLOCK_COUNT = 0  # i64; the highest byte is the length of a small block in units of 16 bytes, or 0
BLOCK_COUNT_BITS = 53  # the rest of it; what is between are marks of `support/rings.py`:
BLOCK_TRACKED = 1 << 55  # that the collector of rings may let go of the block
BLOCK_ENTERED = 1 << 54  # that its table has the block
BLOCK_DELETER = 8  # void (ptr owner): drops what the data refer to, before the block is freed
# What stands before a large block, whose data are aligned to 64 bytes.
BLOCK_BYTES = -48  # i64: the size asked for
BLOCK_CAPACITY = -32  # i64: of data, and of `BLOCK_OVERHEAD` bytes around them
BLOCK_OVERHEAD = 64

# An instance's data, in bytes from the start of its block.
INSTANCE_OBJECT = BLOCK_HEADER  # Python's object of it, not counted; null where there is none
INSTANCE_CLASS = BLOCK_HEADER + 8  # i64: what `class_tag` gives for its class
INSTANCE_FIELDS = BLOCK_HEADER + 16

# A text, in bytes from its start: its count, its hash or -1, what its widest character is, which
# tells how many bytes each takes, how many there are, and these. Equal texts have equal kinds,
# lengths and characters. A short one is a cell, see `routines/texts.py`; another one is all that is
# in a block.
TEXT_COUNT = 0  # i64
TEXT_HASH = 8  # i64
TEXT_KIND = 16  # i32: 0 ASCII, 1 below 256, 2 below 65,536, 3 above
TEXT_IN_BLOCK = 20  # i32: whether a block holds it
TEXT_LENGTH = 24  # i64
TEXT_DATA = 32
TEXT_CELL = 64  # bytes of a cell

# Components of an exception: kind, site, four arguments, message, trace, instance. They lie in a
# context, and in the trace of an exception that has this one as its context or cause, at the same
# offsets.
EXCEPTION_COMPONENTS = ("i32", "i32", "i64", "i64", "i64", "i64", "ptr", "ptr", "ptr")

_PYTHON: Mapping[PyType, tuple[str, ...]] = {
    PyType.INT: ("i64",),
    PyType.FLOAT: ("double",),
    PyType.BOOL: ("i1",),
    PyType.COMPLEX: ("double", "double"),
    PyType.STR: ("ptr",),
    PyType.BYTES: ("ptr",),
    PyType.BIGINT: ("ptr",),
    PyType.NONE: (),
    PyType.EXCEPTION: EXCEPTION_COMPONENTS,
    # That of the exception whose class or arguments are meant.
    PyType.EXCEPTION_CLASS: EXCEPTION_COMPONENTS,
    PyType.EXCEPTION_ARGS: EXCEPTION_COMPONENTS,
    PyType.TRACEBACK: (),
    PyType.HELD: ("ptr",),
    PyType.GENERATOR: ("ptr",),
    PyType.RANDOM_STATE: ("ptr",),
    PyType.BIT_GENERATOR: ("ptr",),
    PyType.PYTHON_RANDOM: ("ptr",),
}
_NUMPY: Mapping[DType, tuple[str, ...]] = {
    DType.B1: ("i1",),
    DType.I8: ("i8",),
    DType.U8: ("i8",),
    DType.I16: ("i16",),
    DType.U16: ("i16",),
    DType.I32: ("i32",),
    DType.U32: ("i32",),
    DType.I64: ("i64",),
    DType.U64: ("i64",),
    DType.F16: ("half",),
    DType.F32: ("float",),
    DType.F64: ("double",),
    DType.C64: ("float", "float"),
    DType.C128: ("double", "double"),
}


@cache
def flatten(type_: Type) -> tuple[str, ...]:
    """Return the LLVM types of the components of a value, as they stand in registers."""
    match type_:
        case PyType():
            return _PYTHON[type_]
        case DType():
            return _NUMPY[type_]
        case TensorType():
            return ("ptr", "ptr", *("i64",) * (2 * type_.rank))
        case TupleType(items):
            return tuple(part for item in items for part in flatten(item))
        case OptionalType(item):
            return ("i1", *flatten(item))
        case UnionType():
            # The slots of other members are zero.
            parts = (part for member, _ in distinct_slots(type_) for part in flatten(member))
            return ("i8", *parts)
        case NamedType(base=base):
            return flatten(base)
        case ListType() | DictType() | SetType() | DequeType() | ClassType() | CellType():
            return ("ptr",)


@cache
def slots_of(type_: UnionType) -> tuple[slice, ...]:
    """Return which components of a union are those of each member: all objects share one."""
    found: list[slice] = []
    shared: slice | None = None
    end = 1  # behind the tag
    for member in type_.members:
        is_object = isinstance(member, ClassType)
        if is_object and shared:
            found.append(shared)
            continue
        start, end = end, end + len(flatten(member))
        found.append(slice(start, end))
        shared = found[-1] if is_object else shared
    return tuple(found)


def distinct_slots(type_: UnionType) -> tuple[tuple[Type, slice], ...]:
    """Return the slots of a union with the first member that is in each."""
    # By both ends: that of an empty tuple begins where the next one does.
    found: dict[tuple[int, int], tuple[Type, slice]] = {}
    for member, slot in zip(type_.members, slots_of(type_), strict=True):
        found.setdefault((slot.start, slot.stop), (member, slot))
    return tuple(found.values())


def in_memory(component: str) -> str:
    """Return the LLVM type that holds a component in memory: a bool takes a byte."""
    return "i8" if component == "i1" else component


@cache
def struct_of(type_: Type) -> str:
    """Return the LLVM struct that holds a value in memory."""
    return f"{{ {', '.join(map(in_memory, flatten(type_)))} }}"


_BYTES = {"i1": 1, "i8": 1, "i16": 2, "half": 2, "i32": 4, "float": 4}  # of others 8


def bytes_of(type_: Type) -> int:
    """Return the bytes of a value in memory, but for those that fill its struct up."""
    parts = flatten(type_)
    return offsets_of(type_)[-1] + _BYTES.get(parts[-1], 8) if parts else 0


@cache
def offsets_of(type_: Type) -> tuple[int, ...]:
    """Return the bytes before each component of a value in its struct: each is aligned to its size.

    The text of an access has them, not the struct, which may be a class of a hundred fields.
    """
    offsets: list[int] = []
    end = 0
    for component in flatten(type_):
        size = _BYTES.get(component, 8)
        offsets.append(-(-end // size) * size)
        end = offsets[-1] + size
    return tuple(offsets)


@cache
def element(dtype: DType) -> str:
    """Return the LLVM type of an array's element."""
    if dtype.kind == "c":
        return struct_of(dtype)
    (component,) = flatten(dtype)
    return in_memory(component)


@cache
def result_type(type_: Type) -> str:
    """Return the LLVM type that a function with this result returns."""
    return f"{{ {', '.join(('i32', *flatten(type_)))} }}"


def symbol(function: str) -> str:
    """Return the global name of a scripted function, quoted as LLVM takes it.

    The point at its end keeps it apart from C's functions: a script may have a `memset` of its own.
    """
    return f'@"{function}."'


def inner_symbol(function: str) -> str:
    """Return the name of what a recursive function is to the others: it is told how deep it is."""
    return f'@"{function}.."'


@record
class TensorParts:
    """The components of an array, by name."""

    data: str
    owner: str
    sizes: tuple[str, ...]
    strides: tuple[str, ...]

    @property
    def components(self) -> tuple[str, ...]:
        """The components in the order of `flatten`."""
        return (self.data, self.owner, *self.sizes, *self.strides)


def tensor_parts(components: tuple[str, ...]) -> TensorParts:
    """Name the components of an array."""
    rank = (len(components) - 2) // 2
    return TensorParts(
        components[0], components[1], components[2 : 2 + rank], components[2 + rank :]
    )


class Context:
    """The byte offsets of what a call carries through scripted functions, behind `%ctx`."""

    KIND = 0  # i32: which exception, an index of `KINDS`
    SITE = 4  # i32: where it was raised
    ARGS = 8  # i64 x 4: the numbers in its message
    MESSAGE = 40  # an owned str of Python's, or an exception that CPython raised; null without one
    TRACE = 48  # an owned block, see `Trace`; null while SITE is all that it would hold
    INSTANCE = 56  # an owned block, the object of the program's class; null where it is built in
    DEPTH = 64  # i64: calls of recursive functions under way
    DEPTH_LIMIT = 72  # i64
    STACK_LIMIT = 80  # ptr: the stack must not grow below
    POLL = 88  # i64: iterations of loops until signals are looked at
    LOCKS = 96  # ptr: the table of the locks that the entry holds, see `locks.py`
    JOB = 104  # ptr: the launch that this is a chunk of, without the GIL; null elsewhere
    THREAD = 112  # i64: which thread of that launch runs this; 0 is the caller's


CONTEXT_SIZE = 120
EXCEPTION_BYTES = Context.INSTANCE + 8  # of its components, which stand first
# Iterations between two looks at the signals: 1 ms of the leanest loop, 50 ms of a call each
# iteration.
POLL_ROUNDS = 1 << 20
# Where the description of a launch has what its chunks call instead of looking: see `pool.py`.
JOB_POLL = 104
EXCEPTION_OFFSETS = (
    Context.KIND,
    Context.SITE,
    *(Context.ARGS + 8 * index for index in range(4)),
    Context.MESSAGE,
    Context.TRACE,
    Context.INSTANCE,
)


class Trace:
    """The byte offsets in the block of a trace: a list of sites, what was handled, and the cause.

    An exception is known by its trace. It stands at the head of a chain of those that were being
    handled when the one before was raised.
    """

    LENGTH = BLOCK_HEADER  # i64, as in lists
    SITES = BLOCK_HEADER + 16  # ptr: i32 each, innermost first
    HANDLED = BLOCK_HEADER + 24  # i32: 1 where there is a context
    CAUSED = BLOCK_HEADER + 28  # i32: which `Caused`
    CONTEXT = BLOCK_HEADER + 32  # the components of the context
    CAUSE = CONTEXT + EXCEPTION_BYTES  # those of the cause


class Caused:
    """What `raise ... from` has said of an exception."""

    UNSAID, BY_OTHER, BY_NONE, BY_ITSELF = range(4)


TRACE_BYTES = Trace.CAUSE - BLOCK_HEADER + EXCEPTION_BYTES
TRACE_CAPACITY = 65536  # sites; the outer ones of a longer trace are left out

# The number of an exception class is its place in this tuple.
KINDS: tuple[str, ...] = tuple(EXCEPTIONS)
KIND: Mapping[str, int] = {name: number for number, name in enumerate(KINDS)}


def exception_text(components: Sequence[str]) -> str:
    """Return an exception as an argument is written in LLVM IR."""
    return ", ".join(map(" ".join, zip(EXCEPTION_COMPONENTS, components, strict=True)))


def kind_range(name: str) -> tuple[int, int]:
    """Return the first of the kinds that `except name` catches, and how many there are."""
    base = EXCEPTIONS[name]
    caught = [k for k, other in enumerate(EXCEPTIONS.values()) if issubclass(other, base)]
    return caught[0], len(caught)


class BoundaryError(UnsupportedError):
    """A type that cannot yet pass between Python and compiled code."""

    def __init__(self, message: str, instead: str = "") -> None:
        super().__init__(Diagnostic("boundary", message, instead=instead))

    def inside(self, where: str) -> "BoundaryError":
        """Return the error with the place where the type stands."""
        (found,) = self.diagnostics
        return BoundaryError(f"{where}: {found.message}", found.instead)
