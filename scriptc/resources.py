"""Where the texts of scriptc lie, `grammar/` and `stdlib/`: in a wheel or in a checkout."""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def folder(name: str) -> Path:
    """Return the folder `grammar` or `stdlib`."""
    packaged = _PACKAGE / name  # a wheel puts them inside the package
    return packaged if packaged.is_dir() else _PACKAGE.parent / name


def read_text(name: str, file: str) -> str:
    """Return the text of one file of the folder `name`."""
    return (folder(name) / file).read_text(encoding="utf-8")
