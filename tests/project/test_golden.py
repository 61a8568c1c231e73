"""Golden cases of IR: what passes and kernels make of a program, and that it computes the same.

The section `low` shows low IR before kernels are outlined; of a nest in two versions it shows the
fast one only.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from scriptc.check.program import Root, check_program
from scriptc.kernels.fusion.fuse import fuse
from scriptc.kernels.fusion.schedule import VERSIONS
from scriptc.lower.program import lower_program
from scriptc.passes.pipeline import CLEAN, OPTIMISE, Pass
from scriptc_runtime.dims import Dim
from scriptc_runtime.errors import ScriptError
from scriptc_runtime.ir import Block, Function, Instr, Module
from scriptc_runtime.ops.opdef import Level
from scriptc_runtime.record import replace
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.text.writer import write_module
from scriptc_runtime.types import DType, PyType, TensorType, Type
from scriptc_runtime.verify.module import verify
from tests.support.cases import FOLDERS, Case, case_paths
from tests.support.live_source import argument_types, last_function, live_module
from tests.support.outcomes import first_difference

PATHS = [*case_paths("opt"), *case_paths("low")]
# Sizes that symbols stand for, in the order of their names.
_SIZES = ((3, 2, 4), (1, 3, 1), (0, 2, 3), (3, 0, 0))


def case_name(path: Path) -> str:
    return Case.read(path).name


def core(case: Case) -> Module:
    if "ir" in case.inputs:
        return read_module(case.inputs["ir"])
    function = last_function(live_module(case.inputs["source"] + "\n"))
    types = argument_types(function, case.inputs.get("args", ""))
    return lower_program(check_program([Root(function, types)]))


def text(module: Module, level: Level) -> str:
    verify(module, level=level)
    return write_module(module, locations=False)


def run(module: Module, *passes: Pass) -> Module:
    for step in passes:
        module = step(module)
    return module


def ir(case: Case) -> str:
    return text(core(case), Level.CORE)


def opt(case: Case) -> str:
    return text(run(core(case), *OPTIMISE), Level.CORE)


def low(case: Case) -> str:
    module = run(core(case), *OPTIMISE, fuse, *CLEAN)
    verify(module, level=Level.LOW)
    functions = {n: replace(f, body=_fast(f.body)) for n, f in module.functions.items()}
    return write_module(module.with_functions(functions), locations=False)


def error(case: Case) -> str:
    try:
        ir(case)
    except ScriptError as refused:
        return str(refused)
    return ""


STAGES = {"ir": ir, "opt": opt, "low": low, "error": error}


def _fast(block: Block) -> Block:
    """Return `block` with nothing in the second versions of nests but their exits."""
    return Block(block.params, tuple(map(_fast_instr, block.body)))


def _fast_instr(instr: Instr) -> Instr:
    blocks = tuple(map(_fast, instr.blocks))
    if instr.label and instr.label.name == VERSIONS:
        fast, slow = blocks
        blocks = (fast, Block((), slow.body[-1:]))
    return replace(instr, blocks=blocks)


@pytest.mark.parametrize("path", PATHS, ids=case_name)
def test_a_case_is_what_its_file_says(path: Path, bless: bool) -> None:
    Case.read(path).check(STAGES, bless=bless)


@pytest.mark.parametrize("path", PATHS, ids=case_name)
def test_a_case_computes_the_same_after_every_stage(path: Path) -> None:
    case = Case.read(path)
    if "error" in case.outputs:
        return
    module = core(case)
    function = list(module.functions.values())[-1]
    for sizes, seed in itertools.product(_SIZES, range(3)):
        difference = first_difference(
            module, lambda s=sizes, n=seed: list(arguments(function, s, n)), function.name
        )
        assert difference is None, f"sizes {sizes}: {difference}"


def arguments(function: Function, sizes: Sequence[int], seed: int) -> Iterator[object]:
    """Yield an argument for each parameter."""
    types = [p.type for p in function.params]
    dims = [d for t in types if isinstance(t, TensorType) for d in t.dims]
    names = sorted({name for dim in dims for name, _ in dim.terms})
    known = dict(zip(names, itertools.cycle(sizes), strict=False))
    rng = np.random.default_rng(seed)
    for type_ in types:
        yield _argument(type_, known, rng)


def _argument(type_: Type, sizes: Mapping[str, int], rng: np.random.Generator) -> object:
    number = int(rng.integers(-3, 4))
    match type_:
        case TensorType(dtype, dims):
            shape = [_size(dim, sizes) for dim in dims]
            values = rng.integers(-8, 9, shape) / (4 if dtype.kind == "f" else 1)
            return np.asarray(values).astype(dtype.numpy)
        case DType():
            return type_.numpy.type(number)
        case PyType.FLOAT:
            return (0.0, -0.0, 0.25 * number)[int(rng.integers(3))]
        case PyType.BOOL:
            return number > 0
        case PyType.INT:
            return number
        case _:
            raise TypeError(type_)


def _size(dim: Dim, sizes: Mapping[str, int]) -> int:
    return dim.constant + sum(count * sizes[name] for name, count in dim.terms)


def test_every_case_is_in_a_folder_that_a_test_reads() -> None:
    read = [path for folder in FOLDERS for path in case_paths(folder)]
    assert set(case_paths()) == set(read), f"cases stand in a folder of {FOLDERS}"
