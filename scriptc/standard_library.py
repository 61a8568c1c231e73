"""The standard library: functions of stdlib/, checked and lowered for the types that need them."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from scriptc.check.library.standard import standard_function
from scriptc.check.program import check_program
from scriptc.check.roots import Root
from scriptc.check.size_names import named_alike
from scriptc.lower.program import lower_program
from scriptc.passes.decompose import BodyRequest
from scriptc.passes.rebuild import Renaming, clone, with_callees
from scriptc_runtime.call_graph import calls_of, groups
from scriptc_runtime.ir import Function, Label, Module, Role, Value
from scriptc_runtime.record import replace
from scriptc_runtime.reserved import LIBRARY_PREFIX
from scriptc_runtime.text import writer
from scriptc_runtime.types import NONE, DType, ListType, Type, holds_array, is_counted


class StandardLibrary:
    """The bodies that one pass asked for; see `passes.decompose.Library`.

    `tag` is in their names, for a module that has bodies of another pass.
    """

    def __init__(self, tag: str = "") -> None:
        self._tag = tag
        self._bodies: dict[BodyRequest, tuple[str, Mapping[str, Function]]] = {}
        self._shared: dict[str, Function] = {}  # by their text

    def body(self, request: BodyRequest) -> tuple[str, Mapping[str, Function]]:
        """Return the name of the function and all functions it needs, itself included."""
        # What is known of the sizes of the operands together is known of those of the result.
        request = replace(request, types=named_alike(request.types))
        if request not in self._bodies:
            self._bodies[request] = self._compile(request, len(self._bodies))
        return self._bodies[request]

    def _compile(self, request: BodyRequest, number: int) -> tuple[str, Mapping[str, Function]]:
        module = _lowered(request)
        names: dict[str, str] = {}
        made: dict[str, Function] = {}
        for group in groups(calls_of(module)):
            names |= {name: f"{LIBRARY_PREFIX}{name}.{self._tag}{number}" for name in group}
            made |= {name: _renamed(module.functions[name], names) for name in group}
            if len(group) == 1:
                # Many bodies call the same helper: it is one function.
                (name,) = group
                made[name] = self._once(name, made[name])
                names[name] = made[name].name
        functions = {names[name]: made[name] for name in module.functions}
        return names[next(iter(module.functions))], functions

    def _once(self, name: str, function: Function) -> Function:
        """Return the function that does the same and was made first."""
        text = writer.write_function(replace(function, name=name), locations=False)
        return self._shared.setdefault(text, function)


# Most programs ask for the same few bodies.
@lru_cache(maxsize=256)
def _lowered(request: BodyRequest) -> Module:
    item = _item_of(request)
    if item is None:
        return _checked(request)
    stand_in = _COUNTED if is_counted(item) else _UNCOUNTED
    module = _checked(replace(request, types=_for_stand_in(request, stand_in)))

    def put(type_: Type) -> Type:
        if type_ == stand_in:
            return item
        if not isinstance(type_, ListType):
            return type_
        return replace(type_, item=put(type_.item))

    return module.with_functions({n: _retyped(f, put) for n, f in module.functions.items()})


@lru_cache(maxsize=256)
def _checked(request: BodyRequest) -> Module:
    function = standard_function(request.file, request.function, request.constants)
    return lower_program(check_program([Root(function, request.types, sized=True)]))


# What stands for the items of lists when the bodies of list operations are checked, which only move
# them: once for items that are counted, and once for others. No body has values of these types.
_COUNTED: Type = ListType(DType.C64)
_UNCOUNTED: Type = DType.C64
# The places of the operands that are items, and of those that are lists.
_PLACES: Mapping[str, tuple[Sequence[int], Sequence[int]]] = {
    "list_len": ((), (0,)),
    "list_get": ((), (0,)),
    "list_set": ((2,), (0,)),
    "list_append": ((1,), (0,)),
    "list_insert": ((2,), (0,)),
    "list_extend": ((), (0, 1)),
    "list_add": ((), (0, 1)),
    "list_replace": ((), (0, 3)),
    "list_fill": ((1,), (0,)),
    "list_room": ((), (0,)),
    "list_pop": ((), (0,)),
    "list_pop_last": ((), (0,)),
}


def _item_of(request: BodyRequest) -> Type | None:
    """Return what lists hold whose operation is the same for all; None for all else."""
    if request.file != "lists":
        return None
    first = request.types[0]
    assert isinstance(first, ListType)
    # Sizes in types are known of one list alone, and None takes no room.
    if holds_array(first.item) or first.item is NONE:
        return None
    is_plain = request.types == _for_stand_in(request, first.item)
    return first.item if is_plain else None


def _for_stand_in(request: BodyRequest, item: Type) -> tuple[Type, ...]:
    items, lists = _PLACES[request.function]
    return tuple(
        item if place in items else replace(type_, item=item) if place in lists else type_
        for place, type_ in enumerate(request.types)
    )


def _retyped(function: Function, put: Callable[[Type], Type]) -> Function:
    names = Renaming()
    params = tuple(Value(put(p.type), p.name) for p in function.params)
    for old, new in zip(function.params, params, strict=True):
        names[old] = new
    label = Label(function.label.name)
    body = clone(function.body, names, {function.label: label}, lambda loc: loc, put)
    return replace(function, params=params, result=put(function.result), body=body, label=label)


def _renamed(function: Function, names: Mapping[str, str]) -> Function:
    body = with_callees(function.body, names)
    return replace(function, name=names[function.name], body=body, role=Role.LIBRARY)
