"""Which operand of an operator is asked first: the right one, where it knows more than the left.

Python asks the left operand, unless the class of the right one inherits from the class of the left
and answers for it:

    B() + D()    D.__radd__ first, then B.__add__       where D has another __radd__ than B
    B() < D()    D.__gt__ first, then B.__lt__          whether or not D inherits it from B

It is so of classes of objects, which only the run knows, so the operator is a choice between them.
"""

from collections.abc import Callable

from scriptc.check.checked import Computation
from scriptc.check.context import Context
from scriptc.check.dispatch import Case, cases, chosen_of_all
from scriptc.check.members import line_of
from scriptc.syntax.nodes import Node
from scriptc_runtime.types import ClassType

# Whether an object of the second class is asked before one of the first.
Precedes = Callable[[type, type], bool]
# What an operator gives for two operands, of which the right one is asked first, or is not.
Asked = Callable[[Computation, Computation, bool], Computation | None]


def inherits(live: type, base: type) -> bool:
    """Whether a class inherits from another one."""
    return live is not base and base in line_of(live)


def in_order(
    context: Context,
    at: Node,
    name: str,
    sides: tuple[Computation, Computation],
    precedes: Precedes,
    asked: Asked,
) -> Computation | None:
    """Return what an operator gives, its operands asked in the order of Python."""
    left, right = sides
    if not (isinstance(left.type, ClassType) and isinstance(right.type, ClassType)):
        return asked(left, right, False)
    lefts, rights = context.made_of(left.type.name), context.made_of(right.type.name)
    if not any(precedes(one, two) for two in rights for one in lefts):
        return asked(left, right, False)
    found = cases(context, at, right, lambda two: tuple(precedes(one, two) for one in lefts))

    def of_left(case: Case) -> Computation | None:
        groups = cases(context, at, left, lambda one: precedes(one, case.live))
        results = [asked(g.owner, case.owner, precedes(g.live, case.live)) for g in groups]
        return chosen_of_all(context, at, left, groups, results, name)

    return chosen_of_all(context, at, right, found, [of_left(case) for case in found], name)
