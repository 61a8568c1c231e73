"""Zip files of members that are not compressed and stand one behind the other.

    (header | bytes of the member)* | directory: a header for each member | end of the directory

That is all that such a file may hold: nothing in front, between or behind, no comments, and no two
headers that say different things. Files over 4 GB have the longer headers of `zip64`.
"""

import struct
from binascii import crc32
from collections.abc import Mapping
from typing import Any, BinaryIO

from scriptc_runtime.record import record
from scriptc_runtime.saved.strict_json import refuse

MAX_MEMBERS = 10_000
MAX_NAME = 255
# Signature, versions, flags, method, time and date, checksum, sizes, lengths, and where it stands.
_LOCAL = struct.Struct("<4s2xHH4xIIIHH")
_CENTRAL = struct.Struct("<4s4xHH4xIIIHHHH6xI")
# Numbers of disks, members here and in all, size and place of the directory, length of a comment.
_END = struct.Struct("<4sHHHHIIH")
_END_64 = struct.Struct("<4sQ4xIIQQQQ")
_LOCATOR = struct.Struct("<4sIQI")
_UTF_8 = 0x800
_LONG_16, _LONG_32 = 2**16 - 1, 2**32 - 1  # the number stands in a longer field
_MAX_DIRECTORY = MAX_MEMBERS * (_CENTRAL.size + 4 * MAX_NAME + 28)
_FILE = "file"


@record
class Member:
    """Where the bytes of a member stand, and their checksum."""

    name: str
    start: int
    size: int
    checksum: int


class StoredZip:
    """The members of a file by name."""

    def __init__(self, stream: BinaryIO, size: int) -> None:
        """Read the headers of a file of `size` bytes.  Raises LoadError."""
        self._stream = stream
        self.members: Mapping[str, Member] = _members(stream, size)

    def read(self, name: str) -> bytes:
        """Return the bytes of a member.  Raises LoadError."""
        part = self.part(name)
        data = part.read(self.members[name].size)
        part.finish()
        return data

    def part(self, name: str) -> "Part":
        """Return a stream of the bytes of a member, to be read before another one is."""
        member = self.members[name]
        self._stream.seek(member.start)
        return Part(self._stream, member)


class Part:
    """The bytes of one member as a stream."""

    def __init__(self, stream: BinaryIO, member: Member) -> None:
        self._stream = stream
        self._member = member
        self._left = member.size
        self._checksum = 0

    def read(self, size: int) -> bytes:
        """Return the next bytes: `size` of them, or all that are left."""
        data = self._stream.read(min(size, self._left))
        self._left -= len(data)
        self._checksum = crc32(data, self._checksum)
        return data

    def finish(self) -> None:
        """Refuse what was not read to its end, or has another checksum."""
        if self._left or self._checksum != self._member.checksum:
            refuse(self._member.name, "is damaged")


def _members(stream: BinaryIO, size: int) -> dict[str, Member]:
    count, first, end = _directory(stream, size)
    stream.seek(first)
    directory = _exactly(stream, end - first)
    members: dict[str, Member] = {}
    start = 0
    for _ in range(count):
        header, directory = _header(directory)
        if header.start != start:
            refuse(header.name, f"stands at {header.start}, not at {start}")
        if header.name in members:
            refuse(header.name, "stands twice")
        start = header.start + _local_size(stream, header, first)
        members[header.name] = Member(header.name, start, header.size, header.checksum)
        start += header.size
    if directory or start != first:
        refuse(_FILE, "holds more than its members")
    return members


def _directory(stream: BinaryIO, size: int) -> tuple[int, int, int]:
    """Return how many members there are, and where the directory starts and ends."""
    last = size - _END.size
    mark, disk, first_disk, here, count, length, start, comment = _unpack(_END, stream, last)
    if mark != b"PK\5\6" or disk or first_disk or here != count or comment:
        refuse(_FILE, "does not end as a saved module does")
    if count == _LONG_16 or _LONG_32 in (length, start):
        last, count, length, start = _directory_64(stream, last)
    if count > MAX_MEMBERS or length > _MAX_DIRECTORY:
        refuse(_FILE, f"more than {MAX_MEMBERS} members")
    if start + length != last:
        refuse(_FILE, "has something between its directory and its end")
    return count, start, last


def _directory_64(stream: BinaryIO, end: int) -> tuple[int, int, int, int]:
    """Return where the longer end starts, and what it says of the directory."""
    locator = end - _LOCATOR.size
    last = locator - _END_64.size
    mark, disk, where, disks = _unpack(_LOCATOR, stream, locator)
    if mark != b"PK\6\7" or disk or where != last or disks != 1:
        refuse(_FILE, "does not end as a saved module does")
    mark, rest, disk, first_disk, here, count, length, start = _unpack(_END_64, stream, last)
    if mark != b"PK\6\6" or rest != _END_64.size - 12 or disk or first_disk or here != count:
        refuse(_FILE, "does not end as a saved module does")
    return last, count, length, start


@record
class _Header:
    """What the directory says of a member; `start` is that of its own header."""

    name: str
    raw_name: bytes
    flags: int
    start: int
    size: int
    checksum: int


def _header(directory: bytes) -> tuple[_Header, bytes]:
    """Return the first header of a directory, and the rest."""
    if len(directory) < _CENTRAL.size:
        refuse(_FILE, "its directory ends early")
    found = _CENTRAL.unpack_from(directory)
    mark, flags, method, checksum, packed, size, name, extra, comment, disk, start = found
    if mark != b"PK\1\2" or flags not in (0, _UTF_8) or comment or disk:
        refuse(_FILE, "has a directory that scriptc does not write")
    end = _CENTRAL.size + name
    raw_name = directory[_CENTRAL.size : end]
    called = _decoded(raw_name, flags)
    more = directory[end : end + extra]
    size, packed, start = _longer(called, (size, packed, start), more)
    if method or packed != size:
        refuse(called, "is compressed")
    return _Header(called, raw_name, flags, start, size, checksum), directory[end + extra :]


def _local_size(stream: BinaryIO, header: _Header, end: int) -> int:
    """Return the length of a member's own header, which says what the directory does."""
    found = _unpack(_LOCAL, stream, header.start)
    mark, flags, method, checksum, packed, size, length, extra = found
    name = _exactly(stream, length)
    size, packed = _longer(header.name, (size, packed), _exactly(stream, extra))
    said = (b"PK\3\4", header.flags, 0, header.checksum, header.size, header.size, header.raw_name)
    if (mark, flags, method, checksum, packed, size, name) != said:
        refuse(header.name, "has two headers that differ")
    own = _LOCAL.size + length + extra
    if header.start + own + header.size > end:
        refuse(header.name, "is larger than the file")
    return own


def _longer(name: str, numbers: tuple[int, ...], extra: bytes) -> tuple[int, ...]:
    """Return numbers, those that do not fit 32 bits taken from the extra part of a header."""
    long = [n == _LONG_32 for n in numbers]
    wanted = struct.Struct(f"<HH{sum(long)}Q") if any(long) else struct.Struct("")
    if len(extra) != wanted.size:
        refuse(name, "has a header that scriptc does not write")
    if not extra:
        return numbers
    kind, length, *given = wanted.unpack(extra)
    if kind != 1 or length != len(extra) - 4:
        refuse(name, "has a header that scriptc does not write")
    rest = iter(given)
    return tuple(next(rest) if is_long else n for n, is_long in zip(numbers, long, strict=True))


def _decoded(name: bytes, flags: int) -> str:
    try:
        return name.decode("utf-8" if flags else "ascii")
    except UnicodeDecodeError:
        refuse(_FILE, f"has a member called {name[:MAX_NAME]!r}")


def _unpack(form: struct.Struct, stream: BinaryIO, start: int) -> tuple[Any, ...]:
    if start < 0:
        refuse(_FILE, "is too short for a saved module")
    stream.seek(start)
    return form.unpack(_exactly(stream, form.size))


def _exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        refuse(_FILE, "ends early")
    return data
