"""What the methods assume about a table and can be seen before learning: one idea a file, called in one place."""
