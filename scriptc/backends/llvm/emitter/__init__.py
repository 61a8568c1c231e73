"""What every rule writes LLVM IR with: values, addresses, blocks, the ABI."""
