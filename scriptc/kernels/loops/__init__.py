"""Loops over elements, whoever wrote them: rearranged, side by side, unchecked, shared."""

from scriptc_runtime.later import load_later

load_later(__name__)
