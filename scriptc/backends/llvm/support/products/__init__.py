"""Products of matrices and vectors, as LLVM IR: parts of the support code."""

from scriptc_runtime.later import load_later

load_later(__name__)
