"""Quotients of sizes, rounded down: `n // 2`, the size of `x[::2]`.

A quotient is an atom of which the parts are known: `n // 2` is n / 2 less a rest below 1. So it is
seen to differ from n, however large the rest is, and not from `n - n // 2`.
"""

from collections.abc import Mapping

from scriptc.analysis.size_promises.forms import Form, constant, is_promise, quotient
from scriptc_runtime.record import record

# The powers of atoms, which may be negative.
Powers = tuple[tuple[str, int], ...]
_NO_REST = float("-inf")


@record(eq=False)
class Estimate:
    """What a form is but for rests: a polynomial over a number, and how fast rests grow.

    They grow as `growth` counts it. The number is above 0. (`fractions` takes longer to load than
    all of this.)
    """

    terms: Mapping[Powers, int]
    rest: float = _NO_REST
    by: int = 1

    @property
    def growth(self) -> float:
        """How fast it grows: as the power of a large number; n // m grows more slowly than n."""
        return max(map(_growth, self.terms), default=_NO_REST)

    @property
    def is_certain(self) -> bool:
        """Whether it is not zero, whatever the rests are, where names of sizes are large."""
        return self.growth > self.rest

    @property
    def sign(self) -> int | None:
        """The sign, None if that is not certain."""
        if not self.is_certain:
            return None
        signs = {c > 0 for p, c in self.terms.items() if _growth(p) > 0 or self.growth <= 0}
        return None if len(signs) != 1 else 1 if signs.pop() else -1

    def plus(self, other: "Estimate") -> "Estimate":
        """Return the sum."""
        terms = {powers: c * other.by for powers, c in self.terms.items()}
        for powers, c in other.terms.items():
            terms[powers] = terms.get(powers, 0) + c * self.by
        kept = {powers: c for powers, c in terms.items() if c}
        return Estimate(kept, max(self.rest, other.rest), self.by * other.by)

    def times(self, other: "Estimate") -> "Estimate":
        """Return the product."""
        total = Estimate({})
        for first, a in self.terms.items():
            for second, b in other.terms.items():
                total = total.plus(Estimate({_product(first, second): a * b}))
        rests = self.rest + other.growth, other.rest + self.growth, self.rest + other.rest
        return Estimate(total.terms, max(rests), self.by * other.by)

    def over(self, other: "Estimate") -> "Estimate | None":
        """Return the quotient, rounded down; None if the divisor is more than one summand."""
        if len(other.terms) != 1 or other.rest != _NO_REST:
            return None
        ((powers, c),) = other.terms.items()
        sign = 1 if c > 0 else -1
        inverse = Estimate({tuple((a, -n) for a, n in powers): sign * other.by}, by=abs(c))
        found = self.times(inverse)
        return Estimate(found.terms, max(0.0, self.rest - other.growth), found.by)


class Quotients:
    """The quotients of a program, each the same atom wherever it is computed."""

    def __init__(self) -> None:
        self._parts: dict[str, tuple[Form, Form]] = {}

    def of(self, first: Form, second: Form) -> Form | None:
        """Return a quotient, rounded down; None of a division by zero."""
        if not second.terms:
            return None
        exact = first.divided(second)
        if exact is not None:
            return exact
        if second.is_constant and second.constant > 0:
            return self._by_number(first, second.constant)
        return self._atom(first, second)

    def _by_number(self, first: Form, by: int) -> Form:
        whole = Form({m: c // by for m, c in first.terms.items()})
        rest = Form({m: c % by for m, c in first.terms.items()})
        # All but the last place of what a number divides is a whole number.
        return whole if rest.is_constant else whole.plus(self._atom(rest, constant(by)))

    def _atom(self, first: Form, second: Form) -> Form:
        found = quotient(first, second)
        (name,) = found.atoms
        self._parts[name] = first, second
        return found

    def estimate(self, form: Form) -> Estimate | None:
        """Return what a form is but for rests; None if something in it is not known."""
        total = Estimate({})
        for monomial, coefficient in form.terms.items():
            term = Estimate({(): coefficient})
            for atom in monomial:
                factor = self._factor(atom)
                if factor is None:
                    return None
                term = term.times(factor)
            total = total.plus(term)
        return total

    def _factor(self, atom: str) -> Estimate | None:
        if is_promise(atom):
            return Estimate({((atom, 1),): 1})
        if atom not in self._parts:
            return None
        first, second = map(self.estimate, self._parts[atom])
        return None if first is None or second is None else first.over(second)

    def names_in(self, form: Form) -> frozenset[str]:
        """Return the atoms of a form and of the quotients in it."""
        inner = (part for atom in form.atoms for part in self._parts.get(atom, ()))
        return form.atoms.union(*map(self.names_in, inner))


def _product(first: Powers, second: Powers) -> Powers:
    powers = dict(first)
    for atom, power in second:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted((atom, power) for atom, power in powers.items() if power))


def _growth(powers: Powers) -> float:
    """Return how fast a product grows: a size is larger than what it is divided by."""
    return sum(power if power > 0 else power / 2 for _, power in powers)
