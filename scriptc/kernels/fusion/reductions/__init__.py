"""Reductions in nests, by the axes that they run over."""

from scriptc_runtime.later import load_later

load_later(__name__)
