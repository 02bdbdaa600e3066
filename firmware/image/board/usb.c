// tableref_usb: how many bytes from USB can be read without waiting, which `select` does not tell.
#include "py/mphal.h"
#include "py/ringbuf.h"
#include "py/runtime.h"

static mp_obj_t waiting(void) {
    return MP_OBJ_NEW_SMALL_INT(ringbuf_avail(&stdin_ringbuf));
}
static MP_DEFINE_CONST_FUN_OBJ_0(waiting_obj, waiting);

static const mp_rom_map_elem_t globals_table[] = {
    { MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_tableref_usb) },
    { MP_ROM_QSTR(MP_QSTR_waiting), MP_ROM_PTR(&waiting_obj) },
};
static MP_DEFINE_CONST_DICT(globals, globals_table);

const mp_obj_module_t tableref_usb = {
    .base = { &mp_type_module },
    .globals = (mp_obj_dict_t *)&globals,
};
MP_REGISTER_MODULE(MP_QSTR_tableref_usb, tableref_usb);
