"""Random numbers: every number is NumPy's, and generators are left where NumPy leaves them."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

BITS = [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64, np.random.PCG64DXSM]


def generators():
    return [np.random.Generator(bits(17)) for bits in BITS]


def scalars(rng, n):
    total, count = 0.0, 0
    for i in range(n):
        total += rng.random() + 2.0 * rng.standard_normal() + rng.standard_exponential()
        total -= rng.normal(1.0, 0.5) * rng.uniform(-1.0, i + 1.0) + rng.exponential(2.0)
        count += rng.integers(10) + rng.integers(-3, i, endpoint=True) + rng.poisson(i)
    return total, count


def continuous(rng, a, b):
    one = rng.standard_gamma(a), rng.gamma(a, b), rng.beta(a, b), rng.chisquare(a)
    two = rng.noncentral_chisquare(a, b), rng.f(a, b), rng.noncentral_f(a, b, 1.5)
    three = rng.standard_cauchy(), rng.standard_t(a), rng.vonmises(a, b), rng.pareto(a)
    four = rng.weibull(a), rng.power(a), rng.laplace(a, b), rng.gumbel(a, b), rng.logistic(a, b)
    five = rng.lognormal(a, b), rng.rayleigh(b), rng.wald(a, b), rng.triangular(-a, 0.0, b)
    return one, two, three, four, five


def discrete(rng, n, p):
    first = rng.binomial(n, p), rng.negative_binomial(n, p), rng.poisson(n * p), rng.geometric(p)
    return first, rng.zipf(1 + p), rng.logseries(p), rng.hypergeometric(n, n, n // 2)


def arrays(rng, n):
    first = rng.random(n), rng.random((n, 2)), rng.standard_normal(size=(2, 1, n))
    second = rng.standard_exponential((n,)), rng.normal(3.0, 0.5, (n, n)), rng.random(())
    third = rng.uniform(-2, 3, n), rng.gamma(2.5, size=[n, 2]), rng.exponential(size=n)
    fourth = rng.poisson(4.5, n), rng.binomial(20, 0.25, (n, 3)), rng.triangular(0, 1, 3, size=n)
    return first, second, third, fourth


def single(rng, n):
    drawn = rng.random(dtype=np.float32), rng.standard_normal(None, np.float32)
    more = rng.standard_exponential(dtype=np.float32), rng.standard_gamma(0.75, dtype="f4")
    arrays = rng.random((n, 3), np.float32), rng.standard_normal(n, dtype=np.float32)
    return drawn, more, arrays, rng.standard_gamma(1.5, n, np.float32)


def integers(rng, n, low, high):
    wide = rng.integers(low, high, n), rng.integers(low, high, (n, 2), np.int64, endpoint=True)
    half = rng.integers(low, high, n, dtype=np.int32), rng.integers(high, size=n, dtype=np.uint32)
    short = rng.integers(low, high, n, np.int16), rng.integers(high, size=n, dtype=np.uint16)
    byte = rng.integers(low, high, (n, n), np.int8), rng.integers(high, size=n, dtype=np.uint8)
    bits = rng.integers(2, size=n, dtype=bool), rng.integers(0, 1, endpoint=True, dtype=np.bool_)
    one = rng.integers(high), rng.integers(high, dtype=int), rng.integers(high, dtype=np.uint8)
    return wide, half, short, byte, bits, one, rng.integers(high, dtype=np.uint64)


def whole_range(rng, n, least, greatest):
    signed = rng.integers(least, greatest, n, endpoint=True), rng.integers(least, greatest, n)
    return signed, rng.integers(0, 4294967296, n, np.uint32), rng.integers(-128, 128, n, np.int8)


def made(seed, n):
    rng = np.random.default_rng(seed)
    same = np.random.default_rng(rng)
    x, y = rng.random(n), same.random(n)
    other = np.random.Generator(np.random.MT19937(seed))
    state = np.random.RandomState(seed)
    return x, y, other.normal(size=n), state.rand(n), state.randn(n), rng


def added(rng: np.random.Generator, x):
    return x + rng.normal(0.0, 1.0, x.shape)


def two_of_them(first, second, n):
    total = 0.0
    for _ in range(n):
        total += first.random() - second.random()
    return total, second.integers(100, size=n)


def walk(rng, n):
    place = np.zeros(2)
    path = np.empty((n, 2))
    for i in range(n):
        place += rng.standard_normal(2)
        if rng.random() < 0.125:
            place[:] = 0.0
        path[i] = place
    return path


def estimated(rng, n):
    inside = 0
    for _ in range(n):
        x, y = rng.random(), rng.random()
        inside += x * x + y * y <= 1.0
    return 4.0 * inside / n


def nobody_looks(rng, n):
    rng.random()
    rng.normal(size=n)
    for _ in range(n):
        rng.integers(7)


def maybe(n, rng=None):
    if rng is None:
        rng = np.random.default_rng(3)
    return rng.random(n)


def helper(rng, n):
    return rng.normal() if n == 0 else helper(rng, n - 1) + rng.random()


def passed_on(rng, n):
    return helper(rng, n), rng.random()


def handled(rng, scale):
    try:
        x = rng.normal(0.0, scale)
    except ValueError:
        x = rng.random()
    return x, rng.random()


def older(state, n):
    total = 0.0
    for _ in range(n):
        total += state.rand() + state.randn() + state.random_sample() + state.uniform(1.0, 2.0)
        total += state.normal(1.0, 0.5) + state.standard_normal() + state.randint(3, 9)
    x = state.rand(n, 2), state.randn(n), state.random_sample((n,)), state.uniform(size=n)
    y = state.normal(2.0, 0.5, (n, 3)), state.standard_normal(n), state.randint(100, size=n)
    return total, x, y, state.randint(0, 256, n, np.uint8), state.random(n)


def older_kinds(state, n, a):
    one = state.exponential(), state.standard_exponential(), state.lognormal(0.5, 0.25)
    two = state.poisson(3.5), state.laplace(a, 2.0), state.gumbel(a), state.logistic(a, 0.5)
    many = state.exponential(2.0, n), state.standard_exponential((n, 2)), state.poisson(25, n)
    more = state.lognormal(size=n), state.laplace(size=n), state.gumbel(size=n)
    return one, two, many, more, state.triangular(-1.0, a, 4.0, n), state.logistic(size=n)


def old_kinds_of_the_process(n):
    np.random.seed(n)
    x = np.random.exponential(3.0, n), np.random.poisson(2.0, n), np.random.lognormal()
    return x, np.random.exponential(np.array([1.0, 2.0])), np.random.standard_exponential()


def old_exponential_of(state, scale):
    return state.exponential(scale), state.poisson(scale), state.lognormal(0.0, scale)


def of_the_process(seed, n):
    np.random.seed(seed)
    x = np.random.rand(n), np.random.randn(n, 2), np.random.random(n), np.random.rand()
    y = np.random.normal(1.0, 2.0, n), np.random.uniform(0, 9, (n,)), np.random.randint(0, 9, n)
    return x, y, np.random.random_sample(n), np.random.randn(), np.random.ranf(n)


def seeded_again(state, seed):
    x = state.randn()
    state.seed(seed)
    return x, state.randn(), state.randn()


def each_its_own(rng, x, y):
    first = rng.normal(x, 1.0), rng.normal(x, y), rng.uniform(x, y + 5), rng.exponential(y)
    second = rng.normal(0.0, y, (2, 3)), rng.normal(x[:, None], y), rng.gamma(y, 2.0)
    return first, second, rng.standard_gamma(y, dtype=np.float32), rng.triangular(-y, 0, y)


def each_its_count(rng, n, p):
    first = rng.binomial(n, p), rng.binomial(10, p), rng.binomial(n, 0.25), rng.poisson(p * 4)
    second = rng.geometric(p), rng.negative_binomial(n + 1, p), rng.hypergeometric(n + 5, n, 3)
    third = rng.integers(n), rng.integers(-n, n, endpoint=True), rng.integers(n, size=(2, 3))
    return first, second, third, rng.integers(-n[:, None], n + 1, dtype=np.int32)


def each_of_older(state, x, y):
    return state.normal(x, y), state.uniform(x, x + y), state.randint(0, np.arange(3) + 1)


def one_in_two(rng, a):
    x = np.zeros(len(a))
    for i in range(len(a)):
        x[i] = rng.random() if a[i] > 0 else 0.5
        if a[i] < 1 and rng.random() < 0.5:
            x[i] += rng.normal()
    return x


def until(rng, n):
    count = 0
    while rng.random() < 0.75 and count < n:
        count += 1
    return count


def flipped(rng, spins, rounds):
    n, m = spins.shape
    for _ in range(rounds):
        for i in range(n):
            for j in range(m):
                around = spins[i - 1, j] + spins[(i + 1) % n, j] + spins[i, j - 1]
                energy = 2 * spins[i, j] * (around + spins[i, (j + 1) % m])
                if energy <= 0 or rng.random() < 0.0625 * energy:
                    spins[i, j] = -spins[i, j]


def in_order(rng, n):
    x, y = np.arange(n), np.arange(3.0 * n).reshape(n, 3)
    rng.shuffle(x)
    rng.shuffle(y)
    rng.shuffle(x[::2])
    return x, y, rng.permutation(n), rng.permutation(x), rng.permutation(y[:, ::-1]), rng.random()


def along_axes(rng, a):
    b = a.copy()
    rng.shuffle(b, axis=1)
    return b, rng.permutation(a, axis=1), rng.permutation(b, axis=-1)


def choices(rng, a):
    one = rng.choice(a), rng.choice(a, 5), rng.choice(a, (2, 3)), rng.choice(a, ())
    return one, rng.choice(a, 3, replace=False), rng.choice(a, (2, 2), False), rng.random()


def of_few(rng, n):
    total = 0
    for _ in range(n):
        total += rng.choice(7) + rng.choice([4, 5, 6])
    return total, rng.choice(n, size=n, replace=False)


def weighted(rng, a, p):
    one = rng.choice(a, p=p), rng.choice(a, 6, p=p)
    return one, rng.choice(a, 2, replace=False, p=p), rng.random()


def many_of(rng, n, count):
    return rng.choice(n, count, replace=False), rng.choice(n, count, False, shuffle=False)


def in_order_of_the_process(n):
    np.random.seed(n)
    x = np.arange(n)
    np.random.shuffle(x)
    return x, np.random.permutation(n), np.random.choice(n), np.random.choice(x, 3, False)


def bad_seed(seed):
    return np.random.default_rng(seed).random()


def bad_old_seed(seed):
    np.random.seed(seed)
    return np.random.rand()


def normal_of(rng, loc, scale):
    return rng.normal(loc, scale), rng.normal(loc, scale, 3)


def uniform_of(rng, low, high):
    return rng.uniform(low, high), rng.uniform(low, high, 2)


def poisson_of(rng, lam):
    return rng.poisson(lam), rng.poisson(lam, 3)


def uniform_of_each(rng, low, high):
    return rng.uniform(low, high)


def poisson_of_each(rng, lam):
    return rng.poisson(lam)


def binomial_of_each(rng, n, p):
    return rng.binomial(n, p)


def bounds_of_each(rng, low, high):
    return rng.integers(low, high)


def binomial_of(rng, n, p):
    return rng.binomial(n, p), rng.binomial(n, p, 3)


def beta_of(rng, a, b):
    return rng.beta(a, b), rng.gamma(a, b), rng.wald(a, b)


def geometric_of(rng, p):
    return rng.geometric(p), rng.logseries(p), rng.zipf(p + 1)


def failures_of(rng, n, p):
    return rng.negative_binomial(n, p)


def triangle_of(rng, left, mode, right):
    return rng.triangular(left, mode, right, 2)


def urn_of(rng, good, bad, taken):
    return rng.hypergeometric(good, bad, taken)


def bounded_by(rng, low, high, n):
    return rng.integers(low, high, n), rng.integers(low, high, n, endpoint=True)


def bytes_by(rng, low, high, n):
    return rng.integers(low, high, n, np.int8)


def old_uniform_of(state, low, high):
    return state.uniform(low, high), state.uniform(low, high, 2)


def old_bounded_by(state, low, high, n):
    return state.randint(low, high), state.randint(low, high, n)


def sized(rng, n):
    return rng.normal(size=n), rng.random((n, 2))


PCG, MT, PHILOX, SFC, DXSM = generators()
OLD = np.random.RandomState(11)
NAN, INF = float("nan"), float("inf")
LINE = np.array([1.5, -2.0, 0.25, 7.0])
CHANCES = np.array([0.125, 0.5, 0.25, 0.125])
COUNTS = np.array([3, 100, 50])
BAD_COUNTS = (
    ((1, 2), (0.0, 3.0)),
    ((-1, 1), (0.5, 0.5)),
    ((-1, 1), (0.5, NAN)),
    ((1, 2), (1.0, 0.5)),
)
BAD_BOUNDS = (((1, 2), (0, 3)), ((0, 0), (5, 0)), ((0, 1), (5, 0)), ((0, 1), (5, 9)))
SINGLE = np.array([0.1, 0.2, 0.3, 0.4], np.float32)
BAD_CHANCES = (CHANCES * 1.5, CHANCES - 0.25, CHANCES * np.nan, CHANCES[:3], CHANCES == 0.5)


def lists_in_another_order(seed, n):
    rng, older = np.random.default_rng(seed), np.random.RandomState(seed)
    pairs = [(i, str(i)) for i in range(n)]
    rng.shuffle(pairs)
    rows = [[i] * i for i in range(n)]
    older.shuffle(rows)
    same = rows[-1]
    same.append(7)
    return pairs, rows, rng.random(), older.random_sample()


def normal_vectors(bits, mean, cov):
    rng = np.random.default_rng(np.random.PCG64(bits))
    by_svd = rng.multivariate_normal(mean, cov, size=(2, 2))
    others = [
        rng.multivariate_normal(mean, cov, 3, method="cholesky"),
        rng.multivariate_normal(mean, cov, method="eigh"),
    ]
    old = np.random.RandomState(bits).multivariate_normal(mean, cov, 2)
    # Products of matrices add in another order.
    return np.round(by_svd, 9), [np.round(x, 9) for x in others], np.round(old, 9), rng.random()


CASES: list[Case] = [
    (
        normal_vectors,
        [
            (3, np.array([1.0, 2.0]), np.array([[2.0, 0.5], [0.5, 1.0]])),
            (3, np.array([1, 2, 3]), np.diag([1.0, 2.0, 3.0])),
            (3, np.zeros(2), np.eye(3)),
            (3, np.zeros(2), np.ones((2, 3))),
        ],
    ),
    (lists_in_another_order, [(1, 7), (3, 2), (3, 1)]),
    (scalars, [(rng, 40) for rng in generators()]),
    (continuous, [(rng, 1.5, 2.25) for rng in generators()] + [(PCG, 0.25, 0.5)]),
    (discrete, [(rng, 12, 0.25) for rng in generators()] + [(PCG, 500, 0.625)]),
    (arrays, [(rng, 5) for rng in generators()] + [(PCG, 0)]),
    (single, [(rng, 7) for rng in generators()]),
    (integers, [(rng, 9, -5, 100) for rng in generators()] + [(SFC, 3, 0, 1), (PCG, 0, 9, 1)]),
    (whole_range, [(rng, 6, -(2**63), 2**63 - 1) for rng in (PCG, MT)]),
    (made, [(5, 4), (2**40, 3)]),
    (added, [(PCG, np.zeros((3, 2))), (MT, np.arange(4.0))]),
    (two_of_them, [(PCG, MT, 6), (PCG, PCG, 6)]),
    (walk, [(PCG, 50), (SFC, 0)]),
    (estimated, [(PCG, 1000)]),
    (nobody_looks, [(PCG, 3)]),
    (maybe, [(3, None), (3,), (3, PHILOX)]),
    (passed_on, [(PCG, 5)]),
    (handled, [(PCG, 1.5), (PCG, -1.5)]),
    (older, [(OLD, 6), (np.random.RandomState(np.random.PCG64(3)), 5)]),
    (older_kinds, [(OLD, 5, 0.5), (np.random.RandomState(np.random.SFC64(3)), 4, 1.0)]),
    (old_kinds_of_the_process, [(5,)]),
    (old_exponential_of, [(OLD, s) for s in (0.5, -0.5, NAN, 1e19)]),
    (of_the_process, [(3, 5), (4, 4)]),
    (seeded_again, [(OLD, 9), (OLD, -1)]),
    (one_in_two, [(PCG, LINE)]),
    (until, [(PCG, 50)]),
    (flipped, [(PCG, np.array([[1, -1, 1], [1, 1, -1]]), 4)]),
    (each_its_own, [(rng, LINE[:3], CHANCES[:3]) for rng in (PCG, MT)]),
    (each_its_count, [(rng, COUNTS, CHANCES[:3]) for rng in (PCG, MT)]),
    (each_of_older, [(OLD, LINE[:3], CHANCES[:3])]),
    (normal_of, [(PCG, 0.0, np.array(s)) for s in ((1, -1), (-0.0, 1), (NAN, 1, 2))]),
    (
        uniform_of_each,
        [(PCG, *map(np.array, b)) for b in (((1.0, 2), (0, 3)), ((0.0, 0), (1, INF)))],
    ),
    (poisson_of_each, [(PCG, np.array(a)) for a in ((1.0, -1), (1, NAN), (1e30, -1), (3.0, 4))]),
    (binomial_of_each, [(PCG, *map(np.array, b)) for b in BAD_COUNTS]),
    (failures_of, [(PCG, *map(np.array, b)) for b in (((1.0, 2), (0, 3)), ((NAN, 1), (0.5, 0.5)))]),
    (failures_of, [(PCG, np.array([1e20, 1.0]), 1e-9), (PCG, np.array([0.0, 1.0]), 0.5)]),
    (bounds_of_each, [(PCG, *map(np.array, b)) for b in BAD_BOUNDS]),
    (in_order, [(rng, 9) for rng in (PCG, MT, OLD)] + [(PCG, 0), (PCG, 1)]),
    (along_axes, [(PCG, np.arange(12).reshape(3, 4)), (MT, np.zeros((2, 0)))]),
    (choices, [(rng, 9) for rng in (PCG, MT, OLD)] + [(rng, LINE) for rng in (SFC, OLD)]),
    (choices, [(PCG, 0), (PCG, 2), (PCG, LINE[:0]), (PCG, LINE[:2]), (OLD, 0), (OLD, 2)]),
    (of_few, [(PCG, 6), (OLD, 6)]),
    (weighted, [(rng, 4, CHANCES) for rng in (PCG, OLD)] + [(PCG, LINE, CHANCES)]),
    (weighted, [(rng, 4, p) for rng in (PCG, OLD) for p in BAD_CHANCES]),
    (weighted, [(PCG, 4, SINGLE), (PCG, 5, CHANCES), (PCG, 4, [0.5, 0.25, 0.25, 0.0])]),
    (many_of, [(PCG, n, k) for n, k in ((20000, 100), (20000, 450), (50, 50), (9, 0), (9, 1))]),
    (in_order_of_the_process, [(9,)]),
    (bad_seed, [(-1,)]),
    (bad_old_seed, [(-1,), (2**32,)]),
    (normal_of, [(PCG, 0.0, s) for s in (1.0, -1.0, -0.0, 0.0, NAN, INF)] + [(PCG, NAN, 1.0)]),
    (
        uniform_of,
        [(PCG, *b) for b in ((2.0, 1.0), (1.0, 1.0), (0.0, INF), (NAN, 1.0), (-1e308, 1e308))],
    ),
    (poisson_of, [(PCG, lam) for lam in (0.0, -0.0, 25.0, -1.0, NAN, 1e19)]),
    (
        binomial_of,
        [(PCG, *b) for b in ((0, 0.5), (-1, 0.5), (10, -0.5), (10, 1.5), (9, NAN), (9, 1.0))],
    ),
    (beta_of, [(PCG, *b) for b in ((0.0, 1.0), (1.0, -1.0), (NAN, 1.0), (2.0, 3.0))]),
    (geometric_of, [(PCG, p) for p in (0.5, 0.0, 1.0, 1.5, NAN)]),
    (
        failures_of,
        [(PCG, *b) for b in ((0.0, 0.5), (NAN, 0.5), (3.5, 0.0), (1e30, 1e-9), (3.5, 0.5))],
    ),
    (
        triangle_of,
        [(PCG, *b) for b in ((0, 2, 1), (3, 2, 4), (1, 1, 1), (0, 1, 2), (0.5, 0.5, 1.5))],
    ),
    (urn_of, [(PCG, *b) for b in ((3, 4, 8), (-1, 4, 2), (10**9, 1, 1), (5, 6, 7))]),
    (
        bounded_by,
        [(PCG, *b, 3) for b in ((0, 0), (0, -2), (5, 5), (5, 4), (-3, 2))] + [(PCG, 5, 1, 0)],
    ),
    (bytes_by, [(PCG, *b, 3) for b in ((-129, 0), (0, 129), (-128, 128), (200, 100))]),
    (old_uniform_of, [(OLD, 2.0, 1.0), (OLD, 0.0, INF), (OLD, -1.5, 2.5)]),
    (old_bounded_by, [(OLD, 0, 5, 4), (OLD, 0, 0, 4), (OLD, 7, 3, 2), (OLD, -9, 2**40, 3)]),
    (sized, [(PCG, -1), (PCG, 4)]),
]
