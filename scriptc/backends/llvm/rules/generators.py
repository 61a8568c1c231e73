"""LLVM code for random numbers: the C functions behind the methods of NumPy's generators.

A generator is a reference to NumPy's object; the `bitgen_t` in it says what advances its state. The
entry that Python calls holds the locks of its generators (`locks.py`), as NumPy's methods do for
each call, so nothing is locked here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scriptc.backends.llvm.emitter.addresses import parts, product
from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.emitter.polling import count_iterations
from scriptc.backends.llvm.generators import locks, parameters, ziggurat
from scriptc.backends.llvm.generators.fields import field
from scriptc.backends.llvm.loading import abi, numpy_routines
from scriptc.backends.llvm.loading import random_layout as loading_random_layout
from scriptc.backends.llvm.loading.abi import Context
from scriptc.backends.llvm.loading.heap_types import LayoutError
from scriptc.backends.llvm.rules.text import checked, drop
from scriptc_runtime import distributions, refusals
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import generators
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import FLOAT, INT, RANDOM_STATE, DType, PyType


def _draw(e: Emitter, instr: Instr) -> None:
    found, bits = _opened(e, instr)
    given = parameters.Parameters(e, instr.operands[1:], "1")
    parameters.require(e, instr, found, given)
    values = given.at("0")
    if instr.attrs["name"] == distributions.BOUNDED:
        dtype = _dtype(instr)
        place = e.alloca(abi.element(dtype))
        _fill_bounded(e, instr, bits, values, "1", place)
        drawn = e.let(f"load {abi.element(dtype)}, ptr {place}")
        e.bind(instr, e.let(f"icmp ne i8 {drawn}, 0") if dtype is DType.B1 else drawn)
        return
    drawn = _number(e, instr, found, bits, values)
    single = instr.attrs["dtype"] is DType.F32
    e.bind(instr, e.let(f"fpext float {drawn} to double") if single else drawn)


def _fill(e: Emitter, instr: Instr) -> None:
    found, bits = _opened(e, instr)
    array = parts(e, instr.operands[1])
    count = "1"
    for size in array.sizes:
        count = product(e, count, size)
    count_iterations(e, count)
    given = parameters.Parameters(e, instr.operands[2:], count)
    done = e.label()
    if instr.attrs["name"] == distributions.BOUNDED:
        # Without numbers to draw NumPy does not look at the bounds.
        some = e.label()
        e.branch(e.let(f"icmp eq i64 {count}, 0"), done, some)
        e.start(some)
    parameters.require(e, instr, found, given)
    # Nobody else has the array yet, and nobody draws without the lock.
    e.state.routines.add("let_others")
    others = e.let(f"call ptr @sc.let_others(i64 {count})")
    _fill_memory(e, instr, found, bits, given, count, array.data)
    e.state.routines.add("no_others")
    e.write(f"call void @sc.no_others(ptr {others})")
    e.jump(done)
    e.start(done)


def _fill_memory(
    e: Emitter,
    instr: Instr,
    found: distributions.Distribution,
    bits: str,
    given: parameters.Parameters,
    count: str,
    data: str,
) -> None:
    if instr.attrs["name"] == distributions.BOUNDED and not given.many:
        _fill_bounded(e, instr, bits, given.at("0"), count, data)
        return
    if found.fills and not _is_inlined(instr, found):
        symbol = _symbol(e, instr, f"{found.symbol}_fill{_suffix(instr)}")
        e.declare(f"declare void @{symbol}(ptr, i64, ptr)")
        e.write(f"call void @{symbol}(ptr {bits}, i64 {count}, ptr {data})")
        return
    _fill_by_number(e, instr, found, bits, given, count, data)


def _fill_by_number(
    e: Emitter,
    instr: Instr,
    found: distributions.Distribution,
    bits: str,
    given: parameters.Parameters,
    count: str,
    data: str,
) -> None:
    """Write a loop that draws the elements one by one."""
    before, head, body, done = e.block, e.label(), e.label(), e.label()
    e.jump(head)
    e.start(head)
    names, phis = e.open_phis(("i64",))
    (index,) = names
    e.branch(e.let(f"icmp slt i64 {index}, {count}"), body, done)
    e.start(body)
    element = abi.element(_dtype(instr))
    at = e.let(f"getelementptr {element}, ptr {data}, i64 {index}")
    if instr.attrs["name"] == distributions.BOUNDED:
        _fill_bounded(e, instr, bits, given.at(index), "1", at)
    else:
        drawn = _number(e, instr, found, bits, given.at(index))
        e.write(f"store {element} {drawn}, ptr {at}")
    iterations = e.join(("i64",))
    after = e.let(f"add i64 {index}, 1")
    iterations.incoming += [(before, ("0",)), (e.block, (after,))]
    e.close_phis(phis, names, iterations)
    e.jump(head)
    e.start(done)


def _dtype(instr: Instr) -> DType:
    dtype = instr.attrs["dtype"]
    assert isinstance(dtype, DType)
    return dtype


def _suffix(instr: Instr) -> str:
    return "_f" if _dtype(instr) is DType.F32 else ""


def _opened(e: Emitter, instr: Instr) -> tuple[distributions.Distribution, str]:
    """Return the distribution of an instruction, and the address of its generator's bits."""
    _require_layout(e, instr)
    source = instr.operands[0]
    found = generators.distribution_of(source.type, instr.attrs)
    assert isinstance(source.type, PyType)
    _hold(e, instr)
    return found, field(e, e.one(source), loading_random_layout.BITS_AT[source.type])


def _hold(e: Emitter, instr: Instr) -> None:
    """Take the lock of the generator that an instruction draws from, if objects hold some."""
    source = instr.operands[0]
    assert isinstance(source.type, PyType)
    if locks.are_in_objects(e.state):
        failed = e.let(f"xor i1 {locks.hold(e, source.type, e.one(source))}, true")
        e.check_status(failed, e.python_failed_block(instr))


def _require_layout(e: Emitter, instr: Instr) -> None:
    """Refuse to draw where nothing is known of this NumPy's generators, or threads share them."""
    if e.is_kernel:
        what = "random numbers in a loop that threads share"
        raise refusals.refusal(e.function, instr.loc, what, instead="draw an array before the loop")
    try:
        loading_random_layout.random_layout()
    except LayoutError as error:
        what = "random numbers"
        raise refusals.refusal(e.function, instr.loc, what, why=str(error)) from error


def _symbol(e: Emitter, instr: Instr, function: str) -> str:
    """Return the name of a function of NumPy's C API for random numbers."""
    if loading_random_layout.distribution_address(function) is None:
        what = str(instr.attrs.get("name", instr.op.name))
        raise refusals.refusal(
            e.function, instr.loc, what, why="this NumPy does not share its function"
        )
    return numpy_routines.random_symbol(function)


def _number(
    e: Emitter, instr: Instr, found: distributions.Distribution, bits: str, values: Sequence[str]
) -> str:
    """Draw one number, of the distribution's own C type."""
    name = str(instr.attrs["name"])
    if found.symbol == distributions.POLAR:
        return _placed(e, _polar(e, instr), values)
    if found.symbol == distributions.POLAR_EXP:
        power = _placed(e, _polar(e, instr), values)
        return e.intrinsic("double", "@exp", f"double {power}")
    if found.symbol == distributions.LOGARITHM:
        return _logarithm(e, bits, values)
    if _is_inlined(instr, found):
        e.state.routines.add("normal")
        return _placed(e, e.let(f"call double @sc.normal(ptr {bits})"), values)
    if _dtype(instr) is DType.F32:
        single = [e.let(f"fptrunc double {value} to float") for value in values]
        arguments = ", ".join((f"ptr {bits}", *(f"float {value}" for value in single)))
        symbol = _symbol(e, instr, found.single)
        e.declare(f"declare float @{symbol}({', '.join(('ptr', *['float'] * len(single)))})")
        return e.let(f"call float @{symbol}({arguments})")
    if name == "random":
        return _uniform(e, bits)
    typed = [
        f"{'i64' if p.type is INT else 'double'} {value}"
        for p, value in zip(found.parameters, values, strict=True)
    ]
    if name == "uniform":
        # The function takes the range.
        low, high = values
        typed[1] = f"double {e.let(f'fsub double {high}, {low}')}"
    if name == "binomial":
        memory = field(e, e.one(instr.operands[0]), loading_random_layout.BINOMIAL_AT)
        typed = [*reversed(typed), f"ptr {memory}"]
    result = "double" if found.result is FLOAT else "i64"
    symbol = _symbol(e, instr, found.symbol)
    return e.intrinsic(result, f"@{symbol}", f"ptr {bits}", *typed)


def _uniform(e: Emitter, bits: str) -> str:
    """Draw a number below 1, without a call of NumPy's function between."""
    state = _loaded(e, bits, loading_random_layout.BITS_STATE)
    function = _loaded(e, bits, loading_random_layout.BITS_DOUBLE)
    return e.let(f"call double {function}(ptr {state})")


def _loaded(e: Emitter, base: str, offset: int) -> str:
    at = e.let(f"getelementptr i8, ptr {base}, i64 {offset}") if offset else base
    return e.let(f"load ptr, ptr {at}")


def _is_inlined(instr: Instr, found: distributions.Distribution) -> bool:
    """Whether numbers of a distribution are drawn without a call of NumPy's function."""
    is_normal = found.symbol in ("random_standard_normal", "random_normal")
    return is_normal and _dtype(instr) is DType.F64 and ziggurat.is_known()


def _polar(e: Emitter, instr: Instr) -> str:
    source = e.one(instr.operands[0])
    e.state.routines.add("polar")
    return e.let(f"call double @sc.polar(ptr {field(e, source, loading_random_layout.POLAR_AT)})")


def _logarithm(e: Emitter, bits: str, values: Sequence[str]) -> str:
    rest = e.let(f"fsub double 1.0, {_uniform(e, bits)}")
    drawn = e.let(f"fneg double {e.intrinsic('double', '@log', f'double {rest}')}")
    return e.let(f"fmul double {values[0]}, {drawn}") if values else drawn


def _placed(e: Emitter, drawn: str, values: Sequence[str]) -> str:
    """Return a normal number of the mean and the scale that are given, if they are."""
    if not values:
        return drawn
    loc, scale = values
    return e.let(f"fadd double {loc}, {e.let(f'fmul double {scale}, {drawn}')}")


# Integers between bounds.

# The C functions by the width of what they fill; bools are bytes.
_FILLERS = {8: "uint8", 16: "uint16", 32: "uint32", 64: "uint64"}


def _fill_bounded(
    e: Emitter, instr: Instr, bits: str, bounds: Sequence[str], count: str, data: str
) -> None:
    """Fill memory with integers from `low` to `high`, which stand in the right order."""
    dtype = _dtype(instr)
    low, high = bounds
    reach = e.let(f"sub i64 {high}, {low}")
    if not instr.attrs["closed"]:
        reach = e.let(f"sub i64 {reach}, 1")
    width = 8 * dtype.itemsize
    kind = "bool" if dtype is DType.B1 else _FILLERS[width]
    type_ = "i1" if dtype is DType.B1 else f"i{width}"
    extended = f"{type_} zeroext" if width < 32 else type_
    narrow = [v if width == 64 else e.let(f"trunc i64 {v} to {type_}") for v in (low, reach)]
    # The older class draws until what it masks off fits.
    masked = "true" if instr.operands[0].type is RANDOM_STATE else "false"
    symbol = _symbol(e, instr, f"random_bounded_{kind}_fill")
    e.declare(f"declare void @{symbol}(ptr, {extended}, {extended}, i64, i1 zeroext, ptr)")
    arguments = [f"ptr {bits}", *(f"{extended} {v}" for v in narrow)]
    arguments += [f"i64 {count}", f"i1 zeroext {masked}", f"ptr {data}"]
    e.write(f"call void @{symbol}({', '.join(arguments)})")


def _index(e: Emitter, instr: Instr) -> None:
    source, last = instr.operands
    assert isinstance(source.type, PyType)
    _require_layout(e, instr)
    _hold(e, instr)
    bits = field(e, e.one(source), loading_random_layout.BITS_AT[source.type])
    symbol = _symbol(e, instr, "random_interval")
    e.bind(instr, e.intrinsic("i64", f"@{symbol}", f"ptr {bits}", f"i64 {e.one(last)}"))


# Generators themselves.


def _new(e: Emitter, instr: Instr) -> None:
    """Call a class of np.random."""
    maker = e.python_object(f"random.{instr.attrs['maker']}")
    e.bind(instr, checked(e, instr, _called(e, instr, maker, instr.operands)))


def _called(e: Emitter, instr: Instr, function: str, operands: Sequence[object]) -> str:
    """Return what a Python function gives for no argument, an int or an object, or null."""
    if not operands:
        return e.intrinsic("ptr", "@PyObject_CallNoArgs", f"ptr {function}")
    (operand,) = instr.operands[-1:]
    if operand.type is not INT:
        return e.intrinsic(
            "ptr", "@PyObject_CallOneArg", f"ptr {function}", f"ptr {e.one(operand)}"
        )
    number = e.intrinsic("ptr", "@PyLong_FromLongLong", f"i64 {e.one(operand)}")
    checked(e, instr, number)
    made = e.intrinsic("ptr", "@PyObject_CallOneArg", f"ptr {function}", f"ptr {number}")
    drop(e, number)
    return made


def _global(e: Emitter, instr: Instr) -> None:
    state = e.python_object("global_random")
    e.declare("declare void @Py_IncRef(ptr)")
    e.write(f"call void @Py_IncRef(ptr {state})")
    e.bind(instr, state)


def _seed(e: Emitter, instr: Instr) -> None:
    """Call the function that seeds a state, which takes its lock itself."""
    function = e.python_object("seed_random")
    state, *seed = instr.operands
    arguments = [e.one(state)]
    if seed:
        number = e.intrinsic("ptr", "@PyLong_FromLongLong", f"i64 {e.one(seed[0])}")
        arguments.append(checked(e, instr, number))
    base = e.alloca(f"[{len(arguments)} x ptr]")
    for place, argument in enumerate(arguments):
        at = e.let(f"getelementptr ptr, ptr {base}, i64 {place}")
        e.write(f"store ptr {argument}, ptr {at}")
    table = e.let(f"load ptr, ptr {e.let(f'getelementptr i8, ptr %ctx, i64 {Context.LOCKS}')}")
    locks.give_back(e, table)
    done = e.intrinsic(
        "ptr",
        *("@PyObject_Vectorcall", f"ptr {function}", f"ptr {base}"),
        *(f"i64 {len(arguments)}", "ptr null"),
    )
    for argument in arguments[1:]:
        drop(e, argument)
    held = locks.take_again(e, table)
    returned = e.let(f"icmp ne ptr {done}, null")
    failed = e.let(f"xor i1 {e.let(f'and i1 {held}, {returned}')}, true")
    e.check_status(failed, e.python_failed_block(instr))
    drop(e, done)


RULES: Mapping[OpDef, Rule] = {
    generators.DRAW: _draw,
    generators.FILL_RANDOM: _fill,
    generators.DRAW_INDEX: _index,
    generators.NEW_RANDOM: _new,
    generators.GLOBAL_RANDOM: _global,
    generators.SEED_RANDOM: _seed,
}
