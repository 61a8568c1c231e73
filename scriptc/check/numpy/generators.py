"""np.random: generators, what is drawn from them, and the functions of the global state.

The functions of this module are found by the object as all others are, but their table is made when
a program names one of them: without that, NumPy does not load `numpy.random`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, int_size
from scriptc.check.numpy import array_parts, permutations, reductions
from scriptc.check.operators import INDEX_TYPES
from scriptc_runtime import distributions
from scriptc_runtime.ops import arrays, elementwise, generators
from scriptc_runtime.random_generators import global_state
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BIT_GENERATOR,
    BOOL,
    DEFAULT_DTYPE,
    GENERATOR,
    INT,
    RANDOM_STATE,
    DType,
    PyType,
    TensorType,
    Type,
    is_complex,
    is_number,
)

Checker = Callable[[LibraryCall], Typed]
_SOURCE = "rng"  # the name of the parameter that is drawn from


def _drawn(
    call: LibraryCall,
    source: Computation,
    name: str,
    values: Sequence[Computation],
    dtype: DType,
    *,
    closed: bool = False,
    sizes: Sequence[tuple[Computation, int | None]] | None = None,
) -> Computation:
    """Return one number, or an array where sizes are given."""
    apply, node = call.context.apply, call.node
    if sizes is None:
        return apply(node, generators.DRAW, source, *values, name=name, dtype=dtype, closed=closed)
    at = call.nodes.get("size", node)
    operands = [int_size(call, size, at) for size, _ in sizes]
    dims = tuple(None if known is None or known < 0 else known for _, known in sizes)
    return apply(
        node,
        *(generators.DRAW_ARRAY, source, *values, *operands),
        name=name,
        dtype=dtype,
        closed=closed,
        dims=dims,
    )


def _source(call: LibraryCall) -> Computation:
    """Return what is drawn from: the receiver of a method, or the global state."""
    if _SOURCE in call.values:
        return call.operand(_SOURCE)
    return call.context.apply(call.node, generators.GLOBAL_RANDOM)


def _sizes(call: LibraryCall) -> Sequence[tuple[Computation, int | None]] | None:
    """Return the sizes of the result, None where it is one number."""
    return call.items("size") if call.is_given("size") else None


def _number(call: LibraryCall, name: str, type_: PyType, default: float | None) -> Computation:
    """Return a parameter of a distribution."""
    if name not in call.values:
        assert default is not None
        return Literal(default, type_)
    value = call.numeric(name)
    if isinstance(value.type, TensorType) and value.type.rank == 0:
        value = call.context.apply(call.node, arrays.INDEX, value)
    if isinstance(value.type, TensorType):
        return _numbers(call, name, value, type_)
    fits = value.type in (BOOL, *INDEX_TYPES) if type_ is INT else is_number(value.type)
    if not fits or is_complex(value.type):
        wanted = "an int" if type_ is INT else "a number"
        call.refuse(f"{name} must be {wanted}, not {value.type}", call.nodes[name])
    return converted(value, type_)


def _numbers(call: LibraryCall, name: str, value: Computation, type_: PyType) -> Computation:
    """Return an array of a parameter, one for each number that is drawn."""
    dtype = reductions.dtype_of(value)
    if (type_ is INT and (dtype.kind not in "biu" or dtype is DType.U64)) or dtype.kind == "c":
        wanted = "ints" if type_ is INT else "numbers"
        call.refuse(f"{name} must be {wanted}, not {value.type}", call.nodes[name])
    return converted(value, DEFAULT_DTYPE[type_])


def _shape_of(
    call: LibraryCall, values: Sequence[Computation]
) -> Sequence[tuple[Computation, int | None]] | None:
    """Return the sizes of what arrays are broadcast to, None without arrays."""
    model: Computation | None = None
    for value in values:
        if isinstance(value.type, TensorType):
            number = converted(value, DType.F64)
            model = (
                number
                if model is None
                else call.context.apply(call.node, elementwise.ADD, model, number)
            )
    return None if model is None else [(size, None) for size in array_parts.sizes_of(call, model)]


def _distribution(source: PyType, name: str) -> Checker:
    """Return the check of a method that draws from a distribution."""
    found = distributions.DISTRIBUTIONS[source][name]

    def check(call: LibraryCall) -> Typed:
        from_ = _source(call)
        values = [_number(call, p.name, p.type, p.default) for p in found.parameters]
        dtype = DEFAULT_DTYPE[found.result]
        if found.single and call.is_given("dtype"):
            dtype = call.dtype("dtype", dtype)
            if dtype not in (DType.F32, DType.F64):
                call.refuse(f"{dtype} is not drawn", call.nodes["dtype"], "np.float64")
        sizes = _sizes(call) if call.is_given("size") else _shape_of(call, values)
        return call.result(_drawn(call, from_, name, values, dtype, sizes=sizes))

    return check


def _bounded(source: PyType) -> Checker:
    """Return the check of `integers` of a Generator, or `randint` of a RandomState."""

    def check(call: LibraryCall) -> Typed:
        from_ = _source(call)
        low = _number(call, "low", INT, None)
        high: Computation = Literal(0, INT)
        if call.is_given("high"):
            high = _number(call, "high", INT, None)
        else:
            low, high = high, low
        closed = call.flag("endpoint")
        python = _python_class(call, int if source is RANDOM_STATE else None)
        dtype = call.dtype("dtype", DType.I64)
        if dtype not in distributions.BOUNDED_DTYPES:
            call.refuse(f"{dtype} is not drawn", call.nodes["dtype"], "np.int64")
        arrays_given = any(isinstance(bound.type, TensorType) for bound in (low, high))
        if arrays_given and dtype.itemsize < 4:
            # NumPy makes several of them from one draw, across elements.
            call.refuse(f"arrays of bounds are not built for {dtype}", call.nodes["low"])
        sizes = _sizes(call) if call.is_given("size") else _shape_of(call, (low, high))
        drawn = _drawn(
            call, from_, distributions.BOUNDED, (low, high), dtype, closed=closed, sizes=sizes
        )
        if sizes is None and python is not None:
            drawn = converted(drawn, python)
        return call.result(drawn)

    return check


def _python_class(call: LibraryCall, default: type | None) -> PyType | None:
    """Return the type of one number where `dtype` is, or stands for, a class of Python's."""
    given: object = default
    if call.is_given("dtype"):
        value = call.values["dtype"]
        given = None if isinstance(value, Typed) else value.value
    return INT if given is int else BOOL if given is bool else None


def _along_axes(name: str) -> Checker:
    """Return the check of np.random.rand or np.random.randn, whose arguments are sizes."""

    def check(call: LibraryCall) -> Typed:
        from_ = _source(call)
        given = [name for name in call.values if name != _SOURCE]
        sizes = [(call.operand(name), call.known_int(name)) for name in given]
        values = [
            Literal(p.default, p.type)
            for p in distributions.DISTRIBUTIONS[RANDOM_STATE][name].parameters
        ]
        drawn = _drawn(call, from_, name, values, DType.F64, sizes=sizes or None)
        return call.result(drawn)

    return check


def _seed(call: LibraryCall) -> Typed:
    """Check np.random.seed, or the method: it starts the state anew."""
    from_ = _source(call)
    return call.apply(generators.SEED_RANDOM, from_, *_seeds(call))


def _seeds(call: LibraryCall) -> Sequence[Computation]:
    if not call.is_given("seed"):
        return ()
    value = call.operand("seed")
    if value.type not in INDEX_TYPES:
        call.refuse(f"the seed must be an int, not {value.type}", call.nodes["seed"])
    return (converted(value, INT),)


def _bits(maker: str) -> Checker:
    """Return the check of np.random.PCG64 and its like."""

    def check(call: LibraryCall) -> Typed:
        return call.apply(generators.NEW_RANDOM, *_seeds(call), maker=maker)

    return check


def _generator(call: LibraryCall) -> Typed:
    """Check np.random.Generator."""
    bits = call.operand("bit_generator")
    if bits.type is not BIT_GENERATOR:
        call.refuse(f"a bit generator is needed, not {bits.type}", call.nodes["bit_generator"])
    return call.apply(generators.NEW_RANDOM, bits, maker="Generator")


def _default_rng(call: LibraryCall) -> Typed:
    """Check np.random.default_rng, which gives back a generator that it is given."""
    given = call.operand("seed") if call.is_given("seed") else None
    if given is not None and given.type is GENERATOR:
        return call.result(given)
    bits = given
    if given is None or given.type is not BIT_GENERATOR:
        seeds = _seeds(call)
        bits = call.context.apply(call.node, generators.NEW_RANDOM, *seeds, maker="PCG64")
    assert bits is not None
    return call.apply(generators.NEW_RANDOM, bits, maker="Generator")


def _random_state(call: LibraryCall) -> Typed:
    """Check np.random.RandomState."""
    given = call.operand("seed") if call.is_given("seed") else None
    operands = [given] if given is not None and given.type is BIT_GENERATOR else _seeds(call)
    return call.apply(generators.NEW_RANDOM, *operands, maker="RandomState")


def _parameters(found: distributions.Distribution) -> tuple[str, ...]:
    single = ("dtype",) if found.single else ()
    return (*(p.name for p in found.parameters), "size", *single)


def _entry(source: PyType, name: str) -> Library:
    found = distributions.DISTRIBUTIONS[source][name]
    title = f"{source}.{found.method or name}"
    if name == distributions.BOUNDED:
        closed = ("endpoint",) if source is GENERATOR else ()
        names = (_SOURCE, "low", "high", "size", "dtype", *closed)
        return Library(title, names, 2, _bounded(source), displays=True)
    required = sum(p.default is None for p in found.parameters)
    names = (_SOURCE, *_parameters(found))
    return Library(title, names, 1 + required, _distribution(source, name), displays=True)


def _methods(source: PyType) -> Mapping[str, Library]:
    entries = {name: _entry(source, name) for name in distributions.DISTRIBUTIONS[source]}
    return {
        distributions.DISTRIBUTIONS[source][name].method or name: entry
        for name, entry in entries.items()
    }


def _sized(name: str, drawn: str) -> Library:
    return Library(f"random_state.{name}", (_SOURCE, "size"), 1, _along_axes(drawn), variadic=True)


def _of_source(check: Callable[[LibraryCall, Computation], Typed]) -> Checker:
    return lambda call: check(call, _source(call))


def _orders(source: PyType) -> Mapping[str, Library]:
    """Return the methods that put in order and choose."""
    older = source is RANDOM_STATE
    axis = () if older else ("axis",)
    choice = ("a", "size", "replace", "p", *(() if older else ("axis", "shuffle")))
    rows: Mapping[str, tuple[tuple[str, ...], Checker]] = {
        "shuffle": (("x", *axis), _of_source(permutations.shuffled)),
        "permutation": (("x", *axis), _of_source(permutations.permuted)),
        "choice": (choice, _of_source(permutations.chosen)),
    }
    found = {
        name: Library(f"{source}.{name}", (_SOURCE, *names), 2, check, displays=name != "shuffle")
        for name, (names, check) in rows.items()
    }
    normals = ("mean", "cov", "size", "check_valid", *(() if older else ("method",)))
    found["multivariate_normal"] = Library(
        f"{source}.multivariate_normal",
        (_SOURCE, *normals),
        3,
        _of_source(permutations.normals),
        displays=True,
    )
    return found


_OF_STATE = _methods(RANDOM_STATE)
METHODS: Mapping[Type, Mapping[str, Library]] = {
    GENERATOR: {**_methods(GENERATOR), **_orders(GENERATOR)},
    RANDOM_STATE: {
        **_OF_STATE,
        **_orders(RANDOM_STATE),
        "random": _OF_STATE["random_sample"],
        "rand": _sized("rand", "random"),
        "randn": _sized("randn", "standard_normal"),
        "seed": Library("random_state.seed", (_SOURCE, "seed"), 1, _seed),
    },
}


def find(value: object) -> Library | None:
    """Return the entry of a function or class of np.random."""
    return functions().get(value) if "numpy.random" in sys.modules else None


@cache
def functions() -> Mapping[object, Library]:
    """Return the functions and classes of np.random that scripts can call."""
    state = global_state()
    made: dict[object, Library] = {
        np.random.default_rng: Library("np.random.default_rng", ("seed",), 0, _default_rng),
        np.random.Generator: Library("np.random.Generator", ("bit_generator",), 1, _generator),
        np.random.RandomState: Library("np.random.RandomState", ("seed",), 0, _random_state),
        np.random.seed: Library("np.random.seed", ("seed",), 0, _seed),
    }
    for name, type_ in generators.MAKERS.items():
        if type_ is BIT_GENERATOR:
            entry = Library(f"np.random.{name}", ("seed",), 0, _bits(name))
            made[getattr(np.random, name)] = entry
    for name, method in METHODS[RANDOM_STATE].items():
        if name != "seed":
            made[getattr(state, name)] = _of_global_state(name, method)
    made[np.random.ranf] = made[np.random.sample] = made[np.random.random_sample]
    return made


def _of_global_state(name: str, method: Library) -> Library:
    return replace(
        method, name=f"np.random.{name}", names=method.names[1:], required=method.required - 1
    )
