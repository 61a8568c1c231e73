"""An update in place of a part of an array stores nothing back where nobody can tell."""

import numpy as np
import pytest

from scriptc import script
from tests.support.live_source import live_module

PROGRAM = """\
import numpy as np


class Moving:
    def __init__(self, n):
        self.n = n

    @property
    def rows(self):
        self.n += 1
        return self.n


def update(x, y, t):
    moving = Moving(t)
    x[1:] += {}
    return x, moving.n
"""


@pytest.mark.parametrize(
    ("value", "stores"),
    [
        ("y[:-1]", 1),
        ("np.exp(y[1:, ::-1]) * np.pi", 1),
        ("np.sum(y, axis=0)", 1),
        ("y.sum(axis=-1, keepdims=True)[1:]", 1),
        ("np.where(y[1:] > 0, y[1:], -1.0) if t < 5 else y[1:]", 1),
        ("y.sum() * moving.rows", 2),
    ],
)
def test_what_is_stored_back(value: str, stores: int) -> None:
    plain = vars(live_module(PROGRAM.format(value), f"update of {value}.py"))["update"]
    update = script(plain)
    x = np.arange(12.0).reshape(3, 4)
    found, want = update(x.copy(), x, 1), plain(x.copy(), x, 1)
    assert np.array_equal(found[0], want[0])
    assert found[1] == want[1]
    assert update.dump("ir").count("assign ") == stores
