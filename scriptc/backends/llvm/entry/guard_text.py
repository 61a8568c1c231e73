"""The text of `sc_guarded`, which compares what names stand for with what they stood for.

Apart from the table that it reads (`guards`), because a warm start needs the table alone.
"""

from string import Template

from scriptc.backends.llvm.emitter.layout import verify_layout
from scriptc.backends.llvm.loading.callable import CallableBody, word_offset
from scriptc.backends.llvm.loading.guards import FIRST, TABLE


def guard_text(callable_type: type[CallableBody]) -> str:
    """Return `sc_guarded` for the functions of one callable type, to be put to the support code."""
    layout = verify_layout()
    return _TEXT.substitute(
        held=layout.head,
        table=word_offset(callable_type, TABLE),
        first=word_offset(callable_type, FIRST),
        contents=layout.head,
    )


# The cycle collector clears `_held` before it clears what owns the table.
_TEXT = Template("""\
declare ptr @PyDict_GetItemWithError(ptr, ptr)

define ptr @sc_guarded(ptr %self, ptr %args, i64 %nargsf, ptr %names) {
entry:
  %held.at = getelementptr i8, ptr %self, i64 $held
  %held = load ptr, ptr %held.at
  %cleared = icmp eq ptr %held, null
  br i1 %cleared, label %changed, label %start
start:
  %table.at = getelementptr i8, ptr %self, i64 $table
  %table = load ptr, ptr %table.at
  %count = load i64, ptr %table
  %rows = getelementptr i64, ptr %table, i64 1
  br label %head
head:
  %i = phi i64 [ 0, %start ], [ %next, %same ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %row, label %call
row:
  %row.at = getelementptr [3 x ptr], ptr %rows, i64 %i
  %place = load ptr, ptr %row.at
  %name.at = getelementptr ptr, ptr %row.at, i64 1
  %name = load ptr, ptr %name.at
  %expected.at = getelementptr ptr, ptr %row.at, i64 2
  %expected = load ptr, ptr %expected.at
  %is.cell = icmp eq ptr %name, null
  br i1 %is.cell, label %cell, label %dict
cell:
  %contents.at = getelementptr i8, ptr %place, i64 $contents
  %contents = load ptr, ptr %contents.at
  br label %compare
dict:
  %item = call ptr @PyDict_GetItemWithError(ptr %place, ptr %name)
  br label %compare
compare:
  %found = phi ptr [ %contents, %cell ], [ %item, %dict ]
  %next = add i64 %i, 1
  %equal = icmp eq ptr %found, %expected
  br i1 %equal, label %same, label %changed
same:
  br label %head
call:
  %first.at = getelementptr i8, ptr %self, i64 $first
  %first = load ptr, ptr %first.at
  %result = musttail call ptr %first(ptr %self, ptr %args, i64 %nargsf, ptr %names)
  ret ptr %result
changed:
  %slowly = musttail call ptr @sc_miss(ptr %self, ptr %args, i64 %nargsf, ptr %names)
  ret ptr %slowly
}
""")
