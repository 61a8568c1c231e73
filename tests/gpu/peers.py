"""Other ways to do the same work on a GPU, where they are installed and find one."""

# Libraries that need not be there, and have no types.
# pyright: basic

import importlib
from collections.abc import Callable, Iterator
from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from tests.gpu.workloads import Work


class Peer(NamedTuple):
    """A library: how it takes arrays, makes a function of work, and waits for what it has begun."""

    name: str
    array: Callable[[np.ndarray], Any]
    made: Callable[[Work], Callable[..., Any]]
    wait: Callable[[], None]


def peers() -> Iterator[Peer | str]:
    """Yield the libraries; in the place of one that does not run here, the reason."""
    for name, made in (("cupy", _cupy), ("torch", _torch), ("jax", _jax), ("numba", _numba)):
        try:
            yield made()
        except Exception as error:  # each library has its own for a GPU that is not there
            yield f"{name}: {type(error).__name__}: {str(error).partition(chr(10))[0][:80]}"


def _cupy() -> Peer:
    cupy = importlib.import_module("cupy")
    cupy.arange(3).sum().item()
    return Peer("cupy", cupy.asarray, lambda work: work.function, cupy.cuda.Device().synchronize)


def _torch() -> Peer:
    torch = importlib.import_module("torch")
    torch.arange(3, device="cuda").sum().item()
    names = SimpleNamespace(
        exp=torch.exp, sqrt=torch.sqrt, transpose=torch.t, cumsum=_of_axis(torch.cumsum),
        sum=_of_axis(torch.sum), max=_of_axis(torch.amax), mean=_of_axis(torch.mean),
        sort=lambda x: torch.sort(x).values,
    )  # fmt: skip

    def made(work: Work) -> Callable[..., Any]:
        return torch.compile(_with(work.function, names), mode="max-autotune-no-cudagraphs")

    return Peer("torch", lambda x: torch.from_numpy(x).cuda(), made, torch.cuda.synchronize)


def _of_axis(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of PyTorch's that takes NumPy's names of arguments."""

    def called(x: Any, axis: int | None = None, *, keepdims: bool = False) -> Any:
        named = {} if axis is None else {"dim": axis}
        return function(x, **named, **({"keepdim": True} if keepdims else {}))

    return called


def _jax() -> Peer:
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    device = jax.devices("gpu")[0]
    jnp = importlib.import_module("jax.numpy")
    began: list[Any] = []

    def made(work: Work) -> Callable[..., Any]:
        compiled = jax.jit(_with(work.function, jnp))

        def run(*arguments: Any) -> Any:
            began[:] = [compiled(*arguments)]
            return began[0]

        return run

    def wait() -> None:
        for result in began:
            result.block_until_ready()

    return Peer("jax", lambda x: jax.device_put(x, device), made, wait)


def _numba() -> Peer:
    cuda = importlib.import_module("numba.cuda")
    if not cuda.is_available():
        raise RuntimeError("numba.cuda finds no device")
    math = importlib.import_module("math")

    @cuda.jit
    def kernel(x, y, z, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = math.exp(x[i]) * y[i] + z[i]

    def run(x: Any, y: Any, z: Any) -> Any:
        out = cuda.device_array_like(x)
        kernel[(len(x) + 255) // 256, 256](x, y, z, out)
        return out

    def made(work: Work) -> Callable[..., Any]:
        if work.name != "fused":
            raise NotImplementedError("kernels are written by hand: there is one of `fused`")
        return run

    return Peer("numba", cuda.to_device, made, cuda.synchronize)


def _with(function: Any, names: Any) -> Callable[..., Any]:
    """Return a function whose `np` is another library."""
    return FunctionType(function.__code__, {**function.__globals__, "np": names}, function.__name__)
