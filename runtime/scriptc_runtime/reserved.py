"""What the names of functions begin with that a compilation alone makes: core IR has none of them.

What such a function is for says its `role`; a name is only one that nothing else may have.
"""

LIBRARY_PREFIX = "stdlib."  # core IR may hold and call them
KERNEL_PREFIX = "kernel."
FALLBACK_PREFIX = "fallback."
LOOP_PREFIX = "loop."
SHARED_PREFIX = "shared."
MAKER_PREFIX = "new."
# A body that `decompose` opens has the prefix twice.
OPENED_PREFIX = LIBRARY_PREFIX * 2
RESERVED = (
    *(KERNEL_PREFIX, FALLBACK_PREFIX, LOOP_PREFIX, SHARED_PREFIX, MAKER_PREFIX),
    OPENED_PREFIX,
)
