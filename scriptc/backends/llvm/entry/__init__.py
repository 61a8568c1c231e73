"""Where compiled code meets CPython's objects: arguments in, results and exceptions out."""
