"""How containers compare their items: an object equals itself there, whatever its `__eq__` says.

    x in xs     any(x is item or x == item for item in xs)

So do `index`, `count` and `remove`, keys of dicts, items of sets, and lists and tuples that are
compared. Objects that refer to each other in a ring are found by this without going round in it.
"""

from collections.abc import Callable

from scriptc.check.checked import Computation, Literal, Select
from scriptc.check.context import Context
from scriptc.check.protocols import identity
from scriptc.syntax.nodes import Node
from scriptc_runtime.types import BOOL, ClassType

Equal = Callable[[], Computation]  # whether two items are equal, as a bool
# The files whose functions compare the items of containers.
_CONTAINERS = frozenset(
    f"stdlib.{name}"
    for name in ("list_methods", "deques", "dicts", "hash_sets", "dict_views", "objects")
)


def in_containers(
    context: Context, at: Node, left: Computation, right: Computation, equal: Equal
) -> Computation | None:
    """Return what `left == right` is in the functions of containers; None elsewhere."""
    if context.function.__module__ not in _CONTAINERS:
        return None
    if not (isinstance(left.type, ClassType) and isinstance(right.type, ClassType)):
        return None
    same = identity(context, at, left, right, is_identity=False)
    return None if isinstance(same, Literal) else Select(same, Literal(True, BOOL), equal(), BOOL)
