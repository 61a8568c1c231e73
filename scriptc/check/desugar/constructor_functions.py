"""Functions inside of an `__init__` that read fields, which are variables until the object is made.

    points.sort(key=lambda p: p[self.axis])     reads the variable self.axis when it is called

A function that is kept, and so may be called after its object is made, is refused.
"""

from collections.abc import Iterator

from scriptc.check import init_fields
from scriptc.check.checked import CheckedClass
from scriptc.check.scopes import free_names, walk
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import with_parts


def checked_init(declared: CheckedClass, node: n.FunctionDef) -> n.FunctionDef:
    """Return an `__init__` as it is checked: late fields have a value, and fields are variables."""
    node = init_fields.with_first_values(declared.live, node, sorted(declared.late))
    return with_field_variables(node, frozenset(declared.names))


def with_field_variables(node: n.FunctionDef, fields: frozenset[str]) -> n.FunctionDef:
    """Return an `__init__` whose nested functions read the variables of `fields`.

    A function that does more with the object stays as it is, and is refused.
    """
    owner = init_fields.owner_of(node)
    given: dict[n.Expression, n.Expression] = {}
    for inner in walk(node.body):
        if not isinstance(inner, n.FunctionDef | n.Lambda) or owner not in free_names(inner):
            continue
        reads = [read for read in _parts(inner, owner) if read.attr in fields]
        names = (part for part in walk((inner,)) if isinstance(part, n.Name))
        if len(reads) == sum(name.id == owner for name in names) and not _assigns(inner, owner):
            given |= {r: n.Name(r.lo, r.hi, f"{owner}.{r.attr}") for r in reads}
    return with_parts(node, given) if given else node


def _parts(function: n.Node, owner: str) -> Iterator[n.Attribute]:
    """Yield where a function mentions attributes of the object."""
    for node in walk((function,)):
        if not isinstance(node, n.Attribute) or not isinstance(node.value, n.Name):
            continue
        if node.value.id == owner:
            yield node


def _assigns(function: n.Node, owner: str) -> bool:
    """Whether a function assigns or deletes an attribute of the object."""
    for node in walk((function,)):
        targets = getattr(node, "targets", None) or (getattr(node, "target", None),)
        if any(isinstance(t, n.Node) and list(_parts(t, owner)) for t in targets):
            return True
    return False
