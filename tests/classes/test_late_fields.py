"""Fields of scripted classes that methods set and `__init__` does not, as in CPython."""

import copy
import pickle
from dataclasses import dataclass

import numpy as np
import pytest

from scriptc import ScriptError, load, save, script

# Types come from the calls, which is what these classes are about.
# pyright: basic, reportAttributeAccessIssue=false, reportOptionalMemberAccess=false

BACKENDS = pytest.mark.parametrize("backend", ["interp", "llvm"])
X = np.arange(6.0).reshape(3, 2)


class Scaler:
    def __init__(self, k=1):
        self.k = k

    def fit(self, X):
        self.mean_ = X.mean(axis=0)
        self.n_seen_ = len(X)
        self.names_ = [f"x{i}" for i in range(X.shape[1])]
        return self

    def transform(self, X):
        if not hasattr(self, "mean_"):
            raise RuntimeError("fit first")
        return X - self.mean_

    def blind(self, X):
        return (X - self.mean_).sum()

    def label(self):
        return getattr(self, "label_", "none")

    def set_label(self, text):
        self.label_ = text


def _outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error).__name__, str(error)


def _story(make):
    """Return what objects show at each step."""
    s, found = make(), []
    found.append((hasattr(s, "mean_"), _outcome(lambda: s.mean_), _outcome(s.transform, X)))
    found.append((s.label(), make(2).fit(X).transform(X).tolist()))
    t = make(2).fit(X)
    found.append((t.mean_.tolist(), t.n_seen_, list(t.names_), t.blind(X)))
    found.append((hasattr(s, "mean_"), _outcome(s.blind, X), _outcome(lambda: s.names_)))
    found.append((_outcome(s.transform, X), _outcome(lambda: s.n_seen_)))
    s.set_label("a")
    found.append((s.label(), t.label(), _outcome(lambda: t.label_)))
    u, v = copy.copy(s), copy.deepcopy(s)
    found.append((hasattr(u, "mean_"), u.label_, hasattr(v, "names_"), v.label_))
    found.append((v.fit(X).n_seen_, hasattr(s, "n_seen_")))
    s.mean_ = np.zeros(2)
    t.names_.append("z")
    found.append((s.blind(X), t.names_, getattr(make(), "n_seen_", 5)))
    return found


@BACKENDS
def test_they_are_attributes_from_when_they_are_set(backend: str) -> None:
    assert _story(script(backend=backend)(Scaler)) == _story(Scaler)


@BACKENDS
def test_those_of_a_base_are_those_of_its_heirs(backend: str) -> None:
    Base = script(backend=backend)(Scaler)

    @script(backend=backend)
    class Heir(Base):
        def fit(self, X):
            super().fit(X)
            self.extra_ = X.max()
            return self

    first, second = Heir(), Heir().fit(X)
    assert second.extra_ == 5.0
    assert second.n_seen_ == 3
    assert _outcome(lambda: first.extra_) == (
        "AttributeError",
        "'Heir' object has no attribute 'extra_'",
    )
    assert not hasattr(Base().fit(X), "extra_")
    assert _story(Heir)[1:3] == _story(Scaler)[1:3]


@script
class Kept:
    def __init__(self):
        self.k = 1

    def fit(self, x: float):
        self.found = x

    def result(self) -> float:
        return self.found


def test_a_pickle_leaves_them_unset() -> None:
    unset = pickle.loads(pickle.dumps(Kept()))
    kept = Kept()
    kept.fit(2.5)
    assert not hasattr(unset, "found")
    assert pickle.loads(pickle.dumps(kept)).found == 2.5
    with pytest.raises(AttributeError, match="'Kept' object has no attribute 'found'"):
        unset.result()


def test_a_file_holds_no_object_that_lacks_one(tmp_path) -> None:
    kept = Kept()
    with pytest.raises(ScriptError, match="the field 'found' of class Kept is not set"):
        save(kept, tmp_path / "kept.scriptc")
    kept.fit(2.5)
    save(kept, tmp_path / "kept.scriptc")
    assert load(tmp_path / "kept.scriptc").result() == 2.5


@BACKENDS
def test_they_are_never_none(backend: str) -> None:
    Scripted = script(backend=backend)(Scaler)
    made = Scripted().fit(X)
    with pytest.raises(TypeError, match="the field 'mean_' of Scaler cannot be None"):
        made.mean_ = None
    assert made.mean_.tolist() == [2.0, 3.0]


class Formula:
    def __init__(self, text):
        self.position = 0
        self.tokens = text.split()
        self.tree = self.total()

    def total(self):
        return self.chain(("+",), self.number)

    def chain(self, signs, part):
        left = part()
        while self.position < len(self.tokens) and self.tokens[self.position] in signs:
            self.position += 1
            left = left + part()
        return left

    def number(self):
        self.position += 1
        return int(self.tokens[self.position - 1])


@BACKENDS
def test_an_init_may_hand_its_object_on_before_it_has_all_fields(backend: str) -> None:
    Scripted = script(backend=backend)(Formula)
    made, other = Scripted("1 + 2 + 3"), Scripted("7")
    assert (made.tree, made.position, made.tokens) == (6, 5, ["1", "+", "2", "+", "3"])
    assert other.tree == 7
    with pytest.raises(ValueError, match="invalid literal"):
        Scripted("x")


class Position:
    def __init__(self, n):
        self.n = n
        self.pieces = {}

    def push(self, k):
        after = copy.copy(self)
        after.n += k
        return after

    def note(self, text):
        self.noted = text


@BACKENDS
def test_methods_copy_their_object_with_what_is_set(backend: str) -> None:
    first = script(backend=backend)(Position)(1)
    second = first.push(2)
    second.note("b")
    third = second.push(3)
    second.note("c")
    assert (first.n, second.n, third.n) == (1, 3, 6)
    assert (hasattr(first, "noted"), second.noted, third.noted) == (False, "c", "b")
    assert not hasattr(first.push(1), "noted")


def test_declared_fields_keep_their_places_when_others_are_set_late() -> None:
    class Model:
        n: list[int]

        def __init__(self):
            self.ok = False

        def fit(self, xs):
            self.n = [1]
            self.rows = [x for x in xs]
            self.m = 2
            return self

    model = script(Model)().fit([3])
    assert (model.n, model.ok, model.rows, model.m) == ([1], False, [3], 2)


class Bare:
    """Has no `__init__`, and fields that are computed of late ones."""

    scale = 2

    def fit(self, rows):
        self.rows = [row.split() for row in rows]
        self.counts = [len(row) for row in self.rows]
        self.words = [word for row in self.rows for word in row]
        self.most = max(self.counts) * self.scale
        return self

    def predict(self, k):
        return self.words[k], self.most

    def shown(self):
        return f"{self.scale} {self.counts[0]:>3} {self.words}"

    def longest(self):
        found = ""
        for word in self.words:
            if len(word) > len(found):
                found = word
        return found

    def tried(self):
        try:
            return str(self.most)
        except AttributeError as e:
            return str(e)


@dataclass
class Settings:
    rate: float = 0.5
    needs: tuple[str, ...] = ()

    def fit(self, xs):
        self.weights_ = [x * self.rate for x in xs]
        return self

    def needing(self, name):
        self.needs += (name,)
        return len(self.needs)


def _asked(made):
    """Return what methods give, or the AttributeErrors that they raise."""
    found = []
    for name, arguments in (("predict", (1,)), ("shown", ()), ("longest", ()), ("tried", ())):
        try:
            found.append(getattr(made, name)(*arguments))
        except AttributeError as e:
            found.append(str(e))
    return found


@BACKENDS
def test_a_class_without_init_has_them(backend: str) -> None:
    rows = ["a bb", "ccc"]
    cls = script(Bare, backend=backend)
    made = cls()
    assert _asked(made) == _asked(Bare())
    assert _asked(made.fit(rows)) == _asked(Bare().fit(rows))
    assert _asked(cls()) == _asked(Bare())
    assert (made.counts, made.rows) == ([2, 1], [["a", "bb"], ["ccc"]])


@BACKENDS
def test_a_dataclass_has_them(backend: str) -> None:
    cls = script(Settings, backend=backend)
    made = cls()
    assert repr(made) == "Settings(rate=0.5, needs=())"
    assert made.fit([1, 2.5]).weights_ == [0.5, 1.25]
    assert not hasattr(cls(), "weights_")


@BACKENDS
def test_tuples_of_any_length_may_be_longer_in_other_objects(backend: str) -> None:
    cls = script(Settings, backend=backend)
    made = [cls(), cls(needs=("a",)), cls(0.5, tuple("abcdef"))]
    assert [one.needing("x") for one in made] == [1, 2, 7]
    made[0].needs = ("q", "r")
    assert [one.needs for one in made] == [("q", "r"), ("a", "x"), (*"abcdef", "x")]
