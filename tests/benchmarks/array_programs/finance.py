"""Finance: prices of options, risks of portfolios, bands around courses."""

# Half of the programs have no annotations: their types come from the call.
# pyright: basic

import numpy as np

from scriptc.types import N, T, f64
from tests.benchmarks.array_programs.program import Program


def _normal_cdf(x):
    """Abramowitz and Stegun, 26.2.17."""
    k = 1.0 / (1.0 + 0.2316419 * np.abs(x))
    upper = 1.781477937 + k * (-1.821255978 + k * 1.330274429)
    series = k * (0.319381530 + k * (-0.356563782 + k * upper))
    tail = 0.3989422804 * np.exp(-0.5 * x * x) * series
    return np.where(x >= 0.0, 1.0 - tail, tail)


def black_scholes(spot: f64[N], strike: f64[N], years: f64[N], rate: float, volatility: float):
    """The prices of calls and puts, and the deltas of the calls."""
    root = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / root
    d2 = d1 - volatility * np.sqrt(years)
    discounted = strike * np.exp(-rate * years)
    call = spot * _normal_cdf(d1) - discounted * _normal_cdf(d2)
    put = discounted * _normal_cdf(-d2) - spot * _normal_cdf(-d1)
    return call, put, _normal_cdf(d1)


def portfolio(prices: f64[T, N], weights: f64[N]):
    """Yearly return and risk, Sharpe's ratio, and the largest fall from a peak's half-way mean."""
    returns = np.diff(np.log(prices), axis=0)
    mean = returns.mean(axis=0) * 252.0
    centred = returns - returns.mean(axis=0)
    risk = np.sqrt(weights @ (centred.T @ centred / len(returns) * 252.0) @ weights)
    daily = returns @ weights
    wealth = np.exp(np.cumsum(daily))
    return weights @ mean, risk, weights @ mean / risk, np.min(wealth / np.mean(wealth)) - 1.0


def asian_options(z, spot, strike, rate, volatility):
    """The price of a call on the mean of a course, and of one that ends at a barrier."""
    steps = z.shape[0]
    dt = 1.0 / steps
    drift = (rate - 0.5 * volatility**2) * dt
    courses = spot * np.exp(np.cumsum(drift + volatility * np.sqrt(dt) * z, axis=0))
    payoff = np.maximum(courses.mean(axis=0) - strike, 0.0)
    alive = courses.max(axis=0) < 1.3 * spot
    barrier = np.where(alive, np.maximum(courses[-1] - strike, 0.0), 0.0)
    discount = np.exp(-rate)
    return discount * payoff.mean(), discount * barrier.mean(), payoff.std() / np.sqrt(z.shape[1])


def bands(x, window):
    """Two deviations around a moving mean, and how often the course leaves them."""
    sums = np.cumsum(np.concatenate((np.zeros(1), x)))
    squares = np.cumsum(np.concatenate((np.zeros(1), x * x)))
    mean = (sums[window:] - sums[:-window]) / window
    variance = (squares[window:] - squares[:-window]) / window - mean**2
    deviation = np.sqrt(np.maximum(variance, 0.0))
    now = x[window - 1 :]
    outside = (now > mean + 2.0 * deviation) | (now < mean - 2.0 * deviation)
    return mean - 2.0 * deviation, mean + 2.0 * deviation, outside.sum() / len(outside)


def _options(n, rng):
    spot, strike = rng.uniform(80.0, 120.0, (2, n))
    return spot, strike, rng.uniform(0.1, 2.0, n), 0.03, 0.25


def _prices(n, rng):
    steps = rng.normal(2e-4, 0.01, (n, 12))
    return 100.0 * np.exp(np.cumsum(steps, axis=0)), np.full(12, 1.0 / 12.0)


def _noise(n, rng):
    return rng.normal(0.0, 1.0, (24, n)), 100.0, 102.0, 0.03, 0.25


def _course(n, rng):
    return rng.normal(0.5, 1.0, n), 8  # no sums that grow: they leave little of a variance


PROGRAMS = [
    Program(black_scholes, _options, small=12_000, large=600_000),
    Program(portfolio, _prices, small=2_000, large=100_000),
    Program(asian_options, _noise, small=1_000, large=60_000),
    Program(bands, _course, small=12_000, large=1_000_000, tiny=40),
]
