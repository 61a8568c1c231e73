"""What functions may count on: what all calls of them, whoever makes them, make sure of."""

import pytest

from scriptc.passes.given import give
from scriptc_runtime.ops.opdef import Level
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.verify.module import verify

CALLEE = """\
func @g(%a: tensor<f64, [N]>, %b: tensor<f64, [M]>) -> tensor<f64, [N]> {
  %0 = add %a, %a : tensor<f64, [N]>
  exit @return %0
}
"""


def _given(*calls: str, before: str = "", callee: str = CALLEE) -> str:
    """Return what is given of `g`, called so by a function with arrays `x` and `y`."""
    lines = [
        f'  %c{i} = call {operands} [callee="g", result=tensor<f64, [?]>] : tensor<f64, [?]>'
        for i, operands in enumerate(calls)
    ]
    text = "\n".join(
        (
            "func @f(%x: tensor<f64, [K]>, %y: tensor<f64, [L]>, %z: tensor<f64, [P]>) -> None"
            " dense(%x, %y) apart(%x, %y) {",
            *filter(None, (before,)),
            *lines,
            "  %end = const [value=none] : None",
            "  exit @return %end",
            "}",
            "",
            callee,
        )
    )
    module = read_module(text)
    verify(module, level=Level.LOW)
    made = give(module, "f")
    verify(made, level=Level.LOW)
    found, names = made.functions["g"].given, {p: p.name for p in made.functions["g"].params}
    pairs = [f"{names[a]}|{names[b]}" for a, b in found.apart]
    return " ".join([*(names[v] for v in found.dense), *pairs])


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        (["%x, %y"], "a b a|b"),
        (["%x, %y", "%y, %x"], "a b a|b"),
        (["%x, %x"], "a b"),
        (["%x, %y", "%x, %x"], "a b"),
        (["%x, %z"], "a"),
        (["%z, %x", "%x, %y"], "b"),
        (["%z, %x", "%x, %z"], ""),
        (["%x, %y", "%c0, %x"], "a b a|b"),  # the result is a new array
    ],
)
def test_a_function_is_given_what_all_calls_have_in_common(calls: list[str], expected: str) -> None:
    assert _given(*calls) == expected


def test_parts_of_one_array_may_share_memory() -> None:
    view = '  %v = view %x, %k, %n, %n [axes="s"] : tensor<f64, [?]>'
    constants = "  %k = const [value=1] : int\n  %n = const [value=none] : None\n"
    assert _given("%x, %v", before=constants + view) == "a b"
    assert _given("%y, %v", before=constants + view) == "a b a|b"


def test_functions_that_call_themselves_are_given_nothing() -> None:
    again = (
        CALLEE.replace(
            "  %0 = add %a, %a : tensor<f64, [N]>",
            '  %0 = call %b, %a [callee="g", result=tensor<f64, [M]>] : tensor<f64, [M]>',
        )
        .replace("-> tensor<f64, [N]>", "-> tensor<f64, [?]>")
        .replace(
            "result=tensor<f64, [M]>] : tensor<f64, [M]>",
            "result=tensor<f64, [?]>] : tensor<f64, [?]>",
        )
    )
    assert _given("%x, %y", callee=again) == ""


def test_what_is_passed_on_is_given_as_well() -> None:
    passes_on = (
        CALLEE.replace("@g(", "@h(")
        + """\

func @g(%a: tensor<f64, [N]>, %b: tensor<f64, [M]>) -> tensor<f64, [?]> {
  %0 = call %b, %a [callee="h", result=tensor<f64, [M]>] : tensor<f64, [M]>
  exit @return %0
}
"""
    )
    assert _given("%x, %y", callee=passes_on) == "a b a|b"
