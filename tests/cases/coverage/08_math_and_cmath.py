"""math and cmath"""


# floor, ceil, trunc, fabs, fmod, modf, frexp, ldexp
import math

def example():
    return (math.floor(1.5), math.ceil(1.5), math.trunc(-1.5), math.fabs(-1.0), math.fmod(-7.0, 3.0), math.modf(1.5), math.frexp(8.0), math.ldexp(0.5, 4))


# gcd, lcm, factorial, comb, perm, isqrt, prod
import math

def example():
    return (math.gcd(12, 18), math.lcm(4, 6), math.factorial(5), math.comb(5, 2), math.perm(5, 2), math.isqrt(17), math.prod([2, 3]))


# sqrt, cbrt, exp, exp2, expm1, log, log2, log10, log1p, pow
import math

def example():
    return (math.sqrt(9.0), math.cbrt(8.0), math.exp(0.0), math.exp2(3.0), math.expm1(0.0), math.log(1.0), math.log2(8.0), math.log10(100.0), math.log1p(0.0), math.pow(2.0, 3.0))


# sin, cos, tan and their inverses, degrees, radians, hypot, dist
import math

def example():
    return (math.sin(0.0), math.cos(0.0), math.atan2(0.0, 1.0), math.degrees(0.0), math.radians(0.0), math.hypot(3.0, 4.0), math.dist([0.0], [2.0]))


# isclose, isfinite, isinf, isnan, copysign, nextafter, ulp, remainder, fsum
import math

def example():
    return (math.isclose(1.0, 1.0), math.isnan(math.nan), math.isinf(math.inf), math.copysign(1.0, -0.0), math.nextafter(1.0, 2.0), math.ulp(1.0), math.remainder(7.0, 4.0), math.fsum([0.1, 0.2]))


# gamma, lgamma, erf, erfc
import math

def example():
    return (math.gamma(5.0), round(math.lgamma(5.0), 9), math.erf(0.0), math.erfc(0.0))


# constants
import math

def example():
    return math.tau > math.pi > math.e


# functions of cmath
import cmath

def example():
    return (cmath.sqrt(-1), cmath.phase(1j) > 1.5, cmath.polar(2 + 0j), cmath.isnan(1j))
