"""A checked program as core IR: one function for each specialisation."""

from scriptc.check.checked import (
    Capture,
    CheckedFunction,
    CheckedProgram,
    Computation,
    Invoke,
    MadeOutside,
    Specialisation,
)
from scriptc.lower.computations import Computer
from scriptc.lower.context import Lowering, Values
from scriptc.lower.conversions import convert, fit
from scriptc.lower.expressions import lower_condition, lower_expression, read
from scriptc.lower.statements import assign_target, lower_block, write
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import Diagnostic, Span, UnsupportedError
from scriptc_runtime.ir import Block, ClassDecl, Function, Module, Role, Value, first_deeper
from scriptc_runtime.ops import containers, control, data
from scriptc_runtime.record import replace
from scriptc_runtime.types import NONE, CellType, DictType, TupleType, Type

# Blocks inside of one another, of a function as it is written: 20 are left to passes.
MAX_DEPTH = 80


def lower_program(checked: CheckedProgram) -> Module:
    """Return the module of core IR that computes what `checked` says.

    Needs: types, callees and conversions of every expression, as `check_program` records them.
    Gives: a module that passes `verify`; captured arrays are the functions' last parameters.
    Does not: optimise, or look at live objects.
    """
    classes = {
        c.name: ClassDecl(c.name, tuple(c.fields.items()), c.base) for c in checked.classes.values()
    }
    functions: dict[str, Function] = {}
    called = {callee for function in checked.functions.values() for callee in function.callees}
    for function in checked.functions.values():
        if function.generator is None:
            functions[function.name] = lower_function(checked, function)
            if function.made and function.key in called:
                functions[function.inner] = lower_function(checked, function.as_inner)
        elif not function.generator.resumes:
            # Inside a function: few programs have generators.
            from scriptc.lower.generators import lower_generator

            raw = lower_function(checked, replace(function, result=function.generator.returned))
            made = lower_generator(checked, function, raw)
            functions |= {made.make.name: made.make, made.resume.name: made.resume}
            classes[made.declaration.name] = made.declaration
    for key in checked.entered[len(checked.roots) :]:
        # What Python calls of generators stays, though nothing else calls it.
        name = checked.functions[key].name
        functions[name] = replace(functions[name], role=Role.SCRIPT)
    return Module(functions, classes)


def lower_function(checked: CheckedProgram, function: CheckedFunction) -> Function:
    """Return the core IR of one function."""
    return FunctionLowering(checked, function).run()


class FunctionLowering(Lowering):
    """Lowers one function."""

    def run(self) -> Function:
        """Lower the whole function."""
        function = self.function
        params = [Value(p.type, p.name) for p in function.params]
        captured = [Value(c.type, c.name) for c in function.captures]
        self.captures = {c.name: v for c, v in zip(function.captures, captured, strict=True)}
        self.builder.open()
        for capture in function.made:
            self.captures[capture.name] = self._made(capture)
        self.cells.update((p.name, p) for p in params if isinstance(p.type, CellType))
        for name, type_ in function.cells.items():
            if name in self.cells:
                continue  # that of the function around this one
            self.cells[name] = self.emit(control.CELL_UNSET, at=function.node, item=type_)
        for param in params:
            if isinstance(param.type, CellType):
                continue
            if param.name in self.cells:
                type_ = function.cells[param.name]
                value = self.fit(param, type_, function.node)
                self.effect(control.CELL_SET, self.cells[param.name], value, at=function.node)
            else:
                self.env[param.name] = param
        self.block(function.node.body)
        if self.reachable:
            self.leave_function(self._end(), self.loc(function.node.body[-1]))
        body = self.builder.close()
        self._require_flat(body)
        return Function(
            function.name,
            (*params, *captured),
            function.result,
            body,
            self.label,
            self.loc(function.node),
            self.source.file,
            role=Role.LIBRARY if function.is_library else Role.SCRIPT,
        )

    def _made(self, capture: Capture) -> Value:
        """Return what is captured and made at the beginning of a call."""
        if not isinstance(capture.value, MadeOutside):
            return self._no_results(capture.type)
        maker = Specialisation(capture.value.maker, ())
        return self.compute(Invoke(maker, (), capture.type), {}, self.function.node)

    def _no_results(self, type_: Type) -> Value:
        """Return dicts for the results of functions that have not been called yet."""
        at = self.function.node
        if isinstance(type_, TupleType):
            dicts = [self._no_results(item) for item in type_.items]
            return self.emit(data.TUPLE, *dicts, at=at)
        assert isinstance(type_, DictType)
        lists = [self.emit(data.LIST, at=at, item=t.item) for t in (type_.entries, type_.index)]
        counts = [self.emit(data.CONST, at=at, value=0) for _ in range(2)]
        return self.emit(containers.CONTAINER, *lists, *counts, at=at, type=type_)

    def _require_flat(self, body: Block) -> None:
        """Refuse blocks that are too deep inside of one another."""
        deep = first_deeper(body, MAX_DEPTH)
        if deep is None:
            return
        text = self.source
        lo = text.offset(deep.loc.line, deep.loc.column)
        raise UnsupportedError(
            Diagnostic(
                "too-deep",
                f"what is decided here depends on more than {MAX_DEPTH} decisions around it",
                Span(text, lo, lo + 1),
                instead="make a function of the inner ones, or decide one after the other",
            )
        )

    def _end(self) -> Value:
        node = self.function.node
        if self.function.constructs:
            made = self.construct(node)
            if self.facts.rest is not None:
                write(self, node, self.facts.rest, {}, made)
            return made
        none = self.emit(data.CONST, at=node, value=None)
        return none if self.function.result is NONE else self.fit(none, self.function.result, node)

    def construct(self, at: n.Node) -> Value:
        """Return the instance that a constructor has made, from its fields."""
        made = self.function.constructs
        assert made is not None
        owner = self.function.node.args.args[0].arg
        values = [
            convert(self, read(self, at, f"{owner}.{name}"), type_, at)
            for name, type_ in made.fields.items()
        ]
        return self.emit(data.NEW, *values, at=at, cls=made.name, fields=tuple(made.fields))

    def expression(self, node: n.Expression) -> Value:
        """Lower an expression and return its value."""
        return lower_expression(self, node)

    def condition(self, node: n.Expression) -> Value:
        """Lower a test and return a bool."""
        return lower_condition(self, node)

    def compute(self, computation: Computation, values: Values, at: n.Node) -> Value:
        """Lower a computation over evaluated parts."""
        return Computer(self, values, at).value(computation)

    def assign(self, target: n.Expression, value: Value) -> None:
        """Lower an assignment."""
        assign_target(self, target, value)

    def block(self, body: n.Body) -> None:
        """Lower statements."""
        lower_block(self, body)

    def fit(self, value: Value, type_: Type, at: n.Node) -> Value:
        """Return `value` where `type_` is declared."""
        return fit(self, value, type_, at)
