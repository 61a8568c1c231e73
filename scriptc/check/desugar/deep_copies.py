"""`copy.deepcopy(x)` of lists, dicts, sets, deques and tuples: what is in one twice is copied once.

copy.deepcopy(grid)     copies@ = {}
                        [copies@.setdefault(place(row), row.copy()) if place(row) not in copies@
                         else copies@[place(row)] for row in grid]

There is a dict for each type of part that can change, by where the parts are. Of an object the
fields are copied so; objects in what is copied are refused: they may hold themselves.
"""

from collections.abc import Mapping
from copy import copy as copy_of

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.context import Context
from scriptc.check.desugar.comprehensions import as_loops
from scriptc.check.object_copies import is_plain
from scriptc.check.open_types import is_open
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied
from scriptc.syntax.expansion import Expansion
from scriptc_runtime import unsafe
from scriptc_runtime.types import (
    ClassType,
    DequeType,
    DictType,
    ListType,
    OptionalType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    is_mutable,
)


def check_deep_copy(context: Context, node: n.Call, value: Typed) -> Typed | None:
    """Check a deep copy of a container whose parts change; None for what is not built."""
    copier = _Copier(node)
    whole = n.Name(node.lo, node.hi, copier.named("whole"))
    if isinstance(value.type, ClassType):
        fields = _fields_of(context, node, value.type)
        copy = None if fields is None else copier.of_object(whole, fields)
        function = n.Name(node.lo, node.hi, copier.named("copy_of"))
        context.locals |= {function.id}
        assert context.env is not None
        context.env[function.id] = Fixed(Static(copy_of, context.span(node)))
    else:
        copy = copier.made(whole, value.type)
    if copy is None:
        return None
    # One node for each type: what the containers hold may be told after they are checked first.
    one = n.Call(node.lo, node.hi, node.func, node.args, ())
    kept = context.learned.spreads.setdefault((node, ("deep", str(value.type))), one)
    place = copier.named("place_of")
    context.locals |= {place}
    assert context.env is not None
    context.env[place] = Fixed(Static(unsafe.place, context.span(node)))
    made = as_loops(context, kept, lambda: copier.expansion(whole, node.args[0], copy))
    context.facts.expanded[node] = Expansion((), kept, frozenset())
    context.facts.types[node] = made.type
    return made


def _fields_of(context: Context, node: n.Call, type_: ClassType) -> Mapping[str, Type] | None:
    """Return the fields of an object, if it is of one class for sure, and copied by them."""
    possible = context.possible_classes(node, type_.name)
    if len(possible) > 1 or context.function_called(type_.name):
        return None
    if context.generator_class(type_.name) or not is_plain(context, possible[0], node):
        return None
    fields = context.class_of(possible[0], node).fields
    if any(map(is_open, fields.values())):
        raise context.not_known_yet(node)
    return fields


def _again(value: n.Expression) -> n.Expression:
    return copied(value, {}, 0)


def _is_array(type_: Type) -> bool:
    """Whether values are arrays, of whatever types and axes."""
    members = type_.members if isinstance(type_, UnionType) else (type_,)
    return all(isinstance(member, TensorType) for member in members)


class _Copier:
    """Writes the copies of all parts of one value."""

    def __init__(self, node: n.Call) -> None:
        self._span = node.lo, node.hi
        self._memos: dict[Type, str] = {}
        self._loops = 0
        self._after: list[n.Statement] = []  # once the object is copied

    def named(self, word: str) -> str:
        return f"{word}@{self._span[0]}:{self._span[1]}"

    def expansion(self, whole: n.Name, value: n.Expression, copy: n.Expression) -> Expansion:
        """Return the statements that make the dicts, and the copy."""
        lo, hi = self._span
        names = [self._name(memo) for memo in self._memos.values()]
        body = [n.Assign(lo, hi, (name,), n.Dict(lo, hi, (), ())) for name in names]
        every = n.Assign(lo, hi, (whole,), value), *body, *self._after
        bound = {whole.id, *(name.id for name in names), self.named("copied")}
        return Expansion(every, copy, frozenset(bound))

    def of_object(self, whole: n.Name, fields: Mapping[str, Type]) -> n.Expression | None:
        """Return a copy of an object, whose fields are copied one after the other."""
        lo, hi = self._span
        new = self._name(self.named("copied"))
        call = n.Call(lo, hi, self._name(self.named("copy_of")), (_again(whole),), ())
        self._after.append(n.Assign(lo, hi, (new,), call))
        for name, type_ in fields.items():
            if is_mutable(type_):
                part = self._part(self._attribute(_again(whole), name), type_)
                if part is None:
                    return None
                target = self._attribute(_again(new), name)
                self._after.append(n.Assign(lo, hi, (target,), part))
        return _again(new)

    def made(self, value: n.Expression, type_: Type) -> n.Expression | None:
        """Return a copy of a value, whatever else holds it; None for what is not built."""
        match type_:
            case _ if not is_mutable(type_):
                return value
            case TensorType() | UnionType() if _is_array(type_):
                return self._method(value, "copy")
            case TupleType(items):
                parts = [self._part(self._item(_again(value), i), t) for i, t in enumerate(items)]
                known = tuple(part for part in parts if part is not None)
                return n.Tuple(*self._span, known) if len(known) == len(parts) else None
            case OptionalType(item):
                part = self._part(value, item)
                none = n.Constant(*self._span, None, None)
                test = n.Compare(*self._span, _again(value), ("is",), (none,))
                return part and n.IfExp(*self._span, test, none, part)
            case ListType(item, frozen=False) if is_mutable(item):
                return self._each(value, item)
            case DictType(_, held, "dict") if is_mutable(held):
                return self._each_value(value, held)
            case ListType(frozen=False) | SetType() | DequeType() | DictType():
                inner = type_.value if isinstance(type_, DictType) else type_.item
                return None if is_mutable(inner) else self._method(value, "copy")
            case _:
                return None

    def _part(self, value: n.Expression, type_: Type) -> n.Expression | None:
        """Return a copy of a part, the same one for each place that holds it."""
        made = self.made(value, type_)
        if made is None or not isinstance(type_, ListType | DictType | SetType | DequeType):
            return made
        name = self._memos.setdefault(type_, self.named(f"copies{len(self._memos)}"))
        # A node for each place: what is known of a value there is kept by it.
        tested, stored, read = (self._name(name) for _ in range(3))
        kept = n.Call(
            *self._span, self._attribute(stored, "setdefault"), (self._place(value), made), ()
        )
        is_new = n.Compare(*self._span, self._place(value), ("not in",), (tested,))
        known = n.Subscript(*self._span, read, self._place(value))
        return n.IfExp(*self._span, is_new, kept, known)

    def _place(self, value: n.Expression) -> n.Expression:
        return n.Call(*self._span, self._name(self.named("place_of")), (_again(value),), ())

    def _each(self, value: n.Expression, item: Type) -> n.Expression | None:
        target = self._loop_name()
        part = self._part(_again(target), item)
        loops = (n.comprehension(*self._span, target, value, (), False),)
        return part and n.ListComp(*self._own_span(), part, loops)

    def _each_value(self, value: n.Expression, held: Type) -> n.Expression | None:
        key, target = self._loop_name(), self._loop_name()
        part = self._part(_again(target), held)
        pair = n.Tuple(*self._span, (key, target))
        own = self._own_span()
        items = n.Call(*own, n.Attribute(*own, value, "items"), (), ())
        loops = (n.comprehension(*own, pair, items, (), False),)
        return part and n.DictComp(*own, _again(key), part, loops)

    def _own_span(self) -> tuple[int, int]:
        """Return a span that no other loop has: variables of loops are called by it."""
        lo, hi = self._span
        self._loops += 1
        return lo + self._loops, hi

    def _loop_name(self) -> n.Name:
        self._loops += 1
        return self._name(self.named(f"part{self._loops}"))

    def _name(self, name: str) -> n.Name:
        return n.Name(*self._span, name)

    def _item(self, value: n.Expression, index: int) -> n.Expression:
        return n.Subscript(*self._span, value, n.Constant(*self._span, index, None))

    def _attribute(self, value: n.Expression, name: str) -> n.Expression:
        return n.Attribute(*self._span, value, name)

    def _method(self, value: n.Expression, name: str) -> n.Expression:
        return n.Call(*self._span, self._attribute(value, name), (), ())
