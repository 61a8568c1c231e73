"""Scripted functions, classes and their objects as pickles."""
