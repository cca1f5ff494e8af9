"""Files as such: read whole, compressed or not, and written whole or not at all."""
