"""LLVM code that checks the type of a Python object and reads what is in it.

API calls are made only where the layout does not tell.

Nothing here has an effect that must be undone: where a check fails, control goes to `miss`, and
the next specialisation or the slow path looks at the same objects.
"""

from collections.abc import Iterator, Mapping

from scriptc.backends.llvm.emitter.function import MOSTLY, Components, Emitter
from scriptc.backends.llvm.emitter.layout import ArrayFlag, IntForm, Layout, type_numbers
from scriptc.backends.llvm.emitter.literals import zeros
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.loading.abi import BoundaryError
from scriptc.backends.llvm.loading.heap_types import INSTANCE_HANDLE
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import heirs_of
from scriptc_runtime.named_classes import OF_INDICES
from scriptc_runtime.record import field, record
from scriptc_runtime.types import (
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
    parts_of,
)

_FOREIGN_ORDER = ord(">")  # `layout` refuses big-endian machines


@record
class Axis:
    """An axis of an argument: what its size should be, and what it is where `present` holds."""

    dim: Dim
    size: str
    present: str = "true"


def axes_of(type_: Type, components: Components, present: str = "true") -> Iterator[Axis]:
    """Yield the axes of the arrays in an argument, all but those in lists."""
    match type_:
        case TensorType(_, dims):
            for dim, size in zip(dims, abi.tensor_parts(components).sizes, strict=True):
                yield Axis(dim, size, present)
        case TupleType(items):
            at = 0
            for item in items:
                width = len(abi.flatten(item))
                yield from axes_of(item, components[at : at + width], present)
                at += width
        case OptionalType(item):
            yield from axes_of(item, components[1:], components[0])
        case _:
            return


def require_checkable(function: str, parameter: str, type_: Type) -> None:
    """Refuse a parameter with sizes that no entry checks.  Raises BoundaryError."""
    for part in _unchecked(type_):
        sized = next(_sized(part))
        error = BoundaryError(
            f"the sizes in {part} cannot be checked",
            f"leave them open: {sized.dtype.value}[{', '.join(['...'] * sized.rank)}]",
        )
        raise error.inside(f"{function}(): parameter {parameter!r}")


def _unchecked(type_: Type, *, optional: bool = False) -> Iterator[Type]:
    """Yield the parts of a type whose sizes `axes_of` does not give."""
    match type_:
        case TupleType(items):
            for item in items:
                yield from _unchecked(item, optional=optional)
        case OptionalType(item) if not optional:
            yield from _unchecked(item, optional=True)
        case _ if isinstance(type_, OptionalType | ListType | Container) and any(_sized(type_)):
            yield type_
        case _:
            return


def _sized(type_: Type) -> Iterator[TensorType]:
    """Yield the arrays in a type of which a size is known."""
    if isinstance(type_, TensorType) and any(dim.known for dim in type_.dims):
        yield type_
    for part in parts_of(type_):
        yield from _sized(part)


# The class of the objects, and the routine that copies one, or gives null.
_COPIED: Mapping[PyType, tuple[str, str]] = {
    PyType.STR: ("PyUnicode_Type", "text_in"),
    PyType.BYTES: ("PyBytes_Type", "text_bytes_in"),
    PyType.BIGINT: ("PyLong_Type", "bigint_in"),
}


def copied_by(routine: str) -> PyType:
    """Return a type whose values are counted as what a routine of `texts` gives."""
    return PyType.BIGINT if routine == "bigint_in" else PyType.STR


@record(frozen=False)
class Unboxer:
    """Writes the checks of one function's arguments.

    `miss` is the block for objects of other types. A list is only seen to be one: its component is
    a name that whoever copies the list must define (`lists`: name, type, object). It is the same
    with a str, with bytes and with an int of any size (`texts`: name, the routine that copies it,
    object, which is null where there is none). `cupys`: arrays are CuPy's.
    """

    e: Emitter
    layout: Layout
    miss: str
    lists: list[tuple[str, ListType | Container, str]] = field(
        default_factory=list[tuple[str, ListType | Container, str]]
    )
    texts: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    cupys: bool = False

    def unbox(
        self,
        type_: Type,
        obj: str,
        *,
        writes: bool = False,
        converts: bool = False,
        dense: bool = False,
    ) -> Components:
        """Return the components of an object.  Raises BoundaryError.

        `writes`: the array, or those in the tuple, will be written. `converts`: an int is taken for
        a float, where exact. `dense`: the array must be in C order.
        """
        match type_:
            case PyType():
                return self._python_value(type_, obj, converts=converts)
            case DType():
                return self._numpy_scalar(type_, obj)
            case TensorType():
                return self._array(type_, obj, writes=writes, dense=dense)
            case TupleType():
                return self._tuple(type_, obj, writes=writes)
            case OptionalType() | UnionType():
                return self._one_of_several(type_, obj, writes=writes)
            case ListType() | DictType() | SetType() | DequeType():
                self._container(type_, obj)
                name = self.e.fresh()
                self.lists.append((name, type_, obj))
                return (name,)
            case ClassType(name):
                return (self._instance(name, obj),)
            case NamedType():
                return self._named(type_, obj, writes=writes)
            case other:
                raise BoundaryError(f"{other} cannot be an argument from Python")

    def _container(self, type_: ListType | Container, obj: str) -> None:
        name = _class_of(type_)
        if name.startswith("collections."):
            self._expect_type(obj, self.e.python_object(name))
        else:
            self._api_type(obj, name)

    # Reading memory.

    def load(self, type_: str, obj: str, offset: int) -> str:
        """Return a field of an object."""
        at = self.e.let(f"getelementptr i8, ptr {obj}, i64 {offset}")
        return self.e.let(f"load {type_}, ptr {at}")

    def expect(self, condition: str) -> None:
        """Go on only where `condition` holds."""
        good = self.e.label()
        self.e.branch(condition, good, self.miss, MOSTLY)
        self.e.start(good)

    def _expect_type(self, obj: str, type_: str) -> None:
        found = self.load("ptr", obj, self.layout.ob_type)
        self.expect(self.e.let(f"icmp eq ptr {found}, {type_}"))

    def _api_type(self, obj: str, name: str) -> None:
        self.e.declare(f"@{name} = external global i8")
        self._expect_type(obj, f"@{name}")

    # Python's values.

    def _python_value(self, type_: PyType, obj: str, *, converts: bool) -> Components:
        e = self.e
        match type_:
            case PyType.FLOAT if converts:
                return (self._float_or_int(obj),)
            case PyType.FLOAT:
                self._api_type(obj, "PyFloat_Type")
                return (self.load("double", obj, self.layout.float_value),)
            case PyType.COMPLEX:
                self._api_type(obj, "PyComplex_Type")
                return self._pair("double", obj, self.layout.complex_value)
            case PyType.INT:
                self._api_type(obj, "PyLong_Type")
                return (self._int(obj),)
            case PyType.BOOL:
                self._api_type(obj, "PyBool_Type")
                e.declare("@_Py_TrueStruct = external global i8")
                return (e.let(f"icmp eq ptr {obj}, @_Py_TrueStruct"),)
            case PyType.NONE:
                self.expect(self.is_none(obj))
                return ()
            case PyType.STR | PyType.BYTES | PyType.BIGINT:
                name, routine = _COPIED[type_]
                self._api_type(obj, name)
                return (self._text(routine, obj),)
            case PyType.GENERATOR | PyType.RANDOM_STATE | PyType.PYTHON_RANDOM:
                self._expect_type(obj, self.e.python_object(_source_class(type_)))
                return (obj,)
            case _:
                raise BoundaryError(f"{type_} cannot be an argument from Python")

    def _text(self, routine: str, obj: str) -> str:
        name = self.e.fresh()
        self.texts.append((name, routine, obj))
        return name

    def is_none(self, obj: str) -> str:
        """Return whether the object is None."""
        self.e.declare("@_Py_NoneStruct = external global i8")
        return self.e.let(f"icmp eq ptr {obj}, @_Py_NoneStruct")

    def _int(self, obj: str) -> str:
        """Return the value of an int: read where it has one digit, else asked of CPython."""
        e = self.e
        value, short = self._short_int(obj)
        from_short, longer, done = e.block, e.label(), e.label()
        e.branch(short, done, longer, MOSTLY)
        e.start(longer)
        overflow = e.alloca("i32")
        large = e.intrinsic("i64", "@PyLong_AsLongLongAndOverflow", f"ptr {obj}", f"ptr {overflow}")
        self.expect(e.let(f"icmp eq i32 {e.let(f'load i32, ptr {overflow}')}, 0"))
        from_long = e.block
        e.jump(done)
        e.start(done)
        return e.let(f"phi i64 [ {value}, %{from_short} ], [ {large}, %{from_long} ]")

    def _short_int(self, obj: str) -> tuple[str, str]:
        e = self.e
        size = self.load("i64", obj, self.layout.int_size)
        digit = e.let(f"zext i32 {self.load('i32', obj, self.layout.int_digit)} to i64")
        match self.layout.int_form:
            case IntForm.SIGNED_SIZE:
                up = e.let(f"add i64 {size}, 1")
                return e.let(f"mul i64 {size}, {digit}"), e.let(f"icmp ult i64 {up}, 3")
            case IntForm.TAGGED:
                sign = e.let(f"sub i64 1, {e.let(f'and i64 {size}, 3')}")
                return e.let(f"mul i64 {sign}, {digit}"), e.let(f"icmp ult i64 {size}, 16")

    def _float_or_int(self, obj: str) -> str:
        """Return a float, or a one-digit int as one; longer ints may not be exact."""
        e = self.e
        e.declare("@PyFloat_Type = external global i8")
        type_ = self.load("ptr", obj, self.layout.ob_type)
        is_float = e.let(f"icmp eq ptr {type_}, @PyFloat_Type")
        direct, other, done = e.label(), e.label(), e.label()
        e.branch(is_float, direct, other, MOSTLY)
        e.start(direct)
        value = self.load("double", obj, self.layout.float_value)
        e.jump(done)
        e.start(other)
        e.declare("@PyLong_Type = external global i8")
        self.expect(e.let(f"icmp eq ptr {type_}, @PyLong_Type"))
        whole, short = self._short_int(obj)
        self.expect(short)
        converted = e.let(f"sitofp i64 {whole} to double")
        from_int = e.block
        e.jump(done)
        e.start(done)
        return e.let(f"phi double [ {value}, %{direct} ], [ {converted}, %{from_int} ]")

    # NumPy's values.

    def _numpy_scalar(self, dtype: DType, obj: str) -> Components:
        self._expect_type(obj, self.e.python_object(f"numpy.{dtype.numpy.type.__name__}"))
        if dtype.kind == "c":
            return self._pair(abi.flatten(dtype)[0], obj, self.layout.scalar_value)
        value = self.load(abi.element(dtype), obj, self.layout.scalar_value)
        return (self.e.let(f"icmp ne i8 {value}, 0") if dtype is DType.B1 else value,)

    def _pair(self, part: str, obj: str, offset: int) -> Components:
        size = 4 if part == "float" else 8
        return self.load(part, obj, offset), self.load(part, obj, offset + size)

    def _array(
        self, type_: TensorType, obj: str, *, writes: bool, dense: bool = False
    ) -> Components:
        if self.cupys:
            return self._cupys(type_, obj)
        e, layout = self.e, self.layout
        self._api_type(obj, "PyArray_Type")
        needed = ArrayFlag.ALIGNED
        needed |= ArrayFlag.WRITEABLE if writes else ArrayFlag(0)
        needed |= ArrayFlag.C_CONTIGUOUS if dense else ArrayFlag(0)
        self._expect_array_kind(type_, obj, int(needed))
        shape = self.load("ptr", obj, layout.array_shape)
        strides = self.load("ptr", obj, layout.array_strides)
        sizes = [self.load("i64", shape, 8 * axis) for axis in range(type_.rank)]
        steps = [self.load("i64", strides, 8 * axis) for axis in range(type_.rank)]
        owner = e.let(f"getelementptr i8, ptr {obj}, i64 1")
        data = self.load("ptr", obj, layout.array_data)
        return (data, owner, *sizes, *self._in_elements(steps, type_.dtype.itemsize))

    def _cupys(self, type_: TensorType, obj: str) -> Components:
        """Return what there is of an array of CuPy's, which lies on a device."""
        e, rank, dtype = self.e, type_.rank, type_.dtype
        out = e.alloca(f"[{1 + 2 * rank} x i64]")
        numbers = type_numbers(dtype.numpy)
        align = dtype.numpy.alignment
        e.state.routines.add("read_device_array")
        self.expect(
            e.let(
                f"call i1 @sc.read_device_array(ptr {obj}, i64 {rank}, i32 {numbers[0]},"
                f" i32 {numbers[-1]}, i64 {align}, ptr {out})"
            )
        )
        data = self.load("ptr", out, 0)
        sizes = [self.load("i64", out, 8 + 8 * axis) for axis in range(rank)]
        steps = [self.load("i64", out, 8 + 8 * (rank + axis)) for axis in range(rank)]
        owner = e.let(f"getelementptr i8, ptr {obj}, i64 1")
        return (data, owner, *sizes, *self._in_elements(steps, dtype.itemsize))

    def _expect_array_kind(self, type_: TensorType, obj: str, needed: int) -> None:
        e, layout = self.e, self.layout
        descr = self.load("ptr", obj, layout.array_descr)
        number = self.load("i32", descr, layout.descr_type_num)
        known = [e.let(f"icmp eq i32 {number}, {n}") for n in type_numbers(type_.dtype.numpy)]
        order = self.load("i8", descr, layout.descr_byteorder)
        native = e.let(f"icmp ne i8 {order}, {_FOREIGN_ORDER}")
        rank = self.load("i32", obj, layout.array_ndim)
        flags = self.load("i32", obj, layout.array_flags)
        has = e.let(f"and i32 {flags}, {needed}")
        checks = [
            self._any(known),
            native,
            e.let(f"icmp eq i32 {rank}, {type_.rank}"),
            e.let(f"icmp eq i32 {has}, {needed}"),
        ]
        self.expect(self._all(checks))

    def _in_elements(self, steps: list[str], itemsize: int) -> list[str]:
        """Return strides in elements; one that is no multiple of an element is a miss."""
        e = self.e
        if itemsize == 1 or not steps:
            return steps
        bits = steps[0]
        for step in steps[1:]:
            bits = e.let(f"or i64 {bits}, {step}")
        rest = e.let(f"and i64 {bits}, {itemsize - 1}")
        self.expect(e.let(f"icmp eq i64 {rest}, 0"))
        shift = itemsize.bit_length() - 1
        return [e.let(f"ashr exact i64 {step}, {shift}") for step in steps]

    def _all(self, conditions: list[str]) -> str:
        result = conditions[0]
        for condition in conditions[1:]:
            result = self.e.let(f"and i1 {result}, {condition}")
        return result

    def _any(self, conditions: list[str]) -> str:
        result = conditions[0]
        for condition in conditions[1:]:
            result = self.e.let(f"or i1 {result}, {condition}")
        return result

    # Values made of others.

    def _tuple(self, type_: TupleType, obj: str, *, writes: bool) -> Components:
        self._api_type(obj, "PyTuple_Type")
        return self._items(type_, obj, writes=writes)

    def _items(self, type_: TupleType, obj: str, *, writes: bool) -> Components:
        """Return the items of a tuple, also of one of a class of the user's."""
        size = self.load("i64", obj, self.layout.tuple_size)
        self.expect(self.e.let(f"icmp eq i64 {size}, {len(type_.items)}"))
        components: list[str] = []
        for index, item in enumerate(type_.items):
            inner = self.load("ptr", obj, self.layout.tuple_items + 8 * index)
            components += self.unbox(item, inner, writes=writes)
        return tuple(components)

    def _one_of_several(
        self, type_: OptionalType | UnionType, obj: str, *, writes: bool
    ) -> Components:
        if isinstance(type_, UnionType):
            return self._union(type_, obj, writes=writes)
        item, e = type_.item, self.e
        absent = self.is_none(obj)
        from_none, some, done = e.block, e.label(), e.label()
        e.branch(absent, done, some)
        e.start(some)
        known = len(self.lists), len(self.texts)
        components = self.unbox(item, obj, writes=writes)
        from_some = e.block
        e.jump(done)
        e.start(done)
        ways = {from_none: ("false", *zeros(item)), from_some: ("true", *components)}
        owners = {name: from_some for name, _ in self._copied(known)}
        return self._joined(type_, ways, known, owners)

    def _union(self, type_: UnionType, obj: str, *, writes: bool) -> Components:
        """Try one member after the other: no two are of one kind."""
        e, miss = self.e, self.miss
        ways: dict[str, Components] = {}
        owners: dict[str, str] = {}  # the ends of the arms that lists and texts come from
        known, done = (len(self.lists), len(self.texts)), e.label()
        members, slots = type_.members, abi.slots_of(type_)
        for place, member in enumerate(members):
            self.miss = e.label() if place + 1 < len(members) else miss
            found = self.unbox(member, obj, writes=writes)
            parts = list(zeros(type_))
            parts[0], parts[slots[place]] = str(place), found
            ways[e.block] = tuple(parts)
            for name, _ in self._copied(known):
                owners.setdefault(name, e.block)
            e.jump(done)
            if place + 1 < len(members):
                e.start(self.miss)
        self.miss = miss
        e.start(done)
        return self._joined(type_, ways, known, owners)

    def _copied(self, known: tuple[int, int]) -> list[tuple[str, str]]:
        """Return the names and objects of the lists and texts that were met since."""
        lists = [(name, obj) for name, _, obj in self.lists[known[0] :]]
        return [*lists, *((name, obj) for name, _, obj in self.texts[known[1] :])]

    def _joined(
        self,
        type_: Type,
        ways: dict[str, Components],
        known: tuple[int, int],
        owners: dict[str, str],
    ) -> Components:
        """Return the components where several ways meet.

        A list or text that is copied later is null where another way was taken.
        """
        e = self.e
        late, objects = dict[str, str](), dict[str, str]()
        for name, obj in self._copied(known):
            late[name] = e.fresh()
            given = (f"[ {obj if block == owners[name] else 'null'}, %{block} ]" for block in ways)
            objects[name] = e.let(f"phi ptr {', '.join(given)}")
        self.lists[known[0] :] = [
            (late[name], t, objects[name]) for name, t, _ in self.lists[known[0] :]
        ]
        self.texts[known[1] :] = [
            (late[name], routine, objects[name]) for name, routine, _ in self.texts[known[1] :]
        ]
        return tuple(
            next((late[parts[i]] for parts in ways.values() if parts[i] in late), None)
            or e.let(f"phi {t} " + ", ".join(f"[ {p[i]}, %{block} ]" for block, p in ways.items()))
            for i, t in enumerate(abi.flatten(type_))
        )

    def _named(self, type_: NamedType, obj: str, *, writes: bool) -> Components:
        """Return what an object of a class of the user's is made of."""
        self._expect_type(obj, self.e.python_object(f"class {type_.name}"))
        if type_.kind in OF_INDICES:
            return self._bounds(type_, obj)
        if isinstance(type_.base, TupleType):
            return self._items(type_.base, obj, writes=writes)
        return self._member(type_, obj)

    def _bounds(self, type_: NamedType, obj: str) -> Components:
        """Return the bounds of a slice, which what calls loaded functions has in a tuple."""
        assert isinstance(type_.base, TupleType)
        e, layout = self.e, self.layout
        e.declare("@PyTuple_Type = external global i8")
        class_ = e.python_object(f"class {type_.name}")
        is_tuple = e.let(f"icmp eq ptr {class_}, @PyTuple_Type")
        start = e.let(f"select i1 {is_tuple}, i64 {layout.tuple_items}, i64 {layout.slice_bounds}")
        bounds = e.let(f"getelementptr i8, ptr {obj}, i64 {start}")
        components: list[str] = []
        for place, item in enumerate(type_.base.items):
            components += self.unbox(item, self.load("ptr", bounds, 8 * place))
        return tuple(components)

    def _member(self, type_: NamedType, obj: str) -> Components:
        """Return what a member of an enumeration is made of: an int is one, Python knows others."""
        e = self.e
        if type_.kind in ("IntEnum", "IntFlag"):
            return (self._int(obj),)
        function = e.python_object(f"number {type_.name}")
        e.declare("declare ptr @PyObject_CallOneArg(ptr, ptr)")
        e.declare("declare void @Py_DecRef(ptr)")
        value = e.let(f"call ptr @PyObject_CallOneArg(ptr {function}, ptr {obj})")
        if type_.base is PyType.STR:
            e.write(f"call void @Py_DecRef(ptr {value})")  # the member holds it
            return (self._text("text_in", value),)
        overflow = e.alloca("i32")
        whole = e.intrinsic(
            "i64", "@PyLong_AsLongLongAndOverflow", f"ptr {value}", f"ptr {overflow}"
        )
        e.write(f"call void @Py_DecRef(ptr {value})")
        self.expect(e.let(f"icmp eq i32 {e.let(f'load i32, ptr {overflow}')}, 0"))
        return (whole,)

    def _instance(self, name: str, obj: str) -> str:
        found = self.load("ptr", obj, self.layout.ob_type)
        classes = (name, *heirs_of(name, self.e.state.module.classes))
        known = [self.e.python_object(f"class {cls}") for cls in classes]
        fitting = self.e.let(f"icmp eq ptr {found}, {known[0]}")
        for other in known[1:]:
            is_other = self.e.let(f"icmp eq ptr {found}, {other}")
            fitting = self.e.let(f"or i1 {fitting}, {is_other}")
        self.expect(fitting)
        handle = self.load("ptr", obj, INSTANCE_HANDLE)
        # An instance whose __init__ has not run holds nothing yet.
        self.expect(self.e.let(f"icmp ne ptr {handle}, null"))
        return handle


def _class_of(type_: ListType | Container) -> str:
    """Return the name in CPython of the class of a list or container."""
    match type_:
        case ListType():
            return "PyTuple_Type" if type_.frozen else "PyList_Type"
        case DictType(kind="dict"):
            return "PyDict_Type"
        case DictType() | DequeType():
            return f"collections.{type_.name}"
        case SetType():
            return "PyFrozenSet_Type" if type_.frozen else "PySet_Type"


def _source_class(type_: PyType) -> str:
    """Return the name of the class of a source of random numbers, in np.random or in random."""
    if type_ is PyType.PYTHON_RANDOM:
        return "outside.random.Random"
    return "random.Generator" if type_ is PyType.GENERATOR else "random.RandomState"
