"""Random numbers from NumPy's generators: their fields, locks and parameters."""
