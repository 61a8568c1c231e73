"""The pool of threads that share launches, and how much work a launch is."""

from scriptc_runtime.later import load_later

load_later(__name__)
