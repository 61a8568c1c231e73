"""Where compiled code meets CPython's objects: arguments in, results and exceptions out."""

from scriptc_runtime.later import load_later

load_later(__name__)
