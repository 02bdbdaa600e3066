// The Pico under the board. What is switched off would need sources that Debian leaves out.
#define MICROPY_HW_BOARD_NAME "Tableref board on a Raspberry Pi Pico"
#define MICROPY_HW_FLASH_STORAGE_BYTES (1408 * 1024)
#define MICROPY_PY_SSL (0)
#define MICROPY_SSL_MBEDTLS (0)
#define MICROPY_PY_HASHLIB_MD5 (0)
#define MICROPY_PY_HASHLIB_SHA1 (0)
#define MICROPY_PY_CRYPTOLIB (0)
