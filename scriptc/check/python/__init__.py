"""Python's own library: builtins, math, lists, text, complex numbers."""
