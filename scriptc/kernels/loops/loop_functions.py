"""Loops that become functions: exact versions of loops, and loops of functions that launch kernels.

    for ... %x, %n ...    =>    call %x, %n [callee="fallback.f.0"]

                                func fallback @fallback.f.0(%x, %n) -> None { for ... }

An exact version, the copy of a loop that keeps its checks, hardly ever runs. Apart from the rest it
is compiled with less care, and what runs often is optimised as if it were not there.

A call of such a function adds no frame: it stands for lines of the function that it comes from.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import count

from scriptc.analysis.remarks import stands_for
from scriptc.passes.rebuild import Renaming, clone
from scriptc_runtime.ir import (
    Block,
    Builder,
    Function,
    Instr,
    Label,
    Loc,
    Role,
    Value,
    make,
    walk,
)
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops.opdef import Attrs, OpDef
from scriptc_runtime.ops.reshaping import RESHAPED
from scriptc_runtime.record import record, replace
from scriptc_runtime.reserved import FALLBACK_PREFIX, LOOP_PREFIX
from scriptc_runtime.types import NONE, OF_EXCEPTIONS, TupleType, Type, is_counted

_PREFIXES: Mapping[Role, str] = {Role.FALLBACK: FALLBACK_PREFIX, Role.LOOP: LOOP_PREFIX}


@record(eq=False)
class Inputs:
    """What a loop uses from outside: passed in, or made anew in the function."""

    passed: Sequence[Value]
    remade: Sequence[Instr]  # in order of definition


def inputs_of(
    used: Iterable[Value],
    blocks: Sequence[Block],
    definitions: Mapping[Value, Instr],
    is_remade: Callable[[Value, Instr], bool],
) -> Inputs:
    """Return what comes from outside of some blocks, of the values that are `used`.

    `is_remade` says of a value and its definition whether the function makes it anew.
    """
    instrs = [i for block in blocks for i in walk(block)]
    inside = {p for block in blocks for p in block.params}
    inside.update(r for i in instrs for r in i.results)
    inside.update(p for i in instrs for block in i.blocks for p in block.params)
    passed: dict[Value, None] = {}
    remade: dict[Value, Instr] = {}

    def need(value: Value) -> None:
        if value in inside or value in passed or value in remade:
            return
        definition = definitions.get(value)
        if definition is None or not is_remade(value, definition):
            passed[value] = None
            return
        for operand in definition.operands:
            need(operand)
        remade[value] = definition

    for value in used:
        need(value)
    return Inputs(list(passed), list(remade.values()))


class LoopFunctions:
    """The loops of one function that become functions of a role."""

    # What a function computes again instead of taking it.
    remade: AbstractSet[OpDef] = frozenset({data.CONST})
    # Whether results may be counted.
    gives_counted = False

    def __init__(
        self,
        function: Function,
        definitions: Mapping[Value, Instr],
        role: Role,
        taken: Collection[str] = (),
    ) -> None:
        self._taken = taken  # names of other functions
        self._function = function
        self.definitions = definitions
        self._role = role
        self._names = (f"{_PREFIXES[role]}{function.name}.{n}" for n in count())
        # A pass may not see the functions of the role that the function calls already.
        self._called: Collection[object] | None = None
        self.functions: dict[str, Function] = {}

    def emit(self, builder: Builder, loop: Instr) -> bool:
        """Emit a call that gives the results of a loop; False where the loop has to stay."""
        body = (loop, *(i for block in loop.blocks for i in walk(block)))
        # What is moved out of a search would look for signals.
        is_search = self._function.role is Role.SEARCH
        counted = not self.gives_counted and any(is_counted(r.type) for r in loop.results)
        if is_search or _leaves(body) or counted:
            return False
        used = (value for instr in body for value in instr.operands)
        inputs = inputs_of(
            used, loop.blocks, self.definitions, lambda _, made: made.op in self.remade
        )
        if any(v.type in OF_EXCEPTIONS for v in inputs.passed):
            return False
        name = self._name()
        function = self.functions[name] = self._apart(name, loop, inputs)
        attrs: Attrs = {"callee": name, "result": function.result}
        call = make(control.CALL, inputs.passed, attrs, loop.loc)
        if len(loop.results) == 1:
            call = replace(call, results=loop.results)
        builder.append(call)
        for index, result in enumerate(loop.results if len(loop.results) > 1 else ()):
            item = make(data.ITEM, (call.result,), {"index": index})
            builder.append(replace(item, results=(result,)))
        return True

    def known(self, params: Mapping[Value, Value], builder: Builder) -> Mapping[Value, Value]:
        """Say in a function what is known of the values it takes, and return what stands for them.

        `params` has the parameter for each value.
        """
        del builder
        return params

    def _name(self) -> str:
        if self._called is None:
            instrs = walk(self._function.body)
            self._called = {i.attrs["callee"] for i in instrs if i.op is control.CALL}
        return next(n for n in self._names if n not in self._called and n not in self._taken)

    def _apart(self, name: str, loop: Instr, inputs: Inputs) -> Function:
        builder, names, label = Builder(), Renaming(), Label("return")
        params = {v: Value(v.type, f"p{i}") for i, v in enumerate(inputs.passed)}
        builder.open()
        for value, known in self.known(params, builder).items():
            stands_for(params[value], value, self.definitions)
            names[value] = known
        block = clone(Block((), (*inputs.remade, loop)), names, {}, self._place)
        for instr in block.body:
            builder.append(instr)
        results = block.body[-1].results
        type_ = _result([r.type for r in results])
        match results:
            case ():
                value = builder.emit(data.CONST, loc=loop.loc, value=None)
            case (value,):
                pass
            case _:
                value = builder.emit(data.TUPLE, *results, loc=loop.loc)
        builder.exit(label, value, loc=loop.loc)
        file = self._function.file
        body = builder.close()
        return Function(
            name, tuple(params.values()), type_, body, label, loop.loc, file, role=self._role
        )

    def _place(self, loc: Loc) -> Loc:
        """Return a place as one of the function that the loop comes from."""
        if loc.caller:
            return replace(loc, caller=self._place(loc.caller))
        return replace(loc, function=loc.function or self._function.name)


def is_dense(definition: Instr | None) -> bool:
    """Whether an instruction gives an array that is known to be C-contiguous."""
    if definition is None:
        return False
    if definition.op is RESHAPED:
        return bool(definition.attrs["dense"])
    return definition.op is low.NEW_ARRAY


def _leaves(body: Sequence[Instr]) -> bool:
    """Whether a loop is left for more than what follows it."""
    own = {i.label for i in body}
    return any(i.target is not None and i.target.label not in own for i in body)


def _result(types: Sequence[Type]) -> Type:
    match types:
        case []:
            return NONE
        case [type_]:
            return type_
        case _:
            return TupleType(tuple(types))
