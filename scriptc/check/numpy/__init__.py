"""NumPy's functions: what their calls mean, and the types of their results."""

from scriptc_runtime.later import load_later

load_later(__name__)
