"""Updates in place of arrays of several ranks: weights and biases of a model, in one list."""

# Lists of arrays of several ranks are what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def by_number(n):
    arrays = [np.ones((n, 2)), np.zeros(2), np.full((1, 2, 2), 3.0)]
    for array in arrays:
        array -= 0.5
        array *= n
    return arrays


def by_array(n):
    pairs = [(np.ones((n, 2)), np.full((n, 2), 2.0)), (np.zeros(2), np.ones(2))]
    for weight, grad in pairs:
        weight -= 0.5 * grad
    return pairs


def items(n):
    weights = [np.ones((n, 2)), np.zeros(2)]
    grads = [np.ones((n, 2)), np.ones(2)]
    first = weights[0]
    for i in range(len(weights)):
        weights[i] -= 0.25 * grads[i]
    return weights, first


class Momentum:
    def __init__(self, params, rate):
        self.params = params
        self.rate = rate
        self.speeds = [np.zeros_like(p) for p, _ in params]

    def step(self):
        for i, (param, grad) in enumerate(self.params):
            self.speeds[i] = 0.5 * self.speeds[i] + grad
            param -= self.rate * self.speeds[i]


def momentum(n):
    params = [(np.ones((n, 2)), np.ones((n, 2))), (np.zeros(2), np.ones(2))]
    optimiser = Momentum(params, 0.25)
    for _ in range(3):
        optimiser.step()
    return params, optimiser.speeds


def without_room(n):
    arrays = [np.ones(2), np.ones((n, 2))]
    others = [np.ones((n, 2)), np.ones(2)]
    for array, other in zip(arrays, others, strict=True):
        array += other
    return arrays


def wrong_sizes(n):
    arrays = [np.ones(2), np.ones((n, 2))]
    others = [np.ones((n, 3)), np.ones(2)]
    for array, other in zip(arrays, others, strict=True):
        array += other
    return arrays


def numbers_too(n):
    values = [np.ones(2), n, 2.5]
    for i in range(len(values)):
        values[i] += 1
    return values


CASES: list[Case] = [
    (by_number, [(0,), (3,)]),
    (by_array, [(0,), (3,)]),
    (items, [(2,)]),
    (momentum, [(2,)]),
    (without_room, [(3,), (1,)]),
    (wrong_sizes, [(3,)]),
    (numbers_too, [(2,)]),
]
