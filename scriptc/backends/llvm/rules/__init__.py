"""What each op becomes in LLVM IR: a module for each family, and the table of them all."""

from scriptc_runtime.later import load_later

load_later(__name__)
