"""Arguments that are empty, as `[]`, where nothing says what they hold.

Code that there is for others of the kind takes them. Otherwise the function says what it puts in:

    visit(graph, 0, set())      seen.add(node)

and where it says nothing, code is made for items of some type that fits, as for displays into which
a function puts nothing.
"""

import itertools
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import TypeVar, cast

from scriptc.cache.dependencies import names_outside
from scriptc.cache.request import ExplicitType, Request
from scriptc.check.open_types import EMPTY_DICT, EMPTY_LIST, empty_set
from scriptc.check.program import told_arguments
from scriptc.driver import fields_of
from scriptc.specialise.arguments import declared_types
from scriptc.specialise.specialise import root_of
from scriptc_runtime.errors import ScriptError
from scriptc_runtime.types import (
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    DictType,
    DType,
    ListType,
    OptionalType,
    PyType,
    SetType,
    TupleType,
    Type,
    UnionType,
)
from scriptc_runtime.unions import members_of

R = TypeVar("R")

# What stands for the items; for those of dicts, with a key.
_ITEMS = ((0, 0), (0.0, 0.0), ("", ""))
_EMPTY: Mapping[type, Type] = {
    list: EMPTY_LIST,
    dict: EMPTY_DICT,
    set: empty_set(),
    frozenset: empty_set(frozen=True),
}
_PLAIN: Mapping[Type, object] = {
    BOOL: False,
    BYTES: b"",
    COMPLEX: 0j,
    FLOAT: 0.0,
    INT: 0,
    NONE: None,
    STR: "",
}
_PAIRS = (*_ITEMS, ("", 0), ("", 0.0), (0, 0.0), (0, ""))


def is_for_items(refusal: ScriptError) -> bool:
    """Whether an argument is refused as it does not say what it holds."""
    first = refusal.diagnostics[0]
    return first.code == "empty-list" and first.span is None


def covers(known: Hashable, key: Hashable) -> bool:
    """Whether code for one key takes what has another, which holds nothing where they differ."""
    if known == key:
        return True
    if not (isinstance(known, tuple) and isinstance(key, tuple)):
        return False
    others, parts = cast("Sequence[Hashable]", known), cast("Sequence[Hashable]", key)
    return len(others) == len(parts) and all(map(_covers_part, others, parts))


def _covers_part(known: Hashable, part: Hashable) -> bool:
    """Whether kinds of items are those of another container, or there are none."""
    others, kinds = _kinds_in(known), _kinds_in(part)
    if others is None or kinds is None:
        return covers(known, part)
    return all(any(covers(other, kind) for other in others) for kind in kinds)


def _kinds_in(part: object) -> Collection[Hashable] | None:
    return cast("Collection[Hashable]", part) if isinstance(part, frozenset) else None


def first_found(
    find: Callable[[Sequence[object]], R],
    request: Request,
    functions: Sequence[FunctionType],
    refusal: ScriptError,
) -> R:
    """Return what is found for arguments that hold something in place of those that do not.

    `functions` are those of the program. Raises `refusal` where none fits, or what all say.
    """
    values = request.arguments
    # To NumPy, all that is empty holds floats.
    if not any(map(_is_filled, values)) or any(map(_uses_arrays, functions)):
        raise refusal
    refused: list[ScriptError] = []
    for items in (*_told(request), *_filled_in_turn(values)):
        try:
            return find(items)
        except ScriptError as error:
            refused.append(error)
    raise (refused[0] if len(set(map(str, refused))) == 1 else refusal) from None


def _told(request: Request) -> Iterator[Sequence[object]]:
    """Yield arguments that hold what the function puts in, if it says that of all of them."""
    declared = declared_types(request)
    pairs = list(zip(declared, request.arguments, strict=True))
    silent = {name for (name, type_), value in pairs if type_ is None and _is_empty(value)}
    given = [
        ExplicitType(_EMPTY[type(value)]) if name in silent else value for (name, _), value in pairs
    ]
    by = request.owner, request.constructs
    opened = Request(request.function, given, request.options, *by, any_values=True)
    try:
        told = {name: (i, k) for name, i, k in told_arguments(root_of(opened), fields_of)}
        if not silent or silent - told.keys():
            return
        yield [
            _holding(value, *told[name]) if name in silent else value for (name, _), value in pairs
        ]
    except (ScriptError, _NoExampleError):
        return


class _NoExampleError(Exception):
    """What a function puts in is nothing that a value stands for here."""


def _is_empty(value: object) -> bool:
    return type(value) in _EMPTY and not value


def _holding(value: object, item: Type, key: Type | None) -> object:
    """Return a container like an empty one that holds values of some types."""
    examples = list(_examples(item))
    if isinstance(value, dict):
        if key is None:
            raise _NoExampleError
        keys = itertools.cycle(_examples(key))
        return dict(zip(keys, examples, strict=False))
    made = cast("Callable[[Iterable[object]], object]", type(value))
    return made(examples)


def _examples(type_: Type) -> Iterator[object]:
    """Yield values that together have a type."""
    match type_:
        case PyType() if type_ in _PLAIN:
            yield _PLAIN[type_]
        case DType():
            yield type_.numpy.type(0)
        case OptionalType() | UnionType():
            for member in (NONE, *members_of(type_)):
                if member is not NONE or NONE in members_of(type_):
                    yield from _examples(member)
        case TupleType(items):
            yield tuple(next(_examples(item)) for item in items)
        case ListType(item, frozen):
            yield (tuple if frozen else list)(_examples(item))
        case SetType(item, frozen):
            yield (frozenset if frozen else set)(_examples(item))
        case DictType(key, held, "dict"):
            yield {next(_examples(key)): value for value in _examples(held)}
        case _:
            raise _NoExampleError


def _uses_arrays(function: FunctionType) -> bool:
    """Whether a function mentions NumPy, or something of it."""
    named = (function.__globals__.get(name) for name in names_outside(function))
    modules = (
        v.__name__ if isinstance(v, ModuleType) else getattr(v, "__module__", "") for v in named
    )
    return any(str(module).partition(".")[0] in ("numpy", "scipy") for module in modules)


def _filled_in_turn(values: Sequence[object]) -> Iterator[Sequence[object]]:
    """Yield arguments whose types may be those of some that hold nothing, one after the other."""
    for key, item in _PAIRS if any(map(_has_dict, values)) else _ITEMS:
        yield [_filled(value, key, item) for value in values]


def _has_dict(value: object) -> bool:
    if isinstance(value, dict):
        return True
    parts = cast("Sequence[object]", value) if isinstance(value, list | tuple) else ()
    return any(map(_has_dict, parts))


def _is_filled(value: object) -> bool:
    """Whether a container, or one inside of it, holds nothing and is filled here."""
    if type(value) not in (list, set, frozenset, tuple, dict):
        return False
    held = cast("Collection[object]", value)
    parts = cast("dict[object, object]", held).values() if isinstance(held, dict) else held
    return not (held or isinstance(held, tuple)) or any(map(_is_filled, parts))


def _filled(value: object, key: object, item: object) -> object:
    """Return a container like another in which none holds nothing; others as they are."""
    kind = type(value)
    if kind is dict:
        held = cast("dict[object, object]", value) or {key: item}
        return {k: _filled(v, key, item) for k, v in held.items()}
    if kind in (list, set, frozenset, tuple):
        parts = cast("Collection[object]", value)
        whole = parts if parts or kind is tuple else (item,)
        made = cast("Callable[[Iterable[object]], object]", kind)
        return made([_filled(part, key, item) for part in whole])
    return value
