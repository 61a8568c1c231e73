"""The powers with literal exponents that have functions of their own: a table quick to load."""

from collections.abc import Mapping

NAMES: Mapping[float, str] = {
    -3.0: "pow_minus_3",
    -2.0: "pow_minus_2",
    -1.5: "pow_minus_3_halves",
    -1.0: "pow_inverse",
    -0.5: "pow_minus_half",
    0.5: "pow_root",
    1.5: "pow_3_halves",
    2.5: "pow_5_halves",
    **{float(n): f"pow_{n}" for n in range(2, 9)},
}
