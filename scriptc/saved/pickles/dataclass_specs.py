"""Dataclasses in pickles: what `dataclasses` was told, for it to make the class again."""

from types import FunctionType
from typing import Any, NamedTuple, cast

from scriptc.values.dataclass_members import FIELDS


class DataclassSpec(NamedTuple):
    """What `field` is given for each field, and `dataclass` for the class."""

    fields: dict[str, dict[str, Any]]
    settings: dict[str, Any]


def dataclass_spec(written: type) -> DataclassSpec | None:
    """Return what a dataclass was made with, None of a class that is none."""
    if FIELDS not in vars(written):
        return None
    # Inside a function: those who have dataclasses have loaded it.
    import dataclasses

    given: dict[str, dict[str, Any]] = {}
    for f in dataclasses.fields(cast(Any, written)):
        given[f.name] = {n: getattr(f, n) for n in ("init", "repr", "hash", "compare", "kw_only")}
        if f.default is not dataclasses.MISSING:
            given[f.name]["default"] = f.default
    params: object = vars(written)["__dataclass_params__"]
    settings = ("repr", "eq", "order", "unsafe_hash", "frozen")
    return DataclassSpec(given, {name: getattr(params, name) for name in settings})


def made_dataclass(
    name: str, members: dict[str, Any], spec: DataclassSpec, names: dict[str, Any]
) -> type:
    """Return a dataclass with these members, whose `__init__` has `names` for its globals."""
    # Inside a function: few pickles hold dataclasses.
    import dataclasses

    fields = {field: dataclasses.field(**given) for field, given in spec.fields.items()}
    # Its module may be unknown here, and the names of that of the main script mean other things.
    bare = {**members, **fields, "__module__": dataclasses.__name__}
    made = dataclasses.dataclass(**spec.settings)(type(name, (), bare))
    made.__module__ = members["__module__"]
    for member in vars(made).values():
        if isinstance(member, FunctionType):
            member.__module__ = made.__module__
    init = cast(FunctionType, vars(made)["__init__"])
    own = FunctionType(init.__code__, names, init.__name__, init.__defaults__, init.__closure__)
    own.__kwdefaults__, own.__annotations__ = init.__kwdefaults__, init.__annotations__
    own.__qualname__ = init.__qualname__
    setattr(made, "__init__", own)  # noqa: B010 -- type checkers know that of object
    return made
