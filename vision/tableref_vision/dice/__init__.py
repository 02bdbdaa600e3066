"""The eye for dice: which lie where, what they show, and which of them show nothing.

>>> from tableref_vision.dice.reader import DiceReader
>>> [(die.value, die.sure, die.tray) for die in DiceReader().read(frame)]
[(5, True, 'yellow'), (2, True, 'black')]

`seen` needs neither OpenCV nor ONNX Runtime; the other modules load them where they are used.
"""
