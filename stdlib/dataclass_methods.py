"""What the methods do that `dataclasses` writes, where an object holds others of its class."""


def __repr__(self):
    return repr(self)


def __hash__(self):
    return hash(self)


def __eq__(one, two):
    return one == two


def __lt__(one, two):
    return one < two


def __le__(one, two):
    return one <= two


def __gt__(one, two):
    return one > two


def __ge__(one, two):
    return one >= two
