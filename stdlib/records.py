"""Structured arrays: what an index of the whole means of the array of each field."""

from scriptc_runtime import unsafe


def item(field, key):
    """Return what an index means of a field, a view where it is one."""
    return field[key, ...]


def item_at(field, key):
    """Return the same where several axes have an index."""
    return field[(*key, ...)]


def put(field, key, value) -> None:
    """Store a value for a field where an index says."""
    field[key, ...] = value


def put_at(field, key, value) -> None:
    """Store it where several axes have an index."""
    field[(*key, ...)] = value


def put_all(field, values) -> None:
    """Store a value of a tuple for each record of an array with one axis."""
    for place, value in enumerate(values):
        field[place, ...] = value


def put_column(field, items, place: unsafe.Whole) -> None:
    """Store one part of the tuples in a list for each record."""
    for i in range(len(items)):
        field[i, ...] = items[i][place]
