"""Properties in an `__init__`: what they do becomes a part of it, as there is no object yet.

    def __init__(self, value):              def __init__(self, value):
        self.celsius = value                    self.celsius@setter(value)
        self.warm = self.fahrenheit > 80        self.warm = self.fahrenheit@getter() > 80

Methods that a constructor calls become a part of it in the same way.
"""

from collections.abc import Iterable, Iterator, Sequence

from scriptc.check import init_fields
from scriptc.check.members import PROPERTIES, member_function
from scriptc.check.refusals import refuse
from scriptc.check.scopes import walk_own
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import with_parts
from scriptc.syntax.functions import decorated_span
from scriptc.syntax.inline import rewritten


def with_properties(live: type, node: n.FunctionDef) -> n.FunctionDef:
    """Return an `__init__` that calls the getters and setters of its properties."""
    if not node.args.args:
        return node
    owner = init_fields.owner_of(node)
    found = _reads(live, node, owner)
    reads: dict[n.Expression, n.Expression] = {r: _called(r, init_fields.GETTER, ()) for r in found}
    node = with_parts(node, reads) if reads else node

    def called(statement: n.Statement, _: bool) -> Sequence[n.Statement] | None:
        match statement:
            case n.Assign(targets=(n.Attribute(value=n.Name(id=name)) as target,)):
                if (
                    name == owner
                    and init_fields.method_of(live, target.attr + init_fields.SETTER) is not None
                ):
                    call = _called(target, init_fields.SETTER, (statement.value,))
                    return (n.Expr(statement.lo, statement.hi, call),)
            case _:
                pass
        return None

    fields = {name: getattr(node, name) for name in n.field_names(node)}
    fields["body"] = rewritten(node.body, called)
    return n.FunctionDef(node.lo, node.hi, *fields.values())


def _reads(live: type, node: n.FunctionDef, owner: str) -> Iterator[n.Attribute]:
    """Yield where a constructor reads properties of its object."""
    targets: set[n.Node] = set()
    for part in walk_own(node.body):
        if isinstance(part, n.Assign):
            targets |= set(part.targets)
        if not isinstance(part, n.Attribute) or part in targets:
            continue
        is_own = isinstance(part.value, n.Name) and part.value.id == owner
        is_own = is_own and "@" not in part.attr  # a class may be looked at again
        if is_own and init_fields.method_of(live, part.attr + init_fields.GETTER) is not None:
            yield part


def _called(place: n.Attribute, kind: str, arguments: tuple[n.Expression, ...]) -> n.Call:
    lo, hi = place.lo, place.hi
    return n.Call(lo, hi, n.Attribute(lo, hi, place.value, place.attr + kind), arguments, ())


def refuse_two_meanings(live: type, fields: Iterable[str]) -> None:
    """Refuse fields that are properties, too: CPython would raise where they are assigned."""
    for name in fields:
        if getter := member_function(live, name, PROPERTIES):
            what = f"{name!r} of class {live.__name__} is a field and a property"
            raise refuse("class-field", what, "rename one of them", decorated_span(getter))
