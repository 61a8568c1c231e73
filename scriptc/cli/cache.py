"""`scriptc cache`: how much is kept on disk, and how to be rid of it."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from scriptc.cli.info import described_cache, shown_size
from scriptc.options import from_environment

# What the compiler writes, by the form of names. Nothing else in the folder is touched: it may be
# one where a user keeps object files as well.
_DIGEST = "[0-9a-f]{32,40}"
_KINDS: Mapping[str, str] = {
    rf"{_DIGEST}\.manifest": "specialisations",
    rf"{_DIGEST}\.o": "machine code",
    rf"{_DIGEST}\.part": "parts of programs",
    rf"emulated/{_DIGEST}\.so": "emulated kernels",
    rf"stamp-{_DIGEST}": "stamps of versions",
}


def report() -> str:
    """Return where the cache is, and the number and size of what it holds."""
    folder = _folder()
    if folder is None:
        return "compiled code is not kept: there is no folder for it"
    counts, sizes = Counter[str](), Counter[str]()
    for path, kind in _entries(folder):
        counts[kind] += 1
        sizes[kind] += path.stat().st_size
    lines = [f"{described_cache(str(folder))}: {shown_size(sizes.total())}"]
    lines += [f"  {counts[kind]} {kind}, {shown_size(sizes[kind])}" for kind in sorted(counts)]
    return "\n".join(lines)


def clear() -> str:
    """Remove what is kept, and say how much that was.

    Programs under way keep what they have loaded, and compile anew what they have not.
    """
    folder = _folder()
    found = [] if folder is None else list(_entries(folder))
    freed = 0
    for path, _ in found:
        freed += path.stat().st_size
        path.unlink(missing_ok=True)
    return f"removed {len(found)} files, {shown_size(freed)}"


def _folder() -> Path | None:
    folder = from_environment().cache_dir
    return Path(folder) if folder else None


def _entries(folder: Path) -> Iterator[tuple[Path, str]]:
    if not folder.is_dir() or folder.is_symlink():
        return
    for path in sorted((*folder.glob("*"), *folder.glob("emulated/*"))):
        if path.is_symlink() or not path.is_file():
            continue
        name = path.relative_to(folder).as_posix()
        for form, kind in _KINDS.items():
            if re.fullmatch(form, name):
                yield path, kind
