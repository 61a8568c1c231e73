"""Powers of complex numbers, as NumPy and as CPython compute them.

Both multiply where the exponent is a small whole number; the others are the C library's `cpow` for
NumPy, as NumPy itself calls it, and CPython's own formula for Python.  Parts stand side by side:
C's calling conventions on x86-64 and Arm pass a `double complex` as two doubles.
"""

from collections.abc import Mapping

from scriptc.backends.llvm.routines.small import Routine

_NAN, _INFINITY = "0x7FF8000000000000", "0x7FF0000000000000"
# One product: NumPy's and CPython's, without C's recovery of infinities.
_PRODUCT = """\
  %{r}.rr = fmul {t} {a}r, {b}r
  %{r}.ii = fmul {t} {a}i, {b}i
  %{r}.ri = fmul {t} {a}r, {b}i
  %{r}.ir = fmul {t} {a}i, {b}r
  %{r}r = fsub {t} %{r}.rr, %{r}.ii
  %{r}i = fadd {t} %{r}.ri, %{r}.ir
"""
# With both parts a routine returns whether CPython raises ZeroDivisionError.
_RETURN = """\
  %{r}.0 = insertvalue {{ {t}, {t}, i1 }} poison, {t} {real}, 0
  %{r}.1 = insertvalue {{ {t}, {t}, i1 }} %{r}.0, {t} {imag}, 1
  %{r}.2 = insertvalue {{ {t}, {t}, i1 }} %{r}.1, i1 {by_zero}, 2
  ret {{ {t}, {t}, i1 }} %{r}.2
"""


def _product(t: str, result: str, a: str, b: str) -> str:
    return _PRODUCT.format(t=t, r=result, a=f"%{a}", b=f"%{b}")


def _return(t: str, name: str, real: str, imag: str, by_zero: str = "false") -> str:
    return _RETURN.format(t=t, r=name, real=real, imag=imag, by_zero=by_zero)


def _by_squaring(t: str) -> str:
    """Return the product of a with itself as often as `%n` says, by binary digits from below."""
    return f"""\
square:
  br label %digit
digit:
  %mask = phi i64 [ 1, %square ], [ %mask.next, %next ]
  %pr = phi {t} [ %ar, %square ], [ %qr, %next ]
  %pi = phi {t} [ %ai, %square ], [ %qi, %next ]
  %totalr = phi {t} [ 1.0, %square ], [ %nextr, %next ]
  %totali = phi {t} [ 0.0, %square ], [ %nexti, %next ]
{_product(t, "more", "total", "p")}  %bit = and i64 %n, %mask
  %taken = icmp ne i64 %bit, 0
  %nextr = select i1 %taken, {t} %morer, {t} %totalr
  %nexti = select i1 %taken, {t} %morei, {t} %totali
  %mask.next = shl i64 %mask, 1
  %last = icmp slt i64 %n, %mask.next
  br i1 %last, label %squared, label %next
next:
{_product(t, "q", "p", "p")}  br label %digit
squared:
  br i1 %negative, label %invert, label %done
done:
{_return(t, "whole", "%nextr", "%nexti")}"""


def _inverse(t: str, *, numpy: bool) -> str:
    """Return 1 / next by Smith's method: NumPy multiplies by the reciprocal, CPython divides."""
    fabs = f"@llvm.fabs.{'f32' if t == 'float' else 'f64'}"
    scale = (
        f"""\
  %scale = fdiv {t} 1.0, %divisor
  %upr = fmul {t} %top, %scale
  %upi = fmul {t} %down, %scale
"""
        if numpy
        else f"""\
  %upr = fdiv {t} %top, %divisor
  %upi = fdiv {t} %down, %divisor
"""
    )
    return f"""\
invert:
  %size.r = call {t} {fabs}({t} %nextr)
  %size.i = call {t} {fabs}({t} %nexti)
  %by.real = fcmp oge {t} %size.r, %size.i
  %by.imag = fcmp oge {t} %size.i, %size.r
  %large = select i1 %by.real, {t} %nextr, {t} %nexti
  %small = select i1 %by.real, {t} %nexti, {t} %nextr
  %ratio = fdiv {t} %small, %large
  %rest = fmul {t} %small, %ratio
  %divisor = fadd {t} %large, %rest
  %nothing = fmul {t} 0.0, %ratio
  %whole.top = fadd {t} 1.0, %nothing
  %other.top = fadd {t} %ratio, 0.0
  %top = select i1 %by.real, {t} %whole.top, {t} %other.top
  %whole.down = fsub {t} 0.0, %ratio
  %other.down = fsub {t} %nothing, 1.0
  %down = select i1 %by.real, {t} %whole.down, {t} %other.down
{scale}  %zero.r = fcmp oeq {t} %nextr, 0.0
  %zero.i = fcmp oeq {t} %nexti, 0.0
  %by.zero = and i1 %zero.r, %zero.i
{_odd(t, numpy=numpy)}{_return(t, "inverse", "%out.r", "%out.i", "%by.zero")}"""


def _odd(t: str, *, numpy: bool) -> str:
    """Return the choice of what dividing by zero, or by NaN, gives."""
    if numpy:  # by zero, both parts of 1 are divided by zero
        return f"""\
  %out.r = select i1 %by.zero, {t} {_INFINITY}, {t} %upr
  %out.i = select i1 %by.zero, {t} {_NAN}, {t} %upi
"""
    return f"""\
  %ordered = or i1 %by.real, %by.imag
  %out.r = select i1 %ordered, {t} %upr, {t} {_NAN}
  %out.i = select i1 %ordered, {t} %upi, {t} {_NAN}
"""


def _is_whole(t: str, limit: str, compare: str) -> str:
    suffix = "f32" if t == "float" else "f64"
    return f"""\
  %flat = fcmp oeq {t} %bi, 0.0
  %size = call {t} @llvm.fabs.{suffix}({t} %br)
  %near = fcmp {compare} {t} %size, {limit}
  %floor = call {t} @llvm.trunc.{suffix}({t} %br)
  %exact = fcmp oeq {t} %floor, %br
  %small.1 = and i1 %flat, %near
  %small.2 = and i1 %small.1, %exact
"""


def _declarations(t: str, *more: str) -> frozenset[str]:
    suffix = "f32" if t == "float" else "f64"
    own = (f"declare {t} @llvm.{name}.{suffix}({t})" for name in ("fabs", "trunc"))
    return frozenset({*own, *more})


def _numpy_power(t: str, name: str) -> Routine:
    """Return npy_cpow: 0 to what has no positive real part is NaN."""
    arguments = ("%ar", "%ai", "%br", "%bi")
    general = "".join(f"  {a}.d = fpext float {a} to double\n" for a in arguments)
    wide = t == "double"
    given = ", ".join(f"double {a if wide else f'{a}.d'}" for a in arguments)
    parts = "".join(
        f"  %c{part} = extractvalue {{ double, double }} %both, {i}\n"
        for i, part in enumerate("ri")
    )
    narrow = "".join(f"  %g{part} = fptrunc double %c{part} to float\n" for part in "ri")
    end = _return(t, "far", "%cr", "%ci") if wide else narrow + _return(t, "far", "%gr", "%gi")
    text = f"""\
define internal {{ {t}, {t}, i1 }} @sc.{name}({t} %ar, {t} %ai, {t} %br, {t} %bi)
    nounwind willreturn memory(none) {{
entry:
  %none.r = fcmp oeq {t} %br, 0.0
  %none.i = fcmp oeq {t} %bi, 0.0
  %none = and i1 %none.r, %none.i
  br i1 %none, label %one, label %some
one:
{_return(t, "unit", "1.0", "0.0")}some:
  %zero.ar = fcmp oeq {t} %ar, 0.0
  %zero.ai = fcmp oeq {t} %ai, 0.0
  %zero = and i1 %zero.ar, %zero.ai
  br i1 %zero, label %vanishes, label %kind
vanishes:
  %up = fcmp ogt {t} %br, 0.0
  %part = select i1 %up, {t} 0.0, {t} {_NAN}
{_return(t, "nothing", "%part", "%part")}kind:
{_is_whole(t, "100.0", "olt")}  br i1 %small.2, label %count, label %general
count:
  %whole.n = fptosi {t} %br to i64
  %negative = icmp slt i64 %whole.n, 0
  %opposite = sub i64 0, %whole.n
  %n = select i1 %negative, i64 %opposite, i64 %whole.n
  switch i64 %whole.n, label %square [ i64 1, label %itself i64 2, label %two i64 3, label %three ]
itself:
{_return(t, "same", "%ar", "%ai")}two:
{_product(t, "s", "a", "a")}{_return(t, "second", "%sr", "%si")}three:
{_product(t, "w", "a", "a")}{_product(t, "v", "a", "w")}{_return(t, "third", "%vr", "%vi")}\
{_by_squaring(t)}{_inverse(t, numpy=True)}general:
{"" if wide else general}  %both = call {{ double, double }} @cpow({given})
{parts}{end}}}
"""
    declared = "declare { double, double } @cpow(double, double, double, double)"
    return Routine(text, _declarations(t, declared))


def _python_power() -> Routine:
    """Return complex_pow of a base that is not zero unless the exponent is one that allows it.

    C's cos() calls an infinite angle an error of the domain, which CPython takes for that of zero.
    """
    t = "double"
    calls = {
        "modulus": "@hypot(double %ar, double %ai)",
        "length": "@pow(double %modulus, double %br)",
        "angle": "@atan2(double %ai, double %ar)",
    }
    polar = "".join(f"  %{name} = call double {call}\n" for name, call in calls.items())
    text = f"""\
define internal {{ {t}, {t}, i1 }} @sc.python_power({t} %ar, {t} %ai, {t} %br, {t} %bi)
    nounwind willreturn memory(none) {{
entry:
{_is_whole(t, "100.0", "ole")}  br i1 %small.2, label %count, label %general
count:
  %whole.n = fptosi {t} %br to i64
  %negative = icmp sle i64 %whole.n, 0
  %opposite = sub i64 0, %whole.n
  %n = select i1 %negative, i64 %opposite, i64 %whole.n
  %none = icmp eq i64 %n, 0
  br i1 %none, label %one, label %square
one:
{_return(t, "unit", "1.0", "0.0")}{_by_squaring(t)}{_inverse(t, numpy=False)}general:
  %zero.ar = fcmp oeq {t} %ar, 0.0
  %zero.ai = fcmp oeq {t} %ai, 0.0
  %zero = and i1 %zero.ar, %zero.ai
  br i1 %zero, label %vanishes, label %polar
vanishes:
{_return(t, "nothing", "0.0", "0.0")}polar:
{polar}  %phase = fmul double %angle, %br
  %turned = fmul double %angle, %bi
  %grown = call double @exp(double %turned)
  %shrunk = fdiv double %length, %grown
  %log = call double @log(double %modulus)
  %shift = fmul double %bi, %log
  %shifted = fadd double %phase, %shift
  %real.exponent = fcmp oeq double %bi, 0.0
  %len = select i1 %real.exponent, double %length, double %shrunk
  %at = select i1 %real.exponent, double %phase, double %shifted
  %cos = call double @cos(double %at)
  %sin = call double @sin(double %at)
  %gr = fmul double %len, %cos
  %gi = fmul double %len, %sin
  %turns = call double @llvm.fabs.f64(double %at)
  %endless = fcmp oeq double %turns, {_INFINITY}
{_return(t, "far", "%gr", "%gi", "%endless")}}}
"""
    one = (f"declare double @{name}(double)" for name in ("exp", "log", "cos", "sin"))
    two = (f"declare double @{name}(double, double)" for name in ("hypot", "pow", "atan2"))
    return Routine(text, _declarations(t, *one, *two))


ROUTINES: Mapping[str, Routine] = {
    "power_c128": _numpy_power("double", "power_c128"),
    "power_c64": _numpy_power("float", "power_c64"),
    "python_power": _python_power(),
}
