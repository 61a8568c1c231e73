"""Built-in functions"""


# abs, divmod, pow, round
def example():
    return (abs(-3), divmod(-7, 2), pow(2, 5), pow(3, 4, 5), round(2.5), round(1.234, 2))


# all, any
def example():
    return (all(x > 0 for x in [1, 2]), any([False, True]))


# ascii, repr, str, format
def example():
    return (ascii("é"), repr("a'b"), str(1.0), format(3.14159, ".2f"))


# bin, oct, hex
def example():
    return (bin(5), oct(8), hex(255))


# bool, int, float, complex
def example():
    return (bool(""), int("12"), int(3.9), int("ff", 16), float("1e3"), complex(1, 2))


# bytes, bytearray
def example():
    return (bytes([1, 2]), len(bytes(3)))


# bytearray
def example():
    return bytearray(b"ab")


# callable
def example():
    return callable(len)


# chr, ord
def example():
    return (chr(97), ord("é"))


# dict, list, set, frozenset
def example():
    return (dict(a=1), list("ab"), set([1]), frozenset([1]))


# tuple of a list whose length is not known
def example():
    xs = [1, 2]
    return tuple(xs)


# enumerate, zip, reversed, range
def example():
    return (list(enumerate("ab", 1)), list(zip([1, 2], "ab")), list(reversed([1, 2])), list(range(5, 0, -2)))


# map, filter
def example():
    return (list(map(len, ["a", "bb"])), list(filter(None, [0, 1])))


# iter, next
def example():
    it = iter([1, 2])
    return (next(it), next(it), next(it, 0))


# len, min, max, sum
def example():
    return (len("ab"), min(3, 1), max([1, 5], key=lambda x: -x), min([4], default=0), sum([1, 2], 10))


# sorted
def example():
    return (sorted([3, 1, 2]), sorted("bca", reverse=True), sorted(["bb", "a"], key=len))


# hash
def example():
    return hash((1, 2)) == hash((1, 2))


# id of an object
class Cell:
    def __init__(self, n): self.n = n

def example():
    a, b = Cell(1), Cell(1)
    return (id(a) == id(a), id(a) == id(b))


# isinstance, issubclass
def example():
    return (isinstance(1, int), isinstance("a", (int, str)))


# getattr, hasattr, setattr
class A:
    def __init__(self): self.x = 1

def example():
    a = A()
    setattr(a, "x", 5)
    return (getattr(a, "x"), [hasattr(a, name) for name in ("x", "y")])


# id of other values
def example():
    return id("a") > 0


# input
def example():
    return input()


# open
def example():
    return open("file")


# eval, exec, compile
def example():
    return eval("1 + 1")


# print
def example():
    return print("a", 1, sep="-", end="!\n")


# slice
def example():
    xs = [1, 2, 3]
    return xs[slice(0, 2)]


# type
def example():
    return type(1).__name__


# vars, dir, globals, locals
def example():
    return locals()


# memoryview
def example():
    return memoryview(b"ab")


# object
def example():
    return object() is not None


# super
class A:
    def f(self) -> int: return 1

class B(A):
    def f(self) -> int: return super().f() + 1

def example():
    return B().f()


# zip(strict=True)
def example():
    return list(zip([1], [2], strict=True))


# aiter, anext
def example():
    return aiter([])
