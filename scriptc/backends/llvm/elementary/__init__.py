"""Elementary functions, as LLVM IR that vectorises."""
