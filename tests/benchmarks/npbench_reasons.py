"""Why a kernel of NPBench is slower under scriptc than under the best peer: a sentence for each.

The report prints them. A run fails where a kernel that is slower has none, and where one that is
clearly faster still has one.
"""

from collections.abc import Mapping

REASONS: Mapping[str, str] = {}
