"""What every rule writes LLVM IR with: values, addresses, blocks, the ABI."""

from scriptc_runtime.later import load_later

load_later(__name__)
