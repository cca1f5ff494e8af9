"""The command line as a process of its own: the script ``hccd``, and ``python -m hccd``."""

import sys

from hccd.cli.interruptible import end_when_interrupted


def main() -> int:
    """Run the command line and return the exit code; an interrupt is heard before the commands are imported."""
    end_when_interrupted()
    from hccd.cli.main import main as command

    return command()


if __name__ == "__main__":
    sys.exit(main())
