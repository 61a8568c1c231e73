"""Generators that a function gives to Python: which functions Python goes on with.

They are functions of `stdlib/generators.py`, compiled for the class of the generator, and entered
from outside as the function that gives it is.
"""

from collections.abc import Iterator, Mapping, Sequence

from scriptc.check.checked import CheckedFunction, LeavingGenerator, Specialisation
from scriptc.check.generator_classes import GeneratorClass
from scriptc.check.generators import GeneratorClasses, may_be_sent
from scriptc.check.library.standard import is_standard, standard_function
from scriptc.check.library.static_arguments import DecidingArguments
from scriptc.check.list_uses import ListUses
from scriptc_runtime import given_generators
from scriptc_runtime.types import NONE, ClassType, OptionalType, Type


def leaving_generators(
    roots: Sequence[Specialisation],
    done: Mapping[Specialisation, CheckedFunction],
    uses: Mapping[Specialisation, ListUses],
    generators: GeneratorClasses,
    deciding: DecidingArguments,
) -> Mapping[str, LeavingGenerator]:
    """Return the generators that roots give, by their classes, with all that is called of them."""
    found: dict[str, LeavingGenerator] = {}
    for key in roots:
        given = done[key].result
        generator = generators.find(given.name) if isinstance(given, ClassType) else None
        if generator is None or generator.item is None:
            continue
        is_sent = generator.key in done and may_be_sent(done[generator.key].node)
        functions = dict(_functions_for(generator, is_sent))
        for function in functions.values():
            deciding.choose(function, ())
        writes = bool(uses.get(key, ListUses()).written)
        name = generator.key.function.__qualname__
        found[generator.name] = LeavingGenerator(key, name, generator.item, functions, writes)
    return found


def _functions_for(
    generator: GeneratorClass, is_sent: bool
) -> Iterator[tuple[str, Specialisation]]:
    """Yield what Python calls of a generator, each with what it is called for."""
    own = ClassType(generator.name)
    yield given_generators.RESUME, _of("resumed", own)
    if generator.returned not in (None, NONE):
        yield given_generators.VALUE, _of("value_of", own)
    if is_standard(generator.key.function):
        return  # an iterator that is no generator
    if generator.has_ends:
        yield given_generators.CLOSE, _of("close", own)
    if generator.given.sent is not None:
        yield given_generators.SEND, _of("sent_to", own, OptionalType(generator.given.sent))
    elif not is_sent:
        yield given_generators.IGNORE, _of("resumed", own)


def _of(name: str, *types: Type) -> Specialisation:
    return Specialisation(standard_function("generators", name), types)
