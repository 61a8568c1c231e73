"""Golden cases of IR: what passes make of a program, and that it computes the same after each.

The section `low` is what `scriptc dump --stage low` prints; `pass NAME` is what `dump --passes`
shows of one pass, without places in the source.
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

from scriptc.check.roots import Root
from scriptc.driver import to_low
from scriptc.inspection.dump import Start, first_module, module_stage
from scriptc.inspection.pass_trace import NO_CHANGE
from scriptc.options import Options
from scriptc_runtime.dims import Dim
from scriptc_runtime.errors import ScriptError
from scriptc_runtime.ir import Function, Instr, walk
from scriptc_runtime.ops.opdef import Level
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.text.writer import write_module
from scriptc_runtime.types import DType, PyType, TensorType, Type
from scriptc_runtime.verify.module import verify
from tests.support.cases import CASES, FOLDERS, PASS, Case, Stage, case_paths
from tests.support.live_source import argument_types, last_function, live_module
from tests.support.outcomes import outcome, same
from tests.support.pipelines import (
    AFTER_CORE,
    PASSES,
    Change,
    alone,
    changes,
    difference,
    runs_as_plain,
    where_it_runs,
)

REPO = Path(__file__).parents[2]
READ = ("device", "fusion", "kernels", "loops", "low", "opt", "passes")
PATHS = [path for folder in READ for path in case_paths(folder)]
# Sizes that symbols stand for, in the order of their names.
_SIZES = ((3, 2, 4), (1, 3, 1), (0, 2, 3), (3, 0, 0), (9, 6, 11))


def case_name(path: Path) -> str:
    return Case.read(path).name


def start(case: Case) -> Start:
    if "ir" in case.inputs:
        module = read_module(case.inputs["ir"])
        is_low = any(i.op.level is Level.LOW for f in module.functions.values() for i in _all(f))
        verify(module, level=Level.LOW if is_low else Level.CORE)
        return Start(module, is_low)
    function = last_function(live_module(case.inputs["source"] + "\n"))
    return first_module([Root(function, argument_types(function, case.inputs.get("args", "")))])


def _all(function: Function) -> Sequence[Instr]:
    return walk(function.body)


def core_stage(stage: str, case: Case) -> str:
    """Return core IR, without places."""
    module = start(case).module
    for change in changes(module, "opt") if stage == "opt" else ():
        module = change.after
    return write_module(module, locations=False)


def low(case: Case) -> str:
    """Return what `scriptc dump --stage low` prints."""
    return module_stage(start(case), "low")


def kernels(case: Case) -> str:
    """Return what the back end of CUDA is given."""
    module = start(case).module
    for change in changes(module, "kernels"):
        module = change.after
    return write_module(module)


def error(case: Case) -> str:
    try:
        start(case)
    except ScriptError as refused:
        return str(refused)
    return ""


def one_pass(name: str, case: Case) -> str:
    """Return what a pass changes: of IR that is given, or first in a pipeline from source text."""
    return difference(_change(name, case))


def _change(name: str, case: Case) -> Change | None:
    module = start(case).module
    return alone(module, name) if "ir" in case.inputs else where_it_runs(module, name)


STAGES: Mapping[str, Stage] = {
    "ir": partial(core_stage, "ir"),
    "opt": partial(core_stage, "opt"),
    "low": low,
    "kernels": kernels,
    "error": error,
    **{PASS + name: partial(one_pass, name) for name in PASSES},
}


@pytest.mark.parametrize("path", PATHS, ids=case_name)
def test_a_case_is_what_its_file_says(path: Path, bless: bool) -> None:
    Case.read(path).check(STAGES, bless=bless)


@pytest.mark.parametrize("path", PATHS, ids=case_name)
def test_a_case_computes_the_same_after_every_pass(path: Path) -> None:
    case = Case.read(path)
    if "error" in case.outputs:
        return
    module = start(case).module
    # The last function of IR, the one asked for of source.
    name = list(module.functions)[-1 if "ir" in case.inputs else 0]
    function = module.functions[name]
    ended: set[object] = set()
    for sizes, seed in itertools.product(_sizes(case, function), range(2)):
        expected = outcome(module, name, [*arguments(function, sizes, seed)])
        ended.add(expected[0])
        for change in _changes(path):
            found = outcome(change.after, name, [*arguments(function, sizes, seed)])
            assert same(expected, found), f"{change.name}, sizes {sizes}, seed {seed}"
    assert "returned" in ended, "give the case a section sizes"


def _sizes(case: Case, function: Function) -> Sequence[Mapping[str, int]]:
    """Return what symbols stand for: some sizes in the order of names, and those of the case."""
    dims = (d for p in function.params if isinstance(p.type, TensorType) for d in p.type.dims)
    names = sorted({name for dim in dims for name, _ in dim.terms})
    named = [line.split() for line in case.inputs.get("sizes", "").splitlines()]
    pairs = [[item.partition("=") for item in line] for line in named]
    chosen = [{name: int(size) for name, _, size in line} for line in pairs]
    usual = _SIZES[:-1] if chosen else _SIZES
    return [*(dict(zip(names, itertools.cycle(s), strict=False)) for s in usual), *chosen]


@cache
def _changes(path: Path) -> Sequence[Change]:
    """Return what the passes of the pipelines change, and each pass alone that the case names."""
    case = Case.read(path)
    begin = start(case)
    if begin.is_low:
        return [alone(begin.module, name) for name in case.passes]
    pipelines = {"low", *(case.outputs.keys() & AFTER_CORE.keys())}
    found = [c for p in sorted(pipelines) for c in changes(begin.module, p)]
    if "ir" in case.inputs:
        found += [alone(begin.module, name) for name in case.passes]
    if runs_as_plain(begin.module):
        found += changes(begin.module, "plain")
    return found


@pytest.mark.parametrize("path", [p for p in PATHS if "low" in Case.read(p).outputs], ids=case_name)
def test_the_low_ir_of_a_case_is_what_is_compiled(path: Path) -> None:
    begin = start(Case.read(path))
    if begin.is_low:
        return
    module = begin.module
    for change in changes(module, "opt"):
        module = change.after
    assert write_module(to_low(module, Options())) == module_stage(begin, "low")


@pytest.mark.parametrize("name", PASSES)
def test_every_pass_has_cases_alone_and_in_the_pipeline(name: str) -> None:
    paths = sorted(CASES.glob(f"*/{name}/*.txt"))
    folders = {path.parent.relative_to(REPO) for path in paths}
    assert len(folders) == 1, f"{name} has its golden cases in one folder, tests/cases/STAGE/{name}"
    (folder,) = folders
    alone = f"a case in {folder} has the section 'pass {name}', which changes something"
    assert any(_is_alone(name, Case.read(path)) for path in paths), alone
    assert any(_is_in_pipeline(name, path) for path in paths), (
        f"a case in {folder} has no 'opt' or 'low'"
    )
    says = re.compile(rf"^ *Cases: .*{folder}[.,]", re.MULTILINE)
    assert any(says.search(p.read_text("utf-8")) for p in (REPO / "scriptc").rglob("*.py")), (
        f"the docstring of {name} says: 'Cases: {folder}.'"
    )


def _is_alone(name: str, case: Case) -> bool:
    return case.outputs.get(PASS + name, NO_CHANGE) != NO_CHANGE


def _is_in_pipeline(name: str, path: Path) -> bool:
    """Whether a section that shows the end of a pipeline comes of a change by the pass."""
    shown = Case.read(path).outputs.keys() & {"opt", "low", "kernels"}
    return bool(shown) and any(change.name == name for change in _changes(path))


def arguments(function: Function, sizes: Mapping[str, int], seed: int) -> Iterator[object]:
    """Yield an argument for each parameter; for the first seed, none is below zero."""
    rng = np.random.default_rng(seed)
    for param in function.params:
        yield _argument(param.type, sizes, rng, lowest=-8 if seed else 0)


def _argument(
    type_: Type, sizes: Mapping[str, int], rng: np.random.Generator, lowest: int
) -> object:
    number = int(rng.integers(max(-3, lowest), 4))
    match type_:
        case TensorType(dtype, dims):
            shape = [_size(dim, sizes) for dim in dims]
            values = rng.integers(lowest, 9, shape) / (4 if dtype.kind == "f" else 1)
            return np.asarray(values).astype(dtype.numpy)
        case DType():
            return type_.numpy.type(number)
        case PyType.FLOAT:
            return (2.0, 0.0, -0.0, 0.25 * number)[int(rng.integers(4))]
        case PyType.BOOL:
            return number > 0
        case PyType.INT:
            return number
        case PyType.STR:
            return "xy" * max(number, 0)
        case _:
            raise TypeError(type_)


def _size(dim: Dim, sizes: Mapping[str, int]) -> int:
    return dim.constant + sum(count * sizes[name] for name, count in dim.terms)


def test_every_case_is_in_a_folder_that_a_test_reads() -> None:
    read = [path for folder in FOLDERS for path in case_paths(folder)]
    assert set(case_paths()) == set(read), f"cases stand in a folder of {FOLDERS}"
