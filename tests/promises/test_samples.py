"""The samples end to end, from an empty cache: what their machine code needs, leaves and saves."""

import json
import re
import subprocess
import sys
import venv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scriptc.backends.llvm.loading.elfload import exported_symbols, undefined_symbols
from scriptc.backends.llvm.loading.late_code import LATE, LOADER
from scriptc.backends.llvm.support import transpose
from scriptc.backends.llvm.support.products import panels, tiles
from scriptc.cache.folder import Cache
from tests.promises import REPO, run_apart

PROGRAM = str(REPO / "tests" / "promises" / "run_samples.py")

# What the machine code of the samples may need from elsewhere, and what for.
CODE = {
    "sc_first_site": "the number of the first place that can raise",
    # Arguments and results: comparing the types of objects, reading and making numbers.
    "PyArray_Type": "the type of an array is compared",
    "PyFloat_Type": "the type of a float is compared",
    "PyLong_Type": "the type of an int is compared",
    "PyLong_AsLongLongAndOverflow": "an int that is not small is read",
    "PyLong_FromLongLong": "a result that is an int",
    "PyFloat_FromDouble": "a result that is a float",
    "PyType_GenericAlloc": "a result that is a NumPy scalar",
    "_Py_NoneStruct": "a result that is None",
    "Py_IncRef": "a result that is an argument, or None",
    "sc.box_array": "support code: a result that is an array",
    "sc.box_instance": "support code: a result that is an object of a scripted class",
    # Arrays and the memory behind them.
    "sc_alloc": "support code: memory",
    "sc_alloc_small": "support code: memory of objects and lists",
    "sc_block_new": "support code: the same, optimised",
    "sc_release": "support code: memory that a loop has kept for its rounds",
    "sc.retain_array": "support code: one more holder of an array",
    "sc.release_array": "support code: one less",
    "memcpy": "libc",
    "memset": "libc",
    # Kernels that are much work.
    "sc_launch": "support code: a kernel for several threads",
    "sc_apart_work": "support code: how much work makes threads worth their while",
    "sc.lies_apart": "support code: whether no two elements share memory",
    "sc.scratch": "support code: memory of one part of a kernel",
    "free": "libc: the end of that",
    # What may end a call early.
    "sc_poll": "support code: Ctrl-C, after some 1,000,000 rounds of a loop",
    "sc.raise": "support code: an exception",
    "sc.fetch": "support code: an exception that CPython raised",
    "sc.interrupted": "support code: the exception of Ctrl-C",
    "sc.report": "support code: the exception goes to the caller",
    "sc.pass": "support code: the exception has one more place, that of a kernel's launch",
    # Products.
    "sc_cblas_dgemm_i64": "NumPy's own BLAS",
    "sc_cblas_dgemm_i32": "NumPy's own BLAS",
    "sc_cblas_dgemv_i64": "NumPy's own BLAS",
    "sc_cblas_dgemv_i32": "NumPy's own BLAS",
    "sc_cblas_dsyrk_i64": "NumPy's own BLAS",
    "sc_cblas_dsyrk_i32": "NumPy's own BLAS",
    "sc.part.turn_columns_64": "a part of the support code: columns that become rows",
    "sc.part.product_of_f64": "a part of the support code: products of matrices",
    "sc.part.space_of_f64": "and what they need room for",
    "PyEval_SaveThread": "others have their turn while BLAS works, in that part",
    "PyEval_RestoreThread": "and this one again",
    "sc.part.matvec_f64": "a part of the support code: a matrix times a vector",
    "sc.part.room_f64": "and what it needs room for",
    "sc.part.pack_f64": "a part of the support code: rows of a matrix that lie together",
    "sc.part.both_f64": "and a vector times the matrix, in one pass",
    **{
        f"{LATE}{symbol}": "a part of the support code: its inner loops, when they are called"
        for features in ("", "+avx512f")
        for symbol in panels.symbols(panels.PANELS["f64"], features).values()
    },
    **{
        f"{LATE}sc.part.{what}_f64": "what few products of two matrices need"
        for what in ("matvec", "pack", "room")
    },
    **{
        f"{LATE}{symbol}": "what large ones are computed by on processors with AVX-512"
        for symbol in (tiles.product_symbol("f64"), tiles.room_symbol("f64"))
    },
    f"{LATE}{transpose.turning(64)}": "what copies columns of theirs",
    LOADER: "what loads these",
    **{
        f"sc.part.{what}_blocks_{kind}_f64": "a part of the support code: blocks of a reduction"
        for what in ("block", "fold", "carry", "finish")
        for kind in ("sum", "max")
    },
    "sc.part.max_first_f64": "a part of the support code: where the largest element of a row is",
    **{f"sc.turn_{n}": "support code: a matrix that lies in columns is copied" for n in (32, 64)},
    "sc.reshape": "whether an array can be seen in another shape",
    **{f"sc.raise{n}": f"an exception with {n} numbers in its message" for n in (1, 2, 3, 4)},
}
# The same for the support code, which all of them share.
SUPPORT = {
    **{
        name: "the allocator, which the rest of the support code uses"
        for name in (
            *("sc_alloc", "sc_alloc_ring", "sc_alloc_small", "sc_capsule_new"),
            *("sc_release", "sc_retain", "sc_alloc_fresh", "sc_deleting", "sc_live_blocks"),
            *("sc_recycle", "sc_small_blocks", "sc_total_allocs", "sc_waiting"),
        )
    },
    **{
        f"sc_block_{name}": "what runs for each small block, which lists use"
        for name in ("new", "new_ring", "release")
    },
    "sc.new_list": "lists that are given to compiled code",
    "sc.list_free": "the end of such a list",
    "sc.caught": "the core, which the rest uses: an exception becomes one of the script",
    "sc.raise4": "the core, which the rest uses: an exception with numbers in its text",
    "sc.list_reserve": "the core, which the rest uses: room in a list",
    "sc.free_cause": "the core, which the rest uses: the end of what an exception came from",
    "PyArray_New": "an array that is made for a result",
    "PyArray_SetBaseObject": "what such an array keeps alive",
    "PyArray_Type": "the type of an array is compared",
    "PyCapsule_New": "what owns the memory of such an array",
    "PyCapsule_GetPointer": "that memory, when the array dies",
    "PyTuple_New": "a result that is a tuple",
    "PyType_GenericAlloc": "a result that is an object of a scripted class",
    "PyObject_GC_UnTrack": "the end of such an object",
    "PyObject_ClearWeakRefs": "the end of such an object",
    "PyObject_GC_Del": "the end of such an object",
    "PyDict_GetItem": "lists inside lists keep their identity; guards look a name up",
    "PyDict_GetItemWithError": "guards look a name up",
    "PyDict_GetItemString": "what Python tells its collector's callbacks is looked at",
    "PyUnicode_CompareWithASCIIString": "the phase that they are told of",
    "PyLong_AsLong": "the generation that they are told of",
    "PyDict_SetItem": "lists inside lists keep their identity",
    "PyList_SetSlice": "a list that was written gets its items back",
    "PyMem_Malloc": "the note of a container that may have to be given back",
    "PyMem_Free": "the end of such a note",
    "PyObject_CallFunctionObjArgs": "what gives a written container its items back",
    "PyMem_Calloc": "the slots of a set that is made for a result",
    "PyLong_AsUnsignedLongLong": "the address and type of a block, out of the dict above",
    "PyLong_FromVoidPtr": "the address of a list, into the dict above",
    "PyLong_FromUnsignedLongLong": "the address and type of a block, into the dict above",
    "PyLong_FromLongLong": "the argument of an exception",
    "PyLong_AsLongLongAndOverflow": "an int of any size enters, one that is small",
    "PyNumber_Absolute": "one that is not: its size",
    "PyNumber_Negative": "a negative one leaves",
    "_PyLong_NumBits": "how many limbs it takes",
    "_PyLong_AsByteArray": "its limbs",
    "_PyLong_FromByteArray": "an int of any size leaves",
    "sc.free_items": "support code: the end of its limbs",
    "_Py_TrueStruct": "whether the lock of a random generator was free",
    "_Py_FalseStruct": "a lock is asked for without waiting",
    "_Py_NoneStruct": "the same",
    "PyErr_CheckSignals": "Ctrl-C",
    "PyErr_Clear": "an exception that a lock raises as it is given back",
    "PyEval_SaveThread": "other threads have their turn while a loop runs",
    "PyEval_RestoreThread": "and this one again",
    "PyErr_Fetch": "an exception that CPython raised becomes one of the script",
    "PyErr_GivenExceptionMatches": "which handlers take it",
    "PyErr_NormalizeException": "its object",
    "PyErr_Restore": "an exception goes to the caller",
    "PyErr_SetString": "no memory",
    "PyErr_NoMemory": "no memory",
    "PyErr_BadInternalCall": "a set that no search ends in, as a file may state one",
    "PyException_GetTraceback": "with the lines of the script",
    "PyException_SetTraceback": "its traceback",
    "PyObject_CallOneArg": "a result that is a member of an enumeration, or a named tuple",
    "PyObject_Vectorcall": "a guard that missed, raise",
    "PyObject_VectorcallMethod": "the lock of a random generator is taken and given back",
    "Py_DecRef": "references",
    "Py_IncRef": "references",
    "aligned_alloc": "libc",
    "free": "libc",
    "log": "libm: normal random numbers of the older generators",
    "sysconf": "libc: how much memory the machine has",
    "madvise": "libc: huge pages",
    "memcmp": "libc",
    "memcpy": "libc",
    "memset": "libc",
    "mmap": "libc: large blocks",
    "munmap": "libc",
    "getpid": "libc: whether this is the main thread",
    "gettid": "libc: whether this is the main thread",
    "pthread_attr_destroy": "libc: where the stack ends",
    "pthread_attr_getstack": "libc: where the stack ends",
    "pthread_getattr_np": "libc: where the stack ends",
    "pthread_self": "libc: whose stack it is",
    "clock_gettime": "libc: how long the threads of the pool wait for work",
    "pthread_attr_init": "libc: a thread of the pool",
    "pthread_attr_setstacksize": "libc: a thread of the pool",
    "pthread_create": "libc: a thread of the pool",
    "pthread_detach": "libc: a thread of the pool",
    "pthread_sigmask": "libc: signals are for the threads of Python",
    "sigfillset": "libc: signals are for the threads of Python",
    "sched_getaffinity": "libc: how many processors there are",
    "sched_getcpu": "libc: which processor runs this thread",
    "sched_setaffinity": "libc: a worker leaves the processor of its caller",
    "syscall": "libc: threads wait and wake by futex",
}
EXCEPTION_CLASS = re.compile(
    r"PyExc_(\w+(Error|Warning)|Warning|(Base)?Exception|Stop(Async)?Iteration|\w+Exit|"
    r"KeyboardInterrupt|error)"
)
# A function in LLVM's text.
FUNCTION = re.compile(r"^define [^@]*@([\w.]+|\"[^\"]+\")\(.*?^}", re.M | re.S)
# What runs Python code, or may.
INTO_PYTHON = re.compile(
    r"PyObject_(Call|Vectorcall|GetAttr|SetAttr|GetItem)\w*|PyEval_(?!SaveThread|RestoreThread)\w+"
)
# The functions of the machine code that call such a thing, and when they run.
PYTHON_IS_CALLED_BY = {
    "sc_miss": "the arguments fit no specialisation",
    "sc.box_named": "a result is a member of an enumeration, or a named tuple",
    "sc.call_with_address": "an exception, by the one below",
    "sc.lock": "a call that draws random numbers begins",
    "sc.hold_lock": "one draws from a generator that an object holds, for the first time",
    "sc.unlock": "and ends",
}
# Those that call `sc.call_with_address`.
WITH_AN_ADDRESS = {"sc.report": "an exception goes to the caller"}


class Runs:
    """A run of all samples with an empty cache, and one after it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.cold = self._run("cold")
        self.warm = self._run("warm")

    def _run(self, kind: str) -> Mapping[str, Any]:
        done = run_apart([PROGRAM, str(self.folder), kind], self.cache)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    def objects(self) -> Iterator[tuple[bool, bytes]]:
        """Every object file in the cache, and whether it is the support code."""
        cache = Cache(str(self.cache))
        for path in self.cache.glob("*.o"):
            code = cache.read(path.name)
            assert code is not None
            # The core of the support code, the allocator, and a symbol of each other part.
            own = {"sc_miss", "sc_alloc", "sc_launch", "sc.reshape", "sc_block_new", "sc.new_list"}
            own |= {"sc.caught", "sc.box_instance", "sc.put_back", "sc.text_new"}
            yield not own.isdisjoint(exported_symbols(code)), code

    def functions(self) -> Iterator[tuple[str, str]]:
        """Every function that LLVM was given, by name, with its text."""
        for path in (self.folder / "text").iterdir():
            text = path.read_text()
            for found in FUNCTION.finditer(text):
                yield found[1].strip('"'), found[0]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return Runs(tmp_path_factory.mktemp("samples"))


def test_the_samples_do_the_same_out_of_the_cache(runs: Runs) -> None:
    assert runs.cold["results"] == runs.warm["results"]


def test_a_warm_start_of_the_samples_loads_no_compiler(runs: Runs) -> None:
    assert "scriptc.driver" in runs.cold["loaded"]
    assert runs.warm["loaded"] == []


def test_the_samples_leave_no_block_behind(runs: Runs) -> None:
    assert (runs.cold["live"], runs.warm["live"]) == (0, 0)


def test_the_machine_code_of_the_samples_needs_what_is_on_the_list(runs: Runs) -> None:
    objects = list(runs.objects())
    assert [is_support for is_support, _ in objects].count(True) > 4
    assert len(objects) > 6
    unknown = {
        ("support" if is_support else "code", name)
        for is_support, code in objects
        for name in undefined_symbols(code)
        if name not in (SUPPORT if is_support else CODE) and not EXCEPTION_CLASS.fullmatch(name)
    }
    assert not unknown, "\n".join(map(str, sorted(unknown)))


def test_the_machine_code_of_the_samples_cannot_reach_python(runs: Runs) -> None:
    called: dict[bool, set[str]] = {True: set(), False: set()}
    for is_support, code in runs.objects():
        called[is_support].update(filter(INTO_PYTHON.match, undefined_symbols(code)))
    calls = {"PyObject_CallOneArg", "PyObject_Vectorcall", "PyObject_VectorcallMethod"}
    assert called == {True: calls, False: set()}


def test_python_is_called_where_a_guard_missed_or_something_raises(runs: Runs) -> None:
    callers: set[str] = set()
    with_an_address: set[str] = set()
    for name, text in runs.functions():
        if re.search(rf"@({INTO_PYTHON.pattern})\b", text):
            callers.add(name)
        if "@sc.call_with_address(" in text.partition("{")[2]:
            with_an_address.add(name)
    assert callers == PYTHON_IS_CALLED_BY.keys()
    assert with_an_address == WITH_AN_ADDRESS.keys()


# The saved files.


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a virtual environment that has NumPy and the runtime, and nothing else."""
    folder = tmp_path_factory.mktemp("bare")
    # Without pip, so that nothing is downloaded: the packages are those of this environment.
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    packages = folder / "packages"
    packages.mkdir()
    numpy = Path(np.__file__).parent
    # Beside the package lie the libraries that its wheel brings, on some platforms.
    for place in (numpy, numpy.parent / "numpy.libs", REPO / "runtime" / "scriptc_runtime"):
        if place.exists():
            (packages / place.name).symlink_to(place, target_is_directory=True)
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    (site / "packages.pth").write_text(f"{packages}\n")
    return folder / "venv" / "bin" / Path(sys.executable).name


# Where the interpreter and machine code need not agree to the last bit: sums in another order, and
# exp and log of our own.
BOUNDS = {"digits.forward": 1e-13, "digits.loss": 1e-13, "nbody.energy": 1e-14}


def test_the_saved_samples_give_the_same_with_numpy_alone(runs: Runs, bare_python: Path) -> None:
    program = REPO / "tests" / "promises" / "numpy_alone.py"
    done = subprocess.run(
        # -I: neither the folder of the program nor PYTHONPATH is searched.
        [bare_python, "-I", program, runs.folder],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.split() == [], "some of the compiler can be imported"
    expected, found = np.load(runs.folder / "calls.npz"), np.load(runs.folder / "found.npz")
    assert {name.split(".")[0] for name in found.files} == runs.cold["results"].keys()
    for key in found.files:
        bound = BOUNDS.get(key.split()[0], 0.0)
        assert found[key].dtype == expected[key].dtype
        np.testing.assert_allclose(found[key], expected[key], rtol=bound, atol=0.0, err_msg=key)
