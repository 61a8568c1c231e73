"""LLVM code that makes Python objects of the values that scripted functions return.

The value's count is taken over. Where there is no memory for the object, the count is dropped and
the result is null, with CPython's exception set.
"""

from collections.abc import Callable, Mapping, Sequence

from scriptc.backends.llvm.emitter import class_tags, exceptions
from scriptc.backends.llvm.emitter.function import SELDOM, Components, Emitter, ModuleState
from scriptc.backends.llvm.emitter.layout import Layout, type_numbers
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.loading.abi import BoundaryError
from scriptc_runtime.ir import heirs_of
from scriptc_runtime.record import record
from scriptc_runtime.types import (
    REFERENCES,
    ClassType,
    Container,
    DequeType,
    DictType,
    DType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)
from scriptc_runtime.values import EXCEPTION_FIELD

# Which routine makes an object like a value, which it leaves alone.
_WAYS_OUT: Mapping[PyType, str] = {
    PyType.STR: "text_out",
    PyType.BYTES: "text_bytes_out",
    PyType.BIGINT: "bigint_out",
}


@record(frozen=False)
class Boxer:
    """Writes the making of one function's result."""

    e: Emitter
    layout: Layout
    # Names the function that copies a list of this type; None where no list is expected.
    list_out: Callable[[ModuleState, Layout, ListType | Container], str] | None = None
    cupys: bool = False  # arrays become CuPy's
    wraps: bool = False  # the object of a class is one that something of Python's is made of
    memo: str = "null"  # which objects lists that were given are, as `lists.py` says

    def box(self, type_: Type, components: Components) -> str:
        """Return the object, or null.  Raises BoundaryError."""
        match type_:
            case PyType():
                return self._python_value(type_, components)
            case DType.B1:
                true, false = (self.e.python_object(f"numpy.{n}") for n in ("True_", "False_"))
                return self._new(self.e.let(f"select i1 {components[0]}, ptr {true}, ptr {false}"))
            case DType():
                return self._numpy_scalar(type_, components)
            case TensorType():
                return self._array(type_, components)
            case TupleType(items):
                return self._tuple(items, components)
            case OptionalType() | UnionType():
                return self._one_of_several(type_, components)
            case ClassType(name):
                made = self._instance(name, components[0])
                return self._named(name, made) if self.wraps else made
            case NamedType(name, base):
                return self._named(name, self.box(base, components))
            case ListType() | DictType() | SetType() | DequeType() if self.list_out:
                return self._list(self.list_out(self.e.state, self.layout, type_), components[0])
            case other:
                raise BoundaryError(f"{other} cannot be a result for Python")

    def _one_of_several(self, type_: OptionalType | UnionType, components: Components) -> str:
        if isinstance(type_, OptionalType):
            return self._optional(type_.item, components)
        return self._union(type_, components)

    def _named(self, name: str, made: str) -> str:
        """Return an object of a class of the user's, made of what it is in scripts."""
        self.e.state.routines.add("box_named")
        maker = self.e.python_object(f"make {name}")
        return self.e.let(f"call ptr @sc.box_named(ptr {made}, ptr {maker})")

    def _new(self, obj: str) -> str:
        """Return an object that lives anyway, with a reference of its own."""
        self.e.declare("declare void @Py_IncRef(ptr)")
        self.e.write(f"call void @Py_IncRef(ptr {obj})")
        return obj

    def _python_value(self, type_: PyType, components: Components) -> str:
        e = self.e
        match type_:
            case PyType.INT:
                return e.intrinsic("ptr", "@PyLong_FromLongLong", f"i64 {components[0]}")
            case PyType.FLOAT:
                return e.intrinsic("ptr", "@PyFloat_FromDouble", f"double {components[0]}")
            case PyType.COMPLEX:
                parts = (f"double {component}" for component in components)
                return e.intrinsic("ptr", "@PyComplex_FromDoubles", *parts)
            case PyType.BOOL:
                wide = e.let(f"zext i1 {components[0]} to i64")
                return e.intrinsic("ptr", "@PyBool_FromLong", f"i64 {wide}")
            case PyType.NONE:
                e.declare("@_Py_NoneStruct = external global i8")
                return self._new("@_Py_NoneStruct")
            case PyType.STR | PyType.BYTES | PyType.BIGINT:
                return self._copied(type_, components[0])
            case PyType() if type_ in REFERENCES:
                return components[0]
            case PyType.EXCEPTION:
                return self._exception("exception_object", components)
            case PyType.EXCEPTION_ARGS:
                return self._exception("given_args", components)
            case _:
                raise BoundaryError(f"{type_} cannot be a result for Python")

    def _copied(self, type_: PyType, block: str) -> str:
        routine = _WAYS_OUT[type_]
        self.e.state.routines.add(routine)
        obj = self.e.let(f"call ptr @sc.{routine}(ptr {block})")
        self.e.release(type_, (block,))
        return obj

    def _exception(self, question: str, components: Components) -> str:
        obj = exceptions.asked_of(self.e, question, components)
        self.e.release(PyType.EXCEPTION, components)
        return obj

    def _numpy_scalar(self, dtype: DType, components: Components) -> str:
        e = self.e
        type_ = self.e.python_object(f"numpy.{dtype.numpy.type.__name__}")
        obj = e.intrinsic("ptr", "@PyType_GenericAlloc", f"ptr {type_}", "i64 0")
        fill, done = e.label(), e.label()
        e.branch(e.let(f"icmp eq ptr {obj}, null"), done, fill, SELDOM)
        e.start(fill)
        at = e.let(f"getelementptr i8, ptr {obj}, i64 {self.layout.scalar_value}")
        for index, (part, value) in enumerate(zip(abi.flatten(dtype), components, strict=True)):
            place = e.let(f"getelementptr {part}, ptr {at}, i64 {index}") if index else at
            e.write(f"store {part} {value}, ptr {place}")
        e.jump(done)
        e.start(done)
        return obj

    def _array(self, type_: TensorType, components: Components) -> str:
        e = self.e
        numbers = type_numbers(type_.dtype.numpy)
        data, owner, *rest = components
        sizes, steps = rest[: type_.rank], rest[type_.rank :]
        shape, strides = self._vector(sizes), self._vector(steps, type_.dtype.itemsize)
        if self.cupys:
            e.state.routines.add("box_device_array")
            return e.let(
                f"call ptr @sc.box_device_array(ptr {data}, ptr {owner}, i32 {type_.rank},"
                f" ptr {shape}, ptr {strides}, i32 {numbers[0]}, i32 {numbers[-1]},"
                f" i64 {type_.dtype.itemsize})"
            )
        e.state.routines.add("box_array")
        return e.let(
            f"call ptr @sc.box_array(ptr {data}, ptr {owner}, i32 {type_.rank}, ptr {shape},"
            f" ptr {strides}, i32 {numbers[0]})"
        )

    def _vector(self, values: list[str], factor: int = 1) -> str:
        """Store numbers one after the other and return where."""
        e = self.e
        if not values:
            return "null"
        base = e.alloca(f"[{len(values)} x i64]")
        for index, value in enumerate(values):
            scaled = value if factor == 1 else e.let(f"mul i64 {value}, {factor}")
            at = e.let(f"getelementptr i64, ptr {base}, i64 {index}")
            e.write(f"store i64 {scaled}, ptr {at}")
        return base

    def _tuple(self, items: tuple[Type, ...], components: Components) -> str:
        e = self.e
        objects: list[str] = []
        at = 0
        for item in items:
            width = len(abi.flatten(item))
            objects.append(self.box(item, components[at : at + width]))
            at += width
        base = e.alloca(f"[{max(len(objects), 1)} x ptr]")
        for index, obj in enumerate(objects):
            place = e.let(f"getelementptr ptr, ptr {base}, i64 {index}")
            e.write(f"store ptr {obj}, ptr {place}")
        e.state.routines.add("box_tuple")
        return e.let(f"call ptr @sc.box_tuple(ptr {base}, i64 {len(objects)})")

    def _list(self, function: str, block: str) -> str:
        e = self.e
        obj = e.let(f"call ptr {function}(ptr {block}, ptr {self.memo})")
        e.declare("declare void @sc_release(ptr)")
        e.write(f"call void @sc_release(ptr {block})")
        return obj

    def _optional(self, item: Type, components: Components) -> str:
        e = self.e
        some, none, done = e.label(), e.label(), e.label()
        e.branch(components[0], some, none)
        e.start(some)
        obj = self.box(item, components[1:])
        from_some = e.block
        e.jump(done)
        e.start(none)
        absent = self._python_value(PyType.NONE, ())
        e.jump(done)
        e.start(done)
        return e.let(f"phi ptr [ {obj}, %{from_some} ], [ {absent}, %{none} ]")

    def _union(self, type_: UnionType, components: Components) -> str:
        e, members = self.e, type_.members
        arms, done = [e.label() for _ in members], e.label()
        # A tag is below the number of members: the last arm stands for all others.
        cases = " ".join(f"i8 {place}, label %{arm}" for place, arm in enumerate(arms[:-1]))
        e.write(f"switch i8 {components[0]}, label %{arms[-1]} [{cases}]")
        ways: list[str] = []
        for member, slot, arm in zip(members, abi.slots_of(type_), arms, strict=True):
            e.start(arm)
            obj = self.box(member, components[slot])
            ways.append(f"[ {obj}, %{e.block} ]")
            e.jump(done)
        e.start(done)
        return e.let(f"phi ptr {', '.join(ways)}")

    def _instance(self, name: str, handle: str) -> str:
        e = self.e
        fields = e.state.module.classes[name].fields
        if EXCEPTION_FIELD in dict(fields):
            return self._raised(fields, handle)
        class_ = e.python_object(f"class {name}")
        for heir in heirs_of(name, e.state.module.classes):
            is_heir, other = (
                class_tags.is_one_of(e, handle, (heir,)),
                e.python_object(f"class {heir}"),
            )
            class_ = e.let(f"select i1 {is_heir}, ptr {other}, ptr {class_}")
        e.state.routines.add("box_instance")
        return e.let(f"call ptr @sc.box_instance(ptr {handle}, ptr {class_})")

    def _raised(self, fields: Sequence[tuple[str, Type]], block: str) -> str:
        """Return the exception that an object of a class of exceptions is."""
        e = self.e
        place = [name for name, _ in fields].index(EXCEPTION_FIELD)
        first = sum(len(abi.flatten(type_)) for _, type_ in fields[:place])
        offsets = abi.offsets_of(TupleType(tuple(type_ for _, type_ in fields)))[first:]
        parts: list[str] = []
        for type_, offset in zip(abi.EXCEPTION_COMPONENTS[:-1], offsets, strict=False):
            at = e.let(f"getelementptr i8, ptr {block}, i64 {abi.INSTANCE_FIELDS + offset}")
            parts.append(e.let(f"load {type_}, ptr {at}"))
        e.retain(PyType.EXCEPTION, (*parts, "null"))
        return self._exception("exception_object", (*parts, block))
