"""itertools and functools"""


# accumulate, chain, compress, count, cycle, dropwhile, filterfalse, islice, takewhile
import itertools as it

def example():
    return (list(it.accumulate([1, 2, 3])), list(it.chain([1], [2])), list(it.compress([1, 2], [1, 0])), list(it.islice(it.count(3), 2)), list(it.islice(it.cycle([1, 2]), 3)), list(it.dropwhile(lambda x: x < 2, [1, 2])), list(it.takewhile(lambda x: x < 2, [1, 2])), list(it.filterfalse(None, [0, 1])))


# combinations, permutations, product, pairwise, repeat, starmap, zip_longest
import itertools as it

def example():
    return (list(it.combinations([1, 2, 3], 2)), list(it.permutations([1, 2], 2)), list(it.product([1], "ab")), list(it.pairwise([1, 2, 3])), list(it.repeat(1, 2)), list(it.starmap(pow, [(2, 3)])), list(it.zip_longest([1], [2, 3], fillvalue=0)))


# combinations_with_replacement
import itertools as it

def example():
    return list(it.combinations_with_replacement([1, 2], 2))


# groupby
import itertools as it

def example():
    return [(k, list(g)) for k, g in it.groupby([1, 1, 2])]


# tee
import itertools as it

def example():
    a, b = it.tee([1, 2])
    return (list(a), list(b))


# reduce, partial
import functools

def example():
    return (functools.reduce(lambda a, b: a * b, [1, 2, 3]), functools.partial(pow, 2)(3))


# cache, lru_cache
import functools

@functools.cache
def f(n: int) -> int: return n * 2

def example():
    return f(3)


# cmp_to_key
import functools

def example():
    return sorted([3, 1, 2], key=functools.cmp_to_key(lambda a, b: b - a))


# total_ordering
import functools

@functools.total_ordering
class A:
        def __init__(self, n: int): self.n = n
        def __lt__(self, other: A) -> bool: return self.n < other.n
        def __eq__(self, other: A) -> bool: return self.n == other.n

def example():
    return A(1) <= A(2)


# cached_property
import functools

class A:
    @functools.cached_property
    def x(self) -> int: return 3

def example():
    return A().x


# singledispatch
import functools

@functools.singledispatch
def f(x) -> int: return 1

def example():
    return f(3)


# wraps
import functools

def d(g):
    @functools.wraps(g)
    def h(x: int) -> int: return g(x) + 1
    return h

@d
def f(x: int) -> int: return x * 2

def example():
    return f(3)
