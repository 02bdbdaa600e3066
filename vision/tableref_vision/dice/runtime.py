"""The one door to ONNX Runtime, opened when the first die is looked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tableref_vision.dice.inputs import Floats
from tableref_vision.errors import VisionError
from tableref_vision.opencv import np

WEIGHTS = Path(__file__).parent / "weights"


class MissingRuntime(VisionError, ImportError):
    """ONNX Runtime is not installed, or does not fit this Python."""


class WeightsError(VisionError, ValueError):
    """A weight file is missing or damaged."""


class Net:
    """A net with one input and one output, run on one core."""

    def __init__(self, path: Path) -> None:
        """MissingRuntime, WeightsError"""
        try:
            import onnxruntime
        except ImportError as error:
            raise MissingRuntime(
                f"reading dice needs ONNX Runtime, and it cannot be loaded ({error}); "
                "install it with: pip install 'onnxruntime>=1.17,<2'"
            ) from error
        options = onnxruntime.SessionOptions()
        # One core, as everywhere in vision; and no memory kept for pictures larger than ours.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        try:
            self._session: Any = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # the runtime's errors have no common parent of their own
            raise WeightsError(
                f"{path}: cannot be used as weights ({type(error).__name__}); "
                "install Tableref again, or train anew"
            ) from error

    def __call__(self, inputs: Floats) -> Floats:
        """(n, ...) -> (n, ...)"""
        return np.asarray(self._session.run(None, {"x": inputs})[0], np.float32)
