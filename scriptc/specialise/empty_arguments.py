"""Arguments that are empty, as `[]`, where nothing says what they hold.

Code that there is for others of the kind takes them. Otherwise it is made for items of some type
that fits, as for displays into which a function puts nothing.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from types import FunctionType, ModuleType
from typing import TypeVar, cast

from scriptc.cache.dependencies import names_outside
from scriptc_runtime.errors import ScriptError

R = TypeVar("R")

# What stands for the items; for those of dicts, with a key.
_ITEMS = ((0, 0), (0.0, 0.0), ("", ""))
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
    values: Sequence[object],
    functions: Sequence[FunctionType],
    refusal: ScriptError,
) -> R:
    """Return what is found for arguments that hold something in place of those that do not.

    `functions` are those of the program. Raises `refusal` where none fits, or what all say.
    """
    # To NumPy, all that is empty holds floats.
    if not any(map(_is_filled, values)) or any(map(_uses_arrays, functions)):
        raise refusal
    refused: list[ScriptError] = []
    for items in _filled_in_turn(values):
        try:
            return find(items)
        except ScriptError as error:
            refused.append(error)
    raise (refused[0] if len(set(map(str, refused))) == 1 else refusal) from None


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
