"""Separate: cut instances of library functions out of a module, to be compiled for all programs.

    call %d, %k [callee="stdlib.dicts.get"]    =>    call %d, %k [callee="stdlib.dicts.get.5f0c..."]

An instance is a library function on containers and strings for the types that it is called with.
The digest of its text is in its name, so equal names stand for equal code in all programs. What
calls it knows its types and its effects alone.

Needs: core IR, inlined.
Gives: the module without these functions, and a module of them.
Does not: cut out what works on arrays or looks into objects, what calls itself, or calls a function
of the script.
"""

from _blake2 import blake2b
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import get_args

from scriptc.analysis.effects import ModuleEffects
from scriptc.passes.rebuild import rebuild, with_callees
from scriptc_runtime.call_graph import callees, calls_of, groups
from scriptc_runtime.ir import (
    NOTHING_GIVEN,
    Builder,
    Extern,
    Function,
    Instr,
    Label,
    Loc,
    Module,
    Role,
    Value,
    make,
    walk,
)
from scriptc_runtime.ops import bigints, data, list_parts
from scriptc_runtime.ops.containers import CONTAINER
from scriptc_runtime.ops.control import BLOCK, CALL, EXIT, FOR, IF, WHILE
from scriptc_runtime.ops.opdef import Effects
from scriptc_runtime.record import record, replace
from scriptc_runtime.reserved import LIBRARY_PREFIX
from scriptc_runtime.text import writer
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    TEXTS,
    ClassType,
    Container,
    DType,
    ListType,
    OptionalType,
    TupleType,
    Type,
    holds_class,
    parts_of,
)

# What has parts of these types alone is the same in all programs.
_COMMON = (BIGINT, BOOL, COMPLEX, FLOAT, INT, NONE, *TEXTS)
_COMMON_KINDS = (DType, ListType, *get_args(Container), OptionalType, TupleType, ClassType)
# What may be done with objects and what holds some: none of it looks into one.
_CARRYING = frozenset(
    {
        *(CALL, EXIT, IF, FOR, WHILE, BLOCK),
        *(data.TUPLE, data.ITEM, data.SAME, data.SOME, data.NOTHING, data.HAS_VALUE, data.UNWRAP),
        *(data.LIST, data.LIST_LEN, data.LIST_GET, data.LIST_SET, data.LIST_APPEND),
        *(data.LIST_INSERT, data.LIST_EXTEND, data.LIST_ROOM, data.LIST_POP),
        *list_parts.OPS,
        *(CONTAINER, data.FIELD, data.SET_FIELD),
    }
)


@record
class Separated:
    """A module that calls instances, and these, each after those that it calls."""

    module: Module
    instances: Module


def separate(module: Module) -> Separated:
    """Return `module` and the instances that were in it."""
    module = _with_bodies_apart(module)
    names = dict[str, str]()
    found = dict[str, Function]()
    for name in instances_in(module):
        instance = _named_by_text(module.functions[name], names)
        names[name] = instance.name
        found[instance.name] = instance
    if not found:
        return Separated(module, Module({}))
    instances = Module(found, module.classes)
    effects = ModuleEffects(instances)
    externs = {name: extern_of(function, effects) for name, function in found.items()}
    functions = {
        name: replace(function, body=with_callees(function.body, names))
        for name, function in module.functions.items()
        if name not in names
    }
    return Separated(replace(module, functions=functions, externs=externs), instances)


def _with_bodies_apart(module: Module) -> Module:
    """Return a module in which ops whose bodies are long are called as functions of the library."""
    found = dict[str, Function]()

    def rewrite(instr: Instr, builder: Builder) -> Sequence[Value] | None:
        if instr.op not in bigints.LIBRARY_OPS:
            return None
        function = found.setdefault(instr.op.name, _alone(instr))
        attrs = {"callee": function.name, "result": function.result}
        return builder.append(make(CALL, instr.operands, attrs, instr.loc)).results

    functions = {name: rebuild(f, rewrite) for name, f in module.functions.items()}
    return module.with_functions({**functions, **{f.name: f for f in found.values()}})


def _alone(instr: Instr) -> Function:
    """Return a function of the library that computes an op and nothing else."""
    builder, label = Builder(), Label()
    params = tuple(Value(v.type, n) for v, n in zip(instr.operands, instr.op.operands, strict=True))
    builder.open()
    result = builder.append(make(instr.op, params, instr.attrs)).result
    builder.exit(label, result)
    name = f"{LIBRARY_PREFIX}bigints.{instr.op.name}"
    return Function(name, params, result.type, builder.close(), label, role=Role.LIBRARY)


def extern_of(function: Function, effects: ModuleEffects) -> Extern:
    """Return what stands for a function where it is called from another object."""
    name = function.name
    summary, may_not_end = effects.summary(name), effects.may_not_end(name)
    role = role_of(summary)
    return Extern(name, function.params, function.result, summary, may_not_end, role)


def role_of(summary: Effects) -> Role:
    """Return the role of an instance that does this."""
    return Role.SEARCH if summary.only_reads else Role.INSTANCE


def instances_in(module: Module) -> Sequence[str]:
    """Return the functions of a module that are compiled apart, each after those that it calls."""
    if not any(f.role is Role.LIBRARY for f in module.functions.values()):
        return ()
    calls = calls_of(module)
    found = dict[str, None]()
    for name, *others in groups(calls):
        if not others and is_instance(module.functions[name], found.keys()):
            found[name] = None
    return tuple(found)


def is_instance(function: Function, found: AbstractSet[str]) -> bool:
    """Whether a function of the library is the same in all programs, as `found` are.

    All that it calls is to be among those; what calls itself is not.
    """
    return (
        function.role is Role.LIBRARY
        and function.given is NOTHING_GIVEN
        and all(callee in found for callee in callees(function))
        and any(_is_held(type_) for type_ in (function.result, *(p.type for p in function.params)))
        and all(_is_common_type(value.type) for value in _values(function))
        and all(_is_of_library(i.loc) and not _looks_inside(i) for i in walk(function.body))
    )


def _is_held(type_: Type) -> bool:
    """Whether values of a type are containers, strings or of any size: no kernel works on them."""
    return type_ in (*TEXTS, BIGINT) or isinstance(type_, ListType | Container)


def _is_common_type(type_: Type) -> bool:
    known = type_ in _COMMON or isinstance(type_, _COMMON_KINDS)
    return known and all(map(_is_common_type, parts_of(type_)))


def _is_of_library(loc: Loc | None) -> bool:
    """Whether no function of a script was inlined at a place, as the key of a sort is."""
    while loc is not None:
        if loc.function and not loc.function.startswith(LIBRARY_PREFIX):
            return False
        loc = loc.caller
    return True


def _looks_inside(instr: Instr) -> bool:
    """Whether an instruction may read an object, whose layout is the program's own."""
    types = [value.type for value in (*instr.operands, *instr.results)]
    if not any(map(holds_class, types)):
        return False
    is_field = instr.op in (data.FIELD, data.SET_FIELD)
    return instr.op not in _CARRYING or (is_field and isinstance(types[0], ClassType))


def _values(function: Function) -> Iterator[Value]:
    yield from function.params
    waiting = [function.body]
    while waiting:
        block = waiting.pop()
        yield from block.params
        for instr in block.body:
            yield from instr.results
            waiting += instr.blocks


def _named_by_text(function: Function, names: Mapping[str, str]) -> Function:
    # Which number of the functions called so it has differs from program to program.
    base, _, number = function.name.rpartition(".")
    name = base if number.isdecimal() else function.name
    instance = replace(function, name=name, body=with_callees(function.body, names))
    text = writer.write_function(instance, locations=False)
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
    return replace(instance, name=f"{name}.{digest}")
