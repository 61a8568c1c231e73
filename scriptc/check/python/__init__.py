"""Python's own library: builtins, math, lists, text, complex numbers."""

from scriptc_runtime.later import load_later

load_later(__name__)
