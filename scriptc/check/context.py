"""What every part of the checker works with: the function, its variables, and how to refuse."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import NoReturn

from scriptc.check import meeting_lists, static_refusals, ways_to_merge
from scriptc.check.bindings import (
    Environment,
    Kept,
    LazyGenerator,
    ListKey,
    Static,
    Typed,
    merge,
    unite_all,
)
from scriptc.check.checked import (
    INLINED,
    Apply,
    Capture,
    CheckedClass,
    Computation,
    Constants,
    Convert,
    Facts,
    Invoke,
    Joined,
    Literal,
    Operand,
    Specialisation,
    Step,
)
from scriptc.check.flow import Condition, LoopFrame
from scriptc.check.function_classes import FunctionValue
from scriptc.check.generator_classes import GeneratorClass
from scriptc.check.learned import Learned
from scriptc.check.library.standard import is_library_file
from scriptc.check.list_uses import GivenLists, ListUses
from scriptc.check.open_types import UNTOLD, is_empty, is_open, key_of
from scriptc.check.outside_types import OutsideTypes
from scriptc.check.rounds import Rounds
from scriptc.check.scopes import parameters
from scriptc.check.signatures import Signature
from scriptc.check.whole_types import computed_with_bigints
from scriptc.syntax.nodes import Body, Call, Expression, FunctionDef, Lambda, Node
from scriptc_runtime.errors import Diagnostic, Note, Source, Span, TypeCheckError
from scriptc_runtime.ops.opdef import Attr, Attrs, OpDef, OpSizeError, OpTypeError
from scriptc_runtime.record import replace
from scriptc_runtime.recursive_types import out_of
from scriptc_runtime.type_limits import MAX_TYPE_DEPTH, excess_of
from scriptc_runtime.types import (
    BIGINT,
    FLOAT,
    INT,
    NONE,
    Container,
    DictType,
    DType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    SetType,
    Type,
    element_of,
    is_complex,
)

Value = Typed | Static

_EQUAL_SIZES = "make the sizes equal on every axis they share, or 1; x[:, None] adds an axis"
_OTHER_TYPES = "convert the operands to a type that it takes: x.astype(np.float64)"
_PARTS = "take what is meant of complex numbers: x.real, x.imag or abs(x)"
# Lowering puts cells and tuples around what the program has.
_DEEPEST_TYPE = MAX_TYPE_DEPTH - 3


class UnknownTypeError(Exception):
    """A type depends on what is not known yet, or on an error already reported."""


class NothingPutInError(UnknownTypeError):
    """Nothing is known yet to be in a list or container."""


class HiddenResultError(UnknownTypeError):
    """The result of a function that is still being checked further out is not known yet."""


class Declined(TypeCheckError):
    """A method returns NotImplemented for the types of its arguments."""

    declines = True


# A node in a part of a function that is checked for several types.
_At = tuple[Node, tuple[int, ...]]


class Context(ABC):
    """One pass over one function."""

    rounds: Rounds  # what is known of the program from earlier checks of it
    outside: OutsideTypes  # the types of what the program captures

    def __init__(self, source: Source, function: FunctionType, learned: Learned) -> None:
        self.source = source
        self.function = function
        self.learned = learned
        self.facts = Facts()
        self.env: Environment | None = {}
        self.locals: frozenset[str] = frozenset()
        self.loops: list[LoopFrame] = []
        # The variables before loops and at their heads, when these were checked last.
        self.settled_loops: dict[_At, tuple[Environment, Environment]] = {}
        # What comprehensions and the like gave, with what that may depend on.
        self.looped: dict[_At, tuple[tuple[Environment, Type | None, int], Typed, Facts]] = {}
        self.labels: dict[str, LoopFrame] = {}  # what is left through a label, while it is checked
        self.path: tuple[int, ...] = ()
        self.problems: list[Diagnostic] = []
        self.returns: list[tuple[Typed, Node]] = []
        # Places whose type this pass could not tell, and empty lists still without items.
        self.unknown: list[Node] = []
        self.skipped: dict[Node, None] = {}  # statements without types; none where all is well
        self.blocks = 0  # how many were checked
        # Displays into which nothing is put yet, and types that fit some, if nothing ever is.
        self.empty_lists: list[ListKey] = []
        self.fitting: dict[ListKey, Type] = {}
        self.hidden: set[Node] = set()
        self.empty_returns: list[Typed] = []
        # Results that do not say what they hold, as parameters that learn it: what was called, and
        # the empty type.
        self.open_results: dict[str, tuple[Specialisation, Type]] = {}
        self.declines: list[Node] = []  # where a method returns NotImplemented
        # What has been refused for each member of a union, too; and how many arms are open.
        self.judged: TypeCheckError | None = None
        self.arms_around = 1
        self.tolerates = 0  # loops for one of several types, and `try` for TypeErrors, around
        self.calling: Expression | None = None  # the method that is about to be called
        self.given_lists = GivenLists()
        # The variables that nested functions write to, here or further out. The cells of the latter
        # are parameters; what is put into them is noted.
        self.shared: frozenset[str] = frozenset()
        self.given_cells: Mapping[str, Type] = {}
        self.stored: dict[str, Typed] = {}
        # The parameters for variables further out that this function, or one it is passed, reads.
        self.held: frozenset[str] = frozenset()
        # Calls that make generators of which it is known when Python ends them, and sets of loops.
        self.ended: set[Node] = set()
        self.is_root = False  # whether Python calls the function
        self.whole: PyType = INT  # what its ints are: of 64 bits, or of any size
        # The handlers around, by the variable and the classes of each; none stand for all.
        self.handled: list[tuple[str | None, tuple[type, ...]]] = []
        # What operations have narrowed, by place: the variable, what it held before, and after.
        self.narrowed: dict[tuple[int, int] | Node, list[tuple[str, Typed, Typed]]] = {}
        self.refused: dict[Node, Sequence[Diagnostic]] = {}  # statements that raise instead
        self.writes_out = False  # the method of a dataclass, as `once` does it
        self.captures: dict[str, Capture] = {}
        # The names of the sizes of parameters, which no other size may have.
        self.size_names: frozenset[str] = frozenset()
        self.callees: dict[Specialisation, None] = {}
        # The class whose constructor this is, and what it calls the instance.
        self.constructs: type | None = None
        self.owner = ""
        self.field_types: Mapping[str, Type] = {}
        self.inferred_fields: Mapping[str, Type] = {}
        self.declared_result: Type | None = None
        self.definition: FunctionDef | None = None
        # The generators that the function gives, and what it yields.
        self.generator: GeneratorClass | None = None
        self.yields: list[tuple[Typed, Node]] = []
        self.empty_yields: list[Typed] = []
        # Shapes that are set, with the variables whose arrays they are.
        self.shaped: list[tuple[Node, str]] = []

    @abstractmethod
    def expression(self, node: Expression, expected: Type | None = None) -> Value:
        """Check an expression and record its facts."""

    @abstractmethod
    def condition(self, node: Expression) -> Condition:
        """Check a test; afterwards the caller sets `env` to one of its sides."""

    @abstractmethod
    def block(self, body: Body) -> None:
        """Check statements in the current environment."""

    @abstractmethod
    def compared(
        self,
        at: Node,
        symbol: str,
        left: tuple[Typed, Computation],
        right: tuple[Typed, Computation],
    ) -> Computation:
        """Return a comparison of two values of whatever types."""

    @abstractmethod
    def text(self, at: Node, value: Computation, conversion: str) -> Computation:
        """Return a value as text."""

    @abstractmethod
    def function_object(self, node: Node, static: Static) -> Typed | None:
        """Return a function as an object; None for what no function is."""

    @abstractmethod
    def function_class(
        self, target: object, captured: Mapping[str, Type], is_method: bool
    ) -> FunctionValue:
        """Return the class for a function with what it captured."""

    @abstractmethod
    def library_class(self, live: type, fields: Mapping[str, Type]) -> None:
        """Note that the program has objects of a class of the library."""

    @abstractmethod
    def function_called(self, name: str) -> FunctionValue | None:
        """Return what the objects of a class stand for, if they are functions."""

    @abstractmethod
    def generator_class(self, name: str) -> GeneratorClass | None:
        """Return the generators that are objects of a class, if they are generators."""

    @abstractmethod
    def kept_value(self, node: Expression, kept: Kept) -> Typed:
        """Return the arguments of `**kwargs` as a dict, or a slice as a value."""

    @abstractmethod
    def assign(self, target: Expression, value: Typed) -> None:
        """Check that `target` can take `value`, and bind it."""

    @abstractmethod
    def call(
        self,
        node: Node,
        function: FunctionType,
        arguments: Sequence[Computation],
        owner: type | None = None,
        names: tuple[str, ...] | None = None,
        fixed: tuple[tuple[str, object], ...] = (),
        constants: Constants = (),
    ) -> Invoke:
        """Check a call with one argument for each parameter.

        `owner` is the class whose constructor `function` is.  `names` and `fixed` are those of a
        specialisation, and `constants` too, where it needs them.
        """

    @abstractmethod
    def nested(self, node: FunctionDef | Lambda) -> FunctionType:
        """Return the function that a definition inside of this one stands for."""

    @abstractmethod
    def syntax_of(self, function: FunctionType) -> tuple[Source, FunctionDef]:
        """Return the definition of a function, and the text it stands in."""

    @abstractmethod
    def told_by(
        self,
        node: Node,
        function: FunctionType,
        arguments: Sequence[Computation],
        owner: type | None,
        names: tuple[str, ...] | None,
        fixed: tuple[tuple[str, object], ...],
        constants: Constants,
    ) -> ListUses:
        """Return what a function puts into lists that do not say yet what they hold."""

    @abstractmethod
    def uses_of_lists(self, callee: Specialisation) -> ListUses:
        """Return what a function does with list parameters."""

    @abstractmethod
    def signature(self, function: FunctionType, owner: type | None = None) -> Signature:
        """Return the parameters of a live function; `owner` is the class of a method."""

    @abstractmethod
    def class_named(self, name: str) -> CheckedClass:
        """Return the class that a class type names."""

    @abstractmethod
    def tell_field(self, owner: str, name: str, value: Typed) -> bool:
        """Say that a field, of which `__init__` does not say all, holds a value, too.

        The next check of the program knows it, unless the class or its objects outside say
        otherwise, or only a union would hold it, where there are none yet: returns whether that is
        so.
        """

    @abstractmethod
    def is_being_checked(self, live: FunctionType | None) -> bool:
        """Whether a function is this one, or one further out, which waits for it."""

    @abstractmethod
    def is_settled(self) -> bool:
        """Whether no function waits for its own result."""

    @property
    @abstractmethod
    def fields_are_outdated(self) -> bool:
        """Whether fields have other types in the next check, so that only that tells of results."""

    @abstractmethod
    def class_of(self, live: type, node: Node) -> CheckedClass:
        """Return what is known of a live class, declaring it if need be."""

    @abstractmethod
    def possible_classes(self, at: Node, name: str) -> Sequence[type]:
        """Return the classes that a value of a class type may be of, as the program makes objects.

        Raises UnknownTypeError where none is made yet.
        """

    @abstractmethod
    def made_of(self, name: str = "") -> Sequence[type]:
        """Return the classes of which objects are made: of one and those that inherit from it.

        Without a name, those of exceptions.
        """

    @abstractmethod
    def note_objects(self, live: type, node: Node) -> None:
        """Declare a class of which the program makes objects here."""

    @abstractmethod
    def named_class(self, type_: NamedType) -> type:
        """Return the enumeration, or the class of named tuples, that a type names."""

    @abstractmethod
    def declare_named(self, live: type) -> None:
        """Note that there are values of an enumeration, or of a class of named tuples."""

    @abstractmethod
    def end(self, value: Typed, node: Node) -> None:
        """Note that the function returns `value` here."""

    @abstractmethod
    def annotation(self, node: Expression) -> Type | None:
        """Return the type that an annotation inside the function declares, None for a hint."""

    @abstractmethod
    def depend(self, kind: str, name: str, value: object) -> None:
        """Note that the result depends on `value`."""

    def is_field(self, variable: str) -> bool:
        """Whether a variable is a field of the object that the function constructs."""
        return self.constructs is not None and variable.startswith(f"{self.owner}.")

    def reached(self) -> Environment | None:
        """Return the variables here, None where no run comes here."""
        return self.env

    def span(self, node: Node) -> Span:
        """Return where `node` stands."""
        if node.lo < INLINED:
            return Span(self.source, node.lo, node.hi)
        inlined = self.learned.inlined[node.lo // INLINED - 1]
        source = inlined.source
        if is_library_file(source.file):
            return self.span(Node(inlined.place, inlined.end))
        return Span(source, node.lo % INLINED, node.hi % INLINED)

    def fail(
        self,
        code: str,
        message: str,
        at: Node | Span,
        *,
        why: str = "",
        instead: str = "",
        notes: Sequence[Note] = (),
    ) -> NoReturn:
        """Refuse the program.  Raises TypeCheckError."""
        span = at if isinstance(at, Span) else self.span(at)
        raise TypeCheckError(Diagnostic(code, message, span, why, instead, tuple(notes)))

    def refuse_merge(
        self,
        message: str,
        at: Node | Span,
        first: Typed,
        second: Typed,
        *,
        why: str,
        instead: str = "",
        is_variable: bool = False,
    ) -> NoReturn:
        """Refuse that one thing is `first` or `second`, whose types do not merge."""
        if isinstance(at, Node) and meeting_lists.meet(self.learned, first, second):
            raise self.not_known_yet(at)
        if self.learned.may_unite:
            self.rounds.joins.tell(first.type, second.type)
        if not instead:
            ways = ["use another variable"] if is_variable else []
            if {first.type, second.type} in ({INT, FLOAT}, {INT, DType.F64}):
                whole = first if first.type is INT else second
                ways += [f"annotate the parameter, {name}: float" for name in self._given(whole)]
            instead = ", or ".join([*ways, ways_to_merge.way_to_merge(first.type, second.type)])
        why, instead = ways_to_merge.lost_literal(first, second) or (why, instead)
        notes = [Note(f"{value.type} comes from here", value.span) for value in (first, second)]
        self.fail("type-merge", message, at, why=why, instead=instead, notes=notes)

    def unite(self, *values: Typed) -> Typed | None:
        """Return what is known of a value that is one of several, as a union; None for none."""
        return unite_all(values) if self.learned.may_unite else None

    def merge_or_unite(self, known: Typed, value: Typed) -> Typed | None:
        """Return what is known of what holds `value` beside what it was known to hold.

        Where that takes a union, what is known begins anew with `value`: in the next pass literals
        that gave way to another type do not.
        """
        merged = merge(known, value)
        if merged is not None or not self.learned.may_unite:
            return merged
        whole: Typed | None = value
        if not self.unite(known, value):
            whole = meeting_lists.held_together(self.learned, known, value)
        return whole and replace(whole, literals=(), known=None, length=None, unites=True)

    def _given(self, value: Typed) -> Iterator[str]:
        """Yield the parameter that a value came in as, if it did."""
        for parameter in parameters(self.definition.args) if self.definition else ():
            if self.span(parameter) == value.span and parameter.annotation is None:
                yield parameter.arg

    def typed(self, node: Expression, expected: Type | None = None) -> Typed:
        """Check an expression that must be a value of the language."""
        return self.as_typed(node, self.expression(node, expected))

    def callee(self, call: Call) -> Value:
        """Check what is called: only then a method of a union is no value that is read."""
        self.calling = call.func
        return self.expression(call.func)

    def as_typed(self, node: Expression, value: Value) -> Typed:
        """Return a value that must be one of the language."""
        if isinstance(value, Typed):
            return value
        if isinstance(value.value, Kept):
            return self.kept_value(node, value.value)
        return self.function_object(node, value) or self.refuse_static(node, value)

    def refuse_static(self, node: Expression, value: Static) -> NoReturn:
        """Refuse a constant, as a class or a module, where a value has to be."""
        lazy = value.value.variable if isinstance(value.value, LazyGenerator) else None
        if value.receiver is None and lazy is not None and lazy not in self.learned.kept:
            self.learned.kept.add(lazy)
            raise self.not_known_yet(node)
        code, message, why, instead = static_refusals.refusal_of(value)
        self.fail(code, message, node, why=why, instead=instead)

    def attempt(self, node: Expression, expected: Type | None = None) -> Typed | None:
        """Check an expression; None where its type is not known in this pass."""
        try:
            value = self.typed(node, expected)
        except UnknownTypeError:
            self.skipped[node] = None
            return None
        self.skipped.pop(node, None)
        return value

    def record(self, node: Node, parts: Sequence[Expression], result: Computation) -> Typed:
        """Record how `node` is computed and return its value."""
        # In an earlier iteration of a loop it may have been a constant.
        self.facts.constants.pop(node, None)
        if (type_ := self.widened(result.type)) != result.type:
            result = Convert(result, type_)
        self.facts.steps[node] = Step(tuple(parts), result)
        self.facts.types[node] = result.type
        return Typed(result.type, self.span(node))

    def widened(self, type_: Type) -> Type:
        """Return the type that a value has here that an operation gives as `type_`."""
        type_ = out_of(type_)
        return computed_with_bigints(type_) if self.whole is BIGINT else type_

    def constant(self, node: Expression, literal: Literal, value: Typed) -> Typed:
        """Record that `node` needs no evaluation."""
        self.facts.constants[node] = literal
        self.facts.types[node] = literal.type
        return value

    def apply(self, at: Node, op: OpDef, *operands: Computation, **attrs: Attr) -> Apply:
        """Return an op on computed values; what the op does not accept is refused at `at`."""
        return Apply(op, operands, attrs, self._result_of(at, op, operands, attrs))

    def check_op(self, at: Node, op: OpDef, *operands: Computation) -> None:
        """Refuse operands that an op without results does not accept."""
        self._result_of(at, op, operands, {})

    def _result_of(
        self, at: Node, op: OpDef, operands: Sequence[Computation], attrs: Attrs
    ) -> Type:
        types = [o.type for o in operands]
        try:
            results = op.infer(types, attrs)
        except OpSizeError as error:
            self.fail("dims", f"{op.name}: {error}", at, instead=_EQUAL_SIZES)
        except OpTypeError as error:
            is_of_parts = any(is_complex(element_of(t)) for t in types)
            instead = _PARTS if is_of_parts else _OTHER_TYPES
            self.fail("type", f"{op.name}: {error}", at, instead=instead)
        if UNTOLD in results:
            raise self.not_known_yet(at)  # an item of what does not say yet what it holds
        for result in results:
            self.require_bounds(at, result)
        return results[0] if results else NONE

    def require_bounds(self, at: Node, type_: Type) -> None:
        """Refuse a type that is too large: of more axes than arrays of NumPy have."""
        if excess := excess_of(type_, _DEEPEST_TYPE):
            why = "NumPy's arrays have as many at most" if "axes" in excess else ""
            self.fail("type-size", excess, at, why=why, instead="take it apart")

    def joined(self, names: Iterable[str]) -> Joined:
        """Return the types of those of `names` that have a value here and live in no cell."""
        env = self.env or {}
        found: dict[str, Type] = {}
        for name in sorted(names):
            binding = env.get(name)
            if isinstance(binding, Typed) and name not in self.learned.cells:
                found[name] = binding.type
        return found

    def not_known_yet(self, node: Node) -> UnknownTypeError:
        """Return what to raise where a type needs another pass over the function."""
        self.unknown.append(node)
        return UnknownTypeError()

    def hidden_result(self, node: Node) -> HiddenResultError:
        """Return what gives up a statement, as a result is still being found out."""
        self.unknown.append(node)
        self.hidden.add(node)
        return HiddenResultError()

    def require_item(self, node: Node, value: Typed) -> None:
        """Give up for this pass where a list or dict does not say yet what it holds."""
        if is_empty(value.type):
            self.unknown.append(node)
            raise NothingPutInError

    def require_items(self, node: Node, value: Typed) -> None:
        """Give up for this pass where a list, or one in it, does not say yet what it holds."""
        if is_open(value.type):
            self.unknown.append(node)
            raise NothingPutInError

    def suggest_items(self, value: Typed, type_: Type) -> None:
        """Note a type that fits a list or dict, if nothing is ever put into it."""
        if value.open_list is None or not is_empty(value.type):
            return
        if isinstance(type_, DictType):
            self.fitting[key_of(value.open_list)] = type_.key
            self.fitting[value.open_list] = type_.value
        elif isinstance(type_, ListType | SetType):
            self.fitting[value.open_list] = type_.item

    def learn_items(self, first: Typed, second: Typed) -> bool:
        """Note for the next pass what an empty list holds: what stands beside it says so."""
        for empty, other in ((first, second), (second, first)):
            types = (other.type, empty.type)
            told, says_nothing = (t.item if isinstance(t, OptionalType) else t for t in types)
            if is_open(says_nothing) and type(told) is type(says_nothing) and not is_open(told):
                return self._learn_items(replace(empty, type=says_nothing), told, other.span)
        return False

    def _learn_items(self, empty: Typed, told: Type, span: Span) -> bool:
        if empty.open_list is None or not isinstance(told, ListType | Container):
            return False
        held = told.value if isinstance(told, DictType) else told.item
        if is_empty(empty.type):
            if isinstance(told, DictType):
                self.learned.items.setdefault(key_of(empty.open_list), Typed(told.key, span))
            inner = self.learned.items.setdefault(empty.open_list, Typed(held, span))
            # Of a defaultdict more than nothing is known.
            self.learn_items(inner, Typed(held, span))
            return True
        # A list of lists that say nothing: what they hold is what is open.
        inner = self.learned.items.get(empty.open_list)
        return inner is not None and self.learn_items(inner, Typed(held, span))

    @contextmanager
    def facts_of_round(self, facts: Facts, number: int) -> Generator[None]:
        """Record into `facts` what holds in one iteration of an unrolled loop."""
        outer, path = self.facts, self.path
        self.facts, self.path = facts, (*path, number)
        try:
            yield
        finally:
            self.facts, self.path = outer, path


def operand(node: Expression, value: Typed) -> Operand:
    """Return the computation that is just the value of a part."""
    return Operand(node, value.type)
