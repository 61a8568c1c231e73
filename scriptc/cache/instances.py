"""Instances of library functions in the cache, and those that are loaded.

Several are compiled together, as the first program needs them, so the cache has three kinds of
entries: of each instance, which object has it; the tables of an object; its code. What is loaded
stays: the lists and dicts that an instance makes outlive the program that called it.
"""

from _thread import allocate_lock
from collections.abc import Callable, Sequence

from scriptc.backends.llvm.loading.machine_code import CompiledObject, SupportCode, load_instances
from scriptc.backends.llvm.loading.sites import Frame, Site
from scriptc.cache.manifest import Manifest


class Shelf:
    """What instances ask of the cache that they are kept in."""

    def __init__(
        self,
        key: Callable[..., str],
        read: Callable[[Callable[[], str]], bytes | None],
        read_object: Callable[[str], tuple[Manifest, bytes] | None],
        write: Callable[[Callable[[], str], bytes], None],
        loaded: Callable[[], SupportCode | None],
        support: Callable[[], SupportCode],
    ) -> None:
        self.key = key
        # Asks for the name where the cache may have something: the first name of all is known when
        # every source of scriptc has been read.
        self.read = read
        self.read_object = read_object
        self.write = write
        self.loaded = loaded  # the support code, None where no program has asked for it yet
        self.support = support


class Instances:
    """The instances of one cache, for this process."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._coming: dict[str, Callable[[], None]] = {}
        self._loading = allocate_lock()

    def has(self, name: str) -> bool:
        """Whether an instance is loaded, on its way, or in the cache, which then is loaded."""
        return name in self._coming or self._is_loaded(name) or self._load(name)

    def expect(self, names: Sequence[str], finish: Callable[[], None]) -> None:
        """Note that instances are on their way; `finish` waits for them and loads them."""
        self._coming.update(dict.fromkeys(names, finish))

    def settle(self, names: Sequence[str]) -> None:
        """Wait for these instances, where they are not loaded yet.  Raises what making them did."""
        for name in names:
            finish = self._coming.get(name)
            try:
                if finish is not None and not self._is_loaded(name):
                    finish()
            finally:
                # Also where making them failed: the next program that asks makes them anew.
                self._coming.pop(name, None)

    def keep(self, names: Sequence[str], manifest: Manifest, code: bytes) -> None:
        """Load an object with these instances, and keep it."""
        self._bring(manifest, code)
        digest = manifest.code
        for name in names:
            self._shelf.write(lambda name=name: self._key(name), digest.encode())

    def key_of_object(self, digest: str) -> str:
        """Return the name of the tables of an object."""
        return self._shelf.key("instances", digest)

    def _key(self, name: str) -> str:
        return self._shelf.key("instance", name)

    def _is_loaded(self, name: str) -> bool:
        code = self._shelf.loaded()
        return code is not None and code.has(f"{name}.")

    def _load(self, name: str) -> bool:
        digest = self._shelf.read(lambda: self._key(name))
        # The tables name the instances that these call, and are read only if these are there.
        found = self._shelf.read_object(self.key_of_object(digest.decode())) if digest else None
        if found is None:
            return False
        self._bring(*found)
        return self._is_loaded(name)

    def _bring(self, manifest: Manifest, code: bytes) -> None:
        sites = tuple(
            Site(tuple(Frame(*f) for f in frames), text) for frames, text in manifest.sites
        )
        compiled = CompiledObject(
            code, 0, manifest.strings, sites, manifest.objects, manifest.texts
        )
        with self._loading:
            load_instances(compiled, self._shelf.support())
