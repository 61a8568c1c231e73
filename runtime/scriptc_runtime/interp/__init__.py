"""The interpreter: what a module computes, on Python's and NumPy's own values."""
