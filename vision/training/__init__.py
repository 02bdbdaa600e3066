"""Trains the nets that read dice. Not part of the wheel; needs `pip install 'tableref[train]'`."""
