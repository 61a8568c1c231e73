"""Lists and dicts that are declared to hold floats, and are given those of NumPy, too."""

# pyright: basic

from dataclasses import dataclass, field

import numpy as np

from tests.programs import Case


def history(x: np.ndarray, steps: int):
    losses: list[float] = []
    parts: dict[str, list[float]] = {"train": [], "test": []}
    late: list[bool] = []
    places: list[int] = []
    for step in range(steps):
        losses.append(x.mean() / (step + 1))
        parts["train"].append(x[step])
        late.append(x[step] > 1)
        places.append(step)
    return losses, parts, late, places


def means(rows: list[np.ndarray]) -> list[float]:
    return [row.mean() for row in rows]


def mean(xs: list[float]) -> float:
    return sum(xs) / len(xs)


def passed_on(x: np.ndarray):
    found: list[float] = [np.max(x + i) for i in range(2)]
    plain: list[float] = [1.5, 2.0]
    rows = means([x, x[1:]])
    return found, rows, mean(rows), mean(found), mean(plain), 1 / mean(plain)


def best(x: np.ndarray) -> tuple[list[float], dict[str, float]]:
    out: list[float] = []
    out.append(np.max(x))
    return out, {"max": out[0]}


def stored(x: np.ndarray):
    values: list[float] = [1.0, 2.0]
    values[0] = x[0]
    values += [x[1]]
    values.extend([x[1], x[0]])
    values.insert(0, x[1])
    table: dict[tuple[int, int], float] = {}
    for i in range(2):
        table[i, i] = x[i]
        table[i, -1] = x[i] + 1
    named: dict[str, float] = {}
    named["a"] = x[0]
    named.setdefault("b", x[1])
    named.update({"c": x[1]})
    return values[1:2] + values[3:], table, named, best(x)


class Fitted:
    scores: list[float]
    late: dict[str, float]

    def __init__(self, x: np.ndarray):
        self.x = x
        self.losses: list[float] = []
        self.scores = []
        self.plain: list[float] = [0.5]

    def fit(self, steps: int):
        self.late = {}
        self.errors: list[float] = []
        for i in range(steps):
            self.losses.append(self.x.mean() / (i + 1))
            self.scores.append(np.max(self.x))
            self.late[f"step {i}"] = self.x[i]
            self.errors.append(self.x[0] - i)
            self.plain.append(0.25 * i)
        return self


class Mean:
    value: float
    count: int

    def __init__(self, x: np.ndarray):
        self.value = 0.5
        self.count = 0
        self.x = x

    def fit(self):
        self.value = self.x.mean()
        self.count = len(self.x)
        return self


def numbers(x: np.ndarray):
    """A declared number stays one of Python, whatever is stored in it."""
    mean, other = Mean(x).fit(), Mean(x)
    shown = f"{mean.value!r}".replace("np.float64(", "").replace(")", "")
    return shown, f"{other.value!r}", mean.count


@dataclass
class Record:
    x: np.ndarray
    values: list[float] = field(default_factory=list)

    def add(self):
        for v in self.x:
            self.values.append(v * 2)
        return self


def fields(x: np.ndarray, steps: int):
    fitted = Fitted(x).fit(steps)
    record = Record(x).add()
    return fitted.losses, fitted.scores, fitted.late, fitted.errors, fitted.plain, record.values


X = np.array([0.5, 2.5, -1.0])
CASES: list[Case] = [
    (history, [(X, 3), (X, 0)]),
    (passed_on, [(X,)]),
    (stored, [(X,)]),
    (fields, [(X, 3), (X, 0)]),
    (numbers, [(X,)]),
]
