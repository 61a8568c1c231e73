"""Specialisations in the cache: found by what their program depends on, run without compiling.

Two keys, as in ccache. The manifest's key is made of everything that the program says: code,
constants and annotations reached, kinds of arguments, options. The manifest names the machine code,
whose key is made of the code itself, so that a program that only moved within its file finds it.
"""

from collections.abc import Callable, Hashable

from scriptc.boundary import key_text
from scriptc.cache import Cache
from scriptc.dependencies import Dependencies, digest_of
from scriptc.fingerprint import fingerprint
from scriptc.loader import Support, load_specialisation, load_support
from scriptc.manifest import Manifest, from_json, to_json
from scriptc.request import Request, Specialisation


class Store:
    """The cache of one folder, for this process."""

    def __init__(self, folder: str, llvm_version: Callable[[], str]) -> None:
        self._cache = Cache(folder)
        self._fingerprint = fingerprint(self._cache, llvm_version)

    def manifest_key(self, request: Request, kinds: Hashable, dependencies: Dependencies) -> str:
        """Return the name of the entry for a function called with arguments of these kinds."""
        digest = digest_of(
            self._fingerprint,
            dependencies.digest,
            key_text(kinds),
            request.constructs,
            request.options.backend,
        )
        return f"{digest}.json"

    def find(
        self, key: str, name: str, dependencies: Dependencies, build: Callable[[], bytes]
    ) -> Specialisation | None:
        """Return what the cache has under a key, if it is whole and its source text is too.

        `build` compiles the support code, where that is missing.
        """
        data = self._cache.read(key)
        if data is None:
            return None
        manifest = from_json(data)
        code = self._cache.read(manifest.code)
        if code is None or not manifest.holds:
            return None
        return load_specialisation(name, code, manifest, dependencies, self.support(build))

    def support(self, build: Callable[[], bytes]) -> Support:
        """Return the support code of this process, made by `build` if need be."""
        if not _SUPPORT:
            _, code = self.machine_code("support", build)
            # One for the process, whatever folders there are: its counters and free blocks are
            # those of all code. Of two threads at once, one wins.
            _SUPPORT.setdefault("", load_support(code))
        return _SUPPORT[""]

    def keep(self, key: str, manifest: Manifest) -> None:
        """Keep a manifest under its key."""
        self._cache.write(key, to_json(manifest))

    def machine_code(self, text: str, build: Callable[[], bytes]) -> tuple[str, bytes]:
        """Return the key and the machine code of a program text, made by `build` if need be."""
        key = f"{digest_of(self._fingerprint, text)}.o"
        code = self._cache.read(key)
        if code is None:
            code = build()
            self._cache.write(key, code)
            self._cache.tidy()
        return key, code


_SUPPORT: dict[str, Support] = {}
