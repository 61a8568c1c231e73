"""Where the texts of scriptc lie, `grammar/` and `stdlib/`: in a wheel or in a checkout."""

import os

# Not pathlib, which takes 3 ms to import.
_PACKAGE = os.path.dirname(__file__)


def folder(name: str) -> str:
    """Return the folder `grammar` or `stdlib`."""
    packaged = os.path.join(_PACKAGE, name)  # a wheel puts them inside the package
    beside = os.path.join(os.path.dirname(_PACKAGE), name)
    return packaged if os.path.isdir(packaged) else beside


def read_text(name: str, file: str) -> str:
    """Return the text of one file of the folder `name`."""
    with open(os.path.join(folder(name), file), encoding="utf-8") as text:
        return text.read()
