"""Builtin functions that ask an object for a number: `float(x)` is `x.__float__()`."""

from collections.abc import Sequence

from scriptc.check import protocols
from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Convert
from scriptc.check.library.call import Library, LibraryCall
from scriptc_runtime.record import replace
from scriptc_runtime.types import BIGINT, FLOAT, INT, ClassType, Type


def of_objects(plain: Library, methods: Sequence[str], result: Type | None = None) -> Library:
    """Return a function that calls the first of these methods that its argument has.

    What is no object goes to the `plain` one. `result` is the type that the method must return.
    """
    name = plain.names[0]

    def check(call: LibraryCall) -> Typed:
        if name not in call.values or not isinstance(call.typed(name).type, ClassType):
            return plain.check(call)
        owner = call.operand(name)
        more = [call.operand(other) for other in call.values if other != name]
        for method in methods:
            found = protocols.called(call.context, call.node, method, owner, *more)
            if found is None:
                continue
            if method == "__index__" and result is FLOAT and found.type in (INT, BIGINT):
                found = Convert(found, FLOAT)
            is_whole = result is INT and found.type is BIGINT
            if result is not None and found.type != result and not is_whole:
                message = f"{owner.type}.{method} returns {found.type}, not {result}"
                call.refuse(message, call.nodes[name], f"return {result}(...)")
            return call.result(found)
        call.refuse(
            f"{owner.type} has no {' or '.join(methods)}",
            call.nodes[name],
            f"write the method: def {methods[0]}(self): ...",
        )

    return replace(plain, check=check)


def divmod_of_objects(call: LibraryCall, left: Computation, right: Computation) -> Typed:
    """Check `divmod(x, y)` of which one is an object: its `__divmod__`, or `__rdivmod__`."""
    names = ("__divmod__", "__rdivmod__")
    found = protocols.reflecting(call.context, call.node, names, left, right)
    if found is None:
        call.refuse(
            f"{left.type} and {right.type} have no __divmod__ for each other",
            instead="write the method: def __divmod__(self, other): ...",
        )
    return call.result(found)
