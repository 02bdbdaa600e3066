"""Cameras of all kinds; each module has `open_camera(words)` and is loaded when it is used."""
