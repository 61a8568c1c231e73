"""Check a program: types, names, and what it does that cannot be compiled."""

from scriptc_runtime.later import load_later

load_later(__name__)
