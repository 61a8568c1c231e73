"""`io.StringIO`: a text that is written and read as a file is."""

# Types come from the calls, as in any program.
# pyright: basic


class StringIO:
    """A text with a place in it, where what is written goes and what is read begins."""

    def __init__(self, initial_value: str | None = ""):
        self._text = initial_value or ""
        self._more: list[str] = []  # what was written behind the text, in pieces
        self._size = len(self._text)
        self._place = 0
        self.closed = False

    def _whole(self) -> str:
        if self.closed:
            raise ValueError("I/O operation on closed file")
        if self._more:
            self._text += "".join(self._more)
            self._more.clear()
        return self._text

    def _require_open(self) -> None:
        if self.closed:  # in the words of the class that all files have in common
            raise ValueError("I/O operation on closed file.")

    def getvalue(self) -> str:
        """Return all that was written."""
        return self._whole()

    def write(self, s: str) -> int:
        """Write a text over what follows the place, and return its length."""
        if self.closed:
            raise ValueError("I/O operation on closed file")
        if self._place == self._size:
            self._more.append(s)
            self._size += len(s)
            self._place = self._size
            return len(s)
        if not s:
            return 0
        whole = self._whole()
        if self._place > self._size:
            whole += "\0" * (self._place - self._size)
        self._text = whole[: self._place] + s + whole[self._place + len(s) :]
        self._place += len(s)
        self._size = len(self._text)
        return len(s)

    def writelines(self, lines) -> None:
        """Write texts one after the other."""
        self._require_open()
        for line in lines:
            self.write(line)

    def read(self, size: int | None = -1) -> str:
        """Return so many characters from the place on, or all."""
        whole = self._whole()
        end = self._size
        if size is not None and size >= 0:
            end = min(self._place + size, end)
        found = whole[self._place : end]
        self._place = max(self._place, end)
        return found

    def readline(self, size: int | None = -1) -> str:
        """Return what follows the place up to the end of the line, or so many characters of it."""
        whole = self._whole()
        found = whole.find("\n", self._place)
        end = self._size if found < 0 else found + 1
        if size is not None and size >= 0:
            end = min(self._place + size, end)
        line = whole[self._place : end]
        self._place = max(self._place, end)
        return line

    def readlines(self, hint: int | None = -1) -> list[str]:
        """Return the lines that follow the place, until they have more characters than that."""
        self._require_open()
        lines: list[str] = []
        count = 0
        while True:
            line = self.readline()
            if not line:
                return lines
            lines.append(line)
            count += len(line)
            if hint is not None and 0 < hint < count:
                return lines

    def __iter__(self):
        self._require_open()
        return self

    def __next__(self) -> str:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def seek(self, pos: int, whence: int = 0) -> int:
        """Go to a place, or to the end; return where that is."""
        if self.closed:
            raise ValueError("I/O operation on closed file")
        if whence < 0 or whence > 2:
            raise ValueError(f"Invalid whence ({whence}, should be 0, 1 or 2)")
        if whence == 0 and pos < 0:
            raise ValueError(f"Negative seek position {pos}")
        if whence != 0 and pos != 0:
            raise OSError("Can't do nonzero cur-relative seeks")
        if whence == 0:
            self._place = pos
        elif whence == 2:
            self._place = self._size
        return self._place

    def tell(self) -> int:
        """Return the place."""
        if self.closed:
            raise ValueError("I/O operation on closed file")
        return self._place

    def truncate(self, pos: int | None = None) -> int:
        """Drop what follows a place, or this one."""
        whole = self._whole()
        size = self._place if pos is None else pos
        if size < 0:
            raise ValueError(f"Negative size value {size}")
        if size < self._size:
            self._text = whole[:size]
            self._size = size
        return size

    def close(self) -> None:
        """Give the text up."""
        self.closed = True

    def flush(self) -> None:
        """Do nothing: nothing waits to be written."""

    def __enter__(self):
        self._require_open()
        return self

    def __exit__(self, kind, value, traceback) -> None:
        self.closed = True
