"""Virtual calls: what an object does whose class is one of several.

A value of the type Shape is an object of Shape or of a class that inherits from it.  The classes of
which a program makes objects are known, so `shape.area()` is a choice between them:

    Circle.area(shape) if its class is Circle else Square.area(shape)

Where all of them have one method, there is nothing to choose.
"""

from collections.abc import Callable, Hashable, Sequence

from scriptc.check.bindings import Typed, merge
from scriptc.check.checked import Apply, Computation, Convert, Select
from scriptc.check.context import Context
from scriptc.check.members import class_type, find_member, line_of
from scriptc.check.never_given import as_type, never_gives
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import classes
from scriptc_runtime.record import record
from scriptc_runtime.types import ClassType
from scriptc_runtime.unions import without_dims


@record(eq=False)
class Case:
    """Classes that an object may be of and for which the same is done: `live` is one of them.

    `owner` is the object as one of them; `names` are those that are tested.
    """

    live: type
    owner: Computation
    names: tuple[str, ...]


def cases(
    context: Context, at: Node, owner: Computation, key: Callable[[type], Hashable]
) -> Sequence[Case]:
    """Return the cases of an object, one for each value of `key` among its possible classes."""
    assert isinstance(owner.type, ClassType)
    possible = context.possible_classes(at, owner.type.name)
    groups: dict[Hashable, list[type]] = {}
    for live in possible:
        groups.setdefault(key(live), []).append(live)
    if len(groups) == 1:
        return [Case(possible[0], owner, ())]
    return [_case(owner, owner.type, group) for group in groups.values()]


def _case(owner: Computation, type_: ClassType, group: Sequence[type]) -> Case:
    names = tuple(live.__name__ for live in group)
    first, *others = (line_of(live) for live in group)
    common = next(cls for cls in first if all(cls in line for line in others))
    return Case(group[0], narrowed(owner, common, names, type_), names)


def narrowed(
    owner: Computation, live: type, names: tuple[str, ...], type_: ClassType
) -> Computation:
    """Return an object whose class is one of `names`, which inherit from `live`."""
    if live.__name__ == type_.name or live.__name__ in type_.bases:
        return owner
    attrs = {"cls": live.__name__, "classes": names}
    return Apply(classes.DOWNCAST, (owner,), attrs, class_type(live))


def chosen_of_all(
    context: Context,
    at: Node,
    owner: Computation,
    found: Sequence[Case],
    results: Sequence[Computation | None],
    name: str,
) -> Computation | None:
    """Return the same of a method that is `name`; None where no class has it, and not some."""
    present = [result for result in results if result is not None]
    if not present:
        return None
    if len(present) < len(results):
        (lacking, *_) = (c.live for c, r in zip(found, results, strict=True) if r is None)
        context.fail(
            "class-member",
            f"class {lacking.__name__} has no {name} for this, and others have that this may be",
            at,
            why="which of them it is, only the run knows",
            instead="write the method in each of the classes, or in the base",
        )
    return chosen(context, at, owner, found, present, name)


def chosen(
    context: Context,
    at: Node,
    owner: Computation,
    found: Sequence[Case],
    results: Sequence[Computation],
    name: str,
) -> Computation:
    """Return the result of the case that an object is."""
    if len(results) == 1:
        return results[0]
    ends = [never_gives(result) for result in results]
    given = [(c, r) for c, r, end in zip(found, results, ends, strict=True) if not end or all(ends)]
    merged = Typed(given[0][1].type, context.span(at))
    for case, result in given:
        other = Typed(result.type, context.span(at))
        both = merge(merged, other) or context.unite(merged, other)
        if both is None:
            context.refuse_merge(
                f"{name!r} gives {other.type} in class {case.live.__name__} and {merged.type} in "
                f"{given[0][0].live.__name__}",
                at,
                merged,
                other,
                why="which of them is asked, only the run knows, and an expression has one type",
                instead="annotate the result in both: def ...(self) -> float",
            )
        merged = both
    # What is never given is of no size.
    type_ = without_dims(merged.type) if any(ends) else merged.type
    results = [as_type(r, type_) if never_gives(r) else r for r in results]
    values = [r if r.type == type_ else Convert(r, type_) for r in results]
    return _halved(context, at, owner, list(zip(found, values, strict=True)))


def _halved(
    context: Context, at: Node, owner: Computation, of_cases: Sequence[tuple[Case, Computation]]
) -> Computation:
    """Return the result of the case that an object is: each test leaves half of the cases."""
    if len(of_cases) == 1:
        return of_cases[0][1]
    half = len(of_cases) // 2
    names = tuple(name for case, _ in of_cases[:half] for name in case.names)
    first, second = (
        _halved(context, at, owner, part) for part in (of_cases[:half], of_cases[half:])
    )
    test = context.apply(at, classes.IS_INSTANCE, owner, classes=names)
    return Select(test, first, second, first.type)


def member_key(name: str) -> Callable[[type], Hashable]:
    """Return what tells classes apart by their member of this name.

    A class method is given the class, which is another one for each.
    """

    def key(live: type) -> Hashable:
        member = find_member(live, name)
        if member is not None and isinstance(member.value, classmethod):
            return live
        return None if member is None else id(member.value)

    return key
