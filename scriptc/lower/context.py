"""One function being lowered: the open block, the variables, and where exits lead."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from scriptc.check.checked import CheckedFunction, CheckedProgram, Computation, Facts, Joined
from scriptc.syntax import nodes as n
from scriptc.syntax.blocks import Mark
from scriptc_runtime.errors import Source
from scriptc_runtime.ir import Builder, Instr, Label, Loc, Value, make
from scriptc_runtime.ops import control
from scriptc_runtime.ops.opdef import Attr, OpDef
from scriptc_runtime.types import Type

Leave = Callable[[], None]
# The values of parts that a step has evaluated.
Values = dict[n.Node, Value]


class Lowering(ABC):
    """The state while one function is lowered."""

    def __init__(self, program: CheckedProgram, function: CheckedFunction) -> None:
        self.program = program
        self.function = function
        self.facts: Facts = function.facts
        self.builder = Builder()
        self.label = Label("return")
        self.env: dict[str, Value] = {}
        self.cells: dict[str, Value] = {}
        # Captured arrays, by their name in the module.
        self.captures: dict[str, Value] = {}
        self.capture_names = {c.qualified: c.name for c in (*function.captures, *function.made)}
        self.reachable = True
        # Where those that leave a block early go.
        self.marks: dict[Mark, Label] = {}
        self.leave_loop: Leave | None = None
        self.next_round: Leave | None = None
        self.labels: dict[str, Leave] = {}
        self.leave_function: Callable[[Value, Loc], None] = self._return
        self.exception: Value | None = None

    @property
    def source(self) -> Source:
        """The text that locations refer to."""
        return self.function.source

    def loc(self, node: n.Node) -> Loc:
        """Return the place of `node`."""
        return Loc(*self.source.position(self.function.offset(node)))

    @abstractmethod
    def expression(self, node: n.Expression) -> Value:
        """Lower an expression and return its value, of the type that the facts say."""

    @abstractmethod
    def condition(self, node: n.Expression) -> Value:
        """Lower a test and return a bool."""

    @abstractmethod
    def compute(self, computation: Computation, values: Values, at: n.Node) -> Value:
        """Lower a computation over evaluated parts."""

    @abstractmethod
    def assign(self, target: n.Expression, value: Value) -> None:
        """Lower an assignment."""

    @abstractmethod
    def block(self, body: n.Body) -> None:
        """Lower statements."""

    def begin(self, names: frozenset[str], at: n.Node) -> None:
        """Begin what has variables of its own: those that functions capture get new cells."""
        for name in sorted(names & self.function.shared):
            item = self.function.cells[name]
            self.cells[name] = self.emit(control.CELL_UNSET, at=at, item=item)

    def emit(self, op: OpDef, *operands: Value, at: n.Node, **attrs: Attr) -> Value:
        """Append an instruction with one result."""
        return self.builder.append(make(op, operands, attrs, self.loc(at))).result

    def effect(self, op: OpDef, *operands: Value, at: n.Node, **attrs: Attr) -> None:
        """Append an instruction without results."""
        self.builder.effect(op, *operands, loc=self.loc(at), **attrs)

    def terminate(self, op: OpDef, *operands: Value, at: n.Node, **attrs: Attr) -> None:
        """End the open block by raising."""
        self.builder.append(Instr(op, operands, attrs, (), self.loc(at)))
        self.reachable = False

    def exit(self, label: Label, *values: Value, next: bool = False) -> None:
        """End the open block by leaving `label`."""
        self.builder.exit(label, *values, next=next)
        self.reachable = False

    def unreachable(self, at: n.Node) -> None:
        """End a block that no run reaches: every block has a terminator."""
        self.terminate(control.RAISE, at=at, kind="RuntimeError")

    def _return(self, value: Value, loc: Loc) -> None:
        self.builder.exit(self.label, value, loc=loc)
        self.reachable = False

    def carried(self, joined: Joined, at: n.Node) -> list[Value]:
        """Return the variables that a join wants, each of its type."""
        return [self.fit(self.env[name], type_, at) for name, type_ in joined.items()]

    def rebind(self, joined: Joined, values: Sequence[Value]) -> None:
        """Bind the variables that a join gives."""
        self.env.update(zip(joined, values, strict=True))

    def field_variable(self, node: n.Expression) -> str | None:
        """Return the variable for `self.field` in a constructor."""
        if self.function.constructs is None or not isinstance(node, n.Attribute):
            return None
        owner = self.function.node.args.args[0].arg
        if isinstance(node.value, n.Name) and node.value.id == owner:
            return f"{owner}.{node.attr}"
        return None

    @abstractmethod
    def construct(self, at: n.Node) -> Value:
        """Return the instance that a constructor has made, from its fields."""

    @abstractmethod
    def fit(self, value: Value, type_: Type, at: n.Node) -> Value:
        """Return `value` where `type_` is declared; a more special type may stay."""

    @contextmanager
    def facts_of_round(self, facts: Facts) -> Generator[None]:
        """Lower by the facts of one iteration of an unrolled loop."""
        outer, self.facts = self.facts, facts
        try:
            yield
        finally:
            self.facts = outer
