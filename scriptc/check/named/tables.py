"""What is known of the members of an enumeration, as functions that the checker writes.

def name_of(number: int) -> str:
if number == 0:
return 'RED'
...
"""

import math
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType
from typing import cast
from weakref import WeakKeyDictionary

from scriptc.check import init_fields
from scriptc.syntax.functions import keep_text
from scriptc_runtime.named_classes import PLAIN_ENUM, kind_of, members_of

_WRITTEN: WeakKeyDictionary[type, dict[object, FunctionType]] = WeakKeyDictionary()


def table(cls: type, name: str) -> FunctionType:
    """Return a function of the table of a class: `name_of`, `value_of`, `number_of`, `by_name`."""
    known = _WRITTEN.setdefault(cls, {})
    if name not in known:
        known.setdefault(name, _written(cls, name, _TABLES[name](cls)))
    return known[name]


def attribute_table(cls: type, name: str) -> FunctionType | None:
    """Return what gives an attribute that `__init__` sets of each member; None for any other."""
    init = vars(cls).get("__init__")
    if not isinstance(init, FunctionType) or name not in init_fields.stored_in(init):
        return None
    values = [cast(object, vars(member).get(name)) for member in members_of(cls)]
    if not all(map(_is_written, values)):
        return None
    known = _WRITTEN.setdefault(cls, {})
    # With the values: a member may be given another one meanwhile.
    key = name, repr(values)
    if key not in known:
        lines = _chosen("number", numbers_of(cls), values, f"return {values[-1]!r}")
        known.setdefault(key, _written(cls, f"attribute_{name}", lines))
    return known[key]


def _is_written(value: object) -> bool:
    """Whether a value is that of its text."""
    if type(value) is tuple:
        return all(map(_is_written, cast("tuple[object, ...]", value)))
    return type(value) in (int, str, bool) or (type(value) is float and math.isfinite(value))


def numbers_of(cls: type) -> Sequence[object]:
    """Return what each member is made of."""
    members = members_of(cls)
    return range(len(members)) if kind_of(cls) == PLAIN_ENUM else [_value(m) for m in members]


def _value(member: object) -> object:
    return cast(object, getattr(member, "_value_", None))


def _name_of(cls: type) -> list[str]:
    names = [member.name for member in members_of(cls)]
    return _chosen("number", numbers_of(cls), names, f"return {names[-1]!r}")


def _value_of(cls: type) -> list[str]:
    values = [_value(member) for member in members_of(cls)]
    return _chosen("number", numbers_of(cls), values, f"return {values[-1]!r}")


def _number_of(cls: type) -> list[str]:
    values = [_value(member) for member in members_of(cls)]
    failed = f'raise ValueError(f"{{value!r}} is not a valid {cls.__qualname__}")'
    return _chosen("value", values, numbers_of(cls), failed)


def _by_name(cls: type) -> list[str]:
    numbers = dict(zip((m.name for m in members_of(cls)), numbers_of(cls), strict=True))
    named = cast("dict[str, object]", getattr(cls, "__members__"))  # noqa: B009 -- no known attribute
    found = [numbers[cast(str, getattr(member, "name", ""))] for member in named.values()]
    return _chosen("name", list(named), found, "raise KeyError(name)")


def _bits(cls: type) -> list[tuple[int, str]]:
    """Return the flags of one bit in the order in which Python names them."""
    members = [(cast(int, _value(m)), m.name) for m in members_of(cls)]
    single = [(value, name) for value, name in members if value > 0 and value & (value - 1) == 0]
    values = [value for value, _ in single]
    return single if values != sorted(values) else sorted(single)


def _joined(cls: type, none: str, around: str) -> list[str]:
    """Write a function that joins the names of the bits of a flag."""
    lines = ["def table(number: int):\n"]
    exact = {cast(int, _value(m)): m.name for m in members_of(cls)}
    for value, name in exact.items():
        shown = around.replace("{text}", name).replace("{number}", str(value))
        lines += [f"    if number == {value}:\n", f"        return {shown!r}\n"]
    lines += ["    if number == 0:\n", f"        return {none!r}\n"]
    lines += ["    text = ''\n", "    rest = number\n"]
    for value, name in _bits(cls):
        lines.append(f"    if number & {value}:\n")
        lines.append(f"        text = text + '|{name}' if text else '{name}'\n")
        lines.append(f"        rest ^= {value}\n")
    lines += ["    if rest:\n", "        text = f'{text}|{rest}' if text else f'{rest}'\n"]
    return [*lines, f"    return f{around!r}\n"]


def _flag_name(cls: type) -> list[str]:
    lines = _joined(cls, "", "{text}")
    return [line.replace("        return ''\n", "        return None\n") for line in lines]


def _flag_text(cls: type) -> list[str]:
    name = cls.__name__
    return _joined(cls, f"{name}(0)", f"{name}.{{text}}")


def _flag_repr(cls: type) -> list[str]:
    name = cls.__name__
    return _joined(cls, f"<{name}: 0>", f"<{name}.{{text}}: {{number}}>")


def _chosen(
    parameter: str, cases: Sequence[object], results: Sequence[object], otherwise: str
) -> list[str]:
    lines = [f"def table({parameter}):\n"]
    for place, (case, result) in enumerate(zip(cases, results, strict=True)):
        lines.append(f"    {'el' if place else ''}if {parameter} == {case!r}:\n")
        lines.append(f"        return {result!r}\n")
    return [*lines, f"    {otherwise}\n"]


_TABLES: dict[str, Callable[[type], list[str]]] = {
    "name_of": _name_of,
    "value_of": _value_of,
    "number_of": _number_of,
    "by_name": _by_name,
    "flag_name": _flag_name,
    "flag_repr": _flag_repr,
    "flag_text": _flag_text,
}


def _written(cls: type, name: str, lines: list[str]) -> FunctionType:
    file = f"<{name} {cls.__module__}.{cls.__qualname__}>"
    module = compile("".join(lines), file, "exec", dont_inherit=True)
    (code,) = (c for c in module.co_consts if isinstance(c, CodeType))
    made = FunctionType(code, {"__builtins__": __builtins__}, name)
    made.__qualname__ = f"{cls.__qualname__}.{name}"
    made.__module__ = cls.__module__
    keep_text(made, lines)
    return made
