"""What the names of functions begin with that a compilation alone makes: core IR has none of them.

Passes know such functions by these beginnings, and find them by names that nothing else may have.
"""

LIBRARY_PREFIX = "stdlib."  # of what stands in stdlib/, which core IR may hold and call
KERNEL_PREFIX = "kernel."
EXACT_PREFIX = "exact."
SHARED_PREFIX = "shared."  # of what raises in the name of the function that calls it
MAKER_PREFIX = "new."  # of functions that make the objects of a saved module
# A body that `decompose` opens has the prefix twice.
OPENED_PREFIX = LIBRARY_PREFIX * 2
RESERVED = (KERNEL_PREFIX, EXACT_PREFIX, SHARED_PREFIX, MAKER_PREFIX, OPENED_PREFIX)
