"""Products of matrices and vectors, as LLVM IR: parts of the support code."""
