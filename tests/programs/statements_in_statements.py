"""A parser of statements that hold others: lists of them are told what all places put in."""

# pyright: basic

from dataclasses import dataclass, field

from tests.programs import Case


@dataclass
class Let:
    name: str
    value: int


@dataclass
class Print:
    name: str


@dataclass
class While:
    name: str
    body: list["Statement"]


@dataclass
class If:
    name: str
    then: list["Statement"]
    other: list["Statement"] = field(default_factory=list["Statement"])


@dataclass
class Function:
    name: str
    params: list[str]
    body: list["Statement"]


Statement = Let | Print | While | If | Function


class Parser:
    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.at = 0

    def take(self) -> str:
        self.at += 1
        return self.words[self.at - 1]

    def program(self):
        found = []
        while self.at < len(self.words):
            found.append(self.statement())
        return found

    def block(self):
        found = []
        while self.words[self.at] not in ("end", "else"):
            found.append(self.statement())
        return found

    def statement(self):
        word = self.take()
        if word == "let":
            name = self.take()
            return Let(name, int(self.take()))
        if word == "print":
            return Print(self.take())
        if word == "while":
            name = self.take()
            body = self.block()
            self.take()
            return While(name, body)
        if word == "if":
            name = self.take()
            then, other = self.block(), []
            if self.take() == "else":
                other = self.block()
                self.take()
            return If(name, then, other)
        if word == "fn":
            name = self.take()
            params = []
            while self.words[self.at] != ":":
                params.append(self.take())
            self.take()
            body = self.block()
            self.take()
            return Function(name, params, body)
        raise ValueError(f"unexpected {word!r}")


def depth(statement: Statement) -> int:
    match statement:
        case While(_, body) | Function(_, _, body):
            return 1 + max(map(depth, body), default=0)
        case If(_, then, other):
            return 1 + max((depth(one) for one in [*then, *other]), default=0)
        case _:
            return 1


def parsed(text: str) -> str:
    found = Parser(text.split()).program()
    return f"{found} {[depth(one) for one in found]}"


CASES: list[Case] = [
    (
        parsed,
        [
            ("let x 3 print x",),
            ("fn f a b : while a if b print a else let b 1 fn g : end end end print b end",),
            ("let x",),
            ("unknown",),
        ],
    )
]
