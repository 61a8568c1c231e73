"""Accounts of a bank: transfers that succeed whole or not at all, and exceptions that say why."""

from enum import Enum

from scriptc import script


class BankError(Exception):
    """What a bank refuses."""


class AccountError(BankError):
    """An account that is not there, or is there already."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no account {name!r}")
        self.name = name


class FundsError(BankError):
    """An account that has too little."""

    def __init__(self, name: str, missing: int) -> None:
        super().__init__(name, missing)
        self.missing = missing

    def __str__(self) -> str:
        return f"{self.args[0]} lacks {self.missing / 100:.2f}"


class Kind(Enum):
    """What an entry of a ledger is about."""

    DEPOSIT = "deposit"
    WITHDRAWAL = "withdrawal"
    TRANSFER = "transfer"
    INTEREST = "interest"


class Entry:
    """One line of a ledger; amounts are in cents."""

    def __init__(self, kind: Kind, name: str, amount: int) -> None:
        self.kind = kind
        self.name = name
        self.amount = amount

    def __str__(self) -> str:
        return f"{self.kind.value:<10} {self.name:<8} {self.amount / 100:>10,.2f}"


class Account:
    """An account that must not be overdrawn."""

    def __init__(self, name: str, balance: int = 0) -> None:
        self.name = name
        self._balance = balance

    @property
    def balance(self) -> int:
        """What is on it, in cents."""
        return self._balance

    @balance.setter
    def balance(self, value: int) -> None:
        if value < 0:
            raise FundsError(self.name, -value)
        self._balance = value


class Savings(Account):
    """An account with interest, in hundredths of a per cent."""

    RATE = 150

    def interest(self) -> int:
        """Return what a year brings."""
        return self.balance * self.RATE // 10_000


class Transaction:
    """Undoes what was done to a ledger and its accounts where an exception comes."""

    def __init__(self, bank: "Bank") -> None:
        self.bank = bank
        self.balances: dict[str, int] = {}
        self.length = 0

    def __enter__(self) -> "Transaction":
        self.balances = {name: account.balance for name, account in self.bank.accounts.items()}
        self.length = len(self.bank.ledger)
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        if kind is not None:
            for name, balance in self.balances.items():
                self.bank.accounts[name].balance = balance
            del self.bank.ledger[self.length :]
            self.bank.undone += 1
        return False


class Bank:
    """Accounts by name, and a ledger of what happened."""

    def __init__(self) -> None:
        self.accounts: dict[str, Account] = {}
        self.ledger: list[Entry] = []
        self.undone = 0

    def open(self, account: Account) -> None:
        """Add an account."""
        if account.name in self.accounts:
            raise AccountError(account.name)
        self.accounts[account.name] = account

    def account(self, name: str) -> Account:
        """Return an account.  Raises AccountError."""
        try:
            return self.accounts[name]
        except KeyError as error:
            raise AccountError(name) from error

    def add(self, kind: Kind, name: str, amount: int) -> None:
        """Change a balance.  Raises BankError."""
        self.account(name).balance += amount
        self.ledger.append(Entry(kind, name, amount))

    def transfer(self, source: str, target: str, amount: int) -> None:
        """Move money between accounts.  Raises BankError, and then nothing has changed."""
        with Transaction(self):
            self.add(Kind.TRANSFER, target, amount)
            self.add(Kind.TRANSFER, source, -amount)

    def year(self) -> int:
        """Pay interest; return how much."""
        paid = 0
        for account in self.accounts.values():
            if isinstance(account, Savings):
                amount = account.interest()
                self.add(Kind.INTEREST, account.name, amount)
                paid += amount
        return paid


@script
def run(rounds: int) -> tuple[int, int, dict[str, int], str]:
    """Move money around; return what is there, what was undone, the refusals, and the last line."""
    bank = Bank()
    names = ["ada", "bob", "cyd", "dan"]
    for place, name in enumerate(names):
        bank.open(Savings(name, 5000) if place % 2 else Account(name, 10_000))
    refusals: dict[str, int] = {}
    last = ""
    for i in range(rounds):
        source, target = names[i % 4], names[(i * 3 + 1) % 4] if i % 9 else "eve"
        try:
            bank.transfer(source, target, 100 + i * 337 % 4900)
            if i % 50 == 0:
                bank.year()
        except FundsError as error:
            refusals["funds"] = refusals.get("funds", 0) + 1
            last = str(error)
            bank.add(Kind.DEPOSIT, source, error.missing)
        except AccountError as error:
            refusals[error.name] = refusals.get(error.name, 0) + 1
    total = sum(account.balance for account in bank.accounts.values())
    return total, bank.undone, refusals, f"{last} | {bank.ledger[-1]}"


if __name__ == "__main__":
    print(run(2000))
