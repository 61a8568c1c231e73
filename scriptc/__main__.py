"""The command line as `python -m scriptc`."""

import sys

from scriptc.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
