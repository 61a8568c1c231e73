"""Bytearrays: what changes them, items and slices, loops, methods of bytes on them."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


def sieve(n):
    prime = bytearray([1]) * (n + 1)
    prime[0] = prime[1] = 0
    for i in range(2, n):
        if prime[i]:
            prime[i * i :: i] = bytes(len(range(i * i, n + 1, i)))
    return [i for i, p in enumerate(prime) if p], sum(prime), len(prime), bytes(prime)


def step_of(a, step, i, j, k, x):
    if step == 0:
        a.append(x)
    elif step == 1:
        a.extend(b"zz")
    elif step == 2:
        a.insert(i, 39)
    elif step == 3:
        return a.pop(j)
    elif step == 4:
        a.remove(x)
    else:
        a[i] = x
    return -1


def cut(a, step, i, j, k):
    if step == 0:
        a[i:j] = b"12345"
    elif step == 1:
        a[::k] = a[::k].upper()
    elif step == 2:
        del a[j]
    elif step == 3:
        del a[i::k]
    elif step == 4:
        a += b"q"
    else:
        a *= 2


def changed(b, i, j, k, x):
    a = bytearray(b)
    said = []
    for step in range(6):
        try:
            said.append(str(step_of(a, step, i, j, k, x)))
        except (IndexError, ValueError) as e:
            said.append(str(e))
        try:
            cut(a, step, i, j, k)
        except (IndexError, ValueError) as e:
            said.append(str(e))
        said.append(repr(a))
    a.reverse()
    return said, bytes(a), a == bytes(a), bytes(a) == a, a < b"a", 97 in a, b"2" in a, a[-1:] == a


def loops(n):
    a = bytearray(i * 7 % 256 for i in range(n))
    b = a
    b.append(3)
    pairs = [(i, c) for i, c in enumerate(a)]
    total = 0
    for c in a:
        total += c
    both = [x + y for x, y in zip(a, reversed(a), strict=True)]
    return bytes(b), pairs, total, both, list(a), sorted(a), sum(a), min(a), max(a), any(a), len(a)


def methods(b):
    a = bytearray(b)
    cut = [bytes(p) for p in a.split(b"-")], [bytes(p) for p in a.splitlines()]
    found = a.find(b"b"), a.count(b"-"), a.startswith(b"a"), b.find(bytearray(b"b")), a.isalpha()
    made = bytes(a.upper()), bytes(a.replace(b"-", b"+")), bytes(a.strip()), bytes(a.ljust(9, b"."))
    print(a, repr(a), f"{a}", bytearray(), bytearray(3), bytearray("h\u00e9", "utf-8"))
    return cut, found, made, a.hex(), a.decode("latin-1"), bytes(a + b"x"), b"x" + a, a.copy() == a


class Buffer:
    def __init__(self):
        self.data = bytearray()

    def put(self, b: bytes):
        self.data += b
        return self

    def __len__(self):
        return len(self.data)


def fill(target: bytearray, value: int) -> bytearray:
    target[:] = bytes([value]) * len(target)
    return target


def kept(b):
    buffer = Buffer()
    buffer.put(b).put(b"zz")
    many = [buffer.data, bytearray(b"q")]
    fill(many[1], 7)
    many[0].clear()
    kinds = isinstance(many[0], bytearray), isinstance(b, bytearray)
    return len(buffer), [bytes(a) for a in many], kinds, bool(many[0]), {1: many[1]}[1][0]


def spread(b, i, j, k, x):
    a = bytearray(b)
    a[i:j:k] = x
    return a.hex(), len(a)


def made(x):
    return bytes(bytearray(x))


CASES: list[Case] = [
    (sieve, [(50,), (2,)]),
    (changed, [(b"abc", 1, -1, 2, 7), (b"", 0, 3, -1, 255), (b"a'\"\xff", -2, 0, 1, 256)]),
    (changed, [(b"abcdef", 9, 1, 0, -1)]),
    (loops, [(5,), (0,), (60,)]),
    (methods, [(b"a-b-c d\n",), (b"",), (b"\xff'",)]),
    (kept, [(b"abc",), (b"",)]),
    (spread, [(b"abcdef", 0, 6, 2, b"xyz"), (b"abcdef", 5, 0, -3, b"xy"), (b"abc", 0, 3, 0, b"x")]),
    (spread, [(b"abcdef", 4, 6, 2**63 - 1, b"x"), (b"abc", 9, 0, 2, b""), (b"abc", 0, 3, 2, b"x")]),
    (made, [([1, 2],), ([256],), (b"ab",), (4,), (-1,)]),
]
