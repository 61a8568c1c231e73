"""Functions of core IR with changes that know their structure.

A change may break a rule: most leave IR that can be read. What a change makes of the type of a
value goes on to what is computed of it.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scriptc_runtime.dims import UNKNOWN, Dim, symbol
from scriptc_runtime.ir import Block, Function, Instr, Label, Loc, Target, Value
from scriptc_runtime.ops import OPS, control, data
from scriptc_runtime.ops.opdef import Attr, Level, OpDef, OpTypeError, Trait
from scriptc_runtime.ops.signature import result_types
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    EXCEPTION,
    FLOAT,
    INT,
    NONE,
    STR,
    CellType,
    ClassType,
    DType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
)
from scriptc_runtime.values import EXCEPTIONS

CORE = [op for op in OPS.values() if op.level is not Level.LOW]
_BLOCKS = Trait.REGION | Trait.TERMINATOR
_PLAIN = [op for op in CORE if not _BLOCKS & op.traits]
_LOW = [op for op in OPS.values() if op.level is Level.LOW and not _BLOCKS & op.traits]
NUMBERS = (0, 1, 2, 3, 7, -1, -2, 64, 2**31, 2**40, 2**63 - 1, -(2**63), 2**62 + 1, 2**63)
FLOATS = (0.0, -0.0, 0.5, 1.5, -3.25, 1e308, -1e308, 5e-324, float("inf"), float("nan"))
TEXTS = ("", "x", "0", "é", "\ud800", "a\0b", "\n", "nan", "5", ".3f", "ValueError", "sum", "s")
_VECTOR, _MATRIX = (TensorType(DType.F64, (symbol("N"), symbol("M"))[:n]) for n in (1, 2))
TYPES: Sequence[Type] = (
    *(INT, FLOAT, BOOL, COMPLEX, STR, NONE, EXCEPTION, ListType(INT), ListType(STR)),
    *(DType.F64, DType.F32, DType.I64, DType.U8, DType.B1, DType.C128, DType.F16, DType.U64),
    *(OptionalType(INT), OptionalType(STR), TupleType(()), TupleType((INT, DType.F64))),
    *(CellType(INT), TensorType(DType.F64), TensorType(DType.F64, (UNKNOWN,)), _VECTOR, _MATRIX),
    *(TensorType(DType.I64, (Dim(3),)), TensorType(DType.F64, (UNKNOWN, Dim(2)))),
    *(OptionalType(_VECTOR), ListType(TensorType(DType.F64, (UNKNOWN,)))),
    # What no value has, or not in every module.
    *(OptionalType(NONE), OptionalType(OptionalType(INT)), ClassType("Part"), ClassType("Nowhere")),
)
_DIMS = (
    *(UNKNOWN, Dim(0), Dim(1), Dim(2), Dim(3), Dim(10**9), symbol("N"), symbol("M"), Dim(-1)),
    *(symbol("N").plus(Dim(1)), symbol("N").times(2), symbol("N").plus(symbol("M"))),
)
# Attributes by name, besides what other values of their kind give.
_ATTRS: dict[str, Sequence[Attr]] = {
    "kind": (*EXCEPTIONS, "stable", "quicksort"),
    "axes": ("", "i", "s", "n", "ii", "si", "ss", "ns"),
    "mode": ("r", "reduced", "complete"),
    "norm": ("backward", "ortho", "forward"),
    "maker": ("PCG64", "Generator", "RandomState", "MT19937"),
    "name": ("random", "standard_normal", "integers", "uniform", "x", "w", "last", "step", "best"),
    "called": ("dot", "vdot", "matmul"),
    "conversion": ("", "s", "r", "a"),
    "spec": ("", "5", ".3f", ">10", "e", "g", "x", "d", ",", "%", "+.2e", "08.3f"),
    "axis": (None, 0, 1, 2, (0,), (0, 1), (1, 0), False, True, "0"),
    "order": ((), (0,), (1, 0), (0, 1), (2, 0, 1)),
    "dims": ((), (None,), (3,), (None, None), (2, None), (10**9,)),
    "grows": ((), ("sum",), ("min",), ("prod",), ("or",)),
    "to": (*DType, INT, FLOAT, BOOL, COMPLEX),
    "dtype": tuple(DType),
    "item": TYPES,
    "result": TYPES,
    "type": TYPES,
    "callee": ("f", "g", "main"),
    "cls": ("Point", "Counter", "Part", "Whole", "Nowhere"),
    "fields": ((), ("x",), ("x", "w")),
}


@dataclass(frozen=True, slots=True)
class Site:
    """An instruction, what it may use, and the regions around it, the outermost first.

    `hidden` is what stands before it in blocks that have ended.
    """

    instr: Instr
    scope: Sequence[Value]
    around: Sequence[tuple[Label, Instr | None]]
    hidden: Sequence[Value]


@dataclass(slots=True)
class Edits:
    """What stands for instructions, and for values."""

    instrs: dict[Instr, Sequence[Instr]] = field(default_factory=dict[Instr, Sequence[Instr]])
    values: dict[Value, Value] = field(default_factory=dict[Value, Value])


def changed(function: Function, rng: random.Random) -> Function:
    """Return a function with one change."""
    if rng.random() < 0.15:
        return rng.choice(_OF_FUNCTIONS)(function, rng)
    sites = list(_sites(function))
    if not sites:  # what an earlier change left
        return function
    return _rewritten(function, rng.choice(_OF_SITES)(rng.choice(sites), rng))


def _sites(function: Function) -> Iterator[Site]:
    hidden: list[Value] = []

    def inside(
        block: Block, scope: list[Value], around: list[tuple[Label, Instr | None]]
    ) -> Iterator[Site]:
        own = list(block.params)
        for instr in block.body:
            yield Site(instr, (*scope, *own), around, tuple(hidden))
            for inner in instr.blocks:
                if instr.label is not None:
                    yield from inside(inner, [*scope, *own], [*around, (instr.label, instr)])
            own += instr.results
        hidden.extend(own)

    yield from inside(function.body, list(function.params), [(function.label, None)])


def _rewritten(function: Function, edits: Edits) -> Function:
    if not edits.instrs and not edits.values:
        return function
    params = tuple(edits.values.get(p, p) for p in function.params)
    return replace(function, params=params, body=_block(function.body, edits))


def _block(block: Block, edits: Edits) -> Block:
    params = tuple(edits.values.get(p, p) for p in block.params)
    # What stands for an instruction may hold it.
    body = [_instr(new, edits) for old in block.body for new in edits.instrs.pop(old, (old,))]
    return Block(params, tuple(body))


def _instr(instr: Instr, edits: Edits) -> Instr:
    operands = tuple(edits.values.get(v, v) for v in instr.operands)
    blocks = tuple(_block(b, edits) for b in instr.blocks)
    results = [edits.values.get(v, v) for v in instr.results]
    if not instr.blocks:
        for at, type_ in enumerate(_types(instr.op, operands, instr, len(results))):
            # A declared size may be unknown where it is known.
            if type_ != results[at].type and str(type_) != str(results[at].type):
                new = Value(type_, results[at].name)
                edits.values[instr.results[at]] = results[at] = new
    if operands == instr.operands and blocks == instr.blocks and tuple(results) == instr.results:
        return instr
    return replace(instr, operands=operands, blocks=blocks, results=tuple(results))


def _types(op: OpDef, operands: Sequence[Value], instr: Instr, count: int) -> Sequence[Type]:
    """Return the types that an op gives; none where it refuses its operands."""
    try:
        found = result_types(op, [v.type for v in operands], instr.attrs)
    except OpTypeError:
        return ()
    return found if len(found) == count else ()


def with_call(function: Function, callee: Function, rng: random.Random) -> Function:
    """Return a function that calls another one somewhere."""
    sites = list(_sites(function))
    if not sites:
        return function
    site = rng.choice(sites)
    if callee.params and not site.scope:
        return function
    operands = [_fitting(p.type, site.scope, rng) for p in callee.params]
    attrs: dict[str, Attr] = {"callee": callee.name, "result": callee.result}
    call = Instr(control.CALL, tuple(operands), attrs, (Value(callee.result),), site.instr.loc)
    return _rewritten(function, Edits({site.instr: (call, _using(site.instr, call, rng))}))


def _fitting(type_: Type, scope: Sequence[Value], rng: random.Random) -> Value:
    fits = [v for v in scope if str(v.type) == str(type_)]
    return rng.choice(fits or scope)


def with_callee(function: Function, old: str, new: str) -> Function:
    """Return a function that calls `new` where it calls `old`."""
    edits = Edits()
    for site in _sites(function):
        if site.instr.attrs.get("callee") == old:
            attrs = {**site.instr.attrs, "callee": new}
            edits.instrs[site.instr] = (replace(site.instr, attrs=attrs),)
    return _rewritten(function, edits)


# ---------------------------------------------------------------------------------- values of kinds


def other_attr(name: str, value: Attr, rng: random.Random) -> Attr:
    """Return another value for an attribute."""
    if name in _ATTRS and rng.random() < 0.5:
        return rng.choice(_ATTRS[name])
    if rng.random() < 0.1:
        return rng.choice((*NUMBERS, *FLOATS, *TEXTS, *TYPES, None, True, False, (), (0, 1)))
    match value:
        case bool():
            return not value
        case int():
            return rng.choice((*NUMBERS, value + 1, value - 1, -value))
        case float():
            return rng.choice((*FLOATS, -value))
        case complex():
            return complex(rng.choice(FLOATS), rng.choice(FLOATS))
        case str():
            return rng.choice(TEXTS)
        case None:
            return rng.choice((0, 1, (0,), (0, 1)))
        case tuple():
            return _other_tuple(value, rng)
        case _:
            return other_type(value, rng)


def _other_tuple(value: tuple[Attr, ...], rng: random.Random) -> Attr:
    items = list(value)
    match rng.randrange(5):
        case 0 if items:
            del items[rng.randrange(len(items))]
        case 1:
            items.insert(rng.randint(0, len(items)), rng.choice((0, 1, 2, None, "x")))
        case 2:
            rng.shuffle(items)
        case _ if items:
            at = rng.randrange(len(items))
            items[at] = other_attr("", items[at], rng)
        case _:
            return None
    return tuple(items)


def other_type(value: Type, rng: random.Random) -> Type:
    """Return another type, mostly one that is alike."""
    match value:
        case TensorType() if rng.random() < 0.85:
            return _other_tensor(value, rng)
        case ListType(item) if rng.random() < 0.6:
            return ListType(other_type(item, rng))
        case OptionalType(item) if rng.random() < 0.6:
            return OptionalType(other_type(item, rng))
        case TupleType(items) if items and rng.random() < 0.6:
            at = rng.randrange(len(items))
            return TupleType((*items[:at], other_type(items[at], rng), *items[at + 1 :]))
        case DType() if rng.random() < 0.7:
            return rng.choice(list(DType))
        case _:
            return rng.choice(TYPES)


def _other_tensor(value: TensorType, rng: random.Random) -> TensorType:
    dtype, sizes = value.dtype, list(value.dims)
    match rng.randrange(6):
        case 0:
            dtype = rng.choice(list(DType))
        case 1:
            sizes.insert(rng.randint(0, len(sizes)), rng.choice(_DIMS))
        case 2 if sizes:
            sizes.pop()
        case _ if sizes:
            sizes[rng.randrange(len(sizes))] = rng.choice(_DIMS)
        case _:
            dtype = DType.F64
    return TensorType(dtype, tuple(sizes))


# -------------------------------------------------------------------------- changes at instructions


def _swap_operand(site: Site, rng: random.Random) -> Edits:
    operands = list(site.instr.operands)
    if not operands or not site.scope:
        return _insert(site, rng)
    at = rng.randrange(len(operands))
    match rng.randrange(8):
        case 0:
            del operands[at]
        case 1:
            operands.insert(at, rng.choice(site.scope))
        case 2:
            rng.shuffle(operands)
        case _:
            operands[at] = _other_value(operands[at], site.scope, rng)
    return Edits({site.instr: (replace(site.instr, operands=tuple(operands)),)})


def _other_value(value: Value, scope: Sequence[Value], rng: random.Random) -> Value:
    same = [v for v in scope if v.type == value.type and v is not value]
    return rng.choice(same) if same and rng.random() < 0.9 else rng.choice(scope)


def _stray(site: Site, rng: random.Random) -> Edits:
    """Use a value of a block that has ended."""
    operands = list(site.instr.operands)
    if not operands or not site.hidden:
        return _swap_operand(site, rng)
    at = rng.randrange(len(operands))
    operands[at] = _other_value(operands[at], site.hidden, rng)
    return Edits({site.instr: (replace(site.instr, operands=tuple(operands)),)})


def _swap_attr(site: Site, rng: random.Random) -> Edits:
    attrs = dict(site.instr.attrs)
    if not attrs:
        return _swap_op(site, rng)
    name = rng.choice(sorted(attrs))
    attrs[name] = other_attr(name, attrs[name], rng)
    return Edits({site.instr: (replace(site.instr, attrs=attrs),)})


def _swap_op(site: Site, rng: random.Random) -> Edits:
    """Put in another op that takes the operands, if it can be found."""
    instr = site.instr
    if instr.blocks or instr.target:
        return _swap_operand(site, rng)
    for _ in range(30):
        op = rng.choice(_PLAIN)
        new = replace(instr, op=op, attrs=_attrs_for(op, instr, rng))
        types = _types(op, instr.operands, new, len(instr.results))
        if types and (list(types) == [v.type for v in instr.results] or rng.random() < 0.3):
            return Edits({instr: (new,)})
    return Edits()


def _attrs_for(op: OpDef, instr: Instr | None, rng: random.Random) -> dict[str, Attr]:
    kept: Mapping[str, Attr] = instr.attrs if instr else {}
    return {
        name: kept[name] if name in kept else rng.choice(_ATTRS.get(name, (False, True, 0, 1, "")))
        for name in op.attrs
    }


def _insert(site: Site, rng: random.Random) -> Edits:
    """Put a new instruction in front, and let one operand behind it be its result."""
    ops = _LOW if rng.random() < 0.03 else _PLAIN
    for _ in range(30):
        op = rng.choice(ops)
        fixed = [name for name in op.operands if not name.startswith("*")]
        count = len(fixed) + (rng.randrange(3) if len(fixed) < len(op.operands) else 0)
        if count and not site.scope:
            continue
        operands = tuple(_likely(site.scope, rng) for _ in range(count))
        new = Instr(op, operands, _attrs_for(op, None, rng), (), site.instr.loc)
        try:
            types = result_types(op, [v.type for v in operands], new.attrs)
        except OpTypeError:
            continue
        new = replace(new, results=tuple(map(Value, types)))
        return Edits({site.instr: (new, _using(site.instr, new, rng))})
    return _constant(site, rng)


def _likely(scope: Sequence[Value], rng: random.Random) -> Value:
    return scope[max(rng.randrange(len(scope)) for _ in range(2))]


def _using(instr: Instr, new: Instr, rng: random.Random) -> Instr:
    fits = [
        at
        for at, operand in enumerate(instr.operands)
        if new.results and (operand.type == new.results[0].type or rng.random() < 0.1)
    ]
    if not fits:
        return instr
    at = rng.choice(fits)
    operands = (*instr.operands[:at], new.results[0], *instr.operands[at + 1 :])
    return replace(instr, operands=operands)


def _constant(site: Site, rng: random.Random) -> Edits:
    """Let an operand be a constant."""
    kind = rng.randrange(4)
    value = rng.choice((NUMBERS, FLOATS, TEXTS, (None, True, False, 1j))[kind])
    attrs: dict[str, Attr] = {"value": value}
    if kind < 2 and rng.random() < 0.5:
        attrs["dtype"] = rng.choice(list(DType))
    try:
        types = result_types(data.CONST, [], attrs)
    except OpTypeError:
        return Edits()
    new = Instr(data.CONST, (), attrs, tuple(map(Value, types)), site.instr.loc)
    return Edits({site.instr: (new, _using(site.instr, new, rng))})


def _drop(site: Site, rng: random.Random) -> Edits:
    """Leave an instruction out; what used its results uses others of their types."""
    edits = Edits({site.instr: ()})
    for result in site.instr.results:
        same = [v for v in site.scope if v.type == result.type]
        if same:
            edits.values[result] = rng.choice(same)
    return edits


def _double(site: Site, rng: random.Random) -> Edits:
    """Do what an instruction does twice."""
    instr = site.instr
    if instr.blocks or instr.target:
        return _wrap(site, rng)
    again = replace(instr, results=tuple(Value(v.type) for v in instr.results))
    return Edits({instr: (again, instr)})


def _redirect(site: Site, rng: random.Random) -> Edits:
    """Let an exit leave another region, or the block end in another way."""
    instr = site.instr
    if instr.target is None:
        return _wrap(site, rng)
    label, region = rng.choice(site.around)
    results = [v.type for v in region.results] if region else []
    values = [next((v for v in reversed(site.scope) if v.type == t), None) for t in results]
    operands = tuple(v for v in values if v is not None) if results else instr.operands
    target = Target(label, rng.random() < 0.4)
    return Edits({instr: (replace(instr, target=target, operands=operands),)})


def _wrap(site: Site, rng: random.Random) -> Edits:
    """Put an instruction without results into a region of its own."""
    instr, label, loc = site.instr, Label("new"), site.instr.loc
    if instr.target or instr.results:
        return _insert(site, rng)
    leave = Instr(control.EXIT, (), {}, (), loc, target=Target(label))
    again = Instr(control.EXIT, (), {}, (), loc, target=Target(label, True))
    once, empty = Block((), (instr, leave)), Block((), (leave,))
    ints = [v for v in site.scope if v.type is INT]
    bools = [v for v in site.scope if v.type is BOOL]
    match rng.randrange(4):
        case 0:
            region = Instr(control.BLOCK, (), {}, (), loc, (once,), label)
        case 1:
            handler = Block((Value(EXCEPTION),), (leave,))
            region = Instr(control.TRY, (), {}, (), loc, (once, handler), label)
        case 2 if bools:
            region = Instr(control.IF, (rng.choice(bools),), {}, (), loc, (once, empty), label)
        case _ if ints:
            rounds = Block((Value(INT),), (instr, again))
            attrs: dict[str, Attr] = {"grows": ()} if rng.random() < 0.3 else {}
            operands = tuple(rng.choice(ints) for _ in range(3))
            region = Instr(control.FOR, operands, attrs, (), loc, (rounds,), label)
        case _:
            return Edits()
    return Edits({instr: (region,)})


def _declare(site: Site, rng: random.Random) -> Edits:
    """Give a result, or a parameter of a block, another type."""
    own = [*site.instr.results, *(p for b in site.instr.blocks for p in b.params)]
    if not own:
        return _swap_operand(site, rng)
    value = rng.choice(own)
    return Edits({}, {value: Value(other_type(value.type, rng), value.name)})


def _block_params(site: Site, rng: random.Random) -> Edits:
    """Let a block have another parameter, that it uses, or one less, or another order of them."""
    if not site.instr.blocks:
        return _stray(site, rng)
    blocks, edits = list(site.instr.blocks), Edits()
    at = rng.randrange(len(blocks))
    params, body = list(blocks[at].params), list(blocks[at].body)
    users = [number for number, instr in enumerate(body) if instr.operands]
    match rng.randrange(4):
        case 0 if params:
            dropped = params.pop(rng.randrange(len(params)))
            if same := [v for v in (*site.scope, *params) if v.type == dropped.type]:
                edits.values[dropped] = rng.choice(same)
        case 1 if len(params) > 1:
            rng.shuffle(params)
        case _ if users:
            number = rng.choice(users)
            operands = list(body[number].operands)
            place = rng.randrange(len(operands))
            operands[place] = Value(operands[place].type)
            params.insert(rng.randint(0, len(params)), operands[place])
            body[number] = replace(body[number], operands=tuple(operands))
        case _:
            params.append(Value(rng.choice(TYPES)))
    blocks[at] = Block(tuple(params), tuple(body))
    edits.instrs[site.instr] = (replace(site.instr, blocks=tuple(blocks)),)
    return edits


def _form(site: Site, rng: random.Random) -> Edits:
    """Let an instruction have a block more or less, no target, or a label without use."""
    instr = site.instr
    if instr.target:
        return Edits({instr: (replace(instr, target=None),)})
    if instr.label is None:
        return Edits({instr: (replace(instr, label=Label("new")),)})
    leave = Instr(control.EXIT, (), {}, (), instr.loc, target=Target(instr.label))
    blocks = rng.choice((instr.blocks[:-1], (*instr.blocks, Block((), (leave,)))))
    return Edits({instr: (replace(instr, blocks=blocks),)})


def _place(site: Site, rng: random.Random) -> Edits:
    loc = Loc(rng.choice(NUMBERS), rng.choice(NUMBERS), rng.choice(("", "f", "a.b.2")))
    if rng.random() < 0.3:
        loc = replace(loc, caller=site.instr.loc)
    new = replace(site.instr, loc=loc)
    if site.scope and rng.random() < 0.3:
        new = replace(new, cleanup=(rng.choice(site.scope),))
    return Edits({site.instr: (new,)})


_OF_SITES: Sequence[Callable[[Site, random.Random], Edits]] = (
    *(_swap_operand, _swap_operand, _swap_attr, _swap_attr, _swap_attr, _swap_op, _swap_op),
    *(_insert, _insert, _insert, _constant, _constant, _drop, _double, _redirect, _wrap),
    *(_declare, _place, _stray, _stray, _block_params, _block_params, _form),
)

# ----------------------------------------------------------------------------- changes of functions


def _param(function: Function, rng: random.Random) -> Function:
    """Give a parameter another type."""
    if not function.params:
        return function
    param = rng.choice(function.params)
    new = Value(other_type(param.type, rng), param.name)
    return _rewritten(function, Edits({}, {param: new}))


def _more_params(function: Function, rng: random.Random) -> Function:
    number = len(function.params)
    if number and rng.random() < 0.3:
        return replace(function, params=function.params[1:])
    return replace(function, params=(*function.params, Value(rng.choice(TYPES), f"q{number}")))


def _result(function: Function, rng: random.Random) -> Function:
    """Return a value of the function's own block instead, whatever its type."""
    if not function.body.body:
        return function
    *body, last = function.body.body
    own = [*function.params, *(v for i in body for v in i.results)]
    if not own or last.target is None or rng.random() < 0.1:
        return replace(function, result=other_type(function.result, rng))
    value = rng.choice(own)
    ending = replace(last, operands=(value,))
    return replace(function, result=value.type, body=Block((), (*body, ending)))


def _symbols(function: Function, rng: random.Random) -> Function:
    """Let two sizes of parameters have one name, or a name be a number."""
    dims = {d for p in function.params if isinstance(p.type, TensorType) for d in p.type.dims}
    if not dims:
        return function
    old, new = rng.choice(sorted(dims, key=str)), rng.choice((*_DIMS, *sorted(dims, key=str)))
    values = {
        p: Value(
            TensorType(p.type.dtype, tuple(new if d == old else d for d in p.type.dims)), p.name
        )
        for p in function.params
        if isinstance(p.type, TensorType) and old in p.type.dims
    }
    return _rewritten(function, Edits({}, dict(values)))


_OF_FUNCTIONS: Sequence[Callable[[Function, random.Random], Function]] = (
    *(_param, _param, _more_params, _result, _result, _symbols, _symbols),
)
