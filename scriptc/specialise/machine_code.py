"""Low IR as machine code in the cache, and a manifest that says what its tables hold."""

from collections.abc import Callable, Mapping, Sequence

from scriptc.backends.llvm import backend, machine
from scriptc.backends.llvm.entry.entry import EntrySpec
from scriptc.backends.llvm.loading.sites import Site
from scriptc.cache.manifest import Manifest, SiteText
from scriptc.cache.store import Store
from scriptc.check.library.standard import is_library_file
from scriptc.classes.scripted_class import ClassState
from scriptc.driver import to_low
from scriptc.faults import Stage
from scriptc.kernels.device.launch import DeviceKernel
from scriptc.options import Options
from scriptc.passes.reach import reach
from scriptc.timeline import made
from scriptc_runtime.ir import Module
from scriptc_runtime.text.type_text import ir_text


def machine_code(
    low: Module,
    specs: Sequence[EntrySpec],
    store: Store,
    check: Callable[[str], None] | None = None,
    *,
    threads: int = 0,
    device: Mapping[str, DeviceKernel] | None = None,
) -> tuple[Manifest, bytes]:
    """Compile low IR with entries from Python; a manifest says what its tables hold.

    The kernels of `device` are launched there. `check` may refuse the text for LLVM.
    """
    with Stage("emit llvm", low):
        reached = reach(low, [spec.function for spec in specs])
        emitted = backend.emit(reached, specs, threads=threads, device=device)
        made(lines=emitted.text.count("\n"))
    if check:
        check(emitted.text)

    def build() -> bytes:
        store.prepare(emitted.text)
        with Stage("llvm", low):
            return machine.compile_program(
                emitted.text, known=store.known_part, keep=store.keep_part
            )

    digest, code = store.machine_code(emitted.text, build)
    manifest = Manifest(
        digest,
        tuple(
            tuple((p.name, ir_text(p.type), p.writes) for p in spec.parameters) for spec in specs
        ),
        strings=emitted.strings,
        texts=emitted.texts,
        objects=emitted.objects,
        sites=tuple(map(site_text, emitted.sites)),
    )
    return manifest, code


def site_text(site: Site) -> SiteText:
    """Return a site as the cache has it."""
    # A frame of the standard library is none of the user's: CPython has none for `xs.pop()` either.
    shown = [f for f in site.frames if not is_library_file(f.file)]
    return tuple((f.function, f.file, f.line) for f in shown), site.message


def compile_accessors(
    store: Store, key: str, state: ClassState, *, makes: bool
) -> tuple[Manifest, bytes]:
    """Compile a reader and a writer for each field of a class, or what makes its instances."""
    # Inside a function: most programs have no scripted classes.
    from scriptc.classes.accessors import accessors, declaration, maker_of

    classes = list(map(declaration, state.reached))
    make = maker_of if makes else accessors
    module, specs = make(state.live.__name__, state.fields, classes)
    found = machine_code(to_low(module, Options()), specs, store)
    store.keep(lambda: key, found[0])
    return found
