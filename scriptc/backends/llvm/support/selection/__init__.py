"""Selection of elements by their place in order, as parts of the support code."""

from scriptc_runtime.later import load_later

load_later(__name__)
