"""What a script depends on outside of itself, hashed, and how to notice that it has changed.

Starting at functions and classes this follows every name that their code mentions: callees,
classes, constants, the kinds of captured arrays. It parses nothing, so it takes a little too much:
of a module, every member whose name the code has after any dot. What is too much makes a key
stricter, never wrong.

Code objects are hashed field by field: their marshalled form depends on reference counts.
"""

import gc
import sys

# The module behind hashlib, which loads OpenSSL as well: 8 ms of every start.
from _blake2 import blake2b
from collections import Counter, OrderedDict, deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from enum import Enum, EnumType
from functools import cached_property
from types import EllipsisType, FunctionType, ModuleType
from typing import TypeGuard, cast

import numpy as np

from scriptc.cache.annotation_texts import classes_in_annotation, said
from scriptc.cache.code_names import (
    NAME,
    global_names,
    mentioned_names,
    words,
)
from scriptc.cache.constant_fields import SCALARS, code_fields, constant_fields
from scriptc.cache.guards import (
    ABSENT,
    SIZE,
    CountGuard,
    Guard,
    HeirsGuard,
    LayoutGuard,
    PlaceGuard,
    SizeGuard,
    cell_value,
)
from scriptc.cache.modules_outside import (
    is_foreign,
    is_looked_into,
    modules_given,
    modules_imported,
)
from scriptc.cache.plain_functions import plain_function
from scriptc.classes.scripted_class import (
    HEIRS,
    LAYOUT,
    STATE,
    classes_of_fields,
    heirs_of,
    layout_of,
    state_of,
)
from scriptc.values.class_attributes import ClassAttribute, changing_attributes
from scriptc.values.global_variables import GlobalVariable, assigned_globals, variables_of
from scriptc.values.kinds import classes_in, in_main, key_of, key_text, kind_text, live_in
from scriptc.values.outside_places import (
    OutsidePlace,
    counter_of,
    is_count,
    is_object,
    is_outside,
    is_scripted,
    items_held,
    step_of,
)
from scriptc_runtime.random_generators import source_type
from scriptc_runtime.records import is_structured_dtype, records_class

_CONTAINERS = (tuple, list, dict, set, frozenset, deque, np.ndarray)
_MOST_SEEN = 5000  # objects; those that a script is handed are fewer
_WRAPPING: Mapping[type, str] = {
    staticmethod: "staticmethod ",
    classmethod: "classmethod ",
    property: "property ",
    cached_property: "cached_property ",
}
# What every member of an enumeration has.
_OF_ENUM = ("_value_", "_name_", "__objclass__", "_sort_order_")


# Plain classes in the modules of every start: a frozen dataclass takes most of a millisecond to
# make, a named tuple a quarter.


def is_table(value: object) -> TypeGuard[dict[str, object] | tuple[object, ...]]:
    """Whether something outside is a dict by names, or a tuple, that holds functions or classes."""
    if type(value) is dict:
        table = cast("dict[object, object]", value)
        return any(map(callable, table.values())) and all(type(key) is str for key in table)
    return type(value) is tuple and any(map(callable, cast("tuple[object, ...]", value)))


class Dependencies:
    """Everything reached: under equal digests the same source compiles to the same code."""

    __slots__ = ("_always", "classes", "digest", "functions", "guards")

    def __init__(
        self,
        digest: str,
        guards: Sequence[Guard],
        functions: Sequence[FunctionType],
        classes: Sequence[type],
    ) -> None:
        self.digest = digest
        self.guards = tuple(guards)
        self._always = tuple(guard for guard in guards if not guard.is_watched)
        self.functions = tuple(functions)
        self.classes = tuple(classes)

    def name_for(self, key: Hashable) -> Hashable:
        """Return what tells a specialisation from others: of functions what they say, not which.

        Classes are told apart that say the same: the objects that code makes are of one of them.
        """
        functions = any(isinstance(live, FunctionType) for live in live_in(key))
        classes = tuple((id(cls), layout_of(cls)) for cls in self.classes)
        return self.digest, classes, key_text(key) if functions else key

    def with_layouts(self) -> "Dependencies":
        """Return the same for objects whose fields hold what they hold by now."""
        guards = [
            LayoutGuard(g.place, g.name, g.found) if isinstance(g, LayoutGuard) else g
            for g in self.guards
        ]
        return Dependencies(self.digest, guards, self.functions, self.classes)

    @property
    def hold(self) -> bool:
        """Whether every name outside still stands for the same object."""
        return all(guard.holds for guard in self._always)


def find_dependencies(
    roots: Iterable[FunctionType | type],
    *,
    given: Iterable[FunctionType | type] = (),
    as_written: bool = False,
) -> Dependencies:
    """Return what functions and classes depend on; `given` are those that arguments are, or are of.

    As they are written, or with what objects say of the fields of their classes.
    """
    search = _Search((*roots, *filter(is_looked_into, given)), as_written)
    return Dependencies(
        search.digest(),
        tuple(search.guards.values()),
        tuple(search.functions),
        tuple(search.classes),
    )


def names_outside(function: FunctionType) -> Sequence[str]:
    """Return the globals that a function's code and its annotations mention."""
    found = (*names_in_texts(function.__annotations__), *_aliases(function))
    return list(dict.fromkeys((*global_names(function.__code__), *found)))


def names_in_texts(annotations: Mapping[str, object]) -> Sequence[str]:
    """Return the names in those annotations that are text."""
    texts = (a for a in annotations.values() if isinstance(a, str))
    return list(dict.fromkeys(name for text in texts for name in NAME.findall(text)))


def digest_of(*parts: object) -> str:
    """Return the hash of some texts, numbers or bytes in their order."""
    hashed = blake2b(digest_size=20)
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
        # With its length: two different sequences never make one text.
        hashed.update(b"%d:" % len(data))
        hashed.update(data)
    return hashed.hexdigest()


class _Search:
    """One walk: each object is visited once and called by its number from then on.

    What a visit finds waits for its turn: a chain of calls may be longer than Python's stack.
    """

    def __init__(self, roots: Iterable[object], as_written: bool) -> None:
        self._as_written = as_written
        self._homes = {"__main__", "__mp_main__", *map(_package, roots)}
        self.guards: dict[tuple[int, str], Guard] = {}
        self.functions: list[FunctionType] = []
        # No name need mention the first ones where a result is of them.
        self.classes: list[type] = [slice, EllipsisType]
        self._parts: list[object] = []
        self._numbers: dict[int, int] = {}
        self._numbers_of_guards: dict[tuple[int, str], int] = {}
        # What was looked through for which names: modules, classes and other objects.
        self._uses: set[tuple[int, tuple[str, ...]]] = set()
        self._attributes_changed: dict[type, frozenset[str]] = {}
        self._globals_assigned: dict[int, frozenset[str]] = {}
        # Objects and modules that other functions than the one that mentions them may look into,
        # and the names that any function mentions.
        self._given: dict[int, object] = {}  # by identity
        self._mentioned: dict[str, None] = {}
        # Values, and the names mentioned where they are used.
        self._waiting: list[tuple[object, Sequence[str]]] = [(root, ()) for root in roots]
        visited = 0
        while visited < len(self._waiting):
            for value, names in self._waiting[visited:]:
                visited += 1
                self._value(value, names)
            if visited == len(self._waiting) and not as_written:
                self._look_into_given()

    def digest(self) -> str:
        if "__mp_main__" not in sys.modules:
            return digest_of(*self._parts)
        return digest_of(*(p if isinstance(p, bytes) else in_main(str(p)) for p in self._parts))

    def _value(self, value: object, names: Sequence[str]) -> None:
        """Note a value; `names` are those mentioned where it is used, attributes among them."""
        function = plain_function(value)
        if function is not None:
            self._function(function)
        elif isinstance(value, ModuleType):
            self._module(value, names)
        elif isinstance(value, type):
            self._class(value)
            for owner in value.__mro__:
                if not is_foreign(owner.__module__):
                    self._members(owner, _dict_of_class(owner), names)
        elif is_table(value):
            self._table(value)
        else:
            self._parts += constant_fields(value)
            if _is_captured(value) and not self._as_written:
                self._seen(value, "captured")  # two names of one array are one argument
            self._named(value)
            if not (self._as_written or type(value) in SCALARS):
                self._objects(value)
            variables = cast(object, getattr(value, "__dict__", None))
            if isinstance(variables, dict):
                self._members(value, cast("dict[str, object]", variables), names)
                self._given[id(value)] = value

    def _look_into_given(self) -> None:
        """Note what a function may read that is given objects or modules: what any name says."""
        names = tuple(self._mentioned)
        for value in list(self._given.values()):
            if isinstance(value, ModuleType):
                self._module(value, names)
                continue
            self._objects(value)  # of what package its class is may be known by now
            if not self._is_looked_at(value):
                self._members(value, cast("dict[str, object]", vars(value)), names)
                for owner in type(value).__mro__:
                    if not is_foreign(owner.__module__):
                        self._members(owner, _dict_of_class(owner), names)

    def _give(self, value: object) -> None:
        """Note a module that other functions may look into than the one that mentions it."""
        if isinstance(value, ModuleType) and not is_foreign(value.__name__):
            self._given[id(value)] = value

    def _is_looked_at(self, value: object) -> bool:
        """Whether all that an object outside holds is looked at."""
        return (id(value), (SIZE,)) in self._uses

    def _named(self, value: object) -> None:
        """Note the enumerations and the classes of named tuples that a value or parts of it are of.

        No name in the program need mention them.
        """
        if is_structured_dtype(value):
            self.classes.append(records_class(value))
        classes = {c for c in classes_in(key_of(value)) if _is_named(c)}
        for cls in sorted(classes, key=lambda cls: (cls.__module__, cls.__qualname__)):
            self._class(cls)

    def _objects(self, value: object) -> None:
        """Note objects outside: what a call is handed of them, and what is compiled in.

        Of more objects than a script is handed, not all are looked at.
        """
        use = id(value), (SIZE,)
        if not is_outside(value) or len(self._uses) > _MOST_SEEN:
            return
        if is_object(value) and _package(type(value)) not in self._homes:
            return  # what scripts mention may lead to all objects of a library
        self._seen(value, "object")  # one that was noted before is another than its neighbour
        if use in self._uses:
            return
        self._uses.add(use)
        if type(value) not in (list, tuple, dict):
            self._class(type(value))
        # Inside a function: few programs have objects outside.
        from scriptc.cache.outside_objects import parts_of

        for name, kind, guard, part in parts_of(value):
            self._parts += (name, kind_text(kind))
            if guard is None:
                self._waiting.append((part, ()))
                continue
            key = id(part), guard.name
            self._parts.append(
                self._numbers_of_guards.setdefault(key, len(self._numbers_of_guards))
            )
            self.guards[key] = guard

    def _table(self, table: dict[str, object] | tuple[object, ...]) -> None:
        """Note a table of functions, which is compiled in: what it holds, and that it holds it."""
        if self._seen(table, "table"):
            return
        self._parts.append(len(table))
        if isinstance(table, dict):
            self.guards[id(table), SIZE] = SizeGuard(table, SIZE, len(table))
            for key, item in table.items():
                self._guarded(Guard(table, key, item), ())
        else:
            self._waiting += ((item, ()) for item in table)

    def _members(self, owner: object, variables: dict[str, object], names: Sequence[str]) -> None:
        """Note the attributes of an object, or of a class, that a script may read as constants."""
        use = (id(owner), tuple(names))
        if use in self._uses:
            return
        self._uses.add(use)
        fields = _fields(variables)
        for name in names:
            value = variables.get(name, ABSENT)
            # What a class has for its objects, as methods, is part of the class itself.
            is_own = not (isinstance(owner, type) and hasattr(type(value), "__get__"))
            if isinstance(owner, type) and name in self._changing(owner):
                self._changing_place(ClassAttribute(owner, name), _dict_of_class(owner))
            elif value is not ABSENT and is_own and name not in fields:
                self._guarded(Guard(variables, name, value), names)
                self._give(value)

    def _changing(self, cls: type) -> frozenset[str]:
        found = self._attributes_changed.get(cls)
        if found is None:
            found = self._attributes_changed[cls] = changing_attributes(cls)
        return found

    def _assigned(self, variables: dict[str, object]) -> frozenset[str]:
        found = self._globals_assigned.get(id(variables))
        if found is None:
            found = self._globals_assigned[id(variables)] = assigned_globals(variables)
        return found

    def _changing_place(self, place: OutsidePlace, variables: dict[str, object]) -> None:
        """Note a variable, or an attribute of a class, that the program changes."""
        guard = PlaceGuard(variables, place.name, place)
        key = id(variables), place.name
        number = self._numbers_of_guards.setdefault(key, len(self._numbers_of_guards))
        self._parts += ("changing", place.name, kind_text(guard.kind), number)
        self.guards[key] = guard

    def _seen(self, value: object, kind: str) -> bool:
        """Whether the value has a number already; it is noted in any case."""
        known = id(value) in self._numbers
        number = self._numbers.setdefault(id(value), len(self._numbers))
        self._parts += (kind, number)
        return known

    def _function(self, function: FunctionType) -> None:
        if self._seen(function, "function"):
            return
        if is_foreign(function.__module__):
            self._parts += (function.__module__, function.__qualname__)
            for name in function.__code__.co_names:
                self._foreign_class(function.__globals__.get(name))
            return
        self.functions.append(function)
        self._homes.add(_package(function))
        code = function.__code__
        self._parts += (function.__module__, function.__qualname__, *code_fields(code))
        for defaults in (function.__defaults__, function.__kwdefaults__):
            whole = tuple(sorted(defaults.items())) if isinstance(defaults, dict) else defaults
            self._parts += constant_fields(whole)
            self._named(whole)
            self._waiting += ((part, ()) for part in items_held(defaults) if is_outside(part))
        self._shared((*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()))
        self._annotations(function.__annotations__, function)
        types = _aliases(function)
        self._outside(function, types, types)
        mentioned = list(dict.fromkeys(mentioned_names(code)))
        self._mentioned |= dict.fromkeys(mentioned)
        self._outside(function, list(dict.fromkeys(global_names(code))), mentioned)
        for module in modules_given(function):
            self._give(module)
        for module in modules_imported(code):
            self._waiting.append((module, mentioned))
            self._give(module)

    def _shared(self, defaults: Iterable[object]) -> None:
        """Note the defaults that are handed over at each call, and those that are functions."""
        for value in defaults:
            if type(value) in (list, dict, set, deque, Counter, OrderedDict, np.ndarray):
                self._guarded(Guard({"default": value}, "default", value), ())
            elif not isinstance(value, SCALARS):
                self._waiting.append((value, ()))
                self._give(value)

    def _annotations(
        self, annotations: Mapping[str, object], function: FunctionType | None
    ) -> None:
        """Note annotations; those that are text mean what their names do in `function`."""
        self._parts += (f"{name}: {value} {said(value)}" for name, value in annotations.items())
        names = names_in_texts(annotations)
        for annotation in annotations.values():
            for cls in classes_in_annotation(annotation):
                self._class(cls)
        if function is not None:
            self._outside(function, names, names)

    def _outside(
        self, function: FunctionType, names: Sequence[str], mentioned: Sequence[str]
    ) -> None:
        """Note what names outside of a function stand for; `mentioned` has its attributes, too."""
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        variables = cast("dict[str, object]", function.__globals__)
        for name in (*cells, *names):
            if name in cells:
                self._guarded(Guard(cells[name], name, cell_value(cells[name])), mentioned)
            elif name in variables:
                self._guarded(Guard(variables, name, variables[name]), mentioned)

    def _guarded(self, guard: Guard, names: Sequence[str]) -> None:
        self._parts.append(guard.name)
        variables = variables_of(guard.place)
        if variables is not None and guard.name in self._assigned(variables):
            self._changing_place(GlobalVariable(variables, guard.name), variables)
            return
        counter = counter_of(guard.value)
        if counter is not None:
            guard = CountGuard(guard.place, guard.name, guard.value, counter)
        # Modules are not guarded: nobody binds `np` anew, and every function would pay for it.
        if not isinstance(guard.value, ModuleType):
            key = id(guard.place), guard.name
            self.guards[key] = guard
            number = self._numbers_of_guards.setdefault(key, len(self._numbers_of_guards))
            if not self._as_written:
                self._parts.append(number)  # by which captured arrays are found
        if isinstance(guard, CountGuard):
            self._seen(guard.changed.live, "count")  # two names of one are one argument
            self._parts.append(step_of(guard.changed.live))
        else:
            self._waiting.append((guard.value, names))

    def _module(self, module: ModuleType, names: Sequence[str]) -> None:
        self._parts.append(module.__name__)
        use = (id(module), tuple(names))
        if use in self._uses:
            return
        if is_foreign(module.__name__):
            self._foreign_module(module, names)
            return
        self._uses.add(use)
        variables = cast("dict[str, object]", vars(module))
        for name in names:
            value = variables.get(name, ABSENT)
            if value is not ABSENT:
                self._guarded(Guard(variables, name, value), names)
                self._give(value)

    def _foreign_module(self, module: ModuleType, names: Sequence[str]) -> None:
        """Note what leads to classes that a program's results may be of."""
        if module.__name__.partition(".")[0] in ("numpy", "scriptc", "scriptc_runtime"):
            return
        for name in names:
            value = vars(module).get(name)
            if isinstance(value, FunctionType):
                self._function(value)
            self._foreign_class(type(value) if isinstance(value, Enum) else value)

    def _foreign_class(self, cls: object) -> None:
        """Note a class of exceptions or named tuples, or an enumeration, that Python has."""
        if not isinstance(cls, type) or cls.__module__ == "builtins":
            return
        live = cast("type[object]", cls)
        leaves = any(base in (BaseException, tuple, Enum) for base in live.__mro__[1:])
        if leaves and not any(known is live for known in self.classes):
            self.classes.append(live)

    def _class(self, cls: type) -> None:
        if is_foreign(cls.__module__):
            self._parts.append(f"{cls.__module__}.{cls.__qualname__}")
            self._foreign_class(cls)
            return
        if self._seen(cls, "class"):
            return
        self.classes.append(cls)
        self._parts += (cls.__module__, cls.__qualname__)
        annotations = cast("dict[str, object]", vars(cls).get("__annotations__", {}))
        self._annotations(annotations, plain_function(vars(cls).get("__init__")))
        for base in cls.__bases__:
            self._class(base)
        unread = _unread(cls)
        for name, member in cast("Mapping[str, object]", vars(cls)).items():
            if name not in unread or name in self._changing(cls):
                self._member(cls, name, member)
        if isinstance(cls, EnumType):
            for name, member in cls.__members__.items():
                value = cast(object, cast("Enum", member).value)
                variables = cast("dict[str, object]", vars(member))
                self._parts += (name, *constant_fields(value))
                if isinstance(value, np.ndarray | list | dict | set):  # handed over at each call
                    self._guarded(Guard(variables, "_value_", cast(object, value)), ())
                self._attributes(variables)
        if not self._as_written:
            self._layout(cls)
            self._waiting += ((other, ()) for other in classes_of_fields(cls))
            self._heirs(cls)

    def _heirs(self, cls: type) -> None:
        """Note the classes that inherit from a scripted one, and of which there are objects."""
        if (state := state_of(cls)) is not None:
            self.guards[id(state.heirs), HEIRS] = HeirsGuard(state.heirs, HEIRS, heirs_of(state))
            self._waiting += ((heir, ()) for heir in state.known_heirs)

    def _layout(self, cls: type) -> None:
        """Note how often the fields of a class got other types: code is for objects as they are."""
        state = state_of(cls)
        if state is not None and state.may_change:
            guard = LayoutGuard(_dict_of_class(cls), LAYOUT, layout_of(cls))
            self.guards[id(guard.place), LAYOUT] = guard

    def _attributes(self, variables: dict[str, object]) -> None:
        """Note what `__init__` has set of a member of an enumeration: it is compiled in."""
        for name, value in variables.items():
            if name not in _OF_ENUM and isinstance(value, (*SCALARS, tuple)):
                self._guarded(Guard(variables, name, cast(object, value)), ())

    def _member(self, cls: type, name: str, member: object) -> None:
        if name in self._changing(cls):
            self._changing_place(ClassAttribute(cls, name), _dict_of_class(cls))
            return
        kind: type = type(member)
        if plain_function(member) is not None or isinstance(member, SCALARS):
            # What a static method or a property does is called differently from a method.
            self._parts.append(_WRAPPING.get(kind, "") + name)
            self._waiting.append((member, ()))
        is_kept = isinstance(member, (*SCALARS, *_CONTAINERS)) or is_count(member)
        is_kept = is_kept or is_object(cast(object, member)) or is_scripted(cast(object, member))
        if is_kept and not name.startswith("__"):
            # Objects have it, too: methods read it without a name of the class.
            self._guarded(Guard(_dict_of_class(cls), name, cast(object, member)), ())


def _package(live: object) -> str:
    return str(getattr(live, "__module__", "")).partition(".")[0]


def _is_named(cls: type) -> bool:
    """Whether the values of a class are known by it: no name in the program need mention it."""
    return tuple in cls.__mro__ or Enum in cls.__mro__ or STATE in vars(cls)


def _is_captured(value: object) -> bool:
    """Whether it matters which names outside stand for the same object.

    Such are handed to compiled code at each call, or are asked by `is` alone.
    """
    if is_scripted(value) or source_type(type(value)) is not None or type(value) is object:
        return True
    return isinstance(value, np.ndarray | list)


def _fields(variables: Mapping[str, object]) -> Mapping[str, object]:
    """Return the annotated fields of a scripted class: their defaults, until there are objects."""
    found = variables.get("__annotations__") if STATE in variables else None
    if not isinstance(found, dict):
        return {}
    fields = cast("Mapping[str, object]", found)
    # What has a list in the class is no field: all objects would have the same.
    return {f: a for f, a in fields.items() if not isinstance(variables.get(f), list | dict | set)}


def _unread(cls: type) -> set[str]:
    """Return the members of a class that mean nothing to a script: defaults of fields, its text."""
    # An enumeration that has a text of its own has no numbers.
    return {*_fields(vars(cls)), *(() if isinstance(cls, EnumType) else ("__repr__",))}


def _dict_of_class(cls: type) -> dict[str, object]:
    """Return what holds the attributes of a class, where it is seen that one is bound anew."""
    found = gc.get_referents(vars(cls))[0]  # `vars` gives a view of it, which no guard can use
    return cast("dict[str, object]", found) if type(found) is dict else {}


def _aliases(function: FunctionType) -> list[str]:
    """Return the types that annotations of local variables name: no bytecode mentions them."""
    names = dict.fromkeys(words(function.__code__))
    return [name for name in names if said(function.__globals__.get(name))]
