"""Measurements: `python -m tests.bench` runs them all, `python -m tests.bench vision` some."""
