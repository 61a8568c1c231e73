"""Operations on unions that no test has narrowed: one arm for each member, chosen by the tag.

    x + y               where x is int | str, y is int:      x + y  if x is an int,
                                                             TypeError, as CPython's, if it is a str

An arm is the operation once more, in which what is of several types has one of them.  Where the
language has no such operation, the arm raises what CPython does: CPython itself is asked for it,
with a value of each type.  What it does not refuse is refused here.
"""

from collections.abc import Mapping, Sequence
from typing import NoReturn

from scriptc.check.arm_errors import otherwise
from scriptc.check.arm_operands import operands, union_in
from scriptc.check.bindings import Environment, Typed, join, merge, unite_all
from scriptc.check.checked import Arm, MemberArms
from scriptc.check.context import Context
from scriptc.check.desugar.never_returning import ending, never_returns
from scriptc.check.present import narrow_name, take_back, widen_name
from scriptc.check.python import type_errors
from scriptc.check.scopes import walk
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import with_parts
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.record import replace
from scriptc_runtime.types import BIGINT, BYTES, INT, NONE, STR, Type, is_number
from scriptc_runtime.unions import members_of

_MOST_ARMS = 64  # of one operation


def check_arms(
    context: Context, node: n.Expression, expected: Type | None, refusal: TypeCheckError
) -> Typed:
    """Check an operation, which was refused, for each member of an operand that is a union."""
    for part in operands(context, node):
        take_back(context, part)
    found = None if refusal is context.judged else union_in(context, node)
    if found is None:
        if refusal is not context.judged:
            refusal = ending(context, node, refusal)
        context.judged = refusal
        raise refusal
    if isinstance(found, n.Name):
        widen_name(context, found)
    members = members_of(context.facts.types[found])
    if context.arms_around * len(members) > _MOST_ARMS:
        context.fail(
            "type-size",
            f"an operation on more than {_MOST_ARMS} types at once",
            node,
            why="it is compiled for every one of them",
            instead="test with isinstance before, which leaves fewer",
        )
    return _Arms(context, node, found, members).check(expected, refusal)


class _Arms:
    """The arms of one operation, of which `subject` is the part that is a union."""

    def __init__(
        self, context: Context, node: n.Expression, subject: n.Expression, members: Sequence[Type]
    ) -> None:
        self._context = context
        self._node = node
        self._subject = subject
        self._members = members

    def check(self, expected: Type | None, refusal: TypeCheckError) -> Typed:
        context, node = self._context, self._node
        names = self._named()
        firsts: list[tuple[str, n.Expression]] = []
        for part, name in names.items():
            value = self._checked(part) or context.typed(part)
            assert context.env is not None
            context.env[name] = replace(value, unites=False)
            context.locals |= {name}
            firsts.append((name, part))
        subject = names.get(self._subject) or _name(self._subject)
        # What is evaluated before is in no arm, however many it has itself.
        context.arms_around *= len(self._members)
        try:
            values, arms, ends = self._each(subject, names, expected, refusal)
        finally:
            context.arms_around //= len(self._members)
        context.env = ends
        left = [arm.member for arm in arms if not arm.kind and arm.beside is None]
        if len(left) == 1:
            narrow_name(context, self._subject, left[0], node)
        for name in names.values():
            (ends or {}).pop(name, None)
        merged = _merged(values)
        if merged is None:
            self._refuse_results(values)
        for known in (context.facts.constants, context.facts.steps, context.facts.expanded):
            known.pop(node, None)
        context.facts.arms_of_members[node] = MemberArms(tuple(firsts), subject, tuple(arms))
        context.facts.types[node] = merged.type
        return Typed(merged.type, context.span(node))

    def _refuse_results(self, values: Sequence[Typed]) -> NoReturn:
        """Refuse results of several types; lists that meet hold more in the next check."""
        first = values[0]
        other = next(value for value in values if _merged((first, value)) is None)
        self._context.refuse_merge(
            f"the result is {first.type} or {other.type}",
            self._node,
            first,
            other,
            why="an expression has one type",
        )

    def _named(self) -> Mapping[n.Expression, str]:
        """Return names for the parts that are evaluated before the arms."""
        context, parts = self._context, operands(self._context, self._node)
        binds = any(isinstance(inner, n.NamedExpr) for part in parts for inner in walk((part,)))
        found: dict[n.Expression, str] = {}
        for place, part in enumerate(parts):
            plain = isinstance(part, n.Constant) or (
                isinstance(part, n.Name)
                and part.id in context.locals - context.shared - context.learned.cells.keys()
                and not binds
            )
            if part in context.facts.types and not plain:
                found[part] = f"operand{place}@{self._node.lo}.{self._node.hi}"
        return found

    def _checked(self, part: n.Expression) -> Typed | None:
        """Return a part that was checked before the operation was refused, where its type says all.

        To check the parts of parts again would take twice as long for each operator of a chain.
        """
        type_ = self._context.facts.types[part]
        says_all = all(map(_is_scalar, members_of(type_)))
        if not says_all or any(isinstance(inner, n.NamedExpr) for inner in walk((part,))):
            return None
        return Typed(type_, self._context.span(part))

    def _each(
        self,
        subject: str,
        names: Mapping[n.Expression, str],
        expected: Type | None,
        refusal: TypeCheckError,
    ) -> tuple[list[Typed], list[Arm], Environment | None]:
        context = self._context
        before = context.env
        assert before is not None
        found = before.get(subject)
        type_ = context.facts.types[self._subject]
        whole = found if isinstance(found, Typed) else Typed(type_, context.span(self._subject))
        values: list[Typed] = []
        arms: list[Arm] = []
        ends: Environment | None = None
        for member in self._members:
            arm = self._copy(member, names)
            narrowed = replace(whole, type=member, known=None, length=None)
            context.env = {**before, subject: narrowed}
            if raised := self._of_index(member):
                arms.append(Arm(member, None, *raised))
                continue
            try:
                value = context.attempt(arm, expected)
            except TypeCheckError as error:
                other = otherwise(context, member, arm) or self._of_both(member, arm)
                if other is None:
                    context.judged = error
                    raise
                arms.append(other)
                if other.value is None:
                    continue
                value = context.typed(other.value)
            else:
                never = never_returns(context, arm)
                arms.append(Arm(member, arm, RuntimeError.__name__ if never else ""))
                value = None if never else value
            if value is not None:
                values.append(value)
            ends = join(ends, _restored(context, subject, whole))
        if not any(arm.value for arm in arms if not arm.kind):
            context.judged = refusal
            raise refusal
        if not values:
            raise context.not_known_yet(self._node)
        # What raises is told apart first.
        return values, sorted(arms, key=lambda arm: arm.value is not None and not arm.kind), ends

    def _of_both(self, member: Type, arm: n.Expression) -> Arm | None:
        """Return what `x + y` or `min(x, y)` raises for a member of `x`, whatever `y` holds."""
        if not isinstance(arm, n.BinOp | n.Compare | n.Call):
            return None
        types = self._context.facts.types
        others = [p for p in operands(self._context, arm) if len(members_of(types.get(p, INT))) > 1]
        if len(others) != 1 or not isinstance(others[0], n.Name):
            return None
        held = types[others[0]]
        found: list[Arm] = []
        for one in members_of(held):
            types[others[0]] = one
            raised = otherwise(self._context, one, arm)
            if raised is not None and raised.value is None:
                found.append(raised)
        types[others[0]] = held
        if len(found) < len(members_of(held)):
            return None
        return Arm(member, None, beside=(others[0].id, tuple(found)))

    def _of_index(self, member: Type) -> type_errors.Error | None:
        """Return what a member raises that is the index of an array."""
        node = self._node
        if not isinstance(node, n.Subscript) or node.slice is not self._subject:
            return None
        return type_errors.of_index(self._context.facts.types.get(node.value), member)

    def _copy(self, member: Type, names: Mapping[n.Expression, str]) -> n.Expression:
        """Return the operation once more: the same node in all passes."""
        key = (self._node, self._context.path, member)
        found = self._context.learned.arms.get(key)
        if found is None:
            given = {part: n.Name(part.lo, part.hi, name) for part, name in names.items()}
            found = with_parts(self._node, given)
            self._context.learned.arms[key] = found
        return found


def _is_scalar(type_: Type) -> bool:
    return is_number(type_) or type_ in (BIGINT, STR, BYTES, NONE)


def _name(node: n.Expression) -> str:
    assert isinstance(node, n.Name)
    return node.id


def _merged(values: Sequence[Typed]) -> Typed | None:
    """Return what the results of all arms have in common."""
    plain = [replace(value, literals=()) for value in values]
    merged = plain[0]
    for value in plain[1:]:
        both = merge(merged, value) if merged.type == value.type else None
        if both is None:
            return unite_all(plain)
        merged = both
    return merged


def _restored(context: Context, subject: str, whole: Typed) -> Environment | None:
    """Return the variables after the arm of a member, where the subject is of any again."""
    if context.env is not None:
        context.env[subject] = whole
    return context.env
