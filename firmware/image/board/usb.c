// tableref_usb.read(most): what has come from USB, and what follows at once. MicroPython's own
// reading waits until there is as much as was asked for, and nothing tells how much there is.
#include "py/mphal.h"
#include "py/objstr.h"
#include "py/ringbuf.h"
#include "py/runtime.h"

// A long message comes in packets of 64 bytes, each asked for when the one before it is taken.
// Longer than one takes on the way, for else each would cost a turn of the firmware's loop.
#define PATIENCE_US 80
#define MOST 512

static mp_obj_t read(mp_obj_t most) {
    uint8_t bytes[MOST];
    size_t count = 0, limit = MIN(MOST, (size_t)mp_obj_get_int(most));
    mp_uint_t last = mp_hal_ticks_us();
    do {
        while (count < limit && ringbuf_avail(&stdin_ringbuf)) {
            bytes[count++] = ringbuf_get(&stdin_ringbuf);
            last = mp_hal_ticks_us();
        }
        mp_event_handle_nowait();
    } while (count > 0 && count < limit && mp_hal_ticks_us() - last < PATIENCE_US);
    return mp_obj_new_bytes(bytes, count);
}
static MP_DEFINE_CONST_FUN_OBJ_1(read_obj, read);

static const mp_rom_map_elem_t globals_table[] = {
    { MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_tableref_usb) },
    { MP_ROM_QSTR(MP_QSTR_read), MP_ROM_PTR(&read_obj) },
};
static MP_DEFINE_CONST_DICT(globals, globals_table);

const mp_obj_module_t tableref_usb = {
    .base = { &mp_type_module },
    .globals = (mp_obj_dict_t *)&globals,
};
MP_REGISTER_MODULE(MP_QSTR_tableref_usb, tableref_usb);
