"""Loops that fold, as vector code with the same bits on every machine."""
