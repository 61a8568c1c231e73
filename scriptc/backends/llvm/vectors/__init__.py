"""Loops that fold, as vector code with the same bits on every machine."""

from scriptc_runtime.later import load_later

load_later(__name__)
