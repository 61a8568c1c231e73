"""Dataclasses: the `__init__` that Python makes of one has no file, so its text is written here."""

import inspect
import linecache
from collections.abc import Mapping
from functools import lru_cache
from types import CodeType, FunctionType
from typing import cast

from scriptc.check.scopes import plain_function
from scriptc_runtime.errors import Diagnostic, Span, TypeCheckError

_FIELDS, _PARAMETERS = "__dataclass_fields__", "__dataclass_params__"


def init_of(cls: type, span: Span | None) -> FunctionType | None:
    """Return the `__init__` that a class has, with a text, None where it has none of its own.

    Raises TypeCheckError for what dataclasses do besides.
    """
    init = plain_function(vars(cls).get("__init__"))
    if init is None or _FIELDS not in vars(cls) or init.__code__.co_filename != "<string>":
        return init
    own = list(inspect.signature(init).parameters.values())[1:]
    fields = cast("Mapping[str, object]", vars(cls)[_FIELDS])
    computed = [p.name for p in own if type(p.default).__name__ == "_HAS_DEFAULT_FACTORY_CLASS"]
    left_out = [name for name in fields if name not in {p.name for p in own}]
    if "__post_init__" in vars(cls):
        raise _refused(cls, "it has a __post_init__, which no call makes visible", span)
    if computed or left_out:
        raise _refused(cls, f"{(computed or left_out)[0]!r} is no plain parameter of it", span)
    return _written(cls, init)


def is_frozen(cls: type) -> bool:
    """Whether a class is a dataclass whose fields are not set after `__init__`."""
    return bool(getattr(vars(cls).get(_PARAMETERS), "frozen", False))


def _refused(cls: type, why: str, span: Span | None) -> TypeCheckError:
    message = f"the __init__ of the dataclass {cls.__name__} is not built"
    instead = f"write the __init__ of {cls.__name__} down"
    return TypeCheckError(Diagnostic("class-field", message, span, why, instead))


@lru_cache(maxsize=256)
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
    linecache.cache[file] = (sum(map(len, lines)), None, lines, file)
    module = compile("".join(lines), file, "exec", dont_inherit=True)
    (code,) = (c for c in module.co_consts if isinstance(c, CodeType))
    made = FunctionType(code, init.__globals__, "__init__", init.__defaults__)
    made.__kwdefaults__ = init.__kwdefaults__
    made.__annotations__ = init.__annotations__
    made.__qualname__ = init.__qualname__
    made.__module__ = cls.__module__
    return made
