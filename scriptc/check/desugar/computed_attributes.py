"""Attributes whose names are computed: the name is compared with those that the object has.

    getattr(self, f"op_{op}")       name@ = f"op_{op}"
                                    if name@ == "op_add": result@ = self.op_add
                                    elif name@ == "op_neg": result@ = self.op_neg
                                    else: raise AttributeError(...)

Those are compared that begin and end as the name does.  Where the name is made of the class of a
variable, `"visit_" + type(node).__name__`, the class is tested, so that each arm knows what it is
given.  A call of the attribute, and a few lines that follow on its assignment, become a part of
each arm: then no function has to be kept.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence

from scriptc.call_errors import call_error
from scriptc.check.attribute_names import NamePattern, following, name_pattern
from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.class_tests import class_of_type
from scriptc.check.context import Context
from scriptc.check.early_calls import asks_for_attribute
from scriptc.check.generics import origin_of
from scriptc.check.known_attributes import Attribute, attributes_of
from scriptc.check.members import find_member
from scriptc.check.scopes import plain_function, walk
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import ClassType
from scriptc_runtime.unions import members_of

# What is copied into each arm has at most so many nodes.
_MOST_COPIED = 80
# What an arm does with the attribute, or with the default.
_Finish = Callable[[n.Expression], n.Body]
_MATCH, _GOT = "isinstance@match", "got"


def check_computed(context: Context, node: n.Call, function: str, type_: ClassType) -> Typed:
    """Check `getattr(x, name)`, `hasattr` and `setattr` with a computed name."""
    maker = _Maker(context, node, type_)
    make = {"getattr": maker.value, "hasattr": maker.has, "setattr": maker.store}[function]
    return _checked(context, node, maker, lambda: make())


def check_called(context: Context, node: n.Call) -> Typed | None:
    """Check `getattr(x, name)(...)` with a computed name; None for any other call."""
    assert isinstance(node.func, n.Call)
    maker = _maker(context, node.func)
    return maker and _checked(context, node, maker, lambda: maker.called(node))


def check_assigned(context: Context, node: n.Assign) -> bool:
    """Check `f = getattr(x, name)` with a computed name where f is called; whether it is that."""
    target, *others = node.targets
    if others or not isinstance(target, n.Name) or not _is_called(context, target.id):
        return False
    assert isinstance(node.value, n.Call)
    maker = _maker(context, node.value)
    if maker is None:
        return False
    known = _block(context, node, maker, lambda: maker.assigned(node, target))
    _forget(context, known)
    context.facts.silent.discard(node)
    context.facts.expanded[node] = known
    return True


def _maker(context: Context, node: n.Call) -> "_Maker | None":
    """Return what writes down the arms of a call of `getattr` with a computed name."""
    assert isinstance(node.func, n.Name)
    place, name, *_ = node.args
    if node.keywords or isinstance(place, n.Starred) or not _is_getattr(context, node.func):
        return None
    if context.constructs is not None and isinstance(place, n.Name) and place.id == context.owner:
        return None  # there is no object yet
    value = context.expression(place)
    if not isinstance(value, Typed) or not isinstance(value.type, ClassType):
        return None
    found = context.expression(name)
    is_known = isinstance(found, Typed) and found.known is not None
    return None if is_known else _Maker(context, node, value.type)


def _is_getattr(context: Context, func: n.Name) -> bool:
    if func.id in context.locals:
        return False
    found = context.expression(func)
    return isinstance(found, Static) and found.value is getattr


def _is_called(context: Context, name: str) -> bool:
    """Whether a function calls what a variable holds."""
    return bool(context.definition and _calls_of(context.definition.body, name))


def _calls_of(body: n.Body, name: str) -> list[n.Call]:
    """Return the calls of what a variable holds."""
    calls = (part for part in walk(body) if isinstance(part, n.Call))
    return [c for c in calls if isinstance(c.func, n.Name) and c.func.id == name]


def _shape(call: n.Call) -> tuple[int, tuple[str, ...]] | None:
    """Return how many arguments a call gives, and which by name; None where stars say that."""
    names = tuple(keyword.arg or "" for keyword in call.keywords)
    has_stars = "" in names or any(isinstance(arg, n.Starred) for arg in call.args)
    return None if has_stars else (len(call.args), names)


def _asks_again(node: n.Node) -> bool:
    return isinstance(node, n.Expression) and asks_for_attribute(node)


def _checked(
    context: Context, node: n.Expression, maker: "_Maker", make: Callable[[], Expansion]
) -> Typed:
    known = _block(context, node, maker, make)
    if context.env is None:
        raise context.hidden_result(node)
    value = context.typed(known.value)
    _forget(context, known)
    context.facts.expanded[node] = known
    context.facts.types[node] = value.type
    return value


def _block(
    context: Context, node: n.Node, maker: "_Maker", make: Callable[[], Expansion]
) -> Expansion:
    key = node, maker.key
    known = context.learned.choices.get(key)
    if known is None:
        known = context.learned.choices[key] = make()
    context.locals |= known.names | maker.live.keys()
    assert context.env is not None
    for name, live in maker.live.items():
        context.env[name] = Fixed(Static(live, context.span(node)))
    for name in known.names:
        if name.startswith(_GOT):
            context.learned.cells.setdefault(name, None)  # as what any `try` assigns
    context.block(known.body)
    return known


def _forget(context: Context, known: Expansion) -> None:
    """Forget the names of an expansion."""
    for name in known.names:
        (context.reached() or {}).pop(name, None)


class _Maker:
    """Writes down the arms of one use of a computed name."""

    def __init__(self, context: Context, node: n.Call, type_: ClassType) -> None:
        self._context = context
        self._node = node
        self._at = f"{node.lo}:{node.hi}"
        possible = context.possible_classes(node, type_.name)
        # A class stands behind those that inherit from it.
        self._possible = sorted(possible, key=lambda live: -len(live.__mro__))
        self._attributes = {live: attributes_of(context, live) for live in self._possible}
        self._pattern = name_pattern(context, node.args[1])
        self._subjects = _classes_of(context, self._pattern)
        classes = dict.fromkeys((*self._possible, *(self._subjects or ())))
        self._class_names = {live: f"class@{i}:{self._at}" for i, live in enumerate(classes)}
        self.live: dict[str, object] = {
            _MATCH: isinstance,
            **{f"{raised.__name__}@{self._at}": raised for raised in (AttributeError, TypeError)},
            **{name: live for live, name in self._class_names.items()},
        }
        # How what is found is called, and what an arm does where that does not fit.
        self._call: n.Call | None = None
        self._unfitting: Callable[[str, _Finish], n.Body] = lambda said, _: self._raise(
            "TypeError", (said,)
        )
        self._names = set(self.live) - {_MATCH}
        self._first: list[n.Statement] = []

    @property
    def key(self) -> tuple[str, ...]:
        """What tells the arms apart from those that another pass needs."""
        found = (
            f"{name}{a.is_function}"
            for each in self._attributes.values()
            for name, a in each.items()
        )
        pattern = self._pattern
        ends = pattern.start, pattern.end, str(pattern.whole)
        return (*ends, *(str(live) for live in self.live.values()), *found)

    # ------------------------------------------------------------- what arms are made for

    def value(self) -> Expansion:
        """Return what `getattr(x, name)` is short for."""
        result = self._new("result")
        body = self._arms(
            lambda value: (self._assign(result, value),), functions=self._has_ends, values=True
        )
        return self._expansion(body, self._name(result))

    def called(self, call: n.Call) -> Expansion:
        """Return what `getattr(x, name)(...)` is short for."""
        self._call = call
        result = self._new("result")
        given: list[tuple[n.Expression, ...]] = []

        def finish(value: n.Expression) -> n.Body:
            args = tuple(copied(arg, {}, 0) for arg in given[0])
            named = zip(call.keywords, given[1], strict=True)
            keywords = (n.keyword(k.lo, k.hi, k.arg, copied(v, {}, 0)) for k, v in named)
            made = n.Call(call.lo, call.hi, value, args, tuple(keywords))
            return (self._assign(result, made),)

        def arguments() -> None:
            given.append(tuple(map(self._argument, call.args)))
            given.append(tuple(self._argument(k.value) for k in call.keywords))

        body = self._arms(finish, functions=True, values=False, then=arguments)
        return self._expansion(body, self._name(result))

    def assigned(self, node: n.Assign, target: n.Name) -> Expansion:
        """Return what `f = getattr(x, name)` is short for, with a few lines that follow."""
        rest = tuple(following(self._context, node) or ())
        parts = list(walk(rest))
        is_short = len(parts) <= _MOST_COPIED and not any(map(_asks_again, parts))
        if not (rest and is_short and isinstance(rest[-1], n.Return | n.Raise | n.Continue)):
            rest = ()
        definition = self._context.definition
        calls = _calls_of(definition.body, target.id) if definition else []
        self._call = calls[0] if len({_shape(call) for call in calls}) == 1 else None
        self._unfitting = self._raising_function

        def finish(value: n.Expression) -> n.Body:
            lines = (copied(statement, {}, 0) for statement in rest)
            return self._assign(target.id, value), *lines

        body = self._arms(finish, functions=True, values=self._has_ends)
        return self._expansion(body, n.Constant(node.lo, node.hi, None, None))

    def has(self) -> Expansion:
        """Return what `hasattr(x, name)` is short for."""
        result = self._new("result")
        owner, name = self._once(self._node.args[0], "object"), self._computed_name()
        no = (self._assign(result, self._constant(False)),)

        def finish(value: n.Expression) -> n.Body:
            assert isinstance(value, n.Attribute)
            found = [each[value.attr] for each in self._attributes.values() if value.attr in each]
            if any(a.is_property or a.is_late for a in found):
                return self._read(value, result)
            return (self._assign(result, self._constant(True)),)

        arms = (
            (self._named(name, attr), self._by_owner(owner, attr, finish, no))
            for attr in self._fitting(lambda _: True)
        )
        return self._expansion(self._chain(arms, no), self._name(result))

    def store(self) -> Expansion:
        """Return what `setattr(x, name, value)` is short for."""
        owner, name = self._once(self._node.args[0], "object"), self._computed_name()
        value = self._once(self._node.args[2], "value")
        none = self._lacking(owner, name)

        def finish(target: n.Expression) -> n.Body:
            return (n.Assign(*self._span, (target,), value()),)

        arms = [
            (self._named(name, attr), self._by_owner(owner, attr, finish, none))
            for attr in self._fitting(lambda attribute: attribute.is_stored)
        ]
        for attr in self._fitting(lambda attribute: attribute.is_read):
            of = self._class_name(owner())
            said = (f"property {attr!r} of '", of, "' object has no setter")
            arms.append((self._named(name, attr), self._raise("AttributeError", said)))
        return self._expansion(self._chain(arms, none), n.Constant(*self._span, None, None))

    def _expansion(self, body: n.Body, value: n.Expression) -> Expansion:
        return Expansion((*self._first, *body), value, frozenset(self._names))

    # ------------------------------------------------------------------------------------- the arms

    def _arms(
        self,
        finish: _Finish,
        *,
        functions: bool,
        values: bool,
        then: Callable[[], None] = lambda: None,
    ) -> n.Body:
        """Return the tests of the name, and what follows on each attribute.

        Where `functions` are not meant, or `values`, the run raises TypeError for them. What is
        computed `then` is an argument of what the attribute is.
        """
        owner = self._once(self._node.args[0], "object")
        of_classes = self._subjects is not None
        # A text that only says the class is not made unless a message has it.
        name = (lambda: copied(self._node.args[1], {}, 0)) if of_classes else self._computed_name()
        given = self._node.args[2:]
        default = self._once(given[0], "default") if given else None
        then()
        lacking = self._lacking(owner, name) if default is None else finish(default())

        def follow(attr: str) -> n.Body:
            found = [each[attr] for each in self._attributes.values() if attr in each]
            if not found:
                return lacking
            if not functions and any(a.is_function for a in found):
                return self._raise(
                    "TypeError",
                    (
                        f"{attr!r} is a method, and the attributes "
                        "that are asked for by a computed name are values here",
                    ),
                )
            if not values and not any(a.is_function for a in found):
                return self._not_callable(n.Attribute(*self._span, owner(), attr))
            if default is None or not any(a.is_property or a.is_late for a in found):
                return self._by_owner(owner, attr, finish, lacking)
            other = default
            return self._by_owner(owner, attr, lambda v: self._tried(v, other, finish), lacking)

        if self._subjects is not None:
            subject = self._pattern.subject
            assert subject is not None
            names = (
                (live, self._pattern.of_class(origin_of(live).__name__)) for live in self._subjects
            )
            arms = [(self._is_of(subject, live), follow(attr)) for live, attr in names]
        else:
            arms = [
                (self._named(name, attr), follow(attr)) for attr in self._fitting(lambda _: True)
            ]
        return self._chain(arms, lacking)

    def _by_owner(
        self, owner: Callable[[], n.Name], attr: str, finish: _Finish, lacking: n.Body
    ) -> n.Body:
        """Return what follows on an attribute, which only some classes of the object may have."""
        found = [
            (attr in self._attributes[live], self._misfit(live, attr)) for live in self._possible
        ]
        if not any(has for has, _ in found):
            return lacking

        def do(has: bool, said: str | None) -> n.Body:
            if not has:
                return lacking
            value = n.Attribute(*self._span, owner(), attr)
            return finish(value) if said is None else self._unfitting(said, finish)

        if len(set(found)) == 1:
            return do(*found[0])
        arms = [
            (self._is_of(owner(), live), do(*each))
            for live, each in zip(self._possible, found, strict=True)
        ]
        return self._chain(arms, lacking)

    def _misfit(self, live: type, attr: str) -> str | None:
        """Return what Python says of a method whose parameters the call does not fit."""
        member = find_member(live, attr)
        function = member and plain_function(getattr(member.value, "__func__", member.value))
        shape = self._call and _shape(self._call)
        if member is None or function is None or shape is None:
            return None
        own = () if isinstance(member.value, staticmethod) else (None,)
        args, kwargs = (*own, *(None,) * shape[0]), dict.fromkeys(shape[1])
        signature = inspect.signature(function)
        try:
            signature.bind(*args, **kwargs)
        except TypeError:
            parameters = list(signature.parameters.values())
            return str(call_error(function.__qualname__, parameters, args, kwargs))
        return None

    def _raising_function(self, said: str, finish: _Finish) -> n.Body:
        """Return an arm with a function that raises when it is called, whatever it is given."""
        lo, hi = self._span
        name = self._new("misfit").replace("@", "_").replace(":", "_")
        self._names.add(name)
        rest, named = n.arg(lo, hi, "args", None), n.arg(lo, hi, "kwargs", None)
        parameters = n.arguments(lo, hi, (), (), rest, (), (), named, ())
        body = self._raise("TypeError", (said,))
        function = n.FunctionDef(lo, hi, name, parameters, body, (), None, (), False)
        return function, *finish(self._name(name))

    def _chain(self, arms: Iterable[tuple[n.Expression, n.Body]], otherwise: n.Body) -> n.Body:
        """Return tests one after the other; what several arms do is another copy in each."""
        found = tuple(copied(statement, {}, 0) for statement in otherwise)
        for test, body in reversed(list(arms)):
            own = tuple(copied(statement, {}, 0) for statement in body)
            found = (n.If(*self._span, test, own, found),)
        return found

    def _tried(
        self, value: n.Expression, default: Callable[[], n.Expression], finish: _Finish
    ) -> n.Body:
        """Return an arm with the default where reading the attribute raises AttributeError."""
        got = self._new(_GOT)
        none = (self._assign(got, default()),)
        return self._unless_lacking((self._assign(got, value),), none), *finish(self._name(got))

    def _read(self, value: n.Attribute, result: str) -> n.Body:
        """Return statements that tell whether reading an attribute raises no AttributeError."""
        got = self._new(_GOT)
        yes = n.Expr(*self._span, value), self._assign(got, self._constant(True))
        no = (self._assign(got, self._constant(False)),)
        return self._unless_lacking(yes, no), self._assign(result, self._name(got))

    def _unless_lacking(self, body: n.Body, otherwise: n.Body) -> n.Statement:
        lo, hi = self._span
        raised = n.Name(lo, hi, f"AttributeError@{self._at}")
        handler = n.ExceptHandler(lo, hi, raised, None, otherwise)
        return n.Try(lo, hi, body, (handler,), (), (), False)

    def _lacking(self, owner: Callable[[], n.Name], name: Callable[[], n.Expression]) -> n.Body:
        of = self._class_name(owner())
        return self._raise("AttributeError", ("'", of, "' object has no attribute '", name(), "'"))

    def _not_callable(self, value: n.Expression) -> n.Body:
        return self._raise("TypeError", ("'", self._class_name(value), "' object is not callable"))

    def _class_name(self, value: n.Expression) -> n.Expression:
        return n.Attribute(*self._span, n.Attribute(*self._span, value, "__class__"), "__name__")

    def _raise(self, name: str, parts: Sequence[str | n.Expression]) -> n.Body:
        lo, hi = self._span
        values = (
            n.Constant(lo, hi, part, None)
            if isinstance(part, str)
            else n.FormattedValue(lo, hi, part, -1, None)
            for part in parts
        )
        text = n.JoinedStr(lo, hi, tuple(values))
        made = n.Call(lo, hi, n.Name(lo, hi, f"{name}@{self._at}"), (text,), ())
        return (n.Raise(lo, hi, made, None),)

    # ------------------------------------------------------------------------------------ the parts

    @property
    def _span(self) -> tuple[int, int]:
        return self._node.lo, self._node.hi

    @property
    def _has_ends(self) -> bool:
        return bool(self._pattern.start or self._pattern.end or self._pattern.whole)

    def _fitting(self, is_meant: Callable[[Attribute], bool]) -> list[str]:
        """Return the names of the attributes that may be asked for."""
        found: dict[str, None] = {}
        for each in self._attributes.values():
            names = (name for name, attribute in each.items() if is_meant(attribute))
            found |= dict.fromkeys(filter(self._pattern.fits, names))
        return list(found)

    def _computed_name(self) -> Callable[[], n.Name]:
        return self._once(self._node.args[1], "name")

    def _named(self, name: Callable[[], n.Expression], attr: str) -> n.Expression:
        return n.Compare(*self._span, name(), ("==",), (n.Constant(*self._span, attr, None),))

    def _is_of(self, place: n.Name, live: type) -> n.Expression:
        place = n.Name(place.lo, place.hi, place.id)
        if live is type(None):
            none = n.Constant(*self._span, None, None)
            return n.Compare(*self._span, place, ("is",), (none,))
        cls = self._name(self._class_names[live])
        return n.Call(*self._span, self._name(_MATCH), (place, cls), ())

    def _once(self, value: n.Expression, kind: str) -> Callable[[], n.Name]:
        """Return what makes mentions of a value that is computed once, where it stands."""
        if isinstance(value, n.Name) and value.id not in self._context.shared:
            return lambda: n.Name(value.lo, value.hi, value.id)
        name = self._new(kind)
        self._first.append(self._assign(name, value))
        return lambda: n.Name(value.lo, value.hi, name)

    def _argument(self, value: n.Expression) -> n.Expression:
        if isinstance(value, n.Constant | n.Lambda):
            return value
        if isinstance(value, n.Starred):
            return n.Starred(value.lo, value.hi, self._argument(value.value))
        return self._once(value, "argument")()

    def _new(self, kind: str) -> str:
        name = f"{kind}@{len(self._names)}:{self._at}"
        self._names.add(name)
        return name

    def _constant(self, value: bool) -> n.Constant:
        return n.Constant(*self._span, value, None)

    def _name(self, name: str) -> n.Name:
        return n.Name(*self._span, name)

    def _assign(self, name: str, value: n.Expression) -> n.Statement:
        return n.Assign(*self._span, (self._name(name),), value)


def _classes_of(context: Context, pattern: NamePattern) -> Sequence[type] | None:
    """Return the classes that the variable may be of whose class a name is made of."""
    if pattern.subject is None:
        return None
    value = context.expression(pattern.subject)
    found: dict[type, None] = {}
    for member in members_of(value.type) if isinstance(value, Typed) else ():
        if isinstance(member, ClassType):
            found |= dict.fromkeys(context.possible_classes(pattern.subject, member.name))
        elif live := class_of_type(member):
            found[live] = None
        else:
            return None
    return sorted(found, key=lambda live: -len(live.__mro__)) or None
