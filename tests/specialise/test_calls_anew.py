"""Calls by Python that a script makes anew: names, and values that are made of ints."""

# Types come from the calls.
# pyright: basic

from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import pytest

from scriptc import ScriptError, script

BACKENDS = ["interp", "llvm"]


def programs(decorate):
    """Return functions, and a class, that take what scripts make of ints."""

    @decorate
    def total(xs):
        found = 0
        for x in xs:
            found += x
        return found, len(xs)

    @decorate
    class Items:
        def __init__(self, values=(), *, count=1):
            self.items = []
            for value in values:
                self.items.append(value * count)

    @decorate
    def days(a, b):
        return (b - a).days

    @decorate
    def text(day, by):
        return f"{day + timedelta(days=by):%Y-%m-%d}"

    @decorate
    def later(at, by):
        return at.hour, at.minute, by.total_seconds()

    @decorate
    def above(fraction):
        return (fraction + 1).numerator, fraction > Fraction(1, 2)

    return total, Items, days, text, later, above


@pytest.mark.parametrize("backend", BACKENDS)
def test_values_made_of_ints_are_arguments(backend):
    def results(decorate):
        total, items, days, text, later, above = programs(decorate)
        found = [total(xs) for xs in (range(5), range(10, 0, -3), range(0), [1, 2], range(2, 4))]
        found += [items(range(3)).items, items(range(2), count=3).items, items([4]).items]
        found += [days(date(2024, 1, 5), date(2024, 2, 5)), text(date(2024, 1, 31), 1)]
        found += [text(datetime(2024, 1, 31, 5, 6), 3), above(Fraction(1, 3))]
        return [*found, later(datetime(2024, 1, 1, 3, 4), timedelta(1, 2, 3))]

    assert results(script(backend=backend)) == results(lambda target: target)


@pytest.mark.parametrize("backend", BACKENDS)
def test_others_are_refused_as_they_were(backend):
    total, *_, later, _ = programs(script(backend=backend))
    with pytest.raises(ScriptError, match="of class object"):
        total(object())
    with pytest.raises(ScriptError, match="of class datetime"):
        later(datetime(2024, 1, 1, tzinfo=UTC), timedelta(1))

    @script(backend=backend)
    class Keeps:
        def __init__(self, values):
            self.values = values

    with pytest.raises(ScriptError, match="of class range"):
        Keeps(range(3))


@pytest.mark.parametrize("backend", BACKENDS)
def test_exceptions_have_no_frame_of_the_call(backend):
    @script(backend=backend)
    def failing(xs):
        for x in xs:
            if x > 1:
                raise ValueError("two")

    with pytest.raises(ValueError, match="two") as caught:
        failing(range(4))
    assert [entry.name for entry in caught.traceback][1:] == ["failing"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_keywords_that_no_text_of_a_call_can_have_are_refused(backend):
    @script(backend=backend)
    def named(**options):
        return dict(options)

    assert named(self=1) == {"self": 1}
    for name in ("for", "a b", "a=1,b", "", "\ufb01", "__debug__"):
        with pytest.raises(ScriptError, match=r"arguments of any name|the keyword"):
            named(**{name: 1})


def listed(decorate):
    @decorate
    def put(xs, **options):
        xs.append(len(options))
        return xs

    @decorate
    def shifted(xs, steps):
        xs += list(steps)
        return xs, len(xs)

    xs = [1]
    found = [put(xs, a=1) is xs, put(xs) is xs, shifted(xs, range(2))[0] is xs]
    return [*found, xs]


@pytest.mark.parametrize("backend", BACKENDS)
def test_lists_that_nothing_keeps_are_given_back(backend):
    assert listed(script(backend=backend)) == listed(lambda target: target)
