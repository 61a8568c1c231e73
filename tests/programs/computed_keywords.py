"""`**` in front of dicts whose keys the run says: calls of functions, classes and methods."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportArgumentType=false

from dataclasses import dataclass

import numpy as np

from tests.programs import Case


def linear(x, w, b=1):
    return x * w + b


def named(x, *, scale, shift=0.5):
    return x * scale + shift


def of_function(d):
    return linear(3, **d)


def beside_names(d):
    return linear(w=2, **d), linear(2, **d)


def by_name_alone(d):
    return named(2, **d)


def of_layers(x, layers):
    for layer in layers:
        x = linear(x, **layer)
    return x


def of_arrays(x, n):
    layers = [{"w": np.ones((2, 2)) * k, "b": np.full((2, 2), 0.5)} for k in range(n)]
    for layer in layers:
        x = linear(x, **layer)
    return x


@dataclass
class Row:
    name: str
    kind: str = "plain"
    note: str | None = None


class Scaled:
    def __init__(self, scale, shift=0):
        self.scale = scale
        self.options = {"scale": scale, "shift": shift}

    def at(self, x, scale=1, shift=0):
        return self.scale, x * scale + shift

    def asked(self, x):
        return self.at(x, **self.options)


def of_classes(row):
    made = Row(**row)
    return made.name, made.kind, made.note, made == Row(*row.values())


def of_methods(x, n):
    return Scaled(n).asked(x), Scaled(**{"scale": n, "shift": x}).asked(x)


def in_order(d):
    said = []

    def told(value):
        said.append(value)
        return value

    def given():
        said.append(-1)
        return d

    try:
        said.append(linear(told(7), **given(), b=told(8)))
    except TypeError as error:
        return said, str(error)
    return said, ""


def as_dicts(d, n):
    more = {"z": n}
    return dict(**d), dict(d, **more), dict(d, w=n, **more), {**d, **more}


def as_text(d):
    return "{w} and {b:03d}".format(**d)


def of_several(d, n):
    found = linear if n else named
    try:
        return found(2, **d)
    except TypeError as error:
        return str(error)


def _pair(a, b=1):
    return a, b


def defaults_beside_floats(a, k):
    """A default that the dict has nothing for stays an int beside its floats."""
    d = {"a": a}
    if k:
        d["b"] = a
    return _pair(**d)


DICTS = [({"w": 2, "b": 3},), ({"w": 2},), ({"b": 2},), ({"w": 1, "c": 2},), ({"x": 1},), ({},)]


def merged_twice(given, others):
    found = [dict(others, **given)]
    try:
        found.append(dict(others, a=5, **given))
        found.append(dict(**given, a=5, b=7))
    except TypeError as error:
        return found, str(error)
    return found, ""


def of_receiver(given):
    try:
        return Scaled(1).at(**given)
    except TypeError as error:
        return str(error)


def market_report(**market):
    return sorted(market.items()), market.get("n", 0)


def forwarded(f):
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)

    return wrapper


@forwarded
def fitted(x, rate=0.1, steps=3, name="sgd"):
    return x * rate + steps, name


def written_once(flag: bool):
    """Dicts whose names are known, for functions that take any."""
    market = {"spot": 100.0, "vol": 2}
    options = {"rate": 0.5, "steps": 7, "name": "adam"}
    total = 0.0
    for i in range(3):
        again = {"rate": i * 0.5, "steps": i}
        total += fitted(2.0, **again)[0]
    if flag:
        short = {"rate": 1.5}
        total += fitted(1.0, **short)[0]
    first, second = market_report(**market), market_report(n=4, **market)
    return first, second, market["vol"], fitted(2.0, **options), options["name"], total


def written_in_order():
    log = []

    def note(value):
        log.append(value)
        return value

    options = {"rate": note(0.5), "steps": note(2)}
    return fitted(note(2.0), **options), log


def tuned(x, rate=0.1, steps=3):
    return x * rate + steps


def written_on_some_paths(n: int):
    """Dicts that may have no value where they are read, or that of an iteration before."""
    log = []
    total = 0.0
    for i in range(n):
        if i % 2 == 0:
            even = {"rate": 0.5, "steps": i}
        total += tuned(1.0, **even)
        try:
            parts = {"rate": 1.5 * i, "steps": 6 // (i - 1)}
        except ZeroDivisionError:
            log.append(tuned(1.0, **parts))
    return total, log, tuned(1.0, **even), even["steps"]


def written_without_a_key(n: int):
    options = {"rate": 2, "steps": n}
    try:
        return tuned(1, **options), options["name"]
    except KeyError as error:
        return tuned(2, **options), repr(error)


CASES: list[Case] = [
    (written_on_some_paths, [(1,), (3,), (0,)]),
    (written_without_a_key, [(1,)]),
    (written_once, [(True,), (False,)]),
    (written_in_order, [()]),
    (of_receiver, [({"x": 2},), ({"self": 1, "x": 2},)]),
    (merged_twice, [({"c": 1}, {"a": 2}), ({"b": 1}, {"a": 2}), ({"a": 1}, {"a": 2})]),
    (of_function, DICTS[:-1]),
    (beside_names, [({"b": 3},), ({"w": 3},), ({"x": 3},)]),
    (by_name_alone, [({"scale": 2.0},), ({"shift": 2.0},), ({"scale": 1.5, "shift": -0.0},)]),
    (of_layers, [(1, [{"w": 2, "b": 3}, {"b": 2, "w": 5}, {"w": 1}])]),
    (of_arrays, [(np.ones((2, 2)), 3)]),
    (of_classes, [({"name": "a", "kind": "b", "note": "c"},), ({"name": "a"},), ({"kind": "a"},)]),
    (of_methods, [(3, 2)]),
    (in_order, [({"w": 2},), ({"w": 2, "b": 1},), ({"c": 2},)]),
    (as_dicts, [({"w": 1, "b": 2}, 3)]),
    (of_several, [({"w": 1}, 1), ({"w": 1}, 0), ({"scale": 1, "shift": 2}, 0)]),
    (defaults_beside_floats, [(2.5, 0), (2.5, 1), (2, 0)]),
    (as_text, [({"w": 1, "b": 2},), ({"w": 1},)]),
]
