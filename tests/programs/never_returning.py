"""Functions that always raise: `return self.fail(...)` tells nothing of the result."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


def refuse(text, place=0):
    """Raise on both paths."""
    place += 1
    if place > 2:
        raise ValueError(f"{text} at {place}")
    else:
        raise KeyError(text)


class Reader:
    def __init__(self, text):
        self.text = text
        self.place = 0

    def fail(self, what):
        raise SyntaxError(f"{what} at {self.place}")

    def number(self):
        if self.place < len(self.text) and self.text[self.place].isdigit():
            self.place += 1
            return int(self.text[self.place - 1])
        if self.place < len(self.text) and self.text[self.place] == "(":
            self.place += 1
            found = self.sum()
            if self.text[self.place : self.place + 1] != ")":
                self.fail("no )")
            self.place += 1
            return found
        return self.fail("no number")

    def sum(self):
        found = self.number()
        while self.text[self.place : self.place + 1] == "+":
            self.place += 1
            found += self.number()
        return found


def read(text):
    reader = Reader(text)
    return reader.sum() * 2, reader.place


def chosen(n):
    if n == 0:
        found = 1.5
    elif n == 1:
        refuse("one")
    else:
        refuse("more", n)
    return found * 2


def caught(n):
    said = []
    for i in range(n):
        try:
            refuse(f"x{i}", i)
            said.append("never")
        except (KeyError, ValueError) as error:
            said.append(str(error))
        finally:
            said.append("end")
    return said


def nested(n):
    def fail():
        raise IndexError(str(n))

    if n > 2:
        return fail()
    return n + 1


def always(n):
    """Nothing else tells the result."""
    return refuse("all", n)


CASES: list[Case] = [
    (read, [("1+(2+3)",), ("1+",), ("(1",), ("",)]),
    (chosen, [(0,), (1,), (5,)]),
    (caught, [(4,), (0,)]),
    (nested, [(1,), (3,)]),
    (always, [(0,), (3,)]),
]
