"""Random programs in the script language, as source text that hypothesis can shrink.

    Program = functions + arguments; each function may call those before it

What they compute is exact in any order of evaluation: floats are small dyadic rationals, and sums
run over whole numbers below 1000. Loops are bounded, integers stay far from 64 bits. Every variable
keeps one type, so of the deviations in docs/language/differences.md only the one of integers that
overflow is met.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar, cast

import numpy as np
from hypothesis import strategies as st

from scriptc_runtime.types import COMPLEX_DTYPES, INTEGERS, DType

_T = TypeVar("_T")
# What hypothesis gives a composite strategy to draw with.
Draw = Callable[[st.SearchStrategy[object]], object]


class Kind(NamedTuple):
    """The type of an expression: a scalar of rank 0, else an array of an element of NumPy's."""

    element: str
    rank: int = 0


INT, FLOAT, BOOL = Kind("int"), Kind("float"), Kind("bool")
F64, F32, I64, U64, B1 = Kind("f64"), Kind("f32"), Kind("i64"), Kind("u64"), Kind("b1")
_DTYPES: Mapping[str, type[np.generic]] = {str(d): d.numpy.type for d in DType}
_INTEGERS = tuple(map(str, INTEGERS))
_COMPLEX = tuple(map(str, COMPLEX_DTYPES))
_SAMPLES: Mapping[str, object] = {
    "int": 3,
    "float": 3.0,
    "bool": True,
    **{name: dtype(1) for name, dtype in _DTYPES.items()},
}
_ELEMENT_OF: Mapping[type[object], str] = {type(value): name for name, value in _SAMPLES.items()}
# Names in the module `operator`, half of whose functions have no types.
_OPERATORS: Mapping[str, str] = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "<": "lt",
    "==": "eq",
    ">=": "ge",
    "!=": "ne",
    "&": "and_",
    "|": "or_",
    "^": "xor",
}
_NUMBERS = ("int", "float", *(name for name in _DTYPES if name != "b1"))
_ARITHMETIC = ("+", "-", "*", "/", "//", "%")
_COMPARISONS = ("<", "==", ">=", "!=")


def _element(symbol: str, left: str, right: str) -> str | None:
    """Return what NumPy and Python make of two elements, None where they make nothing.

    Complex numbers are compared for equality alone, and NumPy's vector code rounds their products
    differently from its scalar code.
    """
    if {left, right}.intersection(_COMPLEX) and symbol in ("<", ">=", "*", "/"):
        return None
    apply = cast(Callable[..., object], getattr(operator, _OPERATORS[symbol]))
    try:
        with np.errstate(all="ignore"):
            value = apply(_SAMPLES[left], _SAMPLES[right])
    except TypeError:
        return None
    return _ELEMENT_OF.get(type(value))


# For each element of a result the operators and operands that give it.
_PRODUCERS: Mapping[str, Sequence[tuple[str, str, str]]] = {
    result: [
        (symbol, left, right)
        for symbols, elements in (
            (_ARITHMETIC, _NUMBERS),
            (_COMPARISONS, _NUMBERS),
            (("&", "|", "^"), ("int", "bool", "b1", *_INTEGERS)),
        )
        for symbol in symbols
        for left in elements
        for right in elements
        if _element(symbol, left, right) == result
    ]
    for result in _SAMPLES
}


class Parameter(NamedTuple):
    """A parameter; the sizes of arrays have names of their own."""

    name: str
    kind: Kind

    @property
    def annotation(self) -> str:
        """Its annotation in the source."""
        sizes = ", ".join(f"dim('{self.name}{axis}')" for axis in range(self.kind.rank))
        return f"{self.kind.element}[{sizes}]" if sizes else self.kind.element


class Function(NamedTuple):
    """A function of a program."""

    name: str
    parameters: tuple[Parameter, ...]
    result: tuple[Kind, ...]
    text: str


Call = tuple[str, tuple[object, ...]]


class Program:
    """A module's functions, and for each of them the arguments of some calls.

    No dataclass: hypothesis would print the fields instead of the text.
    """

    def __init__(self, functions: Sequence[Function], calls: Sequence[Call]) -> None:
        self.functions = functions
        self.calls = calls

    @property
    def text(self) -> str:
        """The text of the module."""
        head = f"import numpy as np\nfrom scriptc.types import dim, {', '.join(_DTYPES)}\n"
        return head + "".join(f"\n\n{function.text}" for function in self.functions)

    def __repr__(self) -> str:
        calls = "\n".join(f"{name}{args!r}" for name, args in self.calls)
        return f"\n{self.text}\n{calls}\n"


class _Scope(NamedTuple):
    """What a statement may use: variables, which of them it may assign, and where it stands."""

    variables: dict[str, Kind]
    lists: dict[str, Kind]
    fixed: frozenset[str]
    in_loop: bool = False
    depth: int = 0

    def inside(self, *fixed: str, in_loop: bool | None = None) -> "_Scope":
        """Return the scope of a block, whose variables are its own."""
        looping = self.in_loop if in_loop is None else in_loop
        kept = self.fixed.union(fixed)
        return _Scope(dict(self.variables), dict(self.lists), kept, looping, self.depth + 1)


class _Writer:
    """Draws one function."""

    def __init__(self, draw: Draw, callees: Sequence[Function], result: tuple[Kind, ...]) -> None:
        self._draw = draw
        self._callees = callees
        self._result = result
        self._names = 0
        self._scope = _Scope({}, {}, frozenset())

    def choose(self, options: Sequence[_T]) -> _T:
        return cast(_T, self._draw(st.sampled_from(options)))

    def number(self, low: int, high: int) -> int:
        return cast(int, self._draw(st.integers(low, high)))

    def _name(self, prefix: str) -> str:
        self._names += 1
        return f"{prefix}{self._names}"

    # -------------------------------------------------------------------------------- statements

    def body(self, parameters: Sequence[Parameter]) -> list[str]:
        """Return the lines of the function."""
        self._scope = _Scope({p.name: p.kind for p in parameters}, {}, frozenset())
        lines: list[str] = []
        for kind in (INT, FLOAT, BOOL):
            lines += self._new_variable(kind)
        lines += self._block(self._scope, self.number(1, 5))
        return [*lines, f"    return {self._results()}"]

    def _block(self, scope: _Scope, count: int) -> list[str]:
        outer, self._scope = self._scope, scope
        indent = "    " * (scope.depth + 1)
        lines = [line for _ in range(count) for line in self._statement(indent)]
        self._scope = outer
        return lines or [f"{indent}pass"]

    def _statement(self, indent: str) -> list[str]:
        writers = [self._assign, self._assign, self._new, self._store, self._append]
        if self._scope.depth < 3:
            writers += [self._if, self._for, self._while, self._try, self._if]
        if self._scope.depth:
            writers += [self._leave]
        return self.choose(writers)(indent)

    def _new_variable(self, kind: Kind, indent: str = "    ") -> list[str]:
        name, value = self._name("v"), self.expression(kind, 2)
        self._scope.variables[name] = kind
        return [f"{indent}{name} = {value}"]

    def _new(self, indent: str) -> list[str]:
        what = self.number(0, 3)
        if what == 0:
            name, kind = self._name("items"), self.choose((INT, FLOAT))
            values = ", ".join(self.expression(kind, 1) for _ in range(self.number(1, 3)))
            self._scope.lists[name] = kind
            return [f"{indent}{name} = [{values}]"]
        if what == 1:
            first, second = self.choose((INT, FLOAT, BOOL)), self.choose((INT, FLOAT, BOOL))
            names = self._name("p"), self._name("q")
            values = self.expression(first, 2), self.expression(second, 2)
            self._scope.variables.update(zip(names, (first, second), strict=True))
            return [f"{indent}{', '.join(names)} = {', '.join(values)}"]
        return self._new_variable(self.choose(self._kinds()), indent)

    def _assign(self, indent: str) -> list[str]:
        # An array of another size, or a view, may take the place of one of the same type.
        names = [n for n in self._scope.variables if n not in self._scope.fixed]
        name = self.choose(names)
        kind = self._scope.variables[name]
        symbol = self.choose(("+", "-"))
        if not kind.rank and kind.element in _NUMBERS and self.number(0, 2) == 0:
            operand = kind if kind.element in ("int", "float") else self.choose((kind, INT))
            return [f"{indent}{name} {symbol}= {self.expression(operand, 2)}"]
        return [f"{indent}{name} = {self.expression(kind, 3)}"]

    def _store(self, indent: str) -> list[str]:
        arrays = self._of(lambda kind: kind.rank > 0)
        if not arrays:
            return self._assign(indent)
        name = self.choose(arrays)
        kind = self._scope.variables[name]
        scalar = self._assigned(kind.element)
        if self.number(0, 1):
            place = ", ".join(self._index(name) for _ in range(kind.rank))
            symbol = self.choose(("=", "=", "+=")) if kind.element != "b1" else "="
            return [f"{indent}{name}[{place}] {symbol} {self.expression(scalar, 2)}"]
        value = self.choose((scalar, kind))
        place = self._slice() if kind.rank == 1 else f":, {self._slice()}"
        symbols = ("=", "=", "+=") if kind.element in _COMPLEX else ("=", "=", "+=", "*=")
        symbol = self.choose(symbols) if kind.element != "b1" else "="
        return [f"{indent}{name}[{place}] {symbol} {self.expression(value, 2)}"]

    def _assigned(self, element: str) -> Kind:
        """Return a kind of scalar that an array of `element` takes without rounding or raising."""
        accepted = {"f64": (F64, FLOAT, INT), "f32": (F32, FLOAT), "b1": (B1, BOOL)}
        return self.choose(accepted.get(element, (Kind(element),)))

    def _append(self, indent: str) -> list[str]:
        if not self._scope.lists:
            return self._assign(indent)
        name = self.choose(list(self._scope.lists))
        value = self.expression(self._scope.lists[name], 2)
        if self.number(0, 2):
            return [f"{indent}{name}.append({value})"]
        return [f"{indent}{name}[{self.number(-3, 3)}] = {value}"]

    def _if(self, indent: str) -> list[str]:
        lines = [f"{indent}if {self.expression(BOOL, 2)}:", *self._inner()]
        if self.number(0, 2) == 0:
            lines += [f"{indent}elif {self.expression(BOOL, 1)}:", *self._inner()]
        if self.number(0, 1):
            lines += [f"{indent}else:", *self._inner()]
        return lines

    def _inner(self, *fixed: str, in_loop: bool | None = None) -> list[str]:
        scope = self._scope.inside(*fixed, in_loop=in_loop)
        return self._block(scope, self.number(1, 2))

    def _for(self, indent: str) -> list[str]:
        name, outer = self._name("i"), self._scope
        vectors = self._of(lambda kind: kind.rank == 1)
        choices = [self._range]
        choices += [lambda: (f"range({self.choose(vectors)}.shape[0])", INT)] if vectors else []
        choices += [lambda: self._over_array(vectors)] if vectors else []
        text, kind = self.choose(choices)()
        self._scope = outer.inside()
        self._scope = self._scope._replace(depth=outer.depth)
        self._scope.variables[name] = kind
        lines = [f"{indent}for {name} in {text}:", *self._inner(name, in_loop=True)]
        self._scope = outer
        return lines + self._loop_else(indent)

    def _range(self) -> tuple[str, Kind]:
        step = self.choose((1, 1, 2, -1))
        return f"range({self.number(-2, 3)}, {self.number(-2, 5)}, {step})", INT

    def _over_array(self, vectors: Sequence[str]) -> tuple[str, Kind]:
        name = self.choose(vectors)
        return name, Kind(self._scope.variables[name].element)

    def _while(self, indent: str) -> list[str]:
        counter = self._name("k")
        test = self.expression(BOOL, 1)
        limit = self.number(1, 4)
        inner = self._inner(in_loop=True)
        return [
            f"{indent}{counter} = 0",
            f"{indent}while {counter} < {limit} and {test}:",
            f"{indent}    {counter} += 1",
            *inner,
            *self._loop_else(indent),
        ]

    def _loop_else(self, indent: str) -> list[str]:
        return [f"{indent}else:", *self._inner()] if self.number(0, 3) == 0 else []

    def _try(self, indent: str) -> list[str]:
        errors = ("ZeroDivisionError", "IndexError", "ValueError", "OverflowError")
        caught = self.choose(errors)
        lines = [f"{indent}try:", *self._inner(), f"{indent}except {caught}:", *self._inner()]
        if self.number(0, 2) == 0:
            lines += [f"{indent}except {self.choose(('Exception', *errors))}:", *self._inner()]
        if self.number(0, 3) == 0:
            # Leaving a `finally` by break or return swallows the exception; not in the language.
            lines += [f"{indent}finally:", *self._finally(indent)]
        return lines

    def _finally(self, indent: str) -> list[str]:
        outer, self._scope = self._scope, self._scope.inside()
        lines = self._assign(indent + "    ")
        self._scope = outer
        return lines

    def _leave(self, indent: str) -> list[str]:
        ways = [
            f"return {self._results()}",
            f'raise {self.choose(("ValueError", "IndexError"))}("no")',
        ]
        if self._scope.in_loop:
            ways += ["break", "continue", "break", "continue"]
        # Under a condition, so that what follows can be reached.
        return [f"{indent}if {self.expression(BOOL, 1)}:", f"{indent}    {self.choose(ways)}"]

    def _results(self) -> str:
        values = [self.expression(kind, 1) for kind in self._result]
        return f"({', '.join(values)})" if len(values) > 1 else values[0]

    # ------------------------------------------------------------------------------- expressions

    def _of(self, accepts: Callable[[Kind], bool]) -> list[str]:
        return [name for name, kind in self._scope.variables.items() if accepts(kind)]

    def _kinds(self) -> list[Kind]:
        """Return the kinds that an expression can have here."""
        known = {k.element for k in self._scope.variables.values() if k.rank}
        scalars = [INT, FLOAT, BOOL, *(Kind(element) for element in sorted(known))]
        return [*scalars, *sorted({k for k in self._scope.variables.values() if k.rank})]

    def _has(self, element: str) -> bool:
        return element in ("int", "float", "bool") or Kind(element) in self._kinds()

    def expression(self, kind: Kind, depth: int) -> str:
        """Return an expression of a kind."""
        if depth <= 0 or self.number(0, 4) == 0:
            return self._leaf(kind)
        if kind.rank:
            return self.choose((self._leaf, self._array_operation, self._array_call))(kind)
        writers: list[Callable[[Kind, int], str]] = [self._binary, self._binary, self._choice]
        if kind in (INT, FLOAT):
            writers += [self._python_number, self._call]
        if kind is BOOL:
            writers += [self._logic, self._logic]
        if kind.element in _DTYPES and kind.element not in ("b1", *_COMPLEX):
            writers.append(self._reduction)
        return self.choose(writers)(kind, depth - 1)

    def _leaf(self, kind: Kind) -> str:
        names = self._of(lambda known: known == kind)
        if kind.rank:
            name = self.choose(names)
            return name if self.number(0, 1) else self._view(name, kind)
        literal = self._literal(kind)
        arrays = self._of(lambda known: known.rank > 0 and known.element == kind.element)
        if literal is None and not names:
            return self._item(self.choose(arrays))
        choices = [text for text in (literal, *names) if text is not None]
        if arrays and self.number(0, 2) == 0:
            return self._item(self.choose(arrays))
        return self.choose(choices)

    def _literal(self, kind: Kind) -> str | None:
        match kind.element:
            case "int":
                return self._signed(str(self.number(-9, 9)))
            case "float":
                return self._signed(repr(self.number(-40, 40) / 8))
            case "bool":
                return self.choose(("True", "False"))
            case _:
                return None

    def _signed(self, text: str) -> str:
        return f"({text})" if text.startswith("-") else text

    def _item(self, array: str) -> str:
        rank = self._scope.variables[array].rank
        return f"{array}[{', '.join(self._index(array) for _ in range(rank))}]"

    def _index(self, array: str) -> str:
        names = self._of(lambda kind: kind == INT)
        small = self.number(-2, 2)
        if names and self.number(0, 1):
            return f"{self.choose(names)} % 4 - {abs(small)}"
        return str(small)

    def _slice(self) -> str:
        low, high = (self.choose(("", "", "1", "-1", "2", "-2", "9")) for _ in range(2))
        step = self.choose(("", "", ":2", ":-1", ":-2"))
        return f"{low}:{high}{step}"

    def _view(self, name: str, kind: Kind) -> str:
        if kind.rank == 1:
            return f"{name}[{self._slice()}]"
        return self.choose((f"{name}.T", f"{name}[{self._slice()}]", f"{name}[:, {self._slice()}]"))

    def _binary(self, kind: Kind, depth: int) -> str:
        options = [p for p in _PRODUCERS[kind.element] if self._has(p[1]) and self._has(p[2])]
        if not options:
            return self._leaf(kind)
        symbol, left, right = self.choose(options)
        first, second = self.expression(Kind(left), depth), self.expression(Kind(right), depth)
        if symbol == "*" and (left, right) == ("int", "int"):
            return f"({first} % 97 * ({second} % 89))"
        return f"({first} {symbol} {second})"

    def _choice(self, kind: Kind, depth: int) -> str:
        test = self.expression(BOOL, depth)
        one, other = self.expression(kind, depth), self.expression(kind, depth)
        return f"({one} if {test} else {other})"

    def _python_number(self, kind: Kind, depth: int) -> str:
        value = self.expression(kind, depth)
        other = self.expression(kind, depth)
        lists = [name for name, item in self._scope.lists.items() if item == kind]
        forms = [f"(-{value})", f"abs({value})", f"min({value}, {other})", f"max({value}, {other})"]
        forms += [f"{name}[{self.number(-2, 2)}]" for name in lists]
        if kind == INT:
            forms += [f"({value} % 9) ** 2", f"({value} >> 2)", f"(~{value})"]
            forms += [f"len({name})" for name in self._scope.lists]
            forms += [f"int({self.expression(FLOAT, depth - 1)})"]
            forms += [f"{a}.shape[0]" for a in self._of(lambda known: known.rank > 0)]
        else:
            forms += [f"float({self.expression(INT, depth - 1)})", f"({value}) ** 2"]
        return self.choose(forms)

    def _call(self, kind: Kind, depth: int) -> str:
        fitting = [f for f in self._callees if f.result == (kind,) and self._can_call(f)]
        if not fitting:
            return self._binary(kind, depth)
        callee = self.choose(fitting)
        arguments = (self.expression(p.kind, depth - 1) for p in callee.parameters)
        return f"{callee.name}({', '.join(arguments)})"

    def _can_call(self, function: Function) -> bool:
        return all(p.kind in self._kinds() for p in function.parameters)

    def _logic(self, kind: Kind, depth: int) -> str:
        first, second = self.expression(kind, depth), self.expression(kind, depth)
        number = self.choose((INT, FLOAT))
        low, middle, high = (self.expression(number, depth - 1) for _ in range(3))
        return self.choose(
            (
                f"({first} and {second})",
                f"({first} or {second})",
                f"(not {first})",
                f"({low} < {middle} <= {high})",
            )
        )

    def _reduction(self, kind: Kind, depth: int) -> str:
        arrays = [k for k in self._kinds() if k.rank and k.element == kind.element]
        if not arrays:
            return self._binary(kind, depth)
        array = self._array_operation(self.choose(arrays))
        if kind.element in _INTEGERS:
            sums = [f"np.sum({array})"] if kind in (I64, U64) else []
            return self.choose((f"np.max({array})", f"np.min({array})", *sums))
        # Whole numbers below 1000 add up exactly in any order; adding zero makes -0.0 a 0.0.
        name = self.choose(self._of(lambda known: known.rank > 0 and known.element == kind.element))
        whole = f"np.where(np.abs({name}) < 1000.0, {name} // 1.0, 0.0 * {name})"
        return self.choose((f"np.sum({whole})", f"(np.max({array}) + 0)", f"(np.min({array}) + 0)"))

    def _array_operation(self, kind: Kind) -> str:
        options = [p for p in _PRODUCERS[kind.element] if self._array_fits(p, kind.rank)]
        if not options:
            return self._leaf(kind)
        symbol, left, right = self.choose(options)
        return f"({self._operand(left, kind.rank)} {symbol} {self._operand(right, kind.rank)})"

    def _array_fits(self, producer: tuple[str, str, str], rank: int) -> bool:
        """Whether one operand can be an array of that rank, and the other at least a scalar."""
        _, left, right = producer
        known = set(self._scope.variables.values())
        arrays = [element for element in (left, right) if Kind(element, rank) in known]
        return bool(arrays) and self._has(left) and self._has(right)

    def _operand(self, element: str, rank: int) -> str:
        if Kind(element, rank) in set(self._scope.variables.values()):
            return self._leaf(Kind(element, rank))
        return self.expression(Kind(element), 1)

    def _array_call(self, kind: Kind) -> str:
        first, second = self._leaf(kind), self._leaf(kind)
        if kind.element == "b1":
            return f"(~{first})"
        masks = self._of(lambda known: known == Kind("b1", kind.rank))
        forms = [f"{first}.copy()", f"(-{first})"]
        forms.append(f"np.{'conj' if kind.element in _COMPLEX else 'abs'}({first})")
        forms += [f"np.where({mask}, {first}, {second})" for mask in masks]
        if kind.rank == 1:
            forms += [
                text
                for name in self._of(lambda k: k == Kind(kind.element, 2))
                for text in self._row(name)
            ]
        for callee in self._callees:
            if callee.result == (kind,) and self._can_call(callee):
                values = (self.expression(p.kind, 1) for p in callee.parameters)
                forms.append(f"{callee.name}({', '.join(values)})")
        return self.choose(forms)

    def _row(self, matrix: str) -> tuple[str, ...]:
        axis = self.number(-1, 1)
        largest = f"(np.max({matrix}, axis={axis}) + 0)"
        return f"{matrix}[{self._index(matrix)}]", f"{matrix}[:, {self.number(-2, 2)}]", largest


_ARRAYS = (*(Kind(name, 1) for name in _DTYPES), Kind("f64", 1), Kind("f64", 2), Kind("i32", 2))
_RESULTS = ((INT,), (FLOAT,), (FLOAT,), (INT, FLOAT), (BOOL,))


def _function(draw: Draw, number: int, callees: Sequence[Function]) -> Function:
    count = cast(int, draw(st.integers(0, 3)))
    kinds = [
        cast(Kind, draw(st.sampled_from((*_ARRAYS, *_ARRAYS[:1], INT, FLOAT))))
        for _ in range(count)
    ]
    parameters = tuple(Parameter(f"{'abcd'[i]}", kind) for i, kind in enumerate((*kinds, INT)))
    arrays = sorted({(kind,) for kind in kinds if kind.rank})
    scalars = sorted({(Kind(kind.element),) for kind in kinds if kind.rank})
    result = cast("tuple[Kind, ...]", draw(st.sampled_from((*_RESULTS, *arrays, *scalars))))
    lines = _Writer(draw, callees, result).body(parameters)
    head = ", ".join(f"{p.name}: {p.annotation}" for p in parameters)
    name = f"f{number}"
    return Function(name, parameters, result, "\n".join((f"def {name}({head}):", *lines, "")))


def _argument(draw: Draw, kind: Kind) -> object:
    if kind == INT:
        return draw(st.integers(-5, 9))
    if kind == FLOAT:
        return cast(int, draw(st.integers(-40, 40))) / 8
    shape = tuple(cast(int, draw(st.integers(0, 4))) for _ in range(kind.rank))
    size = int(np.prod(shape))
    values = np.array(
        cast("list[int]", draw(st.lists(st.integers(-40, 40), min_size=size, max_size=size)))
    )
    values = values.reshape(shape)
    match kind.element:
        case "b1":
            return values > 0
        case element if element in _INTEGERS:
            return values.astype(_DTYPES[element])
        case _:
            whole = values + values[..., ::-1] * 1j if kind.element in _COMPLEX else values
            return (whole / 8).astype(_DTYPES[kind.element])


@st.composite
def programs(draw: st.DrawFn, most: int = 6, calls: int = 3) -> Program:
    """Return a strategy of programs of at most `most` functions, each called `calls` times."""
    pick = cast(Draw, draw)
    functions: list[Function] = []
    for number in range(draw(st.integers(1, most))):
        functions.append(_function(pick, number, functions))
    made = tuple(
        (f.name, tuple(_argument(pick, p.kind) for p in f.parameters))
        for f in functions
        for _ in range(calls)
    )
    return Program(functions, made)
