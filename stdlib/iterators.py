"""Iterators of Python: the builtin ones, where a loop alone takes their items, and `itertools`.

Each becomes a part of the loop that takes its items. `items` may be anything that is looped over, a
generator too, where a function has one loop over it.
"""

# Conditions stand alone where types may decide them, and a loop counts by itself: what it runs over
# may be no value. Variables are bound in the first iteration.
# ruff: noqa: B905, F821, F841, SIM102, SIM108, SIM113


def enumerated(items, start=0):
    """Yield pairs of a number and an item."""
    for item in items:
        yield start, item
        start += 1


def backwards(sequence):
    """Yield the items from the last one to the first."""
    for item in reversed(sequence):  # noqa: UP028 -- as a value, `reversed` is this function
        yield item


def called_until(function, sentinel):
    """Yield what a function gives until that is some value."""
    while True:
        item = function()
        if item == sentinel:
            return
        yield item


def next_number(place, step):
    """Return the number in a list of one, and put the next one there."""
    number = place[0]
    place[0] = number + step
    return number


def dict_keys(whole):
    """Yield the keys of a dict."""
    yield from whole


def dict_values(whole):
    """Yield the values of a dict."""
    yield from whole.values()


def dict_items(whole):
    """Yield the keys of a dict with their values."""
    yield from whole.items()


def mapped(function, items):
    """Yield what a function gives for each item."""
    for item in items:
        yield function(item)


def mapped_2(function, first, second):
    """Yield what a function gives for two items at a time."""
    for one, two in zip(first, second):
        yield function(one, two)


def mapped_3(function, first, second, third):
    """Yield what a function gives for three items at a time."""
    for one, two, three in zip(first, second, third):
        yield function(one, two, three)


def filtered(function, items):
    """Yield the items for which a function, or without one the item, is true."""
    for item in items:
        if item if function is None else function(item):
            yield item


def filterfalse(predicate, iterable):
    """Yield the items for which a function, or without one the item, is false."""
    for item in iterable:
        if not (item if predicate is None else predicate(item)):
            yield item


def zipped_1(first):
    """Yield tuples of one item."""
    for one in first:
        yield (one,)


def zipped_2(first, second):
    """Yield pairs of items, each of an iterator."""
    twos = iter(second)
    for one in first:
        for two in twos:
            yield one, two
            break
        else:
            return


def zipped_strictly(first, second):
    """Yield pairs of items, each of an iterator, of which neither may have more."""
    twos = iter(second)
    for one in first:
        for two in twos:
            yield one, two
            break
        else:
            raise ValueError("zip() argument 2 is shorter than argument 1")
    for _ in twos:
        raise ValueError("zip() argument 2 is longer than argument 1")


def zipped_3(first, second, third):
    """Yield triples of items, each of an iterator."""
    twos = iter(second)
    threes = iter(third)
    for one in first:
        for two in twos:
            for three in threes:
                yield one, two, three
                break
            else:
                return
            break
        else:
            return


def zipped_4(first, second, third, fourth):
    """Yield four items at a time, each of an iterator."""
    twos = iter(second)
    threes = iter(third)
    fours = iter(fourth)
    for one in first:
        for two in twos:
            for three in threes:
                for four in fours:
                    yield one, two, three, four
                    break
                else:
                    return
                break
            else:
                return
            break
        else:
            return


def tee_1(iterable):
    """Return one iterator over the items."""
    return (iter(iterable),)


def tee_2(iterable):
    """Return two iterators over the items."""
    source = iter(iterable)
    seen = []
    return teed(source, seen), teed(source, seen)


def tee_3(iterable):
    """Return three iterators over the items."""
    source = iter(iterable)
    seen = []
    return teed(source, seen), teed(source, seen), teed(source, seen)


def tee_4(iterable):
    """Return four iterators over the items."""
    source = iter(iterable)
    seen = []
    return teed(source, seen), teed(source, seen), teed(source, seen), teed(source, seen)


def teed(source, seen):
    """Yield the items of an iterator, of which others take as well what it gave."""
    place = 0
    while True:
        if place == len(seen):
            for item in source:
                seen.append(item)
                break
            else:
                return
        yield seen[place]
        place += 1


def zipped_after(first, items):
    """Yield pairs of an item of a sequence and one that a loop alone takes."""
    place = 0
    if len(first) > 0:
        for item in items:
            yield first[place], item
            place += 1
            if place >= len(first):
                return


def zipped_before(items, second):
    """Yield pairs of an item that a loop alone takes and one of a sequence."""
    place = 0
    for item in items:
        if place >= len(second):
            return
        yield item, second[place]
        place += 1


def count(start=0, step=1):
    """Yield numbers without end."""
    while True:
        yield start
        start += step


def cycle(iterable):
    """Yield the items again and again."""
    saved = []
    for item in iterable:
        saved.append(item)
        yield item
    while saved:
        yield from saved


def repeat(object):
    """Yield one object without end."""
    while True:
        yield object


def repeat_times(object, times):
    """Yield one object so many times."""
    for _ in range(times):
        yield object


def accumulate(iterable, func=None):
    """Yield the sums of all items up to each, or what a function makes of them."""
    started = False
    for item in iterable:
        if not started:
            total = item
            started = True
        elif func is None:
            total = total + item
        else:
            total = func(total, item)
        yield total


def accumulate_from(iterable, func, initial):
    """Yield a first total, and the totals with each item."""
    total = initial
    yield total
    for item in iterable:
        if func is None:
            total = total + item
        else:
            total = func(total, item)
        yield total


def chain_1(first):
    """Yield the items."""
    yield from first


def chain_2(first, second):
    """Yield the items of two."""
    yield from first
    yield from second


def chain_3(first, second, third):
    """Yield the items of three."""
    yield from first
    yield from second
    yield from third


def chain_4(first, second, third, fourth):
    """Yield the items of four."""
    yield from first
    yield from second
    yield from third
    yield from fourth


def from_iterable(iterable):
    """Yield the items of each item."""
    for items in iterable:
        yield from items


def compress(data, selectors):
    """Yield the items beside which there is a true one."""
    for item, selected in zip(data, selectors):
        if selected:
            yield item


def dropwhile(predicate, iterable):
    """Yield the items from the first one on for which a function is false."""
    dropping = True
    for item in iterable:
        if dropping and predicate(item):
            continue
        dropping = False
        yield item


def takewhile(predicate, iterable):
    """Yield the items before the first one for which a function is false."""
    for item in iterable:
        if not predicate(item):
            return
        yield item


def starmap(function, iterable):
    """Yield what a function gives for the items of each tuple."""
    for items in iterable:
        yield function(*items)


def islice_to(iterable, stop):
    """Yield the first items, and ask for no more of them."""
    left = -1
    if stop is not None:
        if stop < 0:
            raise ValueError(
                "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."
            )
        left = max(stop, 0)
    if left == 0:
        return
    for item in iterable:
        yield item
        left -= 1
        if left == 0:
            return


def islice(iterable, start, stop, step=None):
    """Yield items by their places, and ask for no more than these need."""
    following = 0 if start is None else start
    pace = 1 if step is None else step
    if following < 0 or (False if stop is None else stop < 0):
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if pace < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")
    if following == 0 and (False if stop is None else stop == 0):
        return
    taken = 0
    for item in iterable:
        taken += 1
        if taken > following:
            yield item
            following += pace
            if stop is not None:
                following = min(following, stop)
        if stop is not None:
            if taken >= following and taken >= stop:
                return


def pairwise(iterable):
    """Yield each item with the one after it."""
    started = False
    for item in iterable:
        if started:
            yield last, item
        last = item
        started = True


def groupby(iterable, key=None):
    """Yield each run of items that have one key, with the key, as lists."""
    group = []
    started = False
    for item in iterable:
        found = item if key is None else key(item)
        if started and found != last:
            yield last, group
            group = []
        group.append(item)
        last = found
        started = True
    if started:
        yield last, group


def zip_longest(first, second, fillvalue=None):
    """Yield pairs of items, as many as the longer one has."""
    ones = list(first)
    twos = list(second)
    for place in range(max(len(ones), len(twos))):
        one = ones[place] if place < len(ones) else fillvalue
        two = twos[place] if place < len(twos) else fillvalue
        yield one, two


def zip_longest_3(first, second, third, fillvalue=None):
    """Yield triples of items, as many as the longest one has."""
    ones = list(first)
    twos = list(second)
    threes = list(third)
    for place in range(max(len(ones), len(twos), len(threes))):
        one = ones[place] if place < len(ones) else fillvalue
        two = twos[place] if place < len(twos) else fillvalue
        three = threes[place] if place < len(threes) else fillvalue
        yield one, two, three


def stopped(computed):
    """Return what a generator computes, which lets no StopIteration through."""
    try:
        return computed()
    except StopIteration as error:
        raise RuntimeError("generator raised StopIteration") from error
