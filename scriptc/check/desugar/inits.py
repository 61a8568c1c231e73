"""The `__init__` of a class: its own, its base's, or what `dataclasses` made of its fields.

What `dataclasses` makes has no file, so its text is written here.
"""

import inspect
from collections.abc import Mapping, Sequence
from types import CodeType, FunctionType
from typing import Protocol, cast
from weakref import WeakKeyDictionary

from scriptc.check.members import exception_base, find_member, is_users
from scriptc.check.scopes import plain_function
from scriptc.syntax.functions import keep_text
from scriptc.values.dataclass_members import FIELDS, is_made_by_dataclasses
from scriptc_runtime.errors import Diagnostic, Span, TypeCheckError

_PARAMETERS = "__dataclass_params__"
# By class and by what `dataclasses` made: functions are specialised by identity.
_WRITTEN: WeakKeyDictionary[type, dict[FunctionType, FunctionType]] = WeakKeyDictionary()


def init_of(cls: type, span: Span | None) -> FunctionType | None:
    """Return the `__init__` that a class has, with a text, None where it has none of its own.

    Raises TypeCheckError for what dataclasses do besides.
    """
    member = find_member(cls, "__init__")
    if member is None:
        made = _init_of_exception if exception_base(cls) else _init_of_nothing
        return _copied(cls, made) if is_users(cls) else None
    init = plain_function(member.value)
    if init is not None and member.owner is not cls:
        inherited = init_of(member.owner, span)
        return inherited and _copied(cls, inherited)
    if init is None or not is_made_by_dataclasses(cls, "__init__", init):
        return init
    known = _WRITTEN.setdefault(cls, {})
    if init not in known:
        own = list(inspect.signature(init).parameters.values())[1:]
        _refuse_more(cls, init, own, span)
        known.setdefault(init, _written(cls, init))
    return known[init]


def _init_of_nothing(self: object) -> None:
    """Make an object without fields."""


class _Exception(Protocol):
    __exception__: BaseException


# In the constructor of a class of exceptions: the built-in class that it inherits from.
_exception_base_ = BaseException


def _init_of_exception(self: _Exception, *args: object) -> None:
    """Make an exception without other fields."""
    self.__exception__ = _exception_base_(*args)


def _copied(cls: type, init: FunctionType) -> FunctionType:
    """Return an `__init__` that a class inherits as one of its own: each makes its own objects."""
    known = _WRITTEN.setdefault(cls, {})
    if init not in known:
        made = FunctionType(
            init.__code__, init.__globals__, "__init__", init.__defaults__, init.__closure__
        )
        made.__kwdefaults__ = init.__kwdefaults__
        made.__annotations__ = init.__annotations__
        made.__qualname__ = init.__qualname__
        made.__module__ = init.__module__
        made.__dict__.update(init.__dict__)
        known.setdefault(init, made)
    return known[init]


def _refuse_more(
    cls: type, init: FunctionType, own: Sequence[inspect.Parameter], span: Span | None
) -> None:
    """Refuse an `__init__` that does more than to set a field to each of its parameters."""
    fields = cast("Mapping[str, object]", vars(cls)[FIELDS])
    computed = [p.name for p in own if type(p.default).__name__ == "_HAS_DEFAULT_FACTORY_CLASS"]
    left_out = [name for name in fields if name not in {p.name for p in own}]
    if hasattr(cls, "__post_init__"):
        raise _refused(cls, "it has a __post_init__, which no call makes visible", span)
    if computed or left_out:
        raise _refused(cls, f"{(computed or left_out)[0]!r} is no plain parameter of it", span)
    # Whatever else it does (InitVar is one case), its code is not that of a plain one.
    if init.__code__ != _plain_code(own, is_frozen(cls)):
        raise _refused(cls, "it does not set a field to each of its parameters", span)


def _plain_code(own: Sequence[inspect.Parameter], frozen: bool) -> CodeType:
    # Inside a function: only programs with dataclasses need it, and those have loaded it.
    import dataclasses

    fields = [(p.name, object, dataclasses.field(kw_only=p.kind is p.KEYWORD_ONLY)) for p in own]
    plain = dataclasses.make_dataclass("_", fields, frozen=frozen, repr=False, eq=False)
    init = plain_function(vars(plain)["__init__"])
    assert init is not None  # which make_dataclass writes
    return init.__code__


def is_frozen(cls: type) -> bool:
    """Whether a class is a dataclass whose fields are not set after `__init__`."""
    member = find_member(cls, _PARAMETERS)
    return bool(member and getattr(member.value, "frozen", False))


def _refused(cls: type, why: str, span: Span | None) -> TypeCheckError:
    message = f"the __init__ of the dataclass {cls.__name__} is not built"
    instead = f"write the __init__ of {cls.__name__} down"
    return TypeCheckError(Diagnostic("class-field", message, span, why, instead))


def _written(cls: type, init: FunctionType) -> FunctionType:
    """Return the `__init__` as one that is compiled from a text, which the parser finds."""
    given = inspect.signature(init).parameters.values()
    # What is declared is told by the function; an annotation in the text says that something is.
    plain = [p.name if i == 0 else f"{p.name}: object" for i, p in enumerate(given)]
    keywords = [i for i, p in enumerate(given) if p.kind is p.KEYWORD_ONLY]
    if keywords:
        plain.insert(keywords[0], "*")
    names = [p.name for p in given]
    body = [f"    {names[0]}.{name} = {name}\n" for name in names[1:]] or ["    pass\n"]
    lines = [f"def __init__({', '.join(plain)}):\n", *body]
    file = f"<dataclass {cls.__module__}.{cls.__qualname__}>"
    module = compile("".join(lines), file, "exec", dont_inherit=True)
    (code,) = (c for c in module.co_consts if isinstance(c, CodeType))
    made = FunctionType(code, init.__globals__, "__init__", init.__defaults__)
    made.__kwdefaults__ = init.__kwdefaults__
    made.__annotations__ = init.__annotations__
    made.__qualname__ = init.__qualname__
    made.__module__ = cls.__module__
    # Not in linecache: other classes may have this name, and what is there may be cleared.
    keep_text(made, lines)
    return made
