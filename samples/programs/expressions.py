"""Parse arithmetic expressions by recursive descent, simplify their trees, and evaluate them.

expr   = term (("+" | "-") term)*
term   = factor (("*" | "/") factor)*
factor = "-" factor | power
power  = atom ["^" factor]
atom   = number | name | "(" expr ")"
"""

from scriptc import script

TEXTS = (
    "1 + 2 * x - 3 / (y + 1)",
    "-(x ^ 2) + 4.5 * x * y - (2 - y)",
    "((x + 1) * (x - 1)) / (x * x + y * y + 1)",
    "0 * x + 1 * y + (3 - 3) * x ^ 3 + 2 ^ 3 ^ 1",
    "x - y - 1 - -1 / 4",
)


class ParseError(ValueError):
    """A text that is no expression."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(f"{message} at {place}")
        self.place = place


class Node:
    """An expression."""

    def evaluate(self, names: dict[str, float]) -> float:
        """Return the value, given those of the names."""
        raise NotImplementedError

    def simplified(self) -> "Node":
        """Return an expression of the same value with fewer operations."""
        return self

    def size(self) -> int:
        """Return how many nodes it has."""
        return 1


class Number(Node):
    """A number."""

    def __init__(self, value: float) -> None:
        self.value = value

    def evaluate(self, names: dict[str, float]) -> float:
        return self.value


class Name(Node):
    """A variable."""

    def __init__(self, name: str) -> None:
        self.name = name

    def evaluate(self, names: dict[str, float]) -> float:
        return names[self.name]


class Negation(Node):
    """The negative of an expression."""

    def __init__(self, operand: Node) -> None:
        self.operand = operand

    def evaluate(self, names: dict[str, float]) -> float:
        return -self.operand.evaluate(names)

    def simplified(self) -> Node:
        operand = self.operand.simplified()
        if isinstance(operand, Number):
            return Number(-operand.value)
        return Negation(operand)

    def size(self) -> int:
        return 1 + self.operand.size()


class Operation(Node):
    """Two expressions and what joins them."""

    def __init__(self, symbol: str, left: Node, right: Node) -> None:
        self.symbol = symbol
        self.left = left
        self.right = right

    def evaluate(self, names: dict[str, float]) -> float:
        left, right = self.left.evaluate(names), self.right.evaluate(names)
        if self.symbol == "+":
            return left + right
        if self.symbol == "-":
            return left - right
        if self.symbol == "*":
            return left * right
        if self.symbol == "/":
            return left / right
        return left**2 if right == 2.0 else abs(left) ** right

    def simplified(self) -> Node:
        left, right = self.left.simplified(), self.right.simplified()
        if isinstance(left, Number) and isinstance(right, Number):
            return Number(Operation(self.symbol, left, right).evaluate({}))
        if self.symbol == "*" and isinstance(left, Number):
            if left.value == 0.0:
                return left
            if left.value == 1.0:
                return right
        if self.symbol == "+" and isinstance(left, Number) and left.value == 0.0:
            return right
        return Operation(self.symbol, left, right)

    def size(self) -> int:
        return 1 + self.left.size() + self.right.size()


class Parser:
    """Reads one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def peek(self) -> str:
        """Return the next character that is no blank, "" at the end."""
        while self.place < len(self.text) and self.text[self.place] == " ":
            self.place += 1
        return self.text[self.place] if self.place < len(self.text) else ""

    def accept(self, symbols: str) -> str:
        """Go over one of these symbols and return it, "" if none follows."""
        found = self.peek()
        if found and found in symbols:
            self.place += 1
            return found
        return ""

    def expression(self) -> Node:
        """Read a sum."""
        node = self.term()
        while symbol := self.accept("+-"):
            node = Operation(symbol, node, self.term())
        return node

    def term(self) -> Node:
        """Read a product."""
        node = self.factor()
        while symbol := self.accept("*/"):
            node = Operation(symbol, node, self.factor())
        return node

    def factor(self) -> Node:
        """Read a power, or a negative."""
        if self.accept("-"):
            return Negation(self.factor())
        node = self.atom()
        if self.accept("^"):
            return Operation("^", node, self.factor())
        return node

    def atom(self) -> Node:
        """Read a number, a name or parentheses."""
        if self.accept("("):
            node = self.expression()
            if not self.accept(")"):
                raise ParseError("a parenthesis is open", self.place)
            return node
        start, first = self.place, self.peek()
        if first.isalpha():
            start = self.place
            while self.place < len(self.text) and self.text[self.place].isalnum():
                self.place += 1
            return Name(self.text[start : self.place])
        start = self.place
        while self.place < len(self.text) and self.text[self.place] in "0123456789.":
            self.place += 1
        if start == self.place:
            raise ParseError("a number is missing", start)
        return Number(float(self.text[start : self.place]))


def parsed(text: str) -> Node:
    """Return the tree of a text.  Raises ParseError."""
    parser = Parser(text)
    node = parser.expression()
    if parser.peek():
        raise ParseError("something is left", parser.place)
    return node


@script
def run(rounds: int) -> tuple[float, int, int]:
    """Parse, simplify and evaluate; return a sum of values, the nodes kept, and the failures."""
    total, nodes, failures = 0.0, 0, 0
    for i in range(rounds):
        for text in TEXTS:
            tree = parsed(text).simplified()
            nodes += tree.size()
            names = {"x": 1.0 + i % 7, "y": 0.5 * (i % 5)}
            total += tree.evaluate(names)
        try:
            parsed("1 + (2 * x" if i % 2 else "3 * * 4")
        except ParseError as error:
            failures += error.place
    return total, nodes, failures


if __name__ == "__main__":
    print(run(1000))
