"""Half precision in CUDA C++: a number of 16 bits that is computed with as a float.

The text needs no header and is the same for a GPU and for the emulated device.  A result is rounded
once, to the nearest half, ties to even; NaN keeps the highest bits of its payload.
"""

HALVES = r"""
struct sc_half {
  unsigned short bits;
  sc_half() = default;
  __device__ __forceinline__ sc_half(float x) : bits(rounded(x)) {}
  __device__ __forceinline__ sc_half(double x) : bits(rounded(to_odd(x))) {}
  __device__ __forceinline__ operator float() const {
    const unsigned size = (bits & 0x7fffu) << 13;
    // The exponent is 112 too small; a product by a power of two is exact.
    const float x = size >= 0x0f800000u ? __int_as_float((int)(size | 0x7f800000u))
                                        : __int_as_float((int)size) * 5.192296858534828e33f;
    return bits & 0x8000u ? -x : x;
  }

 private:
  static __device__ __forceinline__ unsigned short rounded(float x) {
    const unsigned word = (unsigned)__float_as_int(x), sign = word >> 16 & 0x8000u;
    const unsigned size = word & 0x7fffffffu;
    if (size > 0x7f800000u) {
      const unsigned payload = size >> 13 & 0x3ffu;
      return (unsigned short)(sign | 0x7c00u | (payload ? payload : 1u));
    }
    if (size >= 0x477ff000u) return (unsigned short)(sign | 0x7c00u);
    // A sum with one half has the bits of a half below the normal ones at its end, rounded.
    if (size < 0x38800000u) {
      const float sum = __int_as_float((int)size) + 0.5f;
      return (unsigned short)(sign | ((unsigned)__float_as_int(sum) - 0x3f000000u));
    }
    return (unsigned short)(sign | ((size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13));
  }
  // What is not exact ends in a one, so that the next rounding goes where a single one would.
  static __device__ __forceinline__ float to_odd(double x) {
    const float near = (float)x;
    const double back = (double)near;
    if (back == x || x != x) return near;
    const bool is_larger = (back < 0 ? -back : back) > (x < 0 ? -x : x);
    return __int_as_float((__float_as_int(near) - (is_larger ? 1 : 0)) | 1);
  }
};
"""
