"""Forty array programs, as users of NumPy write them: what the benchmark of whole arrays runs.

A program is written once. scriptc compiles it, NumPy runs it, and the other compilers get the same
source. One that writes into arrays has a second form for JAX, in `jax_forms`.
"""
