"""Deques: how they are made, their methods, and what syntax does with them."""

from scriptc_runtime.later import load_later

load_later(__name__)
