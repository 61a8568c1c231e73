"""Texts as programs take them apart: characters, slices, searches, methods."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


def characters(s, i):
    return s[i], s[0], s[-1], ord(s[i]), chr(ord(s[i]) + 1), s[i] == "b", s[i] in "aeiou"


def slices(s, a, b, c):
    return s[a:b], s[:a], s[b:], s[::c], s[a:b:c], s[:b:c], s[a::c], s[:], s[::-1], s[-3:-1], s[2:]


def optional_bounds(s: str, a: int | None, b: int | None, c: int | None):
    return s[a:b], s[a:b:c], s[:b:c]


def looped(s):
    seen = []
    for c in s:
        seen.append(c)
    for i, c in enumerate(s, 1):
        seen.append(f"{i}{c}")
    for c in reversed(s):
        seen.append(c)
    for a, b in zip(s, s[1:], strict=False):  # noqa: RUF007
        seen.append(a + b)
    for c in s:
        if c == "b":
            break
    else:
        seen.append("no b")
    return seen, [c + "." for c in s if c != "a"], list(s), sorted(s), {c: 1 for c in s}


def extremes(s):
    return min(s), max(s), any(c == "b" for c in s), all(c.isalpha() for c in s), len(list(s))


def held(s, t):
    return t in s, t not in s, "" in s, s in t, s in s + t


def numbered(c):
    return ord(c)


def made(i):
    return chr(i)


def splits(s, sep, n):
    print(s.split(), s.split(None, n), s.rsplit(), s.rsplit(None, n), s.split(maxsplit=n))
    return (
        s.split(sep),
        s.split(sep, n),
        s.rsplit(sep),
        s.rsplit(sep, n),
        s.splitlines(),
        s.splitlines(True),
    )


def joins(words: list[str], sep):
    pair = ("x", "y")
    print(
        sep.join(words),
        sep.join(w + "!" for w in words),
        sep.join(pair),
    )
    return (
        sep.join(sep),
        "".join(words),
        ", ".join([str(len(w)) for w in words]),
        sep.join(words[:1]),
    )


def strips(s, chars):
    print([s.strip(), s.lstrip(), s.rstrip()], [s.strip(None)])
    return s.strip(chars), s.lstrip(chars), s.rstrip(chars)


def searches(s, t, a, b):
    print(s.find(t), s.find(t, a), s.find(t, a, b), s.rfind(t), s.rfind(t, a), s.rfind(t, a, b))
    print(s.count(t), s.count(t, a), s.count(t, a, b), s.startswith(t), s.startswith(t, a))
    print(s.startswith(t, a, b), s.endswith(t), s.endswith(t, a), s.endswith(t, a, b))
    print(s.startswith((t, "a")), s.endswith(("b", t), a), s.removeprefix(t), s.removesuffix(t))
    return (
        s.partition("x" + t),
        s.rpartition(t + "x"),
        s.find(t, None, b),
        s.index(""),
        s.rindex(""),
    )


def found(s, t):
    return s.index(t), s.rindex(t)


def parted(s, t):
    return s.partition(t), s.rpartition(t)


def repeated(s: str, n: int) -> tuple[str, str, str, bytes, list[str]]:
    text = s * n
    text += "-" * n
    return text, n * s, s * n * 2, b"x\xff" * n, [c * (n // 2) for c in s]


def replaced(s, old, new, n):
    return s.replace(old, new), s.replace(old, new, n), s.replace(old, ""), s.replace("", new, n)


def cases(s):
    print(s.upper(), s.lower(), s.casefold(), s.swapcase(), s.title(), s.capitalize())
    print(s.isalpha(), s.isdigit(), s.isalnum(), s.isnumeric(), s.isdecimal(), s.isspace())
    print(s.isupper(), s.islower(), s.istitle(), s.isidentifier(), s.isprintable(), s.isascii())
    return s.upper() == s, len(s.upper()), hash(s.lower()) == hash(s.lower() + "")


def padded(s, n, fill):
    print([s.center(n), s.ljust(n), s.rjust(n), s.zfill(n)])
    return s.center(n, fill), s.ljust(n, fill), s.rjust(n, fill)


def tabs(s, n):
    return s.expandtabs(), s.expandtabs(n), s.expandtabs(tabsize=n + 1)


def translated(s):
    table = str.maketrans("abc", "xyé")
    return s.translate(table), s.translate({97: "<a>", 98: ""}), s.translate({ord("c"): 100})


def whole(s):
    return int(s)


def whole_in(s, base):
    return int(s, base)


def real(s):
    return float(s)


def reals(words: list[str]) -> list[float]:
    return [float(word) for word in words]


def numerals(n):
    print(hex(n), oct(n), bin(n), ascii("é😀'"), bool(str(n)), bool(""), bool("0"))
    return int(hex(n), 16), int(bin(n), 0), int(oct(n), 8)


def formats(s, n, x, width, places):
    print(
        f"{s:>{width}}|{s:^{width}}|{n:{width}d}|{x:.{places}f}|{x:{width}.{places}e}|{s!r:*<{width}}"
    )
    print(f"{s} {x:.2f} {n}", f"{1}{s}")
    return format(n, "05d"), format(x), format(s, f"<{width}"), f"{True:{width}}", f"{n:{s}}"


def by_class(words, s):
    print(str.upper(s), str.split(s, "b"), str.strip(s), str.join("-", words))
    return sorted(words, key=str.lower), list(map(str.title, words)), any(map(str.isdigit, s))


def reversed_words(s):
    return " ".join(reversed(s.split())), " ".join(w[::-1] for w in s.split())


def palindrome(s):
    letters = [c.lower() for c in s if c.isalnum()]
    return letters == letters[::-1], "".join(letters)


def counted(text):
    counts = {}
    for word in text.lower().split():
        word = word.strip(".,;!?")
        if word:
            counts[word] = counts.get(word, 0) + 1
    return counts, sorted(counts)


def tokens(text):
    out = []
    i = 0
    while i < len(text):
        c = text[i]
        if c.isspace():
            i += 1
        elif c.isdigit():
            j = i
            while j < len(text) and text[j].isdigit():
                j += 1
            out.append(text[i:j])
            i = j
        elif c in "+-*/()":
            out.append(c)
            i += 1
        else:
            raise ValueError(f"unexpected {c!r} at {i}")
    return out


def caesar(s, k):
    out = ""
    for c in s:
        if "a" <= c <= "z":
            out += chr((ord(c) - 97 + k) % 26 + 97)
        else:
            out += c
    return out


SAMPLES = ["abcab", "", "a", "äbπb", "😀a😀", "  two  words\t", "ab" * 40, "éé", "ÿ", "aß\n"]
WIDE = [
    "Straße",
    "ΑΣΣ",
    "ǆ ǅ",
    "ﬁn",
    "İi",
    "٣4",
    "½²",
    "x_1",
    "1x",
    "\u2028",
    "\xa0",
    "Ab Cd",
    "ABC",
    "abc",
    "",
]

CASES: list[Case] = [
    (characters, [("abc", 1), ("äbπ", -2), ("😀x", 0), ("a", 1), ("a", -2), ("ÿ", 0), ("", 0)]),
    (slices, [(s, a, b, c) for s in SAMPLES for a, b, c in [(1, 3, 2), (-2, 99, -1), (4, 0, -2)]]),
    (slices, [("abc", 1, 2, 0), ("abc", -(2**63), 2**63 - 1, -(2**63))]),
    (optional_bounds, [("abcdef", 1, None, None), ("abcdef", None, 2, -1), ("äπ", None, None, 2)]),
    (looped, [(s,) for s in SAMPLES]),
    (extremes, [("bca",), ("π",), ("",)]),
    (
        held,
        [
            ("abc", "b"),
            ("abc", ""),
            ("", "a"),
            ("aéb", "é"),
            ("aπb", "πb"),
            ("ab", "π"),
            ("a😀", "😀"),
        ],
    ),
    (numbered, [("a",), ("é",), ("😀",), ("",), ("ab",)]),
    (
        made,
        [
            (0,),
            (97,),
            (233,),
            (0x3C0,),
            (0x1F600,),
            (0xD800,),
            (-1,),
            (0x110000,),
            (2**40,),
            (-(2**40),),
        ],
    ),
    (
        splits,
        [(s, sep, n) for s in SAMPLES for sep, n in [("a", 1), (" ", -1), ("ab", 0), ("π", 2)]],
    ),
    (splits, [(" a b c ", " ", 1), ("a\r\nb\rc\n\nd", "", 1), ("\x1ca\x85b\u2029", "b", 9)]),
    (joins, [(["a", "bc", ""], "-"), (["é"], ""), (["a", "π", "😀"], "é")]),
    (strips, [(s, c) for s in SAMPLES for c in ["a", "ba ", "", "😀é"]]),
    (
        searches,
        [(s, t, a, b) for s in SAMPLES for t, a, b in [("b", 1, 4), ("", -2, 9), ("ab", 9, 2)]],
    ),
    (found, [("abcab", "ab"), ("abc", "x"), ("aπ", "π")]),
    (parted, [("a-b-c", "-"), ("abc", "x"), ("abc", "")]),
    (replaced, [(s, old, "<é>", n) for s in SAMPLES for old, n in [("a", 1), ("", 2), ("b", 0)]]),
    (
        repeated,
        [(s, n) for s in (*SAMPLES, "x", "\u65e5", "ab\U0001f600") for n in (-2, 0, 1, 2, 7)],
    ),
    (repeated, [("ab", 2**62), ("", 2**62)]),
    (replaced, [("a-b-c", "-", new, n) for new in ("", "日", "--") for n in (-1, 0, 1, 2, 9)]),
    (replaced, [("aXXé", "XX", "", n) for n in (0, 1, -5)]),
    (cases, [(s,) for s in (*SAMPLES, *WIDE)]),
    (padded, [("ab", 7, "*"), ("a", 4, "é"), ("-5", 6, "0"), ("+x", 1, " "), ("", 3, "π")]),
    (padded, [("a", 4, ""), ("a", 4, "ab"), ("a", -3, "x")]),
    (tabs, [("a\tb\n\tc\rd\te", 4), ("\t", 0), ("no", -3), ("é\tπ", 3)]),
    (translated, [("aabbcc",), ("",), ("xπc",)]),
    (
        whole,
        [
            (s,)
            for s in [
                "12",
                " -7\n",
                "+0",
                "1_000",
                "",
                "-",
                "1__0",
                "_1",
                "1_",
                "٣٤",
                "x",
            ]
        ],
    ),
    (whole, [("-9223372036854775808",), ("9223372036854775807",), ("0x10",), ("é",), ("1 2",)]),
    (
        whole_in,
        [
            (s, b)
            for s in ["ff", "0xff", "0b11", "017", "0", "z", "-0o17", "0x"]
            for b in [16, 0, 36, 2]
        ],
    ),
    (
        whole_in,
        [
            ("1", 1),
            ("1", 37),
            ("0_0", 0),
            ("0x_f", 0),
            ("00", 0),
            ("01", 0),
            ("-8000000000000000", 16),
        ],
    ),
    (
        real,
        [(s,) for s in ["1.5", " -1e3 ", "nan", "inf", "1_0.5", "", "x", "\u0663.\u0665", "1e999"]],
    ),
    # Of few digits, which are read here, and of more, which Python reads.
    (
        reals,
        [
            (["0.1", "-0", "-0.0", "5.", ".5", "-.5", "007.10", "3.14159", "-123456.789", "+1.5"],),
            (["123456789012345", "999999999999999.", "0.00000000000001", ".123456789012345"],),
            (["1234567890123456", "12345678.12345678", "-9007199254740993", "5e-324", "1e22"],),
            (["1.2.3"],),
            (["1", "-."],),
            (["--1"],),
            (["."],),
        ],
    ),
    (numerals, [(0,), (255,), (-10,), (2**63 - 1,)]),
    (formats, [("x", 255, 1.5, 7, 3), ("d", -3, 1e300, 1, 0), ("é", 0, -0.0, 0, 1)]),
    (by_class, [(["b", "A", "c"], "ab1"), (["é"], "")]),
    (reversed_words, [("the quick  fox",), ("",)]),
    (palindrome, [("A man, a plan: a canal, Panama",), ("no",)]),
    (counted, [("The cat, the dog; a CAT!",), ("",)]),
    (tokens, [("12+(3*4)",), ("1 + x",), ("",)]),
    (caesar, [("hello, world", 3), ("", 1), ("zé", 1)]),
]
