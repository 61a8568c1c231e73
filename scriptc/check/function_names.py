"""Names in the module: of functions, one a specialisation, and of the arrays they capture."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import FunctionType

from scriptc.check.checked import RESULTS, Capture, CheckedFunction, MadeOutside, Specialisation
from scriptc.check.kept_results import is_of_results
from scriptc.check.library.standard import is_standard
from scriptc.check.outside_makers import in_order
from scriptc_runtime.dims import symbol
from scriptc_runtime.record import replace
from scriptc_runtime.reserved import LIBRARY_PREFIX, RESERVED
from scriptc_runtime.types import ClassType, TensorType, TupleType


def name_functions(
    functions: Sequence[CheckedFunction],
    owners: Mapping[FunctionType, type],
    roots: AbstractSet[Specialisation],
) -> tuple[dict[Specialisation, CheckedFunction], tuple[Capture, ...]]:
    """Give every function its name in the module, and all the arrays that its callees capture."""
    functions = _with_one_table(functions)
    captures = _all_captures(functions)
    used = {p.name for f in functions for p in f.params}
    renamed = _capture_names(captures, used)
    taken: dict[str, int] = {}
    result: dict[Specialisation, CheckedFunction] = {}

    def named(base: str) -> str:
        taken[base] = taken.get(base, 0) + 1
        return base if taken[base] == 1 else f"{base}.{taken[base]}"

    for function in functions:
        base = _base_name(function, owners)
        name = named(base)
        direct = {c.qualified for c in function.captures}
        every = captures[function.key].values()
        own = tuple(_passed_on(c, renamed[c.qualified], c.qualified in direct) for c in every)
        result[function.key] = replace(function, name=name, captures=own)
        if function.key in roots and (made := in_order(list(filter(_is_made, own)), captures)):
            own = tuple(c for c in own if c not in made)
            inner = named(base)
            made_there = replace(function, name=name, captures=own, made=made, inner=inner)
            result[function.key] = made_there
    captured = {c.name: c for f in result.values() for c in f.captures}
    return result, tuple(c for c in captured.values() if not _is_made(c))


def _is_made(capture: Capture) -> bool:
    """Whether what is captured is made at the beginning of a call."""
    return is_of_results(capture) or isinstance(capture.value, MadeOutside)


def _with_one_table(functions: Sequence[CheckedFunction]) -> Sequence[CheckedFunction]:
    """Let what keeps results capture one tuple of all dicts of results, however many there are."""
    dicts = [c for f in functions for c in f.captures if is_of_results(c)]
    if not dicts:
        return functions
    places = {capture.qualified: place for place, capture in enumerate(dicts)}
    whole = Capture("results", TupleType(tuple(c.type for c in dicts)), dicts[0].value, RESULTS)

    def with_one(function: CheckedFunction) -> CheckedFunction:
        others = tuple(c for c in function.captures if not is_of_results(c))
        if len(others) == len(function.captures):
            return function
        return replace(function, captures=(*others, whole), places_of_results=places)

    return [with_one(function) for function in functions]


def _passed_on(capture: Capture, name: str, is_direct: bool) -> Capture:
    """Return a capture as a parameter of a function that reads it, or only passes it on.

    The sizes of what is passed on get names of their own: two callees may have captured
    different arrays under one name.
    """
    type_ = capture.type
    if not is_direct and isinstance(type_, TensorType):
        dims = (symbol(f"{name}_size{axis}") for axis in range(type_.rank))
        type_ = TensorType(type_.dtype, tuple(dims))
    return replace(capture, name=name, type=type_)


def _base_name(function: CheckedFunction, owners: Mapping[FunctionType, type]) -> str:
    live = function.key.function
    if is_standard(live):
        # What nothing calls once it is inlined is dropped by this beginning of its name.
        return f"{LIBRARY_PREFIX}{live.__module__.removeprefix('stdlib.')}.{live.__name__}"
    return _not_reserved(_own_name(function))


def _own_name(function: CheckedFunction) -> str:
    live = function.key.function
    if function.constructs:
        return f"{function.constructs.name}.{live.__name__}"
    name = live.__name__.strip("<>")  # of a lambda
    first = function.params[0] if function.params else None
    if first and isinstance(first.type, ClassType) and live.__qualname__.count("."):
        return f"{first.type.name}.{name}"
    return name


def _not_reserved(name: str) -> str:
    """Return a name that is not taken for a function that a compilation makes."""
    owner, dot, rest = name.partition(".")
    is_taken = name.startswith((LIBRARY_PREFIX, *RESERVED))
    return f"{owner}_{dot}{rest}" if is_taken else name


def _all_captures(
    functions: Sequence[CheckedFunction],
) -> dict[Specialisation, dict[str, Capture]]:
    """Return for each function what it and everything it calls captures, by qualified name."""
    captures = {f.key: {c.qualified: c for c in f.captures} for f in functions}
    changed = True
    while changed:
        changed = False
        for function in functions:
            own = captures[function.key]
            count = len(own)
            for callee in function.callees:
                own.update({k: v for k, v in captures[callee].items() if k not in own})
            changed = changed or len(own) > count
    return captures


def _capture_names(
    captures: Mapping[Specialisation, Mapping[str, Capture]], used: set[str]
) -> dict[str, str]:
    """Return a name in the module for each captured array: its own, made unique."""
    renamed: dict[str, str] = {}
    taken = set(used)
    for own in captures.values():
        for qualified, capture in own.items():
            if qualified in renamed:
                continue
            name, number = capture.name, 1
            while name in taken:
                number += 1
                name = f"{capture.name}_{number}"
            taken.add(name)
            renamed[qualified] = name
    return renamed
