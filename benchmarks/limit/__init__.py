"""What the machine allows: plain C programs that make the same tests as our PC, and how they are run."""
