"""Sizes followed through a program, and where two meet that annotations call by other names."""
