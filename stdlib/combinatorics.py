"""Products, permutations and combinations, as `itertools` gives them: iterators over tuples.

For a few items there is a function for each number of them, whose tuples have a known length.
"""


def power_2(iterable):
    """Yield pairs of items."""
    items = list(iterable)
    for one in items:
        for two in items:
            yield one, two


def power_3(iterable):
    """Yield triples of items."""
    items = list(iterable)
    for one in items:
        for two in items:
            for three in items:
                yield one, two, three


def power_4(iterable):
    """Yield four items at a time."""
    items = list(iterable)
    for one in items:
        for two in items:
            for three in items:
                for four in items:
                    yield one, two, three, four


def product_1(first):
    """Yield tuples of one item."""
    for one in first:
        yield (one,)


def product_2(first, second):
    """Yield pairs of items."""
    ones = list(first)
    twos = list(second)
    for one in ones:
        for two in twos:
            yield one, two


def product_3(first, second, third):
    """Yield triples of items."""
    ones = list(first)
    twos = list(second)
    threes = list(third)
    for one in ones:
        for two in twos:
            for three in threes:
                yield one, two, three


def product_4(first, second, third, fourth):
    """Yield four items at a time."""
    ones = list(first)
    twos = list(second)
    threes = list(third)
    fours = list(fourth)
    for one in ones:
        for two in twos:
            for three in threes:
                for four in fours:
                    yield one, two, three, four


def permutations_1(iterable):
    """Yield tuples of one item."""
    for item in iterable:
        yield (item,)


def permutations_2(iterable):
    """Yield pairs of items at other places."""
    pool = list(iterable)
    size = len(pool)
    for i in range(size):
        for j in range(size):
            if j != i:
                yield pool[i], pool[j]


def permutations_3(iterable):
    """Yield triples of items at other places."""
    pool = list(iterable)
    size = len(pool)
    for i in range(size):
        for j in range(size):
            if j != i:
                for k in range(size):
                    if k != i and k != j:
                        yield pool[i], pool[j], pool[k]


def permutations_4(iterable):
    """Yield four items at other places."""
    pool = list(iterable)
    size = len(pool)
    for i in range(size):
        for j in range(size):
            if j != i:
                for k in range(size):
                    if k != i and k != j:
                        for m in range(size):
                            if m != i and m != j and m != k:
                                yield pool[i], pool[j], pool[k], pool[m]


def combinations_1(iterable):
    """Yield tuples of one item."""
    for item in iterable:
        yield (item,)


def combinations_2(iterable):
    """Yield pairs of items in their order."""
    pool = list(iterable)
    size = len(pool)
    for i in range(size):
        for j in range(i + 1, size):
            yield pool[i], pool[j]


def combinations_3(iterable):
    """Yield triples of items in their order."""
    pool = list(iterable)
    size = len(pool)
    for i in range(size):
        for j in range(i + 1, size):
            for k in range(j + 1, size):
                yield pool[i], pool[j], pool[k]


def combinations_4(iterable):
    """Yield four items in their order."""
    pool = list(iterable)
    size = len(pool)
    for i in range(size):
        for j in range(i + 1, size):
            for k in range(j + 1, size):
                for m in range(k + 1, size):
                    yield pool[i], pool[j], pool[k], pool[m]


def combinations_with_replacement_1(iterable):
    """Yield tuples of one item."""
    for item in iterable:
        yield (item,)


def combinations_with_replacement_2(iterable):
    """Yield pairs of items in their order, also of one with itself."""
    pool = list(iterable)
    size = len(pool)
    for i in range(size):
        for j in range(i, size):
            yield pool[i], pool[j]


def combinations_with_replacement_3(iterable):
    """Yield triples of items in their order, also of one with itself."""
    pool = list(iterable)
    size = len(pool)
    for i in range(size):
        for j in range(i, size):
            for k in range(j, size):
                yield pool[i], pool[j], pool[k]


def power_of_any(iterable, times: int):
    """Yield tuples of so many items, each any of some."""
    if times < 0:
        raise ValueError("repeat argument cannot be negative")
    items = list(iterable)
    for found in product_of_rows([items for _ in range(times)]):  # noqa: UP028
        yield found


def product_of_rows(rows):
    """Yield tuples of an item of each row."""
    held = [list(row) for row in rows]
    places = [0] * len(held)
    for row in held:
        if len(row) == 0:
            return
    while True:
        yield tuple([held[i][places[i]] for i in range(len(held))])
        turned = len(held) - 1
        while turned >= 0 and places[turned] == len(held[turned]) - 1:
            places[turned] = 0
            turned -= 1
        if turned < 0:
            return
        places[turned] += 1


def permutations_of_all(iterable):
    """Yield tuples of all items, in each order."""
    pool = list(iterable)
    for found in permutations_of_any(pool, len(pool)):  # noqa: UP028
        yield found


def permutations_of_any(iterable, r: int):
    """Yield tuples of `r` items at other places.

    Of the places in order each is exchanged with those behind it, and then put back: the scheme of
    Python's documentation of `itertools.permutations`.
    """
    pool = list(iterable)
    size = len(pool)
    if r < 0:
        raise ValueError("r must be non-negative")
    if r > size:
        return
    places = list(range(size))
    cycles = list(range(size, size - r, -1))
    while True:
        yield tuple([pool[place] for place in places[:r]])
        turned = r - 1
        while turned >= 0:
            cycles[turned] -= 1
            if cycles[turned] > 0:
                behind = size - cycles[turned]
                places[turned], places[behind] = places[behind], places[turned]
                break
            places.append(places.pop(turned))
            cycles[turned] = size - turned
            turned -= 1
        if turned < 0:
            return


def combinations_of_any(iterable, r: int):
    """Yield tuples of `r` items in their order."""
    pool = list(iterable)
    size = len(pool)
    if r < 0:
        raise ValueError("r must be non-negative")
    if r > size:
        return
    places = list(range(r))
    while True:
        yield tuple([pool[place] for place in places])
        turned = r - 1
        while turned >= 0 and places[turned] == turned + size - r:
            turned -= 1
        if turned < 0:
            return
        places[turned] += 1
        for i in range(turned + 1, r):
            places[i] = places[i - 1] + 1


def combinations_with_replacement_of_any(iterable, r: int):
    """Yield tuples of `r` items in their order, each as often as may be."""
    pool = list(iterable)
    size = len(pool)
    if r < 0:
        raise ValueError("r must be non-negative")
    if size == 0 and r > 0:
        return
    places = [0] * r
    while True:
        yield tuple([pool[place] for place in places])
        turned = r - 1
        while turned >= 0 and places[turned] == size - 1:
            turned -= 1
        if turned < 0:
            return
        place = places[turned] + 1
        for i in range(turned, r):
            places[i] = place
