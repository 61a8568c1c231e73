"""Loops over elements, whoever wrote them: rearranged, side by side, unchecked, shared."""
