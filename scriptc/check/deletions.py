"""`del`: variables, and items of lists, dicts and objects."""

from scriptc.check import subscripts
from scriptc.check.bindings import forget_paths
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.context import Context
from scriptc.check.desugar.slice_variables import spelled
from scriptc.check.names import read_variable
from scriptc.check.narrowed_items import forget_items
from scriptc.check.present import present_container
from scriptc.check.python.lists import slices as list_slices
from scriptc.syntax import nodes as n
from scriptc_runtime.types import ClassType, DequeType, DictType, ListType


def check_delete(context: Context, node: n.Delete) -> None:
    """Check that each target can be removed."""
    forget_items(context)
    for target in node.targets:
        _delete_target(context, target)


def _delete_target(context: Context, target: n.Expression) -> None:
    match target:
        case n.Tuple(elts=elts):
            for elt in elts:
                _delete_target(context, elt)
        case n.Name(id=name):
            read_variable(context, target, name)
            if name in context.learned.cells:
                context.fail(
                    "del",
                    f"{name!r} may have no value after this, or have one",
                    target,
                    why="which one it is depends on the path",
                    instead="leave the `del` out",
                )
            assert context.env is not None
            context.env = forget_paths(context.env, {name})
            del context.env[name]
        case n.Subscript(value=value):
            base = present_container(context, target, context.typed(value), "del")
            if isinstance(base.type, ClassType | DictType | DequeType):
                context.facts.writes[target] = subscripts.delete_item(context, target, base)
                return
            if not isinstance(base.type, ListType) or base.type.frozen:
                instead = "np.delete(x, i), a new array, or a list"
                context.fail("del", f"{base.type} keeps its parts", target, instead=instead)
            refuse_borrowed(context, target, base, "written to")
            index = spelled(context, target.slice)
            context.facts.writes[target] = list_slices.delete(context, target, base, index)
        case _:
            instead = "variables and items of lists can"
            context.fail("del", "this cannot be removed", target, instead=instead)
