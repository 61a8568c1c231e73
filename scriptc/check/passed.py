"""What a call passes to a function whose source is compiled, too."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import FunctionType
from typing import NoReturn, cast

from scriptc.check import closures, function_values, outside, outside_objects
from scriptc.check.absent_items import Absent, learn_put_in, may_hold_more
from scriptc.check.bindings import KeptKeywords, LazyGenerator, Static, Typed, lender
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.cells import cell_of, learn_stored, require_stored
from scriptc.check.checked import Computation, Constant, Invoke
from scriptc.check.constants import default_of, is_classes, is_scalar
from scriptc.check.context import Context, Value, operand
from scriptc.check.desugar import comprehensions
from scriptc.check.desugar.generator_ends import require_end
from scriptc.check.library import unknown_callees
from scriptc.check.library.binding import bind
from scriptc.check.list_uses import ListUses
from scriptc.check.open_parameters import (
    as_it_was_given,
    learn_told,
    leave_to_others,
    may_be_told,
    open_result,
)
from scriptc.check.open_types import is_open
from scriptc.check.signatures import Signature
from scriptc.check.static_refusals import is_sentinel
from scriptc.syntax import nodes as n
from scriptc.syntax.blocks import Rest
from scriptc.syntax.inline import as_generator, is_generator
from scriptc.values.outside_places import is_outside
from scriptc_runtime.errors import ScriptError
from scriptc_runtime.ops import data
from scriptc_runtime.record import field, record, replace
from scriptc_runtime.types import Container, ListType, TupleType, Type


@record(frozen=False, eq=False)
class Passed:
    """What a call passes to a function: values, and functions that are constants."""

    context: Context
    node: n.Call
    values: dict[str, Computation]
    consumes: bool  # whether the function takes what only a loop can take, all items at once
    parts: list[n.Expression] = field(default_factory=list[n.Expression])
    fixed: dict[str, object] = field(default_factory=dict[str, object])
    lists: list[tuple[str, n.Expression, Typed]] = field(
        default_factory=list[tuple[str, n.Expression, Typed]]
    )
    constants: dict[str, Constant] = field(default_factory=dict[str, Constant])
    captured: Mapping[str, Computation] = field(default_factory=dict[str, Computation])
    called: str = ""  # the class of the function that is called, where that is an object
    open: list[tuple[str, Typed]] = field(default_factory=list[tuple[str, Typed]])
    copied: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    absent: list[Absent] = field(default_factory=list[Absent])
    cells: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    keywords: list[str] = field(default_factory=list[str])  # the parameters of `**kwargs`
    live: FunctionType | None = None
    given: list[str] = field(default_factory=list[str])  # those that the call gives a value
    # What `*args` takes before the arguments: the object, where no parameter stands before it.
    before: tuple[Computation, ...] = ()
    more: list[Computation] = field(default_factory=list[Computation])  # the arguments it takes

    def take(self, name: str, signature: Signature, bound: int, cls: type | None) -> None:
        """Check the arguments of the call; `bound` values, or `cls`, are there already."""
        if cls is not None:
            self.fixed[signature.names[0]] = cls
        count = bound + (cls is not None)
        self.give_all(bind(self.context, self.node, name, signature, count), signature)

    def invoke(
        self,
        live: FunctionType,
        signature: Signature,
        owner: type | None = None,
        closure: closures.Closure | None = None,
    ) -> Invoke:
        """Return the call of a function with what it is passed."""
        context, node = self.context, self.node
        names = [name for name in signature.names if name in self.values]
        self.live = live
        fixed: tuple[tuple[str, object], ...] = ()
        if signature.keywords is not None:
            names += [name for name in self.keywords if name in self.values]
            fixed = ((signature.keywords, self.kept_keywords(signature.keywords)),)
        inner = dict(closure.fixed) if closure else {}
        if closure is not None:
            self.fixed |= inner
            names += self.hold(closure.held, is_captured=True)
        for name, value in self.fixed.items():
            moved, held = closures.passed_on(value, name)
            fixed += ((name, moved),)
            names += self.hold(held, is_captured=name in inner)
        ordered = [self.values[parameter] for parameter in names]
        own = tuple(names) if fixed or closure else None
        try:
            constants = tuple(self.constants.items())
            given = dict(zip(names, ordered, strict=True))
            call = given, owner, own, fixed, constants
            self._tell_captured(live, ordered, *call[1:])
            if self.absent and learn_put_in(context, node, live, call, self.absent):
                raise context.not_known_yet(node)
            if self.open:
                uses = context.told_by(node, live, ordered, owner, own, fixed, constants)
                learn_told(context, uses, self.open)
                if owner is not None:
                    # It is an object whatever its fields hold; what fails now may not in the end.
                    with suppress(ScriptError):
                        made = context.call(node, live, ordered, owner, own, fixed, constants)
                        for _, value in self.open:
                            leave_to_others(context, value)
                        return made
                # A call of itself has the result that other ways out tell: it may be put in.
                if owner is not None or not context.is_being_checked(live):
                    raise context.not_known_yet(node)
            try:
                return context.call(node, live, ordered, owner, own, fixed, constants)
            finally:
                self._find_kept(live)
        except ScriptError as error:
            raise unknown_callees.told_at(context, node, live, error) from None

    def _tell_captured(
        self,
        live: FunctionType,
        ordered: Sequence[Computation],
        owner: type | None,
        own: tuple[str, ...] | None,
        fixed: tuple[tuple[str, object], ...],
        constants: tuple[tuple[str, Constant], ...],
    ) -> None:
        """Say what a function puts into lists that it has captured, and wait for the next check."""
        if not any(is_open(value.type) for value in self.captured.values()):
            return
        context = self.context
        uses = context.told_by(self.node, live, ordered, owner, own, fixed, constants)
        for name, item, keys in uses.told:
            context.rounds.captures.tell(self.called, name, (item, keys))
        raise context.not_known_yet(self.node)

    def give_all(self, arguments: Sequence[tuple[str, n.Expression]], signature: Signature) -> None:
        """Check the arguments for all parameters; the others get their defaults."""
        for parameter, node in arguments:
            declared = signature.declared.get(parameter.partition("@")[0])
            if isinstance(node, Rest):
                if self.before:
                    self._refuse_rest(node)
                whole = self.context.typed(node.value)
                self.parts.append(node.value)
                self.values[parameter] = operand(node.value, whole)
                continue
            if parameter == signature.starred:
                self.more.append(self._item(node, declared))
                continue
            self.given.append(parameter)
            self.give(parameter, node, declared, consumes=self.consumes)
            if parameter not in signature.names:
                self.keywords.append(parameter)
        if signature.starred and signature.starred not in self.values:
            self.give_more(signature.starred)
        for parameter in signature.names:
            if parameter not in self.values and parameter not in self.fixed:
                value, declared = signature.defaults[parameter], signature.declared.get(parameter)
                self.give_default(parameter, value, declared)

    def give_more(self, starred: str) -> None:
        """Give `*args` the arguments that it takes."""
        items = (*self.before, *self.more)
        self.values[starred] = self.context.apply(self.node, data.TUPLE, *items)

    def give(
        self, parameter: str, node: n.Expression, declared: Type | None, *, consumes: bool = False
    ) -> None:
        """Check the argument that is given for a parameter."""
        context = self.context
        items = comprehensions.loop_items(context, node) if consumes else None
        self._take(parameter, node, items or context.expression(node, declared), declared, consumes)

    def _take(
        self,
        parameter: str,
        node: n.Expression,
        found: Value,
        declared: Type | None,
        consumes: bool,
    ) -> None:
        """Give a parameter what was found."""
        context = self.context
        is_constant = isinstance(found, Static) and not isinstance(found.value, _NO_CONSTANTS)
        if isinstance(found, Static) and is_constant and found.receiver is None:
            self.fixed[parameter] = closures.resolved(context, found.value, node)
            return
        typed = context.as_typed(node, found)
        # A function hands itself on what it was given as it is, also through others.
        live = cast("FunctionType | None", self.live)
        is_own = typed.open_list is not None and context.is_being_checked(live)
        if is_own:
            typed = as_it_was_given(context, typed)
        if (may_be_told(typed) or (is_own and is_open(typed.type))) and not consumes:
            if declared is None or not context.learn_items(typed, Typed(declared, typed.span)):
                self.open.append((parameter, typed))
            else:
                raise context.not_known_yet(node)
        else:
            context.require_items(node, typed)
        if may_hold_more(typed):
            self.absent.append(Absent(parameter, node, typed))
        self.parts.append(node)
        self.values[parameter] = operand(node, typed)
        if typed.known and not typed.known.is_computed:
            self.constants[parameter] = typed.known.value
        elif isinstance(typed.type, TupleType) and len(typed.literals) == 1:
            self.constants[parameter] = cast("Constant", typed.literals[0])
        if typed.borrowed:
            self.lists.append((parameter, node, typed))

    def _refuse_rest(self, node: n.Expression) -> NoReturn:
        self.context.fail(
            "starred",
            "a list behind * is given to a method that takes its object by * as well",
            node,
            why="the object and what a list holds are of different types",
            instead="name the object in the method, or in what decorates it: def call(self, *args)",
        )

    def _item(self, node: n.Expression, declared: Type | None) -> Computation:
        """Check one of the arguments that are the items of a tuple in the function."""
        typed = self.context.typed(node, declared)
        self.context.require_items(node, typed)
        refuse_borrowed(self.context, node, typed, "put into a tuple")
        self.parts.append(node)
        return operand(node, typed)

    def give_default(self, parameter: str, value: object, declared: Type | None) -> None:
        """Give a parameter its default."""
        if isinstance(value, closures.Computed):
            self.values[parameter] = self.captured[f"{parameter}="]
            return
        if callable(value) or is_classes(value) or is_sentinel(value):
            self.fixed[parameter] = value
            return
        if outside.is_shared(value):
            at, found = outside.shared_default(self.context, self.node, parameter, value, declared)
            self._take(parameter, at, found, declared, consumes=False)
            return
        if is_outside(value):
            place = outside_objects.default_outside(self.context, self.node, parameter, value)
            self.parts.append(place)
            self.values[parameter] = operand(place, self.context.typed(place))
            return
        self.values[parameter] = default_of(self.context, self.node, parameter, value)
        if is_scalar(value) or isinstance(value, tuple):
            self.constants[parameter] = cast("Constant", value)

    def kept_keywords(self, kept: str) -> KeptKeywords:
        """Return what `**kept` stands for in the function."""
        return KeptKeywords(tuple((name.removeprefix(f"{kept}@"), name) for name in self.keywords))

    def hold(self, held: Sequence[tuple[str, str]], *, is_captured: bool) -> list[str]:
        """Give parameters the values that variables have now; return the parameters.

        `is_captured`: they are those of the function that is called, which may have captured them.
        """
        for parameter, variable in held:
            if is_captured and variable in self.captured:
                self.values[parameter] = self.captured[variable]
            elif self._is_to_share(parameter, variable):
                raise function_values.share(self.context, self.node, variable)
            elif variable in self.context.shared:
                self.values[parameter] = cell_of(self.context, self.node, variable)
                self.cells.append((parameter, variable))
            else:
                self.give(parameter, n.Name(self.node.lo, self.node.hi, variable), None)
                self.copied.append((parameter, variable))
        return [parameter for parameter, _ in held]

    def _is_to_share(self, parameter: str, variable: str) -> bool:
        context = self.context
        binding = (context.env or {}).get(variable)
        if variable in context.shared | context.held or not isinstance(binding, Typed):
            return False
        if self.live is None or not function_values.is_changed_later(context, self.node, variable):
            return False
        # A generator reads variables when it is resumed. (A function in a field is no method.)
        live = cast("FunctionType", self.live)
        if context.rounds.kept.is_known(live, parameter):
            return True
        return is_generator(as_generator(context.syntax_of(live)[1]))

    def _find_kept(self, live: FunctionType) -> None:
        """Note which variables are read, and changed, when the call is over: they need cells."""
        context, kept = self.context, self.context.rounds.kept
        is_resumed = is_generator(as_generator(context.syntax_of(live)[1]))
        for parameter, variable in self.copied:
            if not kept.is_noted(live, parameter) and not is_resumed:
                continue
            if variable in context.held:
                kept.note(context.function, variable)
            elif function_values.is_changed_later(context, self.node, variable):
                kept.has_grown = True

    def result(self, invoke: Invoke) -> Typed:
        """Record the call, and refuse that lists are written to that are not written back."""
        uses = self.refuse_writes(invoke)
        require_end(self.context, self.node, invoke.type)
        result = self.context.record(self.node, self.parts, invoke)
        if is_open(result.type):
            result = open_result(self.context, self.node, invoke.callee, result)
        if not (self.lists and uses.lends and isinstance(result.type, ListType | Container)):
            return result
        return replace(result, borrowed=lender(typed for _, _, typed in self.lists))

    def refuse_writes(self, invoke: Invoke) -> ListUses:
        """Refuse that lists are written to that are not written back; return what is done."""
        uses = self.context.uses_of_lists(invoke.callee)
        learn_stored(self.context, self.node, self.cells, dict(uses.stored))
        require_stored(self.context, self.node, self.captured, dict(uses.stored))
        for parameter, node, typed in self.lists:
            if parameter in uses.written:
                refuse_borrowed(self.context, node, typed, "written to")
            if what := dict(uses.kept).get(parameter):
                refuse_borrowed(self.context, node, typed, what)
        return uses


# Variables that stand for them do for a value as well.
_NO_CONSTANTS = (KeptKeywords, LazyGenerator)
