"""Dicts and sets whose keys share slots, while items come, go and come back."""

from collections import Counter, OrderedDict, defaultdict

from tests.programs import Case


def mixed(steps: int, spread: int, keys: int) -> tuple[list[tuple[int, int]], int]:
    """Do what numbers say with a dict, whose keys have the same last bits where `spread` is."""
    d: dict[int, int] = {}
    state, total = 7, 0
    for step in range(steps):
        state = (state * 1103515245 + 12345) % 2147483648
        key = (state >> 8) % keys * spread
        what = (state >> 4) % 8
        if what < 3:
            d[key] = step
        elif what == 3:
            d[key] = d.get(key, 0) + 1
        elif what == 4:
            total += d.pop(key, -1)
        elif what == 5 and d:
            total += d.popitem()[1]
        elif what == 6:
            total += d.setdefault(key, step)
        elif key in d:
            del d[key]
    return list(d.items()), total


def pairs(steps: int, keys: int) -> tuple[list[tuple[int, int]], list[tuple[tuple[int, int], int]]]:
    """The same with keys that are pairs, in a set and a dict."""
    s: set[tuple[int, int]] = set()
    d: dict[tuple[int, int], int] = {}
    state = 11
    for step in range(steps):
        state = (state * 1103515245 + 12345) % 2147483648
        key = (state >> 8) % keys, (state >> 16) % keys - keys // 2
        if (state >> 4) % 3:
            s.add(key)
            d[key] = d.get(key, step) + 1
        else:
            s.discard(key)
            d.pop(key, 0)
    return list(s), list(d.items())


def words(text: str, most: int) -> tuple[list[tuple[str, int]], list[str]]:
    counts: dict[str, int] = {}
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(text.split()):
        counts[word] = counts.get(word, 0) + 1
        places[word].append(place)
        if len(counts) > most:
            counts.pop(next(iter(counts)))
    return list(counts.items()), [w for w, found in places.items() if len(found) > 1]


def ends(keys: list[int]) -> list[int]:
    """Items that are moved leave their slots behind."""
    d: OrderedDict[int, int] = OrderedDict()
    for key in keys:
        d[key] = key
        d.move_to_end(key, key % 3 > 0)
        if len(d) > 12:
            if key % 2:
                d.popitem()
            else:
                d.popitem(last=False)
    return list(d)


def counted(keys: list[int]) -> list[tuple[int, int]]:
    found: Counter[int] = Counter()
    for key in keys:
        found[key] += 1
        found[key // 64 * 64] -= 1
    return list(found.items())


def floats(keys: list[float], wanted: list[float]) -> tuple[int, list[int]]:
    """-0.0 is the key 0.0, and a NaN is a key of its own."""
    d: dict[float, int] = {}
    for place, key in enumerate(keys):
        d[key] = place
    return len(d), [d.get(key, -1) for key in wanted]


def grown_meanwhile(n: int) -> int:
    d = {k: k for k in range(n)}
    for k in d:
        d[k + n] = k
    return len(d)


def given_and_changed(d: dict[int, str], more: list[int]) -> tuple[list[int], list[int]]:
    """A dict from Python, of any size, and a copy without some, grow and shrink."""
    copy = dict(d)
    for key in list(copy)[::3]:
        del copy[key]
    for key in more:
        d[key] = copy.setdefault(key, "new")
        if key % 5 == 0:
            del d[key]
    return list(d), [key for key in range(-2, 600) if key in d and key not in copy]


class Index:
    """A dict in a field, which other code replaces between searches."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def number(self, word: str) -> int:
        if word not in self.known:
            self.known[word] = len(self.known)
            if len(self.known) > 20:
                self.known = {word: 0}
        return self.known[word]


def numbers(text: str) -> list[int]:
    index = Index()
    return [index.number(word) for word in text.split()]


KEYS = [(k * k * 37) % 211 for k in range(300)]
TEXT = " ".join(f"w{k * k % 61}" for k in range(500))
NANS = [float("nan") for _ in range(3)]
CASES: list[Case] = [
    (mixed, [(n, spread, 40) for n in (10, 100, 3000) for spread in (1, 64, 2**40, -(2**20))]),
    (mixed, [(4000, 1, 2000), (3000, 2**58, 16), (3000, 32, 900)]),
    (pairs, [(n, keys) for n in (9, 60, 2000) for keys in (2, 9, 50)]),
    (words, [("", 3), (TEXT, 3), (TEXT, 25), (TEXT, 1000)]),
    (ends, [(KEYS,), ([],), ([5] * 20,)]),
    (counted, [(KEYS,), ([0, 64, 128, 64],)]),
    (floats, [([0.0, -0.0, 1.5, *NANS[:2], 1e300], [-0.0, 0.0, 1.5, 2.0, NANS[2], 1e300])]),
    (grown_meanwhile, [(0,), (1,), (8,), (100,)]),
    (
        given_and_changed,
        [
            ({k * 3: "" for k in range(n)}, list(range(m)))
            for n in (0, 8, 9, 31, 32, 33, 64, 65, 128, 255, 257, 1100)
            for m in (1, 3, 40, 300)
        ],
    ),
    (given_and_changed, [({k * 64: "" for k in range(200)}, [k * 64 for k in range(2500)])]),
    (numbers, [(TEXT,), ("",)]),
]
