"""Functions that call themselves and declare a result of several types: what it is until known."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from dataclasses import dataclass
from typing import Optional, Union

from tests.programs import Case


@dataclass
class Number:
    value: float


@dataclass
class Name:
    text: str


@dataclass
class Call:
    name: str
    args: list["Expression"]


@dataclass
class Never:
    why: str


Expression = Union[Number, Name, Call]  # noqa: UP007
Wide = Union[Number, Never, None]  # noqa: UP007


class Parser:
    def __init__(self, words: list[str]):
        self.words = words
        self.place = 0

    def next(self) -> str:
        self.place += 1
        return self.words[self.place - 1]

    def at(self, word: str) -> bool:
        return self.place < len(self.words) and self.words[self.place] == word

    def primary(self) -> Expression:
        word = self.next()
        if word.isdigit():
            return Number(float(word))
        if not self.at("("):
            return Name(word)
        self.next()
        args = [self.primary()]
        while self.at(","):
            self.next()
            args.append(self.primary())
        self.next()
        return Call(word, args)


def shown(expression: Expression) -> str:
    if isinstance(expression, Number):
        return f"{expression.value:g}"
    if isinstance(expression, Name):
        return expression.text
    return f"{expression.name}({', '.join(map(shown, expression.args))})"


def parsed(text: str):
    tree = Parser(text.split()).primary()
    return shown(tree), repr(tree)


def halved(n: int) -> Wide:
    """It returns fewer types than it declares."""
    if n == 0:
        return None
    found = halved(n // 2)
    return Number(0.5 * n) if found is None else Number(found.value + n)  # type: ignore[union-attr]


def narrower(n: int):
    found = halved(n)
    return None if found is None else found.value  # type: ignore[union-attr]


def first(n: int) -> Optional[Union[int, str]]:  # noqa: UP007, UP045
    if n > 3:
        return None
    if n == 3:
        return "three"
    return first(n + 2) if n % 2 else n


def numbers(n: int) -> int | float:
    return float(n) if n < 2 else numbers(n - 1) * 0.5


CASES: list[Case] = [
    (parsed, [("f ( 1 , g ( x ) , y )",), ("7",), ("x",)]),
    (narrower, [(0,), (5,)]),
    (first, [(1,), (2,), (5,)]),
    (numbers, [(5,)]),
]
