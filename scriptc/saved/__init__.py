"""Modules in files and in pickles, seen from the compiler."""
