"""Code that is compiled once for all programs: memory, threads, products, selection."""
