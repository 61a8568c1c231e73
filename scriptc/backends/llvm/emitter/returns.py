"""Returns that release many values share the code for it.

Each value has a block of its own, which goes on to that of the values behind it, as for exceptions:
what is released last, the oldest values, is there once for all returns. So a function with many
early returns, each of which releases all that lives, has code as long as its text.
"""

from scriptc.backends.llvm.emitter.function import Components, Emitter, Join
from scriptc.backends.llvm.loading import abi
from scriptc_runtime.ir import Instr, Value


def return_shared(e: Emitter, end: Instr) -> None:
    """Go to the code that releases what is left to a return, and returns."""
    rest = 0
    for instr in reversed(e.left_to.pop(end)):
        rest = e.returning.setdefault((instr.operands[0], rest), len(e.returning) + 1)
    components = tuple(c for value in end.operands for c in e.components(value))
    e.enter(_join(e, rest), components)


def shared_returns(e: Emitter) -> Components:
    """Write the code that returns share, and return what the function gives where it ends."""
    steps: dict[int, tuple[Value, int]] = {n: step for step, n in e.returning.items()}
    for number in sorted(steps, reverse=True):  # each after those that go on to it
        value, rest = steps[number]
        if number in e.returns:
            result = e.start_join(e.returns[number])
            e.release(value.type, e.components(value))
            e.enter(_join(e, rest), result)
    return e.start_join(e.returns[0])


def _join(e: Emitter, number: int) -> Join:
    if number not in e.returns:
        e.returns[number] = e.join(abi.flatten(e.function.result))
    return e.returns[number]
