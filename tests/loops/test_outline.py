"""Kernels of equal nests: one for all, unless the place of what they raise differs."""

import pytest

from scriptc.kernels.loops.outline import outline
from scriptc_runtime.text.reader import read_module


def nest(line: int, *, private: bool) -> str:
    """Return a nest on a line that fills an array, one of its own or the parameter's."""
    array = f"%own{line}" if private else "%out"
    type_ = "tensor<f64, [N]>"
    made = f"  {array} = new_array %n [type={type_}] : {type_} loc({line}:1)\n" if private else ""
    return f"""\
{made}  loop @L{line} %n [parallel=true] {{(%i{line}: i64)
    store {array}, %one, %i{line}
    exit @L{line}.next loc({line}:5)
  }}
"""


# A buffer that moves into the kernel is allocated there: MemoryError has the place of the launch.
@pytest.mark.parametrize("private", [False, True])
def test_equal_nests_share_a_kernel(private: bool) -> None:
    module = read_module(
        f"""\
func @f(%out: tensor<f64, [N]>, %n: i64) -> None file="a.py" {{
  %one = const [value=1.0, dtype=f64] : f64
{nest(3, private=private)}{nest(9, private=private)}\
  %none = const [value=none] : None
  exit @return %none
}}
"""
    )
    names = [name for name in outline(module).functions if name.startswith("kernel.")]
    assert len(names) == 1
