"""What a checkout of NPBench holds: kernels, their variants, inputs, and the rule of comparison.

Nothing of NPBench is copied here. Its files are imported from the checkout, as they are.
"""

import importlib
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import cast

import numpy as np

# The files that stand beside `adi_numpy.py`: what follows the kernel's name, and whose they are.
HAND_WRITTEN: Mapping[str, str] = {
    "numba_n": "Numba",
    "numba_np": "Numba",
    "numba_npr": "Numba",
    "numba_o": "Numba",
    "numba_op": "Numba",
    "numba_opr": "Numba",
    "jax": "JAX",
    "jax_lib": "JAX",
    "pythran": "Pythran",
    "dace": "DaCe",
}
# DaCe wants an older NumPy than the others: this variable names a Python that has them.
DACE_PYTHON = "NPBENCH_DACE_PYTHON"
# The package each peer comes with; a peer that is not installed takes no part.
PACKAGE_OF: Mapping[str, str] = {
    "Numba": "numba",
    "njit": "numba",
    "JAX": "jax",
    "Pythran": "pythran",
}
# These run the file `adi_numpy.py` itself.
UNMODIFIED: Mapping[str, str] = {"numpy": "NumPy", "njit": "njit", "scriptc": "scriptc"}
PEER_OF: Mapping[str, str] = {**UNMODIFIED, **HAND_WRITTEN}
STRICT_NORM = 1e-5  # NPBench's, unless a kernel has its own
# Built ahead of the first call.
BUILT = frozenset({"pythran", "dace"})
# A functional framework returns what NumPy changes in place.
FUNCTIONAL = frozenset({"jax", "jax_lib"})


@dataclass(frozen=True, slots=True)
class Tolerance:
    """NPBench's rule: close element by element, or else close as a whole."""

    relative: float
    absolute: float
    norm: float


@dataclass(frozen=True, slots=True)
class Kernel:
    """One benchmark, as its file in `bench_info` describes it."""

    name: str
    folder: str
    file: str
    function: str
    presets: Mapping[str, Mapping[str, object]]
    initialiser: str | None
    initialiser_arguments: Sequence[str]
    initialiser_results: Sequence[str]
    arguments: Sequence[str]
    arrays: Sequence[str]
    outputs: Sequence[str]
    tolerance: Tolerance

    def path(self, checkout: Path, variant: str) -> Path:
        """Return the file of a variant; `""` is the one that makes the inputs."""
        suffix = "numpy" if variant in UNMODIFIED else variant
        stem = f"{self.file}_{suffix}" if suffix else self.file
        return checkout / "npbench" / "benchmarks" / self.folder / f"{stem}.py"

    def module(self, checkout: Path, variant: str) -> ModuleType:
        """Import the file of a variant."""
        path = self.path(checkout, variant)
        if str(checkout) not in sys.path:
            sys.path.insert(0, str(checkout))
        return importlib.import_module(".".join(path.relative_to(checkout).with_suffix("").parts))

    @property
    def sizes(self) -> Sequence[str]:
        """Name the parameters of its presets."""
        return list(next(iter(self.presets.values())))

    def plain(self, checkout: Path) -> Callable[..., object]:
        """Return the NumPy function, which nobody has modified."""
        return cast("Callable[..., object]", getattr(self.module(checkout, "numpy"), self.function))

    def variants(self, checkout: Path) -> list[str]:
        """List the variants there are and that can be run, NumPy's first."""
        written = [name for name in HAND_WRITTEN if self.path(checkout, name).exists()]
        return [name for name in (*UNMODIFIED, *written) if installed(PEER_OF[name])]

    def inputs(self, checkout: Path, preset: str) -> dict[str, object]:
        """Return the named inputs of a preset; they are the same each time."""
        named = dict(self.presets[preset])
        if self.initialiser is None:
            return named
        make = getattr(self.module(checkout, ""), self.initialiser)
        made = make(*[named[name] for name in self.initialiser_arguments])
        results = self.initialiser_results
        values = cast("Sequence[object]", made) if len(results) > 1 else [made]
        return named | dict(zip(results, values, strict=True))


def installed(peer: str) -> bool:
    """Say whether a peer can be run here."""
    if peer == "DaCe":
        return DACE_PYTHON in os.environ
    package = PACKAGE_OF.get(peer)
    return package is None or find_spec(package) is not None


def kernels(checkout: Path) -> list[Kernel]:
    """Read the descriptions of all kernels, in the order of their names."""
    paths = sorted((checkout / "bench_info").glob("*.json"))
    return [_kernel(path.stem, json.loads(path.read_text())["benchmark"]) for path in paths]


def _kernel(name: str, info: Mapping[str, object]) -> Kernel:
    initialise = cast("Mapping[str, object]", info.get("init") or {})

    def names(of: Mapping[str, object], key: str) -> Sequence[str]:
        return cast("Sequence[str]", of.get(key, ()))

    def number(key: str, default: float) -> float:
        return cast("float", info.get(key, default))

    return Kernel(
        name=name,
        folder=cast("str", info["relative_path"]),
        file=cast("str", info["module_name"]),
        function=cast("str", info["func_name"]),
        presets=cast("Mapping[str, Mapping[str, object]]", info["parameters"]),
        initialiser=cast("str | None", initialise.get("func_name")),
        initialiser_arguments=names(initialise, "input_args"),
        initialiser_results=names(initialise, "output_args"),
        arguments=names(info, "input_args"),
        arrays=names(info, "array_args"),
        outputs=names(info, "output_args"),
        tolerance=Tolerance(
            number("rtol", 1e-5), number("atol", 1e-8), number("norm_error", STRICT_NORM)
        ),
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call returned, and the arrays it was given as they are after it."""

    returned: Sequence[np.ndarray]
    arrays: Mapping[str, np.ndarray]
    changed: Sequence[str] = ()  # those of the arrays that are not as they were given

    def outputs(self, kernel: Kernel) -> Sequence[str]:
        """Name the arrays that hold results.

        For some kernels NPBench names none, or one that stays as it was: what changed, then.
        """
        if self.returned or set(kernel.outputs) & set(self.changed):
            return kernel.outputs
        return self.changed or kernel.outputs


def answer(returned: object, arrays: Mapping[str, object], given: Mapping[str, object]) -> Answer:
    """Return what a call gave, as it is until the next one: some frameworks reuse their buffers."""
    if returned is None:
        items: Sequence[object] = ()
    elif isinstance(returned, (tuple, list)):
        items = cast("Sequence[object]", returned)
    else:
        items = (returned,)
    after = {name: np.asarray(array) for name, array in arrays.items()}
    changed = [name for name, array in after.items() if not _same(array, given[name])]
    return Answer([np.asarray(item) for item in items], after, changed)


def _same(array: np.ndarray, given: object) -> bool:
    return np.array_equal(array, np.asarray(given), equal_nan=array.dtype.kind in "fc")


def difference(kernel: Kernel, variant: str, want: Answer, got: Answer) -> str | None:
    """Say how an answer differs from NumPy's, or return None.

    scriptc has to leave every argument as NumPy leaves it, with the types of the results. The
    variants written for a framework may keep an argument that is not among the outputs.
    """
    if variant in FUNCTIONAL:
        return _functional_difference(kernel, want, got)
    # A wider norm of NPBench's marks chaos: there only what it names can be compared.
    stable = kernel.tolerance.norm <= STRICT_NORM
    named = kernel.arrays if variant in UNMODIFIED and stable else want.outputs(kernel)
    pairs = [(name, want.arrays[name], got.arrays[name]) for name in named]
    if variant in UNMODIFIED or got.returned:
        if len(want.returned) != len(got.returned):
            return f"returns {len(got.returned)} values, NumPy {len(want.returned)}"
        numbered = zip(want.returned, got.returned, strict=True)
        pairs += [(f"result {i}", *pair) for i, pair in enumerate(numbered)]
    exact = variant == "scriptc"
    found = (_unlike(kernel.tolerance, *pair, exact=exact) for pair in pairs)
    return next((text for text in found if text), None)


def _functional_difference(kernel: Kernel, want: Answer, got: Answer) -> str | None:
    """Look for NumPy's results among those of a functional framework.

    They come in an order of their own, some with work arrays or inputs beside them. Where they are
    fewer than NumPy's, each has to be one of NumPy's.
    """
    wanted = {f"result {i}": array for i, array in enumerate(want.returned)}
    wanted |= {name: want.arrays[name] for name in want.outputs(kernel)}

    def same(mine: np.ndarray, theirs: np.ndarray) -> bool:
        return _unlike(kernel.tolerance, "", mine, theirs, exact=False) is None

    if len(got.returned) < len(wanted):
        for i, theirs in enumerate(got.returned):
            if not any(same(mine, theirs) for mine in wanted.values()):
                return f"result {i} is none of NumPy's"
        return None if got.returned else "returns nothing"
    for name, mine in wanted.items():
        if not any(same(mine, theirs) for theirs in got.returned):
            return f"NumPy's {name} is not among its {len(got.returned)} results"
    return None if wanted else "there is nothing to compare"


def _unlike(
    tolerance: Tolerance, name: str, want: np.ndarray, got: np.ndarray, *, exact: bool
) -> str | None:
    if exact and (want.dtype, want.shape) != (got.dtype, got.shape):
        return f"{name} is {got.dtype}{got.shape}, NumPy's {want.dtype}{want.shape}"
    if want.size != got.size:
        return f"{name} has shape {got.shape}, NumPy's {want.shape}"
    got = got.reshape(want.shape)
    limits = {"rtol": tolerance.relative, "atol": tolerance.absolute}
    if np.allclose(want, got, **limits, equal_nan=True):
        return None
    expected, found = np.nan_to_num(want).ravel(), np.nan_to_num(got).ravel()
    size = float(np.linalg.norm(expected))
    error = float(np.linalg.norm(expected - found)) / size if size else np.inf
    return None if error < tolerance.norm else f"{name} is off by {error:.2g}, relative to its norm"
