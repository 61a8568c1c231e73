"""Sizes as polynomials with integer coefficients, over names of sizes and numbers not known.

    form = coefficient * atom * ... * atom + ... + constant

An atom is the name of a size in an annotation, `N`, which is a promise: a size that is like no
other, and large. `#n` is an int that the function was given, and `?7` a number of which nothing is
known: each may be anything.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property

Monomial = tuple[str, ...]  # sorted; an atom stands in it as often as its power says
_NUMBER, _OPAQUE = "#", "?"


class Form:
    """A polynomial in normal form: no coefficient is zero."""

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        self.terms: Mapping[Monomial, int] = {m: c for m, c in terms.items() if c}

    @cached_property
    def _key(self) -> frozenset[tuple[Monomial, int]]:
        return frozenset(self.terms.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(self._key)

    @cached_property
    def atoms(self) -> frozenset[str]:
        """The atoms that stand in it."""
        return frozenset(atom for monomial in self.terms for atom in monomial)

    @property
    def is_constant(self) -> bool:
        """Whether it is a number alone."""
        return not any(self.terms)

    @property
    def constant(self) -> int:
        """The summand without atoms."""
        return self.terms.get((), 0)

    @property
    def is_name(self) -> bool:
        """Whether it is the name of a size alone."""
        return self.is_promised and [(len(m), c) for m, c in self.terms.items()] == [(1, 1)]

    @property
    def is_promised(self) -> bool:
        """Whether all its atoms are names of sizes."""
        return all(is_promise(atom) for atom in self.atoms)

    @property
    def is_opaque(self) -> bool:
        """Whether an atom in it may be anything, in each iteration another number."""
        return any(atom.startswith(_OPAQUE) for atom in self.atoms)

    @property
    def sign(self) -> int | None:
        """The sign where all names of sizes are large; None where that does not say it."""
        if self.is_constant:
            return (self.constant > 0) - (self.constant < 0)
        if not self.is_promised:
            return None
        signs = {c > 0 for m, c in self.terms.items() if m}
        return None if len(signs) > 1 else 1 if signs.pop() else -1

    def plus(self, other: "Form", factor: int = 1) -> "Form":
        """Return `self + factor * other`."""
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            terms[monomial] = terms.get(monomial, 0) + factor * coefficient
        return Form(terms)

    def minus(self, other: "Form") -> "Form":
        """Return the difference."""
        return self.plus(other, -1)

    def times(self, other: "Form") -> "Form":
        """Return the product."""
        terms: dict[Monomial, int] = {}
        for first, a in self.terms.items():
            for second, b in other.terms.items():
                monomial = tuple(sorted(first + second))
                terms[monomial] = terms.get(monomial, 0) + a * b
        return Form(terms)

    def divided(self, other: "Form") -> "Form | None":
        """Return the quotient if there is no remainder, whatever the atoms are.

        Only divisors of one summand are tried.
        """
        if len(other.terms) != 1:
            return constant(1) if self == other and self.terms else None
        ((divisor, by),) = other.terms.items()
        found: dict[Monomial, int] = {}
        for monomial, coefficient in self.terms.items():
            rest = _without(monomial, divisor)
            if rest is None or coefficient % by:
                return None
            found[rest] = coefficient // by
        return Form(found)

    def replaced(self, atom: str, by: "Form") -> "Form":
        """Return it with a form in place of an atom."""
        if atom not in self.atoms:
            return self
        total = constant(0)
        for monomial, coefficient in self.terms.items():
            term = Form({tuple(a for a in monomial if a != atom): coefficient})
            for _ in range(monomial.count(atom)):
                term = term.times(by)
            total = total.plus(term)
        return total

    def __str__(self) -> str:
        """Return it as a program would say it."""
        parts: list[str] = []
        for monomial, coefficient in sorted(self.terms.items(), key=_order):
            factors = [a.lstrip(_NUMBER + _OPAQUE) for a in monomial]
            if abs(coefficient) != 1 or not factors:
                factors.insert(0, str(abs(coefficient)))
            text = "*".join(factors)
            if parts:
                parts.append(f"{'-' if coefficient < 0 else '+'} {text}")
            else:
                parts.append(f"-{text}" if coefficient < 0 else text)
        text = " ".join(parts) or "0"
        alone = [(len(m), c) for m, c in self.terms.items()] == [(1, 1)]
        return text[1:-1] if alone and text.startswith("(") else text

    __repr__ = __str__


def constant(number: int) -> Form:
    """Return a number."""
    return Form({(): number})


def atom(name: str) -> Form:
    """Return an atom alone."""
    return Form({(name,): 1})


def number(name: str) -> Form:
    """Return the int parameter `name`."""
    return atom(_NUMBER + name)


def opaque(count: int) -> Form:
    """Return a number of which nothing is known but which it is."""
    return atom(f"{_OPAQUE}{count}")


def quotient(first: Form, second: Form) -> Form:
    """Return a quotient, rounded down, as an atom whose name says it."""
    parts = (f"({form})" if len(form.terms) > 1 else str(form) for form in (first, second))
    return atom(f"{_OPAQUE}({' // '.join(parts)})")


def is_promise(name: str) -> bool:
    """Whether an atom is the name of a size."""
    return not name.startswith((_NUMBER, _OPAQUE))


def is_given(name: str) -> bool:
    """Whether an atom is an int that the function was given."""
    return name.startswith(_NUMBER)


def product(forms: Iterable[Form]) -> Form:
    """Return the product of all."""
    total = constant(1)
    for form in forms:
        total = total.times(form)
    return total


def _order(term: tuple[Monomial, int]) -> tuple[int, bool, Monomial]:
    monomial, coefficient = term
    return -len(monomial), coefficient < 0, monomial


def _without(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    rest = list(monomial)
    for name in divisor:
        if name not in rest:
            return None
        rest.remove(name)
    return tuple(rest)
