"""Calls: what is called is told by the object itself, never by its name."""

import functools
from collections.abc import Sequence
from types import FunctionType, MethodDescriptorType, MethodType
from typing import cast

from scriptc.check import (
    bigints,
    closures,
    generic_classes,
    inheritance,
    method_calls,
    methods,
    own_classes,
    records,
    split_classes,
)
from scriptc.check import present as check_present
from scriptc.check.bindings import Static, Typed, any_length
from scriptc.check.checked import Literal
from scriptc.check.container_classes import as_class
from scriptc.check.context import Context, Value, operand
from scriptc.check.desugar import (
    attribute_functions,
    comprehensions,
    computed_attributes,
    computed_stars,
    constructors,
    dataclass_functions,
    dict_calls,
    dispatchers,
    exception_inits,
    function_calls,
    held_methods,
    iterator_values,
    keywords,
    made_containers,
    made_functions,
    reduce_calls,
    short_calls,
    slice_variables,
    stars,
    stream_calls,
)
from scriptc.check.desugar.array_objects import check_array
from scriptc.check.desugar.inits import called_function, init_of
from scriptc.check.desugar.literal_ints import written_int
from scriptc.check.desugar.struct_objects import check_struct_method
from scriptc.check.early_calls import (
    asks_for_attribute,
    is_dispatcher,
    is_stream_call,
    is_super,
)
from scriptc.check.function_classes import FunctionValue, functions_in
from scriptc.check.generics import ORIGIN, has_generic_base, parameters_of
from scriptc.check.key_calls import calling_key, check_by_key, key_of, sorted_by_key
from scriptc.check.library import caches, unknown_callees
from scriptc.check.library.binding import bind
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.library.definitions import Definition, Entry, check_defined
from scriptc.check.library.positional import numpys_method, require_named
from scriptc.check.library.stand_ins import stand_in
from scriptc.check.library.standard import is_standard
from scriptc.check.library_entries import is_about_dtypes, library_entry
from scriptc.check.members import exception_base, find_member, is_users, member_function
from scriptc.check.named import calls as of_named
from scriptc.check.named_types import is_records, plain
from scriptc.check.names import read_variable
from scriptc.check.numpy import dtype_objects
from scriptc.check.python import (
    builtin_functions,
    byte_arrays,
    exception_values,
    instance_tests,
    known_calls,
    slices,
)
from scriptc.check.python.lists import heaps
from scriptc.check.python.lists.items import declared_list
from scriptc.check.rebuilt_objects import check_rebuilt
from scriptc.check.scopes import plain_function
from scriptc.check.scripted_calls import CalledObject, check_scripted
from scriptc.check.signatures import Signature
from scriptc.syntax import nodes as n
from scriptc.values.outside_places import is_called
from scriptc_runtime.errors import ScriptError, TypeCheckError
from scriptc_runtime.named_classes import kind_of
from scriptc_runtime.ops import data
from scriptc_runtime.types import (
    ClassType,
    Container,
    DictType,
    DType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    TensorType,
    TupleType,
    Type,
    holds_int,
)


def check_call(context: Context, node: n.Call, expected: Type | None = None) -> Value:
    """Check a call of whatever `node.func` turns out to be."""
    context.calling = node.func
    kept = keywords.check_method(context, node)
    if kept is not None:
        return kept
    if is_super(node.func):
        return _of_super(context, node, cast(n.Attribute, node.func))
    if context.constructs is not None and (own := _of_constructed(context, node)) is not None:
        return own
    if base := inheritance.named_base(context, node):
        return inheritance.call_base_init(context, node, base, node.args[1:])
    if made := own_classes.check_made(context, node):
        return made
    if asks_for_attribute(node.func) and (found := _of_named_attribute(context, node)):
        return found
    if is_stream_call(node) and (written := _of_stream(context, node)) is not None:
        return written
    callee = context.callee(node)
    if isinstance(callee, Static) and not callee.receiver and is_called(callee.value):
        callee = context.as_typed(node.func, callee)
    counted = keywords.check_len(context, node, callee) or _count_members(context, node, callee)
    return counted or _check_called(context, node, callee, expected)


def _of_named_attribute(context: Context, node: n.Call) -> Typed | None:
    return computed_attributes.check_called(context, node)


def _of_stream(context: Context, node: n.Call) -> Typed | None:
    return stream_calls.check_stream_call(context, node)


def _count_members(context: Context, node: n.Call, callee: Value) -> Typed | None:
    """Check `len(Color)`; None for anything else."""
    is_len = isinstance(callee, Static) and callee.value is len and len(node.args) == 1
    if not (is_len and isinstance(node.args[0], n.Name | n.Attribute)):
        return None
    return of_named.count(context, node)


def _about_objects(context: Context, node: n.Call, callee: Value) -> Value | None:
    """Check a call that asks for the class of an object, or for an attribute by its name."""
    if not isinstance(callee, Static):
        return None
    if callee.value is isinstance:
        return instance_tests.check_isinstance(context, node)
    if callee.value is type or callee.value is issubclass:
        found = own_classes.class_of_made(context, node)
        found = found or builtin_functions.check_class(context, node, callee.value)
        return found or own_classes.own_class(context, node)
    if any(callee.value is function for function in (hasattr, getattr, setattr)):
        return attribute_functions.check_attribute_function(context, node, callee.value)
    return None


def _check_called(context: Context, node: n.Call, callee: Value, expected: Type | None) -> Value:
    found = _about_objects(context, node, callee)
    if found is not None:
        return found
    if isinstance(callee, Static) and is_about_dtypes(callee.value):
        return dtype_objects.check_function(context, node, callee.value)
    if isinstance(callee, Static) and callee.value is slice:
        return slice_variables.check_slice(context, node)
    if isinstance(callee, Static) and isinstance(callee.value, slices.AsValue):
        return slices.made(context, node)
    if isinstance(callee, Typed):
        return _called_object(context, node, callee)
    made = made_functions.check_made(context, node, callee)
    made = made or known_calls.check_known(context, node, callee)
    made = made or _short(context, node, callee)
    made = made or made_containers.check_made(context, node, callee, expected)
    made = made or (held_methods.check_held_key(context, node, callee) if node.keywords else None)
    if found := made or comprehensions.check_consumer(context, node, callee, expected):
        return found
    if callee.receiver is not None:
        return _method(context, node, callee, *callee.receiver)
    live = closures.resolved(context, callee.value, node)
    if isinstance(live, closures.Closure):
        signature = context.signature(live.function)
        function, name = live.function, live.function.__name__
        return check_scripted(context, node, name, signature, function, (), closure=live)
    return _live(context, node, callee.value, expected)


def _short(context: Context, node: n.Call, callee: Static) -> Typed | None:
    module = getattr(callee.value, "__module__", None)
    is_method = isinstance(callee.value, MethodDescriptorType) and not library_entry(callee.value)
    if callee.receiver is not None or not (is_method or module in ("copy", "heapq")):
        return None
    return short_calls.check_short(context, node, callee.value)


def _called_object(context: Context, node: n.Call, callee: Typed) -> Value:
    """Check a call of an object whose class has a `__call__`."""
    values = functions_in(callee.type, context.function_called)
    if values:
        return _called_function(context, node, callee, values)
    if isinstance(callee.type, ClassType):
        if find_member(context.class_named(callee.type.name).live, "__call__"):
            return method_calls.call_method(context, node, node.func, callee, "__call__")
        instead = "write the method: def __call__(self): ..."
    elif isinstance(node.func, n.Attribute) and _may_be_function(context, callee.type):
        present = check_present.present_callee(context, node, callee)
        if present.type != callee.type:
            return _called_object(context, node, present)
        instead = "test `is not None` first"
    elif callee.type is PyType.EXCEPTION_CLASS:
        instead = "name it: ValueError(...)"
        what = "the class of an exception, which only the run knows,"
        context.fail("not-callable", f"{what} cannot be called", node.func, instead=instead)
    else:
        instead = "call a function, a method or a class"
    context.fail("not-callable", f"{callee.type} cannot be called", node.func, instead=instead)


def _may_be_function(context: Context, type_: Type) -> bool:
    """Whether an object of a type is None or a function."""
    return isinstance(type_, OptionalType) and bool(
        functions_in(type_.item, context.function_called)
    )


def _called_function(
    context: Context, node: n.Call, callee: Typed, values: Sequence[FunctionValue]
) -> Value:
    """Check a call of a function that is an object."""
    (value, *others) = values
    if others or not isinstance(value.target, closures.Closure):
        return function_calls.check_choice(context, node, values)
    function = value.target.function
    whole = operand(node.func, callee)
    fields = {
        variable: context.apply(node, data.FIELD, whole, name=name, type=type_)
        for variable, (name, type_) in zip(value.captured, value.fields.items(), strict=True)
    }
    signature, name = context.signature(function), function.__name__
    of = CalledObject(value.name, value.target, fields)
    return check_scripted(context, node, name, signature, function, (), receiver=node.func, of=of)


def _live(context: Context, node: n.Call, value: object, expected: Type | None = None) -> Value:
    """Check a call of a live function or class."""
    changed = check_rebuilt(context, node, value)
    changed = changed or iterator_values.check_value(context, node, value)
    changed = changed or check_by_key(context, node, value)
    changed = changed or heaps.check_changing(context, node, value)
    changed = changed or check_struct_method(context, node, value)
    changed = changed or check_array(context, node, value)
    changed = changed or own_classes.check_new_type(context, node, value)
    changed = changed or _of_dataclasses(context, node, value)
    if changed is not None:
        return changed
    entry = library_entry(value)
    if entry is not None:
        return _called_by_name(context, node, entry, value)
    if (
        value is functools.reduce
        and (reduced := reduce_calls.check_reduce(context, node)) is not None
    ):
        return reduced
    if standing := stand_in(value):
        return calling_key(context, node, *standing, ())
    if (found := _of_functools(context, node, value, expected)) is not None:
        return found
    if isinstance(value, MethodType) and isinstance(value.__self__, type):
        return _class_method(context, node, value.__func__, value.__self__)
    function = called_function(value)
    if function is not None and unknown_callees.is_read(value):
        context.depend("function", f"{function.__module__}.{function.__qualname__}", function)
        try:
            signature = context.signature(function)
        except ScriptError as error:
            raise unknown_callees.told_at(context, node, function, error) from None
        return check_scripted(context, node, function.__qualname__, signature, function, ())
    if isinstance(value, type):
        return _constructor(context, node, value, expected)
    unknown_callees.refuse_callee(context, node, value)


def _of_functools(
    context: Context, node: n.Call, value: object, expected: Type | None
) -> Value | None:
    """Check a call of a function behind a cache or a dispatcher; None for any other."""
    if is_dispatcher(value):
        found = dispatchers.check_dispatched(context, node, value)
        return found if isinstance(found, Typed) else _live(context, node, found, expected)
    if cached := caches.cached_function(value):
        kept = caches.keeping_function(context, cached, value)
        return caches.require_values(context, node, _live(context, node, kept))
    return None


def _class_method(context: Context, node: n.Call, value: object, cls: type) -> Value:
    """Check `Table.read(...)` of a class method."""
    function = plain_function(value)
    if function is None or not (is_users(cls) or kind_of(cls) is not None):
        unknown_callees.refuse_callee(context, node, value)
    context.depend("function", f"{function.__module__}.{function.__qualname__}", function)
    signature = context.signature(function)
    return check_scripted(context, node, function.__qualname__, signature, function, (), cls=cls)


def _of_dataclasses(context: Context, node: n.Call, value: object) -> Typed | None:
    if getattr(value, "__module__", "") != "dataclasses":
        return None
    return dataclass_functions.check_function(context, node, value)


def _method(context: Context, node: n.Call, callee: Static, at: n.Node, receiver: Typed) -> Typed:
    name, base = cast(str, callee.value), cast(n.Expression, at)
    if isinstance(receiver.type, ClassType) and not byte_arrays.is_decoded(receiver.type, name):
        return method_calls.call_method(context, node, base, receiver, name)
    if is_records(receiver.type) and name == "copy":
        return records.copied(context, node, base, receiver)
    if isinstance(receiver.type, NamedType):
        found = of_named.method(context, node, base, receiver, name)
        if found is not None:
            return found
        function = of_named.written_method(context, receiver.type, name)
        if function is not None:
            return _named_method(context, node, base, receiver, function, name)
        receiver = plain(receiver)
    of_any = None if isinstance(base, n.Tuple) else any_length(receiver.type)
    if isinstance(receiver.type, TupleType) and of_any is not None:
        receiver = Typed(of_any, receiver.span)  # whose methods search all items alike
    if isinstance(receiver.type, ListType) and name == "sort" and key_of(node) and not node.args:
        return sorted_by_key(context, node, base, receiver)
    of_dict = isinstance(receiver.type, DictType) and name in ("update", "elements")
    if of_dict and (found := dict_calls.check_dict_call(context, node, name, receiver)):
        return found
    entry = methods.find(context, node, receiver.type, name)
    if isinstance(receiver.type, TensorType) and isinstance(entry, Library):
        require_named(context, node, entry, numpys_method(name))
    return _library(context, node, entry, (base, receiver))


def _of_constructed(context: Context, node: n.Call) -> Typed | None:
    return constructors.check_own_call(context, node)


def _named_method(
    context: Context,
    node: n.Call,
    base: n.Expression,
    receiver: Typed,
    function: FunctionType,
    method: str,
) -> Typed:
    """Check a call of a method of an enumeration, or of a class of named tuples."""
    context.depend("function", f"{function.__module__}.{function.__qualname__}", function)
    assert isinstance(receiver.type, NamedType)
    live = context.named_class(receiver.type)
    wraps = [kind for kind in (classmethod, staticmethod) if member_function(live, method, kind)]
    signature = context.signature(function, None if wraps else live)
    bound = () if wraps else (operand(base, receiver),)
    cls, name = live if classmethod in wraps else None, function.__qualname__
    return check_scripted(context, node, name, signature, function, bound, receiver=base, cls=cls)


def _of_super(context: Context, node: n.Call, func: n.Attribute) -> Value:
    """Check `super().method(...)`."""
    if of_class := inheritance.class_method_of_super(context, func):
        return _class_method(context, node, *of_class)
    found = inheritance.find_super(context, func)
    if found.receiver is None and func.attr == "__init__":
        base = inheritance.base_behind(found.live, found.after)
        return inheritance.call_base_init(context, node, base, node.args)
    if found.receiver is None:
        return _of_super_in_constructor(context, node, func, found)
    if find_member(found.live, func.attr, found.after) is None:
        inheritance.refuse_member_of_super(context, func, found)
    return method_calls.call_method(
        context, node, found.place, found.receiver, func.attr, found.after
    )


def _of_super_in_constructor(
    context: Context, node: n.Call, func: n.Attribute, found: inheritance.SuperMember
) -> Typed:
    member = find_member(found.live, func.attr, found.after)
    function = plain_function(member.value) if member else None
    checked = function and constructors.check_method(context, node, function)
    return checked or read_variable(context, found.place, context.owner)  # no object yet


def _called_by_name(context: Context, node: n.Call, entry: Entry, live: object) -> Typed:
    if isinstance(entry, Library):
        require_named(context, node, entry, live)
    return _library(context, node, entry, None)


def _constructor(
    context: Context, node: n.Call, owner: type[object], expected: Type | None = None
) -> Typed:
    if kind_of(owner) is not None:
        return of_named.made(context, node, owner)
    if issubclass(owner, BaseException) and not is_users(owner):
        return exception_values.check_made(context, node, owner)
    owner = as_class(owner)
    function = None if unknown_callees.has_way(owner) else init_of(owner, context.span(node))
    if function is None or owner.__module__.partition(".")[0] == "numpy":
        # NumPy's classes that are written in Python are no scripts.
        unknown_callees.refuse_callee(context, node, owner)
    owner = split_classes.class_for(context, node, owner, function)
    if ORIGIN in vars(owner):
        function = init_of(owner, context.span(node)) or function
    if parameters_of(owner) or has_generic_base(owner):
        whole = context.signature(function)
        owner = generic_classes.class_called(context, node, owner, function, whole, expected)
        function = init_of(owner, context.span(node))
        assert function is not None  # as that of the generic class
    if inheritance.is_part(node):
        context.class_of(owner, node)
    else:
        _refuse_abstract(context, node, owner)
        context.note_objects(owner, node)
    if exception_base(owner) is not None and not inheritance.is_part(node):
        exception_inits.require_all_given(context, node, function)
    signature = context.signature(function, owner)
    rest = Signature(
        signature.names[1:],
        {name: t for name, t in signature.declared.items() if name != signature.names[0]},
        signature.defaults,
        signature.positional - 1,
        signature.by_name,
        starred=signature.starred,
        keywords=signature.keywords,
    )
    return check_scripted(context, node, owner.__name__, rest, function, (), owner)


def _refuse_abstract(context: Context, node: n.Call, owner: type) -> None:
    missing: object = getattr(owner, "__abstractmethods__", ())
    if isinstance(missing, frozenset) and missing:
        names = sorted(map(str, cast("frozenset[object]", missing)))
        context.fail(
            "not-callable",
            f"{owner.__name__} is abstract: it has no {' and no '.join(names)}",
            node,
            why="Python raises TypeError",
            instead="make an object of a class that inherits from it and has all methods",
        )


def _large_int(context: Context, function: str, node: n.Expression) -> Typed | None:
    """Return an int that is written down, and that what it is an argument of holds, not an int."""
    whole = written_int(node) if function in ("np.uint64", "bigint") else None
    if whole is None or holds_int(DType.I64, whole):
        return None
    if function == "bigint":
        return context.record(node, [], bigints.literal(context, node, whole))
    if not holds_int(DType.U64, whole):
        return None
    typed = Typed(DType.U64, context.span(node))
    return context.constant(node, Literal(whole, DType.U64), typed)


def _variadic(context: Context, node: n.Call, entry: Library) -> Signature:
    """Return a parameter for each argument of a function that takes any number of them."""
    named = [k.arg for k in node.keywords if k.arg] if entry.keywords else []
    for keyword in node.keywords:
        if keyword.arg not in (*entry.options, *named):
            is_key = keyword.arg == "key"
            context.fail(
                "call-arity",
                f"{entry.name}() takes no {keyword.arg!r} in scripts",
                keyword,
                why=("it goes with one list or array of items" if is_key else ""),
                instead=f"{entry.name}([...], key=...)" if is_key else "leave it out",
            )
    (first, *_), count = entry.names, len(node.args)
    options = (*entry.options, *named)
    names = (*(f"{first}{i}" for i in range(count)), *options)
    return Signature(names, {}, dict.fromkeys(options), count, frozenset(names))


# What stands beside items that are taken, and is not taken apart itself.
_ALONE = frozenset({"start", "default"})


def _library(
    context: Context,
    node: n.Call,
    entry: Entry,
    receiver: tuple[n.Expression, Typed] | None,
) -> Typed:
    if isinstance(entry, Definition):
        return check_defined(context, node, entry, receiver)
    names = entry.names[1:] if receiver else entry.names
    optional = {name: None for name in entry.names[entry.required :]}
    signature = Signature(names, {}, optional, len(names), frozenset(names))
    if entry.variadic:
        signature = _variadic(context, node, entry)
    given = bind(context, node, entry.name, signature, 0)
    call = LibraryCall(context, node, entry.name)
    # Lists and dicts keep what they are given.
    call.is_plain = not is_standard(context.function) and not (
        receiver and isinstance(receiver[1].type, ListType | Container)
    )
    if receiver:
        call.add(entry.names[0], *receiver)
    # `max(a, b)` compares both, whatever items they have.
    one = receiver is not None or not entry.variadic or len(node.args) == 1
    of_container = receiver is not None and isinstance(receiver[1].type, Container)
    for name, value in given:
        if isinstance(value, n.List | n.Tuple) and stars.has_star(value):
            value = computed_stars.spread_display(context, value)
        alone = name in _ALONE and entry.consumes
        large = _large_int(context, entry.name, value)
        if large is not None:
            call.add(name, value, large)
        elif entry.displays and isinstance(value, n.List | n.Tuple) and not stars.has_star(value):
            call.evaluate_display(name, value)
        elif one and not alone and (items := comprehensions.items_taken(context, entry, value)):
            call.add(name, value, items)
        else:
            expected = _put_in(name, receiver[1]) if receiver and entry.tells_items else None
            call.evaluate(name, value, expected, tells_items=entry.tells_items or alone)
            if entry.consumes and one and not of_container and not alone:
                comprehensions.list_container(call, name)
    result = _checked(entry, call)
    call.refuse_ignored()
    return result


def _put_in(name: str, receiver: Typed) -> Type | None:
    """Return what a list whose type is declared is expected to be given: `[0] * n`, of floats."""
    whole = declared_list(receiver)
    return whole and {"value": whole.item, "items": whole}.get(name)


def _checked(entry: Library, call: LibraryCall) -> Typed:
    """Check a call; ints of any size that it is refused for become those of 64 bits."""
    try:
        return entry.check(call)
    except TypeCheckError:
        if not call.narrow():
            raise
        return entry.check(call)
