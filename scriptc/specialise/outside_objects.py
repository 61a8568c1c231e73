"""The objects outside that code makes, and by which guards a call looks at them before."""

from collections.abc import Sequence

from scriptc.cache.dependencies import Dependencies
from scriptc.cache.guards import HeldGuard
from scriptc.check.checked import CheckedFunction, MadeOutside
from scriptc.values.outside_places import is_container
from scriptc_runtime.errors import Diagnostic, Span, TypeCheckError
from scriptc_runtime.types import TensorType, Type


def refuse_foreign(root: CheckedFunction, dependencies: Dependencies) -> None:
    """Refuse objects of the classes of other packages, which no guard looks at."""
    seen = {id(guard.live) for guard in dependencies.guards if isinstance(guard, HeldGuard)}
    for value in _made(root):
        if id(value) not in seen:
            raise TypeCheckError(
                Diagnostic(
                    "captured-value",
                    f"the script works with an object of {type(value).__qualname__} outside",
                    _head(root),
                    why="objects outside are looked at before each call where their classes are of "
                    "the package of the script or of a function that it calls, and not too many",
                    instead="pass it as an argument, with @script for its class",
                )
            )


def refuse_two_types(root: CheckedFunction) -> None:
    """Refuse a list or the like that is of one type by one way to it, and of another by another."""
    known: dict[int, Type] = {}
    for capture in root.captures:
        type_ = known.setdefault(id(capture.value), capture.type)
        is_array = isinstance(capture.type, TensorType)
        if type_ != capture.type and is_container(capture.value) and not is_array:
            message = f"{capture.name!r} outside is taken for {capture.type} and for {type_}"
            instead = "annotate the field that holds it in the body of its class"
            raise TypeCheckError(
                Diagnostic("captured-value", message, _head(root), instead=instead)
            )


def _head(root: CheckedFunction) -> Span:
    return Span(root.source, root.node.lo, root.node.lo + len(f"def {root.name}"))


def watched(
    root: CheckedFunction, dependencies: Dependencies, captures: Sequence[int]
) -> tuple[int, ...]:
    """Return the numbers of the guards of objects outside that the code depends on."""
    made = {id(value) for value in _made(root)}
    guards = list(enumerate(dependencies.guards))
    held = [number for number, g in guards if isinstance(g, HeldGuard) and id(g.live) in made]
    return (*held, *(number for number, g in guards if number in captures and g.is_watched))


def _made(root: CheckedFunction) -> list[object]:
    """Return the objects outside that a root makes at its beginning."""
    return [c.value.value for c in root.made if isinstance(c.value, MadeOutside)]
