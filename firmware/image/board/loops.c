// tableref_loops: what firmware/tableref_firmware/loops.py says, a hundred times as fast. That file
// says what each of them does; arguments are as there, and whoever calls keeps to them.
#include <string.h>

#include "lib/uzlib/uzlib.h"
#include "py/runtime.h"

#define NOWHERE 255  // protocol.NOWHERE
#define FULL 65280  // level 255 at scale 256
#define CRC_BYTES 4

static void *bytes_of(mp_obj_t object, size_t *count) {
    mp_buffer_info_t buffer;
    mp_get_buffer_raise(object, &buffer, MP_BUFFER_READ);
    *count = buffer.len;
    return buffer.buf;
}

static uint32_t *words_of(mp_obj_t object, size_t *count) {
    uint32_t *words = bytes_of(object, count);
    *count /= sizeof(uint32_t);
    return words;
}

static uint32_t crc_of(const uint8_t *bytes, size_t count) {
    return uzlib_crc32(bytes, count, 0xffffffff) ^ 0xffffffff;
}

static mp_obj_t wrap(mp_obj_t content) {
    size_t count, zero = 1;
    const uint8_t *body = bytes_of(content, &count);
    uint32_t crc = crc_of(body, count);
    vstr_t text;
    vstr_init_len(&text, count + 2 + CRC_BYTES + 1);
    uint8_t *frame = (uint8_t *)text.buf;
    frame[0] = frame[1] = 0;
    memcpy(frame + 2, body, count);
    for (size_t at = 0; at < CRC_BYTES; at++) {
        frame[2 + count + at] = crc >> 8 * at;
    }
    frame[text.len - 1] = 0;
    for (size_t at = 2; at < text.len; at++) {
        if (frame[at] == 0) {
            frame[zero] = at - zero;
            zero = at;
        }
    }
    return mp_obj_new_bytes_from_vstr(&text);
}
static MP_DEFINE_CONST_FUN_OBJ_1(wrap_obj, wrap);

static mp_obj_t unwrap(mp_obj_t content) {
    size_t count, at = 0;
    const uint8_t *stuffed = bytes_of(content, &count);
    if (count < 1 + CRC_BYTES) {
        return mp_const_none;
    }
    vstr_t text;
    vstr_init_len(&text, count);
    uint8_t *frame = (uint8_t *)text.buf;
    memcpy(frame, stuffed, count);
    while (at < count) {
        uint8_t step = frame[at];
        frame[at] = 0;
        at += step;
    }
    text.len = count - 1 - CRC_BYTES;
    memmove(frame, frame + 1, count - 1);
    const uint8_t *sum = frame + text.len;
    uint32_t crc = sum[0] | sum[1] << 8 | sum[2] << 16 | (uint32_t)sum[3] << 24;
    if (at > count || crc_of(frame, text.len) != crc) {
        return mp_const_none;
    }
    return mp_obj_new_bytes_from_vstr(&text);
}
static MP_DEFINE_CONST_FUN_OBJ_1(unwrap_obj, unwrap);

static mp_obj_t sketch(size_t number, const mp_obj_t *values) {
    size_t count, cells, lights;
    const uint8_t *entry = bytes_of(values[0], &count);
    const uint8_t *strip = bytes_of(values[1], &cells);
    uint32_t *picture = words_of(values[2], &lights);
    mp_int_t patterns = mp_obj_get_int(values[3]);
    for (const uint8_t *end = entry + count; entry < end; entry += 5) {
        if (entry[4] >= patterns) {
            return mp_const_false;
        }
        if (entry[0] < cells && strip[entry[0]] != NOWHERE && strip[entry[0]] < lights) {
            picture[strip[entry[0]]] = entry[1] | entry[2] << 8 | entry[3] << 16 | entry[4] << 24;
        }
    }
    return mp_const_true;
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(sketch_obj, 4, 4, sketch);

static mp_obj_t tally(mp_obj_t picture) {
    size_t count;
    const uint32_t *lights = words_of(picture, &count);
    uint32_t colours = 0, patterns = 0;
    for (size_t at = 0; at < count; at++) {
        uint32_t light = lights[at];
        if (light) {
            colours += (light & 255) + (light >> 8 & 255) + (light >> 16 & 255);
            patterns |= 1 << (light >> 24);
        }
    }
    mp_obj_t both[] = { mp_obj_new_int_from_uint(colours), mp_obj_new_int_from_uint(patterns) };
    return mp_obj_new_tuple(2, both);
}
static MP_DEFINE_CONST_FUN_OBJ_1(tally_obj, tally);

static mp_obj_t shine(size_t number, const mp_obj_t *values) {
    size_t count, patterns, most;
    const uint32_t *picture = words_of(values[0], &count);
    const uint8_t *levels = bytes_of(values[1], &patterns);
    uint32_t scale = mp_obj_get_int(values[2]);
    uint32_t *words = words_of(values[3], &most);
    for (size_t at = 0; at < MIN(count, most); at++) {
        uint32_t light = picture[at], dim = levels[light >> 24] * scale;
        uint32_t red = light & 255, green = light >> 8 & 255, blue = light >> 16 & 255;
        words[at] = green * dim / FULL << 16 | red * dim / FULL << 8 | blue * dim / FULL;
    }
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(shine_obj, 4, 4, shine);

static mp_obj_t raise_words(mp_obj_t words, mp_obj_t raised) {
    size_t count, most;
    const uint32_t *from = words_of(words, &count);
    uint32_t *to = words_of(raised, &most);
    for (size_t at = 0; at < MIN(count, most); at++) {
        to[at] = from[at] << 8;
    }
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_2(raise_words_obj, raise_words);

static const mp_rom_map_elem_t globals_table[] = {
    { MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_tableref_loops) },
    { MP_ROM_QSTR(MP_QSTR_wrap), MP_ROM_PTR(&wrap_obj) },
    { MP_ROM_QSTR(MP_QSTR_unwrap), MP_ROM_PTR(&unwrap_obj) },
    { MP_ROM_QSTR(MP_QSTR_sketch), MP_ROM_PTR(&sketch_obj) },
    { MP_ROM_QSTR(MP_QSTR_tally), MP_ROM_PTR(&tally_obj) },
    { MP_ROM_QSTR(MP_QSTR_shine), MP_ROM_PTR(&shine_obj) },
    { MP_ROM_QSTR(MP_QSTR_raise_words), MP_ROM_PTR(&raise_words_obj) },
};
static MP_DEFINE_CONST_DICT(globals, globals_table);

const mp_obj_module_t tableref_loops = {
    .base = { &mp_type_module },
    .globals = (mp_obj_dict_t *)&globals,
};
MP_REGISTER_MODULE(MP_QSTR_tableref_loops, tableref_loops);
