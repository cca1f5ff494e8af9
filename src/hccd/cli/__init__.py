"""The command line: parse, call the library, say what happened.

One command is one file. Nothing heavier than typer is imported before a command runs, so that ``--help`` is quick.
Results go to stdout, everything else to stderr; the exit codes are those of :mod:`hccd.cli.failure`.
"""
