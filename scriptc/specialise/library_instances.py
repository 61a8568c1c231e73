"""Instances of library functions: compiled beside the first program that calls them, then kept."""

from collections.abc import Sequence

from scriptc.backends.llvm import backend, machine
from scriptc.cache.manifest import Manifest
from scriptc.cache.store import Store
from scriptc.driver import to_instances
from scriptc.faults import Stage
from scriptc.options import Options
from scriptc.passes.separate import Separated, separate
from scriptc.specialise.machine_code import site_text
from scriptc.timeline import watched_by, watcher
from scriptc_runtime.call_graph import callees
from scriptc_runtime.ir import Module


def with_instances(module: Module, store: Store, options: Options) -> tuple[Module, Sequence[str]]:
    """Return a program that calls instances, and their names, each after those that it calls.

    Those that the cache lacks are compiled by another thread meanwhile.
    """
    separated = separate(module)
    names = tuple(separated.instances.functions)
    missing = frozenset(name for name in names if not store.has_instance(name))
    if missing:
        _compile(_batch(separated, missing), store, options)
    return separated.module, names


def _batch(separated: Separated, missing: frozenset[str]) -> Module:
    """Return some of the instances as a module, which calls the others."""
    functions = separated.instances.functions
    some = {name: functions[name] for name in functions if name in missing}
    called = {callee for function in some.values() for callee in callees(function)}
    externs = {n: e for n, e in separated.module.externs.items() if n in called - missing}
    return Module(some, separated.instances.classes, externs=externs)


def _compile(batch: Module, store: Store, options: Options) -> None:
    low = to_instances(batch, options)
    with Stage("emit llvm", low):
        emitted = backend.emit_instances(low)
    tables = emitted.strings, emitted.objects, tuple(map(site_text, emitted.sites))
    called = tuple(batch.externs)
    manifest = Manifest("", (), *tables, instances=called, texts=emitted.texts)

    told = watcher()

    def build() -> bytes:
        with watched_by(told), Stage("llvm", low):
            return machine.compile_program(emitted.text, alone=True)

    store.prepare(emitted.text)
    store.make_instances(tuple(batch.functions), manifest, emitted.text, build)
