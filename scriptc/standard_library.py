"""The standard library: functions of stdlib/, checked and lowered for the types that need them."""

from collections.abc import Mapping
from functools import lru_cache

from scriptc.check.library.standard import standard_function
from scriptc.check.program import Root, check_program
from scriptc.check.size_names import named_alike
from scriptc.lower.program import lower_program
from scriptc.passes.decompose import BodyRequest
from scriptc.passes.rebuild import with_callees
from scriptc_runtime.ir import Function, Module, Role
from scriptc_runtime.record import replace
from scriptc_runtime.reserved import LIBRARY_PREFIX


class StandardLibrary:
    """The bodies that one pass asked for; see `passes.decompose.Library`.

    `tag` is in their names, for a module that has bodies of another pass.
    """

    def __init__(self, tag: str = "") -> None:
        self._tag = tag
        self._bodies: dict[BodyRequest, tuple[str, Mapping[str, Function]]] = {}

    def body(self, request: BodyRequest) -> tuple[str, Mapping[str, Function]]:
        """Return the name of the function and all functions it needs, itself included."""
        # What is known of the sizes of the operands together is known of those of the result.
        request = replace(request, types=named_alike(request.types))
        if request not in self._bodies:
            self._bodies[request] = self._compile(request, len(self._bodies))
        return self._bodies[request]

    def _compile(self, request: BodyRequest, number: int) -> tuple[str, Mapping[str, Function]]:
        module = _lowered(request)
        names = {name: f"{LIBRARY_PREFIX}{name}.{self._tag}{number}" for name in module.functions}
        functions = {names[n]: _renamed(f, names) for n, f in module.functions.items()}
        return names[next(iter(module.functions))], functions


# Most programs ask for the same few bodies.
@lru_cache(maxsize=256)
def _lowered(request: BodyRequest) -> Module:
    function = standard_function(request.file, request.function, request.constants)
    return lower_program(check_program([Root(function, request.types, sized=True)]))


def _renamed(function: Function, names: Mapping[str, str]) -> Function:
    body = with_callees(function.body, names)
    return replace(function, name=names[function.name], body=body, role=Role.LIBRARY)
