"""The module `random`: Python's own numbers, by what CPython makes of them; clocks; capwords."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import random
import string
import time

import numpy as np

from tests.programs import Case


def numbers(seed: int, n: int):
    random.seed(seed)
    plain = [random.random() for _ in range(n)]
    spread = [random.uniform(-2.0, 5.0) for _ in range(n)]
    bell = [random.gauss(1.0, 2.0) for _ in range(n)] + [random.gauss(mu=0.5, sigma=0.1)]
    normal = [random.normalvariate(0.0, 3.0) for _ in range(n)]
    waits = [random.expovariate(0.25) for _ in range(n)]
    rest = random.triangular(1.0, 4.0, 2.0), random.triangular(), random.lognormvariate(0.0, 0.5)
    more = random.paretovariate(2.5), random.weibullvariate(1.5, 2.0)
    angle = random.vonmisesvariate(0.5, 4.0)
    gammas = [random.gammavariate(k / 2, 0.8) for k in range(1, 5)] + [random.betavariate(0.5, 2.0)]
    return plain, spread, bell, normal, waits, rest, more, angle, gammas


def no_gamma(alpha: float):
    return random.gammavariate(alpha, 1.0)


def ints(seed: int, n: int):
    random.seed(seed)
    dice = [random.randint(1, 6) for _ in range(n)]
    steps = [random.randrange(10, -50, -7) for _ in range(n)]
    large = [random.randrange(2**62) for _ in range(n)]
    bits = [random.getrandbits(k) for k in (0, 1, 31, 32, 33, 63)]
    return dice, steps, large, bits, random.randrange(3, 9), random.randint(-5, -5)


def chosen(seed: int, xs: list[str], n: int):
    random.seed(seed)
    picked = [random.choice(xs) for _ in range(n)]
    letters = "".join(random.choice("abcdef") for _ in range(n))
    few = random.sample(xs, min(3, len(xs)))
    many = random.sample(range(1000), n)
    weighted = random.choices(xs, weights=[i + 1 for i in range(len(xs))], k=n)
    equal = random.choices([1.5, 2.5], k=4)
    shuffled = xs.copy()
    random.shuffle(shuffled)
    return picked, letters, few, many, weighted, equal, shuffled, random.random()


def refused(kind: int):
    random.seed(1)
    if kind == 0:
        return random.randint(3, 1)
    if kind == 1:
        return random.randrange(0)
    if kind == 2:
        return random.randrange(1, 5, kind - 2)
    if kind == 3:
        return random.randrange(5, 1, 2)
    if kind == 4:
        return random.choice([1, 2][:0])
    if kind == 5:
        return len(random.sample([1, 2], 3))
    if kind == 6:
        return random.getrandbits(-1)
    if kind == 7:
        return random.choices([1, 2], weights=[0, 0])[0]
    if kind == 8:
        return random.choices([1, 2], weights=[1])[0]
    return 0


def clocks():
    start, first = time.perf_counter(), time.perf_counter_ns()
    time.sleep(0.0)
    random.seed()
    later = time.monotonic() >= 0.0, time.monotonic_ns() >= 0, time.process_time_ns() >= 0
    since = time.time() > 1.5e9, time.time_ns() > 10**18, time.process_time() >= 0.0
    passed = time.perf_counter() >= start, time.perf_counter_ns() >= first
    return later, since, passed, 0.0 <= random.random() < 1.0


def waited(seconds: float):
    time.sleep(seconds)
    return seconds


def words(text: str):
    return string.capwords(text), string.capwords(text, "-"), string.ascii_lowercase, string.digits


def estimate(n: int):
    random.seed(42)
    inside = 0
    for _ in range(n):
        x, y = random.random(), random.random()
        if x * x + y * y <= 1.0:
            inside += 1
    return 4.0 * inside / n


class Dice:
    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.total = 0

    def roll(self):
        found = self.rng.randint(1, 6)
        self.total += found
        return found


def rolls(rng, count: int):
    return [rng.randint(1, 6) for _ in range(count)]


def first_of(seed: int | None = None, rng: random.Random | None = None):
    if rng is None:
        rng = random.Random(seed)
    return rng.random()


def own_generators(seed: int):
    rng = random.Random(seed)
    xs = list(range(10))
    rng.shuffle(xs)
    several = [random.Random(i) for i in range(3)]
    named = dict(enumerate(several))
    dice = Dice(seed)
    drawn = rng.random(), rng.randrange(5), rng.choice(xs), rng.sample(xs, 3), rng.uniform(1, 2)
    normal = rng.gauss(0, 1), rng.gauss(0, 1), rng.normalvariate(0, 1), rng.expovariate(2.0)
    skewed = rng.gammavariate(2.0, 3.0), rng.betavariate(1.0, 1.0), rng.vonmisesvariate(0, 0)
    others = (
        skewed,
        rng.choices("abc", [1, 2, 3], k=2),
        rng.getrandbits(10),
        rng.triangular(0, 1, 0.5),
    )
    rng.seed(seed)
    again = rng.random() == random.Random(seed).random(), first_of(3), first_of(rng=rng)
    found = [r.random() for r in several], named[1].random(), isinstance(rng, random.Random)
    kinds = random.Random(1.5).random(), random.Random(True).random(), random.Random().random() < 1
    ordered = sorted(xs, key=lambda _: rng.random()), rolls(rng, 2)
    return xs, drawn, normal, others, again, found, kinds, [dice.roll() for _ in range(9)], ordered


def given_generators(rng, maybe: random.Random | None, several: list[random.Random]):
    found = [rng.random(), rng.gauss(0, 1)]
    if maybe is not None:
        found.append(maybe.random())
    found += [r.random() for r in several]
    try:
        rng.choice(found[:0])
    except IndexError as error:
        return found, str(error)
    return found, ""


def or_its_own(seed: int, rng: random.Random | None = None):
    rng = rng or random.Random(seed)
    return rng.random()


def made_where_there_is_none(seed):
    rng, other, asked = None, None, random.Random(seed)
    rng = rng or random.Random(seed)
    if not other:
        other = np.random.default_rng(seed)
    return rng.random(), other.random(), bool(asked), not other, 1 if asked and other else 2


CASES: list[Case] = [
    (no_gamma, [(0.0,)]),
    (or_its_own, [(3,), (3, None), (3, random.Random(4))]),
    (made_where_there_is_none, [(5,)]),
    (own_generators, [(42,), (-3,)]),
    (
        given_generators,
        [
            (random.Random(5), random.Random(1), [random.Random(1), random.Random(2)]),
            (random.Random(5), None, [random.Random(1)]),
        ],
    ),
    (numbers, [(0, 3), (12345678901234, 5), (-7, 1)]),
    (ints, [(1, 4), (99, 20)]),
    (chosen, [(5, ["a", "b", "c", "d"], 6), (6, [str(i) for i in range(50)], 40)]),
    (refused, [(kind,) for kind in range(10)]),
    (clocks, [()]),
    (waited, [(0.0,), (-1.0,)]),
    (words, [("the  quick brown-fox",), ("",)]),
    (estimate, [(1000,)]),
]
