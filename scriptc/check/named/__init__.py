"""Values of the user's enumerations and named tuples."""

from scriptc_runtime.later import load_later

load_later(__name__)
