"""IR functions for Python's view of instances: they read and write fields, and make instances."""

from collections.abc import Sequence

from scriptc.backends.llvm.entry.entry import EntrySpec, ParameterSpec
from scriptc.classes.scripted_class import ClassState, line_of_states
from scriptc.values.kinds import Parameter
from scriptc_runtime.ir import Builder, ClassDecl, Function, Label, Module, Role, Value
from scriptc_runtime.ops import data
from scriptc_runtime.reserved import MAKER_PREFIX
from scriptc_runtime.types import NONE, ClassType, Type, holds_list, substitute_dims


def declaration(state: ClassState) -> ClassDecl:
    """Return a scripted class as modules declare it."""
    fields = tuple((field.name, field.type) for field in state.fields)
    line = line_of_states(state.live)
    return ClassDecl(state.live.__name__, fields, line[1].live.__name__ if line[1:] else None)


def accessors(
    name: str, fields: Sequence[Parameter], classes: Sequence[ClassDecl]
) -> tuple[Module, list[EntrySpec]]:
    """Return a module with a reader and a writer for each field, in order, and their entries."""
    functions: dict[str, Function] = {}
    specs: list[EntrySpec] = []
    for field in fields:
        reader, writer = _reader(name, field), _writer(name, field)
        functions |= {reader.name: reader, writer.name: writer}
        me = ParameterSpec("self", ClassType(name))
        value = _kept(field.name, field.type)
        specs += [EntrySpec(reader.name, (me,)), EntrySpec(writer.name, (me, value))]
    return Module(functions, {c.name: c for c in classes}), specs


def maker(declared: ClassDecl) -> Function:
    """Return the function that makes an instance of the values of its fields."""
    values = tuple(Value(substitute_dims(t, {}), name) for name, t in declared.fields)
    names = tuple(name for name, _ in declared.fields)
    label, code = Label("return"), Builder()
    code.open()
    code.exit(label, code.emit(data.NEW, *values, cls=declared.name, fields=names))
    type_ = ClassType(declared.name)
    name, role = MAKER_PREFIX + declared.name, Role.MAKER
    return Function(name, values, type_, code.close(), label, role=role)


def maker_of(
    name: str, fields: Sequence[Parameter], classes: Sequence[ClassDecl]
) -> tuple[Module, list[EntrySpec]]:
    """Return a module with what makes an instance of the values of its fields, and its entry."""
    made = maker(ClassDecl(name, tuple((f.name, f.type) for f in fields)))
    return Module({made.name: made}, {c.name: c for c in classes}), [
        EntrySpec(made.name, tuple(_kept(p.name, p.type) for p in made.params))
    ]


def _kept(name: str, type_: Type) -> ParameterSpec:
    """Return a parameter that an instance keeps: a method may write to an array that is kept.

    A list is copied, and the copy is kept.
    """
    return ParameterSpec(name, type_, writes=not holds_list(type_))


def _reader(name: str, field: Parameter) -> Function:
    me, label, code = Value(ClassType(name), "self"), Label("return"), Builder()
    code.open()
    code.exit(label, code.emit(data.FIELD, me, name=field.name, type=field.type))
    return Function(f"{name}.{field.name}.get", (me,), field.type, code.close(), label)


def _writer(name: str, field: Parameter) -> Function:
    me, value = Value(ClassType(name), "self"), Value(field.type, field.name)
    label, code = Label("return"), Builder()
    code.open()
    code.effect(data.SET_FIELD, me, value, name=field.name)
    code.exit(label, code.emit(data.CONST, value=None))
    return Function(f"{name}.{field.name}.set", (me, value), NONE, code.close(), label)
