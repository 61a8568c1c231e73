"""Saved modules: files that are safe to read from a stranger."""
