"""The powers with literal exponents that have functions of their own: a table quick to load."""

from collections.abc import Mapping

NAMES: Mapping[float, str] = {
    -1.0: "pow_inverse",
    0.5: "pow_root",
    **{float(n): f"pow_{n}" for n in range(2, 9)},
}
