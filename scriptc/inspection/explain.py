"""`explain`: a function is compiled anew, and what its passes say is put beside its source.

    request --the driver's passes, the emitter, LLVM in a child--> remarks --listings--> Explanation

Nothing is taken from the cache, as what is there has left no remarks, and nothing goes there.
"""

from scriptc.analysis.remarks import remarks_kept
from scriptc.backends.cuda.backend import translate
from scriptc.backends.llvm import backend
from scriptc.cache.request import ExplicitType, Request
from scriptc.inspection.explain_html import html_page, html_part
from scriptc.inspection.explain_text import as_text
from scriptc.inspection.listings import Listing, listings
from scriptc.inspection.llvm_remarks import llvm_remarks
from scriptc.passes.reach import reach
from scriptc.specialise.arguments import choices_of
from scriptc.specialise.patterned_types import explicit_sizes
from scriptc.specialise.specialise import low_for, low_for_device


class Explanation:
    """What became of each line of a function: printed as text, shown as HTML in a notebook."""

    def __init__(self, title: str, parts: "tuple[Listing, ...]") -> None:
        self.title = title
        self.parts = parts

    def __str__(self) -> str:
        return as_text(self.title, self.parts)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return html_part(self.title, self.parts)

    @property
    def with_library(self) -> str:
        """The text with what became of the standard library's functions, line by line."""
        return as_text(self.title, self.parts, library=True)

    @property
    def html(self) -> str:
        """A page of its own, which needs no network."""
        return html_page(self.title, self.parts)


def explain(request: Request, *, cpu: str = "") -> Explanation:
    """Compile a function and return what its passes have said.  Raises ScriptError.

    LLVM speaks of the processor `cpu`; empty, of the one that is here.
    """
    chosen = _chosen(request)
    with remarks_kept() as remarks:
        if request.options.backend == "cuda":
            low, entry = low_for_device(chosen)
            translate(low)  # LLVM says nothing of kernels
            found = remarks.found
        else:
            low, entry = low_for(chosen)
            reached = reach(low, [entry.function])
            emitted = backend.emit(reached, [entry], threads=request.options.threads)
            found = [*remarks.found, *llvm_remarks(emitted.text, remarks, cpu)]
    parameters = ", ".join(f"{p.name}: {p.type}" for p in entry.parameters)
    return Explanation(f"{request.name}({parameters})", listings(found, request.function))


def _chosen(request: Request) -> Request:
    """Return the request for what an argument is, where it may be None, and with its sizes."""
    explicit = [choices_of(a)[-1] for a in request.arguments if isinstance(a, ExplicitType)]
    function, options = request.function, request.options
    sizes = None if request.constructs else explicit_sizes(explicit)
    return Request(function, explicit, options, request.owner, request.constructs, sizes)
