"""Tables in text files: encoding, delimiter, cells, and how people write numbers."""
