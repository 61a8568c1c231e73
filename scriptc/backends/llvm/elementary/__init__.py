"""Elementary functions, as LLVM IR that vectorises."""

from scriptc_runtime.later import load_later

load_later(__name__)
