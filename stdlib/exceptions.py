"""Texts of exceptions whose arguments Python does not look into: lists, objects, functions."""

from scriptc_runtime import unsafe


def exception_str(args, is_key):
    """Return what `str(e)` says; that of a KeyError with one argument is as `repr` shows this."""
    if len(args) != 1:
        return arguments_text(args)
    return unsafe.argument_text(args, 0, "repr") if is_key else unsafe.argument_text(args, 0, "str")


def exception_repr(args, name):
    """Return what `repr(e)` says."""
    return f"{name}({_listed(args)})"


def arguments_text(args):
    """Return the text of the tuple of arguments."""
    return f"({_listed(args)},)" if len(args) == 1 else f"({_listed(args)})"


def _listed(args):
    return ", ".join([unsafe.argument_text(args, k, "repr") for k in range(len(args))])
