"""Numba's typed lists, which scripts take for lists.  Numba is not imported."""


def is_typed_list(cls: type) -> bool:
    """Whether objects of a class are typed lists of Numba's."""
    return (cls.__module__, cls.__name__) == ("numba.typed.typedlist", "List")
