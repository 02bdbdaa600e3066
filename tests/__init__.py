"""Tests, and measurements that are run by hand."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy; tableref_vision says why
