"""How this Pico is wired. A maker who wires otherwise changes it here, and nowhere else."""

# Chain of 74HC165, on SPI 0
CLOCK = 2  # to CLK of every register
UNUSED_DATA_OUT = 3  # SPI wants one; leave it open
DATA = 4  # from QH of the nearest register
LATCH = 5  # to SH/LD of every register

# WS2812B strip, through a 3.3 V to 5 V level shifter
LIGHTS = 16
HAS_LIGHTS = True  # False where no strip is fitted: the host then leaves the lights alone

# Joined to ground while the board starts: MicroPython's prompt instead of the firmware
ESCAPE = 22
