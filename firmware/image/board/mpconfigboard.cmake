# The Pico under the board: MicroPython without network, radio and cryptography, our app frozen in.
set(PICO_BOARD "pico")
set(PICO_PLATFORM "rp2040")
set(MICROPY_FROZEN_MANIFEST ${CMAKE_CURRENT_LIST_DIR}/../manifest.py)
set(MICROPY_SOURCE_BOARD
    ${CMAKE_CURRENT_LIST_DIR}/start.c
    ${CMAKE_CURRENT_LIST_DIR}/usb.c
    ${CMAKE_CURRENT_LIST_DIR}/loops.c
)
# A collection looks at the whole heap, and the firmware needs a quarter of what this leaves to it.
set(MICROPY_C_HEAP_SIZE 131072)
