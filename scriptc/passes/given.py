"""Given: functions count on what all their callers make sure of.

    func @f(%x: tensor<f64, [N]>) ... dense(%x)       func @f(...) ... dense(%x)
      call %x [callee="g"]                      =>      call %x [callee="g"]
    func @g(%y: tensor<f64, [M]>) ...                 func @g(...) ... dense(%y)

Needs: valid IR in which nothing but one function is called from outside.
Gives: valid IR; functions say which parameters are arrays in C order, and which of these share no
memory with another one.
Does not: say anything of functions that call themselves, directly or through others.
"""

from collections.abc import Sequence
from itertools import combinations

from scriptc.analysis.contiguity import Contiguity, Order, orders_of_results
from scriptc.analysis.effects import FunctionEffects, ModuleEffects
from scriptc_runtime.call_graph import callees, calls_of, recursive_functions
from scriptc_runtime.ir import Function, Given, Instr, Module, Value, walk
from scriptc_runtime.ops import control
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import TensorType

# More pairs of arrays take longer to compare than most loops take for their tests.
MOST_PAIRS = 24


def give(module: Module, root: str) -> Module:
    """Return `module` with what callers make sure of, from what `root` is given."""
    if len(module.functions) == 1:
        return module
    recursive = recursive_functions(calls_of(module))
    results, effects = orders_of_results(module), ModuleEffects(module)
    functions = dict(module.functions)
    calls: dict[str, list[_Call]] = {}
    for name in _callers_first(module, root):
        if name != root and name not in recursive:
            functions[name] = _with_given(functions[name], calls[name])
        caller = _Caller(Contiguity(functions[name], results), effects.of(functions[name]))
        for instr in walk(functions[name].body):
            if instr.op is control.CALL and instr.attrs["callee"] in functions:
                calls.setdefault(str(instr.attrs["callee"]), []).append(_Call(instr, caller))
    return module.with_functions(functions)


def _callers_first(module: Module, root: str) -> Sequence[str]:
    """Return the functions that `root` reaches, each behind its callers where none is recursive."""
    seen: set[str] = set()
    order: list[str] = []
    # A function stands there twice: to be looked at, and, with all it calls, to be put in front.
    waiting = [(root, False)]
    while waiting:
        name, is_done = waiting.pop()
        if is_done:
            order.append(name)
        elif name not in seen:
            seen.add(name)
            waiting.append((name, True))
            called = callees(module.functions[name])
            waiting += [(callee, False) for callee in called if callee in module.functions]
    return order[::-1]


@record(eq=False)
class _Caller:
    """What is known of the arrays of a function that calls others."""

    contiguity: Contiguity
    effects: FunctionEffects


@record(eq=False)
class _Call:
    instr: Instr
    caller: _Caller

    def is_dense(self, place: int) -> bool:
        return self.caller.contiguity.of(self.instr.operands[place]) is Order.DENSE

    def are_apart(self, first: int, second: int) -> bool:
        a, b = self.instr.operands[first], self.instr.operands[second]
        return not self.caller.effects.may_alias(a, b)


def _with_given(function: Function, calls: Sequence[_Call]) -> Function:
    """Return a function with what all calls of it make sure of."""
    arrays = [i for i, p in enumerate(function.params) if isinstance(p.type, TensorType)]
    dense = [i for i in arrays if all(call.is_dense(i) for call in calls)]
    pairs = list(combinations(arrays, 2))
    apart = [
        pair
        for pair in (pairs if len(pairs) <= MOST_PAIRS else ())
        if all(call.are_apart(*pair) for call in calls)
    ]
    if not dense and not apart:
        return function
    params: Sequence[Value] = function.params
    given = Given(tuple(params[i] for i in dense), tuple((params[a], params[b]) for a, b in apart))
    return replace(function, given=given)
