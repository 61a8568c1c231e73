"""What the methods do that `dataclasses` writes, in fields and for objects of several classes."""


def __str__(self) -> str:
    return str(self)


def __repr__(self) -> str:
    return repr(self)


def __hash__(self) -> int:
    return hash(self)


def __eq__(one, two) -> bool:
    return one == two


def __lt__(one, two) -> bool:
    return one < two


def __le__(one, two) -> bool:
    return one <= two


def __gt__(one, two) -> bool:
    return one > two


def __ge__(one, two) -> bool:
    return one >= two
