"""Which members of a class `dataclasses` has made: they have no text, and no file."""

from collections.abc import Callable

FIELDS = "__dataclass_fields__"


def is_made_by_dataclasses(cls: type, name: str, function: Callable[..., object]) -> bool:
    """Whether a function that a class has under a name is the work of `dataclasses`.

    Not by its file, "<string>": it is that of every function from `exec` and `python -c` as well.
    """
    # Its `__repr__` stands in a function that ends recursion.
    code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    # The function inside of which `dataclasses` defines all that it makes.
    made = f"__create_fn__.<locals>.{name}"
    return FIELDS in vars(cls) and getattr(code, "co_qualname", None) == made
