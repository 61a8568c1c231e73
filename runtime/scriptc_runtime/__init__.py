"""The IR of scriptc, its meaning, and saved modules: all that NumPy alone can run."""
