"""Functions that call each other, and whose results hold themselves or are kept in fields."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


def first(n):
    if n <= 0:
        return 1
    if n % 3 == 1:
        return {"a": second(n - 2)}
    if n % 4 == 1:
        return second(n - 1)
    return first(n - 1)


def second(n):
    if n <= 0:
        return None
    if n % 4 == 1:
        return [second(n - 1)]
    if n % 2 == 0:
        return [first(n - 1)]
    return 1


def meeting_in_a_ring(n: int):
    return repr(first(n)), repr(second(n))


def table(n):
    if n <= 0:
        return {}
    found = table(n - 2)
    if isinstance(found, int):
        return found + n
    rest = []
    for _ in range(n % 3):
        rest.append(table(n - 2))
    if rest:
        return rest[0]
    return 1


def tables_or_numbers(n: int):
    return repr(table(n))


class Signal(Exception):
    def __init__(self, value):
        super().__init__("return")
        self.value = value


class Number:
    def __init__(self, value):
        self.value = value


class Items:
    def __init__(self, items):
        self.items = items


class Negative:
    def __init__(self, node):
        self.node = node


class Return:
    def __init__(self, node):
        self.node = node


class Evaluator:
    def visit(self, node):
        return getattr(self, "visit_" + type(node).__name__)(node)

    def visit_Number(self, node):
        return node.value

    def visit_Items(self, node):
        return [self.visit(item) for item in node.items]

    def visit_Negative(self, node):
        value = self.visit(node.node)
        return -value

    def visit_Return(self, node):
        raise Signal(self.visit(node.node))


def parse(tokens):
    token = tokens.pop()
    if token == "-":
        return Negative(parse(tokens))
    if token == "return":
        return Return(parse(tokens))
    if token == "[":
        items = []
        while tokens[-1] != "]":
            items.append(parse(tokens))
        tokens.pop()
        return Items(items)
    return Number(int(token)) if token.isdigit() else Number(token)


def signals(text: str) -> str:
    try:
        return str(Evaluator().visit(parse(text.split()[::-1])))
    except Signal as signal:
        return str(signal.value)


def nested_sets(n):
    if n == 0:
        return 0
    return frozenset([nested_sets(n - 1)])


def sets_in_sets(n: int) -> str:
    return str(nested_sets(n))


CASES: list[Case] = [
    (meeting_in_a_ring, [(n,) for n in range(9)]),
    (tables_or_numbers, [(0,), (1,), (2,), (3,), (4,)]),
    (signals, [("[ 1 - 2 3 [ 4 ] ]",), ("return - 3",), ("return [ 1 a ]",), ("- a",)]),
    (sets_in_sets, [(0,), (1,), (3,)]),
]
