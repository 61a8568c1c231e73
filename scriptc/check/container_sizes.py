"""How many items a container has."""

from scriptc.check.checked import Computation
from scriptc.check.context import Context
from scriptc.check.library.standard import standard_function
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data
from scriptc_runtime.types import Container, DequeType


def size_of(context: Context, at: n.Node, whole: Computation) -> Computation:
    """Return the number of items of a container."""
    assert isinstance(whole.type, Container)
    if isinstance(whole.type, DequeType):
        return context.call(at, standard_function("deques", "deque_len"), (whole,))
    return context.apply(at, data.FIELD, whole, name="used", type=whole.type.fields["used"])
