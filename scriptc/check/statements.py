"""Statements: assignments, branches, returns."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from scriptc.check import (
    class_stores,
    declared_types,
    exceptions,
    function_values,
    inheritance,
    late_fields,
    loops,
    operators,
    places,
    protocols,
    records,
    stored_updates,
    subscripts,
)
from scriptc.check.arms import check_if
from scriptc.check.array_attributes import refuse_assignment
from scriptc.check.bindings import (
    Environment,
    Fixed,
    Poisoned,
    Static,
    Typed,
)
from scriptc.check.borrowed_lists import refuse_borrowed, refuse_kept
from scriptc.check.cells import bind_cell
from scriptc.check.checked import Computation, Operand, Step, Stored, Update, Write
from scriptc.check.context import Context, HiddenResultError, UnknownTypeError, operand
from scriptc.check.deletions import check_delete
from scriptc.check.desugar import (
    comprehensions,
    computed_attributes,
    held_methods,
    lazy_variables,
    managers,
    maps,
    matches,
    member_stores,
    never_returning,
    shape_targets,
    stars,
    unpacking,
    updates,
    written_dicts,
)
from scriptc.check.desugar.inits import is_frozen
from scriptc.check.early_calls import asks_for_attribute
from scriptc.check.global_places import global_place, variable_of
from scriptc.check.imports import check_import
from scriptc.check.library.standard import is_standard
from scriptc.check.named_types import is_records
from scriptc.check.names import constructed_field, field_type, read_variable
from scriptc.check.narrowed_items import forget_bound, forget_items
from scriptc.check.open_types import is_open
from scriptc.check.present import present_owner
from scriptc.check.python import containers
from scriptc.check.python.dicts import missing
from scriptc.check.python.lists import operators as sequence_operators
from scriptc.check.python.lists.items import declared_list
from scriptc.check.returned_values import value_returned
from scriptc.check.size_names import without_sizes
from scriptc.check.told_fields import bound_in_init, leave_open, narrow_field, stored_in_field
from scriptc.check.told_results import left_to_callers
from scriptc.check.unknown_loops import check_for
from scriptc.syntax import nodes as n
from scriptc.syntax.blocks import Labelled, LeaveTo
from scriptc_runtime.errors import Diagnostic, ScriptError, TypeCheckError
from scriptc_runtime.ops import arrays, data
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    NONE,
    ClassType,
    Container,
    DictType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    UnionType,
    is_tuple_of,
)


def check_block(context: Context, body: n.Body) -> None:
    """Check statements one after the other; an error in one does not hide the next ones."""
    context.blocks += 1
    for statement in body:
        if context.env is None:
            return
        before = context.env
        context.facts.endings.pop(statement, None)
        try:
            check_statement(context, statement)
            context.skipped.pop(statement, None)
        except HiddenResultError:
            # As if the call never came back: what goes on without it tells the result.
            context.skipped[statement] = None
            context.env = None
        except UnknownTypeError:
            _poison(context, statement)
        except ScriptError as error:
            if not member_stores.in_other_words(context, statement, error, before):
                context.problems += error.diagnostics
                _poison(context, statement, error.diagnostics)


def _poison(context: Context, statement: n.Statement, refused: Sequence[Diagnostic] = ()) -> None:
    """Forget what a statement that could not be typed assigns, which may be told further on."""
    context.skipped[statement] = None
    if isinstance(statement, n.Return | n.Raise):
        context.env = None
        return
    context.env = {} if context.env is None else context.env
    if isinstance(statement, n.AugAssign) and isinstance(statement.target, n.Name):
        held = context.env.get(statement.target.id)
        if isinstance(held, Typed) and isinstance(held.type, TensorType | ListType | Container):
            return  # in place, so it stays what it is whatever the other operand turns out to be
    names = loops.assigned(context, (statement,)) - context.learned.cells.keys()
    context.env |= dict.fromkeys(names, Poisoned(all(d.code == "empty-list" for d in refused)))


def check_statement(context: Context, node: n.Statement) -> None:
    """Check one statement."""
    check = _CHECKS.get(type(node))
    if check is None:
        context.fail("unsupported", f"{type(node).__name__} is not in the language", node)
    check(context, node)


def _with(context: Context, node: n.With) -> None:
    managers.check_with(context, node)


def _pass(context: Context, node: n.Pass | n.Nonlocal) -> None:
    pass


def _break(context: Context, node: n.Break) -> None:
    context.loops[-1].breaks.append(_leave(context))


def _continue(context: Context, node: n.Continue) -> None:
    context.loops[-1].nexts.append(_leave(context))


def _leave(context: Context) -> Environment:
    env, context.env = context.env, None
    assert env is not None
    return env


def _expression(context: Context, node: n.Expr) -> None:
    value = node.value
    may_loop = isinstance(value, n.ListComp | n.Call)
    if may_loop and comprehensions.check_statement(context, value):
        return
    if not isinstance(value, n.Constant):
        context.typed(value)
        never_returning.ends_here(context, node)


def _assign(context: Context, node: n.Assign) -> None:
    if isinstance(node.value, n.Attribute) and held_methods.check_held(context, node):
        return
    may_wait = isinstance(node.value, n.GeneratorExp | n.Call)
    if may_wait and lazy_variables.check_lazy(context, node):
        return
    if asks_for_attribute(node.value) and computed_attributes.check_assigned(context, node):
        return
    if isinstance(node.value, n.Dict) and written_dicts.check_written(context, node):
        return
    pairs = _parallel(node)
    if pairs:
        _assign_each(context, node, pairs)
        return
    _assign_whole(context, node, node.targets, node.value)


def _assign_each(
    context: Context, node: n.Assign, pairs: Sequence[tuple[n.Expression, n.Expression]]
) -> None:
    """Check `a, b = x, y`, of which some may be functions or the like."""
    values = [
        context.expression(value, places.declared_at(context, target)) for target, value in pairs
    ]
    context.facts.silent.discard(node)
    evaluated: list[tuple[n.Expression, n.Expression]] = []
    unknown: UnknownTypeError | None = None
    for (target, part), value in zip(pairs, values, strict=True):
        if not (isinstance(value, Static) and _fix(context, (target,), value)):
            try:
                context.assign(target, context.as_typed(part, value))
            except UnknownTypeError as error:
                unknown = unknown or error  # once all fields are told what they hold
            evaluated.append((target, part))
    if unknown is not None:
        raise unknown
    context.facts.pairs[node] = tuple(evaluated)
    if not evaluated:
        context.facts.silent.add(node)


def _assign_whole(
    context: Context,
    node: n.Assign | n.AnnAssign,
    targets: Sequence[n.Expression],
    value: n.Expression,
) -> None:
    declared = places.declared_at(context, targets[0])
    if len(targets) > 1 and isinstance(declared, TensorType):
        declared = None  # the other targets take the list itself
    found = (
        _slice_items(context, targets[0], value)
        or maps.taken_apart(context, targets, value)
        or _items_unpacked(context, targets, value)
        or context.expression(value, declared)
    )
    if isinstance(found, Static) and _fix(context, targets, found):
        context.facts.silent.add(node)
        return
    typed = context.as_typed(value, found)
    context.facts.silent.discard(node)
    for target in targets:
        context.assign(target, typed)
        unpacking.narrow_by_shape(context, target, value)


def _items_unpacked(
    context: Context, targets: Sequence[n.Expression], value: n.Expression
) -> Typed | None:
    """Return the items that are taken apart, where only a loop can take them."""
    target, *others = targets
    if others or not isinstance(target, n.Tuple) or isinstance(value, n.Tuple):
        return None
    return comprehensions.unpacked_items(context, target, value)


def _slice_items(context: Context, target: n.Expression, value: n.Expression) -> Typed | None:
    """Return the items that a slice of a list is given, where only a loop can take them."""
    if not isinstance(target, n.Subscript) or not isinstance(target.slice, n.Slice):
        return None
    if not isinstance(value, n.Call | n.GeneratorExp):
        return None
    if not isinstance(context.typed(target.value).type, ListType):
        return None
    return comprehensions.loop_items(context, value)


def _fix(context: Context, targets: Sequence[n.Expression], value: Static) -> bool:
    """Let variables stand for a function or the like; whether all targets are such."""
    names = [target.id for target in targets if isinstance(target, n.Name)]
    changing = context.learned.cells.keys() | context.learned.objects
    if value.receiver or len(names) < len(targets) or not changing.isdisjoint(names):
        return False
    assert context.env is not None
    context.env.update(dict.fromkeys(names, Fixed(value)))
    return True


def _define(context: Context, node: n.FunctionDef) -> None:
    context.facts.steps.pop(node, None)
    found = function_values.defined(context, node)
    if isinstance(found, Static) and _fix(context, (n.Name(node.lo, node.hi, node.name),), found):
        return
    name = n.Name(node.lo, node.lo + len("def ") + len(node.name), node.name)
    # What is learned of a function that is kept stands under its definition.
    context.assign(name, context.as_typed(cast("n.Expression", node), found))


def _parallel(node: n.Assign) -> tuple[tuple[n.Expression, n.Expression], ...]:
    """Return targets with their values where `a, b = x, y` needs no tuple."""
    target, value = node.targets[0], node.value
    if len(node.targets) > 1 or not isinstance(target, n.Tuple) or not isinstance(value, n.Tuple):
        return ()
    if len(target.elts) != len(value.elts) or stars.has_star(target) or stars.has_star(value):
        return ()
    return tuple(zip(target.elts, value.elts, strict=True))


def assign_target(context: Context, target: n.Expression, value: Typed) -> None:
    """Check that `target` can take `value`, and bind it."""
    match target:
        case n.Name(id=name):
            bind(context, target, name, value)
        case n.Tuple():
            unpacking.unpack(context, target, value)
        case n.Subscript(value=n.Name(id=name)) if place := global_place(context, name):
            variable = variable_of(context, target, place)
            class_stores.store_item(
                context, target, variable.name, f"{place} {id(variable.live)}", value
            )
        case n.Subscript():
            subscripts.check_target(context, target, value)
        case n.Attribute() if shape_targets.is_shape(context, target):
            shape_targets.set_shape(context, target, value)
        case n.Attribute() if live := class_stores.stored_class(context, target):
            class_stores.assign_place(context, target, live, value)
        case n.Attribute():
            if not constructed_field(context, target):
                if is_open(value.type):
                    leave_open(context, target, value)
                context.require_items(target, value)
            refuse_kept(context, target, value)
            _set_field(context, target, value)
        case _:
            context.fail("assignment", "this cannot be assigned to", target)


def bind(context: Context, at: n.Node, name: str, value: Typed) -> None:
    """Bind a variable; one in a cell keeps one type wherever it is assigned."""
    assert context.env is not None
    if context.generator is not None:
        # It may be a field of the generator, which has no sizes.
        value = replace(value, type=without_sizes(value.type))
    forget_bound(context, name)
    if name not in context.learned.cells:
        unites = name in context.learned.unions
        context.env[name] = value if value.unites == unites else replace(value, unites=unites)
        return
    bind_cell(context, at, name, value)


def _set_field(context: Context, target: n.Attribute, value: Typed) -> None:
    field = constructed_field(context, target)
    if field:
        # In a constructor, where it is a variable until the instance is made.
        bind(context, target, field, bound_in_init(context, target, value))
        return
    context.facts.writes[target] = _field_write(context, target, value)


def _owner(context: Context, target: n.Attribute) -> Typed:
    """Return what has an attribute that is assigned; classes and modules are refused."""
    found = context.expression(target.value)
    return found if isinstance(found, Typed) else context.as_typed(target.value, found)


def _field_write(context: Context, target: n.Attribute, value: Typed) -> Write:
    base = _owner(context, target)
    if isinstance(base.type, OptionalType):
        base = present_owner(context, target, base)
    if isinstance(base.type, Container) and is_standard(context.function):
        whole, stored = operand(target.value, base), Stored(value.type)
        return Write((target.value,), data.SET_FIELD, (whole, stored), {"name": target.attr})
    if not isinstance(base.type, ClassType):
        refuse_assignment(context, target, base.type)
    declared = context.class_named(base.type.name)
    if is_frozen(declared.live):
        context.fail(
            "class-field",
            f"the fields of {declared.name} are not assigned: it is frozen",
            target,
            why="Python raises FrozenInstanceError",
            instead=f"make another one: {declared.name}(...)",
        )
    whole = operand(target.value, base)
    if target.attr not in declared.names and (
        setting := inheritance.set_property(context, target, declared.live, whole, value)
    ):
        return Write((target.value,), None, (setting,), {})
    late_fields.add_field(context, target, declared, value)
    type_ = field_type(context, target, declared)
    stored = stored_in_field(context, target, declared, value, type_)
    told = context.class_named(declared.name).fields.get(target.attr, type_)
    narrow_field(context, target, value, told)
    return Write((target.value,), data.SET_FIELD, (whole, stored), {"name": target.attr})


def _augmented(context: Context, node: n.AugAssign) -> None:
    before = forget_items(context)
    try:
        _update(context, node)
    except TypeCheckError as refusal:
        context.env = before
        updates.check_update(context, node, refusal)
    else:
        context.facts.expanded.pop(node, None)


def _update(context: Context, node: n.AugAssign) -> None:
    match node.target:
        case n.Name(id=name):
            _augmented_variable(context, node, read_variable(context, node.target, name))
        case n.Attribute() as target if field := constructed_field(context, target):
            _augmented_variable(context, node, read_variable(context, target, field))
        case n.Attribute() as target if live := class_stores.stored_class(context, target):
            _augmented_item(context, node, class_stores.writable_place(context, target, live))
        case n.Attribute() as target:
            base = _owner(context, target)
            if isinstance(base.type, UnionType | OptionalType):
                refuse_assignment(context, target, base.type)
            current = context.typed(target)
            if target not in context.facts.steps:
                # Refused here where it belongs to the class, and at the end where it is outside.
                context.facts.writes[target] = _field_write(context, target, current)
                return
            reading = context.facts.steps[target].result
            stored = _augmented_place(context, node, (target.value,), current, reading)
            if stored is not None:
                context.facts.writes[target] = _field_write(context, target, stored)
        case n.Subscript() as target:
            _augmented_item(context, node, target)
        case _:
            context.fail("assignment", "this cannot be assigned to", node.target)


def _augmented_item(context: Context, node: n.AugAssign, target: n.Subscript) -> None:
    base = subscripts.present_container(context, target, context.typed(target.value), "[]")
    if is_records(base.type):
        return _augmented_field(context, node, target, base)
    if isinstance(base.type, TupleType) or is_tuple_of(base.type):
        context.fail("assignment", "a tuple cannot be written to", target)
    if isinstance(base.type, DictType):
        missing.learn_update(context, node, target, base)
    taken = subscripts.take_apart(context, target, base)
    reading = subscripts.read(context, target, taken)
    current = subscripts.item_of(context, base, Typed(reading.type, context.span(target)))
    context.facts.types[node.target] = current.type
    copied = taken.picking is not None
    result = _augmented_place(context, node, taken.parts, current, reading, copied)
    if result is not None:
        context.facts.writes[node.target] = subscripts.writing(context, target, taken, result)


def _augmented_field(context: Context, node: n.AugAssign, target: n.Subscript, base: Typed) -> None:
    """Check `x["field"] += value` of a structured array or a record."""
    reading = records.updated(context, target, base)
    current = Typed(reading.type, context.span(target))
    context.facts.types[target] = current.type
    parts = (target.value,)
    if (result := _augmented_place(context, node, parts, current, reading)) is not None:
        context.facts.writes[target] = records.store(context, target, base, result)


def _augmented_variable(context: Context, node: n.AugAssign, current: Typed) -> None:
    reading = Operand(node.target, current.type)
    result, in_place = _updated(context, node, current, reading)
    is_stored = not in_place or stored_updates.is_variable_stored(context, node, result)
    context.facts.updates[node] = Update((), None, result, in_place, is_stored)
    if is_stored:
        type_ = current.type if in_place else result.type
        context.assign(node.target, Typed(type_, context.span(node)))


def _augmented_place(
    context: Context,
    node: n.AugAssign,
    parts: tuple[n.Expression, ...],
    current: Typed,
    reading: Computation,
    copied: bool = False,
) -> Typed | None:
    """Record the update of an element or field; return what is stored back, if anything.

    `copied` says that what is read is a copy, which is stored back as a whole.
    """
    result, in_place = _updated(context, node, current, Operand(node.target, current.type))
    in_place = in_place and not copied
    is_stored = not in_place or stored_updates.is_place_stored(context, node, reading, result)
    context.facts.updates[node] = Update(parts, reading, result, in_place, is_stored)
    type_ = current.type if in_place else result.type
    return Typed(type_, context.span(node)) if is_stored else None


def _items_added(context: Context, value: n.Expression) -> Typed | None:
    """Return the items that a list takes over, where only a loop can take them."""
    if not isinstance(value, n.Call | n.GeneratorExp):
        return None
    return comprehensions.loop_items(context, value)


def _updated(
    context: Context, node: n.AugAssign, current: Typed, reading: Computation
) -> tuple[Computation, bool]:
    is_list = isinstance(current.type, ListType) and not current.type.frozen
    value = _items_added(context, node.value) if is_list else None
    value = value or context.typed(node.value, declared_list(current))
    if is_list:
        refuse_borrowed(context, node.target, current, "written to")
        return sequence_operators.augmented(context, node, current, reading, value), True
    sides = (current, reading), (value, operand(node.value, value))
    if isinstance(current.type, Container):
        found = containers.join(context, node, node.op, *sides)
        return found or containers.binary(context, node, node.op, *sides), found is not None
    if isinstance(current.type, ClassType):
        found = protocols.in_place(context, node, node.op, reading, sides[1][1])
        return found or operators.binary(context, node, node.op, *sides), False
    if isinstance(current.type, TensorType):
        sides = sequence_operators.beside_arrays(context, node, *sides)
    joined = sequence_operators.joined_tuples(context, node, *sides) if node.op == "+" else None
    result = joined or operators.binary(context, node, node.op, *sides)
    if not isinstance(current.type, TensorType):
        return result, False
    if node.op == "@":
        result = operators.in_place_product(context, node, reading, result)
    # As NumPy's `+=`: the array itself changes, whoever else sees it.
    fitting = subscripts.updated_in_place(context, node, result, current.type.dtype)
    context.check_op(node, arrays.ASSIGN, reading, fitting)
    return fitting, True


def _annotated(context: Context, node: n.AnnAssign) -> None:
    declared = context.annotation(node.annotation)
    if node.value is None:
        return
    if declared is None:
        _assign_whole(context, node, (node.target,), node.value)
        return
    value = context.typed(node.value, declared)
    what = repr(node.target.id) if isinstance(node.target, n.Name) else "the target"
    result = declared_types.declare(
        context, node.value, value, operand(node.value, value), declared, what
    )
    context.facts.steps[node] = Step((node.value,), result)
    origin = context.span(node.annotation)
    literals = value.literals if result.type == value.type else ()
    found = Typed(result.type, origin, literals, borrowed=value.borrowed, held_by=value.held_by)
    context.assign(node.target, found)


def _return(context: Context, node: n.Return) -> None:
    if node.value is None:
        value = Typed(NONE, context.span(node), (None,))
    elif context.constructs:
        context.fail("class-field", "__init__ returns nothing", node, instead="leave the value out")
    elif (returned := value_returned(context, node, node.value)) is None:
        return
    else:
        value = returned
        if never_returning.ends_here(context, node) or left_to_callers(context, value):
            return
        context.require_items(node.value, value)
        refuse_borrowed(context, node.value, value, "returned")
        if context.declared_result is not None:
            given, declared = operand(node.value, value), context.declared_result
            what = "the result"
            result = declared_types.declare(context, node.value, value, given, declared, what)
            context.facts.steps[node] = Step((node.value,), result)
            value = Typed(result.type, value.span, value.literals)
    context.end(value, node)
    context.env = None


def _match(context: Context, node: n.Match) -> None:
    matches.check_match(context, node)


def _exception(context: Context, node: n.Assert | n.Raise | n.Try) -> None:
    exceptions.check_exception(context, node)


# Each function takes nodes of the class it stands under.
_CHECKS: Mapping[type[n.Statement], Callable[[Context, Any], None]] = {
    n.AnnAssign: _annotated,
    n.Assert: _exception,
    n.Assign: _assign,
    n.AugAssign: _augmented,
    Labelled: loops.check_labelled,
    LeaveTo: loops.check_leave,
    n.Break: _break,
    n.Continue: _continue,
    n.Delete: check_delete,
    n.Expr: _expression,
    n.Import: check_import,
    n.ImportFrom: check_import,
    n.For: check_for,
    n.FunctionDef: _define,
    n.If: check_if,
    n.Match: _match,
    n.Nonlocal: _pass,
    n.Pass: _pass,
    n.Raise: _exception,
    n.Return: _return,
    n.Try: _exception,
    n.While: loops.check_while,
    n.With: _with,
}
