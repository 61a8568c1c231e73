"""Tables whose columns are arrays of ints and of floats, in one dict or list."""

# pyright: basic

import numpy as np

from tests.programs import Case


def table(n: int):
    return {"a": np.arange(n), "b": np.linspace(0.0, 1.0, n)}


def as_lists(n: int):
    columns = table(n)
    texts = [f"{name} {column.tolist()} {column.sum()}" for name, column in columns.items()]
    rows = list(zip(*[column.tolist() for column in columns.values()], strict=True))
    return texts, rows


def looped_over(n: int):
    columns, found = table(n), ""
    for name in columns:
        for value in columns[name]:
            if value > 1:
                break
            found += f"{value:.2f} "
        else:
            found += name
    total = 0.0
    for column in columns.values():
        for i, value in enumerate(column):
            total += i * value
    return found, total, [str(value) for column in columns.values() for value in column]


def picked(n: int):
    columns = table(n)
    mask, order = columns["b"] > 0.3, np.argsort(-columns["b"])
    kept = {name: column[mask] for name, column in columns.items()}
    ordered = {name: column[order] for name, column in columns.items()}
    columns["c"] = columns["a"] + 1
    rows = [{name: column[i] for name, column in columns.items()} for i in range(n)]
    return str(kept), str(ordered), str(rows), str(columns["a"] * columns["b"])


def of_a_list(n: int):
    columns = [np.arange(1, n + 2), np.arange(n + 1) / 2]
    return [f"{column.mean()} {column.max()} {column[0]}" for column in columns]


CASES: list[Case] = [(f, [(4,), (1,)]) for f in (as_lists, looped_over, picked, of_a_list)]
