"""Arguments of calls as they are typed on a command line."""

import ast

import numpy as np


def read_argument(text: str) -> object:
    """Return an array from a `.npy` file, or the value of a Python literal; nothing is executed.

    Raises ValueError, SyntaxError, OSError; TypeError for a dict or set of lists, EOFError for an
    empty file.
    """
    if text.endswith(".npy"):
        return np.load(text, allow_pickle=False)
    return ast.literal_eval(text)
