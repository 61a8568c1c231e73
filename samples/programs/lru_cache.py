"""A cache that forgets what was not used for longest: a dict and a ring of linked entries."""

from scriptc import script


class Entry:
    """A key and its value, between the entries used just before and just after."""

    def __init__(self, key: int, value: str) -> None:
        self.key = key
        self.value = value
        self.before: Entry | None = None
        self.after: Entry | None = None


class Statistics:
    """How often a cache was asked, and what came of it."""

    def __init__(self) -> None:
        self.hits = 0
        self.misses = 0
        self.forgotten = 0

    @property
    def asked(self) -> int:
        """How often."""
        return self.hits + self.misses

    def __str__(self) -> str:
        share = 100.0 * self.hits / self.asked if self.asked else 0.0
        return f"{self.hits} of {self.asked} ({share:.1f} %), {self.forgotten} forgotten"


class Cache:
    """Keeps as many entries as it has room for."""

    def __init__(self, room: int) -> None:
        if room < 1:
            raise ValueError("a cache needs room for an entry")
        self.room = room
        self.entries: dict[int, Entry] = {}
        self.oldest: Entry | None = None
        self.newest: Entry | None = None
        self.statistics = Statistics()

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, key: int) -> bool:
        return key in self.entries

    def get(self, key: int) -> str | None:
        """Return the value of a key, None where there is none; it is the newest then."""
        entry = self.entries.get(key)
        if entry is None:
            self.statistics.misses += 1
            return None
        self.statistics.hits += 1
        self._unlink(entry)
        self._append(entry)
        return entry.value

    def put(self, key: int, value: str) -> None:
        """Keep a value, and forget another one where there is no room."""
        entry = self.entries.get(key)
        if entry is not None:
            entry.value = value
            self._unlink(entry)
            self._append(entry)
            return
        if len(self.entries) == self.room:
            self._forget()
        entry = Entry(key, value)
        self.entries[key] = entry
        self._append(entry)

    def keys(self) -> list[int]:
        """Return all keys, the oldest first."""
        found: list[int] = []
        entry = self.oldest
        while entry is not None:
            found.append(entry.key)
            entry = entry.after
        return found

    def _forget(self) -> None:
        entry = self.oldest
        assert entry is not None
        self._unlink(entry)
        del self.entries[entry.key]
        self.statistics.forgotten += 1

    def _append(self, entry: Entry) -> None:
        entry.before = self.newest
        entry.after = None
        if self.newest is None:
            self.oldest = entry
        else:
            self.newest.after = entry
        self.newest = entry

    def _unlink(self, entry: Entry) -> None:
        if entry.before is None:
            self.oldest = entry.after
        else:
            entry.before.after = entry.after
        if entry.after is None:
            self.newest = entry.before
        else:
            entry.after.before = entry.before
        entry.before = None
        entry.after = None


@script
def run(count: int) -> tuple[str, list[int], int]:
    """Ask a cache for squares; return its statistics, its last keys, and a checksum."""
    cache = Cache(64)
    checksum = 0
    key = 1
    for i in range(count):
        key = (key * 7919 + i) % 257 if i % 3 else i % 40
        text = cache.get(key)
        if text is None:
            text = str(key * key)
            cache.put(key, text)
        checksum = (checksum * 31 + len(text) + key) % 1000003
    if 3 in cache:
        cache.put(3, "nine")
    return str(cache.statistics), cache.keys()[-5:], checksum


if __name__ == "__main__":
    print(run(200_000))
