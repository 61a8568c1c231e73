"""Objects that stand outside of scripts: what a later call sees of them, and what is refused."""

# Types come from the calls.
# pyright: basic

from dataclasses import dataclass, field
from itertools import count

import pytest

from scriptc import save, script
from scriptc_runtime.errors import TypeCheckError, UnsupportedError

BACKENDS = ["interp", "llvm"]


@dataclass
class Rate:
    value: float
    name: str = ""


class Plan:
    def __init__(self, rates):
        self.rates = rates
        self.log: list[str] = []
        self.steps = 2

    def total(self):
        self.log.append("total")
        return self.steps * sum(rate.value for rate in self.rates)


class Simple:
    def value(self):
        return 1.0


class Other(Simple):
    def value(self):
        return 2.0


@script
class Account:
    def __init__(self, balance: int):
        self.balance = balance
        self.log: list[str] = []

    def pay(self, amount: int) -> int:
        self.balance -= amount
        self.log.append(f"paid {amount}")
        return self.balance


LOW, HIGH = Rate(1.0, "low"), Rate(2.0, "high")
RATES = [LOW, HIGH]
PLAN = Plan(RATES)
RULES = {"a": Simple(), "b": Other()}
ACCOUNT = Account(10)
ACCOUNTS = [ACCOUNT, Account(5)]


def names():
    return [rate.name for rate in RATES], max(RATES, key=lambda r: r.value).name


@pytest.mark.parametrize("backend", BACKENDS)
def test_each_call_sees_what_the_objects_hold_then(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted = script(names, backend=backend)
    assert scripted() == (["low", "high"], "high")
    monkeypatch.setattr(LOW, "value", 7.0)
    monkeypatch.setattr(HIGH, "name", "second")
    assert scripted() == (["low", "second"], "low")
    RATES.append(Rate(9.0, "new"))
    assert scripted() == (["low", "second", "new"], "new")
    RATES.pop()
    assert scripted() == (["low", "second"], "low")
    monkeypatch.setattr(LOW, "value", 3)  # of another type: the code is another one
    assert scripted() == (["low", "second"], "low")


@pytest.mark.parametrize("backend", BACKENDS)
def test_python_sees_what_is_put_into_lists_of_objects_outside(backend: str) -> None:
    scripted = script(lambda: PLAN.total(), backend=backend)
    log = PLAN.log
    before = len(log)
    assert scripted() == 6.0
    assert PLAN.log is log
    assert log[before:] == ["total"]
    PLAN.steps = 3
    try:
        assert scripted() == 9.0
    finally:
        PLAN.steps = 2
    del log[before:]


@pytest.mark.parametrize("backend", BACKENDS)
def test_objects_without_fields_are_never_stale(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted = script(lambda name: RULES[name].value(), backend=backend)
    assert (scripted("a"), scripted("b")) == (1.0, 2.0)
    monkeypatch.setitem(RULES, "a", Other())
    assert (scripted("a"), scripted("b")) == (2.0, 2.0)


@pytest.mark.parametrize("backend", BACKENDS)
def test_objects_of_scripted_classes_are_pythons_own(backend: str) -> None:
    if backend == "interp":
        return  # they are those of compiled code
    pay = script(lambda amount: ACCOUNT.pay(amount), backend=backend)
    assert pay(3) == ACCOUNT.balance == 7
    assert ACCOUNT.log == ["paid 3"]
    assert script(lambda: sum(a.balance for a in ACCOUNTS), backend=backend)() == 12
    ACCOUNT.balance = 10
    assert pay(0) == 10

    def add():
        ACCOUNTS.append(Account(1))
        return len(ACCOUNTS), ACCOUNTS[0] is ACCOUNT

    assert script(add, backend=backend)() == (3, True)
    assert ACCOUNTS.pop().balance == 1
    assert ACCOUNTS[0] is ACCOUNT


def test_stores_that_python_would_not_see_are_refused() -> None:
    def stored():
        rate = LOW
        rate.value = 2.0
        return rate.name

    def updated():
        LOW.value += 1.0

    for function in (stored, updated):
        with pytest.raises(TypeCheckError, match="the field 'value' is stored"):
            script(function)()

    def put():
        RATES.append(Rate(1.0))
        return len(RATES)

    with pytest.raises(TypeCheckError, match="holds objects cannot be written to"):
        script(put)()

    def sorted_there():
        PLAN.rates.sort(key=lambda rate: rate.value)
        return PLAN.rates[0].name

    with pytest.raises(TypeCheckError, match="holds objects cannot be written to"):
        script(sorted_there)()

    def given():
        return LOW

    with pytest.raises(TypeCheckError, match="no @script class"):
        script(given)()


@dataclass
class Ring:
    name: str
    others: list["Ring"] = field(default_factory=list)


RING = Ring("first")
RING.others.append(RING)


def test_objects_that_lead_back_to_themselves_are_refused() -> None:
    with pytest.raises(TypeCheckError, match="leads back to itself"):
        script(lambda: len([ring.name for ring in RING.others]))()


class Ticket:
    def __init__(self, number):
        self.number = number


class Desk:
    def __init__(self):
        self.tickets = []
        self.calls = []

    def take(self, number):
        self.tickets.append(Ticket(number))
        return len(self.tickets)

    def on(self, call):
        self.calls.append(call)
        return len(self.calls)


DESK = Desk()
TREE = Ring("root", [Ring("inner", [Ring("leaf")])])


def test_empty_lists_outside_that_are_to_hold_objects_are_refused() -> None:
    for program, held in (
        (lambda: DESK.take(1), "objects of Ticket"),
        (lambda: DESK.on(lambda x: x + 1), "functions"),
        (lambda: len(TREE.others[0].others), "objects of Ring"),
    ):
        for backend in BACKENDS:
            with pytest.raises(TypeCheckError, match=f"is empty, and is to hold {held}"):
                script(program, backend=backend)()


@pytest.mark.parametrize("backend", BACKENDS)
def test_which_object_it_is_that_two_lead_to_is_seen(backend) -> None:
    first, second = Ticket(1), Ticket(2)
    listed, named = [first, second], {"a": first}

    def found():
        return first is listed[0], named["a"].number

    scripted = script(found, backend=backend)
    assert scripted() == (True, 1)
    named["a"] = second
    assert scripted() == found() == (True, 2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_step_of_a_counter_is_seen(backend) -> None:
    for step in (1, 2):
        numbers = count(5, step)

        def two():
            return next(numbers), next(numbers)  # noqa: B023 -- called in its iteration

        assert script(two, backend=backend)() == (5, 5 + step)
        assert next(numbers) == 5 + 2 * step


class Station:
    speed = 2

    def __init__(self, n):
        self.n = n

    def moved(self):
        return self.speed * self.n


FAST = Station(3)
FAST.speed = 10


def test_objects_with_their_own_constants_are_refused() -> None:
    for program in (lambda: FAST.moved(), lambda: [s.speed for s in (FAST,)]):
        for backend in BACKENDS:
            with pytest.raises(TypeCheckError, match="has a 'speed' of its own"):
                script(program, backend=backend)()


def test_scripts_with_objects_outside_are_not_saved(tmp_path) -> None:
    with pytest.raises(UnsupportedError, match="saved"):
        save({"names": script(names).sig()}, tmp_path / "names.scriptc")
