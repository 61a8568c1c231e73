"""Write tables.json anew after a change of the grammar: `python -m scriptc.syntax.make_tables`."""

import json

from scriptc.syntax.tables import TABLES_FILE, compile_tables, grammar_text


def tables_text() -> str:
    """Return the text that tables.json should have."""
    return json.dumps(compile_tables(grammar_text()), separators=(",", ":")) + "\n"


if __name__ == "__main__":
    TABLES_FILE.write_text(tables_text(), encoding="utf-8")
