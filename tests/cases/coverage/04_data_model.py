"""Data model"""


# `__init__`, `__repr__`, `__str__`, `__format__`
class A:
    def __init__(self, n: int): self.n = n
    def __repr__(self) -> str: return f"A({self.n})"
    def __format__(self, spec: str) -> str: return spec + "!"

def example():
    return (repr(A(1)), str(A(2)), f"{A(3):x}")


# `__eq__`, `__lt__` and the others
class A:
    def __init__(self, n: int): self.n = n
    def __eq__(self, other: A) -> bool: return self.n == other.n
    def __lt__(self, other: A) -> bool: return self.n < other.n

def example():
    return (A(1) == A(1), A(1) < A(2), A(1) != A(1))


# `__hash__`
class A:
    def __init__(self, n: int): self.n = n
    def __hash__(self) -> int: return hash(self.n)

def example():
    return hash(A(3))


# `__bool__`, `__len__`, `__contains__`
class A:
    def __len__(self) -> int: return 3
    def __contains__(self, x: int) -> bool: return x == 1

def example():
    return (len(A()), bool(A()), 1 in A())


# `__getitem__`, `__setitem__`, `__delitem__`
class A:
    def __init__(self): self.d: dict[int, int] = {}
    def __getitem__(self, k: int) -> int: return self.d[k]
    def __setitem__(self, k: int, v: int) -> None: self.d[k] = v
    def __delitem__(self, k: int) -> None: del self.d[k]

def example():
    a = A()
    a[1] = 2
    a[3] = 4
    del a[1]
    return (a[3], len(a.d))


# `__iter__`, `__next__`
class A:
    def __init__(self, n: int): self.n = n
    def __iter__(self): return self
    def __next__(self) -> int:
        if self.n == 0: raise StopIteration
        self.n -= 1
        return self.n

def example():
    return list(A(3))


# `__call__`
class A:
    def __call__(self, x: int) -> int: return x + 1

def example():
    return A()(2)


# `__add__`, `__radd__`, `__iadd__` and the other operators
class A:
    def __init__(self, n: int): self.n = n
    def __add__(self, k: int) -> A: return A(self.n + k)
    def __rmul__(self, k: int) -> A: return A(self.n * k)
    def __neg__(self) -> A: return A(-self.n)

def example():
    return ((A(1) + 2).n, (3 * A(2)).n, (-A(4)).n)


# `__int__`, `__float__`, `__index__`, `__abs__`, `__round__`
class A:
    def __int__(self) -> int: return 3
    def __float__(self) -> float: return 2.5
    def __abs__(self) -> int: return 4

def example():
    return (int(A()), float(A()), abs(A()))


# `__enter__`, `__exit__`
class A:
    def __enter__(self) -> int: return 1
    def __exit__(self, kind, error, trace) -> None: pass

def example():
    n = 0
    with A() as k: n = k
    return n


# `__slots__`
class A:
    __slots__ = ("n",)
    def __init__(self, n: int): self.n = n

def example():
    return A(2).n


# `__new__`
class A:
    def __new__(cls): return super().__new__(cls)

def example():
    return A() is not None


# `__del__`
class A:
    def __del__(self) -> None: print("gone")

def example():
    return A() is not None


# `__getattr__`, `__setattr__`
class A:
    def __getattr__(self, name: str) -> int: return 1

def example():
    return A().x


# class attributes
class A:
    count = 3

def example():
    a = A()
    return (A.count, a.count)


# `isinstance`, `type(x) is A`
class A: pass

class B(A): pass

def example():
    a: A = B()
    return (isinstance(a, B), type(a) is A, type(a).__name__)


# descriptors
class D:
    def __get__(self, obj, owner) -> int: return 3

class A:
    x = D()

def example():
    return A().x


# identity
class A: pass

def example():
    a = A()
    b = a
    return (a is b, a is A())


# rings of objects
class A:
    def __init__(self):
        self.other: "A | None" = None

def example():
    a, b = A(), A()
    a.other, b.other = b, a
    return a.other is b
