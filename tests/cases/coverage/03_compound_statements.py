"""Compound statements"""


# if, elif, else
def example():
    a = 3
    out = ""
    if a > 5: out = "a"
    elif a > 2: out = "b"
    else: out = "c"
    return out


# while with else
def example():
    n = 0
    while n < 3: n += 1
    else: n = 10
    return n


# for with else, over anything that can be iterated
def example():
    n = 0
    for i, c in enumerate("abc"): n += i + ord(c)
    else: n += 1
    return n


# try, except, else, finally
def example():
    out = []
    try: out.append(int("x"))
    except (ValueError, KeyError) as e: out.append(len(str(e)))
    else: out.append(1)
    finally: out.append(2)
    return out


# except* and exception groups
def example():
    try: raise ValueError("x")
    except* ValueError: pass
    return 1


# with, several managers
import contextlib

def example():
    n = 0
    with contextlib.suppress(KeyError), contextlib.nullcontext(): n = {"a": 1}["b"]
    return n


# with over objects with `__enter__` and `__exit__`
class M:
    def __enter__(self) -> int: return 7
    def __exit__(self, kind, error, trace) -> bool: return True

def example():
    n = 0
    with M() as m:
        n = m
        raise ValueError("x")
    return n


# generators with `contextlib.contextmanager`
import contextlib

@contextlib.contextmanager
def m(): yield 1

def example():
    n = 0
    with m() as k: n = k
    return n


# match: literals, captures, sequences, mappings, classes, guards
def example():
    x = [1, 2, 3]
    out = ""
    match x:
        case [1, *rest] if len(rest) > 1: out = str(rest)
        case _: out = "none"
    return out


# functions: annotations, defaults, positional-only, keyword-only
def f(a: int, /, b: int = 2, *, c: int = 3) -> int: return a + b + c

def example():
    return (f(1), f(1, 2, c=4))


# recursion
def f(n: int) -> int: return 1 if n < 2 else n * f(n - 1)

def example():
    return f(10)


# decorators
def twice(g): return lambda x: g(g(x))

@twice
def f(x: int) -> int: return x + 1

def example():
    return f(1)


# generators in loops
def g(n: int):
    for i in range(n): yield i * i

def example():
    return [x for x in g(4)]


# generators as values, `next`
def g(n: int):
    for i in range(n): yield i * i

def example():
    it = g(4)
    return (next(it), next(it), list(it))


# generators: `send`, `throw`, `close`, `e.value` of StopIteration
def g(n: int):
    total = 0
    while total < n:
        x = yield total
        total += x
    return "over"

def example():
    it = g(4)
    seen = [next(it), it.send(3)]
    try:
        it.send(2)
    except StopIteration as e:
        return (seen, e.value)


# iterators as values: `iter`, `zip`, `map`, generator expressions, `itertools`
import itertools

def example():
    it = iter([1, 2, 3, 4])
    pairs = zip(it, map(str, it))
    squares = (x * x for x in itertools.count())
    return (next(pairs), next(squares), next(squares), list(pairs))


# yield from
def g(n: int): yield from range(n)

def example():
    return list(g(3))


# classes with bases, super, class and static methods, properties
class A:
    def __init__(self, n: int): self.n = n
    @property
    def twice(self) -> int: return 2 * self.n
    @classmethod
    def make(cls): return cls(3)

class B(A):
    def __init__(self, n: int): super().__init__(n + 1)

def example():
    return (B(1).twice, A.make().n)


# several bases
class A:
    def f(self) -> int: return 1

class B:
    def g(self) -> int: return 2

class C(A, B): pass

def example():
    return (C().f(), C().g())


# metaclasses
class M(type): pass

class A(metaclass=M): pass

def example():
    return A() is not None


# async functions
async def f() -> int: return 1

def example():
    return f()


# nested functions and closures
def outer(n: int):
    def inner(x: int) -> int: return x + n
    return inner

def example():
    return outer(2)(3)
