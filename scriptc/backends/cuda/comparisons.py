"""Comparisons of numbers of two types in CUDA C++: exact, where none of both types has all numbers.

An i64 is compared with a u64 as NumPy does it, and a Python int with a float as Python does.
"""

from scriptc_runtime.types import FLOAT, INT, DType, Type

_PAIRS: tuple[frozenset[Type], ...] = (
    frozenset((DType.I64, DType.U64)),
    frozenset((INT, FLOAT)),
)


def mixed(symbol: str, types: tuple[Type, ...], first: str, second: str) -> str | None:
    """Return a comparison of two types of numbers; None where these are none of them."""
    return f"sc_order({first}, {second}) {symbol} 0" if frozenset(types) in _PAIRS else None


ORDERS = r"""
// -1, 0 or 1 where the first one is less, equal or more; NaN where it is none of these.
__device__ __forceinline__ float sc_order(long long a, sc_u64 b) {
  if (a < 0) return -1;
  return (sc_u64)a < b ? -1 : (sc_u64)a > b;
}
__device__ __forceinline__ float sc_order(long long a, double b) {
  if (!(b < 9223372036854775808.0)) return b != b ? SC_NAN_F32 : -1;
  if (b < -9223372036854775808.0) return 1;
  const long long whole = (long long)b;
  if (a != whole) return a < whole ? -1 : 1;
  const double rest = b - (double)whole;
  return rest > 0 ? -1 : rest < 0;
}
__device__ __forceinline__ float sc_order(sc_u64 a, long long b) { return -sc_order(b, a); }
__device__ __forceinline__ float sc_order(double a, long long b) { return -sc_order(b, a); }
"""
