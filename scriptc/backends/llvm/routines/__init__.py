"""Small functions in LLVM IR that scripted code calls."""
