"""What never gives a value: calls of functions that always raise, and operations without a meaning.

    def fail(self, text):                       return self.fail("no number")
        raise SyntaxError(text)
                                                nothing@ = self.fail("no number")
                                                raise RuntimeError

So what such a call gives is no part of the result of the function around it, and of a choice,
`x if x else fail("no x")`, the other side alone tells the type.

Where a function is checked for each type of what is of several, some operation may be a TypeError
for one of them: for an int, a text and a dict in turn, as items of what JSON is,

    total += self.weigh(user["age"])            self.weigh
                                                user
                                                raise TypeError("string indices must be integers")

What the statement evaluates before is evaluated, and then the run raises what CPython does.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from scriptc.check import arm_errors, arm_operands, written_attributes
from scriptc.check.bindings import Environment, Fixed, Static, Typed
from scriptc.check.checked import Arm, Check, Literal, Step
from scriptc.check.context import Context
from scriptc.check.ends_here import EndsHere
from scriptc.check.never_given import as_type, may_raise, never_gives
from scriptc.check.python import type_errors
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.errors import ScriptError, TypeCheckError
from scriptc_runtime.record import replace
from scriptc_runtime.types import BOOL, COMPLEX, FLOAT, INT, NONE, Type
from scriptc_runtime.unions import without_dims

_GIVEN = "nothing@never"
_OF_LITERALS = (FLOAT, COMPLEX)
_Finding = Callable[..., type_errors.Error | None]
_FROZEN = "FrozenInstanceError"
_ERRORS = (RuntimeError, TypeError, AttributeError, ValueError, KeyError, IndexError)


def never_returns(context: Context, node: n.Expression) -> bool:
    """Whether an expression that was checked is a call that never returns."""
    facts = context.facts
    if node in facts.steps:
        return never_gives(facts.steps[node].result)
    if node in facts.expanded:
        return never_returns(context, facts.expanded[node].value)
    if not isinstance(node, n.IfExp) or node not in facts.arms:
        return False
    runs = facts.arms[node]
    arms = (node.body, runs.body_runs), (node.orelse, runs.orelse_runs)
    return all(never_returns(context, arm) for arm, is_reached in arms if is_reached)


def choice_of_values(
    context: Context, arms: Sequence[n.Expression], found: Sequence[Typed | EndsHere | None]
) -> Sequence[Typed]:
    """Return the values of a choice; what one side never gives is of the other one's type.

    A side that was refused may be one that always raises.
    """
    pairs = list(zip(arms, found, strict=False))  # there may be one side that can run
    ends = [isinstance(one, EndsHere) or never_returns(context, arm) for arm, one in pairs]
    given = [one for one in found if isinstance(one, Typed)]
    others = [one for one, end in zip(found, ends, strict=True) if not end]
    if len(pairs) == 2 and len(others) == 1 and isinstance(others[0], Typed):
        (arm, one), other = pairs[ends.index(True)], others[0]
        nothing = replace(other, type=without_dims(other.type))  # an array of any size
        if _is_given_as(context, arm, one, nothing.type):
            return [nothing if end else other for end in ends]
    for one in found:
        if isinstance(one, EndsHere):
            raise one
    return given


def _is_given_as(
    context: Context, arm: n.Expression, found: Typed | EndsHere | None, type_: Type
) -> bool:
    """Let a side of a choice that always raises be of the other one's type, if it can be."""
    facts = context.facts
    if isinstance(found, EndsHere):
        step = _refused_side(context, arm, found, type_)
    else:
        step = facts.steps.get(arm)  # none where it is short for statements
    result = as_type(step.result, type_) if step else None
    if step is None or result is None or result.type != type_:
        return False
    for known in (facts.constants, facts.expanded):
        known.pop(arm, None)
    facts.steps[arm] = Step(step.parts, result)
    facts.types[arm] = type_
    return True


def _refused_side(
    context: Context, arm: n.Expression, refusal: EndsHere, type_: Type
) -> Step | None:
    """Return what a side of a choice evaluates up to what raises, and that, if it comes to it."""
    end, raised = refusal.node, refusal.raised
    before = _before(arm, end)
    nothing = as_type(Literal(None, NONE), type_)
    if before is None or nothing.type != type_ or refusal.loops:
        return None
    if raised is None:
        return Step((*_worth_evaluating(context, before), end), nothing)
    parts = tuple(_worth_evaluating(context, (*before, *_own_parts(context, end, raised))))
    message = str(raised.message)
    return Step(parts, Check(Literal(False, BOOL), raised.kind, message, nothing, type_))


def ending(context: Context, node: n.Expression, refusal: TypeCheckError) -> TypeCheckError:
    """Return a refusal with what raises in its place when the program runs, if that is known."""
    if isinstance(refusal, EndsHere):
        return refusal  # of a part, whose operands are known
    parts = arm_operands.operands(context, node)
    at = next((part for part in parts if never_returns(context, part)), None)
    raised = None
    if at is None and may_raise(context) and parts:
        types = context.facts.types
        type_ = types.get(parts[0])
        raised = arm_errors.otherwise(context, type_, node) if type_ is not None else None
        # An int that was written down may be a float here, and has the operation in Python.
        floats = {
            p: held for p in parts if (held := types.get(p)) in _OF_LITERALS and not is_made(p)
        }
        if raised is not None and floats:
            types |= dict.fromkeys(floats, INT)
            raised = raised if arm_errors.otherwise(context, types[parts[0]], node) else None
            types |= floats
        at = node if raised is not None and raised.value is None and not raised.beside else None
    if at is None:
        return refusal
    found = EndsHere(*refusal.diagnostics)
    found.node, found.raised = at, raised
    return found


def end_statement(
    context: Context, node: n.Statement, refusal: ScriptError, before: Environment
) -> bool:
    """Check a statement that was refused as one that raises; return whether it is one."""
    end = refusal.node if isinstance(refusal, EndsHere) else node
    if isinstance(refusal, EndsHere):
        body = _ending(context, node, refusal)
    else:
        context.env = dict(before)
        body = _raised_by_statement(context, node)
    if body is None:
        return False
    # The same nodes in all passes, but for other types, which raise something else.
    key = (node, end, context.path, _said(body))
    body = context.learned.endings.setdefault(key, body)
    context.env = before
    _name_errors(context, node)
    context.block(body)
    context.facts.endings[node] = body
    context.refused[node] = refusal.diagnostics
    return True


def _said(body: n.Body) -> object:
    """Return what a body raises at its end."""
    match body:
        case (*_, n.Raise(exc=n.Call(func=n.Name(id=kind), args=(n.Constant(value=message),)))):
            return kind, message
        case _:
            return None


def ends_here(context: Context, node: n.Return | n.Expr) -> bool:
    """Whether a statement is a call that never returns, which was checked; note what it does."""
    value = node.value
    if value is None or not never_returns(context, value) or context.constructs:
        return False  # an object has fields, also where none is ever made
    known = context.learned.expansions.get(node)
    if known is None:
        lo, hi = node.lo, node.hi
        call = n.Assign(lo, hi, (n.Name(lo, hi, _GIVEN),), value)
        nothing = n.Constant(lo, hi, None, None)
        body = (call, _raise(node, RuntimeError.__name__, ""))
        known = Expansion(body, nothing, frozenset({_GIVEN}))
        context.learned.expansions[node] = known
    context.locals |= known.names
    _name_errors(context, node)
    context.block(known.body)
    context.facts.expanded[node] = known
    return True


def _name_errors(context: Context, at: n.Node) -> None:
    """Let names stand for the exceptions that are raised."""
    assert context.env is not None
    # A program without dataclasses has not loaded their module.
    frozen: object = getattr(sys.modules.get("dataclasses"), _FROZEN, None)
    for kind, error in (*((e.__name__, e) for e in _ERRORS), (_FROZEN, frozen)):
        context.locals |= {_name_of(kind)}
        context.env[_name_of(kind)] = Fixed(Static(error, context.span(at)))


def _name_of(kind: str) -> str:
    return f"{kind}@never"


def _raise(at: n.Node, kind: str, message: str | float | None) -> n.Raise:
    said = n.Constant(at.lo, at.hi, message, None)
    made = n.Call(at.lo, at.hi, n.Name(at.lo, at.hi, _name_of(kind)), (said,), ())
    return n.Raise(at.lo, at.hi, made, None)


def _ending(context: Context, node: n.Statement, refusal: EndsHere) -> n.Body | None:
    """Return what a statement evaluates up to what raises, and that, if it comes to it."""
    end, raised = refusal.node, refusal.raised
    before = _before_in(node, end)
    if before is None or (raised and raised.kind not in {error.__name__ for error in _ERRORS}):
        return None
    if refusal.loops:
        return (*_evaluated(context, before), *refusal.loops)
    if raised is None:
        return _evaluated(context, (*before, end))  # a call that never returns: see `ends_here`
    parts = (*before, *_own_parts(context, end, raised))
    return (*_evaluated(context, parts), _raise(end, raised.kind, raised.message))


def _raised_by_statement(context: Context, node: n.Statement) -> n.Body | None:
    """Return what a loop or an assignment does for types that it has no meaning for."""
    find: _Finding
    match node:
        case n.AugAssign(target=target, value=value) if never_returns(context, value):
            return _evaluated(context, (target, value))
        case (
            n.Delete(targets=(n.Subscript(value=whole, slice=index) as target,))
            | n.AugAssign(target=n.Subscript(value=whole, slice=index) as target)
        ) if isinstance(node, n.Delete) or target not in context.facts.types:
            symbol = "del" if isinstance(node, n.Delete) else "[]"
            parts, find = (whole, index), partial(type_errors.of_item, symbol)
        case (
            n.Assign(targets=(n.Attribute() as target,))
            | n.Delete(targets=(n.Attribute() as target,))
            | n.AugAssign(target=n.Attribute() as target)
        ):
            parts, find = _written_attribute(context, node, target)
        case n.AugAssign(target=target, op=op, value=value):
            parts = (target, value)
            find = partial(type_errors.of_operator, f"{op}=")
        case n.For(iter=first):
            parts = (first,)
            find = type_errors.of_iteration
        case n.Assign(targets=(n.Tuple(elts=targets),), value=first):
            parts = (first,)
            starred = any(isinstance(target, n.Starred) for target in targets)
            find = partial(type_errors.of_unpacking, None if starred else len(targets))
        case n.Assign(targets=(n.Subscript(value=whole, slice=index),), value=value):
            parts, find = (value, whole, index), _of_stored_item
        case _:
            return None
    types = _types_of(context, parts) if may_raise(context) else ()
    error = find(*types) if types else None
    if error is None:
        return None
    written = [t in _OF_LITERALS and not is_made(p) for p, t in zip(parts, types, strict=True)]
    if find(*(INT if w else t for w, t in zip(written, types, strict=True))) is None:
        return None  # as above
    return (*_evaluated(context, parts), _raise(node, *error))


def _written_attribute(
    context: Context, node: n.Assign | n.Delete | n.AugAssign, target: n.Attribute
) -> tuple[n.Expressions, _Finding]:
    """Return what is evaluated before an attribute is written, and what finds what is raised."""
    owner = target.value
    if isinstance(node, n.AugAssign) and target not in context.facts.types:  # it is read first
        return (owner,), partial(arm_errors.of_attribute, context, target, target.attr)
    value = None if isinstance(node, n.Delete) else node.value
    is_removed = value is None
    find = partial(written_attributes.of_written, context, target, is_removed=is_removed)
    return (owner,) if value is None else (value, owner), find


def is_made(node: n.Expression) -> bool:
    """Whether it is a variable of a statement of several types, of which the type is known."""
    return isinstance(node, n.Name) and "@" in node.id


def _types_of(context: Context, parts: Sequence[n.Expression]) -> Sequence[Type]:
    """Return the types of parts of a refused statement; none where one is what is refused."""
    known = context.facts.types
    for part in parts:
        if part not in known and isinstance(part, n.Constant | n.Name):
            context.typed(part)
    types = [known[part] for part in parts if part in known]
    return types if len(types) == len(parts) else ()


def _of_stored_item(_: Type, whole: Type, index: Type) -> type_errors.Error | None:
    return type_errors.of_item("[]=", whole, index)


def _evaluated(context: Context, parts: Sequence[n.Expression]) -> n.Body:
    return tuple(n.Expr(p.lo, p.hi, p) for p in _worth_evaluating(context, parts))


def _worth_evaluating(context: Context, parts: Sequence[n.Expression]) -> Iterator[n.Expression]:
    """Yield what is more than a name or a constant: functions and modules are no values."""
    for part in parts:
        if isinstance(part, n.FormattedValue):
            yield n.JoinedStr(part.lo, part.hi, (part,))  # as a text of its own
            continue
        inner = _parts(part) if isinstance(part, n.Slice | n.Starred) else (part,)
        for one in inner:
            if not isinstance(one, n.Name | n.Constant | n.Lambda) and not _is_static(context, one):
                yield one


def _is_static(context: Context, node: n.Expression) -> bool:
    """Whether an expression is a function, module or class that is read by its path."""
    root = node
    while isinstance(root, n.Attribute):
        root = root.value
    is_path = root is not node and isinstance(root, n.Name) and root.id not in context.locals
    return is_path and node not in context.facts.types


def _own_parts(context: Context, node: n.Expression, raised: Arm) -> Sequence[n.Expression]:
    """Return the operands of an operation that are evaluated before it raises."""
    if isinstance(node, n.Call) and raised.kind == AttributeError.__name__:
        return arm_operands.operands(context, node)[
            :1
        ]  # there is no method whose arguments were asked for
    return arm_operands.operands(context, node)


def _before_in(node: n.Statement, end: n.Expression) -> Sequence[n.Expression] | None:
    """Return what a statement evaluates before `end`; None where it may not come to that."""
    before: list[n.Expression] = []
    for part in _parts_of_statement(node):
        found = _before(part, end)
        if found is not None:
            return [*before, *found]
        before.append(part)
    return None


def _parts_of_statement(node: n.Statement) -> Iterator[n.Expression]:
    """Yield what a statement evaluates first of all, in order."""
    match node:
        case n.Expr(value=value) | n.Return(value=value) | n.AnnAssign(value=value):
            yield from () if value is None else (value,)
        case n.Assign(targets=targets, value=value):
            yield value
            yield from _parts(targets[0]) if not isinstance(targets[0], n.Name | n.Tuple) else ()
        case n.AugAssign(target=target, value=value):
            yield from (target, value)
        case n.For(iter=first) | n.If(test=first) | n.While(test=first) | n.Assert(test=first):
            yield first
        case n.Raise(exc=n.Expression() as first):
            yield first
        case n.With(items=items):
            yield items[0].context_expr
        case _:
            pass


def _before(node: n.Expression, end: n.Expression) -> Sequence[n.Expression] | None:
    if node is end:
        return ()
    before: list[n.Expression] = []
    for part in _parts(node):
        found = _before(part, end)
        if found is not None:
            return [*before, *found]
        before.append(part)
    return None


def _parts(node: n.Expression) -> Iterator[n.Expression]:
    """Yield the parts of an expression that are always evaluated, in order."""
    match node:
        case n.BoolOp(values=values):
            yield values[0]
        case n.IfExp(test=test):
            yield test
        case n.Compare(left=left, comparators=(right, *_)):
            yield from (left, right)
        case n.Lambda() | n.GeneratorExp() | n.ListComp() | n.SetComp() | n.DictComp():
            pass
        case n.Call(func=n.Attribute(value=owner), args=args, keywords=keywords):
            yield from (owner, *args, *(keyword.value for keyword in keywords))
        case n.Call(func=func, args=args, keywords=keywords):
            yield from (func, *args, *(keyword.value for keyword in keywords))
        case n.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                yield from (value,) if key is None else (key, value)
        case _:
            yield from (part for part in n.children(node) if isinstance(part, n.Expression))
