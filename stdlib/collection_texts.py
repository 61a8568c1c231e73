"""What Python shows of sets, and of dicts of classes of `collections`, in the script language."""


def defaultdict_text(items, factory: str) -> str:
    """Return what Python shows of a defaultdict."""
    return "defaultdict(" + factory + ", " + _braced(items.items()) + ")"


def _braced(items) -> str:
    return "{" + ", ".join([repr(key) + ": " + repr(value) for key, value in items]) + "}"


def ordereddict_text(items) -> str:
    """Return what Python shows of an OrderedDict."""
    if len(items) == 0:
        return "OrderedDict()"
    return "OrderedDict([" + ", ".join([repr(pair) for pair in items.items()]) + "])"


def counter_text(items) -> str:
    """Return what Python shows of a Counter: the highest counts first."""
    if len(items) == 0:
        return "Counter()"
    pairs = [pair for pair in items.items()]
    order = [(~pairs[place][1], place) for place in range(len(pairs))]
    order.sort()
    shown = [repr(pairs[place][0]) + ": " + repr(pairs[place][1]) for _, place in order]
    return "Counter({" + ", ".join(shown) + "})"


def set_text(items, name: str, start: str, end: str) -> str:
    """Return what Python shows of a set; `name` is that of an empty one."""
    if items.used == 0:
        return name + "()"
    parts = [""]
    parts.clear()
    for place in items.index:
        if place >= 0:
            parts.append(repr(items.entries[int(place)][1]))
    return start + ", ".join(parts) + end
