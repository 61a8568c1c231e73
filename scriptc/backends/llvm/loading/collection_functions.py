"""Functions of Python that compiled code calls to take and to give objects of `collections`."""

from functools import partial

from scriptc_runtime import collection_classes


def object_named(name: str) -> object:
    """Return a class, or a function by its name: `has_factory.int`, `made_Counter.`, `deque_of`."""
    first, _, factory = name.partition(".")
    if first in collection_classes.CLASSES:
        return collection_classes.CLASSES[first]
    match first:
        case "limit_of":
            return collection_classes.limit_of
        case "deque_of":
            return collection_classes.deque_of
        case "plain_of":
            return collection_classes.plain_of
        case "has_factory":
            return partial(_has_factory, factory)
        case _:
            kind = first.removeprefix("made_")
            return partial(collection_classes.dict_made, kind, factory)


def _has_factory(factory: str, value: object) -> bool:
    return collection_classes.has_factory(value, factory)
