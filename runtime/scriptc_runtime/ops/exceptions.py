"""Ops on exceptions as values: making them, what they say, and what they were raised from."""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from scriptc_runtime.held_values import Held, HeldValue, held_at, holds_any
from scriptc_runtime.ops.control import check_exception, is_made_of
from scriptc_runtime.ops.opdef import Attr, Attrs, Effects, OpDef, OpTypeError
from scriptc_runtime.types import (
    BOOL,
    EXCEPTION,
    EXCEPTION_ARGS,
    EXCEPTION_CLASS,
    HELD,
    INT,
    NONE,
    STR,
    TRACEBACK,
    ClassType,
    OptionalType,
    PyType,
    TupleType,
    Type,
    assignable,
    is_hashable,
)
from scriptc_runtime.values import EXCEPTION_FIELD, EXCEPTIONS, Instance

# The attribute of an exception in which the interpreter has the object of the program's class.
OBJECT = "scriptc_object"


def object_in(exception: BaseException) -> Instance | None:
    """Return the object of the program's class that an exception is, None for a built-in one."""
    return getattr(exception, OBJECT, None)


def with_object(owner: Instance) -> BaseException:
    """Return the exception that an object of a class of exceptions is."""
    exception = owner.fields[EXCEPTION_FIELD]
    assert isinstance(exception, BaseException)  # by its type
    setattr(exception, OBJECT, owner)
    return exception


def _class_name(exception: BaseException) -> str:
    found = object_in(exception)
    return type(exception).__name__ if found is None else found.class_name


def _repr(exception: BaseException) -> str:
    return _class_name(exception) + repr(exception)[len(type(exception).__name__) :]


def _full_name(exception: BaseException) -> str:
    found = object_in(exception)
    if found is not None:
        return found.class_name
    return f"{type(exception).__module__}.{type(exception).__qualname__}"


def _class_text(exception: BaseException) -> str:
    return str(type(exception))


# What can be said of an exception, each as a text.
TEXTS: Mapping[str, Callable[[BaseException], str]] = {
    "str": str,
    "repr": _repr,
    "name": _class_name,
    "class": _full_name,
    "class_text": _class_text,
}
OLDER = ("cause", "context")
OTHER_CLASS = "the exception is of another class"
OTHER_ARGUMENT = "scripts read an argument of an exception as a tuple of another length"
# What is read of the arguments of exceptions, besides None and tuples of these.
ARGUMENTS: Mapping[PyType, type] = {
    PyType.STR: str,
    PyType.INT: int,
    PyType.FLOAT: float,
    PyType.BOOL: bool,
}
# What else an exception stands for.
ABOUT: Mapping[str, Type] = {"class": EXCEPTION_CLASS, "args": EXCEPTION_ARGS}


def _one(types: Sequence[Type]) -> None:
    if types[0] not in (EXCEPTION, EXCEPTION_CLASS):
        raise OpTypeError(f"expected an exception, got {types[0]}")


def _new(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if not all(map(is_made_of, types)):
        raise OpTypeError(f"no exception takes {next(t for t in types if not is_made_of(t))}")
    check_exception(attrs)
    return (EXCEPTION,)


def _is(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _one(types)
    check_exception(attrs)
    return (BOOL,)


def _text(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _one(types)
    if attrs["kind"] not in TEXTS:
        raise OpTypeError(f"kind is one of {', '.join(TEXTS)}")
    return (STR,)


def _about(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _one(types)
    kind = attrs["kind"]
    if kind not in ABOUT:
        raise OpTypeError(f"kind is one of {', '.join(ABOUT)}")
    return (ABOUT[str(kind)],)


def _of_args(types: Sequence[Type]) -> None:
    if types[0] is not EXCEPTION_ARGS:
        raise OpTypeError(f"expected the arguments of an exception, got {types[0]}")


def _args_text(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _of_args(types)
    return (STR,)


def _count(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _of_args(types)
    return (INT,)


def _argument(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _of_argument(types, attrs)
    type_ = attrs["type"]
    if not isinstance(type_, PyType) or type_ not in ARGUMENTS:
        raise OpTypeError(f"no argument of an exception is read as {type_}")
    return (type_,)


def _is_argument(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _of_argument(types, attrs)
    is_read = isinstance(attrs["type"], TupleType) or attrs["type"] in (*ARGUMENTS, NONE)
    if not is_read and not is_held(attrs["type"]):
        raise OpTypeError(f"no argument of an exception is {attrs['type']}")
    return (BOOL,)


def is_held(type_: Attr) -> bool:
    """Whether an exception keeps an argument of this type as one that Python does not look into."""
    is_type = not isinstance(type_, int | float | complex | str | None) and not (
        isinstance(type_, tuple) and not isinstance(type_, TupleType)
    )
    return is_type and not is_hashable(cast(Type, type_))


def _hold(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if not is_held(attrs["type"]) or not assignable(types[0], cast(Type, attrs["type"])):
        raise OpTypeError(f"no exception keeps {types[0]} as {attrs['type']}")
    return (HELD,)


def _held_argument(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _of_args(types)
    if types[1] is not INT or not is_held(attrs["type"]):
        raise OpTypeError(f"no exception keeps {attrs['type']}, or its index is no int")
    return (cast(Type, attrs["type"]),)


def _holds_values(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _of_args(types)
    return (BOOL,)


def _argument_text(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _of_args(types)
    if types[1] is not INT or attrs["kind"] not in ("str", "repr"):
        raise OpTypeError("an argument has an int as its index; its text is of kind str or repr")
    return (STR,)


def _of_argument(types: Sequence[Type], attrs: Attrs) -> None:
    _of_args(types)
    if types[1] is not INT:
        raise OpTypeError("an argument has an int as its index")
    path = attrs["path"]
    if not isinstance(path, tuple) or not all(type(place) is int for place in path):
        raise OpTypeError("a path is a tuple of ints")


def _traceback(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _one(types)
    return (TRACEBACK,)


def _set_cause(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if types[0] is not EXCEPTION or any(t is not EXCEPTION for t in types[1:]) or len(types) > 2:
        raise OpTypeError("an exception has one other, or none, as its cause")
    return ()


def _older(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _one(types)
    if attrs["kind"] not in OLDER:
        raise OpTypeError(f"kind is one of {', '.join(OLDER)}")
    return (OptionalType(EXCEPTION),)


def _object_of(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _one(types)
    return (ClassType(str(attrs["cls"])),)


def _is_object(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _one(types)
    return (BOOL,)


def _exception_of(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if types[0] is not EXCEPTION or not isinstance(types[1], ClassType):
        raise OpTypeError("an exception is made of one and of an object")
    return (EXCEPTION,)


def _with_object(exception: BaseException, owner: Instance) -> BaseException:
    setattr(exception, OBJECT, owner)
    return exception


def _its_object(exception: BaseException, *, cls: str, classes: tuple[str, ...]) -> Instance:
    found = object_in(exception)
    if found is None or found.class_name not in classes:
        raise TypeError(OTHER_CLASS)
    return found


def _has_object(exception: BaseException, *, classes: tuple[str, ...]) -> bool:
    found = object_in(exception)
    return found is not None and found.class_name in classes


def _make(*args: object, kind: str) -> BaseException:
    return EXCEPTIONS[kind](*args)


def _matches(exception: BaseException, *, kind: str) -> bool:
    return isinstance(exception, EXCEPTIONS[kind])


def _say(exception: BaseException, *, kind: str) -> str:
    return TEXTS[kind](exception)


def _what(exception: BaseException, *, kind: str) -> object:
    # A class is known by an exception of it.
    return exception.args if kind == "args" else exception


def argument(args: tuple[object, ...], index: int, *, type: str, path: tuple[int, ...]) -> object:
    """Return an argument of an exception, or what it holds at a path; `type` is a label.

    Raises TypeError for one that is of another type, or an int that 64 bits do not hold.
    """
    found = _at(args, index, path)
    if _label(found) != type or (isinstance(found, int) and not -(2**63) <= found < 2**63):
        raise TypeError(f"scripts read an argument of an exception as {type}, not {found!r}")
    return found


def is_argument(args: tuple[object, ...], index: int, *, type: str, path: tuple[int, ...]) -> bool:
    """Return whether an argument of an exception, or what it holds at a path, has this label."""
    return _label(_at(args, index, path)) == type


def _at(args: tuple[object, ...], index: int, path: tuple[int, ...]) -> object:
    found = args[index]
    for place in path:
        if not isinstance(found, tuple):
            return NotImplemented  # which no type is that of
        found = cast("tuple[object, ...]", found)[place]
    return found


def _label(value: object) -> str:
    if isinstance(value, Held):
        return value.label
    if isinstance(value, tuple):
        return f"tuple of {len(cast('tuple[object, ...]', value))}"
    named = (t.value for t, cls in ARGUMENTS.items() if type(value) is cls)
    return next(named, str(value) if value is None else type(value).__qualname__)


def label_of(type_: Attr) -> str:
    """Return what arguments of a type are known by: of tuples only their length is looked at."""
    return f"tuple of {len(type_.items)}" if isinstance(type_, TupleType) else str(type_)


def _read(
    args: tuple[object, ...], index: int, *, type: Type, path: tuple[int, ...] = ()
) -> object:
    return argument(args, index, type=label_of(type), path=path)


def _test(args: tuple[object, ...], index: int, *, type: Type, path: tuple[int, ...]) -> bool:
    return is_argument(args, index, type=label_of(type), path=path)


def _held(value: object, *, type: Type) -> HeldValue:
    return HeldValue(type, value)


def _value_held(args: tuple[object, ...], index: int, *, type: Type) -> object:
    found = held_at(args, index, str(type))
    return found.value if isinstance(found, HeldValue) else found


def _text_of_argument(args: tuple[object, ...], index: int, *, kind: str) -> str:
    return str(args[index]) if kind == "str" else repr(args[index])


def _its_traceback(exception: BaseException) -> object:
    return exception.__traceback__


def _cause(exception: BaseException, *cause: BaseException) -> None:
    # It suppresses the context, as `raise ... from` does.
    exception.__cause__ = cause[0] if cause else None


def _of(exception: BaseException, *, kind: str) -> BaseException | None:
    return exception.__cause__ if kind == "cause" else exception.__context__


def _aliases(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True, aliases=frozenset(range(len(types))))


def _looks(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), allocates=True)


def _new_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    kept = frozenset(place for place, type_ in enumerate(types) if type_ is HELD)
    return Effects(allocates=True, raises=True, aliases=kept)


def _reads(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), allocates=True, raises=True)


def _shares(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), aliases=frozenset({0}))


def _keeps(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(aliases=frozenset({0, 1}))


def _reads_object(types: Sequence[Type], attrs: Attrs) -> Effects:
    # A saved file may hold one that no test stands before: no address may come of it.
    return Effects(reads=frozenset({0}), aliases=frozenset({0}), raises=True)


def _writes(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(writes=frozenset({0}))


NEW_EXCEPTION = OpDef(
    name="new_exception",
    doc="An exception of the built-in class `kind` with these `args`, which is not raised yet.",
    operands=("*args",),
    attrs=("kind",),
    infer=_new,
    evaluate=_make,
    effects=_new_effects,
)
HOLD = OpDef(
    name="hold",
    doc="`value` as an argument of an exception that keeps it, and that Python does not look into. "
    "Its `type` is what it is read as.",
    operands=("value",),
    attrs=("type",),
    infer=_hold,
    evaluate=_held,
    effects=_aliases,
)
HELD_ARGUMENT = OpDef(
    name="held_argument",
    doc="What one of the `arguments` of an exception keeps, a value of `type`: IndexError where "
    "there is none of this index, TypeError where it keeps none of this type.",
    operands=("arguments", "index"),
    attrs=("type",),
    infer=_held_argument,
    evaluate=_value_held,
    effects=_reads_object,
)
ARGUMENT_TEXT = OpDef(
    name="argument_text",
    doc="The text of one of the `arguments` of an exception, which does not keep it: what `str` or "
    "`repr` gives, as `kind` says. IndexError where there is none of this index.",
    operands=("arguments", "index"),
    attrs=("kind",),
    infer=_argument_text,
    evaluate=_text_of_argument,
    effects=_reads,
)
HOLDS_VALUES = OpDef(
    name="holds_values",
    doc="Whether the exception keeps one of its `arguments` where Python does not look into it.",
    operands=("arguments",),
    infer=_holds_values,
    evaluate=holds_any,
    effects=_looks,
)
IS_EXCEPTION = OpDef(
    name="is_exception",
    doc="Whether `exception` is an instance of the built-in class `kind`.",
    operands=("exception",),
    attrs=("kind",),
    infer=_is,
    evaluate=_matches,
)
EXCEPTION_TEXT = OpDef(
    name="exception_text",
    doc="A text about `exception`. The `kind` is `str`, its message as str() gives it, `repr`, "
    "the `name` of its class, its `class` with the module, or `class_text`, that as str() "
    "gives it.",
    operands=("exception",),
    attrs=("kind",),
    infer=_text,
    evaluate=_say,
    effects=_reads,
)
ABOUT_EXCEPTION = OpDef(
    name="about_exception",
    doc="The class or the arguments of `exception`, as `kind` says: `class` or `args`.",
    operands=("exception",),
    attrs=("kind",),
    infer=_about,
    evaluate=_what,
    effects=_shares,
)
ARGUMENTS_TEXT = OpDef(
    name="arguments_text",
    doc="The text of the tuple of an exception's `arguments`.",
    operands=("arguments",),
    infer=_args_text,
    evaluate=str,
    effects=_reads,
)
ARGUMENT_COUNT = OpDef(
    name="argument_count",
    doc="How many `arguments` an exception has.",
    operands=("arguments",),
    infer=_count,
    evaluate=len,
    effects=_reads,
)
EXCEPTION_ARGUMENT = OpDef(
    name="exception_argument",
    doc="One of the `arguments` of an exception, or what it holds at a `path` of indices, which is "
    "of `type`: IndexError where there is none of this index, TypeError where it is of another.",
    operands=("arguments", "index"),
    attrs=("type", "path"),
    infer=_argument,
    evaluate=_read,
    effects=_reads,
)
ARGUMENT_IS = OpDef(
    name="argument_is",
    doc="Whether one of the `arguments` of an exception, or what it holds at a `path` of indices, "
    "is of `type`, or a tuple of its length: IndexError where there is none of this index.",
    operands=("arguments", "index"),
    attrs=("type", "path"),
    infer=_is_argument,
    evaluate=_test,
    effects=_reads,
)
EXCEPTION_TRACEBACK = OpDef(
    name="exception_traceback",
    doc="Where `exception` comes from: a value of which nothing is read.",
    operands=("exception",),
    infer=_traceback,
    evaluate=_its_traceback,
)
SET_CAUSE = OpDef(
    name="set_cause",
    doc="Say that `exception` comes from `cause`, or from none: its context is not shown then.",
    operands=("exception", "*cause"),
    infer=_set_cause,
    evaluate=_cause,
    effects=_writes,
)
OLDER_EXCEPTION = OpDef(
    name="older_exception",
    doc="The `cause` or the `context` of `exception`, as `kind` says, or None.",
    operands=("exception",),
    attrs=("kind",),
    infer=_older,
    evaluate=_of,
    effects=_shares,
)

EXCEPTION_OF = OpDef(
    name="exception_of",
    doc="The exception that an `object` of a class of exceptions is, with the arguments of "
    "`exception`, which is of a built-in class.",
    operands=("exception", "object"),
    infer=_exception_of,
    evaluate=_with_object,
    effects=_keeps,
)
IS_OBJECT = OpDef(
    name="is_object",
    doc="Whether `exception` is an object of one of `classes`, which the program declares.",
    operands=("exception",),
    attrs=("classes",),
    infer=_is_object,
    evaluate=_has_object,
)
OBJECT_OF = OpDef(
    name="object_of",
    doc="The object of the class `cls` that `exception` is, or of one of `classes`, which inherit "
    "from it. TypeError where it is none of these.",
    operands=("exception",),
    attrs=("cls", "classes"),
    infer=_object_of,
    evaluate=_its_object,
    effects=_reads_object,
)

OPS = (
    NEW_EXCEPTION,
    HOLD,
    HELD_ARGUMENT,
    ARGUMENT_TEXT,
    HOLDS_VALUES,
    IS_EXCEPTION,
    EXCEPTION_TEXT,
    ABOUT_EXCEPTION,
    ARGUMENTS_TEXT,
    ARGUMENT_COUNT,
    EXCEPTION_ARGUMENT,
    ARGUMENT_IS,
    EXCEPTION_TRACEBACK,
    SET_CAUSE,
    OLDER_EXCEPTION,
    EXCEPTION_OF,
    IS_OBJECT,
    OBJECT_OF,
)
