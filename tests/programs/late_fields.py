"""Fields that methods set and `__init__` does not; objects of several classes that are called."""

# Fields without annotation are what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


class Linear:
    def __init__(self, inputs, outputs, rng):
        self.weights = rng.standard_normal((inputs, outputs)) * np.sqrt(2 / inputs)
        self.bias = np.zeros(outputs)

    def __call__(self, x):
        self.x = x
        return x @ self.weights + self.bias

    def backward(self, g):
        self.of_weights = self.x.T @ g
        self.of_bias = g.sum(axis=0)
        return g @ self.weights.T


class ReLU:
    def __call__(self, x):
        self.mask = x > 0
        return np.where(self.mask, x, 0.0)

    def backward(self, g):
        return g * self.mask


class Network:
    def __init__(self, sizes, seed=0):
        rng = np.random.default_rng(seed)
        self.layers = []
        for i in range(len(sizes) - 1):
            self.layers.append(Linear(sizes[i], sizes[i + 1], rng))
            if i < len(sizes) - 2:
                self.layers.append(ReLU())

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def network(x):
    whole = Network([2, 4, 1])
    out = whole(x)
    g = np.ones_like(out)
    for layer in reversed(whole.layers):
        g = layer.backward(g)
    return out, g


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        self.x = x
        self.calls = []
        self.calls.append(x)
        return x * self.factor

    def gradient(self, g):
        return g * self.x, len(self.calls)


def scaled(x, is_called):
    scale = Scale(3.0)
    if is_called:
        scale(x)
    return scale.gradient(2.0)


class Base:
    def prepare(self):
        self.is_ready = True
        return self


class Derived(Base):
    def __init__(self):
        self.count = 1

    def go(self):
        self.prepare()
        return self.is_ready


class Plain(Base):
    pass


def inherited():
    return Derived().go(), Plain().prepare().is_ready


class Ordered:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return self.value < other.value


def ordered(xs):
    found = [Ordered(x) for x in xs]
    values = [item.value for item in sorted(found, reverse=True)]
    found.sort()
    return values, [item.value for item in found]


def rest_of_lists():
    rows = [[1], [2, 3], []]
    first, *rest = rows
    rest.append([4])
    first.append(9)
    rest[0].append(7)
    return rows, first, rest


class Classes:
    def fit(self, x, y):
        self.stats = {}
        self.order = []
        for label in np.unique(y):
            self.stats[int(label)] = (x[y == label].mean(axis=0), len(x))
            self.order.append(int(label))
        return self

    def nearest(self, row):
        best = None
        for label, (mean, _) in self.stats.items():
            distance = float(np.sum((row - mean) ** 2))
            if best is None or distance < best[0]:
                best = distance, label
        return best


def classes(x, y):
    model = Classes().fit(x, y)
    nearest = [model.nearest(row) for row in x]
    return [found[1] for found in nearest if found is not None], model.order


class Model:
    losses: list[float]
    name: str
    rounds: int

    def __init__(self, k):
        self.k = k

    def fit(self, xs):
        self.losses = []
        self.rounds = 0
        for x in xs:
            self.losses.append(x * self.k)
            self.rounds += 1
        return self

    def rename(self, name):
        self.name = name


class Started(Model):
    def __init__(self, k):
        super().__init__(k)
        self.rounds = 5

    def more(self):
        self.rounds += 1
        return self.rounds


class Unset:
    def __init__(self, k):
        self.k = k

    def fit(self, x):
        self.found = x + self.k


class Above(Unset):
    def __init__(self, k):
        super().__init__(k)
        self.n = 5


def told_in_class(xs: list[float], named):
    model, started, above = Model(2), Started(3), Above(4)
    if named:
        model.rename("m")
    first = started.rounds
    above.fit(len(xs))
    model.fit(xs)
    started.fit(xs)
    found = model.losses, model.rounds, first, started.more(), started.losses, above.found
    return found, model.name, started.k


class Gauge:
    """Declares what its methods set."""

    level: float
    name: str

    def fill(self, level):
        self.level = level
        return self

    def show(self):
        return f"{self.name} {self.level}"


def declared_alone(named):
    gauge = Gauge()
    try:
        gauge.show()
    except AttributeError as error:
        said = str(error)
    if named:
        gauge.name = "tank"
    gauge.fill(2.5)
    try:
        return said, gauge.level, gauge.show()
    except AttributeError as error:
        return said, gauge.level, str(error)


X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
CASES: list[Case] = [
    (network, [(X,)]),
    (scaled, [(2.0, True), (2.0, False)]),
    (inherited, [()]),
    (ordered, [([3, 1, 2, 1],), ([5],)]),
    (rest_of_lists, [()]),
    (told_in_class, [([1.5, 2.5], True), ([], True), ([1.5], False)]),
    (classes, [(X, np.array([1, 0, 1]))]),
    (declared_alone, [(True,), (False,)]),
]
