"""A whole program: everything the roots reach, each function once for each tuple of types."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from types import FunctionType

from scriptc.check import (
    call_sizes,
    declared_types,
    exception_kinds,
    growing_tuples,
    hashes,
    init_fields,
    late_classes,
    own_words,
    root_types,
)
from scriptc.check.asked_classes import AskedClasses
from scriptc.check.bindings import Typed
from scriptc.check.borrowed_lists import require_not_kept
from scriptc.check.cells import shared_names
from scriptc.check.checked import (
    CheckedClass,
    CheckedFunction,
    CheckedProgram,
    Computation,
    Constants,
    Dependency,
    Invoke,
    Literal,
    Specialisation,
    entered,
)
from scriptc.check.closures import as_definition, home_of, nested_signature, plain_name, promised
from scriptc.check.context import Context
from scriptc.check.desugar import constructor_functions
from scriptc.check.desugar.generator_ends import with_ends
from scriptc.check.desugar.inits import init_of
from scriptc.check.empty_displays import Closing, closed
from scriptc.check.field_writes import FieldWrites
from scriptc.check.finished import all_reached, finished, for_this_attempt, require_done, stale_from
from scriptc.check.function_classes import FunctionClasses
from scriptc.check.function_names import name_functions
from scriptc.check.functions import FunctionPass
from scriptc.check.generators import GeneratorClasses, in_parts, learn
from scriptc.check.known_classes import FieldsOf, KnownClasses
from scriptc.check.learned import Learned
from scriptc.check.leaving_generators import leaving_generators
from scriptc.check.library.standard import is_standard
from scriptc.check.library.static_arguments import DecidingArguments, Mark, parted, that_may_decide
from scriptc.check.list_uses import ListUses
from scriptc.check.members import class_type
from scriptc.check.never_given import may_raise
from scriptc.check.open_types import is_open
from scriptc.check.outside_objects import require_unchanged
from scriptc.check.outside_types import OutsideTypes
from scriptc.check.parameter_types import declared_for, parameter_type, place_of
from scriptc.check.parameters import (
    classes_in_annotations,
    declared_parameters,
    signature_of,
)
from scriptc.check.parsed_functions import parsed_function
from scriptc.check.roots import Root
from scriptc.check.rounds import Rounds
from scriptc.check.scopes import names_in_cells
from scriptc.check.signatures import Signature
from scriptc.check.size_names import may_hold_arrays, size_names, with_sizes, without_sizes
from scriptc.check.told_results import result_known, result_without_values, tell_what_is_open
from scriptc.check.unfinished import Unfinished, expected_result, unfinished
from scriptc.check.united_fields import Objects
from scriptc.check.waiting_results import WaitingResults
from scriptc.deep_calls import DeepCalls
from scriptc.syntax import nodes as n
from scriptc.syntax.inline import is_generator
from scriptc_runtime.errors import ScriptError, Source, Span, TypeCheckError
from scriptc_runtime.interp.dim_binding import bind_dims
from scriptc_runtime.types import (
    BIGINT,
    INT,
    ClassType,
    NamedType,
    Type,
    holds_container,
    holds_list,
    substitute_dims,
)

_MAX_PASSES = 30  # besides two for each variable in a cell


def check_program(
    roots: Sequence[Root], fields_of: FieldsOf = lambda live: ({}, (), ())
) -> CheckedProgram:
    """Check `roots` and all they reach.  Raises ScriptError with every mistake found."""
    known, rounds = Objects(), Rounds()
    while True:
        # A method was chosen among the classes of which objects had been made by then.
        checker = _ProgramChecker(fields_of, known, rounds, any(r.bigint for r in roots))
        try:
            program = checker.run(roots)
        except ScriptError as error:
            if not (checker.has_grown() or rounds.promote()):
                checker.classes.refuse_lacking(error)
                refusal = rounds.split.refusal or checker.generators.first_put_off or error
                words = checker.function_classes.words, checker.generators.words
                raise own_words.in_own_words(refusal, *words) from None
            rounds.keep(error)
        else:
            if not checker.has_grown():
                return program
        checker.look_ahead()
        known = rounds.begin(checker.classes.objects, checker.function_classes.words)


def told_arguments(root: Root, fields_of: FieldsOf) -> Sequence[tuple[str, Type, Type | None]]:
    """Return what a root puts into arguments that say nothing of what they hold.

    That is the type of the items, or of values and keys, by parameter; none where it is refused.
    """
    checker = _ProgramChecker(fields_of, Objects(), Rounds(), root.bigint)
    return checker.told(root)


class _ProgramChecker:
    def __init__(self, fields_of: FieldsOf, known: Objects, rounds: Rounds, bigint: bool) -> None:
        self.bigint = bigint
        self._done: dict[Specialisation, CheckedFunction] = {}
        self.asked = AskedClasses(self._done)
        self.field_writes = FieldWrites(self._done)
        self.outside = OutsideTypes()
        self._roots: frozenset[Specialisation] = frozenset()
        self._has_told_more = False  # than what fields hold
        self._uses: dict[Specialisation, ListUses] = {}
        self._unfinished: dict[Specialisation, Unfinished] = {}
        self._waiting = WaitingResults(self._unfinished)
        self._deep = DeepCalls()
        self._uniting: set[Specialisation] = set()  # those checked with unions
        self._closes_lists = False  # those into which nothing is put hold what fits
        self._deciding = DecidingArguments(self)
        self._syntax: dict[FunctionType, tuple[Source, n.FunctionDef]] = {}
        self._signatures: dict[tuple[FunctionType, type | None], Signature] = {}
        self._first_signatures: dict[FunctionType, Signature] = {}  # whoever owns a function
        self._owners: dict[FunctionType, type] = {}
        self._nested: dict[tuple[FunctionType, n.Node], FunctionType] = {}
        self.classes = KnownClasses(self, fields_of, known, rounds.fields)
        self.function_classes = FunctionClasses(self.classes.declare_functions)
        self.generators = GeneratorClasses(self.classes.declare_functions, rounds)
        self.rounds = rounds
        self._dependencies: dict[tuple[str, str, int], Dependency] = {}

    def has_grown(self) -> bool:
        return self.classes.have_grown() or self.rounds.have_grown

    def look_ahead(self) -> None:
        late_classes.look_ahead(self.classes, self._done, self._deciding.try_out)

    def run(self, roots: Sequence[Root]) -> CheckedProgram:
        plain = [self._root(root) for root in roots]
        for live in (live for root in roots for live in (root.owner, *root.classes) if live):
            self.classes.note_objects(live)
        for live in self.rounds.given.classes:
            self.classes.declare(live, None)
        self._roots = frozenset(plain)
        for key in plain:
            if any(map(holds_list, key.types)):
                # A class was declared by its defaults: what Python calls must not keep its lists.
                self._done.pop(key, None)
        keys = [self._deciding_root(key, root) for key, root in zip(plain, roots, strict=True)]
        known = self._done, self._uses, self.generators
        leaving = leaving_generators(keys, *known, self._deciding)
        every = entered(keys, leaving)
        reached = all_reached(every, self._done, self.generators)
        self.classes.refuse_untyped_fields()
        classes = {name: self.class_named(name) for name in self.classes}
        for key in keys:
            if any(map(holds_container, (*key.types, self._done[key].result))):
                hashes.require_shared(key.types, self._done[key].result, classes)
        for function in reached:
            if function.key in self._uses:
                require_not_kept(self._uses[function.key].placed, classes.values())
        require_unchanged(reached)
        functions, captures = name_functions(reached, self._owners, frozenset(every))
        return CheckedProgram(
            tuple(keys),
            functions,
            classes,
            captures,
            tuple(self._dependencies.values()),
            self.classes.of_values,
            leaving,
        )

    def told(self, root: Root) -> Sequence[tuple[str, Type, Type | None]]:
        key = self._root(root)
        for live in (root.owner, *root.classes):
            if live is not None:
                self.classes.note_objects(live)
        with suppress(ScriptError):
            self.result(key)
        told = self._uses.get(key, ListUses()).told
        return [(name, item.type, keys and keys.type) for name, item, keys in told]

    def _root(self, root: Root) -> Specialisation:
        function = root.function
        for live in root.classes:
            self.classes.declare(live, None)
        if root.owner is not None:
            self.classes.declare(root.owner, None)
            function = (root.constructs and init_of(root.owner, None)) or function
        self.depend("function", f"{function.__module__}.{function.__qualname__}", function)
        signature = self.signature(function, root.owner)
        names = signature.names[1:] if root.constructs else signature.names
        types = root_types.root_types(root, names, signature, BIGINT if self.bigint else INT)
        if root.constructs:
            assert root.owner is not None
            self._owners[function] = root.owner
        kept = map(without_sizes, types) if is_generator(self.parsed(function)[1]) else types
        return Specialisation(function, tuple(kept), fixed=tuple(root.statics.items()))

    def _deciding_root(self, plain: Specialisation, root: Root) -> Specialisation:
        """Check a root, and return it with those of its arguments that decide on types."""
        names = self.signature(plain.function, root.owner).names[int(root.constructs) :]
        given = zip(names, root.values, strict=False)
        constants = tuple((name, value[0]) for name, value in given if value)
        return self._deciding.choose(plain, that_may_decide(constants, names, plain.types))[0]

    def depend(self, kind: str, name: str, value: object) -> None:
        if isinstance(value, FunctionType) and is_standard(value):
            return  # part of scriptc itself
        # Two closures of one function have one name.
        self._dependencies.setdefault((kind, name, id(value)), Dependency(kind, name, value))

    def declare_class(self, live: type, span: Span | None) -> None:
        self.classes.declare(live, span)

    def named_class(self, type_: NamedType) -> type:
        return self.classes.of_value(type_)

    def signature(self, function: FunctionType, owner: type | None) -> Signature:
        key = (function, owner)
        if key not in self._signatures:
            source, node = self.parsed(function)
            signature = signature_of(function, source, node, owner)
            if self.bigint and not is_standard(function):
                signature = signature.with_bigints
            signature = signature.without_classes(self.rounds.split.names)
            for live in classes_in_annotations(function):
                self.classes.declare(live, None)
            self._signatures[key] = signature
            self._first_signatures.setdefault(function, signature)
        return self._signatures[key]

    def is_root(self, key: Specialisation) -> bool:
        return key.for_all_values in self._roots

    def nested(self, context: Context, node: n.FunctionDef | n.Lambda) -> FunctionType:
        key = context.function, node
        if key not in self._nested:
            outer, source, definition = home_of(context, as_definition(node))
            # Its code is not run; names that are no variables mean what they mean outside.
            whole = f"{outer.__qualname__}.<locals>.{definition.name}"
            code = outer.__code__.replace(co_name=definition.name, co_qualname=whole)
            names, values = outer.__globals__, outer.__closure__
            function = FunctionType(code, names, definition.name, None, values)
            self._syntax[function] = source, with_ends(function, definition, self.rounds.ended)
            signature = nested_signature(context, definition)
            signature = signature.without_classes(self.rounds.split.names)
            self._signatures[function, None] = self._first_signatures[function] = signature
            self._nested[key] = function
        return self._nested[key]

    def uses_of_lists(self, callee: Specialisation) -> ListUses:
        state = self._unfinished.get(callee)
        return state.uses if state else self._uses[callee]

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
        plain, checked, names, others = self._called(
            context, node, function, arguments, owner, names, fixed, constants
        )
        if owner is None and may_raise(context):
            self.rounds.raising.add(plain)
        try:
            key, result = self._deciding.choose(plain, that_may_decide(others, names, plain.types))
        except TypeCheckError as error:
            parsed = self.parsed(plain.function)[1]
            key, result = plain, self.generators.without_sent(plain, parsed, error)
        if result is None:
            raise context.hidden_result(node)
        bindings = bind_dims(plain.types, [v.type for v in checked])
        never = key in self._done and self._done[key].never
        return Invoke(key, tuple(checked), substitute_dims(result, bindings), never)

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
        plain, *_ = self._called(context, node, function, arguments, owner, names, fixed, constants)
        # What is refused for want of items may be all right once they are known.
        with suppress(ScriptError):
            self._deciding.choose(plain, ())
        state = self._unfinished.get(plain)
        return state.uses if state else self._uses.get(plain, ListUses())

    def _called(
        self,
        context: Context,
        node: n.Node,
        function: FunctionType,
        arguments: Sequence[Computation],
        owner: type | None,
        names: tuple[str, ...] | None,
        fixed: tuple[tuple[str, object], ...],
        constants: Constants,
    ) -> tuple[Specialisation, Sequence[Computation], tuple[str, ...], Constants]:
        """Return what a call is a call of, with the arguments, and what of these may decide."""
        signature = self.signature(function, owner)
        given = names
        names = signature.names if names is None else names
        if owner is not None:
            self._owners[function] = owner
            names = names[1:] if given is None else names
        values: list[Computation] = []
        params: list[Type] = []
        sizes = size_names(signature.declared.values())
        around = (key.types for key in self._unfinished if key.function is function)
        for name, value in zip(names, growing_tuples.grown(arguments, around), strict=True):
            declared = signature.declared_as(name, value.type)
            is_own = exception_kinds.is_own_exception
            if declared is not None and is_own(context, value.type, declared):
                declared = None  # an object of a class of the program stays one
            if declared is not None:
                declared = declared_for(declared, value.type)
                literals = (value.value,) if isinstance(value, Literal) else ()
                known = Typed(value.type, context.span(node), literals)
                what = f"the parameter {name!r} of {function.__name__}()"
                place = place_of(value, node)
                value = declared_types.declare(context, place, known, value, declared, what)
                params.append(parameter_type(declared, value.type) or value.type)
            else:
                taken = sizes if name.isidentifier() else sizes | size_names(params)
                params.append(with_sizes(value.type, plain_name(name), taken))
            values.append(value)
        types: tuple[Type, ...] = tuple(params)
        checked: Sequence[Computation] = values
        if any(map(may_hold_arrays, params)):
            types, checked = call_sizes.fit_sizes(context, node, params, values, names)
        if is_generator(self.parsed(function)[1]):
            types = tuple(map(without_sizes, types))
        said, others = parted(function, constants)
        return Specialisation(function, types, given, fixed, said), checked, names, others

    def class_named(self, name: str) -> CheckedClass:
        return self.classes.named(name)

    def class_of(self, context: Context, live: type, node: n.Node) -> CheckedClass:
        self.classes.declare(live, context.span(node))
        return self.class_named(live.__name__)

    def tell_field(self, owner: str, name: str, value: Typed, *, may_unite: bool) -> bool:
        return self.classes.tell_field(owner, name, value, may_unite=may_unite)

    def possible_classes(self, name: str) -> Sequence[type]:
        return self.classes.possible(name)

    def note_objects(self, live: type, span: Span) -> None:
        self.classes.declare(live, span, is_made=True)

    def construct_as_declared(self, live: type, init: FunctionType) -> None:
        if (count := declared_parameters(self.signature(init, live))) is not None:
            root = Root(init, (None,) * count, live, constructs=True)
            self._deciding.choose(self._root(root), ())

    def set_parsed(self, function: FunctionType, node: n.FunctionDef) -> None:
        self._syntax[function] = self.parsed(function)[0], node

    def parsed(self, function: FunctionType) -> tuple[Source, n.FunctionDef]:
        if function not in self._syntax:
            ended, stopping = self.rounds.ended, self.rounds.stopping
            self._syntax[function] = parsed_function(function, ended, stopping)
        return self._syntax[function]

    def result(self, key: Specialisation) -> Type | None:
        """Return the result type of a function, None where recursion hides it for now."""
        self.asked.rely(key)
        if key in self._done:
            self._waiting.rely(key)
            return self._done[key].result
        if key in self._unfinished:
            return self._waiting.ask(key)
        if any(k in self.generators for k in self._unfinished):
            return self._deep.call(self._check, key)  # it may have yielded
        known = key in self._uniting, key in self.rounds.raising, self.classes.revision
        return self._waiting.of(key, known, lambda: self._deep.call(self._check, key))

    def result_united(self, key: Specialisation) -> Type | None:
        """Return the result type of a function in which what is of several types is a union."""
        self._uniting.add(key)
        try:
            return self.result(key)
        finally:
            self._uniting.discard(key)

    def mark(self) -> Mark:
        """Return what to go back to where an attempt fails."""
        return len(self._done), self.classes.counts()

    def close_fields(self) -> bool:
        results = self.rounds.results.close(self._done)
        return self.outside.close() | results | self.classes.close_fields()

    def close_lists(self) -> bool:
        is_new, self._closes_lists = not self._closes_lists, True
        return is_new

    @property
    def is_outdated(self) -> bool:
        """Whether what is checked now is checked again, with other types of what is told."""
        return self.fields_are_outdated or self.outside.are_outdated

    @property
    def fields_are_outdated(self) -> bool:
        """Whether fields have other types in the next check."""
        return self.classes.are_outdated

    def take_told(self) -> bool:
        results, fields = self.rounds.results.take_told(), self.classes.take_told()
        self._has_told_more = results or self.outside.are_outdated
        return fields or self._has_told_more

    def take_joined(self) -> bool:
        return self.rounds.joins.take_told()

    def go_back(self, mark: Mark) -> None:
        """Forget the functions checked since then, and the types of fields found out."""
        self._forget(min(mark[0], stale_from(self._done, self._owners, self.classes.outdated)))
        self.generators.put_off.clear()
        self.classes.go_back(mark[1])
        self.outside.begin()

    def go_back_partly(self, mark: Mark) -> None:
        stale = stale_from(self._done, self._owners, self.classes.outdated)
        if stale < mark[0] or self._has_told_more or self.generators.are_any():
            return self.go_back(mark)
        gone, names = self.asked.forget(mark[0], self.classes.take_told_of(), self.classes.related)
        self._waiting.forget(None, gone)
        self.classes.go_back(mark[1], names)

    def is_partly_older(self, found: Specialisation | None) -> bool:
        return self.asked.are_left_over(found, self.generators)

    def _check(self, key: Specialisation) -> Type | None:
        known, anyway = len(self._done), self._deciding.refused_anyway
        forget = partial(self._forget, known)
        find = partial(closed, partial(self._find_result, key), forget, anyway)
        try:
            return self.asked.during(key, find)
        except TypeCheckError:
            if self._waiting.was_asked(key):
                self._forget(known, key)  # others are done that have assumed its result
            raise

    def _find_result(self, key: Specialisation, closing: Closing) -> Type | None:
        source, node = self.parsed(key.function)
        owner = self._owners.get(key.function) if key.function.__name__ == "__init__" else None
        if owner is not None:
            node = constructor_functions.checked_init(self.class_named(owner.__name__), node)
        signature = self._signature_of_key(key)
        generator = self.generators.begun(key, node) if is_generator(node) else None
        own = class_type(owner) if owner else ClassType(generator.name) if generator else None
        expected = expected_result(self.classes.declare, signature, key.function)
        state = unfinished(own or signature.result, key.function.__name__, expected)
        cells = names_in_cells(node) | shared_names(node)
        cells |= init_fields.fields_in_cells(owner, node, self.parsed) if owner else frozenset()
        shared = self.classes.shared_with_rest(owner) if owner else frozenset[str]()
        unites, raises = key in self._uniting, key in self.rounds.raising
        learned = Learned(dict.fromkeys(cells | shared), may_unite=unites, may_raise=raises)
        learned.shared |= shared
        self._waiting.begin(key, state, unites)
        state.uses = self._uses.get(key, state.uses)
        self._unfinished[key] = state
        try:
            left = _MAX_PASSES + 2 * len(learned.cells)
            while True:
                known = len(self._done)
                before = learned.state
                state.begin_pass()
                current = FunctionPass(self, source, node, key, signature, learned, generator)
                items = dict(learned.items)
                learned.doubts.clear()
                given = state.settled(self._run_pass(current, owner, key.types))
                result = self._waiting.noted(key, given, unites)
                learned.forget_outdated(items)
                uses = current.uses
                settled = before == learned.state and uses == state.uses
                self._uses[key] = state.uses = uses
                was_wrong = state.was_wrong(result, generator, is_refused=bool(current.problems))
                settled = settled and not was_wrong
                if was_wrong or state.is_unsure(result):
                    self._forget(known, key)
                asks_itself = result is None and state.was_asked and current.waits_for_itself
                settled = settled and not (asks_itself and state.assumes_any())
                if state.was_asked and state.has_changed:
                    self._waiting.forget(key, ())
                closes = self._closes_lists and self._waits_for_itself_alone(key)
                if settled and not (closes and current.close_list(closing)):
                    break
                left -= not settled
                if not left:
                    current.refuse_changing()
        finally:
            del self._unfinished[key]
        current.refuse_growing(is_recursive=state.was_asked)
        untyped = result is None or is_open(result) or current.unknown or current.skipped
        # What waits for a function further out may be known in its next pass.
        waits = not self.is_settled()
        if current.problems or (untyped and not waits):
            current.refuse_unknown()
        lacking = [other for other in current.callees if other != key and self._lacks(other)]
        if result is None or untyped or (waits and lacking):
            # Wait for the function further out whose result is not known yet.
            return result
        require_done(lacking, self.generators)
        current.refuse_unknown()
        whole = self.class_named(owner.__name__) if owner else None
        self._done[key] = finished(current, key, source, node, signature, result, whole)
        if generator is not None:
            self._done |= in_parts(self._done[key], generator)
            self.generators.put_off.pop(key, None)
        return result

    def _lacks(self, callee: Specialisation) -> bool:
        """Whether a function waits, so that it has to be called again: by what calls it, too."""
        is_known = callee in self._done or callee in self.generators.put_off
        return not (is_known or self.is_being_checked(callee.function))

    def is_being_checked(self, live: FunctionType | None) -> bool:
        return any(key.function is live for key in self._unfinished)

    def is_settled(self) -> bool:
        """Whether no function further out waits for its own result."""
        return not any(self._asked())

    def _asked(self) -> Iterator[Specialisation]:
        for key, state in self._unfinished.items():
            asked = key in self.generators and self.generators.of(key).asked
            if asked or state.was_asked:
                yield key

    def _waits_for_itself_alone(self, key: Specialisation) -> bool:
        return all(waiting is key for waiting in self._asked())

    def _signature_of_key(self, key: Specialisation) -> Signature:
        known = self._first_signatures.get(key.function) or self.signature(key.function, None)
        return self.rounds.results.promised(promised(known, key), key)

    def _forget(self, known: int, changed: Specialisation | None = None) -> None:
        """Drop what was checked while a recursive result was not what it is now."""
        since = for_this_attempt(self._done, known, changed)
        for key in self._waiting.forgotten(since, changed, self._done):
            self._done.pop(key, None)

    def _run_pass(
        self, current: FunctionPass, owner: type | None, given: Sequence[Type]
    ) -> Type | None:
        if owner is not None:
            declared, inferred = self.classes.declared_in(owner), self.classes.inferred_in(owner)
            whole = self.classes.named(owner.__name__)
            if any(map(is_open, given)):
                # What other calls say of the fields tells what they are given here.
                inferred = {name: t for name, t in whole.fields.items() if not is_open(t)}
            current.construct(owner, declared, inferred, whole.names)
        current.run()
        tell_what_is_open(current, self._unfinished)
        if owner is not None:
            if current.field_ends and not current.problems:
                self.classes.set_fields(owner, current)
            return class_type(owner) if current.field_ends else None
        merged = result_known(current)
        if current.generator is not None:
            return learn(current.generator, current, merged)
        return result_without_values(current) if merged is None else merged.type
