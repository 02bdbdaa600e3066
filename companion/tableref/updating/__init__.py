"""Tableref's own versions on a table: two environments side by side, and which of them runs.

`slots` keeps the two and swaps them; `release` reads a release file and trusts nobody whose key is
not here; `building` fills an environment; `stick` looks for a release on a USB stick. Nothing but
Python's own library is imported, so that the installer can run this before anything is installed.
"""
