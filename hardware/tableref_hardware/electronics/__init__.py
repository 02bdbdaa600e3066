"""The electronics of a table as data: which part, which pin, which wire. All else is made of it.

circuit(board, pico, front)   every part and every net of a table
faults(circuit, board, pico, front)  where a wire does not lead where firmware and board file say
shopping.electronics(circuit)  what to buy
"""

from tableref_hardware.electronics.agreement import faults
from tableref_hardware.electronics.catalogue import KINDS, Kind, Pin, Role
from tableref_hardware.electronics.circuit import Circuit, Part, Terminal
from tableref_hardware.electronics.table import Front, Pico, circuit

__all__ = [
    "KINDS",
    "Circuit",
    "Front",
    "Kind",
    "Part",
    "Pico",
    "Pin",
    "Role",
    "Terminal",
    "circuit",
    "faults",
]
