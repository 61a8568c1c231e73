"""Classes that stand for some of Python's library, written as programs are."""
