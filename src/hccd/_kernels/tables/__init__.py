"""Columns of numbers and text."""
