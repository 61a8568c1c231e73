"""The import law: imports go forward only, and the runtime needs NumPy and nothing else.

The law lives in the two tables below. A module obeys the row of its longest prefix.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.benchmarks.harness import run_program

REPO = Path(__file__).parent.parent
RUNTIME = "scriptc_runtime"

# What `import scriptc` loads: it may know the loader of machine code, and nothing that makes any.
_LIGHT = tuple(
    f"scriptc.{name}"
    for name in (
        *("api", "boundary", "cache", "classes", "dependencies", "fingerprint", "forks"),
        *("instances", "kinds", "loader", "manifest", "options", "parallel", "patterns"),
        *("request", "resources", "store", "types"),
    )
)
_LOADER = "scriptc.backends.llvm.loading"
_DATACLASSES = "scriptc.dataclass_members"
_TIMELINE = "scriptc.timeline"  # loads nothing of ours, and any stage may tell it
_DEEP_CALLS = "scriptc.deep_calls"  # nor does this

# A layer may import itself, the standard library, and what its row lists.
MAY_IMPORT: Mapping[str, frozenset[str]] = {
    "scriptc_runtime": frozenset({"numpy"}),
    "scriptc_runtime.bits": frozenset({"numpy"}),
    "scriptc_runtime.record": frozenset({"scriptc_runtime.bits"}),
    "scriptc_runtime.errors": frozenset({"scriptc_runtime.record"}),
    "scriptc.syntax": frozenset(
        {f"{RUNTIME}.{n}" for n in ("errors", "plain_json", "record")} | {"scriptc.resources"}
    ),
    "scriptc.check": frozenset(
        {RUNTIME, _DATACLASSES, _TIMELINE, "scriptc.syntax", "scriptc.resources"}
        | {"scriptc.parallel", "numpy", _DEEP_CALLS}
    ),
    "scriptc.lower": frozenset(
        {RUNTIME, "scriptc.syntax.nodes", "scriptc.syntax.leaves", "scriptc.check.checked"}
    ),
    "scriptc.passes": frozenset({RUNTIME, "numpy"}),
    "scriptc.kernels": frozenset({RUNTIME, "scriptc.passes"}),
    "scriptc.backends.interp": frozenset({RUNTIME, "scriptc.kernels", "numpy"}),
    "scriptc.backends.llvm": frozenset(
        {RUNTIME, _TIMELINE, "scriptc.kernels", "scriptc.forks", "numpy"}
    ),
    _LOADER: frozenset(
        {RUNTIME, "numpy", "scriptc.backends.llvm.abi", "scriptc.backends.llvm.layout"}
    ),
    "scriptc.backends.cuda": frozenset({RUNTIME, "scriptc.kernels", "numpy"}),
    **dict.fromkeys(
        ("scriptc.driver", "scriptc.support_code"), frozenset({RUNTIME, "scriptc", "numpy"})
    ),
    **dict.fromkeys(
        ("scriptc.signatures", "scriptc.interpreted", "scriptc.accessors", "scriptc.freshness"),
        frozenset({RUNTIME, "scriptc.check", "scriptc.syntax", "scriptc.backends", *_LIGHT}),
    ),
    "scriptc.size_patterns": frozenset(
        {RUNTIME, "scriptc.check", "scriptc.passes", "scriptc.signatures", *_LIGHT}
    ),
    **dict.fromkeys(
        ("scriptc.library", "scriptc.saving", "scriptc.loading", "scriptc.pickles"),
        frozenset({RUNTIME, "scriptc", "numpy"}),
    ),
    "scriptc.cli": frozenset({RUNTIME, "scriptc", "numpy", "rich"}),
    "scriptc.__main__": frozenset({"scriptc.cli"}),
    "scriptc.stages": frozenset({RUNTIME, "scriptc.syntax.nodes", "scriptc.timeline"}),
    # Loaded by `import scriptc`, so kept to what a warm start needs.
    **dict.fromkeys(
        _LIGHT, frozenset({RUNTIME, "numpy", "_blake2", *_LIGHT, _LOADER, _DATACLASSES})
    ),
    _DATACLASSES: frozenset(),
    _TIMELINE: frozenset(),
    _DEEP_CALLS: frozenset(),
    "scriptc.progress": frozenset({_TIMELINE, "scriptc.forks", "rich"}),
    "scriptc": frozenset({RUNTIME, *_LIGHT}),
}

# Inside a function: heavy things that most runs never need. Everything else stands at the top.
# (who, what) -> why; each side stands for everything inside it.
INSIDE_FUNCTIONS: Mapping[tuple[str, str], str] = {
    ("scriptc.api", "scriptc.driver"): "a warm start loads no compiler",
    (_DEEP_CALLS, "concurrent.futures"): "few programs nest so much",
    ("scriptc.boundary", "re"): "most calls are right",
    ("scriptc.driver", "scriptc.backends.cuda"): "only those who ask for CUDA pay for it",
    ("scriptc.driver", "scriptc.kernels.passes"): "plain modules have nothing for most passes",
    ("scriptc.driver", "scriptc.backends.interp"): "machine code needs no interpreter",
    ("scriptc.driver", "pathlib"): "3 ms, for CUDA alone",
    ("scriptc.driver", "scriptc.interpreted"): "machine code needs no interpreter",
    ("scriptc.driver", "scriptc.accessors"): "most programs have no scripted classes",
    ("scriptc.driver", "scriptc.backends.llvm.boundary.blocks"): "most have no scripted classes",
    ("scriptc.api", "scriptc.cli.stages"): "the command line's writers serve `f.dump`, too",
    ("scriptc.api", "scriptc.saving"): "most programs save nothing",
    ("scriptc.api", "scriptc.pickles"): "most programs pickle nothing",
    ("scriptc.api", "scriptc.misuse"): "few programs give @script what it does not take",
    ("scriptc.classes", "scriptc.pickles"): "most programs pickle no objects",
    ("scriptc.pickles", "dataclasses"): "those who have dataclasses have loaded it",
    ("scriptc_runtime.loaded", "tempfile"): "few programs pickle saved modules",
    ("scriptc.api", "scriptc.loading"): "most programs load nothing",
    ("scriptc.api", "scriptc.progress"): "a warm start compiles nothing",
    ("scriptc.progress", "rich"): "60 ms, for long compilations on a terminal alone",
    ("scriptc.syntax", "unicodedata"): "few programs have names or escapes that need it",
    ("scriptc.store", "scriptc.forks"): "a warm start compiles nothing",
    ("scriptc.api", "scriptc.forks"): "a warm start compiles nothing",
    ("scriptc.loader", "scriptc.boundary"): "arguments that fit are not looked at",
    ("scriptc.kinds", "scriptc_runtime.array_classes"): "few pass objects of subclasses",
    ("scriptc_runtime.loaded", "scriptc_runtime.array_classes"): "a warm start calls no saved file",
    ("scriptc.classes", _DATACLASSES): "most programs have no scripted classes",
    ("scriptc.classes", "scriptc.boundary"): "most programs set no field from outside",
    ("scriptc.classes", "scriptc.syntax"): "only those who are refused need a place",
    (
        "scriptc.backends.llvm.loading.machine_code",
        "scriptc.backends.llvm.loading.raising",
    ): "most programs raise nothing",
    (
        "scriptc.backends.llvm.loading.symbols",
        "scriptc.backends.llvm.loading.numpy_routines",
    ): "most programs call nothing of NumPy's, and it would load numpy.fft",
    ("scriptc.api", "scriptc.support_code"): "a warm start loads no compiler",
    ("scriptc.support_code", "scriptc.backends.llvm.products"): "few programs multiply matrices",
    ("scriptc.support_code", "scriptc.backends.llvm.selection"): "few programs look for a median",
    (
        "scriptc.backends.llvm.rules.table",
        "scriptc.backends.llvm.rules",
    ): "most programs need few rules",
    (
        "scriptc.backends.llvm.routines.table",
        "scriptc.backends.llvm",
    ): "most programs need few routines",
    ("scriptc.backends.llvm.support", "scriptc.backends.llvm.threads"): "plain loops start no pool",
    ("scriptc.backends.llvm.emit", "scriptc.backends.llvm.math"): "plain loops call no functions",
    ("scriptc.backends.llvm.emit", "scriptc.backends.llvm.vectors"): "plain loops reduce nothing",
    ("scriptc.check.expressions", "scriptc.check.calls"): "a program of loops calls nothing",
    ("scriptc.check", "scriptc.check.comprehensions"): "a program of loops has none",
    ("scriptc.check.lists", "scriptc.check.library"): "a program of loops calls nothing",
    ("scriptc.check.statements", "scriptc.check.exceptions"): "few programs raise or catch",
    ("scriptc.lower.statements", "scriptc.lower.exceptions"): "few programs raise or catch",
    ("scriptc.check.statements", "scriptc.check.unpacking"): "few have several targets",
    ("scriptc.check", "scriptc.check.shape_targets"): "few shape arrays in place",
    ("scriptc.check.loops", "scriptc.check.index_loops"): "few loops run over several axes",
    ("scriptc.check.loops", "scriptc.check.parallel_loops"): "few loops are over prange",
    ("scriptc.check.program", "scriptc.check.call_sizes"): "many programs are one function",
    ("scriptc.check.names", "scriptc.check.complex_numbers"): "few have complex numbers",
    ("scriptc.backends.llvm.boundary.entry", "scriptc.backends.llvm.boundary.lists"): "most "
    "programs hand over no lists",
    ("scriptc.backends.llvm.boundary.entry", "scriptc.backends.llvm.random"): "few programs draw "
    "random numbers",
    ("scriptc_runtime.verify", "scriptc_runtime.text_write"): "valid IR is not written",
    ("scriptc.check", "scriptc.check.numpy"): "a third of the checker is for programs with NumPy",
    ("scriptc.check.calls", "scriptc.check.methods"): "methods of arrays are functions of NumPy",
    ("scriptc.check.calls", "scriptc.check.scipy_functions"): "few programs call SciPy",
    ("scriptc.check.subscripts", "scriptc.check.picking"): "few programs pick by arrays",
    ("scriptc.check.operators", "scriptc.check.text_formats"): "few write texts, most by f-strings",
    ("scriptc.check", "dataclasses"): "those who have dataclasses have loaded it",
    ("scriptc.check", "difflib"): "only those who mistype a name need it",
    ("scriptc_runtime.gufuncs", "numpy.fft"): "NumPy itself loads it for those who transform",
    ("scriptc_runtime.errors", "bisect"): "a program without mistakes asks for no place",
    (
        "scriptc.backends.llvm.loading.elfload",
        "scriptc.backends.llvm.machine",
    ): "only other machines than x86-64 Linux need LLVM's linker",
    ("scriptc.manifest", "scriptc_runtime.text_types"): "arguments that fit need no types",
    ("scriptc.manifest", "scriptc_runtime.text_tokens"): "arguments that fit need no types",
    ("scriptc_runtime.loaded", "scriptc_runtime.link"): "a warm start reads no saved file",
    ("scriptc_runtime.loaded", "scriptc_runtime.saved"): "a warm start reads no saved file",
    ("scriptc.backends.llvm", "llvmlite"): "the interpreter and a dump of the IR need no LLVM",
    ("scriptc.syntax.make_tables", "lark"): "the committed tables serve until the grammar changes",
    ("scriptc.syntax.tables", "scriptc.syntax.make_tables"): "only when the grammar has changed",
}


def _modules() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for root, package in ((REPO, "scriptc"), (REPO / "runtime", RUNTIME)):
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


FILES = _modules()


def _inside(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _names(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    assert node.level == 0, "a relative import hides where a name comes from"
    assert node.module is not None
    for alias in node.names:
        # `from package import module` imports the module.
        whole = f"{node.module}.{alias.name}"
        yield whole if whole in FILES else node.module


def _imports(module: str) -> Iterator[tuple[str, bool]]:
    """Each name a module imports, and whether it does so inside a function."""
    tree = ast.parse(FILES[module].read_text(encoding="utf-8"))
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    deferred = {id(node) for function in functions for node in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for name in _names(node):
                yield name, id(node) in deferred


def _excuse(module: str, name: str) -> tuple[str, str] | None:
    """Return the row of INSIDE_FUNCTIONS that lets `module` import `name` late."""
    rows = (row for row in INSIDE_FUNCTIONS if _inside(module, row[0]) and _inside(name, row[1]))
    return next(rows, None)


def _layer(module: str) -> str:
    return max((name for name in MAY_IMPORT if _inside(module, name)), key=len)


@pytest.mark.parametrize("module", FILES)
def test_imports_go_forward(module: str) -> None:
    layer = _layer(module)
    allowed = {layer, *MAY_IMPORT[layer]} - ({"scriptc"} if layer == "scriptc" else set())
    for name, inside_function in _imports(module):
        excused = inside_function and _excuse(module, name)
        standard = name.split(".")[0] in sys.stdlib_module_names
        assert excused or standard or any(_inside(name, package) for package in allowed), (
            f"{module} imports {name}; {layer} may import {sorted(allowed)}"
        )


@pytest.mark.parametrize("module", FILES)
def test_imports_stand_at_the_top(module: str) -> None:
    for name, inside_function in _imports(module):
        if inside_function:
            assert _excuse(module, name), f"{module} imports {name} inside a function"


def test_every_exception_of_the_law_is_used() -> None:
    used = {
        _excuse(m, name) for m in FILES for name, inside_function in _imports(m) if inside_function
    }
    assert used >= INSIDE_FUNCTIONS.keys()


@pytest.mark.parametrize("module", FILES)
def test_no_import_is_for_type_checkers_only(module: str) -> None:
    tree = ast.parse(FILES[module].read_text(encoding="utf-8"))
    names = {getattr(node, "id", getattr(node, "attr", None)) for node in ast.walk(tree)}
    assert "TYPE_CHECKING" not in names


def test_no_two_modules_import_each_other() -> None:
    graph = {
        module: {name for name, inside in _imports(module) if name in FILES and not inside}
        for module in FILES
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def _loaded_by(statement: str) -> set[str]:
    program = f"import sys; {statement}; print(*sys.modules)"
    path = f"import sys; sys.path[:0] = {[str(REPO), str(REPO / 'runtime')]!r}; "
    result = subprocess.run(
        [sys.executable, "-c", path + program], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


def test_importing_scriptc_loads_no_compiler() -> None:
    loaded = _loaded_by("import scriptc")
    heavy = {"lark", "llvmlite", "rich", "scriptc.driver", "scriptc.syntax", "scriptc.check"}
    assert not loaded & heavy
    # 10 ms of a warm start: an annotation that names one of its classes is enough.
    assert "numpy.random" not in loaded - _loaded_by("import numpy")


# Every module costs 0.1 ms and more: one is added here with a reason why all programs need it.
WARM = frozenset(
    {
        *(
            "_blake2",
            "_json",
            "gc",
            "scriptc",
            "scriptc.backends",
            "scriptc.backends.llvm",
            _LOADER,
        ),
        *(f"scriptc.{n}" for n in ("api", "cache", "classes", "dependencies", "fingerprint")),
        *(f"scriptc.{n}" for n in ("instances", "kinds", "loader", "manifest", "options")),
        *(f"scriptc.{n}" for n in ("parallel", "patterns", "request", "store", "types")),
        *(f"{_LOADER}.{n}" for n in ("callable", "elfload", "guards", "heap_types", "host")),
        *(f"{_LOADER}.{n}" for n in ("machine_code", "processors", "sites", "symbols")),
        *(RUNTIME, f"{RUNTIME}.bits", f"{RUNTIME}.budget", f"{RUNTIME}.dims", f"{RUNTIME}.errors"),
        *(
            f"{RUNTIME}.{n}"
            for n in ("generators", "loaded", "plain_json", "record", "regular_files")
        ),
        *(f"{RUNTIME}.{n}" for n in ("tracebacks", "types")),
    }
)


def test_a_warm_start_loads_what_it_needs(tmp_path: Path) -> None:
    start = REPO / "tests" / "benchmarks" / "start" / "with_scriptc.py"
    variables = {"SCRIPTC_CACHE_DIR": str(tmp_path / "cache")}
    run_program(start, variables)
    _, _, _, *loaded = run_program(start, variables)
    numpys = _loaded_by("import numpy")
    assert set(loaded) - numpys == WARM - numpys


def test_importing_the_runtime_loads_numpy_and_nothing_else() -> None:
    more = _loaded_by("import scriptc_runtime") - _loaded_by("import numpy")
    roots = {name.split(".")[0] for name in more}
    assert roots <= {RUNTIME, *sys.stdlib_module_names}
