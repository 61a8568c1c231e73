"""Compiled code on disk: what an entry depends on, how it is found and loaded."""
