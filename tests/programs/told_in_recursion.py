"""Functions that call themselves, and put values of several types into what they have in common."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic, reportOperatorIssue=false

from tests.programs import Case


class Compiler:
    def __init__(self):
        self.code = []
        self.seen = {}

    def emit(self, op, arg=None):
        self.code.append((op, arg))
        return len(self.code)

    def atom(self, n):
        if n == 0:
            self.emit("CONST", 1)
        elif n == 1:
            self.emit("LOAD", "x")
        elif n == 2:
            self.emit("PAIR", (1, 2.5))
        else:
            self.atom(n - 1)
            self.emit("NEG")

    def counted(self, n):
        if n == 0:
            return self.emit("CONST", 1)
        if n == 1:
            return self.emit("LOAD", "x")
        k = self.counted(n - 1)
        self.seen[k] = n
        self.emit("FLOAT", 2.5)
        return self.emit("NEG") + k

    def even(self, n):
        if n > 0:
            self.odd(n - 1)
        self.emit("EVEN", n)

    def odd(self, n):
        if n > 0:
            self.even(n - 1)
        else:
            self.emit("NONE")
        self.emit("ODD", "odd")


def atoms(n):
    compiler = Compiler()
    compiler.atom(n)
    return compiler.code


def counted(n):
    compiler = Compiler()
    return compiler.counted(n), compiler.code, compiler.seen


def in_turn(n):
    compiler = Compiler()
    compiler.even(n)
    return compiler.code


def value(tree):
    if isinstance(tree, (int, float)):
        return tree
    if isinstance(tree, str):
        return len(tree)
    op, a, b = tree
    x, y = value(a), value(b)
    return x + y if op == "+" else x * y


def values():
    return value(("+", 1, ("*", "abc", 2.5)))


def _best(n, who, memo):
    """A search that keeps pairs, of which the second item may be None."""
    key = (n, who)
    if key in memo:
        return memo[key]
    if n <= 0:
        result = (who, None)
    else:
        best = None
        for move in (1, 2):
            score, _ = _best(n - move, 1 - who, memo)
            if best is None or score > best[0]:
                best = (score, move)
        result = best
    memo[key] = result
    return result


def searched(n):
    memo = {}
    return _best(n, 0, memo), memo


def _pairs(n, found):
    if n <= 0:
        pair = (1, None)
    else:
        size, _ = _pairs(n - 1, found)
        pair = (2 * size + 1, n)
    found.append(pair)
    return pair


def pairs(n):
    found = []
    return _pairs(n, found), found


def read(tokens):
    token = tokens.pop(0)
    if token == "(":
        out = []
        while (part := read(tokens)) != ")":
            out.append(part)
        return out
    return token


def read_all(text):
    return read(text.split())


class _Found(Exception):
    def __init__(self, value):
        self.value = value


def _stop(count, depth):
    if depth > 2:
        raise _Found(_evaluated(count, depth))


def _evaluated(count, depth):
    if depth > 5:
        return count
    try:
        _stop(count, depth + 1)
        return _evaluated(count + 1, depth + 1)
    except _Found as found:
        return found.value


def through_exceptions(count):
    """What the exception holds is known once the function returns something else."""
    return _evaluated(count, 0)


CASES: list[Case] = [
    (read_all, [("( a ( b c ) d )",), ("a",), ("( ( ) )",), ("(",)]),
    (atoms, [(0,), (1,), (4,)]),
    (counted, [(0,), (3,)]),
    (in_turn, [(4,), (3,)]),
    (values, [()]),
    (searched, [(0,), (4,)]),
    (pairs, [(0,), (3,)]),
    (through_exceptions, [(3,)]),
]
