"""Functions in LLVM IR that copy Python lists, dicts and sets in and out of counted blocks.

`@sc.list_in_K(list, memo)` gives a block, or null where an item is of another type, or there is no
list. By the memo a list that is met twice is one block, and a list that was given is what it was
where it leaves again; it is null where neither can happen. `@sc.list_out_K(block, memo)` gives
Python's object and leaves the block alone; `@sc.list_made_K(block, memo)` gives a new one.
"""

from collections.abc import Sequence

from scriptc.backends.llvm.emitter.box import Boxer
from scriptc.backends.llvm.emitter.function import MOSTLY, SELDOM, Components, Emitter, ModuleState
from scriptc.backends.llvm.emitter.layout import Layout
from scriptc.backends.llvm.emitter.literals import string_constant
from scriptc.backends.llvm.entry import made_sets, written_lists, written_sets
from scriptc.backends.llvm.entry.collection_objects import (
    deque_parts,
    dict_source,
    drop,
    return_of_class,
    write_deque_made,
)
from scriptc.backends.llvm.entry.list_routines import TYPE_BITS
from scriptc.backends.llvm.entry.unbox import Unboxer, copied_by
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.loading.abi import BoundaryError
from scriptc.backends.llvm.rules.hashes import hash_of
from scriptc.backends.llvm.rules.objects import (
    LIST_SIZE,
    block_deleter,
    field_place,
    item_place,
    list_or_null,
    load_value,
    object_or_null,
    size_of,
    store_value,
)
from scriptc_runtime.ir import NOWHERE, Block, Function, Label
from scriptc_runtime.ops.containers import has_hash
from scriptc_runtime.recursive_types import RecursiveUnion
from scriptc_runtime.types import (
    NONE,
    Container,
    DequeType,
    DictType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    SetType,
    TupleType,
    Type,
    UnionType,
    all_parts,
    is_counted,
)

_MOST_TYPES = 1 << TYPE_BITS

Held = ListType | Container
Copied = tuple[Type, Components]


def list_in(state: ModuleState, layout: Layout, type_: Held, *, writes: bool) -> str:
    """Return the function that copies a list or container in.  Raises BoundaryError.

    `writes`: it takes no arrays that are read-only, and notes what it copies.
    """
    return _function(state, layout, type_, "in_to_write" if writes else "in")


def list_out(state: ModuleState, layout: Layout, type_: Held) -> str:
    """Return the function that copies a list or container out.  Raises BoundaryError."""
    return _function(state, layout, type_, "out")


def _function(state: ModuleState, layout: Layout, type_: Held, way: str) -> str:
    number = state.lists.setdefault(type_, len(state.lists))
    if number >= _MOST_TYPES:
        raise BoundaryError("more than 64 types of lists in one module")
    name = f"@sc.list_{way}_{number}"
    if name not in state.list_functions:
        state.list_functions.add(name)
        state.helpers.append(_written(state, layout, type_, name, number, way))
    return name


def _written(
    state: ModuleState, layout: Layout, type_: Held, name: str, number: int, way: str
) -> str:
    e = _emitter(state, name)
    match way:
        case "in" | "in_to_write":
            _write_in(e, layout, type_, number, writes=way == "in_to_write")
            head = "ptr @NAME(ptr %list, ptr %memo)"
        case "out":
            is_ring = any(isinstance(part, RecursiveUnion) for part in all_parts(type_))
            _write_out(e, _function(state, layout, type_, "made"), counts=is_ring)
            head = "ptr @NAME(ptr %block, ptr %memo)"
        case "made":
            _write_made(e, layout, type_)
            head = "ptr @NAME(ptr %block, ptr %memo)"
        case "before":
            if isinstance(type_, SetType):
                written_sets.write_set_before(e, type_)
            else:
                written_lists.write_before(e, type_)
            head = "ptr @NAME(ptr %block)"
        case _:
            made = _function(state, layout, type_, "made")
            if isinstance(type_, SetType):
                written_sets.write_set_back(e, type_, made)
            else:
                written_lists.write_back(e, type_, made)
            head = "i1 @NAME(ptr %object, ptr %block, ptr %before, ptr %memo)"
    return _text(e, f"define internal {head.replace('@NAME', name)} nounwind optsize")


def _write_in(e: Emitter, layout: Layout, type_: Held, number: int, *, writes: bool) -> None:
    match type_:
        case ListType():
            _write_list_in(e, layout, type_, number, writes=writes)
        case DictType(factory=factory) if factory is not None:
            e.write("ret ptr null")  # nothing of Python's has a function of scripts
        case DictType():
            _write_dict_in(e, layout, type_, number, writes=writes)
        case SetType():
            _write_set_in(e, layout, type_, number, writes=writes)
        case DequeType():
            _write_deque_in(e, layout, type_, number, writes=writes)


def _write_made(e: Emitter, layout: Layout, type_: Held) -> None:
    match type_:
        case ListType():
            _write_list_made(e, layout, type_)
        case DictType():
            _write_dict_made(e, layout, type_)
        case DequeType():
            write_deque_made(e, type_, _function(e.state, layout, ListType(type_.item), "made"))
        case SetType():
            made_sets.write_set_made(e, layout, type_, list_out)


def _write_out(e: Emitter, made: str, *, counts: bool) -> None:
    """Write what asks the memo first which object a block is.

    Where it `counts`, lists in lists that are too deep raise RecursionError.
    """
    if counts:
        _return_too_deep(e)
    alone, asked, known, new = (e.label() for _ in range(4))
    e.branch(e.let("icmp eq ptr %memo, null"), alone, asked)
    e.start(alone)
    _leave(e, e.let(f"call ptr {made}(ptr %block, ptr null)"), counts=counts)
    e.start(asked)
    e.state.routines.update(("memo_get", "memo_made"))
    found = e.let("call ptr @sc.memo_get(ptr %memo, ptr %block)")
    e.branch(e.let(f"icmp eq ptr {found}, null"), new, known)
    e.start(known)
    e.declare("declare void @Py_IncRef(ptr)")
    e.write(f"call void @Py_IncRef(ptr {found})")
    _leave(e, found, counts=counts)
    e.start(new)
    result = e.let(f"call ptr {made}(ptr %block, ptr %memo)")
    e.write(f"call void @sc.memo_made(ptr %memo, ptr %block, ptr {result})")
    _leave(e, result, counts=counts)


def _leave(e: Emitter, result: str, *, counts: bool) -> None:
    if counts:
        e.declare("declare void @Py_LeaveRecursiveCall()")
        e.write("call void @Py_LeaveRecursiveCall()")
    e.write(f"ret ptr {result}")


def _return_too_deep(e: Emitter) -> None:
    """Raise RecursionError where lists in lists are too deep, as one is that holds itself."""
    text = string_constant(e, " while calling a Python object")
    where = e.intrinsic("ptr", "@PyUnicode_AsUTF8", f"ptr {text}")
    entered = e.intrinsic("i32", "@Py_EnterRecursiveCall", f"ptr {where}")
    deep, fine = e.label(), e.label()
    e.branch(e.let(f"icmp eq i32 {entered}, 0"), fine, deep, MOSTLY)
    e.start(deep)
    e.write("ret ptr null")
    e.start(fine)


def _note(e: Emitter, layout: Layout, type_: Held, block: str, bad: str = "bad") -> None:
    """Note a new block, whose object gets what is written to it; where that fails, go to `bad`."""
    before = _function(e.state, layout, type_, "before")
    back = _function(e.state, layout, type_, "back")
    kept = e.let(f"call ptr {before}(ptr {block})")
    e.state.routines.add("note")
    given = f"ptr %memo, ptr %list, ptr {block}, ptr {kept}, ptr {back}"
    noted = e.label()
    e.branch(e.let(f"call i1 @sc.note({given})"), noted, bad, MOSTLY)
    e.start(noted)


def _emitter(state: ModuleState, name: str) -> Emitter:
    nobody = Function(name, (), NONE, Block((), ()), Label(), NOWHERE)
    return Emitter(state, nobody, "")


def _write_list_in(
    e: Emitter, layout: Layout, type_: ListType, number: int, *, writes: bool
) -> None:
    unboxer = Unboxer(e, layout, "bad")
    if type_.frozen:
        # One object may be a tuple of several types: () is one.
        _return_absent(e)
    else:
        _return_known(e, number)
    size = unboxer.load("i64", "%list", layout.tuple_size if type_.frozen else layout.list_size)
    block = written_lists.new_list(e, type_, size)
    if not type_.frozen:
        _remember(e, block, number)
    _copy_items(unboxer, type_, ("%list", size), block, writes=writes)
    if writes and not type_.frozen:
        _note(e, layout, type_, block)
    e.write(f"ret ptr {block}")
    e.start("bad")
    e.declare("declare void @sc_release(ptr)")
    e.write(f"call void @sc_release(ptr {block})")
    e.write("ret ptr null")


def _copy_items(
    unboxer: Unboxer, type_: ListType, source: tuple[str, str], block: str, *, writes: bool
) -> None:
    """Copy the items of Python's list or tuple, which is given with its size, into a block."""
    e, layout, (given, size) = unboxer.e, unboxer.layout, source
    head, body, done = e.label(), e.label(), e.label()
    before = e.block
    e.jump(head)
    e.start(head)
    (index,), place = e.open_phis(("i64",))
    e.branch(e.let(f"icmp ult i64 {index}, {size}"), body, done)
    e.start(body)
    at = e.let(f"getelementptr ptr, ptr {_items_of(e, layout, type_, given)}, i64 {index}")
    components = unboxer.unbox(type_.item, e.let(f"load ptr, ptr {at}"), writes=writes)
    _copy_inner(unboxer, writes=writes)
    _own(e, type_.item, components)
    store_value(e, item_place(e, type_.item, block, index), components)
    after = e.let(f"add i64 {index}, 1")
    size_at = e.let(f"getelementptr i8, ptr {block}, i64 {LIST_SIZE}")
    e.write(f"store i64 {after}, ptr {size_at}")
    e.jump(head)
    e.lines[place] = f"  {index} = phi i64 [ 0, %{before} ], [ {after}, %{e.block} ]"
    e.start(done)


def _items_of(e: Emitter, layout: Layout, type_: ListType, obj: str) -> str:
    """Return where the pointers to the items of Python's list or tuple are."""
    if type_.frozen:
        return e.let(f"getelementptr i8, ptr {obj}, i64 {layout.tuple_items}")
    at = e.let(f"getelementptr i8, ptr {obj}, i64 {layout.list_items}")
    return e.let(f"load ptr, ptr {at}")


def _write_deque_in(
    e: Emitter, layout: Layout, type_: DequeType, number: int, *, writes: bool
) -> None:
    unboxer = Unboxer(e, layout, "bad")
    _return_known(e, number)
    plain, limit = deque_parts(e)
    size = unboxer.load("i64", plain, layout.list_size)
    items = ListType(type_.item)
    block = written_lists.new_list(e, items, size)
    _copy_items(unboxer, items, (plain, size), block, writes=writes)
    drop(e, plain)
    fields = (block, "0", limit, "0")
    _return_new(e, layout, type_, fields, number, writes=writes, source=plain)


def _remember(e: Emitter, block: str, number: int) -> None:
    """Put a block into the memo, for the list that it is a copy of."""
    e.state.routines.add("memo_put")
    e.write(f"call void @sc.memo_put(ptr %memo, ptr %list, ptr {block}, i64 {number})")


def _return_known(e: Emitter, number: int) -> None:
    """Return the block that the memo has for the list, if it is of the same type."""
    _return_absent(e)
    e.state.routines.add("memo_block")
    known = e.let("call i64 @sc.memo_block(ptr %memo, ptr %list)")
    met, new, same, other = (e.label() for _ in range(4))
    e.branch(e.let(f"icmp eq i64 {known}, 0"), new, met)
    e.start(met)
    its_number = e.let(f"and i64 {known}, {_MOST_TYPES - 1}")
    e.branch(e.let(f"icmp eq i64 {its_number}, {number}"), same, other)
    e.start(other)
    e.write("ret ptr null")
    e.start(same)
    block = e.let(f"inttoptr i64 {e.let(f'lshr i64 {known}, {TYPE_BITS}')} to ptr")
    e.declare("declare void @sc_retain(ptr)")
    e.write(f"call void @sc_retain(ptr {block})")
    e.write(f"ret ptr {block}")
    e.start(new)


def _return_absent(e: Emitter) -> None:
    """Return null where there is no list."""
    some, absent = e.label(), e.label()
    e.branch(e.let("icmp eq ptr %list, null"), absent, some)
    e.start(absent)
    e.write("ret ptr null")
    e.start(some)


def _copy_inner(unboxer: Unboxer, *, writes: bool) -> None:
    """Copy the lists and texts that an item is or holds; each copy belongs to the item."""
    e = unboxer.e
    done: list[Copied] = []
    for name, type_, obj in unboxer.lists:
        function = list_in(e.state, unboxer.layout, type_, writes=writes)
        e.write(f"{name} = call ptr {function}(ptr {obj}, ptr %memo)")
        _expect_copy(unboxer, name, obj, done)
        done.append((type_, (name,)))
    unboxer.lists.clear()
    for name, routine, obj in unboxer.texts:
        e.state.routines.add(routine)
        e.write(f"{name} = call ptr @sc.{routine}(ptr {obj})")
        _expect_copy(unboxer, name, obj, done)
        done.append((copied_by(routine), (name,)))
    unboxer.texts.clear()


def _expect_copy(unboxer: Unboxer, name: str, obj: str, done: Sequence[Copied]) -> None:
    """Go on with a list or a text, or drop what was copied of the same item."""
    e = unboxer.e
    good, bad = e.label(), e.label()
    absent = e.let(f"icmp eq ptr {obj}, null")
    made = e.let(f"icmp ne ptr {name}, null")
    e.branch(e.let(f"or i1 {absent}, {made}"), good, bad, MOSTLY)
    e.start(bad)
    for type_, components in done:
        e.release(type_, components)
    e.jump(unboxer.miss)
    e.start(good)


def _own(e: Emitter, item: Type, components: Components) -> None:
    """Count the new owner of what an item borrows; a copied list or text is owned already."""
    match item:
        case ListType() | DictType() | SetType() | DequeType():
            return
        case PyType.STR | PyType.BYTES | PyType.BIGINT:
            return
        case OptionalType(held):
            _own(e, held, components[1:])  # null where there is nothing
        case NamedType(base=base):
            _own(e, base, components)
        case TupleType(items):
            at = 0
            for inner in items:
                width = len(abi.flatten(inner))
                _own(e, inner, components[at : at + width])
                at += width
        case UnionType():
            for inner, slot in abi.distinct_slots(item):  # those of other members are null
                _own(e, inner, components[slot])
        case _:
            if is_counted(item):
                e.retain(item, components)


def _write_list_made(e: Emitter, layout: Layout, type_: ListType) -> None:
    size_at = e.let(f"getelementptr i8, ptr %block, i64 {LIST_SIZE}")
    size = e.let(f"load i64, ptr {size_at}")
    make = "@PyTuple_New" if type_.frozen else "@PyList_New"
    result = e.intrinsic("ptr", make, f"i64 {size}")
    head, body, done, none = (e.label() for _ in range(4))
    e.branch(e.let(f"icmp eq ptr {result}, null"), none, head, SELDOM)
    before = e.block
    e.start(head)
    (index,), place = e.open_phis(("i64",))
    e.branch(e.let(f"icmp ult i64 {index}, {size}"), body, done)
    e.start(body)
    components = load_value(e, item_place(e, type_.item, "%block", index))
    e.retain(type_.item, components)
    obj = Boxer(e, layout, list_out, memo="%memo").box(type_.item, components)
    kept, failed = e.label(), e.label()
    e.branch(e.let(f"icmp eq ptr {obj}, null"), failed, kept, SELDOM)
    e.start(kept)
    at = e.let(f"getelementptr ptr, ptr {_items_of(e, layout, type_, result)}, i64 {index}")
    e.write(f"store ptr {obj}, ptr {at}")
    after = e.let(f"add i64 {index}, 1")
    e.jump(head)
    e.lines[place] = f"  {index} = phi i64 [ 0, %{before} ], [ {after}, %{e.block} ]"
    e.start(failed)
    e.declare("declare void @Py_DecRef(ptr)")
    e.write(f"call void @Py_DecRef(ptr {result})")
    e.jump(none)
    e.start(none)
    e.write("ret ptr null")
    e.start(done)
    e.write(f"ret ptr {result}")


def _write_dict_in(
    e: Emitter, layout: Layout, type_: DictType, number: int, *, writes: bool
) -> None:
    """Write the function that makes entries of the items of a dict, and their index."""
    unboxer = Unboxer(e, layout, "bad")
    _return_known(e, number)
    whole = dict_source(e, type_)
    size = e.intrinsic("i64", "@PyDict_Size", f"ptr {whole}")
    block = written_lists.new_list(e, type_.entries, size)
    at, key_at, value_at = e.alloca("i64"), e.alloca("ptr"), e.alloca("ptr")
    e.write(f"store i64 0, ptr {at}")
    head, body, done = e.label(), e.label(), e.label()
    before = e.block
    e.jump(head)
    e.start(head)
    (index,), place = e.open_phis(("i64",))
    given = (f"ptr {whole}", f"ptr {at}", f"ptr {key_at}", f"ptr {value_at}")
    some = e.intrinsic("i32", "@PyDict_Next", *given)
    e.branch(e.let(f"icmp ne i32 {some}, 0"), body, done)
    e.start(body)
    entry = TupleType((type_.key, type_.value))
    components: tuple[str, ...] = ()
    for part, source in zip(entry.items, (key_at, value_at), strict=True):
        components += unboxer.unbox(part, e.let(f"load ptr, ptr {source}"), writes=writes)
    _copy_inner(unboxer, writes=writes)
    _own(e, entry, components)
    code = _hash_of_key(e, type_.key, components, key_at)
    store_value(e, item_place(e, type_.entries.item, block, index), ("true", code, *components))
    after = e.let(f"add i64 {index}, 1")
    size_at = e.let(f"getelementptr i8, ptr {block}, i64 {LIST_SIZE}")
    e.write(f"store i64 {after}, ptr {size_at}")
    e.jump(head)
    e.lines[place] = f"  {index} = phi i64 [ 0, %{before} ], [ {after}, %{e.block} ]"
    e.start(done)
    places, indexed = _index(e, type_, block, size), e.label()
    e.branch(e.let(f"icmp eq ptr {places}, null"), "bad", indexed, SELDOM)
    e.start(indexed)
    drop(e, whole)
    fields = (block, places, size, size)
    _return_new(e, layout, type_, fields, number, writes=writes, source=whole)


def _index(e: Emitter, type_: DictType, block: str, size: str) -> str:
    """Return the index of new entries, or null where there is no memory."""
    e.state.routines.add("dict_index")
    first = item_place(e, type_.entries.item, block, "0")
    item = abi.struct_of(type_.entries.item)
    given = f"i64 {size}, i64 {size_of(item)}, i64 {first.offsets[1]}"
    deleter = block_deleter(e.state, type_.index)
    return e.let(f"call ptr @sc.dict_index(ptr {first.at}, {given}, ptr {deleter})")


def _hash_of_key(e: Emitter, key: Type, components: Components, key_at: str) -> str:
    if not has_hash(key):
        return e.intrinsic("i64", "@PyObject_Hash", f"ptr {e.let(f'load ptr, ptr {key_at}')}")
    return hash_of(e, key, components)


def _write_dict_made(e: Emitter, layout: Layout, type_: DictType) -> None:
    entries = load_value(e, field_place(e, type_, "%block", "entries"))[0]
    size_at = e.let(f"getelementptr i8, ptr {entries}, i64 {LIST_SIZE}")
    size = e.let(f"load i64, ptr {size_at}")
    result = e.intrinsic("ptr", "@PyDict_New")
    head, body, some, done, none = (e.label() for _ in range(5))
    e.branch(e.let(f"icmp eq ptr {result}, null"), none, head, SELDOM)
    before = e.block
    e.start(head)
    (index,), place = e.open_phis(("i64",))
    e.branch(e.let(f"icmp ult i64 {index}, {size}"), body, done)
    e.start(body)
    after = e.let(f"add i64 {index}, 1")
    present, _, *held = load_value(e, item_place(e, type_.entries.item, entries, index))
    absent = e.block
    e.branch(present, some, head)
    e.start(some)
    width = len(abi.flatten(type_.key))
    boxer = Boxer(e, layout, list_out, memo="%memo")
    objects: list[str] = []
    for part, components in ((type_.key, held[:width]), (type_.value, held[width:])):
        e.retain(part, tuple(components))
        objects.append(boxer.box(part, tuple(components)))
    e.state.routines.add("dict_put")
    given = ", ".join(f"ptr {obj}" for obj in (result, *objects))
    put = e.let(f"call i1 @sc.dict_put({given})")
    kept, failed = e.label(), e.label()
    e.branch(put, kept, failed, MOSTLY)
    e.start(kept)
    e.jump(head)
    ways = (f"[ 0, %{before} ]", f"[ {after}, %{absent} ]", f"[ {after}, %{e.block} ]")
    e.lines[place] = f"  {index} = phi i64 {', '.join(ways)}"
    e.start(failed)
    e.declare("declare void @Py_DecRef(ptr)")
    e.write(f"call void @Py_DecRef(ptr {result})")
    e.jump(none)
    e.start(none)
    e.write("ret ptr null")
    e.start(done)
    return_of_class(e, type_, result)


def _write_set_in(e: Emitter, layout: Layout, type_: SetType, number: int, *, writes: bool) -> None:
    """Write the function that copies a set, slot by slot: the order is the same."""
    unboxer = Unboxer(e, layout, "bad")
    _return_known(e, number)
    size = e.let(f"add i64 {unboxer.load('i64', '%list', layout.set_mask)}, 1")
    counts = [
        unboxer.load("i64", "%list", offset)
        for offset in (layout.set_used, layout.set_fill, layout.set_finger)
    ]
    block = written_lists.new_list(e, type_.entries, counts[0])
    places = list_or_null(e, type_.index, size)
    head, body, some, removed, unused, put, done = (e.label() for _ in range(7))
    before = e.block
    e.branch(e.let(f"icmp eq ptr {places}, null"), "bad", head, SELDOM)
    e.start(head)
    (index,), place = e.open_phis(("i64",))
    e.branch(e.let(f"icmp ult i64 {index}, {size}"), body, done)
    e.start(body)
    table = unboxer.load("ptr", "%list", layout.set_table)
    slot = e.let(f"getelementptr [2 x i64], ptr {table}, i64 {index}")
    key, code = unboxer.load("ptr", slot, 0), unboxer.load("i64", slot, 8)
    used = e.label()
    e.branch(e.let(f"icmp eq ptr {key}, null"), unused, used)
    e.start(used)
    e.branch(e.let(f"icmp eq i64 {code}, -1"), removed, some)
    e.start(some)
    components = unboxer.unbox(type_.item, key)
    _copy_inner(unboxer, writes=writes)
    _own(e, type_.item, components)
    count = unboxer.load("i64", block, LIST_SIZE)
    store_value(e, item_place(e, type_.entries.item, block, count), (code, *components))
    size_at = e.let(f"getelementptr i8, ptr {block}, i64 {LIST_SIZE}")
    e.write(f"store i64 {e.let(f'add i64 {count}, 1')}, ptr {size_at}")
    short = e.let(f"trunc i64 {count} to i32")
    from_some = e.block
    e.jump(put)
    for label in (removed, unused):
        e.start(label)
        e.jump(put)
    e.start(put)
    ways = f"[ {short}, %{from_some} ], [ -2, %{removed} ], [ -1, %{unused} ]"
    held = e.let(f"phi i32 {ways}")
    store_value(e, item_place(e, type_.index.item, places, index), (held,))
    after = e.let(f"add i64 {index}, 1")
    e.jump(head)
    e.lines[place] = f"  {index} = phi i64 [ 0, %{before} ], [ {after}, %{e.block} ]"
    e.start(done)
    size_at = e.let(f"getelementptr i8, ptr {places}, i64 {LIST_SIZE}")
    e.write(f"store i64 {size}, ptr {size_at}")
    _return_new(e, layout, type_, (block, places, *counts), number, writes=writes)


def _return_new(
    e: Emitter,
    layout: Layout,
    type_: Container,
    fields: Components,
    number: int,
    *,
    writes: bool,
    source: str = "%list",
) -> None:
    """Return the block of a new container, which the memo gets; at `bad`, null.

    `source` is what was copied, of which another object may have been made.
    """
    found = object_or_null(e, type_, fields)
    _remember(e, found, number)
    if writes and not (isinstance(type_, SetType) and type_.frozen):
        _note(e, layout, type_, found, "undone")
        undone, fine = "undone", e.label()
        e.jump(fine)
        e.start(undone)
        e.declare("declare void @sc_release(ptr)")
        e.write(f"call void @sc_release(ptr {found})")
        e.write("ret ptr null")
        e.start(fine)
    e.write(f"ret ptr {found}")
    e.start("bad")
    e.declare("declare void @sc_release(ptr)")
    # The entries of a dict, or those of a set and its index, which may be null.
    for held in fields[: 1 + isinstance(type_, SetType)]:
        e.write(f"call void @sc_release(ptr {held})")
    drop(e, source)
    e.write("ret ptr null")


def _text(e: Emitter, head: str) -> str:
    return "\n".join((f"{head} {{", "entry:", *e.allocas, *e.lines, *e.cold, "}", ""))
