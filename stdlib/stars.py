"""What stars in front of lists are short for, in the script language."""

import math


def zipped_rows(rows, strict: bool = False):
    """Yield the items that rows have at each place, in a tuple."""
    place = 0
    while len(rows) > 0:
        count = 0
        for row in rows:
            if place >= len(row):
                break
            count += 1
        if count < len(rows):
            if strict:
                require_ends(rows, place, count)
            return
        yield tuple([row[place] for row in rows])
        place += 1


def longest_rows(rows, fillvalue=None):
    """Yield what rows have at each place, in a tuple, as many as the longest one has."""
    found = [list(row) for row in rows]
    longest = 0
    for row in found:
        longest = max(longest, len(row))
    for place in range(longest):
        yield tuple([row[place] if place < len(row) else fillvalue for row in found])


def zipped_iterators(rows, strict: bool = False):
    """Yield an item of each iterator, in a tuple: zip(*[iter(xs)] * 2) gives pairs."""
    while len(rows) > 0:
        found = []
        for row in rows:
            for item in row:
                found.append(item)
                break
            else:
                if strict:
                    require_end_of_all(rows, len(found))
                return
        yield tuple(found)


def require_end_of_all(rows, count: int):
    """Refuse iterators that go on where another one ends: after `count` of them."""
    if count > 0:
        raise ValueError(f"zip() argument {count + 1} is shorter than {arguments(count)}")
    for i in range(1, len(rows)):
        for _ in rows[i]:
            raise ValueError(f"zip() argument {i + 1} is longer than {arguments(i)}")


def require_ends(rows, place: int, count: int):
    """Refuse rows that go on where another one ends: the first `count`, or one of the others."""
    if count > 0:
        raise ValueError(f"zip() argument {count + 1} is shorter than {arguments(count)}")
    for i in range(len(rows)):
        if place < len(rows[i]):
            raise ValueError(f"zip() argument {i + 1} is longer than {arguments(i)}")


def arguments(count: int):
    """Return what the first arguments are called."""
    return "argument 1" if count == 1 else f"arguments 1-{count}"


def require_columns(rows, count: int):
    """Refuse to unpack another number of columns than there are targets."""
    size = 0
    if len(rows) > 0:
        size = len(rows[0])
        for row in rows:
            size = min(size, len(row))
    if size > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    if size < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {size})")


def several(items, name: str, kind: str):
    """Return items that are given as arguments to max or min, which takes one for a sequence."""
    if len(items) == 0:
        raise TypeError(f"{name} expected at least 1 argument, got 0")
    if len(items) == 1:
        only = items[0]
        if isinstance(only, str):
            return list(only)
        raise TypeError(f"'{kind}' object is not iterable")
    return items


def gcd_of(integers) -> int:
    """Return the greatest common divisor of all ints."""
    total = 0
    for value in integers:
        total = math.gcd(total, value)
    return total


def lcm_of(integers) -> int:
    """Return the least common multiple of all ints."""
    total = 1
    for value in integers:
        total = math.lcm(total, value)
    return total


def union_of(sets):
    """Return a set of the items of all sets, the first of which is one."""
    if len(sets) == 0:
        raise TypeError("unbound method set.union() needs an argument")
    total = set(sets[0])
    for other in sets[1:]:
        total.update(other)
    return total


def intersection_of(sets):
    """Return a set of the items that all sets have."""
    if len(sets) == 0:
        raise TypeError("unbound method set.intersection() needs an argument")
    total = set(sets[0])
    for other in sets[1:]:
        total = total & other
    return total


def require_none(found: int, name: str, count: int) -> bool:
    """Refuse arguments beyond those that a function takes, and that it is given already."""
    if found > 0:
        ending = "" if count == 1 else "s"
        was = "was" if count + found == 1 else "were"
        raise TypeError(
            f"{name}() takes {count} positional argument{ending} but {count + found} {was} given"
        )
    return True


def argument_count(found: int, name: str, names: list[str], before: int, least: int) -> int:
    """Return how many arguments are found for names of which the last ones have defaults."""
    count = len(names)
    if found > count:
        raise TypeError(
            f"{name}() takes from {before + least} to {before + count} positional arguments"
            f" but {before + found} were given"
        )
    if found < least:
        argument_place(found, name, names[:least], before)
    return found


def argument_place(found: int, name: str, names: list[str], before: int) -> int:
    """Return 0 where as many arguments are found as a function has names for; else TypeError."""
    count = len(names)
    if found > count:
        ending = "s" if before + count > 1 else ""
        raise TypeError(
            f"{name}() takes {before + count} positional argument{ending}"
            f" but {before + found} were given"
        )
    require_all(name, "positional", names[found:])
    return 0


def require_all(name: str, kind: str, missing: list[str]):
    """Refuse a call that gives nothing to some parameters."""
    if len(missing) == 1:
        raise TypeError(f"{name}() missing 1 required {kind} argument: {missing[0]}")
    if len(missing) > 1:
        last = " and " if len(missing) == 2 else ", and "
        listed = ", ".join(missing[:-1]) + last + missing[-1]
        raise TypeError(f"{name}() missing {len(missing)} required {kind} arguments: {listed}")


def mapping_of(given, name: str):
    """Return a dict of arguments; other values are none."""
    if isinstance(given, dict):
        return given
    kind = type(given).__name__
    raise TypeError(f"{name}() argument after ** must be a mapping, not {kind}")


def with_others(found, written: str):
    """Return a dict behind `**` in a call of `dict`, which has none of the keys beside it."""
    for key in written.split():
        if key in found:
            raise TypeError(f"dict() got multiple values for keyword argument '{key}'")
    return found


def require_names(
    found, name: str, full_name: str, written: str, given: str, taken: str, first: str, last: str
):
    """Refuse a dict behind `**` that has other keys than a function takes, or lacks some.

    `written` are given by name and `given` by position, and `taken` are those that the dict may
    have. It has to have the `first`, of any parameters, and the `last`, which only have names.
    """
    for key in found:
        if key in written.split():
            raise TypeError(f"{full_name}() got multiple values for keyword argument '{key}'")
    taking = taken.split()
    for key in found:
        if key in given.split():
            raise TypeError(f"{name}() got multiple values for argument '{key}'")
        if key not in taking:
            raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")
    require_all(name, "positional", [f"'{key}'" for key in first.split() if key not in found])
    require_all(name, "keyword-only", [f"'{key}'" for key in last.split() if key not in found])
    return True


def format_item(items, place: int, count: int):
    """Return an item of a tuple that fills all places of a format."""
    if len(items) < count:
        raise TypeError("not enough arguments for format string")
    if len(items) > count:
        raise TypeError("not all arguments converted during string formatting")
    return items[place]


def replacement(items, place: int, before: int):
    """Return an item that fills a place of a format, behind other arguments."""
    if place >= len(items):
        raise IndexError(
            f"Replacement index {before + place} out of range for positional args tuple"
        )
    return items[place]


def listed(items):
    """Return what a loop gives, for targets that take it apart."""
    return [item for item in items]
