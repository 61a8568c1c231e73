"""Functions that make the objects outside which a script works with, from what each call is handed.

    KG = Unit((1, 0, 0), "kg")      def made(): return rebuilt(_0, _1)
    UNITS = {"kg": KG}              def made(): return {_0: _1}

`_0` is what a field holds when a script is called: see `ObjectField`.  The text stands for the
object as it is, whatever its `__init__` would do.
"""

from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FunctionType

from scriptc.check.checked import Capture, MadeOutside, Specialisation
from scriptc.check.members import line_of
from scriptc.syntax.functions import keep_text
from scriptc.values.outside_places import (
    ObjectField,
    fields_held,
    is_compiled_in,
    is_container,
    is_object,
    items_held,
)

_REBUILT = "rebuilt"
_SELF = "outside_self"
_MARK = "makes_outside"
_BRACKETS: Mapping[type, str] = {list: "[{}]", tuple: "({},)", dict: "{{{}}}"}


class Rebuilt:
    """Stands for what makes an object of a class from its fields."""

    def __init__(self, owner: object, fields: tuple[str, ...], init: FunctionType) -> None:
        self.owner = owner
        self.fields = fields
        self.init = init


def is_rebuilding(function: FunctionType) -> bool:
    """Whether a function makes objects like those outside, or stands for their `__init__`."""
    return _MARK in vars(function)


class OutsideMakers:
    """The functions that make objects outside, and lists and the like that hold some."""

    def __init__(self) -> None:
        self._made: dict[int, MadeOutside] = {}
        # The fields of classes that hold lists and the like of objects.
        self._lists: set[tuple[str, str]] = set()
        self.has_grown = False
        self._inits: dict[tuple[type, tuple[str, ...]], FunctionType] = {}

    def __len__(self) -> int:
        return len(self._made)

    def of(self, value: object, names: Callable[[type], Sequence[str]]) -> MadeOutside:
        """Return what makes an object, or a list or the like.

        `names` gives the fields of a class.
        """
        found = self._made.get(id(value))
        if found is None:
            maker = self._of_object(value, names) if is_object(value) else _of_items(value)
            found = self._made[id(value)] = MadeOutside(maker, value)
        return found

    def holds_list(self, owner: str, field: str) -> bool:
        """Whether a field of a class holds a list or the like of objects outside."""
        return (owner, field) in self._lists

    def begin(self) -> None:
        """Let a check of the program begin that knows what holds such lists."""
        self.has_grown = False

    def _note_list(self, live: type, field: str) -> None:
        names = {(cls.__name__, field) for cls in line_of(live)}
        self.has_grown = self.has_grown or not names <= self._lists
        self._lists |= names

    def _of_object(self, value: object, names: Callable[[type], Sequence[str]]) -> FunctionType:
        live = type(value)
        known = names(live)
        fields = {name: part for name, part in fields_held(value) if name in known}
        held: dict[str, object] = {
            _REBUILT: Rebuilt(value, (*fields,), self._init(live, (*fields,)))
        }
        texts: list[str] = []
        for name, part in fields.items():
            place = f"_{len(texts)}"
            is_whole = is_compiled_in(part) or is_container(part)
            held[place] = part if is_whole else ObjectField(value, name)
            if is_compiled_in(part) and is_container(part):
                self._note_list(live, name)
            # As another kind of value, what is None would be another code.
            texts.append("None" if part is None else place)
        return _compiled("made", (), [f"return {_REBUILT}({', '.join(texts)})"], held, live)

    def _init(self, live: type, fields: tuple[str, ...]) -> FunctionType:
        known = self._inits.get((live, fields))
        if known is None:
            names = [f"_{place}" for place in range(len(fields))]
            body = [f"{_SELF}.{f} = {name}" for f, name in zip(fields, names, strict=True)]
            known = _compiled("__init__", (_SELF, *names), body or ["pass"], {}, live)
            self._inits[live, fields] = known
        return known


def _of_items(value: object) -> FunctionType:
    """Return what makes a list, tuple or dict of what it holds."""
    kind: type[object] = type(value)
    held = {f"_{place}": part for place, part in enumerate(items_held(value))}
    names = [*held]
    if kind is dict:
        names = [f"{key}: {item}" for key, item in zip(names[::2], names[1::2], strict=True)]
    text = _BRACKETS[kind].format(", ".join(names))
    return _compiled("made", (), [f"return {text}"], held, kind)


def _compiled(
    name: str, parameters: Sequence[str], body: Sequence[str], held: dict[str, object], live: type
) -> FunctionType:
    lines = [f"def {name}({', '.join(parameters)}):\n", *(f"    {line}\n" for line in body)]
    file = f"<an object of {live.__module__}.{live.__qualname__}>"
    module = compile("".join(lines), file, "exec", dont_inherit=True)
    (code,) = (c for c in module.co_consts if isinstance(c, CodeType))
    made = FunctionType(code, held, name)
    made.__module__, made.__qualname__ = live.__module__, f"{live.__qualname__}.{name}"
    setattr(made, _MARK, True)
    # Not in linecache: what is there may be cleared.
    keep_text(made, lines)
    return made


def first_ring(value: object) -> object:
    """Return an object that what it holds leads back to; None where there is none."""
    around: set[int] = set()
    done: set[int] = set()
    waiting: list[tuple[object, bool]] = [(value, True)]
    while waiting:
        whole, begins = waiting.pop()
        if not begins:
            around.discard(id(whole))
            done.add(id(whole))
            continue
        if id(whole) in around:
            return whole
        if id(whole) in done:
            continue
        around.add(id(whole))
        waiting.append((whole, False))
        held = (part for _, part in fields_held(whole)) if is_object(whole) else items_held(whole)
        waiting += [(p, True) for p in held if is_object(p) or type(p) in (list, tuple, dict)]
    return None


def in_order(
    made: Sequence[Capture], captures: Mapping[Specialisation, Mapping[str, Capture]]
) -> tuple[Capture, ...]:
    """Return what is captured and made in a call so that each follows what it is made of."""
    by_function = {key.function: own for key, own in captures.items()}

    def depth(capture: Capture) -> int:
        if not isinstance(capture.value, MadeOutside):
            return 0
        own = by_function[capture.value.maker]
        return 1 + sum(isinstance(c.value, MadeOutside) for c in own.values())

    return tuple(sorted(made, key=depth))
