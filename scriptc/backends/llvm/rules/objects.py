"""LLVM code for what lives in counted blocks: instances, cells and lists.

Counts: an instance, a cell or a list takes over the count of each value that is put into it, and
`set_field` and `cell_set` release what was there (`list_store` does not: the place may be unset).
A value that is taken out (`field`, `cell_get`, `list_load`) is borrowed. When the last owner of a
block lets go, its deleter, written here for each type, releases what it holds.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import cast

from scriptc.backends.llvm.emitter import class_tags
from scriptc.backends.llvm.emitter.function import Components, Emitter, ModuleState, Rule
from scriptc.backends.llvm.emitter.literals import zeros
from scriptc.backends.llvm.emitter.memory_kinds import FIELDS, HEADS, ITEMS
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.loading.abi import (
    BLOCK_DELETER,
    BLOCK_HEADER,
    INSTANCE_CLASS,
    INSTANCE_FIELDS,
    INSTANCE_OBJECT,
)
from scriptc.backends.llvm.loading.elfload import DELETER
from scriptc.backends.llvm.loading.machine_code import RAISED_CLASS, fields_symbol
from scriptc.backends.llvm.routines.small import OWN_ITEMS
from scriptc.backends.llvm.rules.memory import allocate
from scriptc.backends.llvm.rules.rings import track, visit
from scriptc_runtime import raised_objects
from scriptc_runtime.ir import NOWHERE, Block, Function, Instr, Label, names_of_line
from scriptc_runtime.ops import (
    classes,
    containers,
    control,
    data,
    list_items,
    low,
)
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record
from scriptc_runtime.types import (
    BOOL,
    NONE,
    CellType,
    ClassType,
    Container,
    DequeType,
    DictType,
    ListType,
    SetType,
    TupleType,
    Type,
    is_counted,
)
from scriptc_runtime.values import EXCEPTION_FIELD

# Fields of a list's block, from its start.
LIST_SIZE, LIST_CAPACITY, LIST_ITEMS = BLOCK_HEADER, BLOCK_HEADER + 8, BLOCK_HEADER + 16


def size_of(struct: str) -> str:
    """Return the bytes that an LLVM type takes, as a constant expression."""
    return f"ptrtoint (ptr getelementptr ({struct}, ptr null, i32 1) to i64)"


@record
class Place:
    """Where a value is in memory: its components are so many bytes behind `at`.

    `kind` is that of the memory: `ITEMS`, `FIELDS`, or nothing.
    """

    type: Type
    at: str
    offsets: Sequence[int]
    kind: str = ""


def whole(type_: Type, at: str, kind: str = "") -> Place:
    """Return the place of a value that has a struct of its own."""
    return Place(type_, at, abi.offsets_of(type_), kind)


def store_value(e: Emitter, place: Place, components: Components) -> None:
    """Write a value to memory."""
    parts = zip(abi.flatten(place.type), components, place.offsets, strict=True)
    for part, component, offset in parts:
        at = e.let(f"getelementptr i8, ptr {place.at}, i64 {offset}")
        stored = e.let(f"zext i1 {component} to i8") if part == "i1" else component
        e.write(f"store {abi.in_memory(part)} {stored}, ptr {at}{place.kind}")


def load_value(e: Emitter, place: Place) -> Components:
    """Read a value from memory."""
    components: list[str] = []
    for part, offset in zip(abi.flatten(place.type), place.offsets, strict=True):
        at = e.let(f"getelementptr i8, ptr {place.at}, i64 {offset}")
        loaded = e.let(f"load {abi.in_memory(part)}, ptr {at}{place.kind}")
        components.append(e.let(f"icmp ne i8 {loaded}, 0") if part == "i1" else loaded)
    return tuple(components)


def _data_of(e: Emitter, block: str) -> str:
    return e.let(f"getelementptr i8, ptr {block}, i64 {BLOCK_HEADER}")


def _new_block(e: Emitter, instr: Instr, type_: Type, held: Type, size: str) -> str:
    block = allocate(e, instr, size, _allocator(e, type_))
    # An object that holds nothing is visited, too, where one that inherits can be in a ring.
    if is_counted(held) or e.state.rings.may_have(type_):
        at = e.let(f"getelementptr i8, ptr {block}, i64 {BLOCK_DELETER}")
        e.write(f"store ptr {block_deleter(e.state, type_)}, ptr {at}")
    return block


def _allocator(e: Emitter, type_: Type) -> str:
    return "@sc_block_new_ring" if e.state.rings.may_have(type_) else "@sc_block_new"


# Instances.


def _instance_data(e: Emitter, block: str) -> str:
    return e.let(f"getelementptr i8, ptr {block}, i64 {INSTANCE_FIELDS}")


def _fields(state: ModuleState, owner: Type) -> TupleType:
    """Return the fields of a class or a container, in order, as the tuple that its block holds."""
    return TupleType(tuple(_types_of_fields(state, owner).values()))


def _types_of_fields(state: ModuleState, owner: Type) -> Mapping[str, Type]:
    if isinstance(owner, Container):
        return owner.fields
    return dict(state.module.classes[cast(ClassType, owner).name].fields)


def _field_place(e: Emitter, instr: Instr) -> Place:
    """Return where a field of the first operand is."""
    owner = instr.operands[0]
    return field_place(e, owner.type, e.one(owner), str(instr.attrs["name"]))


def field_place(e: Emitter, owner: Type, block: str, name: str) -> Place:
    """Return where a field is in the block of an object or a container."""
    if owner not in e.state.layouts:
        e.state.layouts[owner] = _layout(e.state, owner)
    type_, offsets = e.state.layouts[owner][name]
    return Place(type_, _instance_data(e, block), offsets, FIELDS)


def _layout(state: ModuleState, owner: Type) -> Mapping[str, tuple[Type, Sequence[int]]]:
    """Return the type of each field of a class, and where its components are."""
    offsets = iter(abi.offsets_of(_fields(state, owner)))
    return {
        field: (type_, [next(offsets) for _ in abi.flatten(type_)])
        for field, type_ in _types_of_fields(state, owner).items()
    }


def _new(e: Emitter, instr: Instr) -> None:
    given = dict(zip(cast("tuple[str, ...]", instr.attrs["fields"]), instr.operands, strict=True))
    components: list[str] = []
    for field in _types_of_fields(e.state, instr.result.type):
        components += e.components(given[field])
    e.bind(instr, _new_object(e, instr, instr.result.type, components))


def _container(e: Emitter, instr: Instr) -> None:
    components = [part for value in instr.operands for part in e.components(value)]
    e.bind(instr, _new_object(e, instr, instr.result.type, components))


def _new_object(e: Emitter, instr: Instr, type_: Type, components: Sequence[str]) -> str:
    """Return the block of a new object, or raise MemoryError."""
    fields = _fields(e.state, type_)
    block = _new_block(e, instr, type_, fields, _size_of_object(fields))
    _fill_object(e, type_, block, components)
    track(e, type_, block)
    return block


def object_or_null(e: Emitter, type_: Type, components: Sequence[str]) -> str:
    """Return the block of a new object, or null, which is returned without the components."""
    fields = _fields(e.state, type_)
    allocator = _allocator(e, type_)
    e.declare(f"declare noalias ptr {allocator}(i64)")
    block = e.let(f"call noalias ptr {allocator}(i64 {_size_of_object(fields)})")
    made, none = e.label(), e.label()
    e.branch(e.let(f"icmp eq ptr {block}, null"), none, made)
    e.start(none)
    e.release(fields, tuple(components))
    e.write("ret ptr null")
    e.start(made)
    at = e.let(f"getelementptr i8, ptr {block}, i64 {BLOCK_DELETER}")
    e.write(f"store ptr {block_deleter(e.state, type_)}, ptr {at}")
    _fill_object(e, type_, block, components)
    track(e, type_, block)
    return block


def _size_of_object(fields: TupleType) -> str:
    return f"add (i64 {size_of(abi.struct_of(fields))}, i64 {INSTANCE_FIELDS - BLOCK_HEADER})"


def _class_word(e: Emitter, type_: Type) -> str:
    """Return what the first word of a new object holds: null, or what an exception is to Python."""
    if not isinstance(type_, ClassType):
        return "null"
    fields = e.state.module.classes[type_.name].fields
    if EXCEPTION_FIELD not in dict(fields):
        return "null"
    if type_.name not in e.state.raised:
        e.state.raised.append(type_.name)
    symbol = fields_symbol(e.state.raised.index(type_.name))
    shown = (name for name, field in fields if raised_objects.leaves(name, field))
    line = ":".join(names_of_line(type_.name, e.state.module.classes))
    return e.python_object(" ".join((f"{RAISED_CLASS}{symbol}", line, *shown)))


def _fill_object(e: Emitter, type_: Type, block: str, components: Sequence[str]) -> None:
    store_i64(e, block, INSTANCE_OBJECT, _class_word(e, type_), "ptr", "")
    if isinstance(type_, ClassType):
        store_i64(e, block, INSTANCE_CLASS, str(class_tags.class_tag(e.state, type_.name)), kind="")
    fields = _fields(e.state, type_)
    store_value(e, whole(fields, _instance_data(e, block)), tuple(components))


def _upcast(e: Emitter, instr: Instr) -> None:
    e.bind(instr, *e.components(instr.operands[0]))


def _is_instance(e: Emitter, instr: Instr) -> None:
    names = cast("tuple[str, ...]", instr.attrs["classes"])
    e.bind(instr, class_tags.is_one_of(e, e.one(instr.operands[0]), names))


def _downcast(e: Emitter, instr: Instr) -> None:
    block = e.one(instr.operands[0])
    found = class_tags.is_one_of(e, block, cast("tuple[str, ...]", instr.attrs["classes"]))
    other = e.let(f"xor i1 {found}, true")
    e.raise_if(other, "TypeError", classes.OTHER_CLASS, instr)
    e.bind(instr, block)


def _field(e: Emitter, instr: Instr) -> None:
    e.bind(instr, *load_value(e, _field_place(e, instr)))


def _set_field(e: Emitter, instr: Instr) -> None:
    place = _field_place(e, instr)
    old = load_value(e, place) if is_counted(place.type) else ()
    store_value(e, place, e.components(instr.operands[1]))
    if old:
        e.release(place.type, old)


def _same(e: Emitter, instr: Instr) -> None:
    first, second = e.operands(instr)
    e.bind(instr, e.let(f"icmp eq ptr {first}, {second}"))


# Cells: a flag, then the value.


def _cell_tuple(type_: Type) -> TupleType:
    return TupleType((BOOL, cast(CellType, type_).item))


def new_cell(e: Emitter, instr: Instr, type_: CellType, components: Components) -> str:
    """Return the block of a new cell: with the flag whether it is set, and a value."""
    held = _cell_tuple(type_)
    block = _new_block(e, instr, type_, held, size_of(abi.struct_of(held)))
    store_value(e, whole(held, _data_of(e, block)), components)
    track(e, type_, block)
    return block


def load_cell(e: Emitter, type_: CellType, block: str) -> Components:
    """Return the value in the block of a cell that is set."""
    return load_value(e, whole(_cell_tuple(type_), _data_of(e, block)))[1:]


def _new_cell(e: Emitter, instr: Instr, components: Components) -> None:
    e.bind(instr, new_cell(e, instr, cast(CellType, instr.result.type), components))


def _cell(e: Emitter, instr: Instr) -> None:
    _new_cell(e, instr, ("true", *e.components(instr.operands[0])))


def _cell_unset(e: Emitter, instr: Instr) -> None:
    item = cast(CellType, instr.result.type).item
    _new_cell(e, instr, ("false", *zeros(item)))


def _cell_get(e: Emitter, instr: Instr) -> None:
    (cell,) = instr.operands
    held = _cell_tuple(cell.type)
    is_set, *components = load_value(e, whole(held, _data_of(e, e.one(cell))))
    name = str(instr.attrs["name"]).replace("{", "{{").replace("}", "}}")
    kind, whose, where = "UnboundLocalError", "local", ""
    if instr.attrs["free"]:
        kind, whose, where = "NameError", "free", " in enclosing scope"
    message = f"cannot access {whose} variable '{name}' where it is not associated with a value"
    unset = e.let(f"xor i1 {is_set}, true")
    e.raise_if(unset, kind, message + where, instr)
    e.bind(instr, *components)


def _cell_set(e: Emitter, instr: Instr) -> None:
    cell, value = instr.operands
    held = _cell_tuple(cell.type)
    place = whole(held, _data_of(e, e.one(cell)))
    old = load_value(e, place)
    store_value(e, place, ("true", *e.components(value)))
    if is_counted(value.type):
        # An unset cell holds zeros, which releasing lets pass.
        e.release(value.type, old[1:])


# Lists.


def load_i64(e: Emitter, block: str, offset: int, type_: str = "i64", kind: str = HEADS) -> str:
    """Return what stands at an offset in a block."""
    at = e.let(f"getelementptr i8, ptr {block}, i64 {offset}")
    return e.let(f"load {type_}, ptr {at}{kind}")


def store_i64(
    e: Emitter, block: str, offset: int, value: str, type_: str = "i64", kind: str = HEADS
) -> None:
    """Write to an offset in a block."""
    at = e.let(f"getelementptr i8, ptr {block}, i64 {offset}")
    e.write(f"store {type_} {value}, ptr {at}{kind}")


def _list_alloc(e: Emitter, instr: Instr) -> None:
    (capacity,) = e.operands(instr)
    type_ = cast(ListType, instr.result.type)
    if capacity == "0":
        # It is about to have some items: these are a part of its block then, as long as they are
        # few. An index of a set begins with eight.
        size = abi.bytes_of(type_.item)
        capacity = "8" if size <= 4 else str(min(OWN_ITEMS // size, 4))
    e.bind(instr, new_list(e, instr, type_, capacity))


def new_list(e: Emitter, instr: Instr, type_: ListType, capacity: str) -> str:
    """Return a new, empty list, or raise MemoryError."""
    block = list_or_null(e, type_, capacity)
    failed = e.let(f"icmp eq ptr {block}, null")
    e.raise_if(failed, "MemoryError", "", instr)
    track(e, type_, block)
    return block


def list_or_null(e: Emitter, type_: ListType, capacity: str) -> str:
    """Return a new, empty list that has room for so many items and is not tracked yet, or null."""
    routine = "new_ring_list" if e.state.rings.may_have(type_) else "new_list"
    e.state.routines.add(routine)
    size = size_of(abi.struct_of(type_.item))
    given = f"i64 {capacity}, i64 {size}, ptr {block_deleter(e.state, type_)}"
    return e.let(f"call ptr @sc.{routine}({given})")


def _list_size(e: Emitter, instr: Instr) -> None:
    e.bind(instr, load_i64(e, e.one(instr.operands[0]), LIST_SIZE))


def _list_capacity(e: Emitter, instr: Instr) -> None:
    e.bind(instr, load_i64(e, e.one(instr.operands[0]), LIST_CAPACITY))


def _list_set_size(e: Emitter, instr: Instr) -> None:
    block, size = e.operands(instr)
    store_i64(e, block, LIST_SIZE, size)


def _list_reserve(e: Emitter, instr: Instr) -> None:
    block, capacity = e.operands(instr)
    item = cast(ListType, instr.operands[0].type).item
    e.state.routines.add("list_grow")
    # Items of no bytes take one: so a list is never longer than what can be counted.
    size = size_of(abi.struct_of(item)) if abi.flatten(item) else "1"
    done = e.let(f"call i1 @sc.list_grow(ptr {block}, i64 {capacity}, i64 {size})")
    e.raise_if(e.let(f"xor i1 {done}, true"), "MemoryError", "", instr)


def item_place(e: Emitter, item: Type, block: str, index: str) -> Place:
    """Return where an item of a list is."""
    items = load_i64(e, block, LIST_ITEMS, "ptr")
    at = e.let(f"getelementptr {abi.struct_of(item)}, ptr {items}, i64 {index}")
    return whole(item, at, ITEMS)


def _list_load(e: Emitter, instr: Instr) -> None:
    block, index = e.operands(instr)
    item = cast(ListType, instr.operands[0].type).item
    e.bind(instr, *load_value(e, item_place(e, item, block, index)))


def _list_store(e: Emitter, instr: Instr) -> None:
    base, index, value = instr.operands
    item = cast(ListType, base.type).item
    place = item_place(e, item, e.one(base), e.one(index))
    store_value(e, place, e.components(value))


@contextmanager
def each_below(e: Emitter, count: str) -> Generator[str]:
    """Write a loop that raises nothing over the numbers below `count`."""
    loop, body, done, before = e.label(), e.label(), e.label(), e.block
    e.jump(loop)
    e.start(loop)
    (index,), place = e.open_phis(("i64",))
    e.branch(e.let(f"icmp ult i64 {index}, {count}"), body, done)
    e.start(body)
    yield index
    after = e.let(f"add i64 {index}, 1")
    e.jump(loop)
    e.lines[place] = f"  {index} = phi i64 [ 0, %{before} ], [ {after}, %{e.block} ]"
    e.start(done)


# Deleters.


def block_deleter(state: ModuleState, type_: Type) -> str:
    """Return the function that releases what a block of this type holds."""
    if type_ not in state.deleters:
        # The name first: a class may hold itself.
        state.deleters[type_] = f"@{DELETER}{len(state.deleters)}"
        state.helpers.append(_deleter_text(state, type_, state.deleters[type_]))
    return state.deleters[type_]


def _deleter_text(state: ModuleState, type_: Type, name: str) -> str:
    nobody = Function(name, (), NONE, Block((), ()), Label(), NOWHERE)
    e = Emitter(state, nobody, "")
    parameters = "ptr %block"
    if state.rings.may_have(type_):
        parameters += ", ptr %visit"
        walk, release = e.label(), e.label()
        e.branch(e.let("icmp ne ptr %visit, null"), walk, release)
        e.start(walk)
        _for_each_held(e, type_, partial(visit, e))
        e.write("ret void")
        e.start(release)
    _for_each_held(e, type_, e.release)
    if isinstance(type_, ListType):
        state.routines.add("list_free")
        e.write("call void @sc.list_free(ptr %block)")
    e.write("ret void")
    head = f"define internal void {name}({parameters}) nounwind {{"
    return "\n".join((head, "entry:", *e.allocas, *e.lines, "}", ""))


def _for_each_held(e: Emitter, type_: Type, write: Callable[[Type, Components], None]) -> None:
    """Write something for each value that `%block` holds."""
    match type_:
        case ClassType() | DictType() | SetType() | DequeType():
            held = _fields(e.state, type_)
            write(held, load_value(e, whole(held, _instance_data(e, "%block"))))
        case CellType():
            held = _cell_tuple(type_)
            write(held, load_value(e, whole(held, _data_of(e, "%block"))))
        case ListType(item):
            if is_counted(item):
                size = load_i64(e, "%block", LIST_SIZE)
                with each_below(e, size) as index:
                    write(item, load_value(e, item_place(e, item, "%block", index)))
        case _:
            raise ValueError(f"{type_} has no block of its own")


# Counts.


def _retain(e: Emitter, instr: Instr) -> None:
    (value,) = instr.operands
    if value in (e.messages or ()):
        e.declare("declare void @Py_IncRef(ptr)")
        e.write(f"call void @Py_IncRef(ptr {e.one(value)})")
    else:
        e.retain(value.type, e.components(value))


def _release(e: Emitter, instr: Instr) -> None:
    (value,) = instr.operands
    e.release(value.type, e.components(value))


RULES: Mapping[OpDef, Rule] = {
    low.RETAIN: _retain,
    low.RELEASE: _release,
    data.NEW: _new,
    data.FIELD: _field,
    data.SET_FIELD: _set_field,
    data.SAME: _same,
    classes.UPCAST: _upcast,
    classes.DOWNCAST: _downcast,
    classes.IS_INSTANCE: _is_instance,
    containers.CONTAINER: _container,
    control.CELL: _cell,
    control.CELL_UNSET: _cell_unset,
    control.CELL_GET: _cell_get,
    control.CELL_SET: _cell_set,
    list_items.LIST_ALLOC: _list_alloc,
    list_items.LIST_SIZE: _list_size,
    list_items.LIST_CAPACITY: _list_capacity,
    list_items.LIST_RESERVE: _list_reserve,
    list_items.LIST_SET_SIZE: _list_set_size,
    list_items.LIST_LOAD: _list_load,
    list_items.LIST_STORE: _list_store,
}
