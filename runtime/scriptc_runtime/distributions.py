"""The distributions that scripts can draw from: NumPy's methods, and the C functions behind them.

NumPy documents these functions as its C API for random numbers.  A method of `np.random.Generator`
checks its parameters, takes the lock of the generator and calls one of them for each number, so
who calls it as well continues the same stream.
"""

import enum
import math
from collections.abc import Mapping

from scriptc_runtime.record import record
from scriptc_runtime.types import FLOAT, GENERATOR, INT, RANDOM_STATE, DType, PyType


class Rule(enum.Enum):
    """What a parameter must be: NumPy's constraints, with its message, `{}` being the name."""

    NONE = ""
    NON_NEGATIVE = "{} < 0"  # nor -0.0; NaN is taken
    POSITIVE = "{} <= 0"  # NaN is taken
    POSITIVE_NOT_NAN = "{} must not be NaN"
    UP_TO_1 = "{} < 0, {} > 1 or {} is NaN"
    ABOVE_0_UP_TO_1 = "{} <= 0, {} > 1 or {} contains NaNs"
    BELOW_1 = "{} < 0, {} >= 1 or {} is NaN"
    ABOVE_1 = "{} <= 1 or {} is NaN"
    POISSON = "{} < 0 or {} is NaN"

    def message(self, name: str, *, many: bool = False) -> str:
        """Return the message for a parameter, or for an array of them."""
        text = self.value.replace("is NaN", "contains NaNs") if many else self.value
        return text.replace("{}", name)


# Above it, numbers drawn from Poisson's distribution might not fit into 64 bits.
POISSON_MAX = 2.0**63 - 10 * math.sqrt(2.0**63)
HYPERGEOMETRIC_MAX = 10**9


@record(eq=False)
class Parameter:
    """A parameter of a distribution, a float or an int; one without a default must be given."""

    name: str
    rule: Rule = Rule.NONE
    default: float | None = None
    type: PyType = FLOAT


@record
class Distribution:
    """A distribution: what it takes, what it gives, and the C functions that draw from it.

    `single` draws in single precision.  `fills` says that a function draws a whole array: its name
    is that of the other and `_fill`.  `state` says that the function takes what it has learned of
    the parameters as well.  `method` is the name of NumPy's method, where it is another.
    """

    symbol: str
    parameters: tuple[Parameter, ...] = ()
    result: PyType = FLOAT
    single: str = ""
    fills: bool = False
    method: str = ""


def _scale(name: str = "scale") -> Parameter:
    return Parameter(name, Rule.NON_NEGATIVE, 1.0)


def _positive(*names: str) -> tuple[Parameter, ...]:
    return tuple(Parameter(name, Rule.POSITIVE) for name in names)


_LOC = Parameter("loc", default=0.0)
_SIZES = tuple(
    Parameter(name, Rule.NON_NEGATIVE, type=INT) for name in ("ngood", "nbad", "nsample")
)
# Integers between two others: `integers` of a Generator, `randint` of a RandomState.
BOUNDED = "integers"
_BOUNDS = Distribution(
    "random_bounded",
    (Parameter("low", type=INT), Parameter("high", type=INT)),
    INT,
)
_NONC = Parameter("nonc", Rule.NON_NEGATIVE)

_OF_GENERATOR: Mapping[str, Distribution] = {
    BOUNDED: _BOUNDS,
    "random": Distribution(
        "random_standard_uniform", single="random_standard_uniform_f", fills=True
    ),
    "standard_normal": Distribution(
        "random_standard_normal", single="random_standard_normal_f", fills=True
    ),
    "standard_exponential": Distribution(
        "random_standard_exponential", single="random_standard_exponential_f", fills=True
    ),
    "standard_gamma": Distribution(
        "random_standard_gamma",
        (Parameter("shape", Rule.NON_NEGATIVE),),
        single="random_standard_gamma_f",
    ),
    "uniform": Distribution(
        "random_uniform", (Parameter("low", default=0.0), Parameter("high", default=1.0))
    ),
    "normal": Distribution("random_normal", (_LOC, _scale())),
    "exponential": Distribution("random_exponential", (_scale(),)),
    "gamma": Distribution("random_gamma", (Parameter("shape", Rule.NON_NEGATIVE), _scale())),
    "beta": Distribution("random_beta", _positive("a", "b")),
    "chisquare": Distribution("random_chisquare", _positive("df")),
    "noncentral_chisquare": Distribution("random_noncentral_chisquare", (*_positive("df"), _NONC)),
    "f": Distribution("random_f", _positive("dfnum", "dfden")),
    "noncentral_f": Distribution("random_noncentral_f", (*_positive("dfnum", "dfden"), _NONC)),
    "standard_cauchy": Distribution("random_standard_cauchy"),
    "standard_t": Distribution("random_standard_t", _positive("df")),
    "vonmises": Distribution(
        "random_vonmises", (Parameter("mu"), Parameter("kappa", Rule.NON_NEGATIVE))
    ),
    "pareto": Distribution("random_pareto", _positive("a")),
    "weibull": Distribution("random_weibull", (Parameter("a", Rule.NON_NEGATIVE),)),
    "power": Distribution("random_power", _positive("a")),
    "laplace": Distribution("random_laplace", (_LOC, _scale())),
    "gumbel": Distribution("random_gumbel", (_LOC, _scale())),
    "logistic": Distribution("random_logistic", (_LOC, _scale())),
    "lognormal": Distribution(
        "random_lognormal", (Parameter("mean", default=0.0), _scale("sigma"))
    ),
    "rayleigh": Distribution("random_rayleigh", (_scale(),)),
    "wald": Distribution("random_wald", _positive("mean", "scale")),
    "triangular": Distribution(
        "random_triangular", (Parameter("left"), Parameter("mode"), Parameter("right"))
    ),
    "binomial": Distribution(
        "random_binomial",
        (Parameter("n", Rule.NON_NEGATIVE, type=INT), Parameter("p", Rule.UP_TO_1)),
        INT,
    ),
    "negative_binomial": Distribution(
        "random_negative_binomial",
        (Parameter("n", Rule.POSITIVE_NOT_NAN), Parameter("p", Rule.ABOVE_0_UP_TO_1)),
        INT,
    ),
    "poisson": Distribution("random_poisson", (Parameter("lam", Rule.POISSON, 1.0),), INT),
    "geometric": Distribution("random_geometric", (Parameter("p", Rule.ABOVE_0_UP_TO_1),), INT),
    "zipf": Distribution("random_zipf", (Parameter("a", Rule.ABOVE_1),), INT),
    "logseries": Distribution("random_logseries", (Parameter("p", Rule.BELOW_1),), INT),
    "hypergeometric": Distribution("random_hypergeometric", _SIZES, INT),
}
# The older class has algorithms of its own for most, of which these are ours to write: the polar
# method, the exponential function of it, and the logarithm of uniform numbers.
POLAR, POLAR_EXP, LOGARITHM = "legacy_gauss", "legacy_lognormal", "legacy_exponential"
_OF_STATE: Mapping[str, Distribution] = {
    BOUNDED: Distribution(_BOUNDS.symbol, _BOUNDS.parameters, INT, method="randint"),
    "random": Distribution("random_standard_uniform", fills=True, method="random_sample"),
    "uniform": _OF_GENERATOR["uniform"],
    "standard_normal": Distribution(POLAR),
    "normal": Distribution(POLAR, (_LOC, _scale())),
    "lognormal": Distribution(POLAR_EXP, _OF_GENERATOR["lognormal"].parameters),
    "standard_exponential": Distribution(LOGARITHM),
    "exponential": Distribution(LOGARITHM, (_scale(),)),
    **{
        name: _OF_GENERATOR[name]
        for name in ("gumbel", "laplace", "logistic", "poisson", "triangular")
    },
}
DISTRIBUTIONS: Mapping[PyType, Mapping[str, Distribution]] = {
    GENERATOR: _OF_GENERATOR,
    RANDOM_STATE: _OF_STATE,
}
# What `integers` gives.
BOUNDED_DTYPES = (
    *(DType.B1, DType.I8, DType.I16, DType.I32, DType.I64),
    *(DType.U8, DType.U16, DType.U32, DType.U64),
)
