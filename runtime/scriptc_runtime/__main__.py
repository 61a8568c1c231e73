"""Command line: `python -m scriptc_runtime info FILE`, `... run FILE ENTRY ARGUMENT...`."""

import argparse
import sys
from collections.abc import Sequence

from scriptc_runtime.command_line import read_argument
from scriptc_runtime.errors import LoadError
from scriptc_runtime.saved import load


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        module = load(options.file)
    except (LoadError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    entries = vars(module)
    if options.command == "info":
        print("\n".join(map(repr, entries.values())))
        return 0
    if options.entry not in entries:
        print(f"no entry {options.entry}; there are: {', '.join(entries)}", file=sys.stderr)
        return 1
    print(entries[options.entry](*map(read_argument, options.arguments)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scriptc_runtime", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    info = commands.add_parser("info", help="list the entry points of a saved module")
    info.add_argument("file")
    run = commands.add_parser("run", help="call an entry point and print its result")
    run.add_argument("file")
    run.add_argument("entry")
    run.add_argument("arguments", nargs="*", help="a .npy file, for an array, or a Python literal")
    return parser


if __name__ == "__main__":
    sys.exit(main())
