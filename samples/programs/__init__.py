"""Programs of the size that people write, each with a function `run` that is compiled whole."""
