"""Whether a value is this function: of fields, lists, dicts and what may be None."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import math

from tests.programs import Case


def relu(z):
    return z if z > 0 else 0.0


def identity(z):
    return z


half = lambda z: z / 2  # noqa: E731
ACTIVATIONS = {"relu": relu, "identity": identity}


class Layer:
    def __init__(self, act):
        self.act = act

    def slope(self, z):
        if self.act is relu:
            return float(z > 0)
        return 1.0 if self.act == identity else 0.5


def of_fields(z):
    layers = [Layer(relu), Layer(identity), Layer(half)]
    first = [layers[0].act is layer.act for layer in layers]
    return [layer.slope(z) for layer in layers], first, [x.act is not math.sin for x in layers]


def of_one(z):
    layer = Layer(relu)
    return layer.slope(z), layer.act is relu, layer.act == identity


def beside_none(n):
    one = relu if n > 1 else None
    other = relu if n > 2 else identity
    absent = relu if n > 3 else None
    same = one is other, one == other, one != other, one is absent
    return same, one is relu, other is identity, other in (relu, identity), absent is None


def of_tables(n):
    functions = [relu, identity, math.sin, math.cos]
    named = [name for name, f in ACTIVATIONS.items() if f is identity]
    return [f is math.sin for f in functions], named, functions[n] is functions[2]


NAMES = {relu: "relu", math.sin: "sin", abs: "abs"}


class Hooks:
    def __init__(self):
        self.named = {}

    def on(self, function, name):
        self.named[function] = name

    def run(self, z):
        return [(name, function(z)) for function, name in self.named.items()]


def as_keys(z):
    hooks = Hooks()
    hooks.on(relu, "first")
    hooks.on(identity, "second")
    hooks.on(relu, "again")
    counts = {}
    for i in range(5):
        f = relu if i % 3 else half
        counts[f] = counts.get(f, 0) + f(z + i)
    try:
        missing = counts[identity if z > 100 else relu]
    except KeyError:
        missing = None
    beside = {relu: 1, "a": 2, None: 3, (half, 1): 4}
    return hooks.run(z), list(counts.values()), missing, NAMES[abs], beside[half, 1], beside[relu]


def in_sets(n):
    seen = set()
    for f in (relu, half, relu, identity)[:n]:
        seen.add(f)
    return len(seen), relu in seen, identity in seen, sorted(f(3.0) for f in seen)


def unknown_key(n):
    table = {relu: 1, half: 2}
    f = relu if n else half
    del table[relu]
    try:
        return table[f]
    except KeyError:
        return None


CASES: list[Case] = [
    (as_keys, [(2.0,), (-1.0,)]),
    (in_sets, [(n,) for n in range(5)]),
    (unknown_key, [(0,), (1,)]),
    (of_fields, [(1.5,), (-1.5,)]),
    (of_one, [(2.0,)]),
    (beside_none, [(0,), (2,), (3,), (4,)]),
    (of_tables, [(2,), (-1,)]),
]
