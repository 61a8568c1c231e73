"""A function whose check is over, as the rest of the compiler has it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import FunctionType

from scriptc.check import function_tables
from scriptc.check.checked import CheckedClass, CheckedFunction, Parameter, Specialisation
from scriptc.check.functions import FunctionPass
from scriptc.check.generators import GeneratorClasses
from scriptc.check.library.standard import is_standard
from scriptc.check.refusals import refuse
from scriptc.check.signatures import Signature
from scriptc.check.size_names import size_names
from scriptc.syntax import nodes as n
from scriptc.syntax.functions import decorated_span
from scriptc_runtime.errors import Source, TypeCheckError
from scriptc_runtime.types import Type, holds_class


def finished(
    current: FunctionPass,
    key: Specialisation,
    source: Source,
    node: n.FunctionDef,
    signature: Signature,
    result: Type,
    owner: CheckedClass | None,
) -> CheckedFunction:
    """Return a checked function; `owner` is the class whose `__init__` it is."""
    names = signature.names[1:] if owner else signature.names
    if key.names is not None:
        names = key.names
    cells = {name: value.type for name, value in current.learned.cells.items() if value}
    leaves = owner or current.generator or current.returns or current.empty_returns
    return CheckedFunction(
        key,
        key.function.__name__,
        source,
        function_tables.with_tables(node, current) if current.learned.tables else node,
        tuple(map(Parameter, names, key.types)),
        result,
        current.facts,
        cells,
        tuple(current.captures.values()),
        tuple(current.callees),
        owner,
        is_library=is_standard(key.function),
        size_names=size_names(signature.declared.values()),
        declared=current.declared_result,
        inlined=tuple(current.learned.inlined),
        shared=frozenset(current.learned.shared),
        never=not (leaves or current.declines),
    )


def stale_from(
    done: Collection[Specialisation], owners: Mapping[FunctionType, type], outdated: Collection[str]
) -> int:
    """Return how many functions come before the first `__init__` of the class of a name in some.

    What a class inherits from is known before all that is checked for the first call.
    """
    for place, key in enumerate(done):
        owner = owners.get(key.function) if key.function.__name__ == "__init__" else None
        if owner is not None and owner.__name__ in outdated:
            return place
    return len(done)


def for_this_attempt(
    done: Mapping[Specialisation, CheckedFunction], known: int, changed: Specialisation | None
) -> list[Specialisation]:
    """Return those of the functions done since `known` that have to be checked again.

    It is another attempt at the program, or the result of `changed` is another one. Functions of
    the library are what they are, where neither they nor what they call are given objects or
    functions of the program.
    """
    keys = list(done)[known:]
    if changed is not None and is_standard(changed.function):
        return keys
    again = set(keys)
    for key in keys:
        checked = done[key]
        if not checked.is_library or key.fixed:
            continue
        below = again.intersection(checked.callees) - {key}
        if not (below or any(map(holds_class, (*key.types, checked.result)))):
            again.remove(key)
    return [key for key in keys if key in again]


def all_reached(
    keys: Iterable[Specialisation],
    done: Mapping[Specialisation, CheckedFunction],
    generators: GeneratorClasses,
) -> list[CheckedFunction]:
    """Return the functions and all that they call, each once.

    Raises what put a generator off, and TypeCheckError for a function that never was done.
    """
    found: dict[Specialisation, CheckedFunction] = {}
    pending = list(reversed(list(keys)))
    while pending:
        key = pending.pop()
        if key in found:
            continue
        if key not in done:
            raise generators.first_put_off or _never_done(key)
        found[key] = done[key]
        pending += reversed(found[key].callees)
    return list(found.values())


def require_done(lacking: Sequence[Specialisation], generators: GeneratorClasses) -> None:
    """Refuse what is called and not done where there is nothing further out to wait for.

    What is told by now, of lists that meet, may be of help in another check.  Generators, and what
    calls them, are done later.
    """
    if lacking and not generators.are_any():
        raise _never_done(lacking[0])


def _never_done(key: Specialisation) -> TypeCheckError:
    """Return the refusal of a function in a ring whose result is as open as that of the others."""
    name = key.function.__qualname__
    message = f"the result of {name} depends on that of functions that call it"
    instead = "annotate the results of the functions that call each other"
    return refuse("recursion", message, instead, decorated_span(key.function))
