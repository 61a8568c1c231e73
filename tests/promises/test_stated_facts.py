"""What a file states of itself, attribute by attribute: how a false statement is met.

A saved file may come from a stranger, so nothing that it says is believed: it decides what is
computed, or it is compared with what is so, when the file is read or when the code runs. `FACTS`
has a row for each attribute of each op that a file may hold. The test puts values of every kind
into each of them; what is read does the same in the interpreter and compiled.
"""

import enum
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import scriptc
import scriptc_runtime
from scriptc_runtime.dims import Dim
from scriptc_runtime.errors import InvalidIRError, LoadError
from scriptc_runtime.ir import Builder, Entry, Function, Label, Module, Value, make
from scriptc_runtime.ops import (
    OPS,
    arrays,
    containers,
    control,
    data,
    exceptions,
    fourier,
    reductions,
)
from scriptc_runtime.ops.opdef import Attr, Level, OpTypeError
from scriptc_runtime.ops.signature import result_types
from scriptc_runtime.record import replace as record_replace
from scriptc_runtime.saved.file import EntryPoint, SavedModule, write_saved
from scriptc_runtime.text.attributes import attr_text
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.types import (
    BIT_GENERATOR,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    RANDOM_STATE,
    STR,
    CellType,
    ClassType,
    DictType,
    DType,
    ListType,
    NamedType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)
from scriptc_runtime.values import EXCEPTIONS
from scriptc_runtime.verify.module import verify
from tests.support.ir_programs import signature
from tests.support.op_samples import accepted, samples_of
from tests.support.outcomes import freeze
from tests.support.sample_operands import Sample, given
from tests.support.sample_operands import sample as sample_of


class Held(enum.Enum):
    """How it comes that a false statement does no harm."""

    TYPES = "types are computed from it, or compared with it, when the file is read"
    RUN = "it is compared when the code runs; ValueError"
    MEANING = "it says what to compute, and nothing else rests on it"
    WORD = "the program's own word, as `prange` is; results may rest on it, no access does"


TYPES, RUN, MEANING, WORD = Held
FACTS: Mapping[str, Mapping[str, Held]] = {
    "view": {"axes": TYPES, "dims": RUN},
    "dim": {"axis": MEANING},
    "join": {"axis": TYPES, "kind": TYPES},
    "roll": {"axis": MEANING},
    "take": {"axis": TYPES},
    "outer_take": {"axis": TYPES, "full": MEANING},
    "put_at": {"axis": TYPES, "kind": MEANING},
    **{op.name: {"axis": TYPES, "keepdims": TYPES} for op in reductions.OPS if op.attrs},
    "matmul": {"called": MEANING},
    "call": {"callee": TYPES, "result": TYPES},
    "draw": {"name": MEANING, "dtype": TYPES, "closed": MEANING},
    "draw_array": {"name": MEANING, "dtype": TYPES, "closed": MEANING, "dims": RUN},
    "new": {"cls": TYPES, "fields": TYPES},
    "field": {"name": TYPES, "type": TYPES},
    "set_field": {"name": TYPES},
    "upcast": {"type": TYPES},
    "downcast": {"cls": TYPES, "classes": MEANING},
    "is_instance": {"classes": MEANING},
    "format": {"spec": MEANING, "conversion": MEANING},
    "reshape": {"dims": RUN, "dense": MEANING},
    "set_shape": {"dims": RUN},
    "empty": {"dims": RUN, "dtype": TYPES},
    "full": {"dims": RUN},
    "const": {"value": TYPES, "dtype": TYPES},
    "svd": {"full": MEANING},
    "for": {"grows": WORD},
    "item": {"index": TYPES},
    "part": {"index": MEANING},
    "record_field": {"offset": TYPES, "dtype": TYPES, "shape": TYPES},
    **{name: {"item": TYPES} for name in ("list", "nothing", "cell_unset")},
    "cell_get": {"name": MEANING, "free": MEANING},
    "raise": {"kind": MEANING},
    "reraise": {"traced": MEANING},
    **{op.name: {"kind": MEANING} for op in exceptions.OPS if "kind" in op.attrs},
    "about_exception": {"kind": TYPES},
    # What is there is looked at when the code runs: TypeError where it is of another type.
    "exception_argument": {"type": TYPES, "path": MEANING},
    "argument_is": {"type": MEANING, "path": MEANING},
    "hold": {"type": TYPES},
    "held_argument": {"type": TYPES},
    "ask": {"kind": TYPES},
    "container": {"type": TYPES},
    "named": {"type": TYPES},
    "is_object": {"classes": MEANING},
    "object_of": {"cls": TYPES, "classes": MEANING},
    "holds": {"type": TYPES},
    "held": {"type": TYPES},
    "str_find": {"last": MEANING},
    "str_scan": {"kind": MEANING},
    "format_by": {"conversion": MEANING},
    "str_changed": {"kind": MEANING},
    "char_is": {"kind": MEANING},
    **{op: {"encoding": MEANING, "errors": MEANING} for op in ("encoded", "decoded")},
    "array_text": {"kind": MEANING},
    "scan": {"kind": MEANING, "last": MEANING},
    "sort": {"kind": MEANING},
    "argsort": {"kind": MEANING},
    "new_random": {"maker": TYPES},
    "qr": {"mode": TYPES},
    **{op.name: {"norm": MEANING} for op in fourier.OPS},
    "transpose": {"order": TYPES},
    "cast": {"to": TYPES},
    **{op: {"upper": MEANING} for op in ("cholesky", "eigvalsh", "eigh")},
}
CORE = {op.name: op for op in OPS.values() if op.level is not Level.LOW}
ROWS = [(op, attr) for op, attrs in FACTS.items() for attr in attrs]

_F64 = TensorType(DType.F64, (Dim(2),))
# Values of every kind that some attribute takes, and of kinds that none does.
_VALUES: Sequence[Attr] = (
    *(None, True, False, -1, 0, 1, 2, 3, 4, 6, 40, 2**31, 2**63 - 1, -(2**63), 2**64 - 1),
    *(0.5, -0.0, float("nan"), float("inf"), 1e308, 1j, complex("nan")),
    *("", "s", "r", "a", "i", "n", "is", "si", "ss", "nn", "x", "w", "y", "\ud800", "a\0b"),
    *("concatenate", "stack", "expand", "put", "add", "sub", "mul", "maximum", "minimum"),
    *("dot", "vdot", "matmul", "h", "g", "f", "quicksort", "stable", "heapsort"),
    *("ValueError", "ArithmeticError", "IndexError", "KeyboardInterrupt", "SystemExit", "print"),
    *("random.seed", "upper", "title", "alpha", "numeric", "ascii", "latin-1", "replace", "strict"),
    *("blank", "ink", "break"),
    *("backward", "ortho", "forward", "reduced", "complete", "raw", "Point", "Other", ".3f", "5"),
    *("PCG64", "MT19937", "Generator", "RandomState", "random", "normal", "integers", "Point.x"),
    *(DType.B1, DType.U8, DType.I64, DType.F16, DType.F32, DType.F64, DType.C64, DType.C128),
    *(INT, FLOAT, BOOL, COMPLEX, STR, NONE, _F64, TensorType(DType.F64), ListType(INT)),
    *(TensorType(DType.F64, (Dim(known=False),)), TensorType(DType.F64, (Dim(10**9),))),
    *(TupleType(()), TupleType((INT, STR)), ListType(_F64)),
    *((), (0,), (1,), (2,), (3,), (6,), (7,), (10**9,), (None,), (2**63 - 1,), (True,)),
    *((0, 1), (1, 0), (0, 0), (2, 3), (3, 2), (7, 7), (10**9, 3), (None, 10**9), (0, 10**9)),
    *((1, 6, 1), (1, 2, 0), (2, 2, 2), (0, 1, 2, 3), (10**9,) * 3),
    *(("x",), ("x", "w"), ("w", "x"), ("sum",), ("min",), ("xor",), ("sum", "sum")),
    *(("Point",), ("Special",), ("Special", "Point"), ("Other",), ClassType("Point")),
    *("args", "class", "str", "repr", "name", "cause", "context", "Mine", "Yours", "prod"),
    *(("Mine",), ("Mine", "Near"), ("Near",), ("Yours",), UnionType((INT, STR))),
    *(DictType(INT, STR), SetType(INT), SetType(INT, frozen=True), SetType(STR)),
    # Enumerations that have the member 1 and such that lack it, and types of which no class is.
    NamedType("Color", INT, "Enum", ("RED", 1, "BLUE", "b")),
    NamedType("Alone", INT, "Enum", ("ONLY", 1)),
    NamedType("Level", INT, "IntEnum", ("LOW", 1, "HIGH", 2)),
    NamedType("Far", INT, "IntEnum", ("FAR", 9)),
    NamedType("Bits", INT, "Flag", ("READ", 2)),
    NamedType("Word", STR, "StrEnum", ("A", "a")),
    NamedType("Bare", INT, "Enum", ()),
    NamedType("Pair", TupleType((FLOAT, STR)), "NamedTuple", ("x", "name")),
    NamedType("Single", TupleType((FLOAT, STR)), "NamedTuple", ("x",)),
    NamedType("Other", TupleType((FLOAT, INT)), "NamedTuple", ("x", "name")),
)

# Ops that stand in no plain line: the type of %0 and the lines; `{0}` is the attribute's value.
_NONE = "%0 = const [value=none] : None"
_RAISING = (
    """try @T {{
%z = floordiv %n, %n : int
exit @T
}} {{(%e: exception)
%i = is_exception %e [kind=KIND] : bool
if @I %i {{
exit @I
}} {{
reraise %e [traced=TRACED]
}}
exit @T
}}
"""
    + _NONE
)
# What an exception says, and what objects of the classes @Mine and @Yours are in a handler.
_ASKED = """try @T {{
%z = floordiv %n, %n : int
exit @T
}} {{(%e: exception)
LINE
exit @T
}}
"""
_TEXT = """%i = exception_text %e [kind={0}] : str
%u = tuple %a, %i : tuple<float, str>
exit @return %u"""
_OWN = """try @T {{
%v = new_exception %t [kind="ValueError"] : exception
%m = new %v, %n [cls="Mine", fields=("__exception__", "n")] : class<Mine>
%o = exception_of %v, %m : exception
%w = eq %n, %n : bool
if @I %w {{
reraise %o [traced=true]
}} {{
exit @I
}}
exit @T
}} {{(%e: exception)
LINE
%u = tuple %a, %i : tuple<float, {0}>
exit @return %u
}}
"""
_OBJECT = """%s = object_of %e [cls=CLASS, classes=CLASSES] : class<Mine>
%i = field %s [name="n", type=int] : int"""
_ARGUMENT = """%g = about_exception %e [kind="args"] : exception_args
%k = const [value=0] : int
"""
_GET = "%i = exception_argument %g, %k [type=TYPE, path=PATH] : TYPE"
_READ = _ASKED.replace("LINE", _ARGUMENT + _GET)
_IS = _ASKED.replace("LINE", f"{_ARGUMENT}%i = argument_is %g, %k [type=TYPE, path=PATH] : bool")
_TEXT_OF = _ASKED.replace("LINE", f"{_ARGUMENT}%i = argument_text %g, %k [kind=TYPE] : str")
_HELD = _ASKED.replace("LINE", f"{_ARGUMENT}%i = held_argument %g, %k [type=TYPE] : TYPE")
_HOLD = "%l = list [item=int] : list<int>\n%h = hold %l [type={0}] : held\n"
_INT = "%0 = const [value=0] : int"
_PUT = (
    """%b = const [value=0, dtype=i64] : i64
%c = const [value=1, dtype=i64] : i64
%k = arange %b, %c, %c : tensor<i64, [?]>
put_at %x, %x, %k [axis=AXIS, kind=KIND]
"""
    + _NONE
)


def _argument(text: str, type_: str, path: str) -> str:
    return text.replace("TYPE", type_).replace("PATH", path) + _NONE


_TEXTS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("call", "callee"): ("f64", "%0 = call %x [callee={0}, result=f64] : f64"),
    ("call", "result"): ("{0}", '%0 = call %x [callee="h", result={0}] : {0}'),
    ("new", "cls"): (
        "None",
        f'%1 = new %a, %x [cls={{0}}, fields=("x", "w")] : class<Point>\n{_NONE}',
    ),
    ("new", "fields"): (
        "None",
        f'%1 = new %a, %x [cls="Point", fields={{0}}] : class<Point>\n{_NONE}',
    ),
    ("field", "name"): ("float", "%0 = field %p [name={0}, type=float] : float"),
    ("field", "type"): ("{0}", '%0 = field %p [name="w", type={0}] : {0}'),
    ("set_field", "name"): ("None", f"set_field %p, %a [name={{0}}]\n{_NONE}"),
    ("upcast", "type"): (
        "None",
        f'%1 = new %a, %x [cls="Special", fields=("x", "w")] : class<Special>\n'
        f"%2 = upcast %1 [type={{0}}] : {{0}}\n{_NONE}",
    ),
    ("downcast", "cls"): (
        "None",
        f'%1 = downcast %p [cls={{0}}, classes=("Point",)] : class<Point>\n{_NONE}',
    ),
    ("downcast", "classes"): (
        "None",
        f'%1 = downcast %p [cls="Special", classes={{0}}] : class<Special>\n{_NONE}',
    ),
    ("is_instance", "classes"): ("bool", "%0 = is_instance %p [classes={0}] : bool"),
    ("ask", "kind"): ("None", f"ask %n [kind={{0}}]\n{_NONE}"),
    ("put_at", "axis"): ("None", _PUT.replace("AXIS", "{0}").replace("KIND", '"put"')),
    ("put_at", "kind"): ("None", _PUT.replace("AXIS", "(0,)").replace("KIND", "{0}")),
    ("cell_get", "name"): (
        "int",
        "%c = cell_unset [item=int] : cell<int>\n%0 = cell_get %c [name={0}, free=false] : int",
    ),
    ("cell_get", "free"): (
        "int",
        '%c = cell_unset [item=int] : cell<int>\n%0 = cell_get %c [name="x", free={0}] : int',
    ),
    ("raise", "kind"): (
        "None",
        f"""%w = eq %n, %n : bool
if @I %w {{{{
raise %t [kind={{0}}]
}}}} {{{{
exit @I
}}}}
{_NONE}""",
    ),
    ("is_exception", "kind"): ("None", _RAISING.replace("KIND", "{0}").replace("TRACED", "true")),
    ("reraise", "traced"): (
        "None",
        _RAISING.replace("KIND", '"KeyError"').replace("TRACED", "{0}"),
    ),
    ("exception_text", "kind"): (
        "str",
        _ASKED.replace("LINE\nexit @T", _TEXT) + '%0 = const [value=""] : str',
    ),
    ("about_exception", "kind"): (
        "None",
        _ASKED.replace("LINE", "%i = about_exception %e [kind={0}] : exception_args") + _NONE,
    ),
    ("exception_argument", "type"): ("None", _argument(_READ, "{0}", "()")),
    ("exception_argument", "path"): ("None", _argument(_READ, "str", "{0}")),
    ("argument_is", "type"): ("None", _argument(_IS, "{0}", "()")),
    ("argument_is", "path"): ("None", _argument(_IS, "str", "{0}")),
    ("argument_text", "kind"): ("None", _argument(_TEXT_OF, "{0}", "()")),
    ("hold", "type"): ("None", _HOLD + _NONE),
    ("held_argument", "type"): ("None", _argument(_HELD, "{0}", "()")),
    ("older_exception", "kind"): (
        "None",
        _ASKED.replace("LINE", "%i = older_exception %e [kind={0}] : optional<exception>") + _NONE,
    ),
    ("is_object", "classes"): (
        "bool",
        _OWN.replace("{0}", "bool").replace("LINE", "%i = is_object %e [classes={0}] : bool")
        + "%0 = const [value=false] : bool",
    ),
    ("object_of", "cls"): (
        "int",
        _OWN.replace("{0}", "int")
        .replace("LINE", _OBJECT)
        .replace("CLASSES", '("Mine",)')
        .replace("CLASS", "{0}")
        + _INT,
    ),
    ("object_of", "classes"): (
        "int",
        _OWN.replace("{0}", "int")
        .replace("LINE", _OBJECT)
        .replace("CLASSES", "{0}")
        .replace("CLASS", '"Mine"')
        + _INT,
    ),
    # Any number may come of another member, so `held` stands where `holds` was seen to be true.
    ("held", "type"): (
        "None",
        f"""%u = held %n [type=union<int, float, str>] : union<int, float, str>
%h = holds %u [type={{0}}] : bool
if @I %h {{{{
%w = held %u [type={{0}}] : {{0}}
exit @I
}}}} {{{{
exit @I
}}}}
{_NONE}""",
    ),
    ("for", "grows"): (
        "int",
        """%s = const [value=1] : int
%k = const [value=6] : int
%0 = for @L %n, %k, %s, %n [grows={0}] : int {{(%i: int, %j: int)
%z = add %j, %i : int
%d = mod %i, %s : int
%v = index %x, %d : f64
set_index %x, %v, %d
exit @L.next %z
}}""",
    ),
}
_AROUND = """class @Point {{x: float, w: tensor<f64, [?]>}}
class @Other {{x: float, w: tensor<f64, [?]>}}
class @Special : @Point {{x: float, w: tensor<f64, [?]>}}
class @Mine {{__exception__: exception, n: int}}
class @Near : @Mine {{__exception__: exception, n: int}}
class @Yours {{__exception__: exception, n: int}}
func @g(%x: tensor<f64, [?]>) -> int {{
%0 = const [value=3] : int
exit @return %0
}}
func @h(%x: tensor<f64, [?]>) -> f64 {{
%0 = sum %x [axis=none, keepdims=false] : f64
exit @return %0
}}
func @f(%x: tensor<f64, [?]>, %a: float, %n: int, %t: str) -> tuple<float, {0}> {{
%p = new %a, %x [cls="Point", fields=("x", "w")] : class<Point>
{1}
%q = field %p [name="x", type=float] : float
%r = tuple %q, %0 : tuple<float, {0}>
exit @return %r
}}
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A function with one value of an attribute, what it needs, and arguments for each call."""

    function: Function
    around: Module
    calls: Sequence[Callable[[], Sequence[object]]]


def test_every_attribute_of_a_file_has_its_row() -> None:
    assert {(op.name, a) for op in CORE.values() for a in op.attrs} == set(ROWS)


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("op", "attr"), ROWS, ids=str)
def test_whatever_an_attribute_says_is_refused_or_means_the_same(
    op: str, attr: str, tmp_path: Path
) -> None:
    # Of a name that may be any, a few will do.
    cases = list(islice((case for value in _VALUES for case in _cases(op, attr, value)), 10))
    assert cases, "no value is taken"
    path = tmp_path / "stated"
    _write(path, [_named(case, f"f{number}") for number, case in enumerate(cases)])
    interpreted, compiled = scriptc_runtime.load(path), scriptc.load(path)
    kinds: list[object] = []
    for number, case in enumerate(cases):
        for call in case.calls:
            expected = _outcome(interpreted, f"f{number}", call())
            assert _outcome(compiled, f"f{number}", call()) == expected
            kinds.append(expected[1])
    if FACTS[op][attr] is RUN:
        assert "ValueError" in kinds


def _outcome(module: Any, name: str, arguments: Sequence[object]) -> tuple[object, ...]:
    try:
        result = getattr(module, name)(*arguments)
    except tuple(EXCEPTIONS.values()) as error:
        return "raised", type(error).__name__, str(error)
    return "returned", _rounded(result), *map(freeze, arguments)


def _rounded(value: object) -> object:
    """Return a result without the last bits of its floats, which depend on who computes them."""
    if isinstance(value, tuple):
        return tuple(map(_rounded, cast("tuple[object, ...]", value)))
    if not isinstance(value, np.ndarray | np.generic):
        return freeze(value)
    array = cast("np.ndarray[Any, np.dtype[Any]]", np.asarray(cast(Any, value)))
    if array.dtype.kind not in "fc":
        return freeze(cast(object, value))
    with np.errstate(all="ignore"):
        kept = np.complex64 if array.dtype.kind == "c" else np.float32
        return array.dtype, freeze(np.round(array.astype(kept), 3) + 0)


def _cases(op: str, attr: str, value: Attr) -> Iterator[Case]:
    """Yield functions with a value in the attribute, where it is not refused."""
    text = _TEXTS.get((op, attr))
    if text is not None:
        with suppress(InvalidIRError, LoadError):
            yield _text_case(text, value)
        return
    for sample in _samples(op):
        with suppress(OpTypeError, InvalidIRError):
            yield _sample_case(sample, {**sample.attrs, attr: value})


def _text_case(text: tuple[str, str], value: Attr) -> Case:
    result, lines = (part.format(attr_text(value)) for part in text)
    module = read_module(_AROUND.format(result, lines))
    verify(module)
    return Case(module.functions["f"], module, [lambda: [np.array([1.5, -2.0]), 0.25, 0, "text"]])


def _samples(op: str) -> Iterator[Sample]:
    """Yield samples of an op whose operands may come from outside, each with types of its own."""
    seen: set[object] = set()
    for sample in samples_of(op):
        key = sample.types, frozenset(sample.attrs.keys())
        if key not in seen and len(seen) < 2 and accepted(sample):
            seen.add(key)
            yield sample


def _sample_case(sample: Sample, attrs: Mapping[str, Attr]) -> Case:
    """Return a function that runs an op, and reads an element and the sizes of its result."""
    op, code, label = sample.op, Builder(), Label("return")
    params = [Value(t, f"p{i}") for i, t in enumerate(sample.types)]
    inferred = result_types(op, sample.types, attrs)
    code.open()
    (made,) = code.append(make(op, params, attrs)).results
    places = [Value(INT, f"i{axis}") for axis in range(_rank(made.type))]
    kept = [made] if made.type not in (RANDOM_STATE, BIT_GENERATOR) else []
    if isinstance(made.type, TensorType):
        kept += [code.emit(arrays.DIM, made, axis=a) for a in range(len(places))]
        kept.append(code.emit(arrays.INDEX, made, *places))
    if isinstance(made.type, CellType):
        kept = [code.emit(control.CELL_GET, made, name="x", free=False)]
    code.exit(label, code.emit(data.TUPLE, *kept))
    result = TupleType(tuple(v.type for v in kept))
    function = Function("f", (*params, *places), result, code.close(), label)
    verify(Module({"f": function}))
    assert [made.type] == list(inferred)
    return Case(
        function,
        Module({}),
        [lambda at=at: [*sample.operands(), *[at] * len(places)] for at in (0, 10**6)],
    )


def _rank(type_: Type) -> int:
    return type_.rank if isinstance(type_, TensorType) else 0


def _named(case: Case, name: str) -> Case:
    return replace(case, function=record_replace(case.function, name=name))


def _write(path: Path, cases: Sequence[Case]) -> None:
    functions = {case.function.name: case.function for case in cases}
    around = cases[0].around
    others = {n: f for n, f in around.functions.items() if n != "f"}
    entries = tuple(Entry(name, name) for name in functions)
    points = [EntryPoint(f.name, (signature(f),)) for f in functions.values()]
    module = Module({**functions, **others}, around.classes, entries=entries)
    write_saved(path, SavedModule(module, tuple(points)))


@pytest.mark.parametrize("slots", [16, 24])
def test_a_set_whose_index_no_search_ends_in_does_not_leave(slots: int, tmp_path: Path) -> None:
    numbers = SetType(INT)
    entries = given(lambda: [(1, 1)], numbers.entries)
    index = given(lambda: [np.int32(0)] * slots, numbers.index)
    made = sample_of(containers.CONTAINER, entries, index, 1, slots, 0, type=numbers)
    case = _sample_case(made, {"type": numbers})
    _write(tmp_path / "sets", [case])
    with pytest.raises(SystemError, match="bad argument"):
        scriptc.load(tmp_path / "sets").f(*case.calls[0]())


# What else a file may state, and why it is not believed.
_REFUSED: Mapping[str, tuple[str, str]] = {
    "what is released where an instruction raises": (
        """func @f(%x: tensor<f64, [?]>, %n: int) -> int {
  %0 = floordiv %n, %n : int cleanup(%x)
  exit @return %0
}""",
        "only low IR says what is cleaned up",
    ),
    "a function called as the compiler's own": (
        """func kernel @kernel.f.0(%x: i64) -> i64 {
  exit @return %x
}
func @f(%x: i64) -> i64 {
  %0 = call %x [callee="kernel.f.0", result=i64] : i64
  exit @return %0
}""",
        "only a compilation makes functions called as 'kernel.f.0'",
    ),
    "a result that is no more than what the callee gives": (
        """func @g(%x: tensor<f64, [?]>) -> tensor<f64, [?]> {
  exit @return %x
}
func @f(%x: tensor<f64, [?]>) -> tensor<f64, [?]> {
  %0 = call %x [callee="g", result=tensor<f64, [9]>] : tensor<f64, [?]>
  exit @return %0
}""",
        "@g returns f64",
    ),
    "a size that is a sum": (
        """func @f(%x: tensor<f64, [N+1]>, %y: tensor<f64, [N+1]>) -> tensor<f64, [N+1]> {
  %0 = add %x, %y : tensor<f64, [N+1]>
  exit @return %0
}""",
        "is no number, no symbol and not unknown",
    ),
    "a size below zero": (
        """func @f(%x: tensor<f64, [-3]>) -> tensor<f64, [-3]> {
  exit @return %x
}""",
        "is no number, no symbol and not unknown",
    ),
    "a line that no file has": (
        """func @f(%x: int) -> int {
  exit @return %x loc(9223372036854775807:1)
}""",
        "no line or column of a file is over",
    ),
}


@pytest.mark.parametrize(("text", "message"), _REFUSED.values(), ids=_REFUSED.keys())
def test_a_file_may_not_state(text: str, message: str) -> None:
    with pytest.raises((InvalidIRError, LoadError), match=re.escape(message)):
        verify(read_module(text))
