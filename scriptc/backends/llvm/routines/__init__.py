"""Small functions in LLVM IR that scripted code calls."""

from scriptc_runtime.later import load_later

load_later(__name__)
