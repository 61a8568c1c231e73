"""Layers in a list, through which an array goes that has other axes after each of them."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportAssignmentType=false, reportCallIssue=false
# pyright: reportOptionalMemberAccess=false

import numpy as np

from tests.programs import Case


class Layer:
    def forward(self, x):
        raise NotImplementedError

    def backward(self, g):
        raise NotImplementedError


class Shift(Layer):
    def __init__(self, k):
        self.k = k
        self.shape = None

    def forward(self, x):
        n, c, h, w = x.shape
        self.shape = x.shape
        return x[:, :, self.k :, :] * (n * c * h * w)

    def backward(self, g):
        n, c, _, w = g.shape
        dx = np.zeros(self.shape)
        dx[:, :, self.k :, :] += g * (n * c * w)
        return dx


class Flatten(Layer):
    def __init__(self):
        self.shape = None

    def forward(self, x):
        self.shape = x.shape
        return x.reshape(len(x), -1)

    def backward(self, g):
        return g.reshape(self.shape)


class Rectify(Layer):
    def __init__(self):
        self.mask = None

    def forward(self, x):
        self.mask = x > 20
        return np.where(self.mask, x, 0.0)

    def backward(self, g):
        return g * self.mask


class Sequential(Layer):
    def __init__(self, *layers):
        self.layers = list(layers)

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, g):
        for layer in reversed(self.layers):
            g = layer.backward(g)
        return g


def through_layers(x):
    model = Sequential(Shift(2), Rectify(), Flatten(), Rectify())
    y = model.forward(x)
    return y, model.backward(y + 1.0)


def wrong_order(x):
    """The array has two axes where four are taken apart."""
    return Sequential(Flatten(), Shift(1)).forward(x)


def taken_apart(values, flat: bool):
    x = values.reshape(-1) if flat else values
    try:
        n, m = x.shape
    except ValueError as error:
        return str(error)
    x, y = x.shape
    return n + m + x * y


def indexed(values, flat: bool):
    x = values.reshape(-1) if flat else values
    try:
        return x[1:, None, 0].sum() + x[..., 0, 1].sum()
    except IndexError as error:
        return str(error)


def masked(values, flat: bool):
    x = values.reshape(-1) if flat else values
    mask = values[:, :, 0] > 1
    try:
        return x[mask, 1].sum()
    except IndexError as error:
        return str(error)


def pairs(flag: bool):
    point = (1, 2, 3) if flag else (4, 5)
    try:
        a, b = point
    except ValueError as error:
        return str(error)
    return a * b


class Parameter:
    """An array of two axes in one object, and of one in another."""

    def __init__(self, value):
        self.value = value
        self.grad = np.zeros_like(value)


class Block:
    def parameters(self):
        return []

    def forward(self, x):
        raise NotImplementedError


class Dense(Block):
    def __init__(self, inputs, outputs):
        self.w = Parameter(np.linspace(-1.0, 1.0, inputs * outputs).reshape(inputs, outputs))
        self.b = Parameter(np.zeros(outputs))
        self.x = None

    def parameters(self):
        return [self.w, self.b]

    def forward(self, x):
        self.x = x
        return x @ self.w.value + self.b.value

    def backward(self, g):
        self.w.grad += self.x.T @ g
        self.b.grad += g.sum(axis=0)
        return g @ self.w.value.T


class Flat(Block):
    def __init__(self):
        self.shape = None

    def forward(self, x):
        self.shape = x.shape
        return x.reshape(len(x), -1)

    def backward(self, g):
        return g.reshape(self.shape)


class Chain(Block):
    def __init__(self, *blocks):
        self.blocks = list(blocks)

    def parameters(self):
        return [p for block in self.blocks for p in block.parameters()]

    def forward(self, x):
        for block in self.blocks:
            x = block.forward(x)
        return x

    def backward(self, g):
        for block in reversed(self.blocks):
            g = block.backward(g)
        return g


class Momentum:
    def __init__(self, params, rate):
        self.params = params
        self.rate = rate
        self.m = [np.zeros_like(p.value) for p in params]

    def step(self):
        for i, p in enumerate(self.params):
            self.m[i] = 0.5 * self.m[i] + p.grad
            p.value -= self.rate * self.m[i]
            p.grad[...] = 0


class Log:
    def __init__(self, callbacks):
        self.callbacks = list(callbacks)
        self.losses = []

    def add(self, loss):
        self.losses.append(loss)
        for callback in self.callbacks:
            callback(self)


def fitted(x, y, steps):
    model = Chain(Flat(), Dense(6, 3), Dense(3, 1))
    rule = Momentum(model.parameters(), 0.01)
    seen = []
    log = Log([lambda log: seen.append(len(log.losses))])
    for _ in range(steps):
        error = model.forward(x)[:, 0] - y
        log.add(round(float((error**2).mean()), 9))
        g = model.backward((2 * error / len(y))[:, None])
        rule.step()
    return log.losses, seen, g.shape, [p.value.ndim for p in model.parameters()]


CASES: list[Case] = [
    (fitted, [(np.linspace(0.0, 1.0, 12).reshape(2, 2, 3), np.array([1.0, -1.0]), 5)]),
    (through_layers, [(np.arange(48.0).reshape(2, 1, 6, 4),), (np.zeros((0, 2, 3, 1)),)]),
    (wrong_order, [(np.arange(8.0).reshape(2, 1, 2, 2),)]),
    (taken_apart, [(np.arange(6.0).reshape(2, 3), False), (np.arange(6.0).reshape(2, 3), True)]),
    (indexed, [(np.arange(6.0).reshape(2, 3), False), (np.arange(6.0).reshape(2, 3), True)]),
    (masked, [(np.arange(12.0).reshape(2, 3, 2), flat) for flat in (False, True)]),
    (pairs, [(True,), (False,)]),
]
