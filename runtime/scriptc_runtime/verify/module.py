"""Checks the rules that every module keeps; runs on what was read and after every pass.

- A value is defined once, and used only after its definition, in the same block or one inside.
- A block ends with its only terminator; an `exit` names a label around it, and leaves no `loop`,
  `reduce` or `for` of a `prange` before its end.
- Operands, attributes and result types are what the op's rules say; a declared dim may be `?`.
- Values carried by an `exit` fit what the label's results, or the loop's next iteration, declare.
- A call's arguments fit the callee, whose symbols they bind; fields are as the class declares.
- A size in a type is a number, a symbol or `?`.
- Names refer to functions, classes and weights that exist, and what an object or an entry holds
  fits what they declare.
- Low ops, what is cleaned up where an instruction raises, and what callers make sure of stand only
  in low IR, and so do functions called as those that passes make.
- Blocks are at most 100 deep.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from scriptc_runtime.dims import Dim
from scriptc_runtime.errors import InvalidIRError
from scriptc_runtime.interp.dim_binding import DimMismatchError, bind_dims, lone_symbol
from scriptc_runtime.ir import (
    Block,
    ClassDecl,
    Extern,
    Function,
    Instr,
    Label,
    Module,
    Value,
    names_of_line,
)
from scriptc_runtime.named_classes import problem_of
from scriptc_runtime.ops import OPS, arrays, classes, control, data, exceptions, low
from scriptc_runtime.ops.opdef import Level, OpTypeError, Trait
from scriptc_runtime.ops.signature import TYPES, result_types
from scriptc_runtime.recursive_types import RecursiveUnion
from scriptc_runtime.type_limits import excess_of
from scriptc_runtime.type_lists import join_types
from scriptc_runtime.types import (
    EXCEPTION,
    INT,
    NONE,
    ClassType,
    Container,
    DType,
    NamedType,
    OptionalType,
    TensorType,
    Type,
    UnionType,
    assignable,
    parts_of,
    substitute_dims,
)
from scriptc_runtime.unions import union_of
from scriptc_runtime.values import EXCEPTION_FIELD, INT_MAX
from scriptc_runtime.verify.names import check_declarations, check_not_reserved

_TERMINATORS = frozenset(op for op in OPS.values() if Trait.TERMINATOR in op.traits)
_REGIONS = frozenset(op for op in OPS.values() if Trait.REGION in op.traits)
MAX_DEPTH = 100


class Known:
    """What was found right before, of modules with the same classes at the same level.

    What an instruction says of itself is not checked again, only its place. A function is not
    looked at again as long as those it may call have the types they had.
    """

    def __init__(self) -> None:
        self.instrs: set[Instr] = set()
        self.functions: set[Function] = set()
        self.types: Mapping[str, tuple[object, ...]] = {}

    def update(self, module: Module) -> None:
        """Note the functions of a module, and forget what depends on those that it had before."""
        types = {n: (f.params, f.result) for n, f in module.functions.items()}
        if any(types.get(name) != before for name, before in self.types.items()):
            self.functions.clear()
        self.types = types


def verify(module: Module, *, level: Level = Level.CORE, known: Known | None = None) -> None:
    """Check `module`; low ops may stand in it only at `Level.LOW`.  Raises InvalidIRError.

    What is in `known` is not checked again; it gains what is found right.
    """
    known = known or Known()
    known.update(module)
    check_declarations(module)
    if level is not Level.LOW:
        check_not_reserved(module)
    for declaration in module.classes.values():
        for _, type_ in declaration.fields:
            check_type(type_, module.classes)
    for function in module.functions.values():
        if function not in known.functions:
            _FunctionChecker(module, function, level, known.instrs).run()
            known.functions.add(function)


def check_type(type_: Type, classes: Mapping[str, ClassDecl]) -> None:
    """Check that `type_` names classes of the module and is no monster.  Raises InvalidIRError."""
    if excess := excess_of(type_):
        raise InvalidIRError(excess)
    _check_names(type_, classes)


def _check_names(type_: Type, classes: Mapping[str, ClassDecl]) -> None:
    match type_:
        case ClassType(name) if name not in classes:
            raise InvalidIRError(f"there is no class @{name}")
        case TensorType(_, dims) if not all(map(_is_size, dims)):
            raise InvalidIRError(f"a size in {type_} is no number, no symbol and not unknown")
        case NamedType() if problem := problem_of(type_):
            raise InvalidIRError(problem)
        case OptionalType(item) if item is NONE or isinstance(item, OptionalType):
            raise InvalidIRError(f"{item} cannot be optional once more")
        case UnionType(members) if not _is_alone(type_) and union_of(members) != type_:
            raise InvalidIRError(f"{type_} is no union in normal form")
        case _:
            for part in parts_of(type_):
                _check_names(part, classes)


def _is_alone(type_: UnionType) -> bool:
    """Whether values of a type hold nothing but their like: it is what an item is called."""
    return isinstance(type_, RecursiveUnion) and len(type_.members) == 1


def _is_size(dim: Dim) -> bool:
    # Of sums and multiples, which the text form has, nothing proves that they fit 64 bits.
    if dim.is_constant:
        return 0 <= dim.constant <= INT_MAX
    return not dim.known or lone_symbol(dim) is not None


def _runs_to_its_end(region: Instr) -> bool:
    """Whether no exit leaves a region but where its iterations are over."""
    return region.op in (low.LOOP, low.REDUCE) or "grows" in region.attrs


class _BrokenRuleError(Exception):
    """A rule is broken; whoever catches it knows where."""


class _FunctionChecker:
    def __init__(self, module: Module, function: Function, level: Level, known: set[Instr]) -> None:
        self._known = known
        self._module = module
        self._function = function
        self._level = level
        self._defined: set[Value] = set()
        self._visible: set[Value] = set()
        self._made: set[Value] = set()  # arrays in C order, whoever wrote the module
        self._labels: set[Label] = set()
        # The regions around the instruction, outermost first; None stands for the function.
        self._around: list[tuple[Label, Instr | None]] = []
        self._checked_types: set[Type] = set()
        self._rules: Mapping[object, Callable[[Instr], None]] = {
            control.CALL: self._call,
            low.LAUNCH: self._launch,
            data.NEW: self._new,
            data.FIELD: self._field,
            data.SET_FIELD: self._set_field,
            classes.UPCAST: self._upcast,
            classes.DOWNCAST: self._downcast,
            classes.IS_INSTANCE: self._is_instance,
            exceptions.OBJECT_OF: self._object_of,
            exceptions.IS_OBJECT: self._object_of,
            exceptions.EXCEPTION_OF: self._exception_of,
            control.EXIT: self._exit,
            control.IF: self._plain_region,
            control.BLOCK: self._plain_region,
            control.FOR: self._for,
            control.WHILE: self._while,
            control.TRY: self._try,
            arrays.RECORD_FIELD: self._record_field,
            low.LOOP: self._loop,
            low.REDUCE: self._reduce,
        }

    def run(self) -> None:
        function = self._function
        try:
            self._type(function.result)
            self._enter(function.label, None)
            if function.body.params:
                raise _BrokenRuleError("the block of a function has no parameters of its own")
            self._given(function)
            self._block(function.params, function.body, 1)
        except _BrokenRuleError as error:
            raise InvalidIRError(f"@{function.name}: {error}") from error

    def _given(self, function: Function) -> None:
        given = function.given
        pairs = (v for pair in given.apart for v in pair)
        named = [*given.dense, *pairs, *(array for array, _ in given.several)]
        if named and self._level is not Level.LOW:
            raise _BrokenRuleError("only low IR says what callers make sure of")
        if any(v not in function.params or not isinstance(v.type, TensorType) for v in named):
            raise _BrokenRuleError("what callers make sure of is about arrays among the parameters")
        ranks = (
            (array.type.rank, axis)
            for array, axis in given.several
            if isinstance(array.type, TensorType)
        )
        if any(not 0 <= axis < rank for rank, axis in ranks):
            raise _BrokenRuleError("callers make sure of an axis that is not there")

    def _block(self, params: Sequence[Value], block: Block, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise _BrokenRuleError(f"blocks are more than {MAX_DEPTH} deep")
        if not block.body:
            raise _BrokenRuleError("a block without a terminator")
        local = list(params)
        self._define(params)
        for number, instr in enumerate(block.body, 1):
            self._instr(instr, number == len(block.body), depth)
            self._define(instr.results)
            local += instr.results
        self._visible.difference_update(local)

    def _instr(self, instr: Instr, last: bool, depth: int) -> None:
        try:
            if (instr.op in _TERMINATORS) is not last:
                raise _BrokenRuleError("the last instruction of a block is its only terminator")
            self._uses(instr)
            if instr not in self._known:
                self._shape(instr)
                self._results(instr)
                self._known.add(instr)
            if rule := self._rules.get(instr.op):
                rule(instr)
        except (OpTypeError, _BrokenRuleError, DimMismatchError) as error:
            raise InvalidIRError(
                f"@{self._function.name}: {error}\n  {self._line(instr)}"
            ) from error
        if instr.op in (arrays.FULL, arrays.EMPTY):
            self._made.update(instr.results)
        if instr.label:
            self._enter(instr.label, instr)
            for block in instr.blocks:
                self._block(block.params, block, depth + 1)
            self._around.pop()

    def _line(self, instr: Instr) -> str:
        # Inside a function: valid IR is not written.
        from scriptc_runtime.text.writer import Names, instr_text, write_function

        # With the numbers that the text of the whole function has.
        names: Names = {}
        write_function(self._function, names=names)
        return instr_text(instr, names)

    def _define(self, values: Sequence[Value]) -> None:
        for value in values:
            if value in self._defined:
                raise _BrokenRuleError(f"{value!r} is defined twice")
            self._type(value.type)
            self._defined.add(value)
            self._visible.add(value)

    def _type(self, type_: Type) -> None:
        if type_ not in self._checked_types:
            try:
                check_type(type_, self._module.classes)
            except InvalidIRError as error:
                raise _BrokenRuleError(str(error)) from error
            self._checked_types.add(type_)

    def _enter(self, label: Label, instr: Instr | None) -> None:
        if label in self._labels:
            raise _BrokenRuleError(f"{label!r} stands for two regions")
        self._labels.add(label)
        self._around.append((label, instr))

    def _shape(self, instr: Instr) -> None:
        op = instr.op
        if OPS.get(op.name) is not op:
            raise _BrokenRuleError(f"{op.name} is no op of the table")
        if op.level is Level.LOW and self._level is not Level.LOW:
            raise _BrokenRuleError("a low op")
        if instr.cleanup and self._level is not Level.LOW:
            raise _BrokenRuleError("only low IR says what is cleaned up")
        region = op in _REGIONS
        if (instr.label is not None) is not region or len(instr.blocks) != op.blocks:
            raise _BrokenRuleError(f"{op.name} has {op.blocks} blocks" + " and a label" * region)
        if (instr.target is not None) is not (op is control.EXIT):
            raise _BrokenRuleError("only an exit has a target")

    def _uses(self, instr: Instr) -> None:
        for value in (*instr.operands, *instr.cleanup):
            if value not in self._visible:
                state = "out of its block" if value in self._defined else "before its definition"
                raise _BrokenRuleError(f"{value!r} is used {state}")

    def _results(self, instr: Instr) -> None:
        inferred = result_types(instr.op, [v.type for v in instr.operands], instr.attrs)
        for value in instr.attrs.values():
            if isinstance(value, TYPES):
                self._type(value)
        if instr.op in _REGIONS:
            return
        declared = tuple([v.type for v in instr.results])
        if declared == inferred:
            return
        if len(inferred) != len(declared):
            raise _BrokenRuleError(f"{len(declared)} results, the op has {len(inferred)}")
        for have, want in zip(inferred, declared, strict=True):
            if not assignable(have, want):
                raise _BrokenRuleError(f"declared {want}, the op gives {have}")

    def _fit(self, values: Sequence[Value], types: Sequence[Type], what: str) -> None:
        have = [v.type for v in values]
        if len(have) != len(types) or not all(map(assignable, have, types)):
            found = join_types(have) if have else "nothing"
            wanted = join_types(types) if types else "nothing"
            raise _BrokenRuleError(f"{what}: {found} where {wanted} is declared")

    def _exit(self, instr: Instr) -> None:
        assert instr.target is not None  # `_shape` saw it
        position = len(self._around) - 1
        while position >= 0 and self._around[position][0] is not instr.target.label:
            _, crossed = self._around[position]
            if crossed and _runs_to_its_end(crossed):
                raise _BrokenRuleError(f"the exit leaves a {crossed.op.name} before its end")
            position -= 1
        if position < 0:
            raise _BrokenRuleError(f"{instr.target.label!r} is not around the exit")
        region = self._around[position][1]
        self._fit(instr.operands, self._carried(region, instr.target.next), "exit")

    def _carried(self, region: Instr | None, next_round: bool) -> list[Type]:
        """Return the types of what an exit carries."""
        if region is None:
            if next_round:
                raise _BrokenRuleError("a function has no next iteration")
            return [self._function.result]
        results = [v.type for v in region.results]
        if not next_round:
            if _runs_to_its_end(region):
                raise _BrokenRuleError(f"the exit leaves a {region.op.name} before its end")
            return results
        match region.op:
            case control.FOR:
                return [v.type for v in region.blocks[0].params[1:]]
            case control.WHILE:
                return [v.type for v in region.blocks[0].params]
            case low.LOOP | low.REDUCE:
                return results
            case _:
                raise _BrokenRuleError(f"{region.op.name} has no next iteration")

    def _params(self, instr: Instr, *types: Sequence[Type]) -> None:
        for block, expected in zip(instr.blocks, types, strict=True):
            if [p.type for p in block.params] != list(expected):
                wanted = join_types(expected) if expected else "nothing"
                raise _BrokenRuleError(f"the parameters of a block must be {wanted}")

    def _plain_region(self, instr: Instr) -> None:
        nothing: list[Type] = []
        self._params(instr, *(nothing for _ in instr.blocks))

    def _for(self, instr: Instr) -> None:
        params = instr.blocks[0].params
        if not params or params[0].type is not INT:
            raise _BrokenRuleError("the first parameter of the block is the int that counts")
        self._fit(instr.operands[3:], [p.type for p in params[1:]], "first iteration")
        self._fit(params[1:], [v.type for v in instr.results], "end of the range")
        grows = instr.attrs.get("grows")
        if isinstance(grows, tuple) and len(grows) != len(params) - 1:
            raise _BrokenRuleError("grows says for each carried value how it grows")

    def _while(self, instr: Instr) -> None:
        self._fit(instr.operands, [p.type for p in instr.blocks[0].params], "first iteration")

    def _try(self, instr: Instr) -> None:
        self._params(instr, [], [EXCEPTION])

    def _record_field(self, instr: Instr) -> None:
        # What a caller gives may have gaps, or one byte for all records.
        if self._level is not Level.LOW and instr.operands[0] not in self._made:
            raise _BrokenRuleError("the bytes of records are not those of a new array")

    def _loop(self, instr: Instr) -> None:
        self._params(instr, [DType.I64])
        if instr.results:
            raise _BrokenRuleError("a loop has no results")

    def _reduce(self, instr: Instr) -> None:
        self._params(instr, [DType.I64])
        types = {r.type for r in instr.results}
        if len(types) != 1 or not all(isinstance(t, DType) for t in types):
            raise _BrokenRuleError("the results of a reduce are NumPy scalars of one type")

    def _callee(self, instr: Instr) -> Function | Extern:
        try:
            return self._module.callee(instr)
        except KeyError:
            raise _BrokenRuleError(f"there is no function @{instr.attrs['callee']}") from None

    def _call(self, instr: Instr) -> None:
        callee = self._callee(instr)
        given, wanted = len(instr.operands), len(callee.params)
        if given != wanted:
            raise _BrokenRuleError(f"@{callee.name} takes {wanted} arguments, not {given}")
        dims = bind_dims([p.type for p in callee.params], [v.type for v in instr.operands])
        result = substitute_dims(callee.result, dims)
        # What the attribute says is what a pass takes the result for.
        if not assignable(result, cast(Type, instr.attrs["result"])):
            raise _BrokenRuleError(f"@{callee.name} returns {result}")

    def _launch(self, instr: Instr) -> None:
        kernel = self._callee(instr)
        if [v.type for v in instr.operands[:1]] != [DType.I64]:
            raise _BrokenRuleError("the count of a launch is i64")
        types = [p.type for p in kernel.params]
        if types[-2:] != [DType.I64] * 2 or len(types) != len(instr.operands) + 1:
            raise _BrokenRuleError(f"@{kernel.name} is no kernel of these arguments")
        bind_dims(types[:-2], [v.type for v in instr.operands[1:]])

    def _class(self, name: str) -> ClassDecl:
        if name not in self._module.classes:
            raise _BrokenRuleError(f"there is no class @{name}")
        return self._module.classes[name]

    def _field_type(self, class_name: str, name: str) -> Type:
        """Return a field's type as it is outside the instance: the class's symbols are unknown."""
        declaration = self._class(class_name)
        if name not in dict(declaration.fields):
            raise _BrokenRuleError(f"class @{class_name} has no field {name}")
        return substitute_dims(declaration.field_type(name), {})

    def _new(self, instr: Instr) -> None:
        class_name, fields = str(instr.attrs["cls"]), instr.attrs["fields"]
        assert isinstance(fields, tuple)
        declared = [name for name, _ in self._class(class_name).fields]
        if list(fields) != declared:
            raise _BrokenRuleError(f"the fields of @{class_name} are {', '.join(declared)}")
        types = [self._field_type(class_name, name) for name in declared]
        self._fit(instr.operands, types, "fields")

    def _field(self, instr: Instr) -> None:
        owner = instr.operands[0].type
        if isinstance(owner, Container):
            return  # the type rule knows its fields
        assert isinstance(owner, ClassType)  # the type rule saw it
        type_ = self._field_type(owner.name, str(instr.attrs["name"]))
        if instr.attrs["type"] != type_:
            raise _BrokenRuleError(f"field {instr.attrs['name']} is {type_}")

    def _upcast(self, instr: Instr) -> None:
        (value,) = instr.operands
        for name, base in classes.classes_widened(value.type, instr.result.type) or ():
            self._require_base(name, base)

    def _downcast(self, instr: Instr) -> None:
        for name in self._tested_classes(instr):
            self._require_base(name, str(instr.attrs["cls"]))

    def _object_of(self, instr: Instr) -> None:
        named = instr.attrs["classes"]
        for name in named if isinstance(named, tuple) else ():
            self._require_base(str(name), str(instr.attrs.get("cls", name)))

    def _exception_of(self, instr: Instr) -> None:
        owner = instr.operands[1].type
        assert isinstance(owner, ClassType)  # the type rule saw it
        fields = dict(self._module.classes[owner.name].fields)
        if fields.get(EXCEPTION_FIELD) is not EXCEPTION:
            raise _BrokenRuleError(f"objects of class @{owner.name} are no exceptions")

    def _is_instance(self, instr: Instr) -> None:
        self._tested_classes(instr)

    def _tested_classes(self, instr: Instr) -> Sequence[str]:
        owner, named = instr.operands[0].type, instr.attrs["classes"]
        assert isinstance(owner, ClassType)  # the type rule saw it
        names = [str(name) for name in named] if isinstance(named, tuple) else []
        for name in names:
            self._require_base(name, owner.name)
        return names

    def _require_base(self, name: str, base: str) -> None:
        self._class(name)
        if base not in names_of_line(name, self._module.classes):
            raise _BrokenRuleError(f"class @{name} does not inherit from @{base}")

    def _set_field(self, instr: Instr) -> None:
        owner, value = instr.operands
        if isinstance(owner.type, Container):
            return  # as above
        assert isinstance(owner.type, ClassType)  # the type rule saw it
        self._fit([value], [self._field_type(owner.type.name, str(instr.attrs["name"]))], "field")
