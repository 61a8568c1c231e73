"""Types of the fields of scripted classes: the first object says them, and others widen them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn, cast

from scriptc.classes.layouts import in_new_rings, is_wider, move_objects
from scriptc.classes.scripted_class import Access, ClassState, class_names, state_of
from scriptc.values.kinds import Parameter
from scriptc_runtime.errors import Diagnostic, TypeCheckError
from scriptc_runtime.types import Type


class Declared(NamedTuple):
    """The fields of a class, and what is known of those into which nothing was put."""

    state: ClassState
    fields: Sequence[Parameter]
    opened: Mapping[str, Type]
    late: frozenset[str] = frozenset()  # those that `__init__` does not set


def declare_all(declared: Sequence[Declared], access: Access, others: Sequence[ClassState]) -> None:
    """Give classes their fields; the first backend that comes keeps the instances.

    All get wider types at once: a class that inherits from another one begins with its fields.
    Raises TypeError for a second backend, TypeCheckError for types that cannot hold what the fields
    of objects hold: every instance is read by the same code.
    """
    declared = [*declared, *_of_heirs(declared)]
    fresh = [each for each in declared if each.state.access is None]
    wider = [each for each in declared if _is_changed(each, access, others)]

    def change() -> None:
        for each in declared:
            each.state.late |= each.late
        for each in fresh:
            each.state.begin(each.fields, each.opened, access, others)
        for each in wider:
            each.state.add_others(others)
            each.state.show(each.fields, each.opened)

    if not (wider or any(each.state.bases for each in fresh)):
        change()
    else:
        moved = [each.state for each in wider]
        moved += [s for s in in_new_rings([each[:2] for each in fresh], others) if s not in moved]
        try:
            # Objects are read before there is a class that inherits from theirs as they will be.
            move_objects(moved, change)
        except BaseException:
            for each in fresh:
                each.state.withdraw()
            raise
    for state, _, opened, _ in declared:
        state.opened = {name: t for name, t in state.opened.items() if name in opened}


def _of_heirs(declared: Sequence[Declared]) -> Sequence[Declared]:
    """Return the fields of classes that inherit, where only their bases are declared.

    A pickle, say, names no classes that its objects are not of.
    """
    found: dict[ClassState, Declared] = {each.state: each for each in declared}
    for each in declared:
        types = {field.name: field.type for field in each.fields}
        for heir in map(state_of, each.state.known_heirs):
            if heir is None or any(heir is other.state for other in declared):
                continue
            _, fields, opened, _ = found.get(heir, Declared(heir, heir.fields, heir.opened))
            fields = tuple(Parameter(f.name, types.get(f.name, f.type)) for f in fields)
            opened = {n: t for n, t in opened.items() if n not in types or n in each.opened}
            found[heir] = Declared(heir, fields, opened)
    return [*found.values()][len(declared) :]


def _is_changed(declared: Declared, access: Access, others: Sequence[ClassState]) -> bool:
    """Whether fields of objects get other types.

    Raises TypeError for another backend, TypeCheckError for types that they cannot get.
    """
    state = declared.state
    if state.access is None:
        return False
    if type(state.access) is not type(access):
        raise TypeError(f"objects of {state.live.__qualname__} are those of another backend")
    _refuse_other_classes(state, others)
    if [f.type for f in declared.fields] == [f.type for f in state.fields]:
        return False
    known, states = state.known, (*state.others, *others)
    for new in declared.fields:
        if not (state.may_change and is_wider(new.type, known[new.name], states)):
            _refuse_other_fields(state, new, known[new.name])
    return True


def _refuse_other_classes(state: ClassState, others: Sequence[ClassState]) -> None:
    known = {other.live.__name__: other.live for other in state.others}
    now = {other.live.__name__: other.live for other in others}
    for field in state.fields:
        for name in class_names(field.type):
            # Neither has a class without @script: its objects never leave a call.
            if known.get(name) is not now.get(name):
                raise TypeCheckError(
                    Diagnostic(
                        "class-field",
                        f"the field {field.name!r} of class {state.live.__qualname__} is of "
                        f"another class {name} in other instances",
                        why=f"there were objects before {name} was defined anew",
                        instead=f"define {state.live.__name__} anew, too",
                    )
                )


def _refuse_other_fields(state: ClassState, new: Parameter, known: Type) -> NoReturn:
    raise TypeCheckError(
        Diagnostic(
            "class-field",
            f"the field {new.name!r} of class {state.live.__qualname__} is {new.type} "
            f"here, and {known} in objects that were made before",
            why="all instances of a class have fields of the same types",
            instead=_way_out(state, new.name),
        )
    )


def _way_out(state: ClassState, field: str) -> str:
    notes = (
        cast("Mapping[str, object]", vars(cls).get("__annotations__", {}))
        for cls in state.live.__mro__
    )
    if any(field in of_class for of_class in notes):
        return f"give {field!r} an annotation that says what all objects hold"
    return "annotate it in the class body"
