"""Values that are never given, as what computes them always raises, and where that may be."""

from scriptc.check.checked import Apply, Check, Computation, Convert, Invoke, Literal, Select
from scriptc.check.context import Context
from scriptc_runtime.ops import unions
from scriptc_runtime.types import NONE, Type
from scriptc_runtime.unions import members_of, union_of


def never_gives(found: Computation) -> bool:
    """Whether a computation always raises, as the functions that it calls do."""
    match found:
        case Invoke(never=never):
            return never
        case Select(when_true=first, when_false=second):
            return never_gives(first) and never_gives(second)
        case Convert(source):
            return never_gives(source)
        case Check(Literal(value=False)):
            return True
        case Apply(op=unions.HELD, operands=(held,)):
            return never_gives(held)
        case _:
            return False


def as_type(found: Computation, type_: Type) -> Computation:
    """Return a computation that gives nothing where a value of `type_` is expected."""
    whole = union_of((type_, NONE))
    if found.type == type_ or whole is None:
        return found
    if NONE in members_of(type_):
        return Convert(found, type_) if found.type is NONE else found
    return Apply(unions.HELD, (Convert(found, whole),), {"type": type_}, type_)


def may_raise(context: Context) -> bool:
    """Whether what is checked is one of several cases, or expected to raise.

    Elsewhere what always raises is a mistake, of which the compiler tells.
    """
    return context.arms_around > 1 or context.tolerates > 0 or context.learned.may_raise
