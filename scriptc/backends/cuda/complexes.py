"""Complex numbers in CUDA C++: two parts side by side, with NumPy's arithmetic.

Quotients are by Smith's method, as NumPy's and Python's: the larger part of the divisor is divided
by, so that no product of parts overflows.
"""

COMPLEXES = r"""
template <class T>
struct alignas(2 * sizeof(T)) sc_complex {
  T re, im;
  sc_complex() = default;
  __device__ __forceinline__ sc_complex(T real, T imag) : re(real), im(imag) {}
};
typedef sc_complex<float> sc_c64;
typedef sc_complex<double> sc_c128;

template <class T>
__device__ __forceinline__ sc_complex<T> sc_add(sc_complex<T> a, sc_complex<T> b) {
  return sc_complex<T>(a.re + b.re, a.im + b.im);
}
template <class T>
__device__ __forceinline__ sc_complex<T> sc_sub(sc_complex<T> a, sc_complex<T> b) {
  return sc_complex<T>(a.re - b.re, a.im - b.im);
}
template <class T>
__device__ __forceinline__ sc_complex<T> sc_mul(sc_complex<T> a, sc_complex<T> b) {
  return sc_complex<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
template <class T>
__device__ __forceinline__ sc_complex<T> sc_neg(sc_complex<T> a) {
  return sc_complex<T>(-a.re, -a.im);
}
template <class T>
__device__ __forceinline__ bool sc_same(sc_complex<T> a, sc_complex<T> b) {
  return a.re == b.re && a.im == b.im;
}
template <class T>
__device__ __forceinline__ sc_complex<T> sc_div(sc_complex<T> a, sc_complex<T> b) {
  const T real = sc_abs(b.re), imag = sc_abs(b.im);
  // By zero every part is divided by zero, whatever its sign.
  if (real == T(0) && imag == T(0)) return sc_complex<T>(a.re / real, a.im / real);
  if (real >= imag) {
    const T ratio = b.im / b.re, scale = T(1) / (b.re + b.im * ratio);
    return sc_complex<T>((a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale);
  }
  const T ratio = b.re / b.im, scale = T(1) / (b.im + b.re * ratio);
  return sc_complex<T>((a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale);
}
// Of Python's numbers each part is divided; by zero it is never called.
__device__ __forceinline__ sc_c128 sc_quotient(sc_c128 a, sc_c128 b) {
  const double real = sc_abs(b.re), imag = sc_abs(b.im);
  if (imag <= real) {
    const double ratio = b.im / b.re, divisor = b.re + b.im * ratio;
    return sc_c128((a.re + a.im * ratio) / divisor, (a.im - a.re * ratio) / divisor);
  }
  if (!(imag >= real)) return sc_c128(SC_NAN_F64, SC_NAN_F64);
  const double ratio = b.re / b.im, divisor = b.im + b.re * ratio;
  return sc_c128((a.re * ratio + a.im) / divisor, (a.im * ratio - a.re) / divisor);
}
// A register has no room for both parts.
template <class T>
__device__ __forceinline__ sc_complex<T> sc_lane_xor(sc_complex<T> value, int distance) {
  return sc_complex<T>(sc_lane_xor(value.re, distance), sc_lane_xor(value.im, distance));
}
"""
