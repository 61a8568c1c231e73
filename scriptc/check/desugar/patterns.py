"""Patterns of `match` as tests, and as names for what they take apart.

Types decide what they can: an int is no sequence, and a pair has two items. What is left to the run
is tested in the order of the pattern, and only as far as it matches.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import NoneType
from typing import ClassVar, TypeVar, cast

from scriptc.check.bindings import Environment, Static, join
from scriptc.check.conditions import MEMBER_TEST
from scriptc.check.container_classes import container_of
from scriptc.check.context import Context
from scriptc.check.named_types import plain_type
from scriptc.syntax import nodes as n
from scriptc.syntax.blocks import Block, Leave, Mark, Unless
from scriptc.syntax.copies import copied
from scriptc_runtime.record import field, record
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    NONE,
    ClassType,
    DictType,
    ListType,
    NamedType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    is_number,
    is_tuple_of,
)
from scriptc_runtime.unions import members_of

_Made = TypeVar("_Made", bound=n.Node)
# Functions that tests call, whatever their names mean to the program.
FUNCTIONS: dict[str, object] = {"len@match": len, "isinstance@match": isinstance}
# Classes whose one positional pattern is about the whole object.
_WHOLE = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


@record(frozen=False, eq=False)
class Frame:
    """A block, and the variables at each place that leaves it."""

    mark: Mark
    ends: list[Environment] = field(default_factory=list[Environment])

    def joined_with(self, last: Environment | None) -> Environment | None:
        """Return the variables after the block, whose own end has those of `last`."""
        for end in self.ends:
            last = join(last, end)
        return last


def mentions(pattern: n.Node) -> Iterator[str]:
    """Yield the names that a pattern binds."""
    match pattern:
        case n.MatchAs(name=str(name)) | n.MatchStar(name=str(name)):
            yield name
        case n.MatchMapping(rest=str(rest)):
            yield rest
        case _:
            pass
    for inner in n.children(pattern):
        if isinstance(inner, n.Pattern):
            yield from mentions(inner)


class Patterns:
    """The statements that match one pattern, or leave `frame` where it fails."""

    def __init__(self, context: Context, frame: Frame, names: set[str]) -> None:
        self._context = context
        self._frame = frame
        self._names = names
        self._captured: dict[str, n.Expression] = {}
        self.body: list[n.Statement] = []

    def match(self, subject: n.Expression, pattern: n.Pattern) -> None:
        """Add what matches `subject`, a variable or a display of some, with `pattern`."""
        if self._context.reached() is None:
            return
        self._matchers[type(pattern)](self, subject, pattern)

    def bind(self, at: n.Node) -> None:
        """Bind the names of the pattern, all of which has matched."""
        for name, source in self._captured.items():
            if self._context.reached() is not None:
                self._assign(at, f"bound {name}", n.Name(at.lo, at.hi, name), source)

    def unless(self, test: n.Expression) -> None:
        """Leave the frame where a test fails."""
        condition = self._context.condition(test)
        self._context.env = condition.when_true
        if condition.known:
            return
        if condition.when_false is not None:
            self._frame.ends.append(condition.when_false)
        mark = None if condition.when_false is None else self._frame.mark
        self.body.append(Unless(test.lo, test.hi, test, mark))

    # --------------------------------------------------------------------------------- patterns

    def _fail(self) -> None:
        """Leave the frame: types say that the pattern never matches."""
        env = self._context.reached()
        assert env is not None
        self._frame.ends.append(env)
        self._context.env = None
        mark = self._frame.mark
        self.body.append(Leave(mark.lo, mark.hi, mark))

    def _present(self, subject: n.Expression, pattern: n.Pattern) -> Type | None:
        """Return the type of a subject that is not None; None where it never is another."""
        type_ = self._type(subject)
        if type_ is not NONE and NONE in members_of(type_):
            none = _constant(pattern, None)
            self.unless(self._compared(pattern, subject, "is not", none))
            type_ = self._type(subject)
        if type_ is NONE:
            self._fail()
            return None
        return type_

    def _require(self, subject: n.Expression, at: n.Pattern, members: Sequence[Type]) -> bool:
        """Go on where the subject is of one of some members of its type; whether it may be."""
        if not members:
            self._fail()
            return False
        if len(members) < len(members_of(self._type(subject))):
            names = "; ".join(map(str, members))

            def test() -> n.Expression:
                name = n.Name(at.lo, at.hi, MEMBER_TEST)
                told = n.Constant(at.lo, at.hi, names, None)
                return n.Call(at.lo, at.hi, name, (_again(subject), told), ())

            self.unless(self._made(at, f"member {names}", test))
        return True

    def _copy(self, pattern: n.Pattern, member: Type) -> n.Pattern:
        """Return the same pattern with nodes of its own."""
        return self._made(pattern, f"for {member}", lambda: copied(pattern, {}, 0))

    def _as(self, subject: n.Expression, pattern: n.MatchAs) -> None:
        if pattern.pattern is not None:
            self.match(subject, pattern.pattern)
        if pattern.name is not None:
            self._captured[pattern.name] = subject

    def _any_of(self, subject: n.Expression, pattern: n.MatchOr) -> None:
        self._alternatives(subject, pattern, [(None, inner) for inner in pattern.patterns])

    def _alternatives(
        self,
        subject: n.Expression,
        pattern: n.Pattern,
        alternatives: Sequence[tuple[Type | None, n.Pattern]],
    ) -> None:
        """Match one pattern after the other, each for one member of a union if it names one."""
        context = self._context
        done = Frame(Mark(pattern.lo, pattern.hi))
        body: list[n.Statement] = []
        bound = dict.fromkeys(mentions(pattern))
        for number, (member, alternative) in enumerate(alternatives):
            if context.reached() is None:
                break
            following = Frame(Mark(alternative.lo, alternative.hi))
            inner = Patterns(context, following, self._names)
            if member is not None:
                inner._require(subject, alternative, [member])
            inner.match(subject, alternative)
            for name in bound if context.reached() is not None else ():
                target = self._named(pattern, name)
                inner._assign(pattern, f"{name} {number}", target, inner._captured[name])
            if (env := context.reached()) is not None:
                done.ends.append(env)
                inner.body.append(Leave(pattern.lo, pattern.hi, done.mark))
            context.env = following.joined_with(None)
            context.facts.joins[following.mark] = {}
            body += _block(following, inner.body)
        if (env := context.reached()) is not None:
            self._frame.ends.append(env)
            body.append(Leave(pattern.lo, pattern.hi, self._frame.mark))
        context.env = done.joined_with(None)
        names = {name: self._named(pattern, name) for name in bound}
        context.facts.joins[done.mark] = context.joined(name.id for name in names.values())
        self.body += _block(done, body)
        self._captured |= names

    def _singleton(self, subject: n.Expression, pattern: n.MatchSingleton) -> None:
        """Test for None, True or False itself: 1 is not True."""
        if pattern.value is None:
            self.unless(self._compared(pattern, subject, "is", _constant(pattern, None)))
            return
        type_ = self._present(subject, pattern)
        if type_ is None:
            return
        if not self._require(subject, pattern, [m for m in members_of(type_) if m is BOOL]):
            return
        test = self._made(pattern, "truth", lambda: _again(subject))
        if pattern.value is False:
            yes = test
            test = self._made(pattern, "no", lambda: n.UnaryOp(yes.lo, yes.hi, "not", yes))
        self.unless(test)

    def _value(self, subject: n.Expression, pattern: n.MatchValue) -> None:
        value = self._context.typed(pattern.value)
        if value.type is NONE:
            self.unless(self._compared(pattern, subject, "is", _constant(pattern, None)))
            return
        type_ = self._present(subject, pattern)
        if type_ is None:
            return
        if any(_may_be_equal(member, value.type) for member in members_of(type_)):
            self.unless(self._compared(pattern, subject, "==", pattern.value))
        else:
            self._fail()

    def _sequence(self, subject: n.Expression, pattern: n.MatchSequence) -> None:
        type_ = self._present(subject, pattern)
        if type_ is None:
            return
        self._require_plain(pattern, type_, list)
        stars = [i for i, p in enumerate(pattern.patterns) if isinstance(p, n.MatchStar)]
        star = stars[0] if stars else None
        least = len(pattern.patterns) - len(stars)
        if isinstance(type_, UnionType):
            fitting = [m for m in members_of(type_) if _is_sequence(m, least, is_open=bool(stars))]
            if len(fitting) > 1:
                every = [(m, self._copy(pattern, m)) for m in fitting]
                self._alternatives(subject, pattern, every)
                return
            if not self._require(subject, pattern, fitting):
                return
            (type_,) = fitting
        match plain_type(type_):
            case TupleType(items):
                fits = len(items) >= least if stars else len(items) == least
                if not fits:
                    self._fail()
                    return
                self._items(subject, pattern, star, len(items))
            case ListType():
                self._context.require_items(pattern, self._context.typed(_again(subject)))
                size = self._made(pattern, "len", lambda: _call(pattern, "len@match", subject))
                if least or not stars:
                    op = ">=" if stars else "=="
                    self.unless(self._compared(pattern, size, op, _constant(pattern, least)))
                self._items(subject, pattern, star, None)
            case _:
                self._fail()  # texts and arrays are no sequences either

    def _require_plain(self, pattern: n.Pattern, type_: Type, kind: type) -> None:
        """Refuse objects whose classes inherit from `list` or `dict`: Python matches them."""
        for member in members_of(type_):
            if not isinstance(member, ClassType):
                continue
            if container_of(self._context.class_named(member.name).live) is kind:
                self._context.fail(
                    "match",
                    f"this pattern is matched with a {member.name}, which inherits from "
                    f"{kind.__name__}",
                    pattern,
                    instead=f"{kind.__name__}(...) of it",
                )

    def _items(
        self, subject: n.Expression, pattern: n.MatchSequence, star: int | None, count: int | None
    ) -> None:
        """Match the items of a tuple of `count` items, or of a list, whose length fits."""
        patterns = pattern.patterns
        for place, inner in enumerate(patterns):
            if star is not None and place == star:
                if isinstance(inner, n.MatchStar) and inner.name is not None:
                    after = len(patterns) - place - 1
                    self._captured[inner.name] = self._rest(subject, inner, place, after, count)
                continue
            behind = star is not None and place > star
            index = place - len(patterns) if behind else place
            if behind and count is not None:
                index += count
            self._part(subject, inner, lambda at=inner, i=index: _item(at, subject, i))

    def _rest(
        self, subject: n.Expression, at: n.MatchStar, before: int, after: int, count: int | None
    ) -> n.Expression:
        """Name the list of the items that the patterns beside a star leave."""

        def rest() -> n.Expression:
            if count is not None:
                left = range(before, count - after)
                return n.List(at.lo, at.hi, tuple(_item(at, subject, i) for i in left))
            lower, upper = _constant(at, before), _integer(at, -after) if after else None
            places = n.Slice(at.lo, at.hi, lower, upper, None)
            part = n.Subscript(at.lo, at.hi, _again(subject), places)
            whole = self._context.typed(_again(subject)).type
            return _listed(part) if is_tuple_of(whole) else part

        target = self._named(at, "rest")
        self._assign(at, "rest", target, self._made(at, f"rest {count}", rest))
        return target

    def _mapping(self, subject: n.Expression, pattern: n.MatchMapping) -> None:
        type_ = self._present(subject, pattern)
        if type_ is None:
            return
        self._require_plain(pattern, type_, dict)
        dicts = [member for member in members_of(type_) if isinstance(member, DictType)]
        if not self._require(subject, pattern, dicts):
            return
        (type_,) = dicts
        self._context.require_items(pattern, self._context.typed(_again(subject)))
        for place, key in enumerate(pattern.keys):
            if self._context.reached() is None:
                return
            value = self._context.typed(key)
            if not _may_be_equal(type_.key, value.type):
                self._fail()
                return
            self.unless(self._compared(pattern, key, "in", subject, f"key {place}"))
        for key, inner in zip(pattern.keys, pattern.patterns, strict=True):
            self._part(
                subject,
                inner,
                lambda at=inner, k=key: n.Subscript(at.lo, at.hi, _again(subject), k),
            )
        if pattern.rest is not None and self._context.reached() is not None:
            self._captured[pattern.rest] = self._other_items(subject, pattern)

    def _other_items(self, subject: n.Expression, at: n.MatchMapping) -> n.Expression:
        """Name the dict of the items whose keys the pattern does not name."""

        def copied() -> n.Expression:
            copy = n.Attribute(at.lo, at.hi, _again(subject), "copy")
            return n.Call(at.lo, at.hi, copy, (), ())

        target = self._named(at, "rest")
        self._assign(at, "rest", target, self._made(at, "copied", copied))
        for place, key in enumerate(at.keys):
            item = n.Subscript(at.lo, at.hi, _again(target), key)
            made = self._made(at, f"del {place}", lambda i=item: n.Delete(at.lo, at.hi, (i,)))
            self._context.block((made,))
            self.body.append(made)
        return target

    def _class(self, subject: n.Expression, pattern: n.MatchClass) -> None:
        cls = self._class_of(pattern)
        if cls is NoneType:
            self.unless(self._compared(pattern, subject, "is", _constant(pattern, None)))
            return
        if cls is not object:
            if self._present(subject, pattern) is None:
                return

            def test() -> n.Expression:
                return _call(pattern, "isinstance@match", subject, pattern.cls)

            self.unless(self._made(pattern, "isinstance", test))
        if self._context.reached() is None:
            return
        names = self._positional(cls, pattern)
        if names is None:
            self.match(subject, pattern.patterns[0])
            names = ()
        parts = [*zip(names, pattern.patterns, strict=False)]
        parts += zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True)
        self._refuse_twice([name for name, _ in parts], pattern)
        for name, inner in parts:
            if self._context.reached() is None:
                return
            if not self._has(subject, cls, name):
                self._fail()
                return
            self._part(
                subject,
                inner,
                lambda at=inner, a=name: n.Attribute(at.lo, at.hi, _again(subject), a),
            )

    def _class_of(self, pattern: n.MatchClass) -> type[object]:
        found = self._context.expression(pattern.cls)
        live = found.value if isinstance(found, Static) and found.receiver is None else None
        if not isinstance(live, type):
            self._context.fail(
                "match",
                "a class pattern names no class",
                pattern.cls,
                why="Python raises TypeError: called match pattern must be a class",
                instead="a class, or a value pattern without parentheses",
            )
        return cast("type[object]", live)

    def _positional(self, cls: type[object], pattern: n.MatchClass) -> Sequence[str] | None:
        """Return the attributes that positional patterns are about; None for the whole object."""
        given = len(pattern.patterns)
        if not given:
            return ()
        names = cast("tuple[str, ...] | None", getattr(cls, "__match_args__", None))
        if names is None and issubclass(cls, _WHOLE) and given == 1:
            return None
        taken = 1 if names is None and issubclass(cls, _WHOLE) else len(names or ())
        if given > taken:
            self._context.fail(
                "match",
                f"{cls.__name__}() accepts {taken} positional sub-patterns, and {given} are given",
                pattern,
                why="Python raises TypeError where an object of this class gets here",
                instead="patterns by name, or __match_args__ in the class",
            )
        return (names or ())[:given]

    def _refuse_twice(self, names: Sequence[str], pattern: n.MatchClass) -> None:
        for name in names:
            if names.count(name) > 1:
                self._context.fail(
                    "match",
                    f"two patterns are about the attribute {name!r}",
                    pattern,
                    why="Python raises TypeError where an object of this class gets here",
                    instead="one pattern for each attribute",
                )

    def _has(self, subject: n.Expression, cls: type[object], name: str) -> bool:
        """Whether an object that is matched has an attribute."""
        type_ = self._type(subject)
        if isinstance(type_, ClassType):
            declared = self._context.class_named(type_.name)
            return name in declared.names or hasattr(declared.live, name)
        return hasattr(cls, name)

    # ------------------------------------------------------------------------------------ parts

    def _part(
        self, subject: n.Expression, pattern: n.Pattern, part: Callable[[], n.Expression]
    ) -> None:
        """Match a part of the subject, which gets a name."""
        if self._context.reached() is None:
            return
        if isinstance(pattern, n.MatchAs) and pattern.pattern is None and pattern.name is None:
            return  # `_`
        index = part()
        if isinstance(subject, n.Tuple) and isinstance(index, n.Subscript):
            # Of a display the item itself: what is learned of it is known by its own name.
            assert isinstance(index.slice, n.Constant)
            self.match(subject.elts[cast(int, index.slice.value)], pattern)
            return
        target = self._named(pattern, "item")
        self._assign(pattern, "item", target, self._made(pattern, "part", lambda: index))
        self.match(target, pattern)

    def _type(self, subject: n.Expression) -> Type:
        return self._context.typed(_again(subject)).type

    def _named(self, at: n.Node, what: str) -> n.Name:
        """Return a variable of our own for a part of a pattern."""
        name = f"{what}@{at.lo}:{at.hi}"
        self._names.add(name)
        self._context.locals |= {name}
        return n.Name(at.lo, at.hi, name)

    def _assign(self, at: n.Node, role: str, target: n.Name, value: n.Expression) -> None:
        source = self._made(at, f"value {role}", lambda: _again(value))
        self._context.assign(target, self._context.typed(source))
        self.body.append(n.Assign(at.lo, at.hi, (target,), source))

    def _compared(
        self, at: n.Pattern, left: n.Expression, op: str, right: n.Expression, role: str = ""
    ) -> n.Expression:
        def made() -> n.Expression:
            return n.Compare(at.lo, at.hi, _again(left), (op,), (_again(right),))

        return self._made(at, f"{op} {role}", made)

    def _made(self, at: n.Node, role: str, make: Callable[[], _Made]) -> _Made:
        """Return one node for all passes: what is learned of it stays known."""
        known = self._context.learned.patterns.get((at, role))
        if known is None:
            known = self._context.learned.patterns[at, role] = make()
        return cast(_Made, known)

    # Each method takes patterns of the class it stands under.
    _matchers: ClassVar[Mapping[type[n.Pattern], Callable[..., None]]] = {
        n.MatchAs: _as,
        n.MatchClass: _class,
        n.MatchMapping: _mapping,
        n.MatchOr: _any_of,
        n.MatchSequence: _sequence,
        n.MatchSingleton: _singleton,
        n.MatchValue: _value,
    }


def _block(frame: Frame, body: Sequence[n.Statement]) -> Sequence[n.Statement]:
    mark = frame.mark
    return (Block(mark.lo, mark.hi, mark, tuple(body)),) if frame.ends else body


def _is_number(type_: Type) -> bool:
    return is_number(type_) or type_ is BIGINT


def _may_be_equal(first: Type, second: Type) -> bool:
    """Whether values of two types may be equal; where it is not known, `==` says so."""
    match first, second:
        case (ClassType() | TensorType() | NamedType(), _):
            return True
        case (_, ClassType() | TensorType() | NamedType()):
            return True
        case (TupleType(), TupleType()) | (ListType(), ListType()) | (DictType(), DictType()):
            return True
        case _:
            return first == second or (_is_number(first) and _is_number(second))


def _is_sequence(type_: Type, least: int, *, is_open: bool) -> bool:
    """Whether values of a type may match a pattern of so many items, or more where it is open."""
    if isinstance(type_, TupleType):
        return len(type_.items) >= least if is_open else len(type_.items) == least
    return isinstance(type_, ListType)


def _again(node: n.Expression) -> n.Expression:
    """Return a node of its own for another read of a variable: what types say differs by place."""
    if isinstance(node, n.Name):
        return n.Name(node.lo, node.hi, node.id)
    if isinstance(node, n.Tuple):
        return n.Tuple(node.lo, node.hi, tuple(map(_again, node.elts)))
    return node


def _constant(at: n.Node, value: int | None) -> n.Constant:
    return n.Constant(at.lo, at.hi, value, None)


def _integer(at: n.Node, value: int) -> n.Expression:
    if value >= 0:
        return _constant(at, value)
    return n.UnaryOp(at.lo, at.hi, "-", _constant(at, -value))


def _listed(source: n.Expression) -> n.Expression:
    star = n.Starred(source.lo, source.hi, source)
    return n.List(source.lo, source.hi, (star,))


def _item(at: n.Node, subject: n.Expression, index: int) -> n.Expression:
    return n.Subscript(at.lo, at.hi, _again(subject), _integer(at, index))


def _call(at: n.Node, function: str, *arguments: n.Expression) -> n.Expression:
    name = n.Name(at.lo, at.hi, function)
    return n.Call(at.lo, at.hi, name, tuple(map(_again, arguments)), ())
