"""Sizes of array axes: a constant, a symbol, a linear form of symbols, or unknown.

    dim = constant | symbol | constant + coefficient*symbol + ... | ?

The normal form sorts the symbols and drops zero coefficients, so equal dims are equal objects.
`?` equals itself as a Python object but says nothing: two `?` need not be the same size.
"""

from collections.abc import Mapping

from scriptc_runtime.record import record


@record
class Dim:
    """`constant` + the sum of `coefficient * symbol`; not `known` means any size."""

    constant: int = 0
    terms: tuple[tuple[str, int], ...] = ()
    known: bool = True

    @property
    def is_constant(self) -> bool:
        """Whether the size is a number."""
        return self.known and not self.terms

    def same(self, other: "Dim") -> bool:
        """Whether both are proven to be one size; `?` is never proven."""
        return self.known and self == other

    def substitute(self, bindings: Mapping[str, "Dim"]) -> "Dim":
        """Replace symbols by dims; a symbol without a binding becomes unknown."""
        if not self.known:
            return self
        total = Dim(self.constant)
        for symbol, coefficient in self.terms:
            total = total.plus(bindings.get(symbol, UNKNOWN).times(coefficient))
        return total

    def plus(self, other: "Dim") -> "Dim":
        """Return the sum, in normal form."""
        if not (self.known and other.known):
            return UNKNOWN
        terms = dict(self.terms)
        for symbol, coefficient in other.terms:
            terms[symbol] = terms.get(symbol, 0) + coefficient
        kept = tuple(sorted((s, c) for s, c in terms.items() if c))
        return _held(Dim(self.constant + other.constant, kept))

    def times(self, factor: int) -> "Dim":
        """Return the product with a number, in normal form."""
        if not self.known:
            return UNKNOWN
        terms = tuple((s, c * factor) for s, c in self.terms) if factor else ()
        return _held(Dim(self.constant * factor, terms))

    def __str__(self) -> str:
        if not self.known:
            return "?"
        parts = [s if c == 1 else f"{c}*{s}" for s, c in self.terms]
        if self.constant or not parts:
            parts.append(str(self.constant))
        return "+".join(parts)

    __repr__ = __str__  # as it stands in an annotation


UNKNOWN = Dim(known=False)
ONE = Dim(1)


def _held(dim: Dim) -> Dim:
    """Return a dim, or unknown where 64 bits do not hold its numbers: no array has such a size."""
    numbers = (dim.constant, *(coefficient for _, coefficient in dim.terms))
    return dim if all(-(2**63) <= n < 2**63 for n in numbers) else UNKNOWN


def symbol(name: str) -> Dim:
    """Return the dim that is just `name`."""
    return Dim(0, ((name, 1),))


def merge(first: Dim, second: Dim) -> Dim:
    """Return what is known of a size that is one of two."""
    return first if first.same(second) else UNKNOWN


def broadcast(first: Dim, second: Dim) -> tuple[Dim, bool]:
    """Return the size of two axes broadcast together, and whether they may fail to fit.

    Raises ValueError where they can never fit.
    """
    if first.same(second) or second == ONE:
        return first, False
    if first == ONE:
        return second, False
    if first.is_constant and second.is_constant:
        raise ValueError(f"{first} and {second}")
    # The constant side is the result whether the other turns out equal or 1.
    if first.is_constant:
        return first, True
    if second.is_constant:
        return second, True
    return UNKNOWN, True
