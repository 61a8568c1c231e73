"""What a path of a program has learned of sizes, and conditions that teach it.

A fact is a form that is zero: after `assert n == m` it is `N - M`. A fact that is linear in an atom
replaces that atom by the others. Of atoms in facts of another kind nothing is known for sure, so
they are in doubt: no size with them is reported.
"""

from collections.abc import Iterable, Sequence

from scriptc.analysis.size_promises.forms import Form, is_promise
from scriptc.analysis.size_promises.quotients import Quotients
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record, replace


@record
class Facts:
    """The forms that are zero, what they say of atoms, and the atoms that are in doubt.

    `quotients` knows the quotients of the program.
    """

    zeros: tuple[Form, ...] = ()
    doubts: frozenset[str] = frozenset()
    solved: tuple[tuple[str, Form], ...] = ()
    quotients: Quotients | None = None

    def reduced(self, form: Form) -> Form:
        """Return a form without the atoms that facts replace."""
        for name, by in self.solved:
            form = form.replaced(name, by)
        return form

    def with_zero(self, zero: Form) -> "Facts":
        """Return the facts with one more; one that cannot be says nothing."""
        rest = self.reduced(zero)
        if rest.is_constant:
            return self
        name = _soluble(rest)
        if name is None:
            doubts = self.doubts | rest.atoms
            return replace(self, zeros=(*self.zeros, zero), doubts=doubts)
        by = Form({m: -c * rest.terms[(name,)] for m, c in rest.terms.items() if m != (name,)})
        solved = tuple((n, f.replaced(name, by)) for n, f in self.solved)
        return replace(self, zeros=(*self.zeros, zero), solved=(*solved, (name, by)))

    def with_learned(self, learned: "Learned") -> "Facts":
        """Return the facts with all that a condition teaches."""
        facts = self
        for zero in learned.zeros:
            facts = facts.with_zero(zero)
        if learned.doubts <= facts.doubts:
            return facts
        return replace(facts, doubts=facts.doubts | learned.doubts)

    def is_known(self, form: Form) -> bool:
        """Whether a form has names of sizes, quotients of them and ints that are given alone."""
        if not form.is_opaque:
            return True
        return self.quotients is not None and self.quotients.estimate(form) is not None

    def is_certain(self, form: Form) -> bool:
        """Whether a form with quotients is not zero, whatever their rests are."""
        found = None if self.quotients is None else self.quotients.estimate(form)
        return found is not None and found.is_certain

    def sign_of(self, form: Form) -> int | None:
        """Return the sign of a form where names of sizes are large; None if that is not known."""
        if not self.names_in(form).isdisjoint(self.doubts):
            return None
        if not form.is_opaque or self.quotients is None:
            return form.sign
        found = self.quotients.estimate(form)
        return None if found is None else found.sign

    def names_in(self, form: Form) -> frozenset[str]:
        """Return the atoms in a form and in its quotients."""
        return form.atoms if self.quotients is None else self.quotients.names_in(form)

    def quotient(self, first: Form, second: Form) -> Form | None:
        """Return a quotient, rounded down; None if there are none."""
        return first.divided(second) if self.quotients is None else self.quotients.of(first, second)

    def beyond(self, before: "Facts") -> "Learned":
        """Return what has been learned since."""
        zeros = tuple(zero for zero in self.zeros if zero not in before.zeros)
        return Learned(zeros, self.doubts - before.doubts)


NO_FACTS = Facts()


@record
class Learned:
    """Forms that are zero, and atoms that are in doubt."""

    zeros: tuple[Form, ...] = ()
    doubts: frozenset[str] = frozenset()

    def plus(self, other: "Learned") -> "Learned":
        """Return both together."""
        return Learned((*self.zeros, *other.zeros), self.doubts | other.doubts)


NOTHING = Learned()


def either(ways: Sequence[Learned]) -> Learned:
    """Return what holds if one of several does.

    What all of them say something of, but not the same, is in doubt.
    """
    if len(ways) == 1:
        return ways[0]
    if not ways:
        return NOTHING
    common = tuple(z for z in ways[0].zeros if all(z in way.zeros for way in ways[1:]))
    told = [way.doubts | _atoms(z for z in way.zeros if z not in common) for way in ways]
    return Learned(common, frozenset[str].intersection(*told))


def joined(before: Facts, ways: Sequence[Facts]) -> Facts:
    """Return the facts where several paths meet that all begin with `before`."""
    if all(way is ways[0] for way in ways):
        return ways[0]
    return before.with_learned(either([way.beyond(before) for way in ways]))


Blame = tuple[Form, Form]


@record
class Condition:
    """A bool: what its being true teaches, what its being false does, and which it is.

    `verdict` is what it is if the names of sizes keep their promise, None if that does not decide
    it; `is_exact` if it is so for all sizes. `blame` are the two sizes that decide it.
    """

    true: Learned = NOTHING
    false: Learned = NOTHING
    verdict: bool | None = None
    blame: Blame | None = None
    is_exact: bool = False

    @property
    def negated(self) -> "Condition":
        """The opposite."""
        verdict = None if self.verdict is None else not self.verdict
        return Condition(self.false, self.true, verdict, self.blame, self.is_exact)

    def both(self, other: "Condition") -> "Condition":
        """Return whether both hold."""
        verdicts = self.verdict, other.verdict
        verdict = False if False in verdicts else None if None in verdicts else True
        blames = [c.blame for c in (self, other) if c.verdict is verdict]
        false = [c.false for c in (self, other) if not (c.is_exact and c.verdict)]
        return Condition(
            self.true.plus(other.true),
            either(false),
            verdict,
            None if verdict is None else telling(blames),
            any(c.is_exact and c.verdict is verdict for c in (self, other)) and not verdict,
        )


UNKNOWN_CONDITION = Condition()


def telling(blames: Iterable[Blame | None]) -> Blame | None:
    """Return the two sizes that tell most: those of which neither is a number, or the first."""
    found = [blame for blame in blames if blame]
    named = [blame for blame in found if not any(size.is_constant for size in blame)]
    return next(iter(named or found), None)


def fixed(value: bool) -> Condition:
    """Return a constant."""
    return Condition(verdict=value, is_exact=True)


def equal(first: Form, second: Form, facts: Facts) -> Condition:
    """Return whether two ints are equal."""
    difference = facts.reduced(first.minus(second))
    if difference.is_constant and not difference.constant:
        return fixed(True)
    if first.is_constant and second.is_constant:
        return fixed(False)
    learned = Learned((difference,))
    if differ(first, second, facts):
        blame = facts.reduced(first), facts.reduced(second)
        return Condition(true=learned, verdict=False, blame=blame)
    return Condition(true=learned)


def differ(first: Form, second: Form, facts: Facts) -> bool:
    """Whether two sizes are not equal if the names of sizes keep their promise."""
    first, second = facts.reduced(first), facts.reduced(second)
    if not (facts.is_known(first) and facts.is_known(second)):
        return False
    difference = first.minus(second)
    if difference.is_constant:
        return difference.constant != 0
    if not facts.names_in(difference).isdisjoint(facts.doubts):
        return False
    return difference.is_promised or facts.is_certain(difference)


def less(first: Form, second: Form, facts: Facts) -> Condition:
    """Return whether an int is less than another.

    Names of sizes are large: on the way that they do not take, they are in doubt.
    """
    difference = facts.reduced(first.minus(second))
    if difference.is_constant:
        return fixed(difference.constant < 0)
    sign = facts.sign_of(difference)
    if sign is None:
        return UNKNOWN_CONDITION
    doubts = Learned(doubts=facts.names_in(difference))
    if sign < 0:
        return Condition(false=doubts, verdict=True)
    return Condition(true=doubts, verdict=False)


def compared(op: OpDef, first: Form, second: Form, facts: Facts) -> Condition | None:
    """Return what an op that compares says of two ints; None for another op."""
    match op:
        case e.EQ:
            return equal(first, second, facts)
        case e.NE:
            return equal(first, second, facts).negated
        case e.LT:
            return less(first, second, facts)
        case e.GT:
            return less(second, first, facts)
        case e.LE:
            return less(second, first, facts).negated
        case e.GE:
            return less(first, second, facts).negated
        case _:
            return None


def _atoms(forms: Iterable[Form]) -> frozenset[str]:
    return frozenset(name for form in forms for name in form.atoms)


def _soluble(form: Form) -> str | None:
    """Return an atom that a form which is zero gives: at best one of which nothing is known."""
    linear = [m[0] for m, c in form.terms.items() if len(m) == 1 and abs(c) == 1]
    alone = [a for a in linear if sum(a in m for m in form.terms) == 1]
    return min(alone, key=lambda a: (is_promise(a), not a.startswith("?"), a), default=None)
