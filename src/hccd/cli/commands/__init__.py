"""The commands: each declares its arguments and options, and calls its task."""
