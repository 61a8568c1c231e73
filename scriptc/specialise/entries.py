"""What Python calls: the entry of a specialisation, and what the function may count on for it."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations

import numpy as np

from scriptc.analysis.effects import ModuleEffects
from scriptc.backends.llvm.entry.device_arrays import crosses, has_array
from scriptc.backends.llvm.entry.entry import EntrySpec, ParameterSpec
from scriptc.cache.manifest import ParameterText
from scriptc.cache.request import ExplicitType, Request
from scriptc.driver import Core
from scriptc.passes.given import MOST_PAIRS, give
from scriptc.specialise.arguments import declared_types
from scriptc.specialise.patterned_types import axes_of_several
from scriptc.values.kinds import lie_plainly
from scriptc_runtime.call_graph import callees
from scriptc_runtime.ir import Function, Given, Module, Value
from scriptc_runtime.record import replace
from scriptc_runtime.text.type_text import ir_text
from scriptc_runtime.types import FLOAT, ClassType, TensorType


def entry_of(request: Request, core: Core) -> EntrySpec:
    """Return the entry of the function that was asked for."""
    function = core.module.functions[core.root.name]
    writable = must_be_writable(core.module, function)
    declared = dict(declared_types(request))
    every = (*core.root.params, *core.root.captures)
    dense = _dense_arguments(request, core)
    parameters = tuple(
        ParameterSpec(
            p.name,
            value.type,
            value in writable,
            declared.get(p.name) is FLOAT,
            p.name in dense,
        )
        for p, value in zip(every, function.params, strict=True)
    )
    wraps = isinstance(function.result, ClassType) and function.result.name in core.program.leaving
    return EntrySpec(function.name, parameters, apart=_apart(parameters), wraps=wraps)


def entries_of_generators(core: Core) -> list[EntrySpec]:
    """Return the entries of what Python calls of the generators that it is given."""
    names = [
        core.program.functions[key].name
        for given in core.program.leaving.values()
        for key in given.functions.values()
    ]
    functions = map(core.module.functions.__getitem__, names)
    return [
        EntrySpec(f.name, tuple(ParameterSpec(p.name, p.type) for p in f.params)) for f in functions
    ]


def entries_on_device(entry: EntrySpec, core: Core) -> list[EntrySpec]:
    """Return the entries of code whose arrays lie on a device.

    The first takes what stands for arrays. A second one takes CuPy's as they are, where nothing
    but arrays and numbers comes in and goes out.
    """
    types = [parameter.type for parameter in entry.parameters]
    result = core.module.functions[entry.function].result
    if core.root.captures or not (
        all(map(crosses, [*types, result])) and any(map(has_array, types))
    ):
        return [entry]
    return [entry, replace(entry, cupys=True)]


def _dense_arguments(request: Request, core: Core) -> AbstractSet[str]:
    """Return the names of the parameters that are compiled for arrays in C order alone."""
    called = any(core.root.name in callees(f) for f in core.module.functions.values())
    if called or request.any_layout or not lie_plainly(request.arguments):
        return frozenset()
    return {
        p.name
        for p, argument in zip(core.root.params, request.arguments, strict=True)
        if isinstance(p.type, TensorType) and isinstance(argument, np.ndarray | ExplicitType)
    }


def _apart(parameters: Sequence[ParameterSpec]) -> tuple[tuple[int, int], ...]:
    """Return the pairs of dense parameters that must share no memory, as one of them is written."""
    dense = [place for place, p in enumerate(parameters) if p.dense]
    pairs = combinations(dense, 2)
    found = tuple(pair for pair in pairs if any(parameters[place].writes for place in pair))
    return found if len(found) <= MOST_PAIRS else ()


def with_given(module: Module, entry: EntrySpec) -> Module:
    """Return a module whose root counts on what its entry takes."""
    function = module.functions[entry.function]
    params = function.params
    dense = tuple(v for v, p in zip(params, entry.parameters, strict=True) if p.dense)
    several = axes_of_several(function, entry.unequal)
    given = Given(dense, tuple((params[a], params[b]) for a, b in entry.apart), several)
    functions = {**module.functions, entry.function: replace(function, given=given)}
    return give(module.with_functions(functions), entry.function)


def parameter_texts(entry: EntrySpec, core: Core) -> tuple[ParameterText, ...]:
    """Return the parameters of an entry with the types that are declared, for messages."""
    is_root = entry.function == core.root.name
    every = (*core.root.params, *core.root.captures) if is_root else entry.parameters
    pairs = zip(every, entry.parameters, strict=True)
    return tuple((p.name, ir_text(p.type), spec.writes) for p, spec in pairs)


def must_be_writable(module: Module, function: Function) -> set[Value]:
    """Return the parameters whose arrays are written, or kept where a method may write them."""
    effects = ModuleEffects(module).function(function.name)
    written = effects.written()
    objects = [v for v in (*function.params, *effects.returned) if isinstance(v.type, ClassType)]
    return {
        param
        for param in function.params
        if param in written or any(effects.share_class(param, v) for v in objects if v is not param)
    }
