"""Parsers made of parsers: closures that call each other in a ring, through names outside."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


class ParseError(Exception):
    pass


def char(c):
    def parse(text, i):
        if i < len(text) and text[i] == c:
            return c, i + 1
        raise ParseError(f"expected {c!r} at {i}")

    return parse


def satisfy(pred, what):
    def parse(text, i):
        if i < len(text) and pred(text[i]):
            return text[i], i + 1
        raise ParseError(f"expected {what} at {i}")

    return parse


def many(p):
    def parse(text, i):
        out = []
        while True:
            try:
                value, i = p(text, i)
            except ParseError:
                return out, i
            out.append(value)

    return parse


def many1(p):
    def parse(text, i):
        first, i = p(text, i)
        rest, i = many(p)(text, i)
        return [first, *rest], i

    return parse


def fmap(f, p):
    def parse(text, i):
        value, i = p(text, i)
        return f(value), i

    return parse


def either(*parsers):
    def parse(text, i):
        error = ParseError()
        for p in parsers:
            try:
                return p(text, i)
            except ParseError as e:
                error = e
        raise error

    return parse


def then(p, q, combine):
    def parse(text, i):
        a, i = p(text, i)
        b, i = q(text, i)
        return combine(a, b), i

    return parse


def chainl(p, op):
    def parse(text, i):
        left, i = p(text, i)
        while True:
            try:
                f, j = op(text, i)
                right, i = p(text, j)
            except ParseError:
                return left, i
            left = f(left, right)

    return parse


spaces = many(char(" "))


def token(p):
    return then(p, spaces, lambda a, _: a)


def symbol(c):
    return token(char(c))


number = token(fmap(lambda ds: int("".join(ds)), many1(satisfy(str.isdigit, "digit"))))


def factor(text, i):
    return either(number, parens)(text, i)


def operator(symbols, function):
    return fmap(lambda _: function, symbol(symbols))


mul_op = either(operator("*", lambda a, b: a * b), operator("/", lambda a, b: a // b))
add_op = either(operator("+", lambda a, b: a + b), operator("-", lambda a, b: a - b))
term = chainl(factor, mul_op)
expr = chainl(term, add_op)


def parens(text, i):
    _, i = symbol("(")(text, i)
    value, i = expr(text, i)
    _, i = symbol(")")(text, i)
    return value, i


def calculate(text):
    value, i = expr(text, 0)
    if i != len(text):
        raise ParseError(f"junk at {i}")
    return value


def calculated(lines: list[str]):
    out = []
    for line in lines:
        try:
            out.append(str(calculate(line)))
        except (ParseError, ZeroDivisionError) as e:
            out.append(f"{type(e).__name__}: {e}")
    return out


CASES: list[Case] = [
    (
        calculated,
        [(["1 + 2 * 3", "(1+2)*3 - 4/2", "2 *", "x", "1/0", "7 - 2 - 1 )"],), (["((4))"],)],
    ),
]
