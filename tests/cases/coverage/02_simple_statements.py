"""Simple statements"""


# assignments to names, items, slices, fields, several at once
def example():
    xs = [1, 2, 3]
    a = b = 4
    xs[0], xs[1:] = a, [b, 6]
    return xs


# unpacking with a star
def example():
    a, *b = [1, 2, 3]
    return (a, b)


# unpacking of nested tuples
def example():
    a, (b, c) = 1, (2, "x")
    return (a, b, c)


# augmented assignments of all operators
def example():
    a = 5
    a += 2
    a **= 2
    a //= 3
    a <<= 1
    a |= 1
    return a


# annotated assignments
def example():
    a: int = 1
    xs: list[str] = []
    return (a, xs)


# assert
def example():
    a = 1
    assert a > 0, "positive"
    return a


# pass, del of items and names
def example():
    xs = [1, 2, 3]
    del xs[1]
    d = {"a": 1}
    del d["a"]
    return (xs, d)


# raise, raise from
def f() -> None: raise KeyError("k") from ValueError("v")

def example():
    out = ""
    try: f()
    except KeyError as e: out = repr(e)
    return out


# break, continue
def example():
    n = 0
    for i in range(9):
        if i % 2: continue
        if i > 5: break
        n += i
    return n


# import inside of a function
def example():
    import math
    return math.floor(1.5)


# global
def f() -> int:
    global counted
    counted = 1
    return counted

def example():
    return f()


# nonlocal
def outer() -> int:
    n = 0
    def add(k: int) -> None:
        nonlocal n
        n += k
    add(2)
    add(3)
    return n

def example():
    return outer()


# type aliases (`type X = int`)
def example():
    X = int
    a: int = 1
    return a
