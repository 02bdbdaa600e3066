// tableref_usb.read(most): what has come from USB, without waiting for more. MicroPython's own
// reading waits until there is as much as was asked for, and nothing tells how much there is.
#include "py/mphal.h"
#include "py/objstr.h"
#include "py/ringbuf.h"
#include "py/runtime.h"

static mp_obj_t read(mp_obj_t most) {
    size_t count = MIN(ringbuf_avail(&stdin_ringbuf), (size_t)mp_obj_get_int(most));
    vstr_t text;
    vstr_init_len(&text, count);
    for (size_t at = 0; at < count; at++) {
        text.buf[at] = ringbuf_get(&stdin_ringbuf);
    }
    return mp_obj_new_bytes_from_vstr(&text);
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
