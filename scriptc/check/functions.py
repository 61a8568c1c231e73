"""One function with given parameter types: passes over its body until all types are known."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import FunctionType
from typing import Final, NoReturn, Protocol

from scriptc.check import (
    annotations,
    conditions,
    function_tables,
    function_values,
    kept_values,
    operators,
)
from scriptc.check.bindings import (
    Environment,
    Fixed,
    Kept,
    Known,
    Static,
    Typed,
    forget_paths,
    merge,
)
from scriptc.check.borrowed_lists import lent, note_parts
from scriptc.check.cells import take_cells
from scriptc.check.checked import CheckedClass, Computation, Constants, Invoke, Specialisation
from scriptc.check.closures import Closure, Knot, knotted, variables_of
from scriptc.check.context import Context, UnknownTypeError, Value
from scriptc.check.desugar import declined, exception_inits, shape_targets
from scriptc.check.empty_displays import Closing, refuse_empty
from scriptc.check.expressions import check_expression
from scriptc.check.field_writes import FieldWrites
from scriptc.check.flow import Condition
from scriptc.check.function_classes import FunctionClasses, FunctionValue
from scriptc.check.generator_classes import GeneratorClass
from scriptc.check.generators import GeneratorClasses
from scriptc.check.hints import names_in
from scriptc.check.joined_displays import widened
from scriptc.check.learned import Learned
from scriptc.check.library.standard import is_standard
from scriptc.check.list_uses import ListUses
from scriptc.check.member_choices import by_types
from scriptc.check.members import exception_base
from scriptc.check.narrowed_items import paths_written
from scriptc.check.open_parameters import opened, told_of
from scriptc.check.open_types import is_open
from scriptc.check.outside_types import OutsideTypes
from scriptc.check.parameters import classes_named
from scriptc.check.python import containers
from scriptc.check.python import text as python_text
from scriptc.check.python.lists import operators as sequence_operators
from scriptc.check.rounds import Rounds
from scriptc.check.scopes import free_names, local_names, parameters
from scriptc.check.signatures import Signature
from scriptc.check.size_names import size_names
from scriptc.check.statements import assign_target, check_block
from scriptc.check.told_fields import fields_at_end, refuse_open_fields
from scriptc.check.told_results import refuse_open_results
from scriptc.check.whole_types import with_bigints
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import Diagnostic, Source, Span, TypeCheckError
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BIGINT,
    NONE,
    Container,
    NamedType,
    OptionalType,
    Type,
)


class Program(Protocol):
    """What a function asks of the program around it."""

    bigint: bool
    function_classes: FunctionClasses
    generators: GeneratorClasses
    field_writes: FieldWrites
    outside: OutsideTypes
    rounds: Rounds

    def call(
        self,
        context: Context,
        node: n.Node,
        function: FunctionType,
        arguments: Sequence[Computation],
        owner: type | None,
        names: tuple[str, ...] | None = None,
        fixed: tuple[tuple[str, object], ...] = (),
        constants: Constants = (),
    ) -> Invoke:
        """Check a call of a live function and return it."""
        ...

    def is_root(self, key: Specialisation) -> bool:
        """Whether Python calls a function."""
        ...

    def nested(self, context: Context, node: n.FunctionDef | n.Lambda) -> FunctionType:
        """Return the function that a definition inside of another one stands for."""
        ...

    def parsed(self, function: FunctionType) -> tuple[Source, n.FunctionDef]:
        """Return the definition of a function, and the text it stands in."""
        ...

    def uses_of_lists(self, callee: Specialisation) -> ListUses:
        """Return what a function does with list parameters."""
        ...

    def told_by(
        self,
        context: Context,
        node: n.Node,
        function: FunctionType,
        arguments: Sequence[Computation],
        owner: type | None,
        names: tuple[str, ...] | None,
        fixed: tuple[tuple[str, object], ...],
        constants: Constants,
    ) -> ListUses:
        """Return what a function puts into lists that do not say yet what they hold."""
        ...

    def signature(self, function: FunctionType, owner: type | None) -> Signature:
        """Return the parameters of a live function."""
        ...

    def class_named(self, name: str) -> CheckedClass:
        """Return the class that a class type names."""
        ...

    def tell_field(self, owner: str, name: str, value: Typed, *, may_unite: bool) -> bool:
        """Say what a field of a class holds, too; return whether a union would hold it."""
        ...

    def is_being_checked(self, live: FunctionType | None) -> bool:
        """Whether a function is checked now, or waits for one that is."""
        ...

    def is_settled(self) -> bool:
        """Whether no function further out waits for its own result."""
        ...

    @property
    def fields_are_outdated(self) -> bool:
        """Whether fields have other types in the next check of the program."""
        ...

    def class_of(self, context: Context, live: type, node: n.Node) -> CheckedClass:
        """Declare a live class."""
        ...

    def possible_classes(self, name: str) -> Sequence[type]:
        """Return the classes of which the program makes objects, of those that a type names."""
        ...

    def note_objects(self, live: type, span: Span) -> None:
        """Declare a class of which the program makes objects."""

    def declare_class(self, live: type, span: Span | None) -> None:
        """Declare a live class, or an enumeration or a class of named tuples."""

    def named_class(self, type_: NamedType) -> type:
        """Return the class that a type names."""
        ...

    def depend(self, kind: str, name: str, value: object) -> None:
        """Note something outside that the result depends on."""
        ...


class FunctionPass(Context):
    """One pass: types every statement with what earlier passes learned."""

    def __init__(
        self,
        program: Program,
        source: Source,
        node: n.FunctionDef,
        key: Specialisation,
        signature: Signature,
        learned: Learned,
        generator: GeneratorClass | None = None,
    ) -> None:
        super().__init__(source, key.function, learned)
        self.generator = generator
        self._program, self.outside, self.rounds = program, program.outside, program.rounds
        if program.bigint and not is_standard(key.function):
            self.whole = BIGINT
        self._node = self.definition = node
        self._key = key
        self._signature = signature
        self.declared_result = signature.result if generator is None else None
        self.size_names = size_names(key.types)
        self.is_root = program.is_root(key)
        self._opened: list[tuple[str, Typed]] = []  # parameters that are told here what they hold
        self.field_ends: list[tuple[dict[str, Typed], n.Node]] = []
        self.env_at_end: Environment | None = None  # of a constructor

    def construct(
        self,
        owner: type,
        fields: Mapping[str, Type],
        inferred: Mapping[str, Type],
        names: Sequence[str],
    ) -> None:
        """Say that the function is the `__init__` of `owner`, with its known field types."""
        self.constructs = owner
        self.owner = self._signature.names[0]
        self.field_types = fields
        self.inferred_fields = inferred
        self.locals = frozenset(f"{self.owner}.{name}" for name in names)
        self.declared_result = None

    def run(self) -> None:
        """Check the body."""
        self.locals |= local_names(self._node)
        names = self._signature.names[1:] if self.constructs else self._signature.names
        if self._key.names is not None:
            names = self._key.names
            self.held = frozenset(names) - frozenset(self._signature.names)
        spans = {a.arg: a for a in parameters(self._node.args)}
        assert self.env is not None
        self.locals |= frozenset(names) | {name for name, _ in self._key.fixed}
        take_cells(self, self._node, names, self._key.types)
        self._bind_parameters(names, spans)
        own = self._signature.names
        for name, value in self._key.fixed:
            if isinstance(value, Knot):
                value = knotted(value, self._key, own, self._node.name, self.function)
            self.env[name] = Fixed(Static(value, self.span(spans.get(name, _head(self._node)))))
        if self.constructs and (builtin := exception_base(self.constructs)):
            self.locals |= {exception_inits.BASE}
            self.env[exception_inits.BASE] = Fixed(Static(builtin, self.span(_head(self._node))))
        if self._signature.is_nested:
            self._bind_itself(names)
        if self.learned.tables:
            function_tables.make_tables(self)
        self.block(self._node.body)
        self._require_own_shapes()
        if self.reached() is not None:
            with suppress(UnknownTypeError):
                self.end(Typed(NONE, self.span(self._node.body[-1]), (None,)), self._node)
            self.env = None

    def _bind_parameters(self, names: Sequence[str], spans: Mapping[str, n.arg]) -> None:
        assert self.env is not None
        constants = dict(self._key.constants)
        for name, type_ in zip(names, self._key.types, strict=True):
            if name in self.given_cells:
                continue
            at = spans.get(name, _head(self._node))
            self.require_bounds(at, type_)
            note_parts(self, at, name, type_)
            known = Known(constants[name]) if name in constants else None
            value = Typed(type_, self.span(at), known=known, borrowed=lent(self, name, type_))
            if is_open(type_):
                value = opened(self, name, at, value)
                self._opened.append((name, value))
            if name in self.learned.cells:
                self.assign(n.Name(at.lo, at.hi, name), value)
            else:
                self.env[name] = replace(value, unites=name in self.learned.unions)

    @property
    def uses(self) -> ListUses:
        """What the function does with lists and cells that it is given."""
        stored = tuple((name, replace(v, known=None)) for name, v in self.stored.items())
        told, given = told_of(self, self._opened), self.given_lists
        kept, placed = tuple(given.kept.items()), tuple(given.placed)
        return ListUses(frozenset(given.written), given.lends, stored, kept, told, placed)

    @property
    def waits_for_itself(self) -> bool:
        """Whether nothing but results that are still being found out is missing."""
        return not self.problems and self.hidden.issuperset(self.unknown)

    def _bind_itself(self, names: Sequence[str]) -> None:
        """Let a nested function call itself."""
        name = self._node.name
        if name in self.locals or name not in free_names(self._node):
            return
        own = frozenset(self._signature.names)
        free = free_names(self._node)
        if any(isinstance(value, Knot) for _, value in self._key.fixed):
            # For those it calls, too.
            free = {*variables_of(self._key), *(name for name, _ in self._key.fixed)}
        held = tuple((v, v) for v in names if v in free and v not in own)
        fixed = tuple((v, value) for v, value in self._key.fixed if v in free and v not in own)
        assert self.env is not None
        self.locals |= {name}
        itself = Closure(self.function, held, fixed)
        self.env[name] = Fixed(Static(itself, self.span(_head(self._node))))

    def _require_own_shapes(self) -> None:
        if not self.shaped:
            return
        try:
            shape_targets.require_own(self)
        except TypeCheckError as error:
            self.problems += error.diagnostics

    def end(self, value: Typed, node: n.Node) -> None:
        """Note a way out of the function."""
        if self.constructs is None:
            self._refuse_missing(value, node)
            self.returns.append((value, node))
            return
        if node is self._node:
            self.env_at_end = self.env
        self.field_ends.append((fields_at_end(self, node, _head(node)), node))

    def _refuse_missing(self, value: Typed, node: n.Node) -> None:
        declared = self.declared_result
        if node is not self._node or declared is None or value.type is not NONE or self.problems:
            return
        # Falling off the end gives None, as `return` does.
        if declared is NONE or isinstance(declared, OptionalType):
            return
        self.fail(
            "result",
            f"the function may end without a result, but declares {declared}",
            _head(node),
            why="its last statement can be reached and passed",
            instead="return a value on every path, or declare the result `| None`",
        )

    def merged_result(self) -> Typed | None:
        """Return what all ways out have in common, None where none is known yet."""
        if self.declines:
            declined.decline(self, self._key.types)
        merged: Typed | None = None
        for value, node in self.returns:
            if merged is None:
                merged = value
                continue
            found = merge(merged, value) or self.unite(*(v for v, _ in self.returns))
            if found is None:
                self.refuse_merge(
                    f"the function returns {value.type} here and {merged.type} elsewhere",
                    _head(node),
                    merged,
                    value,
                    why="a function has one result type",
                )
            merged = found
        if merged is not None:
            for empty in self.empty_returns:
                self.learn_items(empty, merged)
        return merged

    def expression(self, node: n.Expression, expected: Type | None = None) -> Value:
        """Check an expression and record its facts."""
        return widened(self, node, check_expression(self, node, expected))

    def condition(self, node: n.Expression) -> Condition:
        """Check a test."""
        return conditions.check_condition(self, node)

    def block(self, body: n.Body) -> None:
        """Check statements in the current environment."""
        check_block(self, body)

    def assign(self, target: n.Expression, value: Typed) -> None:
        """Check that `target` can take `value`, and bind it."""
        assign_target(self, target, value)

    def compared(
        self, at: n.Node, symbol: str, left: operators.Side, right: operators.Side
    ) -> Computation:
        """Return a comparison of two values of whatever types."""
        if (known := by_types(symbol, left[1].type, right[1].type)) is not None:
            return known
        if isinstance(right[0].type, Container):
            return containers.comparison(self, at, symbol, left, right)
        found = sequence_operators.comparison(self, at, symbol, left, right)
        return found or operators.comparison(self, at, symbol, left, right)

    def text(self, at: n.Node, value: Computation, conversion: str) -> Computation:
        """Return a value as text."""
        return python_text.format_value(self, at, value, conversion=conversion)

    def function_object(self, node: n.Node, static: Static) -> Typed | None:
        """Return a function as an object; None for what no function is."""
        return function_values.made(self, node, static)

    def function_class(
        self, target: object, captured: Mapping[str, Type], is_method: bool
    ) -> FunctionValue:
        """Return the class for a function with what it captured."""
        return self._program.function_classes.value_of(target, captured, is_method)

    def library_class(self, live: type, fields: Mapping[str, Type]) -> None:
        """Note that the program has objects of a class of the library."""
        self._program.function_classes.declare(live, fields)

    def function_called(self, name: str) -> FunctionValue | None:
        """Return what the objects of a class stand for, if they are functions."""
        return self._program.function_classes.find(name)

    def generator_class(self, name: str) -> GeneratorClass | None:
        """Return the generators that are objects of a class, if they are generators."""
        return self._program.generators.find(name)

    def kept_value(self, node: n.Expression, kept: Kept) -> Typed:
        """Return the arguments of `**kwargs` as a dict, or a slice as a value."""
        return kept_values.as_value(self, node, kept)

    def call(
        self,
        node: n.Node,
        function: FunctionType,
        arguments: Sequence[Computation],
        owner: type | None = None,
        names: tuple[str, ...] | None = None,
        fixed: tuple[tuple[str, object], ...] = (),
        constants: Constants = (),
    ) -> Invoke:
        """Check a call with one argument for each parameter."""
        call = self._program.call
        result = call(self, node, function, arguments, owner, names, fixed, constants)
        self.callees[result.callee] = None
        if self.env is not None:
            # The callee may write to fields, and to variables that are shared with it.
            fields = self._program.field_writes.of(result.callee)
            self.env = forget_paths(self.env, paths_written(function, fields, arguments, fixed))
            for name in self.shared:
                self.env.pop(name, None)
        return result

    def nested(self, node: n.FunctionDef | n.Lambda) -> FunctionType:
        """Return the function that a definition inside of this one stands for."""
        return self._program.nested(self, node)

    def syntax_of(self, function: FunctionType) -> tuple[Source, n.FunctionDef]:
        """Return the definition of a function, and the text it stands in."""
        return self._program.parsed(function)

    def told_by(
        self,
        node: n.Node,
        function: FunctionType,
        arguments: Sequence[Computation],
        owner: type | None,
        names: tuple[str, ...] | None,
        fixed: tuple[tuple[str, object], ...],
        constants: Constants,
    ) -> ListUses:
        """Return what a function puts into lists that do not say yet what they hold."""
        told = self._program.told_by
        return told(self, node, function, arguments, owner, names, fixed, constants)

    def uses_of_lists(self, callee: Specialisation) -> ListUses:
        """Return what a function does with list parameters."""
        return self._program.uses_of_lists(callee)

    def signature(self, function: FunctionType, owner: type | None = None) -> Signature:
        """Return the parameters of a live function."""
        return self._program.signature(function, owner)

    def class_named(self, name: str) -> CheckedClass:
        """Return the class that a class type names."""
        return self._program.class_named(name)

    def tell_field(self, owner: str, name: str, value: Typed) -> bool:
        """Say what a field holds, too; return whether a union would hold it."""
        return self._program.tell_field(owner, name, value, may_unite=self.learned.may_unite)

    def is_being_checked(self, live: FunctionType | None) -> bool:
        """Whether a function is this one, or one further out, which waits for it."""
        return live is self.function or self._program.is_being_checked(live)

    def is_settled(self) -> bool:
        """Whether no function waits for its own result."""
        return self._program.is_settled()

    @property
    def fields_are_outdated(self) -> bool:
        """Whether fields have other types in the next check of the program."""
        return self._program.fields_are_outdated

    def class_of(self, live: type, node: n.Node) -> CheckedClass:
        """Declare a live class."""
        return self._program.class_of(self, live, node)

    def possible_classes(self, at: n.Node, name: str) -> Sequence[type]:
        """Return the classes that a value of a class type may be of."""
        found = self._program.possible_classes(name)
        if not found:
            raise self.not_known_yet(at)
        return found

    def made_of(self, name: str = "") -> Sequence[type]:
        """Return the classes of which objects are made."""
        return self._program.possible_classes(name)

    def note_objects(self, live: type, node: n.Node) -> None:
        """Declare a class of which the program makes objects here."""
        self._program.note_objects(live, self.span(node))

    def named_class(self, type_: NamedType) -> type:
        """Return the enumeration, or the class of named tuples, that a type names."""
        return self._program.named_class(type_)

    def declare_named(self, live: type) -> None:
        """Note that there are values of an enumeration, or of a class of named tuples."""
        self._program.declare_class(live, None)

    def annotation(self, node: n.Expression) -> Type | None:
        """Return the type that an annotation inside the function declares, None for a hint."""
        look_up, span = names_in(self.function), self.span(node)
        written = annotations.evaluate(node, look_up, span)
        if written is Final:
            return None  # the value tells the type
        # A union is a hint, but where unions are needed anyway.
        type_ = annotations.annotated_type(written, look_up, span, unions=self.learned.may_unite)
        for live in classes_named(written, look_up) if type_ is not None else ():
            self._program.declare_class(live, span)
        return with_bigints(type_) if type_ and self.whole is BIGINT else type_

    def depend(self, kind: str, name: str, value: object) -> None:
        """Note that the result depends on `value`."""
        self._program.depend(kind, name, value)

    def refuse_unknown(self) -> None:
        """Refuse what no number of passes can type.  Raises TypeCheckError."""
        if self.problems:
            # One cause is told once: at the first of the places that stumble over it.
            causes = {(d.code, tuple(d.notes) or d.span): d for d in reversed(self.problems)}
            raise TypeCheckError(*sorted(causes.values(), key=_position))
        if self.learned.doubts:
            raise self.learned.doubts[0]
        refuse_open_fields(self)
        refuse_open_results(self)
        refuse_empty(self)
        for node in [*self.unknown, *self.skipped][:1]:
            if isinstance(node, n.Name) and self.learned.cells.get(node.id, NONE) is None:
                self.fail(
                    "unbound-variable",
                    f"{node.id!r} has no value here in the first iteration",
                    node,
                    why="all that is assigned to it is computed from itself",
                    instead="assign it before the loop",
                )
            self.fail(
                "recursion",
                "the type of this result depends on itself",
                node,
                why="every path of the function calls it again before a type is known",
                instead="annotate the result: def f(...) -> int",
            )

    def close_list(self, closing: Closing) -> bool:
        """Give a type to something into which nothing is put; return whether there was any."""
        # What others put in is not known of a function that is given lists that say nothing.
        return not self._opened and closing.goes_on(self)

    def refuse_growing(self, *, is_recursive: bool) -> None:
        """Refuse a function that calls itself and whose type has grown until it was too large."""
        if is_recursive and any(problem.code == "type-size" for problem in self.problems):
            self.refuse_changing()

    def refuse_changing(self) -> NoReturn:
        """Refuse what every pass types in another way.  Raises TypeCheckError."""
        self.fail(
            "recursion",
            "the types in this function have no end",
            _head(self._node),
            why="each time that it is checked, some type holds more than before",
            instead="annotate the result and the variables",
        )


def _position(diagnostic: Diagnostic) -> int:
    return diagnostic.span.lo if diagnostic.span else 0


def _head(node: n.Node) -> n.Node:
    """Return something to point at: the name line of a function is enough."""
    if isinstance(node, n.FunctionDef):
        # `def` and the name, not the whole body.
        return n.Name(node.lo, node.lo + len("def ") + len(node.name), node.name)
    return node
