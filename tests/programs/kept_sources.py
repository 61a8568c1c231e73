"""Generators of random numbers as fields of objects, and fields that calls leave as they are."""

# Variables that may be None are what some of these programs are about.
# pyright: basic, reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportArgumentType=false, reportCallIssue=false

import numpy as np

from tests.programs import Case


class Sampler:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.count = 0

    def draw(self):
        self.count += 1
        return self.rng.random()

    def many(self, size):
        return self.rng.standard_normal(size)


class Mixed:
    def __init__(self, rng):
        self.rng = rng
        self.other = None

    def draw(self):
        if self.other is None:
            self.other = np.random.default_rng(3)
        return self.rng.integers(10) + self.other.integers(10)


class Clusters:
    """Points of several groups: what `fit` finds is None before."""

    def __init__(self, count, rounds):
        self.count = count
        self.rounds = rounds
        self.centers = None
        self.labels = None

    def fit(self, x):
        self.centers = x[: self.count].copy()
        for _ in range(self.rounds):
            distances = ((x[:, None, :] - self.centers[None, :, :]) ** 2).sum(axis=2)
            self.labels = np.argmin(distances, axis=1)
            for k in range(self.count):
                members = x[self.labels == k]
                if len(members) > 0:
                    self.centers[k] = members.mean(axis=0)
        return self

    def members(self, x, k):
        return x[self.labels == k]

    def forget(self):
        self.labels = None


def draws(seed):
    sampler = Sampler(seed)
    return sampler.draw() + sampler.draw(), sampler.many(3), sampler.count


def shuffled(seed):
    sampler = Sampler(seed)
    x = np.arange(10)
    sampler.rng.shuffle(x)
    return x, sampler.rng.permutation(5), sampler.rng.choice(x, 3)


def of_a_field(seed):
    sampler = Sampler(seed)
    sampler.rng.random()
    return sampler.rng.random()


def one_or_none(seed):
    mixed = Mixed(np.random.default_rng(seed))
    return [mixed.draw() for _ in range(4)]


def of_many(seed):
    samplers = [Sampler(seed + i) for i in range(12)]
    return [sampler.draw() for sampler in samplers for _ in range(2)]


def wrong(seed, scale):
    return Sampler(seed).rng.normal(0.0, scale)


def yielded(seed):
    def numbers(rng):
        while True:
            yield rng.random()

    kept = numbers(np.random.default_rng(seed))
    return [next(kept), next(kept)]


def captured(seed):
    rng = np.random.default_rng(seed)

    def roll():
        return rng.integers(1, 7)

    functions = [roll, lambda: rng.integers(100)]
    return [f() for f in functions]


def fitted(x, count, rounds):
    found = Clusters(count, rounds).fit(x)
    return found.labels, np.round(found.centers, 8), found.members(x, 0)


def not_fitted(x, fits):
    found = Clusters(2, 3)
    if fits:
        found.fit(x)
    return np.round(found.centers, 8) + x[0]


def kept_by_calls(x):
    found = Clusters(2, 1).fit(x)
    if found.labels is None:
        return 0
    total = np.sum(x) + len(found.members(x, 1))
    return found.labels[0] + total


def forgotten_by_calls(x):
    found = Clusters(2, 1).fit(x)
    if found.labels is None:
        return 0
    found.forget()
    return 1 if found.labels is None else 2


SEEDS = [(0,), (7,)]
X = np.random.default_rng(0).random((20, 2))
CASES: list[Case] = [
    (draws, SEEDS),
    (shuffled, SEEDS),
    (of_a_field, SEEDS),
    (one_or_none, SEEDS),
    (of_many, SEEDS),
    (wrong, [(1, 1.0), (1, -1.0)]),
    (yielded, SEEDS),
    (captured, SEEDS),
    (fitted, [(X, 3, 4), (X, 1, 1)]),
    (not_fitted, [(X, True), (X, False)]),
    (kept_by_calls, [(X,)]),
    (forgotten_by_calls, [(X,)]),
]
