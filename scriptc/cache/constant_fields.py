"""What a digest takes of code and of constants: all that compiled code may depend on."""

from collections import deque
from collections.abc import Iterator
from enum import Enum
from struct import Struct
from types import BuiltinMethodType, CodeType
from typing import cast

import numpy as np

from scriptc.cache.annotation_texts import said
from scriptc.values.kinds import key_of, kind_text
from scriptc.values.outside_places import is_count, is_method_of_constant, step_of

SCALARS = (bool, int, float, complex, str, bytes, type(None), type(...))


def code_fields(code: CodeType) -> Iterator[object]:
    """Yield what a function's code is, with its constants."""
    yield "code"
    yield from (code.co_name, code.co_qualname, code.co_filename, code.co_firstlineno)
    yield from (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    yield from (code.co_code, code.co_linetable, code.co_exceptiontable)
    for names in (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars):
        yield ",".join(names)
    for constant in code.co_consts:
        yield from (
            code_fields(constant) if isinstance(constant, CodeType) else constant_fields(constant)
        )


def constant_fields(value: object) -> Iterator[object]:
    """Yield what a constant is, its value where that is compiled in."""
    kind = type(value)
    yield f"{kind.__module__}.{kind.__qualname__}"
    if isinstance(value, (*SCALARS, Enum)):
        yield value if isinstance(value, bytes) else _text_of(value)
    elif isinstance(value, np.generic):
        yield value.tobytes()
    elif isinstance(value, np.ndarray):
        # Arrays are handed over at each call: only the kind is compiled in.
        array = cast("np.ndarray[tuple[int, ...], np.dtype[np.generic]]", value)
        yield from (array.dtype.str, array.ndim)
    elif isinstance(value, list | dict | set | deque):
        # As arrays are.
        yield kind_text(key_of(cast(object, value)))
    elif isinstance(value, tuple):
        items = cast("tuple[object, ...]", value)
        yield len(items)
        for item in items:
            yield from constant_fields(item)
    elif isinstance(value, slice):
        bounds = cast("slice[object, object, object]", value)
        yield from constant_fields((bounds.start, bounds.stop, bounds.step))
    elif isinstance(value, frozenset):
        # Their order changes from process to process.
        items = cast("frozenset[object]", value)
        yield from sorted("|".join(map(str, constant_fields(item))) for item in items)
    else:
        yield getattr(value, "__qualname__", "")
        yield said(value)  # it may be the alias of an annotation
        yield _constant_object(value)


def _constant_object(value: object) -> str:
    """Return what an object is that programs have as a constant; nothing of others."""
    if isinstance(value, Struct):
        return value.format
    if is_count(value):
        return str(step_of(value))
    if is_method_of_constant(value):
        return _text_of(cast("BuiltinMethodType", value).__self__)
    if isinstance(value, np.dtype):
        return repr(cast("np.dtype[np.generic]", value))
    return repr(value) if type(value).__module__ in ("datetime", "fractions") else ""


def _text_of(value: object) -> str:
    """Return the text of a number or string, or of a member: its name, and the number it is."""
    if not isinstance(value, Enum):
        return repr(value)
    held = cast(object, getattr(value, "_value_"))  # noqa: B009 -- no attribute of Enum
    number = int(held) if isinstance(held, int) else ""
    return f"{getattr(value, '_name_')} {number}"  # noqa: B009
