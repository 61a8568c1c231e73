"""What a call raises that the language does not have for the types of its arguments.

CPython and NumPy are asked, with a value of each type. They make something of None in places,
`np.sum(None)` or `np.array([None])`: a script has no such values, and raises TypeError there.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from itertools import islice, product
from typing import Any, cast

from scriptc.check.bindings import Static
from scriptc.check.calls import library_entry
from scriptc.check.container_makers import is_maker
from scriptc.check.context import Context
from scriptc.check.desugar.dataclass_functions import is_of_dataclasses
from scriptc.check.desugar.stars import has_star
from scriptc.check.present import class_without, object_like
from scriptc.check.python import type_errors
from scriptc.syntax import nodes as n
from scriptc_runtime.types import NONE, STR, ClassType, Type, UnionType, is_number

_MOST_TRIES = 36
# Functions that take an object for its items, or as a number, and what they ask it for.
_OF_OBJECTS = (
    len,
    iter,
    list,
    tuple,
    set,
    frozenset,
    dict,
    sorted,
    any,
    all,
    enumerate,
    float,
    int,
)
_PROTOCOLS = (
    *("__len__", "__iter__", "__getitem__", "__next__", "keys"),
    *("__float__", "__int__", "__index__", "__trunc__"),
)
_OF_NUMPY = (TypeError, ValueError, AttributeError)
_LARGEST = 16  # of an int that is written down: nothing large is made of it


def end_of_call(context: Context, call: n.Call, member: Type) -> type_errors.Error | bool | None:
    """Return what a call raises where one of its arguments is of the type `member`, if that tells.

    A truth value is what it gives, as `np.array_equal` does of None and an array.
    """
    func = call.func
    owner = context.facts.types.get(func.value) if isinstance(func, n.Attribute) else None
    if has_star(call) or owner is NONE:
        return None
    function = _function(context, call) if owner is None else _method(owner, call)
    if function is None:
        return None
    of_numpy = type_errors.is_of_numpy(function)
    if isinstance(member, ClassType) and not any(function is one for one in _OF_OBJECTS):
        return None  # it may ask for more than its class is looked at for
    given = (*call.args, *(keyword.value for keyword in call.keywords))
    # What NumPy raises but TypeErrors may depend on numbers.
    kinds = _OF_NUMPY if of_numpy and not _has_numbers(context, given) else TypeError
    names = [cast("str", keyword.arg) for keyword in call.keywords]

    results: list[object] = []

    def called(*values: Any) -> None:
        named = dict(zip(names, values[len(call.args) :], strict=True))
        results.append(function(*values[: len(call.args)], **named))

    rows = _few(product(*(examples(context, value) for value in given)))
    found = type_errors.common(called, rows, kinds)
    if found or not of_numpy or member is not NONE:
        return found
    if results and all(result is False for result in results):
        return False
    if not any(map(_holds_none, results)) and _takes_none(context, call, function):
        return None
    return "TypeError", f"{function.__name__}: None is no array and no number of a script"


def examples(context: Context, node: n.Expression) -> Sequence[Any]:
    """Return values that an argument may have, one of each type; none where they are too many."""
    match node:
        case n.Constant(value=value) if not (isinstance(value, int) and abs(value) > _LARGEST):
            return (value,)
        case n.List(elts=items) | n.Tuple(elts=items) if not has_star(node):
            make = list[Any] if isinstance(node, n.List) else tuple[Any, ...]
            return tuple(map(make, _few(product(*(examples(context, item) for item in items)))))
        case _:
            type_ = context.facts.types.get(node)
    if isinstance(type_, UnionType) and any(isinstance(m, ClassType) for m in type_.members):
        parts = [_of_type(context, node, member) for member in type_.members]
        return [value for part in parts for value in part] if all(parts) else ()
    if type_ is not None:
        return _of_type(context, node, type_)
    if isinstance(node, n.Name | n.Attribute):
        value = context.expression(node)
        if isinstance(value, Static):
            return (value.value,)
    return (1,)  # what has not been looked at, as what comes before it is wrong


def _of_type(context: Context, node: n.Expression, type_: Type) -> Sequence[Any]:
    """Return values for what a type says; of a class whose objects may be taken for more, none."""
    if not isinstance(type_, ClassType):
        return type_errors.values_of(type_)
    if any(class_without(context, node, type_, name) is None for name in _PROTOCOLS):
        return ()
    return object_like(context, node, type_)


def _few(rows: Iterable[tuple[Any, ...]]) -> Sequence[tuple[Any, ...]]:
    """Return all rows of values; none where they are too many."""
    found = tuple(islice(rows, _MOST_TRIES + 1))
    return found if len(found) <= _MOST_TRIES else ()


def _function(context: Context, call: n.Call) -> Callable[..., object] | None:
    """Return a function of Python, by its name or that of its module, which does nothing else."""
    if not isinstance(call.func, n.Name | n.Attribute):
        return None
    if isinstance(call.func, n.Name) and "@" in call.func.id:
        return None  # what a desugaring calls
    callee = context.callee(call)
    # CPython is asked what functions of the language say.
    if not isinstance(callee, Static):
        return None
    is_known = library_entry(callee.value) is not None or is_maker(callee.value)
    if not is_known and not is_of_dataclasses(callee.value):
        return None
    return type_errors.asked(callee.value)


def _method(owner: Type, call: n.Call) -> Callable[..., object] | None:
    """Return the method of a value of a type that is called."""
    assert isinstance(call.func, n.Attribute)
    values = type_errors.values_of(owner)
    return getattr(values[0], call.func.attr, None) if len(values) == 1 else None


def _has_numbers(context: Context, given: Iterable[n.Expression]) -> bool:
    """Whether numbers or texts that are not written down are among the arguments."""
    for node in given:
        match node:
            case n.List(elts=items) | n.Tuple(elts=items):
                if _has_numbers(context, items):
                    return True
            case n.Constant():
                pass
            case _:
                type_ = context.facts.types.get(node)
                if type_ is not None and (type_ is STR or is_number(type_)):
                    return True
    return False


def _holds_none(result: object) -> bool:
    """Whether None is a number for NumPy, as in arrays of objects."""
    return result is None or getattr(getattr(result, "dtype", None), "kind", "") == "O"


def _takes_none(context: Context, call: n.Call, function: Callable[..., object]) -> bool:
    """Whether None stands for the default of a parameter: then it means something."""
    try:
        known = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False  # a function of C does not say what it takes
    given = [*zip(known, call.args, strict=False), *((str(k.arg), k.value) for k in call.keywords)]
    absent = [name for name, node in given if context.facts.types.get(node) is NONE]
    return any(name in known and known[name].default is None for name in absent)
