"""The `__init__` that `dataclasses` makes has no file: its text is written here.

    @dataclass                             def __init__(self, x: object, xs: object = None):
    class C:                                   self.x = x
        x: float                               if xs is None:
        xs: list[int] = field(                     self.xs = []
            default_factory=list)              else:
        total: float = field(init=False)           self.xs = xs
        def __post_init__(self): ...           self.__post_init__()

What is not given for a field with a factory is None, so such a field cannot be None.
"""

import inspect
from collections.abc import Mapping, Sequence
from types import CellType, CodeType, FunctionType, GenericAlias
from typing import cast

from scriptc.check.members import find_member
from scriptc.check.scopes import known_as, plain_function
from scriptc.syntax.functions import keep_text
from scriptc.values.dataclass_members import (
    FIELDS,
    MADE_FILE,
    DataclassField,
    is_factory,
    is_field,
    is_missing,
    or_none,
)
from scriptc.values.outside_places import counter_of
from scriptc_runtime.errors import Diagnostic, Span, TypeCheckError

# What the text calls, or takes for the value of a field, by its name there.
_Held = dict[str, object]
_PARAMETER = "_FIELD_INITVAR"
_DISPLAYS: Mapping[object, str] = {list: "[]", dict: "{}", set: "set()"}


def written_init(cls: type, init: FunctionType, frozen: bool, span: Span | None) -> FunctionType:
    """Return the `__init__` of a dataclass as one that is compiled from a text.

    Raises TypeCheckError for what no text says.
    """
    given = list(inspect.signature(init).parameters.values())
    fields = cast("Mapping[str, DataclassField]", vars(cls)[FIELDS])
    annotations = dict(init.__annotations__)
    held: _Held = {}
    body: list[str] = []
    owner, names = given[0].name, {p.name for p in given[1:]}
    own = {name for name, f in fields.items() if _kind(f) == _PARAMETER or (is_field(f) and f.init)}
    if names != own:
        raise _refused(cls, "it is the one of another class", span)
    for name, field in fields.items():
        if name in names and _kind(field) == _PARAMETER:
            annotations[name] = _of_parameter(annotations[name])
        if is_field(field):
            body += _set_field(owner, field, name in names, held)
        if name in names and not is_missing(field.default_factory):
            if "None" in str(field.type):
                raise _refused(cls, f"{name!r} has a factory, and may be None", span)
            annotations[name] = or_none(annotations[name])
    body += _after(cls, owner, fields, frozen, span)
    made = _compiled(cls, init, given, body or ["pass"], held)
    made.__annotations__ = annotations
    return made


def _kind(field: DataclassField) -> str:
    """Return whether a field is one, a variable of the class, or a parameter alone."""
    return str(getattr(field, "_field_type", ""))


def _of_parameter(annotation: object) -> object:
    """Return what an InitVar says of the parameter."""
    if isinstance(annotation, str):
        return annotation.partition("[")[2].rpartition("]")[0]
    return cast(object, getattr(annotation, "type", annotation))


def _set_field(owner: str, field: DataclassField, given: bool, held: _Held) -> list[str]:
    """Return what sets a field: to what is given, to its default, or to what its factory makes."""
    name = field.name
    factory = field.default_factory
    if not is_missing(factory):
        # `list[int]` makes lists as `list` does.
        plain = factory.__origin__ if isinstance(factory, GenericAlias) else factory
        made = known_as(_DISPLAYS, plain)
        counter = counter_of(factory)
        if counter is not None:
            made = f"next(_factory_{name})"
            held[f"_factory_{name}"] = counter
        if made is None:
            made = f"_factory_{name}()"
            held[f"_factory_{name}"] = factory
        if not given:
            return [f"{owner}.{name} = {made}"]
        return [
            f"if {name} is None:",
            f"    {owner}.{name} = {made}",
            "else:",
            f"    {owner}.{name} = {name}",
        ]
    if given:
        return [f"{owner}.{name} = {name}"]
    if is_missing(field.default):
        return []  # which __post_init__ sets
    held[f"_default_{name}"] = field.default
    return [f"{owner}.{name} = _default_{name}"]


def _after(
    cls: type,
    owner: str,
    fields: Mapping[str, DataclassField],
    frozen: bool,
    span: Span | None,
) -> Sequence[str]:
    """Return the call of `__post_init__`, where there is one."""
    member = find_member(cls, "__post_init__")
    if member is None:
        return ()
    function = plain_function(member.value)
    if function is None:
        raise _refused(cls, "its __post_init__ is no function", span)
    if frozen and _stores(function.__code__):
        raise _refused(cls, "its __post_init__ sets a field, and it is frozen", span)
    given = [name for name, field in fields.items() if _kind(field) == _PARAMETER]
    return (f"{owner}.__post_init__({', '.join(given)})",)


def _stores(code: CodeType) -> bool:
    # Inside a function: few dataclasses are frozen and have a __post_init__.
    import dis

    return any(instr.opname == "STORE_ATTR" for instr in dis.get_instructions(code))


def _compiled(
    cls: type,
    init: FunctionType,
    given: Sequence[inspect.Parameter],
    body: Sequence[str],
    held: _Held,
) -> FunctionType:
    # What is declared is told by the function; an annotation in the text says that something is.
    plain = [p.name if i == 0 else f"{p.name}: object" for i, p in enumerate(given)]
    places = [i for i, p in enumerate(given) if p.kind is p.KEYWORD_ONLY]
    if places:
        plain.insert(places[0], "*")
    lines = [f"def _made({', '.join(held)}):\n", f"    def __init__({', '.join(plain)}):\n"]
    lines += [f"        {line}\n" for line in body]
    file = f"{MADE_FILE}{cls.__module__}.{cls.__qualname__}>"
    module = compile("".join(lines), file, "exec", dont_inherit=True)
    (outer,) = (c for c in module.co_consts if isinstance(c, CodeType))
    (code,) = (c for c in outer.co_consts if isinstance(c, CodeType))
    cells = tuple(CellType(held[name]) for name in code.co_freevars)
    defaults = tuple(None if is_factory(v) else v for v in init.__defaults__ or ())
    made = FunctionType(code, init.__globals__, "__init__", defaults or None, cells or None)
    keywords = (init.__kwdefaults__ or {}).items()
    made.__kwdefaults__ = {k: None if is_factory(v) else v for k, v in keywords} or None
    made.__qualname__ = init.__qualname__
    made.__module__ = cls.__module__
    # Not in linecache: other classes may have this name, and what is there may be cleared.
    keep_text(made, lines)
    return made


def _refused(cls: type, why: str, span: Span | None) -> TypeCheckError:
    message = f"the __init__ of the dataclass {cls.__name__} is not built"
    instead = f"write the __init__ of {cls.__name__} down"
    return TypeCheckError(Diagnostic("class-field", message, span, why, instead))
