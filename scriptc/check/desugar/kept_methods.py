"""Statements of an `__init__` that keep methods of its object: they stand behind the others.

    def __init__(self, name=None):              def __init__(self, name=None):
        self.commands = {"go": self.go}             self.name = name
        self.name = name                            self.commands = {"go": self.go}

The object is made of the fields that are set before something needs it, which are all the others
then.  Nothing tells the two apart: no statement goes behind one that reads the field, or that runs
code which has the object; nor behind one that sets a field on some paths alone, which needs the
object to be there.
"""

from collections.abc import Callable, Iterator

from scriptc.check import init_fields
from scriptc.check.members import find_member
from scriptc.check.scopes import (
    assigned_fields,
    assigned_names,
    fields_assigned_in,
    local_names,
    parameter_names,
    walk,
    walk_own,
)
from scriptc.syntax import nodes as n


def methods_last(
    live: type, node: n.FunctionDef, needs_object: Callable[[n.Statement], bool]
) -> n.Body:
    """Return the statements of an `__init__` in an order in which few wait for its object."""
    keeps = _Keeps(live, node)
    body: list[n.Statement] = []
    waiting: list[n.Statement] = []
    for statement in node.body:
        if keeps.is_kept(statement) and needs_object(statement):
            waiting.append(statement)
            continue
        may_see = keeps.may_see(statement, [_target(w) for w in waiting])
        if waiting and (may_see or keeps.may_not_set(statement)):
            body += waiting
            waiting.clear()
        keeps.take(statement)
        body.append(statement)
    return (*body, *waiting)


def _target(statement: n.Statement) -> n.Expression | None:
    match statement:
        case n.Assign(targets=(target,)):
            return target
        case n.AnnAssign(target=target, value=value) if value is not None:
            return target
        case _:
            return None


class _Keeps:
    """Tells which statements of an `__init__` keep methods, and which may see that they do."""

    def __init__(self, live: type, node: n.FunctionDef) -> None:
        self._live = live
        self._owner = init_fields.owner_of(node)
        self._fields = frozenset(fields_assigned_in(node, self._owner))
        own = local_names(node)
        # What else is a variable may have another value later, or none yet.
        self._changing = own - (frozenset(parameter_names(node)) - assigned_names(node.body))
        self._set: set[str] = set()

    def is_kept(self, statement: n.Statement) -> bool:
        """Whether a statement sets a field to methods, constants and the like, and runs nothing."""
        match _target(statement), statement:
            case (
                n.Attribute(value=n.Name(id=name)),
                n.Assign(value=n.Expression() as value)
                | n.AnnAssign(value=n.Expression() as value),
            ):
                return name == self._owner and self._is_quiet(value)
            case _:
                return False

    def _is_quiet(self, node: n.Expression) -> bool:
        match node:
            case n.Attribute(value=n.Name(id=name), attr=attr) if name == self._owner:
                return (
                    attr not in self._fields and init_fields.method_of(self._live, attr) is not None
                )
            case n.Name(id=name):
                return name != self._owner and name not in self._changing
            case n.Dict(keys=keys, values=values):
                return all(isinstance(k, n.Constant) for k in keys) and all(
                    map(self._is_quiet, values)
                )
            case n.List(elts=elts) | n.Tuple(elts=elts):
                return all(map(self._is_quiet, elts))
            case n.Lambda(args=args):
                return not args.defaults and not any(args.kw_defaults)
            case _:
                return isinstance(node, n.Constant)

    def may_see(self, statement: n.Statement, targets: list[n.Expression | None]) -> bool:
        """Whether a statement leaves, reads the fields, or runs code that has the object."""
        fields = {target.attr for target in targets if isinstance(target, n.Attribute)}
        if any(isinstance(inner, n.Return) for inner in walk_own((statement,))):
            return True
        mentions = sum(
            isinstance(part, n.Name) and part.id in (self._owner, "super")
            for part in walk((statement,))
        )
        plain = [attr for attr in self._attributes(statement) if attr not in fields]
        return mentions != sum(map(self._is_field, plain))

    def may_not_set(self, statement: n.Statement) -> bool:
        """Whether a statement sets a field for the first time, on some paths alone."""
        surely = _surely_set((statement,), self._owner)
        if surely is None:
            return False
        return not assigned_fields((statement,), self._owner) <= self._set | surely

    def take(self, statement: n.Statement) -> None:
        """Note what a statement sets on all paths."""
        self._set |= _surely_set((statement,), self._owner) or set()

    def _attributes(self, statement: n.Statement) -> Iterator[str]:
        for part in walk((statement,)):
            match part:
                case n.Attribute(value=n.Name(id=name), attr=attr) if name == self._owner:
                    yield attr
                case _:
                    pass

    def _is_field(self, attr: str) -> bool:
        """Whether an attribute is no method or property, which may do anything with the object."""
        member = find_member(self._live, attr)
        return member is None or not hasattr(type(member.value), "__get__")


def _surely_set(body: n.Body, owner: str) -> frozenset[str] | None:
    """Return the fields that statements set on all paths; None where they always raise."""
    found: frozenset[str] = frozenset()
    for statement in body:
        match statement:
            case n.Raise():
                return None
            case n.Assign() | n.AnnAssign(value=n.Expression()):
                found |= assigned_fields((statement,), owner)
            case n.If(body=first, orelse=second):
                sure = [_surely_set(part, owner) for part in (first, second)]
                going_on = [fields for fields in sure if fields is not None]
                if not going_on:
                    return None
                found |= {name for name in going_on[0] if name in going_on[-1]}
            case _:
                pass
    return found
