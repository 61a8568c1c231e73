"""Reductions in nests, by the axes that they run over."""
