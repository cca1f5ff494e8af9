"""``python -m hccd``: the command line without an installed script."""

import sys

from hccd.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
