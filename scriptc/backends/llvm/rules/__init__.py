"""What each op becomes in LLVM IR: a module for each family, and the table of them all."""
