"""Dicts, and what `collections` makes of them."""

from scriptc_runtime.later import load_later

load_later(__name__)
