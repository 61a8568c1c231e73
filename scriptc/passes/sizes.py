"""Sizes: say in the types of values all that is known of the sizes of their axes.

    func @f(%x: tensor<f64, [N]>, %y: tensor<f64, [N]>)
      %1 = add %x, %y : tensor<f64, [?]>     =>      %1 = add %x, %y : tensor<f64, [N]>

The body of a function that was inlined here was typed for arguments of any sizes; so was a function
that Python calls, before it was known which of its arguments' sizes are equal (`with_params`).

Needs: valid IR.
Gives: valid IR, same results; types know more dims, none less.
Does not: look at values but constants, which slices and new arrays are asked for with. Nor change
the types of lists and cells, which hold arrays of any sizes.
Cases: tests/cases/passes/sizes.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import cast

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.slice_sizes import with_dims, with_sizes
from scriptc.passes.rebuild import Renaming, clone
from scriptc_runtime.dims import Dim, merge, symbol
from scriptc_runtime.interp.dim_binding import bind_dims
from scriptc_runtime.ir import Block, Function, Instr, Label, Module, Value, walk
from scriptc_runtime.ops import arrays, control
from scriptc_runtime.ops.opdef import Attrs, OpTypeError
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    OptionalType,
    TensorType,
    TupleType,
    Type,
    assignable,
    parts_of,
    substitute_dims,
)

_NEW = (arrays.EMPTY, arrays.FULL)
# How often a function is looked at in the hope that its loops carry arrays of the same sizes in all
# iterations; once where they do.
_ROUNDS = 6


def sizes(module: Module) -> Module:
    """Return `module` with types that know all the sizes that their ops can tell."""
    functions = {n: _known(module, f) or f for n, f in module.functions.items()}
    return module.with_functions(functions)


def with_params(module: Module, name: str, types: Sequence[Type]) -> Module | None:
    """Return `module` with the function `name` for parameters of these types.

    They are those that it has, with other dims. None if an op is known to fail for such sizes: ops
    of such types cannot be written.
    """
    old = module.functions[name]
    dims = _bindings([p.type for p in old.params], types)
    names = Renaming()
    params = tuple(Value(t, p.name) for p, t in zip(old.params, types, strict=True))
    for param, new in zip(old.params, params, strict=True):
        names[param] = new
    retype = partial(substitute_dims, bindings=dims)
    body = clone(old.body, names, {}, lambda loc: loc, retype)
    result = substitute_dims(old.result, dims)
    bound = replace(old, params=params, result=result, body=body)
    function = _known(module, bound) if _is_typed(bound) else None
    return function and module.with_functions({**module.functions, name: function})


def _bindings(old: Sequence[Type], new: Sequence[Type]) -> dict[str, Dim]:
    """Return what the symbols in types stand for: themselves, where they stand alone on no axis."""
    found = {s: symbol(s) for type_ in old for dim in _dims(type_) for s, _ in dim.terms}
    for before, after in zip(old, new, strict=True):
        for dim, size in zip(_dims(before), _dims(after), strict=True):
            if dim.known and dim.constant == 0 and len(dim.terms) == 1 and dim.terms[0][1] == 1:
                found[dim.terms[0][0]] = size
    return found


def _dims(type_: Type) -> Sequence[Dim]:
    if isinstance(type_, TensorType):
        return type_.dims
    return [dim for part in parts_of(type_) for dim in _dims(part)]


def _known(module: Module, function: Function) -> Function | None:
    """Return `function` with all sizes known that can be; None where an op would fail."""
    if all(_is_known(v.type) for instr in walk(function.body) for v in _defined(instr)):
        return function
    finder = _Finder(module, function)
    try:
        found, attrs = finder.run()
    except OpTypeError:
        return None
    return _Rebuilder(module, found, attrs).function(function) if found else function


def _is_typed(function: Function) -> bool:
    """Whether every op takes its operands, and gives what its results are said to be."""
    try:
        for instr in walk(function.body):
            found = instr.op.infer([v.type for v in instr.operands], instr.attrs)
            declared = [r.type for r in instr.results]
            if not instr.blocks and not all(map(assignable, found, declared)):
                return False  # one of two sizes that must be equal is known, and the other not
    except OpTypeError:
        return False
    return True


def _defined(instr: Instr) -> Sequence[Value]:
    return [*instr.results, *(p for block in instr.blocks for p in block.params)]


def _is_known(type_: Type) -> bool:
    """Whether there is nothing more to know of a type."""
    if isinstance(type_, TensorType):
        return all(dim.known for dim in type_.dims)
    return not isinstance(type_, TupleType | OptionalType) or all(map(_is_known, parts_of(type_)))


class _Finder:
    """Finds the types of the values of one function that are known better than they say."""

    def __init__(self, module: Module, function: Function) -> None:
        self._module = module
        self._function = function
        self._made = definitions_of(function)
        self._types: dict[Value, Type] = {}
        # Attributes that say sizes which constants tell.
        self._attrs: dict[Instr, Attrs] = {}
        # What has reached the results of regions and the parameters of loops, of all iterations.
        self._reached: dict[Value, Type] = {}
        self._regions: dict[Label, Instr] = {}
        self._weaker = False
        self._hopes = True  # that loops carry what they begin with

    def run(self) -> tuple[Mapping[Value, Type], Mapping[Instr, Attrs]]:
        """Return the better types, and the attributes that say them.

        Raises OpTypeError where an op is known to fail.
        """
        iterations = 0
        while iterations == 0 or self._weaker:
            iterations += 1
            self._hopes = iterations <= _ROUNDS
            self._types, self._weaker = {}, False
            self._block(self._function.body)
        return self._types, self._attrs

    def _type(self, value: Value) -> Type:
        return self._types.get(value, value.type)

    def _block(self, block: Block) -> None:
        for instr in block.body:
            if instr.label is not None:
                self._region(instr, instr.label)
            elif instr.target is not None:
                self._exit(instr)
            else:
                self._instr(instr)

    def _instr(self, instr: Instr) -> None:
        better = any([v in self._types for v in instr.operands])
        if not better and all([_is_known(r.type) for r in instr.results]):
            return
        types = [self._type(v) for v in instr.operands]
        attrs = self._attrs[instr] = self._with_sizes(instr)
        found = instr.op.infer(types, attrs)
        if instr.op is control.CALL:
            found = (result_of_call(self._module, instr, types),)
        for result, type_ in zip(instr.results, found, strict=True):
            refined = _refined(result.type, type_)
            if not assignable(type_, refined):
                raise OpTypeError(f"{instr.op.name} gives {type_} where {refined} is declared")
            self._set(result, refined)

    def _with_sizes(self, instr: Instr) -> Attrs:
        if instr.op is arrays.VIEW:
            return with_dims(instr, cast(TensorType, self._type(instr.operands[0])), self._made)
        return with_sizes(instr, self._made) if instr.op in _NEW else instr.attrs

    def _set(self, value: Value, type_: Type) -> None:
        if type_ != value.type:
            self._types[value] = type_

    def _region(self, instr: Instr, label: Label) -> None:
        self._regions[label] = instr
        carried = _carried(instr)
        first_round = instr.operands[len(instr.operands) - len(carried) :]
        for param, first in zip(carried, first_round, strict=True):
            self._reach(param, self._type(first) if self._hopes else param.type)
            self._set(param, self._reached[param])
        for block in instr.blocks:
            self._block(block)
        if instr.op is control.FOR:
            for param, result in zip(carried, instr.results, strict=True):
                self._reach(result, self._reached[param])
        for result in instr.results:
            self._set(result, self._reached.get(result, result.type))

    def _exit(self, instr: Instr) -> None:
        assert instr.target is not None
        region = self._regions.get(instr.target.label)
        if region is None:
            return  # the function's own label
        goals = _carried(region) if instr.target.next else region.results
        for goal, value in zip(goals, instr.operands, strict=True):
            weaker = self._reach(goal, self._type(value))
            # The body of the loop was looked at with what had reached it before.
            self._weaker = self._weaker or (weaker and instr.target.next)

    def _reach(self, goal: Value, type_: Type) -> bool:
        """Note what reaches a value; return whether less is known of that now."""
        new = _refined(goal.type, type_)
        old = self._reached.get(goal, new)
        self._reached[goal] = _merged(old, new)
        return self._reached[goal] != old


def _carried(region: Instr) -> Sequence[Value]:
    """Return the parameters of a loop that are carried from iteration to iteration."""
    if region.op is control.FOR:
        return region.blocks[0].params[1:]
    return region.blocks[0].params if region.op is control.WHILE else ()


def result_of_call(module: Module, call: Instr, types: Sequence[Type]) -> Type:
    """Return the result type of a call with arguments of these types."""
    callee = module.callee(call)
    dims = bind_dims([p.type for p in callee.params], types)
    return substitute_dims(callee.result, dims)


def _refined(declared: Type, found: Type) -> Type:
    """Return a type with the dims that are found, where those that are declared are unknown."""
    match declared, found:
        case TensorType(), TensorType() if assignable(found, declared):
            return found
        case TupleType(items), TupleType(others) if len(items) == len(others):
            return TupleType(tuple(map(_refined, items, others)))
        case OptionalType(item), OptionalType(other):
            return OptionalType(_refined(item, other))
        case _:
            return declared


def _merged(first: Type, second: Type) -> Type:
    """Return what is known of a value that is of one of two types, which differ in dims alone."""
    match first, second:
        case TensorType(dtype, dims), TensorType(_, others):
            return TensorType(dtype, tuple(map(merge, dims, others)))
        case TupleType(items), TupleType(others):
            return TupleType(tuple(map(_merged, items, others)))
        case OptionalType(item), OptionalType(other):
            return OptionalType(_merged(item, other))
        case _:
            return first


class _Rebuilder:
    """Gives values their better types."""

    def __init__(
        self, module: Module, types: Mapping[Value, Type], attrs: Mapping[Instr, Attrs]
    ) -> None:
        self._module = module
        self._types = types
        self._attrs = attrs
        self._names = Renaming()

    def function(self, function: Function) -> Function:
        return replace(function, body=self._block(function.body))

    def _block(self, block: Block) -> Block:
        params = tuple(map(self._value, block.params))
        return Block(params, tuple(map(self._instr, block.body)))

    def _instr(self, old: Instr) -> Instr:
        instr = self._names.instr(old)
        attrs = self._attrs.get(old, old.attrs)
        if attrs != old.attrs:
            instr = replace(instr, attrs=attrs)
        if instr.op is control.CALL:
            types = [v.type for v in instr.operands]
            type_ = _refined(old.result.type, result_of_call(self._module, instr, types))
            if type_ != instr.attrs["result"]:
                instr = replace(instr, attrs={**instr.attrs, "result": type_})
        blocks = tuple(map(self._block, instr.blocks)) if instr.blocks else ()
        results = tuple(map(self._value, instr.results))
        if blocks or results != instr.results:
            instr = replace(instr, blocks=blocks, results=results)
        return instr

    def _value(self, value: Value) -> Value:
        type_ = self._types.get(value)
        if type_ is None:
            return value
        new = Value(type_, value.name)
        self._names[value] = new
        return new
