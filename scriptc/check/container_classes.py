"""Classes that inherit from `dict` or `list`: their objects hold one in a field.

    class Stack(list):                  class Stack(list@):
        def push(self, item):               def push(self, item):
            self.append(item)                   self.append(item)       self._items_.append(item)

`list@` is a class with the methods of lists, which `stdlib/list_classes.py` has.
"""

import sys
from functools import cache
from types import FunctionType
from weakref import WeakKeyDictionary

from scriptc.check.generics import ORIGIN
from scriptc.check.library.standard import standard_function, standard_functions

# The field that holds the items.
ITEMS = "_items_"
_FILES: dict[type, str] = {dict: "dict_classes", list: "list_classes"}
_LEFT_OUT = ("__dict__", "__weakref__")
_MADE: WeakKeyDictionary[type, type] = WeakKeyDictionary()


def container_of(cls: type) -> type | None:
    """Return `dict` or `list` of a class that stands for one that inherits from it; None else."""
    held = (vars(base).get(ORIGIN) for base in cls.__mro__)
    return next((base for base in held if isinstance(base, type) and base in _FILES), None)


def is_of_container(function: FunctionType) -> bool:
    """Whether a method is one of those that such a class has from `dict` or `list`."""
    return any(function.__code__.co_filename == f"<stdlib/{file}.py>" for file in _FILES.values())


def as_class(cls: type) -> type:
    """Return the class that stands for one that inherits from `dict` or `list`, or itself."""
    own = [base for base in cls.__mro__[:-1] if base not in _FILES]
    if not own or len(own) + 1 == len(cls.__mro__) or any(map(_is_pythons, own)):
        return cls
    if any("__init_subclass__" in vars(base) for base in own):
        return cls  # it would be told of one more
    if cls not in _MADE:
        bases = tuple(_class_of(b) if b in _FILES else as_class(b) for b in cls.__bases__)
        members = {name: v for name, v in vars(cls).items() if name not in _LEFT_OUT}
        members |= {ORIGIN: cls, "__qualname__": cls.__qualname__}
        if "__missing__" in members and "__getitem__" not in members:
            members["__getitem__"] = standard_function(_FILES[dict], "item_or_missing")
        _MADE.setdefault(cls, type(cls.__name__, bases, members))
    return _MADE[cls]


def _is_pythons(cls: type) -> bool:
    """Whether a class comes with Python, as `Counter`, or makes its objects in its own way."""
    root = cls.__module__.partition(".")[0]
    return root in sys.stdlib_module_names and root != "__main__"


@cache
def _class_of(held: type) -> type:
    """Return the class with the methods of a container."""
    members: dict[str, object] = {**standard_functions(_FILES[held])}
    return type(held.__name__, (), {**members, ORIGIN: held, "__module__": __name__})
