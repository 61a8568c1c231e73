"""The callable heap type: compiled code where it fits, ordinary Python everywhere else."""

import copy
import ctypes
import gc
import inspect
import pickle
import subprocess
import sys
import tracemalloc
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from scriptc.backends.llvm import machine
from scriptc.backends.llvm.emitter.layout import verify_layout
from scriptc.backends.llvm.loading import callable as native
from scriptc.backends.llvm.loading import elfload, symbols
from scriptc.backends.llvm.loading.callable import CallableBody, Word
from scriptc.backends.llvm.support import assemble

REPO = Path(__file__).parents[3]


class _Body(CallableBody):
    """A compiled function of these tests."""


Compiled = native.make_callable_type("Compiled", _Body)


def entry_text(name: str, index: int, guard: str, operation: str) -> str:
    """LLVM IR of specialisation `index`: two floats, or two ints, combined by one operation."""
    layout = verify_layout()
    cell = native.word_offset(Compiled, Word.CELLS + index)
    bind = native.word_offset(Compiled, Word.BIND)
    read, box = {
        "PyFloat_Type": ("PyFloat_AsDouble", "PyFloat_FromDouble"),
        "PyLong_Type": ("PyLong_AsDouble", "PyFloat_FromDouble"),
    }[guard]
    return f"""
@{guard} = external global i8
declare double @{read}(ptr)
declare ptr @{box}(double)
define ptr @{name}(ptr %self, ptr %args, i64 %nargsf, ptr %names) {{
  %count = and i64 %nargsf, 9223372036854775807
  %two = icmp eq i64 %count, 2
  %plain = icmp eq ptr %names, null
  %direct = and i1 %two, %plain
  br i1 %direct, label %first, label %bind
first:
  %a = load ptr, ptr %args
  %a.type.at = getelementptr i8, ptr %a, i64 {layout.ob_type}
  %a.type = load ptr, ptr %a.type.at
  %a.fits = icmp eq ptr %a.type, @{guard}
  br i1 %a.fits, label %second, label %next
second:
  %b.at = getelementptr ptr, ptr %args, i64 1
  %b = load ptr, ptr %b.at
  %b.type.at = getelementptr i8, ptr %b, i64 {layout.ob_type}
  %b.type = load ptr, ptr %b.type.at
  %b.fits = icmp eq ptr %b.type, @{guard}
  br i1 %b.fits, label %run, label %next
run:
  %x = call double @{read}(ptr %a)
  %y = call double @{read}(ptr %b)
  %r = {operation} double %x, %y
  %boxed = call ptr @{box}(double %r)
  ret ptr %boxed
next:
  %cell.at = getelementptr i8, ptr %self, i64 {cell}
  %cell = load ptr, ptr %cell.at
  %passed = musttail call ptr %cell(ptr %self, ptr %args, i64 %nargsf, ptr %names)
  ret ptr %passed
bind:
  %bind.at = getelementptr i8, ptr %self, i64 {bind}
  %binder = load ptr, ptr %bind.at
  %bound = musttail call ptr %binder(ptr %self, ptr %args, i64 %nargsf, ptr %names)
  ret ptr %bound
}}
"""


FLOATS = entry_text("floats", 0, "PyFloat_Type", "fsub")
# Told apart from the slow path by its result: the difference plus nothing, but as a float.
INTS = entry_text("ints", 1, "PyLong_Type", "fsub")


@pytest.fixture(scope="module")
def code() -> Mapping[str, int]:
    runtime = elfload.load(assemble.support_object(Compiled), symbols.resolve)
    floats = elfload.load(machine.compile_to_object(FLOATS), symbols.resolve)
    ints = elfload.load(machine.compile_to_object(INTS), symbols.resolve)
    return {**runtime, **floats, **ints}


def difference(x: object, y: object = 1.5) -> object:
    """Subtract, and say that Python did it."""
    return ("slow", x, y)


def compiled(code: Mapping[str, int], python: Callable[..., object] = difference) -> CallableBody:
    function = Compiled(python, python)
    parameters = list(inspect.signature(python).parameters.values())
    native.prepare(function, python, parameters, code)
    native.install(function, 0, code["floats"])
    return function


def test_without_compiled_code_python_is_called() -> None:
    function = Compiled(difference, difference)
    assert native.get_word(function, Word.VECTORCALL) == 0
    assert function(1.0, y=2.0) == ("slow", 1.0, 2.0)
    assert list(map(function, [1])) == [("slow", 1, 1.5)]
    with pytest.raises(TypeError, match=r"difference\(\) missing 1 required"):
        function()


def test_a_subclass_may_define_the_slow_path_as_a_method() -> None:
    class Body(CallableBody):
        def __call__(self, *args: object, **kwargs: object) -> object:
            return (args, kwargs)

    function = native.make_callable_type("Other", Body)(difference, difference)
    assert function(1, 2, z=3) == ((1, 2), {"z": 3})


def test_compiled_code_takes_what_fits_and_python_the_rest(code: Mapping[str, int]) -> None:
    function = compiled(code)
    assert function(5.0, 2.0) == 3.0
    assert function(5, 2.0) == ("slow", 5, 2.0)
    assert function(True, 2.0) == ("slow", True, 2.0)
    assert function("a", "b") == ("slow", "a", "b")


def test_specialisations_form_a_chain(code: Mapping[str, int]) -> None:
    function = compiled(code)
    assert function(5, 2) == ("slow", 5, 2)
    native.install(function, 1, code["ints"])
    assert function(5, 2) == 3.0
    assert function(5.0, 2.0) == 3.0
    assert function(5, 2.0) == ("slow", 5, 2.0)
    with pytest.raises(IndexError, match="specialisation 16 of 16"):
        native.install(function, native.SPECIALISATIONS, code["ints"])


def test_a_null_word_turns_compiled_code_off(code: Mapping[str, int]) -> None:
    function = compiled(code)
    native.set_word(function, Word.VECTORCALL, 0)
    assert function(5.0, 2.0) == ("slow", 5.0, 2.0)
    native.set_word(function, Word.VECTORCALL, code["floats"])
    assert function(5.0, 2.0) == 3.0


def test_keywords_and_defaults_reach_compiled_code(code: Mapping[str, int]) -> None:
    function = compiled(code)
    assert function(5.0) == 3.5
    assert function(x=5.0) == 3.5
    assert function(5.0, y=2.0) == 3.0
    assert function(y=2.0, x=5.0) == 3.0
    assert function(*(5.0,), **{"y": 2.0}) == 3.0


def test_a_keyword_that_is_not_interned_binds_in_python(code: Mapping[str, int]) -> None:
    def python(first: object, second: object) -> object:
        return ("slow", first, second)

    computed = "".join(["sec", "ond"])
    assert compiled(code, python)(5.0, **{computed: 2.0}) == ("slow", 5.0, 2.0)


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((), {}),
        ((1.0, 2.0, 3.0), {}),
        ((1.0,), {"x": 2.0}),
        ((1.0,), {"z": 2.0}),
        ((), {"y": 1.0}),
        ((1.0, 2.0), {"y": 3.0}),
        ((1.0,) * 40, {}),
    ],
)
def test_wrong_arguments_raise_what_python_raises(
    code: Mapping[str, int], args: tuple[float, ...], kwargs: dict[str, float]
) -> None:
    with pytest.raises(TypeError) as expected:
        difference(*args, **kwargs)
    with pytest.raises(TypeError) as found:
        compiled(code)(*args, **kwargs)
    assert str(found.value) == str(expected.value)


def test_a_positional_only_parameter_takes_no_keyword(code: Mapping[str, int]) -> None:
    def python(x: object, /, y: object) -> object:
        return ("slow", x, y)

    function = compiled(code, python)
    assert function(5.0, y=2.0) == 3.0
    with pytest.raises(TypeError, match="positional-only"):
        function(x=5.0, y=2.0)


def test_other_parameters_are_left_to_the_slow_path(code: Mapping[str, int]) -> None:
    def python(x: int, *, only: int) -> int:
        return x - only

    function = Compiled(python, python)
    parameters = list(inspect.signature(python).parameters.values())
    assert not native.binds_in_order(parameters)
    with pytest.raises(ValueError, match="slow path alone"):
        native.prepare(function, python, parameters, code)
    assert function(5, only=2) == 3


def test_many_parameters_bind_through_python(code: Mapping[str, int]) -> None:
    names = [f"p{i}" for i in range(40)]
    parameters = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in names]

    def python(*args: object, **kwargs: object) -> object:
        return (len(args), len(kwargs))

    function = Compiled(python, python)
    native.prepare(function, python, parameters, code)
    native.install(function, 0, code["floats"])
    assert function(*names[:30], **{n: 0 for n in names[30:]}) == (30, 10)


def test_an_exception_of_the_slow_path_arrives(code: Mapping[str, int]) -> None:
    def python(x: int, y: int) -> float:
        return x / y

    with pytest.raises(ZeroDivisionError):
        compiled(code, python)(1, 0)


def test_it_binds_as_a_method_does(code: Mapping[str, int]) -> None:
    class Owner:
        method = compiled(code)

    owner = Owner()
    assert owner.method(2.0) == ("slow", owner, 2.0)
    assert inspect.ismethod(owner.method)
    assert owner.method.__self__ is owner
    assert Owner.method(5.0, 2.0) == 3.0


def test_it_looks_like_the_function_it_stands_for(code: Mapping[str, int]) -> None:
    function = compiled(code)
    assert inspect.signature(function) == inspect.signature(difference)
    assert (function.__name__, function.__doc__) == ("difference", difference.__doc__)
    assert function.__module__ == __name__
    assert repr(function) == "<scriptc function difference>"
    assert callable(function)
    assert Compiled.__doc__ == _Body.__doc__
    assert (Compiled.__module__, Compiled.__qualname__) == (__name__, "Compiled")


at_module_level = Compiled(difference, difference)
at_module_level.__qualname__ = "at_module_level"


def test_it_pickles_by_name_and_copies_as_itself() -> None:
    assert pickle.loads(pickle.dumps(at_module_level)) is at_module_level
    assert copy.copy(at_module_level) is at_module_level
    assert copy.deepcopy([at_module_level])[0] is at_module_level


class _BodyWithHook(CallableBody):
    def __reduce__(self) -> tuple[object, ...]:
        return (str, ("by the hook",))


WithHook = native.make_callable_type("WithHook", _BodyWithHook)


def test_a_subclass_may_pickle_in_its_own_way() -> None:
    assert pickle.loads(pickle.dumps(WithHook(difference, difference))) == "by the hook"


def test_the_final_type_cannot_be_subclassed() -> None:
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Sub", (Compiled,), {})


def test_words_of_anything_else_are_out_of_reach() -> None:
    with pytest.raises(TypeError, match="make_callable_type"):
        native.set_word(CallableBody(difference, difference), 0, 0)
    function = Compiled(difference, difference)
    for word in (-1, native.WORDS):
        with pytest.raises(IndexError):
            native.get_word(function, word)


def test_a_callable_is_prepared_once(code: Mapping[str, int]) -> None:
    with pytest.raises(RuntimeError, match="prepared already"):
        native.prepare(compiled(code), difference, [], code)


def test_no_reference_is_lost_or_kept_by_calls(code: Mapping[str, int]) -> None:
    function = compiled(code)
    first, second, text = 123.5, 45.25, "text"
    watched = (first, second, text, None, 1.5, difference, function, Compiled)

    def calls() -> None:
        for _ in range(10_000):
            function(first, second)
            function(first, y=second)
            function(first)
            function(text, second)
            function(text)

    calls()
    before = [sys.getrefcount(value) for value in watched]
    tracemalloc.start()
    calls()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    after = [sys.getrefcount(value) for value in watched]
    assert all(abs(a - b) <= 2 for a, b in zip(before, after, strict=True))
    assert held < 10_000


def test_instances_are_collected_with_their_cycles(code: Mapping[str, int]) -> None:
    count = sys.getrefcount(Compiled)

    def cycle() -> weakref.ref[CallableBody]:
        function = compiled(code)
        vars(function)["itself"] = function
        return weakref.ref(function)

    gone = [cycle() for _ in range(100)]
    gc.collect()
    assert not any(reference() for reference in gone)
    assert abs(sys.getrefcount(Compiled) - count) <= 2


def test_a_call_after_the_collector_cleared_the_object_is_safe(code: Mapping[str, int]) -> None:
    function = compiled(code)
    del function._held  # pyright: ignore[reportPrivateUsage]  # what the collector does
    assert function(5.0, 2.0) == 3.0
    for call in (lambda: function("a", "b"), lambda: function(5.0), lambda: function(x=5.0)):
        with pytest.raises(RuntimeError, match="after its end"):
            call()


def test_a_cached_function_runs_without_llvmlite(tmp_path: Path) -> None:
    (tmp_path / "support.o").write_bytes(assemble.support_object(Compiled))
    (tmp_path / "floats.o").write_bytes(machine.compile_to_object(FLOATS))
    program = f"""
import inspect, os, sys
sys.path[:0] = {[str(REPO), str(REPO / "runtime")]!r}
from pathlib import Path
from scriptc.backends.llvm.loading import callable as native, elfload, symbols
folder = Path(sys.argv[1])
code = {{}}
for name in ("support.o", "floats.o"):
    code.update(elfload.load((folder / name).read_bytes(), symbols.resolve))
def f(x, y=1.5):
    return "slow"
F = native.make_callable_type("F", native.CallableBody)(f, f)
native.prepare(F, f, list(inspect.signature(f).parameters.values()), code)
native.install(F, 0, code["floats"])
print(F(5.0, 2.0), F(5.0), F(y=2.0, x=5.0), F("a", 2.0), flush=True)
assert "llvmlite" not in sys.modules
class Late:  # called when the interpreter is nearly gone
    call = staticmethod(F)
    def __del__(self, write=os.write, repr=repr):
        write(1, repr(self.call(9.0, 2.0)).encode())
sys.late = Late()
"""
    result = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (result.stdout, result.stderr) == ("3.0 3.5 3.0 slow\n7.0", "")
    assert result.returncode == 0


def test_a_word_is_a_machine_word() -> None:
    function = Compiled(difference, difference)
    native.set_word(function, Word.CELLS, 2**64 - 1)
    assert native.get_word(function, Word.CELLS) == 2**64 - 1
    assert native.get_word(function, Word.BIND) == 0
    assert ctypes.sizeof(ctypes.c_void_p) == 8
