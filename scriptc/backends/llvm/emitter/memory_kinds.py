"""Kinds of memory, which LLVM is told of accesses: what is of one kind is never of another.

So a store to an item of a list leaves the heads of lists as they are, and a loop over items loads
the head once. An access that says nothing may be to any of them.
"""

# Nodes 0 to 2 are those of every module, see `function.METADATA`.
NODES = """\
!3 = !{!"memory"}
!4 = !{!"count of a block", !3, i64 0}
!5 = !{!"head of a list", !3, i64 0}
!6 = !{!"item of a list", !3, i64 0}
!7 = !{!"field of an object", !3, i64 0}
!8 = !{!4, !4, i64 0}
!9 = !{!5, !5, i64 0}
!10 = !{!6, !6, i64 0}
!11 = !{!7, !7, i64 0}"""
COUNTS, HEADS, ITEMS, FIELDS = (f", !tbaa !{number}" for number in (8, 9, 10, 11))

# What an address of a number is: a number that fits in 31 bits, which code has as an operand.
NUMBERS = "!12 = !{i64 0, i64 2147483648}"
NUMBER = "!absolute_symbol !12"
