"""Where the texts of scriptc lie, such as `grammar/`: in a wheel or in a checkout."""

import os

# Not pathlib, which takes 3 ms to import.
_PACKAGE = os.path.dirname(__file__)
_IN_CHECKOUT = {"errors": os.path.join("docs", "errors")}


def folder(name: str) -> str:
    """Return the folder `grammar`, `stdlib` or `errors`, the pages on codes of diagnostics."""
    packaged = os.path.join(_PACKAGE, name)  # a wheel puts them inside the package
    beside = os.path.join(os.path.dirname(_PACKAGE), _IN_CHECKOUT.get(name, name))
    return packaged if os.path.isdir(packaged) else beside


def read_text(name: str, file: str) -> str:
    """Return the text of one file of the folder `name`."""
    with open(os.path.join(folder(name), file), encoding="utf-8") as text:
        return text.read()


def names_in(name: str) -> list[str]:
    """Return the names of the files of the folder `name`, in order."""
    return sorted(os.listdir(folder(name)))
