"""Exact versions: the copy of a loop that keeps its checks becomes a function of its own.

    if %proven {                            if %proven {
      for ... the loop without checks         for ... the loop without checks
    } {                               =>    } {
      for ... %x, %n ...                      call %x, %n [callee="fallback.f.0"]
    }                                       }

                                   func fallback @fallback.f.0(%x, %n) -> None { for ... }

Such code hardly ever runs. Apart from the rest it is compiled with less care, and what runs often
is optimised as if it were not there. A call of it is no frame of its own: the function stands for
the lines of the one it comes from.
"""

from collections.abc import Mapping, Sequence
from functools import wraps

from scriptc.kernels.builder import Code
from scriptc.passes.pipeline import Pass
from scriptc.passes.rebuild import Renaming, clone
from scriptc_runtime.ir import (
    Block,
    Builder,
    Function,
    Instr,
    Label,
    Loc,
    Module,
    Role,
    Value,
    walk,
)
from scriptc_runtime.ops import control, data
from scriptc_runtime.record import replace
from scriptc_runtime.reserved import FALLBACK_PREFIX
from scriptc_runtime.types import EXCEPTION, NONE, TupleType, Type, is_counted


class ExactLoops:
    """The exact versions of the loops of one function."""

    def __init__(self, function: Function, definitions: Mapping[Value, Instr]) -> None:
        self._function = function
        self._definitions = definitions
        self.functions: dict[str, Function] = {}

    def emit(self, code: Code, loop: Instr) -> Sequence[Value] | None:
        """Emit a call of the exact version of a loop, and return what stands for its results.

        None where it has to stay where it is.
        """
        body = (loop, *walk(loop.blocks[0]))
        if _leaves(body) or any(is_counted(r.type) for r in loop.results):
            return None
        passed, constants = self._inputs(loop, body)
        if any(v.type is EXCEPTION for v in passed):
            return None
        name = f"{FALLBACK_PREFIX}{self._function.name}.{len(self.functions)}"
        function = self.functions[name] = self._apart(name, loop, passed, constants)
        emit = code.builder.emit
        returned = emit(control.CALL, *passed, loc=loop.loc, callee=name, result=function.result)
        match loop.results:
            case ():
                return ()
            case (_,):
                return (returned,)
            case several:
                return [emit(data.ITEM, returned, index=i) for i in range(len(several))]

    def _inputs(
        self, loop: Instr, body: Sequence[Instr]
    ) -> tuple[Sequence[Value], Sequence[Instr]]:
        """Return what a loop uses from outside: values, and constants, which are made anew."""
        inside = {r for i in walk(loop.blocks[0]) for r in i.results}
        inside.update(p for i in body for b in i.blocks for p in b.params)
        used = dict.fromkeys(v for i in body for v in i.operands if v not in inside)
        definitions = {v: self._definitions.get(v) for v in used}
        constants = [d for d in definitions.values() if d is not None and d.op is data.CONST]
        return [v for v, d in definitions.items() if d not in constants], constants

    def _apart(
        self, name: str, loop: Instr, passed: Sequence[Value], constants: Sequence[Instr]
    ) -> Function:
        builder, names, label = Builder(), Renaming(), Label("return")
        params = tuple(Value(v.type, f"p{i}") for i, v in enumerate(passed))
        for value, param in zip(passed, params, strict=True):
            names[value] = param
        block = clone(Block((), (*constants, loop)), names, {}, self._place)
        builder.open()
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
        file, role = self._function.file, Role.FALLBACK
        return Function(name, params, type_, builder.close(), label, loop.loc, file, role=role)

    def _place(self, loc: Loc) -> Loc:
        """Return a place as one of the function that the loop comes from."""
        if loc.caller:
            return replace(loc, caller=self._place(loc.caller))
        return replace(loc, function=loc.function or self._function.name)


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


def not_fallback(run: Pass) -> Pass:
    """Return a pass that leaves the exact versions of loops as they are."""

    @wraps(run)
    def on_others(module: Module) -> Module:
        exact = {n: f for n, f in module.functions.items() if f.role is Role.FALLBACK}
        if not exact:
            return run(module)
        others = {n: f for n, f in module.functions.items() if n not in exact}
        done = run(module.with_functions(others))
        return done.with_functions({**done.functions, **exact})

    return on_others
