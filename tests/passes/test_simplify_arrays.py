"""Rules for whole arrays leave alone what a caller could tell: memory, objects, strides."""

import numpy as np

from scriptc import script
from scriptc.passes.rules_arrays import RULES
from scriptc.passes.simplify_arrays import simplify_arrays
from scriptc.types import M, N, f64
from scriptc_runtime.ir import walk
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.verify.module import verify


@script
def views(x: f64[N], a: f64[N, M]):
    return x[:], x[::-1][::-1], a.T.T, x.reshape(-1), x


def test_a_view_of_an_argument_shares_its_memory() -> None:
    x, a = np.array([1.0, 2.0]), np.array([[1.0], [2.0]])
    found = views(x, a)
    assert [np.shares_memory(view, x) for view in found] == [True, True, False, True, True]
    assert np.shares_memory(found[2], a)


@script
def sorted_and_copied(x: f64[N]):
    y = np.sort(x)
    return y, y.copy(), np.sort(x).copy()


def test_copies_that_are_returned_share_no_memory() -> None:
    first, second, third = sorted_and_copied(np.array([2.0, 1.0]))
    assert not np.shares_memory(first, second)
    assert not np.shares_memory(first, third)
    assert first.tolist() == second.tolist() == third.tolist() == [1.0, 2.0]


@script
def laid_out(x: f64[N], a: f64[N, M]):
    return (x * 2.0)[::2], (a * 2.0).T, (a * 2.0)[:, 1:], (x * 2.0)[1:], (a.T * 2.0).copy()


def test_what_is_returned_has_the_strides_of_numpy() -> None:
    x, a = np.arange(5.0), np.arange(20.0).reshape(5, 4)
    found = laid_out(x, a)
    expected = (x * 2.0)[::2], (a * 2.0).T, (a * 2.0)[:, 1:], (x * 2.0)[1:], (a.T * 2.0).copy()
    assert [f.strides for f in found] == [e.strides for e in expected]
    assert [f.tolist() for f in found] == [e.tolist() for e in expected]


@script
def copied_in_a_loop(x: f64[N], n: int):
    y = np.sort(x)
    found = [x]
    for _ in range(n):
        found.append(y.copy())
    return found


def test_each_iteration_makes_its_copy() -> None:
    found = copied_in_a_loop(np.array([2.0, 1.0]), 3)
    assert not any(np.shares_memory(a, b) for i, a in enumerate(found) for b in found[:i])


def ops(text: str, *, fast_math: bool = False) -> list[str]:
    module = read_module(text)
    verify(module)
    after = simplify_arrays(module, fast_math=fast_math)
    verify(after)
    return [i.op.name for i in walk(after.functions["f"].body)]


def chain(length: int) -> str:
    products = [f"  %{i + 1} = mul %{i}, %x : tensor<f64, [N]>" for i in range(length)]
    lines = [
        "func @f(%x: tensor<f64, [N]>, %i: int) -> f64 {",
        "  %0 = neg %x : tensor<f64, [N]>",
        *products,
        f"  %{length + 1} = index %{length}, %i : f64",
        f"  exit @return %{length + 1}",
        "}",
    ]
    return "\n".join(lines) + "\n"


def test_an_element_moves_through_a_short_chain() -> None:
    assert ops(chain(2)) == ["index", "neg", "mul", "mul", "exit"]


def test_a_chain_that_is_longer_than_calls_may_be_nested_stays() -> None:
    assert ops(chain(2000))[-3:] == ["mul", "index", "exit"]


def test_a_rule_has_a_name_of_its_own() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)


SUM_OF_JOINED = """
func @f(%x: tensor<f64, [N]>, %y: tensor<f64, [M]>) -> f64 {
  %0 = join %x, %y [axis=0, kind="concatenate"] : tensor<f64, [?]>
  %1 = sum %0 [axis=none, keepdims=false] : f64
  exit @return %1
}
"""


def test_sums_of_floats_keep_their_order_unless_told() -> None:
    assert ops(SUM_OF_JOINED) == ["join", "sum", "exit"]
    assert ops(SUM_OF_JOINED, fast_math=True) == ["sum", "sum", "add", "exit"]


PRODUCTS = """
func @f(%a: tensor<f64, [N, M]>, %b: tensor<f64, [M, K]>, %v: tensor<f64, [K]>)
    -> tensor<f64, [N]> {
  %0 = matmul %a, %b : tensor<f64, [N, K]>
  %1 = matmul %0, %v : tensor<f64, [N]>
  exit @return %1
}
""".replace("\n    ->", " ->")


def test_a_product_with_a_vector_comes_first_if_told() -> None:
    def products(*, fast_math: bool) -> list[str]:
        module = read_module(PRODUCTS)
        after = simplify_arrays(module, fast_math=fast_math)
        verify(after)
        return [str(i.operands[0].type) for i in after.functions["f"].body.body[:-1]]

    matrices = PRODUCTS.replace("%v: tensor<f64, [K]>", "%v: tensor<f64, [K, N]>")
    matrices = matrices.replace("tensor<f64, [N]>", "tensor<f64, [N, N]>")
    assert ops(matrices, fast_math=True) == ["matmul", "matmul", "exit"]
    assert ops(PRODUCTS.replace("%v: tensor<f64, [K]>", "%v: tensor<f64, [L]>"), fast_math=True)
    assert products(fast_math=False) == ["f64[N, M]", "f64[N, K]"]
    assert products(fast_math=True) == ["f64[M, K]", "f64[N, M]"]


CUBE = """
func @f(%x: tensor<f64, [N, N, N]>) -> f64 {
  %0 = transpose %x [order=(1, 2, 0)] : tensor<f64, [N, N, N]>
  %1 = transpose %0 [order=(1, 2, 0)] : tensor<f64, [N, N, N]>
  %2 = const [value=0] : int
  %3 = index %1, %2, %2, %2 : f64
  exit @return %3
}
"""


def test_two_transposes_are_one_or_none() -> None:
    assert ops(CUBE) == ["transpose", "const", "index", "exit"]
    assert ops(CUBE.replace("order=(1, 2, 0)", "order=(0, 2, 1)")) == ["const", "index", "exit"]
