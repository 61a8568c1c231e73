"""The generators of a program: which classes there are, and what their functions give."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from types import FunctionType
from typing import Self, cast, get_args, get_origin

from scriptc.check import annotations
from scriptc.check.bindings import Typed, merge
from scriptc.check.checked import CheckedFunction, GeneratorParts, Parameter, Specialisation
from scriptc.check.context import Context
from scriptc.check.generator_classes import GeneratorClass, resumed
from scriptc.check.hints import names_in
from scriptc.check.rounds import Rounds
from scriptc.check.scopes import walk, walk_own
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.record import replace
from scriptc_runtime.types import NONE, ClassType, OptionalType, Type, UnionType


class _Methods:
    """What a class of generators has, so that calls of it are found; nothing runs it."""

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> object:
        raise NotImplementedError

    __resume__ = __returned__ = __sent__ = __thrown__ = __like__ = __next__
    __ended__ = __value__ = __drop__ = send = throw = close = __next__


class GeneratorClasses:
    """The classes of a program whose objects are generators."""

    def __init__(self, declare: Callable[[type, Mapping[str, Type]], None], rounds: Rounds) -> None:
        self._declare = declare
        self._rounds = rounds
        self.given = rounds.given
        self._named: dict[str, GeneratorClass] = {}
        self._of: dict[Specialisation, GeneratorClass] = {}
        # What is wrong with some as long as nothing is sent to them, or as little else is known.
        self.put_off: dict[Specialisation, TypeCheckError] = {}

    def find(self, name: str) -> GeneratorClass | None:
        """Return the generators that are objects of a class; None for another class."""
        return self._named.get(name)

    @property
    def words(self) -> Mapping[str, str]:
        """What users call the objects of each class."""
        return dict.fromkeys(self._named, "generator")

    def __contains__(self, key: Specialisation) -> bool:
        """Whether the generators that a function gives are known."""
        return key in self._of

    def are_any(self) -> bool:
        """Whether some function gives generators."""
        return bool(self._of)

    def of(self, key: Specialisation) -> GeneratorClass:
        """Return the class of the generators that a function gives."""
        if key not in self._of:
            base = f"{key.function.__name__.strip('<>')}_generator"
            name = f"{base}{len(self._named)}" if base in self._named else base
            given = self.given.of(key)
            given.sent = given.sent or declared_sent(key.function)
            found = GeneratorClass(name, key, given, declared_item(key.function))
            self._of[key] = self._named[name] = found
            methods = {k: m for k, m in vars(_Methods).items() if isinstance(m, FunctionType)}
            self._declare(type(name, (), methods), {})
        return self._of[key]

    def begun(self, key: Specialisation, node: n.FunctionDef) -> GeneratorClass:
        """Return the class of the generators that a function gives, which is checked now."""
        found = self.of(key)
        if not found.has_ends and yields_in_ends(node):
            found.has_ends = True
            self._rounds.note_ends()
        return found

    def without_sent(
        self, key: Specialisation, node: n.FunctionDef, error: TypeCheckError
    ) -> ClassType:
        """Return a generator that nothing is sent to yet, and remember what is wrong with it."""
        if key not in self or not may_be_sent(node):
            raise error
        generator = self.of(key)
        if generator.given.sent is not None:
            raise error
        self.put_off.setdefault(key, error)
        generator.returned = generator.returned or NONE  # so that more is found out
        return ClassType(generator.name)

    @property
    def first_put_off(self) -> TypeCheckError | None:
        """What is wrong with the first generator that was put off and is still not checked."""
        return next(iter(self.put_off.values()), None)


def may_be_sent(node: n.FunctionDef) -> bool:
    """Whether a generator uses what it is sent, or hands it on."""
    inner = list(walk_own(node.body))
    alone = {statement.value for statement in inner if isinstance(statement, n.Expr)}
    return any(
        isinstance(found, n.YieldFrom) or (isinstance(found, n.Yield) and found not in alone)
        for found in inner
    )


def declared_item(function: FunctionType) -> Type | None:
    """Return the type of the items that a generator function declares, None where it is open."""
    origin, args = _declared(function)
    is_one = any(origin is kind for kind in (Iterator, Iterable, Generator))
    return _annotated(args[0], function) if is_one and args else None


def declared_sent(function: FunctionType) -> Type | None:
    """Return the type of what a generator function declares to be sent to it."""
    origin, args = _declared(function)
    if origin is not Generator or len(args) < 2:
        return None
    found = _annotated(args[1], function)
    held = found.item if isinstance(found, OptionalType) else found
    return None if held is NONE or isinstance(held, UnionType) else held


def _declared(function: FunctionType) -> tuple[object, tuple[object, ...]]:
    written = cast("dict[str, object]", function.__annotations__).get("return")
    if isinstance(written, str):
        written = annotations.annotation_object(written, names_in(function))
    return get_origin(written), get_args(written)


def _annotated(written: object, function: FunctionType) -> Type | None:
    found = annotations.annotated_type(written, names_in(function), unions=True)
    return without_sizes(found) if found else None


def in_parts(
    checked: CheckedFunction, generator: GeneratorClass
) -> Mapping[Specialisation, CheckedFunction]:
    """Return the function that makes generators, and the one that resumes one."""
    item, returned = generator.item, generator.returned
    assert item is not None
    assert returned is not None
    given = generator.given
    types = without_sizes(item), without_sizes(returned)
    parts = GeneratorParts(generator.name, *types, False, given.sent, given.is_thrown)
    made = replace(checked, generator=parts, callees=(*checked.callees, generator.resume))
    resuming = replace(
        checked,
        key=generator.resume,
        params=(
            Parameter("generator", ClassType(generator.name)),
            *(Parameter(f"given{i}", type_) for i, type_ in enumerate(given.types)),
        ),
        result=resumed(parts.item),
        generator=replace(parts, resumes=True),
    )
    return {checked.key: made, resuming.key: resuming}


def yields_in_ends(node: n.FunctionDef) -> bool:
    """Whether something is left to do where a generator yields and is never resumed."""
    for inner in walk_own(node.body):
        ends = isinstance(inner, n.With) or (isinstance(inner, n.Try) and _sees_end(inner))
        parts = inner.body if isinstance(inner, n.With | n.Try) and ends else ()
        if isinstance(inner, n.Try) and inner.finalbody:
            parts = (*parts, *(s for h in inner.handlers for s in h.body), *inner.orelse)
        if any(isinstance(at, n.Yield | n.YieldFrom) for at in walk_own(parts)):
            return True
    return False


def _sees_end(node: n.Try) -> bool:
    """Whether something is done at the end of a `try` that GeneratorExit leaves."""
    kinds = [handler.type for handler in node.handlers]
    named = {k.id for kind in kinds if kind for k in walk((kind,)) if isinstance(k, n.Name)}
    return bool(node.finalbody) or None in kinds or not named.isdisjoint(_ENDING)


_ENDING = ("BaseException", "GeneratorExit")


def learn(generator: GeneratorClass, current: Context, returned: Typed | None) -> Type | None:
    """Learn from a pass over the function; return the type of the generators once it is known.

    Afterwards `is_changed` says whether something was checked by what it was thought to give.
    """
    before, asked, generator.asked = generator.item, generator.asked, False
    waits = current.problems or current.unknown
    merged = _merged(current)
    if merged is not None:
        for empty in current.empty_yields:
            current.learn_items(empty, merged)
    item = without_sizes(merged.type) if merged else None if waits else NONE
    if item is None and current.empty_yields and generator.item is None:
        # What is done with the `[]` that it gives itself tells what it holds.
        item = current.empty_yields[0].type
    end = without_sizes(returned.type) if returned else None if waits else NONE
    others = any(value.type != item for value, _ in current.yields)
    known = item or before, end or generator.returned
    changed = known != (before, generator.returned)
    generator.is_changed = changed and (asked or others or before is not None)
    generator.item, generator.returned = known
    return ClassType(generator.name) if item and end else None


def _merged(current: Context) -> Typed | None:
    """Return what all items have in common, None where none is known yet."""
    merged: Typed | None = None
    for value, node in current.yields:
        found = value if merged is None else merge(merged, value)
        found = found or current.unite(*(v for v, _ in current.yields))
        if found is None:
            assert merged is not None
            current.refuse_merge(
                f"the generator gives {value.type} here and {merged.type} elsewhere",
                node,
                merged,
                value,
                why="the items of a generator have one type",
            )
        merged = found
    return merged
