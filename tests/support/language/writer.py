"""What draws random expressions: a scope, the program around it, and the ways to make a type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from tests.support.language.kinds import FLOAT, INT, STR, Declared, Function, Kind, Scope

_INTS = ("0", "1", "2", "3", "5", "7", "10", "-1", "-2", "-7", "100", "1000003", "-9", "0x1F")
_LARGE = ("9223372036854775807", "-9223372036854775808", "4611686018427387904", "2147483648")
_FLOATS = ("0.0", "-0.0", "1.0", "0.5", "-1.5", "2.25", "1e10", "0.1", "-3.75", "1e-7", "1e300")
_ODD = ('float("inf")', 'float("-inf")', 'float("nan")')
_STRINGS = (
    *('""', '"a"', '"b"', '"abc"', '"Hello World"', '" x y "', '"a,b,,c"', '"12"', '"-7"'),
    *('"3.5"', '"é"', '"ß"', '"日本語"', '"aXbX"', r'"tab\tend"', r'"line\nnext"', '"ABBA"'),
    *('"it\'s"', r'"\\"', '"😀 ok"'),
)


Choice = Callable[["Writer", Kind, int], "str | None"]
# The ways to write a type, by the name of its kind; those of the name "" are of all of them.
Choices = Mapping[str, tuple[Choice, ...]]


class Writer:
    """Draws expressions over what a scope and a program hold."""

    def __init__(self, random: Random, declared: Declared, choices: Choices) -> None:
        self.random = random
        self.declared = declared
        self._choices = choices
        self.scope = Scope({})
        self.budget = 0
        self._names = 0

    # ------------------------------------------------------------------------------------- draws

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def name(self, prefix: str) -> str:
        self._names += 1
        return f"{prefix}{self._names}"

    def variables(self, kind: Kind) -> Sequence[str]:
        """Return the variables in scope that hold values of a type."""
        return [name for name, held in self.scope.variables.items() if held == kind]

    def expression(self, kind: Kind, depth: int = 2) -> str:
        """Return the text of an expression of a type."""
        held = self.variables(kind)
        if held and self.chance(0.35 if depth > 0 else 0.75):
            return self.random.choice(held)
        if depth <= 0:
            return self.leaf(kind)
        choices = self._choices.get(kind.name, ()) + self._choices[""]
        for _ in range(4):
            text = self.random.choice(choices)(self, kind, depth - 1)
            if text is not None:
                return text
        return self.leaf(kind)

    def leaf(self, kind: Kind) -> str:
        """Return a small expression of a type, which calls no function of the program."""
        choose = self.random.choice
        match kind.name:
            case "int":
                return choose(_LARGE) if self.chance(0.03) else choose(_INTS)
            case "float":
                return choose(_ODD) if self.chance(0.1) else choose(_FLOATS)
            case "bool":
                numbers = self.variables(INT)  # what is constant is not compiled
                texts = [f"({name} > {choose(_INTS)})" for name in numbers]
                return choose(texts or ['("b" in "abc")', '("d" in "abc")'])
            case "str":
                return choose(_STRINGS)
            case "optional":
                return self.leaf(kind.parts[0])
            case "union":
                return self.leaf(choose(kind.parts))
            case "object":
                return self.made(kind, 0)
            case "enum":
                return f"{kind.owner}.{choose(self.declared.enums[kind.owner])}"
            case "function":
                return self.lambda_of(kind, 0)
            case _:
                return self.display(kind, 0)

    def display(self, kind: Kind, depth: int) -> str:
        """Return a list, tuple, set or dict that is written down."""
        items = [self.expression(part, depth) for part in kind.parts]
        if kind.name == "tuple":
            return f"({', '.join(items)})"
        # An empty one has no type where nothing says it; CPython orders sets of three constants
        # as its compiler likes.
        count = self.random.randint(1, 2 if kind.name == "set" else 3)
        rows = [[self.expression(p, depth) for p in kind.parts] for _ in range(count)]
        inner = ", ".join(": ".join(row) for row in rows)
        return f"[{inner}]" if kind.name == "list" else f"{{{inner}}}"

    def made(self, kind: Kind, depth: int) -> str:
        """Return a call of the class of a type, or of one that inherits from it."""
        classes = [c for c in self.declared.plain if c.inherits(kind.owner)]
        chosen = self.random.choice(classes)
        return f"{chosen.name}({self.arguments(chosen.parameters, depth)})"

    def arguments(
        self, parameters: Sequence[tuple[str, Kind]], depth: int, defaults: int = 0
    ) -> str:
        """Return arguments, some of the last ones by name, and some left out that have defaults."""
        count = len(parameters) - self.random.randint(0, defaults)
        named = count - (self.random.randint(0, count) if self.chance(0.25) else 0)
        texts: list[str] = []
        for number, (name, kind) in enumerate(parameters[:count]):
            text = self.expression(kind, depth)
            texts.append(text if number < named else f"{name}={text}")
        return ", ".join(texts)

    def lambda_of(self, kind: Kind, depth: int) -> str:
        """Return a lambda of a type."""
        outer = self.scope
        names = [self.name("p") for _ in kind.parts[1:]]
        self.scope = outer.inside()
        self.scope.has_walrus = False
        self.scope.variables.update(zip(names, kind.parts[1:], strict=True))
        body = self.expression(kind.parts[0], depth)
        self.scope = outer
        return f"(lambda {', '.join(names)}: {body})"

    def with_variable(self, name: str, kind: Kind, result: Kind, depth: int) -> str:
        """Return an expression that may use one more variable, as in a comprehension."""
        outer = self.scope
        self.scope = outer.inside(name)
        self.scope.has_walrus = False
        self.scope.variables[name] = kind
        text = self.expression(result, depth)
        self.scope = outer
        return text

    def without_walrus(self, kind: Kind, depth: int) -> str:
        """Return an expression to loop over in a comprehension, where Python has no `:=`."""
        outer, self.scope = self.scope, self.scope.inside()
        self.scope.has_walrus = False
        text = self.expression(kind, depth)
        self.scope = outer
        return text

    def call(self, function: Function, depth: int, prefix: str = "") -> str | None:
        """Return a call, None where the program has done as many as it may."""
        if self.budget <= 0:
            return None
        self.budget -= 4 ** max(0, self.scope.loops)
        arguments = self.arguments(function.parameters, depth, function.defaults)
        return f"{prefix}{function.name}({arguments})"


def is_exact(kind: Kind) -> bool:
    """Whether no part of it is a float, of which a NaN would have an order of its own."""
    return (
        kind != FLOAT
        and kind.name not in ("object", "function")
        and all(is_exact(part) for part in kind.parts)
    )


def is_ordered(kind: Kind) -> bool:
    """Whether its values are compared by `<` without a NaN among them."""
    return kind in (INT, STR) or (kind.name == "tuple" and all(map(is_ordered, kind.parts)))
