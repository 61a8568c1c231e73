"""Bytes as programs take them apart: items, slices, searches, methods, encodings."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from dataclasses import dataclass

from tests.programs import Case

HEAD = b"\x89PNG\r\n"
PAIRS = (b"a", b"\xff")


def items(b, i, j, k):
    seen = []
    for x in b:
        seen.append(x)
    for place, x in enumerate(b):
        seen.append(place * x)
    for x in reversed(b):
        seen.append(x)
    return b[i:j], b[i:j:k], b[::-1], b[:2], seen, list(b), sorted(b), sum(b), len(b), bool(b)


def item(b, i):
    return b[i]


def extremes(b):
    return max(b), min(b), [x for x in b if x > 97]


def compared(a, b):
    print(a, repr(b), f"{a}|{b!r}", [a, b], {a: 1}, (a,))
    order = (a < b, a <= b, a == b, a != b, a > b, a >= b, [a] == [b], (a, 1) < (b, 1))
    return order, a + b, a * 2, 3 * b, a in b, 97 in a, b"" in a, {a, b}, hash(a) == hash((a,)[0])


def finds(b, x, i, j):
    ends = b.startswith(x), b.endswith(x, i), b.startswith((x, b"a"), i, j), b.endswith((b"z", x))
    return b.find(x), b.rfind(x, i), b.find(x, i, j), b.count(x), b.count(x, i, j), ends


def finds_byte(b, x, i):
    return b.find(x), b.rfind(x, i), b.count(x), x in b


def found(b, x):
    return b.index(x), b.rindex(x)


def parts(b, x, n):
    cut = b.split(x), b.split(x, n), b.rsplit(x, n), b.partition(x), b.rpartition(x)
    return cut, b.replace(x, b"--"), b.replace(x, b"", n), x.join([b, b]), x.join((b, x))


def blanks(b, n):
    cut = b.split(), b.split(None, n), b.rsplit(None, n), b.splitlines(), b.splitlines(True)
    return cut, b.strip(), b.lstrip(), b.rstrip(), b.expandtabs(), b.expandtabs(n)


def stripped(b, x):
    return b.strip(x), b.lstrip(x), b.rstrip(x), b.removeprefix(x), b.removesuffix(x)


def padded(b, n):
    return b.ljust(n), b.rjust(n, b"*"), b.center(n), b.center(n, b"\xff"), b.zfill(n)


def filled(b, fill):
    return b.ljust(9, fill)


def classes(b):
    are = b.isascii(), b.isalpha(), b.isdigit(), b.isalnum(), b.isspace(), b.islower()
    return are, b.isupper(), b.istitle(), b.upper(), b.lower(), b.swapcase(), b.title()


def capitalized(b):
    return b.capitalize(), bytes.lower(b), sorted([b, b"A", b"b"], key=bytes.upper)


def translated(b, x, y):
    table = bytes.maketrans(x, y)
    return b.translate(table), b.translate(table, x), b.translate(None, delete=y)


def hexes(b, n):
    return b.hex(), b.hex(":"), b.hex("-", n), b.hex(b"_", -n), bytes.fromhex(b.hex(" "))


def unhexed(s):
    return bytes.fromhex(s)


def decoded(b):
    return b.decode("latin-1"), b.decode("ascii", "ignore"), b.decode("utf-8", errors="replace")


def decoded_strictly(b):
    return b.decode()


def decoded_as_ascii(b):
    return b.decode("ascii")


def encoded(s):
    return s.encode(), s.encode("ascii", "replace"), s.encode("latin-1", "ignore"), bytes(s, "utf8")


def encoded_strictly(s):
    return s.encode("ascii")


def caught(b, s):
    said = []
    try:
        said.append(b.decode("ascii"))
    except UnicodeDecodeError as e:
        said.append(str(e))
    try:
        said.append(str(len(s.encode("latin-1"))))
    except ValueError as e:
        said.append(repr(type(e).__name__))
    return said


def numbers(b):
    return int.from_bytes(b, "big"), int.from_bytes(b, "little", signed=True)


def number_bytes(x, n):
    return x.to_bytes(n, "big"), x.to_bytes(n, "little", signed=True), (7).to_bytes()


def order_unknown(x, order):
    return x.to_bytes(2, order)


def made(xs):
    empty = bytes()  # noqa: UP018
    return bytes(xs), bytes(3), empty, bytes(range(3)), bytes(x + 1 for x in xs), bytes((1, 2))


def counted(n):
    return bytes(n)


def grown(b, n):
    out = b""
    for i in range(n):
        out += b
        out += bytes([i & 255])
    return out


def words(xs: list[bytes]):
    counts: dict[bytes, int] = {}
    for x in xs:
        counts[x] = counts.get(x, 0) + 1
    return counts, b",".join(xs), sorted(xs), set(xs), max(xs), counts.get(b"?")


@dataclass
class Packet:
    head: bytes
    body: bytes | None = None

    def size(self):
        return len(self.head) + (len(self.body) if self.body is not None else 0)


def packets(head, body):
    kept = [Packet(head), Packet(head, body)]
    return [p.size() for p in kept], kept[1].body, kept[0].head + HEAD, PAIRS[1], str(kept[1])


def text_or_bytes(x: bytes | str | None):
    if isinstance(x, bytes):
        return x.decode("latin-1")
    return "nothing" if x is None else x


def matched(b: bytes):
    match b:
        case b"GET":
            return 1
        case b"":
            return 0
        case _:
            return -1


def checksum(b: bytes):
    a, c = 1, 0
    for x in b:
        a = (a + x) % 65521
        c = (c + a) % 65521
    return c << 16 | a


def varints(xs: list[int]):
    out = b""
    for x in xs:
        while x > 127:
            out += bytes([x & 127 | 128])
            x >>= 7
        out += bytes([x])
    found = []
    value, shift = 0, 0
    for x in out:
        value |= (x & 127) << shift
        shift += 7
        if x < 128:
            found.append(value)
            value, shift = 0, 0
    return out, found


B = [b"", b"abc", b" a\tB \r\n\x0b\x1c\x85\xa0z", b"xx\xffxx\x00", b"Hello World 12\xe9", b"'\"\\"]

CASES: list[Case] = [
    (items, [(b, i, j, k) for b in B for i, j, k in ((0, 9, 2), (-1, -9, -1), (1, 2, 1))]),
    (items, [(b"ab", 0, 1, 0)]),
    (item, [(b"ab\xff", i) for i in (0, 2, -1, -3, 3, -4)]),
    (extremes, [(b"abc",), (b"",)]),
    (compared, [(b, x) for b in B for x in (b"a", b"", b"\xff")]),
    (finds, [(b, x, 1, -1) for b in B for x in (b"a", b"", b"xx")]),
    (finds_byte, [(b"abca", 97, 1), (b"\xff", 255, 0), (b"", 0, 0), (b"a", 256, 0), (b"a", -1, 0)]),
    (found, [(b"abcab", b"ab"), (b"abc", b"x"), (b"", b"")]),
    (parts, [(b"a-b-c", b"-", 1), (b"abc", b"x", -1), (b"abc", b"", 0), (b"xxx", b"x", 2)]),
    (blanks, [(b, n) for b in B for n in (-1, 0, 1)]),
    (stripped, [(b, x) for b in B for x in (b"x", b"", b" z\xa0")]),
    (padded, [(b, n) for b in (b"ab", b"-1", b"\xff") for n in (0, 5, -2)]),
    (filled, [(b"ab", b"xy"), (b"ab", b"")]),
    (classes, [(b,) for b in (*B, b"Ab Cd", b"12", b"aB", b"\t")]),
    (capitalized, [(b"hELLO",), (b"",), (b"1A",)]),
    (translated, [(b"abcab", b"ab", b"xy"), (b"", b"", b""), (b"a\xff", b"\xff", b"a")]),
    (translated, [(b"a", b"ab", b"x")]),
    (hexes, [(b, n) for b in B for n in (1, 2, 3)]),
    (unhexed, [(s,) for s in ("00ff Ab", "", "0", "0g", "\u00e9", " 1 2", "12\t\n")]),
    (decoded, [(b,) for b in B]),
    (decoded_strictly, [(b"a\xc3\xa9",), (b"\xff",), (b"\xc3",), (b"ab",)]),
    (decoded_as_ascii, [(b"ab",), (b"a\x80",)]),
    (encoded, [("a\u00e9\u03c0\U0001f600",), ("",), ("abc",)]),
    (encoded_strictly, [("abc",), ("a\u00e9",), ("\u03c0\u03c0b",)]),
    (caught, [(b"a\xff", "a"), (b"ok", "\u03c0")]),
    (numbers, [(b"",), (b"\x01\x02",), (b"\xff\xfe",), (b"\x00" * 9,), (b"\x7f" * 8,)]),
    (number_bytes, [(0, 0), (1, 2), (255, 3), (2**62, 8), (-1, 2), (256, 1), (1, -1), (5, 12)]),
    (order_unknown, [(1, "little"), (1, "middle")]),
    (made, [([1, 2],), ([255, 0],), ([256],), ([-1],)]),
    (counted, [(0,), (4,), (-1,)]),
    (grown, [(b"ab", 40), (b"", 3), (b"\xff", 0)]),
    (words, [([b"a", b"\xff", b"a"],), ([b""],)]),
    (packets, [(b"h", b"\x00\xff"), (b"", b"")]),
    (text_or_bytes, [(b"a\xe9",), ("text",), (None,)]),
    (matched, [(b"GET",), (b"",), (b"PUT",)]),
    (checksum, [(b"Wikipedia",), (b"",), (bytes(range(256)),)]),
    (varints, [([1, 300, 2**40],), ([0],)]),
]
