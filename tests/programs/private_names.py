"""Private names, `self.__x`: each class has its own."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from scriptc import script
from tests.programs import Case


class Account:
    __opened = 0

    def __init__(self, owner, amount):
        self.__owner = owner
        self.__amount = amount
        self.__require(amount)
        Account.__opened += 1
        self.__number = Account.__opened

    def __require(self, amount):
        if amount < 0:
            raise ValueError(f"{self.__owner}: {amount}")

    @staticmethod
    def __doubled(value):
        return 2 * value

    @property
    def amount(self):
        return self.__amount

    @amount.setter
    def amount(self, value):
        self.__require(value)
        self.__amount = value

    def is_like(self, other):
        return self.__amount == other.__amount

    def rates(self, n):
        def rate(i):
            return self.__amount * i

        doubled = map(lambda i: self.__doubled(i) + self.__amount, range(n))
        return [rate(i) for i in range(n)], list(doubled)


class Savings(Account):
    def __init__(self, owner, amount):
        super().__init__(owner, amount * 2)
        self.__amount = amount

    def __require(self, amount):
        return "never called by the base"

    def both(self):
        return self.__amount, self.amount, self.__require(1)


class _Hidden:
    """Underscores before the name of the class are left out."""

    __slots__ = ("__value",)

    def __init__(self, value):
        self.__value = value

    def value(self):
        return self.__value


@script
class Counter:
    def __init__(self, start: int):
        self.__count = start

    def next(self) -> int:
        self.__count += 1
        return self.__count


def accounts(n):
    account = Account("ann", n)
    account.amount += 3
    try:
        account.amount = -1
    except ValueError as error:
        return account.amount, account.is_like(Account("bob", n + 3)), account.rates(n), str(error)
    return account.amount, account._Account__owner  # type: ignore


def inherited(n):
    savings = Savings("eve", n)
    found = [a.amount for a in (savings, Account("bob", n))]
    return savings.both(), found, savings._Savings__amount, savings._Account__amount  # type: ignore


def hidden(n):
    counter = Counter(n)
    counter.next()
    return _Hidden(n).value(), getattr(_Hidden(n + 1), "_Hidden__value"), counter.next()  # noqa: B009


CASES: list[Case] = [
    (accounts, [(2,), (-1,)]),
    (inherited, [(3,)]),
    (hidden, [(5,)]),
]
