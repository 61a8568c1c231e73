"""Small modules in IR, built by hand, that the tests of the runtime share."""

from scriptc_runtime.dims import symbol
from scriptc_runtime.ir import NOWHERE, Builder, Function, Instr, Label, Loc, Module, Value
from scriptc_runtime.ops import control, data, elementwise, exceptions, low, reductions
from scriptc_runtime.ops.opdef import Attr, OpDef
from scriptc_runtime.saved.file import Constant, Parameter, Signature
from scriptc_runtime.saved.loaded import LoadedModule
from scriptc_runtime.types import EXCEPTION, INT, NONE, DType, TensorType, Type

F64, I64 = DType.F64, DType.I64
N = symbol("N")
VECTOR = TensorType(F64, (N,))


class Body(Builder):
    """A builder with shorthands for what test programs do most."""

    def int(self, value: int) -> Value:
        return self.emit(data.CONST, value=value)

    def none(self) -> Value:
        return self.emit(data.CONST, value=None)

    def terminate(self, op: OpDef, *operands: Value, loc: Loc = NOWHERE, **attrs: Attr) -> None:
        self.append(Instr(op, operands, attrs, (), loc))


def module_of(*functions: Function) -> Module:
    return Module({f.name: f for f in functions})


def softmax() -> Function:
    """exp(x - max(x)) / sum(exp(x - max(x)))"""
    b, x, label = Body(), Value(VECTOR, "x"), Label()
    b.open()
    largest = b.emit(reductions.MAX, x, axis=None, keepdims=False, loc=Loc(3, 10))
    e = b.emit(elementwise.EXP, b.emit(elementwise.SUB, x, largest))
    total = b.emit(reductions.SUM, e, axis=None, keepdims=False)
    b.exit(label, b.emit(elementwise.DIV, e, total))
    return Function("softmax", (x,), VECTOR, b.close(), label, Loc(1, 1), "softmax.py")


def fibonacci() -> Function:
    """Recursive Fibonacci numbers."""
    b, n, label = Body(), Value(INT, "n"), Label()
    b.open()
    small = b.emit(elementwise.LT, n, b.int(2))
    then_block, choice = Body(), Label()
    then_block.open()
    then_block.exit(label, n)
    other = Body()
    other.open()
    values = [
        other.emit(
            control.CALL,
            other.emit(elementwise.SUB, n, other.int(k)),
            callee="fib",
            result=INT,
            loc=Loc(4, 12),
        )
        for k in (1, 2)
    ]
    other.exit(choice, other.emit(elementwise.ADD, *values))
    (result,) = b.region(control.IF, [small], [then_block.close(), other.close()], choice, [INT])
    b.exit(label, result)
    return Function("fib", (n,), INT, b.close(), label, Loc(1, 1), "fib.py")


def first_factor() -> Function:
    """The least k >= 2 that divides n, or n: a `for` with a break that carries."""
    b, n, label = Body(), Value(INT, "n"), Label()
    b.open()
    found, loop = b.int(0), Label()
    i, carried = Value(INT, "i"), Value(INT, "k")
    body = Body()
    body.open(i, carried)
    zero = body.int(0)
    rest = body.emit(elementwise.MOD, n, i)
    divides = body.emit(elementwise.EQ, rest, zero)
    yes, no, choice = Body(), Body(), Label()
    yes.open()
    yes.exit(loop, i)
    no.open()
    no.exit(loop, carried, next=True)
    body.region(control.IF, [divides], [yes.close(), no.close()], choice, [])
    # Both arms leave, but a block needs its terminator.
    body.exit(loop, carried, next=True)
    operands = [b.int(2), n, b.int(1), found]
    (result,) = b.region(control.FOR, operands, [body.close()], loop, [INT])
    b.exit(label, result)
    return Function("first_factor", (n,), INT, b.close(), label)


def countdown() -> Function:
    """A `while` that swaps what it carries: (a, b) -> (b, a - 1) until a is negative."""
    b, n, label = Body(), Value(INT, "n"), Label()
    b.open()
    loop, p, q = Label(), Value(INT), Value(INT)
    body = Body()
    body.open(p, q)
    negative = body.emit(elementwise.LT, p, body.int(0))
    stop, go, choice = Body(), Body(), Label()
    stop.open()
    stop.exit(loop, p, q)
    go.open()
    go.exit(choice)
    body.region(control.IF, [negative], [stop.close(), go.close()], choice, [])
    body.exit(loop, q, body.emit(elementwise.SUB, p, body.int(1)), next=True)
    results = b.region(control.WHILE, [n, n], [body.close()], loop, [INT, INT])
    weighed = b.emit(elementwise.MUL, results[0], b.int(1000))
    b.exit(label, b.emit(elementwise.ADD, weighed, results[1]))
    return Function("countdown", (n,), INT, b.close(), label)


def guarded_division() -> Function:
    """a // b, or -1 where b is zero; other exceptions pass."""
    b, x, y, label = Body(), Value(INT, "x"), Value(INT, "y"), Label()
    b.open()
    attempt, error = Label(), Value(EXCEPTION)
    body = Body()
    body.open()
    body.exit(attempt, body.emit(elementwise.FLOORDIV, x, y, loc=Loc(3, 5)))
    handler = Body()
    handler.open(error)
    matches = handler.emit(exceptions.IS_EXCEPTION, error, kind="ZeroDivisionError")
    yes, no, choice = Body(), Body(), Label()
    yes.open()
    yes.exit(attempt, yes.int(-1))
    no.open()
    no.terminate(control.RERAISE, error, traced=False)
    handler.region(control.IF, [matches], [yes.close(), no.close()], choice, [])
    handler.terminate(control.RERAISE, error, traced=False)
    blocks = [body.close(), handler.close()]
    (result,) = b.region(control.TRY, [], blocks, attempt, [INT])
    b.exit(label, result)
    return Function("guarded", (x, y), INT, b.close(), label, Loc(1, 1), "guarded.py")


def failing(kind: str = "ValueError", message: str = "no") -> Function:
    """Raises."""
    b, label = Body(), Label()
    b.open()
    text = b.emit(data.CONST, value=message)
    b.terminate(control.RAISE, text, loc=Loc(7, 3), kind=kind)
    return Function("failing", (), NONE, b.close(), label, Loc(6, 1), "failing.py")


def forever() -> Function:
    """An endless `while`."""
    b, label, loop = Body(), Label(), Label()
    b.open()
    body = Body()
    body.open()
    body.exit(loop, next=True)
    b.region(control.WHILE, [], [body.close()], loop, [])
    b.exit(label, b.none())
    return Function("forever", (), NONE, b.close(), label)


def low_sum(kind: str = "sum", dtype: DType = F64) -> Function:
    """A `reduce` over a vector, as low IR has it."""
    array = TensorType(dtype, (N,))
    b, x, label = Body(), Value(array, "x"), Label()
    b.open()
    count = b.emit(low.SIZE, x, axis=0)
    loop, i, result = Label(), Value(I64), Value(dtype)
    body = Body()
    body.open(i)
    body.exit(loop, body.emit(low.LOAD, x, i), next=True)
    attrs: dict[str, Attr] = {"kind": kind}
    b.append(Instr(low.REDUCE, (count,), attrs, (result,), blocks=(body.close(),), label=loop))
    b.exit(label, result)
    return Function("low_sum", (x,), dtype, b.close(), label)


def doubling_kernel() -> tuple[Function, Function]:
    """A kernel that doubles a part of a vector in place, and a function that launches it."""
    b, label = Body(), Label()
    x, begin, end = Value(VECTOR, "x"), Value(I64, "begin"), Value(I64, "end")
    b.open()
    loop, i = Label(), Value(I64)
    body = Body()
    body.open(i)
    at = body.emit(elementwise.ADD, begin, i)
    value = body.emit(low.LOAD, x, at)
    body.effect(low.STORE, x, body.emit(elementwise.ADD, value, value), at)
    body.exit(loop, next=True)
    count = b.emit(elementwise.SUB, end, begin)
    attrs: dict[str, Attr] = {"parallel": True}
    b.append(Instr(low.LOOP, (count,), attrs, (), blocks=(body.close(),), label=loop))
    b.exit(label, b.none())
    kernel = Function("kernel.double", (x, begin, end), NONE, b.close(), label)
    host, y, out = Body(), Value(VECTOR, "y"), Label()
    host.open()
    size = host.emit(low.SIZE, y, axis=0)
    host.effect(low.LAUNCH, size, y, callee="kernel.double")
    host.exit(out, host.none())
    return kernel, Function("double", (y,), NONE, host.close(), out)


def identity(name: str, *types: Type) -> Function:
    """A function that returns its first argument."""
    params = tuple(Value(t, f"p{i}") for i, t in enumerate(types))
    b, label = Body(), Label()
    b.open()
    b.exit(label, params[0])
    return Function(name, params, types[0], b.close(), label)


def signature(function: Function, **defaults: Constant) -> Signature:
    """How `function` is called from outside."""
    params = tuple(
        Parameter(p.name, p.type, (defaults[p.name],) if p.name in defaults else ())
        for p in function.params
    )
    return Signature(function.name, params, function.result)


def call(module: LoadedModule, name: str, *args: object, **kwargs: object) -> object:
    """Call an entry point by its name."""
    return vars(module)[name](*args, **kwargs)
