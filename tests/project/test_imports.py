"""The import law: imports go forward only, and the runtime needs NumPy and nothing else.

The law lives in the table below and in that of late imports. A module obeys the row of its longest
prefix.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.benchmarks.harness import run_program
from tests.support.late_imports import INSIDE_FUNCTIONS, RUNTIME

REPO = Path(__file__).parent.parent.parent

_LOADER = "scriptc.backends.llvm.loading"
_TIMELINE = "scriptc.timeline"  # loads nothing of ours, and any stage may tell it
_DEEP_CALLS = "scriptc.deep_calls"  # nor does this
_LATER = "scriptc_runtime.later"
_SPECIALISE = "scriptc.specialise.specialise"
_SCRIPTED = "scriptc.scripted_function"
# What `import scriptc` loads: it may know the loader of machine code, and nothing that makes any.
_CACHE = tuple(
    f"scriptc.cache.{name}"
    for name in (
        *(
            "annotation_texts",
            "code_names",
            "constant_fields",
            "dependencies",
            "fingerprint",
            "folder",
            "guards",
            "instances",
            "loader",
            "plain_functions",
        ),
        *("manifest", "modules_outside", "plain_functions", "request", "store", "support_parts"),
    )
)
_CLASSES = tuple(f"scriptc.classes.{n}" for n in ("instances", "making", "scripted_class"))
_GENERATORS = "scriptc.classes.generators"  # for warm starts of programs that give some
_PLAIN = ("scriptc.forks", "scriptc.options", "scriptc.parallel", "scriptc.resources")
_COMPILING = "scriptc.compiling"
_API = ("scriptc.api", _COMPILING, _SCRIPTED, "scriptc.function_types")
_LIGHT = (*_API, "scriptc.types", "scriptc.values", *_CACHE, *_CLASSES, _GENERATORS, *_PLAIN)

# A layer may import itself, the standard library, and what its row lists.
MAY_IMPORT: Mapping[str, frozenset[str]] = {
    "scriptc_runtime": frozenset({"numpy"}),
    "scriptc_runtime.bits": frozenset({"numpy"}),
    "scriptc_runtime.record": frozenset({"scriptc_runtime.bits"}),
    "scriptc_runtime.errors": frozenset({"scriptc_runtime.record"}),
    _LATER: frozenset(),
    "scriptc.syntax": frozenset(
        {f"{RUNTIME}.{n}" for n in ("errors", "later", "plain_json", "record")}
        | {"scriptc.resources"}
    ),
    "scriptc.check": frozenset(
        {RUNTIME, "scriptc.values.class_attributes", "scriptc.values.dataclass_members"}
        | {"scriptc.values.outside_places", "scriptc.values.global_variables"}
        | {_TIMELINE, "scriptc.syntax"}
        | {"scriptc.resources", "scriptc.parallel", "scriptc.call_errors", "numpy", _DEEP_CALLS}
    ),
    "scriptc.lower": frozenset(
        {
            RUNTIME,
            "scriptc.check.checked",
            "scriptc.check.generator_classes",
            "scriptc.check.size_names",
        }
        | {f"scriptc.syntax.{name}" for name in ("blocks", "leaves", "nodes")}
    ),
    "scriptc.analysis": frozenset({RUNTIME, "numpy"}),
    "scriptc.passes": frozenset({RUNTIME, "scriptc.analysis", "numpy", "_blake2"}),
    "scriptc.kernels": frozenset({RUNTIME, "scriptc.analysis", "scriptc.passes"}),
    "scriptc.backends.interp": frozenset({RUNTIME, "scriptc.kernels", "numpy"}),
    "scriptc.backends.llvm": frozenset(
        {RUNTIME, _TIMELINE, "scriptc.analysis", "scriptc.kernels", "scriptc.forks", "numpy"}
    ),
    _LOADER: frozenset({RUNTIME, "numpy"}),
    "scriptc.backends.cuda": frozenset(
        {RUNTIME, "scriptc.analysis", "scriptc.passes", "scriptc.kernels", "scriptc.values.kinds"}
        | {"scriptc.backends.llvm.elementary", "scriptc.backends.llvm.entry.blocks", _LOADER}
        | {"scriptc.classes", "numpy"}
    ),
    # Loaded by `import scriptc`, so kept to what a warm start needs.
    **dict.fromkeys(_LIGHT, frozenset({RUNTIME, "numpy", "_blake2", *_LIGHT, _LOADER})),
    **dict.fromkeys(
        ("scriptc.cache", "scriptc.classes"),
        frozenset(
            {RUNTIME, "numpy", "scriptc.check", "scriptc.syntax", "scriptc.backends", *_LIGHT}
        ),
    ),
    "scriptc.specialise.arguments": frozenset({RUNTIME, "scriptc.check", "scriptc.cache", *_LIGHT}),
    "scriptc.specialise.patterned_types": frozenset(
        {RUNTIME, "scriptc.check", "scriptc.analysis", "scriptc.passes"}
        | {"scriptc.specialise.arguments", *_LIGHT}
    ),
    **dict.fromkeys(
        (
            *("scriptc.driver", "scriptc.pass_manager", "scriptc.specialise", "scriptc.misuse"),
            *("scriptc.cache.support_code", "scriptc.saved", "scriptc.inspection"),
            *(
                *("scriptc.holders", "scriptc.kept_containers", "scriptc.calls_anew"),
                "scriptc.device_pipeline",
                "scriptc.standard_library",
                "scriptc.size_mismatches",
            ),
        ),
        frozenset({RUNTIME, "scriptc", "numpy", "rich"}),
    ),
    "scriptc.cli": frozenset({RUNTIME, "scriptc", "numpy", "rich"}),
    "scriptc.__main__": frozenset({"scriptc.cli"}),
    "scriptc.faults": frozenset({RUNTIME, "scriptc.syntax.nodes", _TIMELINE}),
    **dict.fromkeys(("scriptc.values.dataclass_members",), frozenset[str]()),
    "scriptc.values.outside_places": frozenset({"numpy", "scriptc_runtime.conversions"}),
    "scriptc.values.class_attributes": frozenset({"scriptc.values.outside_places"}),
    "scriptc.call_errors": frozenset(),
    "scriptc.exits": frozenset({RUNTIME, "scriptc.options"}),
    _TIMELINE: frozenset(),
    "scriptc.stand_ins": frozenset({"numpy"}),
    _DEEP_CALLS: frozenset(),
    "scriptc.inspection.progress": frozenset({_TIMELINE, "scriptc.forks", "rich"}),
    "scriptc": frozenset({RUNTIME, *_LIGHT}),
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


@cache
def _imports(module: str) -> Sequence[tuple[str, bool]]:
    """Each name a module imports, and whether it does so inside a function."""
    tree = ast.parse(FILES[module].read_text(encoding="utf-8"))
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    deferred = {id(node) for function in functions for node in ast.walk(function)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    return [(name, id(node) in deferred) for node in found for name in _names(node)]


def _excuse(module: str, name: str) -> tuple[str, str] | None:
    """Return the row of INSIDE_FUNCTIONS that lets `module` import `name` late."""
    rows = (row for row in INSIDE_FUNCTIONS if _inside(module, row[0]) and _inside(name, row[1]))
    return next(rows, None)


def _layer(module: str) -> str:
    return max((name for name in MAY_IMPORT if _inside(module, name)), key=len)


def _backward(module: str) -> Iterator[str]:
    """Say what of a module's imports the law forbids."""
    layer = _layer(module)
    allowed = {layer, *MAY_IMPORT[layer]} - ({"scriptc"} if layer == "scriptc" else set())
    for name, inside_function in _imports(module):
        excused = inside_function and _excuse(module, name)
        standard = name.split(".")[0] in sys.stdlib_module_names
        if not (excused or standard or any(_inside(name, package) for package in allowed)):
            yield f"{module} imports {name}; {layer} may import {sorted(allowed)}"


def test_imports_go_forward() -> None:
    assert not "\n".join(line for module in FILES for line in _backward(module))


def test_imports_stand_at_the_top() -> None:
    late = [(module, name) for module in FILES for name, inside in _imports(module) if inside]
    assert not [f"{m} imports {n} inside a function" for m, n in late if not _excuse(m, n)]


def test_every_exception_of_the_law_is_used() -> None:
    used = {
        _excuse(m, name) for m in FILES for name, inside_function in _imports(m) if inside_function
    }
    assert used >= INSIDE_FUNCTIONS.keys()


def test_no_import_is_for_type_checkers_only() -> None:
    assert not [m for m, path in FILES.items() if "import TYPE_CHECKING" in path.read_text("utf-8")]


# Circles that late imports close, by two of their modules each, and what keeps them.
CIRCLES: Mapping[frozenset[str], str] = {
    frozenset({_SCRIPTED, "scriptc.saved.pickles.definitions"}): "a script makes "
    "a pickle of itself, and is made from one",
}


def _circles(graph: Mapping[str, AbstractSet[str]]) -> list[frozenset[str]]:
    """Return the sets of modules that lead to one another."""
    reached = {module: _reached(graph, module) for module in graph}
    rings = {frozenset(n for n in reached[m] if m in reached[n]) for m in graph}
    return [ring for ring in rings if len(ring) > 1]


def _reached(graph: Mapping[str, AbstractSet[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for name in graph[waiting.pop()] - seen:
            seen.add(name)
            waiting.append(name)
    return seen


def _graph(*, late: bool) -> dict[str, set[str]]:
    return {
        module: {n for n, inside in _imports(module) if n in FILES and (late or not inside)}
        for module in FILES
    }


def test_no_two_modules_import_each_other() -> None:
    try:
        TopologicalSorter(_graph(late=False)).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_late_imports_close_no_more_circles() -> None:
    rings = _circles(_graph(late=True))
    assert len(rings) == len(CIRCLES)
    assert all(any(known <= ring for ring in rings) for known in CIRCLES)


# Folders that import each other, and what for.
MUTUAL_FOLDERS: Mapping[frozenset[str], str] = {
    frozenset({"scriptc.check.desugar", "scriptc.check.library"}): "arguments may be displays and "
    "comprehensions, and what is short for a call becomes one",
    frozenset({"scriptc.check.library", "scriptc.check.numpy"}): "arguments of library calls may "
    "be lists and dtypes, which are NumPy's",
    frozenset({"scriptc.check.numpy", "scriptc.check.python"}): "round, abs and pow of arrays are "
    "NumPy's, complex numbers are Python's",
}


def _folder(module: str) -> str:
    return module if FILES[module].name == "__init__.py" else module.rpartition(".")[0]


def test_no_two_folders_import_each_other() -> None:
    pairs = {
        (_folder(module), _folder(name))
        for module, names in _graph(late=True).items()
        for name in names
    }
    mutual = {
        frozenset({one, other})
        for one, other in pairs
        if (other, one) in pairs and not _inside(one, other) and not _inside(other, one)
    }
    assert mutual == MUTUAL_FOLDERS.keys()


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
        *("_blake2", "_json", "gc", "scriptc", "scriptc.backends", "scriptc.backends.llvm"),
        *(*_API, "scriptc.options", "scriptc.parallel", "scriptc.types"),
        *("scriptc.cache", *_CACHE, "scriptc.classes", *_CLASSES),
        *("scriptc.values", "scriptc.values.kinds", "scriptc.values.size_patterns"),
        # Guards of what changes are told from others.
        *(
            f"scriptc.values.{n}"
            for n in ("class_attributes", "global_variables", "outside_places")
        ),
        *(f"{_LOADER}.{n}" for n in ("callable", "elfload", "guards", "heap_types", "host")),
        f"{_LOADER}.late_code",
        *(
            f"{_LOADER}.{n}"
            for n in ("libraries", "machine_code", "processors", "sites", "symbols")
        ),
        *(_LOADER, RUNTIME, f"{RUNTIME}.saved", f"{RUNTIME}.saved.loaded"),
        *(f"{RUNTIME}.{n}" for n in ("bits", "budget", "dims", "errors", "later", "plain_json")),
        *(
            f"{RUNTIME}.{n}"
            for n in (
                *("any_size", "random_generators", "record", "records", "regular_files"),
                *("tracebacks", "types"),
            )
        ),
    }
)


# What programs of numbers need nothing of, and what takes milliseconds to load.
NOT_AT_FIRST = frozenset(
    {
        *("numpy.random", "scriptc.check.python.strings", "scriptc.backends.llvm.rules.device"),
        *("scriptc.backends.llvm.vectors.row_sums", "scriptc_runtime.written_containers"),
    }
)


# How many modules of ours a first call of a small loop over floats loads, where it loads no more
# than that. What few programs have is imported as a module, `from scriptc.check import bigints`.
MOST_AT_FIRST = 453


def test_a_first_call_loads_what_it_needs(tmp_path: Path) -> None:
    start = REPO / "tests" / "benchmarks" / "start" / "with_scriptc.py"
    _, _, _, *loaded = run_program(start, {"SCRIPTC_CACHE_DIR": str(tmp_path / "cache")})
    assert not set(loaded) & NOT_AT_FIRST - _loaded_by("import numpy")
    ours = [name for name in loaded if name.partition(".")[0] in ("scriptc", RUNTIME)]
    assert len(ours) <= MOST_AT_FIRST, len(ours)


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
