"""Methods of lists, tuples, dicts and sets"""


# append, extend, insert, pop, remove, reverse, clear, copy, count, index, sort
def example():
    xs = [3, 1]
    xs.append(2)
    xs.extend([5])
    xs.insert(0, 9)
    xs.remove(1)
    xs.sort(key=lambda x: -x)
    xs.reverse()
    return (xs.pop(), xs, xs.count(5), xs.index(2), xs.copy())


# + and * of lists, comparisons
def example():
    return ([1] + [2], [1] * 2, [1, 2] < [2])


# count, index of tuples of any length
def example():
    xs = tuple(range(3))
    return (xs.count(1), xs.index(2))


# count, index of tuples whose length is known
def example():
    return (1, 2, 1).count(1)


# get, setdefault, pop, popitem, update, keys, values, items, copy, clear, fromkeys
def example():
    d = {"a": 1}
    d.update({"b": 2})
    return (d.get("z", 0), d.setdefault("c", 3), d.pop("a"), list(d.items()), list(d.keys()), sum(d.values()), dict.fromkeys([1], 0))


# | of dicts, `in`, `del`, comparison
def example():
    d = {"a": 1} | {"b": 2}
    d |= {"c": 3}
    return ("a" in d, d == {"a": 1, "b": 2, "c": 3}, list(reversed(d)))


# views of dicts as values
def example():
    d = {"a": 1}
    keys = d.keys()
    d["b"] = 2
    return len(keys)


# add, discard, remove, pop, update, union, intersection, difference, symmetric_difference, issubset, isdisjoint
def example():
    s = {1, 2}
    s.add(3)
    s.discard(9)
    s.remove(1)
    return (s.union([4]), s.intersection([3]), s.difference([3]), s.symmetric_difference([3, 5]), s.issubset({2, 3}), s.isdisjoint({7}))


# operators of sets
def example():
    return ({1, 2} | {3}, {1, 2} & {2}, {1, 2} - {2}, {1, 2} ^ {2, 3}, {1} < {1, 2})
