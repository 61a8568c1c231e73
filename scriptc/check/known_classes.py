"""The classes that a program uses: their fields, and the types that these have."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from inspect import isabstract
from types import FunctionType
from typing import Protocol

from scriptc.check import declared_fields, init_fields, other_field_types
from scriptc.check import late_fields as check_late_fields
from scriptc.check.asked_classes import AskedClasses, NotedNames
from scriptc.check.bindings import Typed, merge
from scriptc.check.checked import CheckedClass
from scriptc.check.class_fields import ClassFields, literals_inside, related
from scriptc.check.desugar import early_objects, exception_inits, own_properties
from scriptc.check.desugar import kept_properties as desugar_kept_properties
from scriptc.check.desugar.inits import init_of
from scriptc.check.functions import FunctionPass
from scriptc.check.learned import Learned
from scriptc.check.made_objects import MadeObjects
from scriptc.check.members import (
    base_of,
    exception_base,
    foreign_trait,
    mixed_in,
    untyped_field,
)
from scriptc.check.open_types import is_open
from scriptc.check.parameters import classes_in_annotations
from scriptc.check.refusals import is_scripted, no_end, refuse, refuse_class
from scriptc.check.scopes import fields_assigned_in
from scriptc.check.size_names import without_sizes
from scriptc.check.united_fields import Objects, UnitedFields, class_names, closed, takes
from scriptc.check.wider_types import type_of_both
from scriptc.syntax import nodes as n
from scriptc.syntax.functions import decorated_span
from scriptc_runtime.errors import ScriptError, Source, Span, TypeCheckError
from scriptc_runtime.named_classes import OF_INDICES, kind_of
from scriptc_runtime.types import NONE, NamedType, Type
from scriptc_runtime.unions import members_of, union_of
from scriptc_runtime.values import EXCEPTION_FIELD

# Gives the types of the fields of a class of which there are objects, the classes they are of, and
# those of Python's objects that inherit from it.
FieldsOf = Callable[[type], tuple[Mapping[str, Type], Sequence[type], Sequence[type]]]


class _Program(Protocol):
    """What is asked of the program that uses the classes."""

    @property
    def asked(self) -> AskedClasses:
        """Which classes the checks of functions ask for."""
        ...

    def depend(self, kind: str, name: str, value: object) -> None:
        """Note something outside that the result depends on."""
        ...

    def parsed(self, function: FunctionType) -> tuple[Source, n.FunctionDef]:
        """Return the text of a function and its tree."""
        ...

    def set_parsed(self, function: FunctionType, node: n.FunctionDef) -> None:
        """Let another tree stand for a function."""
        ...

    def construct_as_declared(self, live: type, init: FunctionType) -> None:
        """Check the `__init__` of a class, if it declares the types of all its parameters."""
        ...


class KnownClasses:
    """The classes that a program has reached, by name."""

    def __init__(
        self, program: _Program, fields_of: FieldsOf, known: Objects, united: UnitedFields
    ) -> None:
        self._program = program
        self._fields_of = fields_of
        self._known = known
        self._made = MadeObjects(known)
        self._classes: dict[str, ClassFields] = NotedNames(program.asked.note)
        self._united = united
        # Classes that are known no more since a check began anew, which annotations may name.
        self._forgotten: dict[str, type] = {}
        self._has_told = False  # what fields hold, for the next check
        self._told_of: set[str] = set()  # since all classes with others began anew
        # Fields that have another type in the next check: nothing is known of them in this one.
        self._outdated: dict[str, set[str]] = {}
        self._ahead: set[str] = set()  # classes with fields that have it in this one, too
        # What the passes over an `__init__` learn that leaves it open what a field holds.
        self._opened: dict[tuple[type, str], dict[int, Learned]] = {}
        # Of exceptions: whether their arguments are all that their `__init__` is given.
        self._taking_all: dict[type, bool] = {}
        # What follows in an `__init__` once its object is made, and the variables that it needs.
        self._rests: dict[type, tuple[FunctionType, early_objects.Parted]] = {}
        # Enumerations and classes of named tuples.
        self.of_values: dict[str, type] = {}

    def of_value(self, type_: NamedType) -> type:
        """Return the enumeration, or the class of named tuples or of slices, that a type names."""
        if type_.kind in OF_INDICES:  # which a field may hold that another program made
            self.declare(OF_INDICES[type_.kind][0], None)
        return self.of_values[type_.name]

    def __iter__(self) -> Iterator[str]:
        """Yield the names of those that have objects with fields."""
        return iter(self._classes)

    def counts(self) -> Mapping[str, int]:
        """Return how many types of fields are known of each class."""
        return {n: len(c.fields) for n, c in self._classes.items() if not c.is_function}

    @property
    def revision(self) -> tuple[int, ...]:
        """Numbers that are others where more is known of classes, or less."""
        known = sum(len(c.fields) + c.changes for c in self._classes.values())
        return len(self._classes), known, sum(map(len, self._outdated.values())), self._made.count

    def take_told_of(self) -> set[str]:
        """Return the classes that are others in the next check, since this was asked."""
        told, self._told_of = self._told_of, set()
        return told.union(self._made.asked_too_early())

    def related(self, names: Collection[str]) -> set[str]:
        """Return classes with all that inherit from them, and from what they inherit from."""
        return related(self._classes, names)

    def go_back(self, counts: Mapping[str, int], names: Collection[str] | None = None) -> None:
        """Forget what is known since there were so many, of some classes or of all."""
        self._see_fields()
        self._outdated.clear()
        self._ahead.clear()
        for name, found in list(self._classes.items()):
            if names is not None and name not in names:
                continue
            if not found.is_function and name not in counts:
                del self._classes[name]
                self._forgotten[name] = found.live
                self._made.forget_answer(name)
            for later in list(found.fields)[counts.get(name, len(found.fields)) :]:
                del found.fields[later]
            self._add_united(found)
            found.changes += 1
        # At once, as where all begins anew: what tries something out goes back if it declares any.
        for other in list(self._united.classes) if names is not None else ():
            self.declare(other, None)

    def _add_united(self, found: ClassFields) -> None:
        united = {f: t for f, t in self._united.of(found.live).items() if f not in found.declared}
        found.fields |= united
        found.inferred |= united.keys()
        found.changes += 1

    def __contains__(self, name: str) -> bool:
        """Whether there is such a class with this name."""
        return name in self._classes

    def named(self, name: str) -> CheckedClass:
        """Return the class that a class type names."""
        if name not in self._classes:
            self.declare(self._forgotten[name], None)
        found = self._classes[name]
        outdated = self._outdated.get(name, ())
        state = (*((len(c.fields), c.changes) for c in found.line), (len(outdated), 0))
        if found.checked is not None and found.checked[0] == state:
            return found.checked[1]
        fields: dict[str, Type] = {}
        for owner in reversed(list(found.line)):
            fields |= owner.fields
        known = {field: fields[field] for field in found.names if field in fields}
        base = found.base.live.__name__ if found.base else None
        checked = CheckedClass(
            *(name, found.live, found.names, known, found.is_function, base),
            *(found.late, found.live in self._rests, frozenset(outdated)),
            self._united.open_of(found.live),
        )
        found.checked = state, checked
        return checked

    def note_objects(self, live: type) -> None:
        """Note that the program makes objects of a class, or is given some."""
        if not isabstract(live):  # of which there are none, whoever asks
            self._made.note(live)

    def possible(self, name: str) -> Sequence[type]:
        """Return the classes of which objects are made, of a class and those that inherit.

        Those of exceptions where no class is named.
        """
        if name and self._classes[name].is_function:
            return [self._classes[name].live]
        base = self._classes[name].live if name else None
        for live in self._made.heirs(base):
            self.declare(live, None)
        return self._made.answer(name, base)

    def have_grown(self) -> bool:
        """Whether objects of a class were made after it was asked which ones there are."""
        self._see_fields()
        return self._made.have_grown()

    def late_heirs(self) -> Sequence[tuple[Sequence[type], Sequence[type]]]:
        """Return what was answered about classes, with those of which objects came too late."""
        late = list(self._made.late_heirs())
        for live in (live for _, lives in late for live in lives):
            self.declare(live, None)
        return late

    def refuse_lacking(self, error: ScriptError) -> None:
        """Say of what there is no object, where nothing is known of what objects do therefore."""
        self._made.refuse_lacking(error.diagnostics[0])

    def objects(self) -> Objects:
        """Return the classes of which objects are made, with the types of their fields."""
        return {
            live: self.named(live.__name__).fields if live.__name__ in self._classes else {}
            for live in self._made
        }

    def declared_in(self, live: type) -> Mapping[str, Type]:
        """Return the fields that a class, or one it inherits from, declares."""
        return {
            name: owner.fields[name]
            for owner in self._classes[live.__name__].line
            for name in owner.declared
        }

    def inferred_in(self, live: type) -> Mapping[str, Type]:
        """Return the fields whose types follow from what `__init__` declares."""
        found = self._classes[live.__name__]
        return {name: found.fields[name] for name in found.inferred}

    def declare(self, live: type, span: Span | None, *, is_made: bool = False) -> None:
        """Note that the program uses a class, and perhaps makes objects of it.

        Raises ScriptError for one that it cannot use.
        """
        name = live.__name__
        known = self.of_values.get(name) or (self._classes[name].live if name in self else None)
        if known is live:
            if is_made:
                self.note_objects(live)
            return
        if known is not None:
            instead = "rename one; where the class was defined anew, make its objects anew as well"
            raise refuse("class-name", f"two classes are called {name!r}", instead, span)
        if kind_of(live) is not None:
            self.of_values[name] = live
            self._program.depend("class", f"{live.__module__}.{live.__qualname__}", live)
            return
        trait = foreign_trait(live)
        init = None if trait else init_of(live, span)
        if init is None:
            raise refuse_class(live, span, trait)
        if is_made:
            self.note_objects(live)  # what an `__init__` does with its object asks for it
        base = base_of(live)
        if base is not None:
            self.declare(base, span)
            if name in self:
                return  # the `__init__` of the base asked what its objects may be
        self._add(live, init, self._classes[base.__name__] if base else None, span)
        for heir in self._fields_of(live)[2] if is_scripted(live) else ():
            self.declare(heir, span, is_made=True)

    def declare_functions(self, live: type, fields: Mapping[str, Type]) -> None:
        """Note a class whose objects are functions."""
        names = tuple(fields)
        found = ClassFields(live, names, None, dict(fields), frozenset(names), is_function=True)
        self._classes[live.__name__] = found

    def _add(
        self, live: type, init: FunctionType, base: ClassFields | None, span: Span | None
    ) -> None:
        name = live.__name__
        inherited = self._inherited(live, base, span)
        node = self._part(live, init, inherited)
        assigned = [
            *init_fields.first_values(live),
            *init_fields.fields_of_init(live, node, self._program.parsed),
        ]
        annotations = dict(declared_fields.annotated_fields(live, assigned))
        if exception_base(live):
            annotations[EXCEPTION_FIELD] = BaseException
            base_does = base is None or not self._taking_all[base.live]
            takes_all = not exception_inits.says_arguments(
                node, init_fields.owner_of(node), base_does
            )
            self._program.set_parsed(
                init, exception_inits.with_exception(node, init_fields.owner_of(node), base_does)
            )
            self._taking_all[live] = takes_all
        types = {
            field: declared_fields.declared_type(live, init, field, a)
            for field, a in annotations.items()
        }
        declared = {field: type_ for field, type_ in types.items() if type_}
        self._keep_properties(live)
        names = tuple(dict.fromkeys([*inherited, *annotations, *assigned]))
        # What a class without an `__init__` declares, those that inherit from it may set.
        known = (*inherited, *assigned) if "__init__" in vars(live) else names
        shown = self._fields_of(live)[0] if is_scripted(live) else ()
        late = [
            *check_late_fields.late_fields(live, known, shown, self._program.parsed),
            *self._set_after(live, known),
        ]
        late += self._united.added.get(live, ())
        names = tuple(dict.fromkeys([*names, *late]))
        own_properties.refuse_two_meanings(live, names)
        all_late = frozenset(late) | (base.late if base else frozenset[str]())
        found = ClassFields(live, names, base, declared=frozenset(declared), late=all_late)
        self._classes[name] = found
        if is_scripted(live):
            self.note_objects(live)  # Python may give some
        self._program.depend("class", f"{live.__module__}.{live.__qualname__}", live)

        for field_name, type_ in declared.items():
            told = self._united.of(live).get(field_name, without_sizes(type_))
            found.fields[field_name] = (
                union_of((told, NONE)) or told if field_name in late else told
            )
            self._declare_in_bases(found, field_name, span)
        for other in classes_in_annotations(init, annotations, unions=True):
            self.declare(other, span)
        self._tell_of_objects(found)
        self._add_united(found)
        for other in list(self._united.classes):  # each may tell of more
            self.declare(other, span)
        found.inferred = frozenset(found.fields) - found.declared
        if len(self.named(name).fields) < len(names):
            for other in classes_in_annotations(init, unions=True):
                self.declare(other, span)
            self._program.construct_as_declared(live, init)
            found.inferred = frozenset(found.fields) - found.declared
        if len(self.named(name).fields) < len(names):
            # The types of parameters come from calls, and there was one.
            seen = self._united.seen.get(live, {})
            found.fields = {**seen, **self._known.get(live, {}), **found.fields}
            found.changes += 1
            # What was of several types takes each of them.
            found.inferred |= {n for n, t in found.fields.items() if len(members_of(t)) > 1}

    def _tell_of_objects(self, found: ClassFields) -> None:
        """Note what the fields of Python's objects of a class hold, which others may widen."""
        known, classes, _ = self._fields_of(found.live)
        for name, type_ in known.items():
            if name not in found.declared and name not in self._united.of(found.live):
                self._united.tell(found.live, name, type_, classes)

    def _part(self, live: type, init: FunctionType, inherited: Sequence[str]) -> n.FunctionDef:
        """Return the `__init__` of a class, without what needs its object as a whole."""
        _, node = self._program.parsed(init)
        if exception_base(live) or live in self._rests:
            return node
        parts = early_objects.parted(live, node, self._program.parsed, inherited, self._rests)
        first = own_properties.with_properties(live, parts.first if parts else node)
        self._program.set_parsed(init, first)
        if parts is not None:
            rest = early_objects.rest_function(init)
            self._program.set_parsed(rest, parts.rest)
            self._rests[live] = rest, parts
            self._united.note_sure(live, parts.sure)
        return first

    def shared_with_rest(self, live: type) -> frozenset[str]:
        """Return the variables whose cells both parts of an `__init__` have."""
        return self._rests[live][1].shared if live in self._rests else frozenset()

    def _set_after(self, live: type, names: Sequence[str]) -> Iterable[str]:
        """Return the fields that an `__init__` sets once its object is made."""
        if live not in self._rests:
            return ()
        _, rest = self._program.parsed(self._rests[live][0])
        return [f for f in fields_assigned_in(rest, init_fields.owner_of(rest)) if f not in names]

    def _keep_properties(self, live: type) -> None:
        """Let the trees of cached properties stand for what they do."""
        for name, getter in desugar_kept_properties.kept_properties(live):
            if is_scripted(live):
                what = f"{name!r} of class {live.__name__} is a cached_property of a @script class"
                raise refuse("class-field", what, "a property", decorated_span(getter))
            self._program.set_parsed(
                getter, desugar_kept_properties.with_kept(self._program.parsed(getter)[1])
            )

    def _inherited(self, live: type, base: ClassFields | None, span: Span | None) -> Sequence[str]:
        """Return the fields that a class has from its bases."""
        names = [*(base.names if base else ())]
        for other in mixed_in(live):
            self.declare(other, span)
            names += self._classes[other.__name__].names
        return names

    def _declare_in_bases(self, found: ClassFields, name: str, span: Span | None) -> None:
        """Give the bases that have a field the type that a class declares of it."""
        type_ = found.fields[name]
        for owner in found.line:
            if name not in owner.names:
                continue
            known = owner.fields.setdefault(name, type_)
            if known != type_:
                raise other_field_types.other_than_base(
                    found.live, name, type_, owner.live, known, span
                )
            owner.declared |= {name}

    def set_fields(self, live: type, ends: FunctionPass) -> None:
        """Note the types that a constructor gives to the fields without annotation."""
        found = self._classes[live.__name__]
        declared = self.declared_in(live)
        for name in found.names:
            if name in declared:
                continue
            merged: Typed | None = None
            for fields, node in ends.field_ends:
                value = fields[name]
                both = value if merged is None else merge(merged, value)
                both = both or ends.unite(*(ended[name] for ended, _ in ends.field_ends))
                if both is None:
                    ends.fail(
                        "class-field",
                        f"the field {name!r} is {value.type} here and another type elsewhere",
                        node,
                        instead="annotate it in the class body",
                    )
                merged = both
            if merged is not None:
                self._set_field(found, name, merged, ends)
        if live in self._rests and ends.env_at_end is not None:
            early_objects.call_rest(ends, *self._rests[live], ends.env_at_end)

    def _set_field(self, found: ClassFields, name: str, merged: Typed, ends: FunctionPass) -> None:
        """Note the type of a field in a class, and in those that it has the field from."""
        type_, literals = without_sizes(merged.type), literals_inside(merged, ends.learned.items)
        closed_before = [self._united.open_of(owner.live).get(name) for owner in found.line]
        for owner in found.line:
            if name not in owner.names:
                continue
            self._united.note_literals(owner.live, name, literals)
            owner.fields.setdefault(name, type_)
            known = self._known_beside(owner, name, type_, closed_before)
            if is_open(known) and self._is_outdated(owner, name):
                continue  # the next check says what it holds
            if known == type_:
                if is_open(type_):
                    self._opened.setdefault((owner.live, name), {})[id(ends.learned)] = ends.learned
                continue
            others = self._opened.get((owner.live, name), {}).keys() - {id(ends.learned)}
            if is_open(known) and not others:
                owner.fields[name] = type_  # a later pass of the same `__init__`
                owner.changes += 1
                continue
            if is_open(known) or is_open(type_):
                # Objects with the empty list that another call makes are of this type, too.
                self._change(owner, name, known if is_open(type_) else type_)
                continue
            stays = bool(self._fields_of(owner.live)[0])
            both = type_of_both(
                known,
                type_,
                may_unite=ends.learned.may_unite,
                stays=stays,
                is_display=bool(merged.open_list),
            )
            fits = both == known
            if fits and found.fields[name] == known:
                continue  # `__init__` gives it as one of the base, when it is checked again
            if both is not None and (fits or name not in self._told(owner.live)):
                self._change(found if fits else owner, name, both)
                continue
            other_field_types.refuse_other_type(
                found.live, owner.live, name, (type_, known), merged, ends
            )

    def tell_field(self, name: str, field_name: str, value: Typed, *, may_unite: bool) -> bool:
        """Note that a field without annotation holds a value, too.

        It has the type that follows in the next check of the program.  Return whether a union would
        hold it, which it may not yet be: no type of what a class declares, or objects outside have,
        changes.
        """
        first = [owner for owner in self._classes[name].line if field_name in owner.names]
        if not first:  # nobody has set it before
            self._united.added.setdefault(self._classes[name].live, {})[field_name] = None
            self._note_told(name)
            return False
        owners = [c for c in self._classes.values() if any(b is first[-1] for b in c.line)]
        for owner in owners:
            fixed = owner.fields[field_name] if field_name in owner.declared else None
            if field_name in self._told(owner.live) or not takes(owner.live, fixed, value.type):
                return False
        known, live = self._known_type(first[0], field_name), first[0].live
        if is_open(known) and self._is_outdated(first[0], field_name):
            return False  # the next check says what it holds
        stays = bool(self._fields_of(live)[0])
        wider = self._united.wider(
            first[0], field_name, known, value, may_unite=may_unite, stays=stays
        )
        if wider is not None and wider != known:
            is_told = is_open(known) and not is_open(self._united.of(live).get(field_name, known))
            for owner in owners if not is_told else ():
                self._change(owner, field_name, wider)
        return wider is None and not may_unite

    @property
    def outdated(self) -> Collection[str]:
        """The names of the classes with such fields."""
        return self._outdated.keys() | self._ahead

    @property
    def are_outdated(self) -> bool:
        """Whether a field has another type in the next check than in this one."""
        return bool(self._outdated or self._ahead)

    def take_told(self) -> bool:
        """Return whether it was told since this was asked what fields hold."""
        self._see_fields()
        told, self._has_told = self._has_told, False
        if told and (self._united.was_misread or self._united.is_as_before()):
            raise no_end()
        return told

    def close_fields(self) -> bool:
        """Give types to the fields into which nothing is put; return whether there are any."""
        found = False
        for owner in list(self._classes.values()):
            for name, type_ in owner.fields.items() if not owner.is_function else ():
                if is_open(type_):
                    self._tell(owner, name, closed(type_))
                    self._united.note_open(owner.live, name, type_)
                    found = True
        return found

    def _known_type(self, owner: ClassFields, name: str) -> Type:
        """Return the type of a field as far as it is known in this check or for the next one."""
        known = owner.fields[name]
        is_outdated = self._is_outdated(owner, name)
        return self._united.of(owner.live).get(name, known) if is_outdated else known

    def _known_beside(
        self, owner: ClassFields, name: str, type_: Type, closed_before: Sequence[Type | None]
    ) -> Type:
        """Return that type, but what an heir puts in tells of what was closed before."""
        known = self._known_type(owner, name)
        if known == type_ or self._is_outdated(owner, name):
            return known
        return next((opened for opened in closed_before if opened), known)

    def _is_outdated(self, owner: ClassFields, name: str) -> bool:
        return name in self._outdated.get(owner.live.__name__, ())

    def _change(self, owner: ClassFields, name: str, type_: Type) -> None:
        """Give a field another type in the next check of the program."""
        self._tell(owner, name, type_)
        self._note_told(owner.live.__name__)
        known = owner.fields.get(name, type_)
        if self._united.is_read_ahead(owner.live, name, known, type_):
            owner.fields[name], owner.changes = type_, owner.changes + 1
            owner.inferred |= {name}
            self._ahead.add(owner.live.__name__)
        elif not is_open(known):
            # What says nothing yet goes on as that.
            self._outdated.setdefault(owner.live.__name__, set()).add(name)

    def _note_told(self, name: str) -> None:
        self._has_told = True
        self._told_of.add(name)

    def _see_fields(self) -> None:
        """Note all fields if more is told: they may be read before an object is made once more."""
        for found in self._classes.values() if self._has_told else ():
            if not found.is_function:
                self._united.see(found.live, found.fields)

    def _tell(self, owner: ClassFields, name: str, type_: Type) -> None:
        found = [self._classes[name] for name in class_names([type_]) if name in self._classes]
        self._united.tell(owner.live, name, type_, [c.live for c in found if not c.is_function])

    def _told(self, live: type) -> Mapping[str, Type]:
        """Return the types of fields that objects of a class have already."""
        return self._known.get(live, {})

    def refuse_untyped_fields(self) -> None:
        """Refuse classes that functions are given, and of which not all is known."""
        for name in self._classes:
            known = self.named(name)
            missing = [field for field in known.names if field not in known.fields]
            if missing:
                raise TypeCheckError(untyped_field(name, missing[0], None))
            base = self._classes[name].base
            if base is not None:
                other_field_types.require_types_of_base(known, self.named(base.live.__name__))
