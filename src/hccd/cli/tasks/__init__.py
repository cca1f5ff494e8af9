"""What the commands do; imported when a command runs, so that help stays quick."""
