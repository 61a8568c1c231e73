"""NumPy's functions: what their calls mean, and the types of their results."""
