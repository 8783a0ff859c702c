/* The animation as a page: page.html with the scene as JSON, numbers as float32 in base64.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "animate/film.h"

#include "base/json.h"

#include <stdint.h>
#include <string.h>

static const char page[] = {
#include "animate/page.inc"
    , 0
};
/* What stands in the page where the scene belongs. */
static const char place[] = "{\"scene\":0}";

static const char *const kinds[] = { "line", "spring", "disk", "trace", "body", "surface" };
static const char *const modes[] = { "space", "wave", "curves" };

static const char *error_name(const noe_film *x)
{
    return x->scene.balance ? x->scale > 0 ? "relative energy balance" : "energy balance"
         : x->scale > 0     ? "relative energy error"
                            : "energy error";
}

typedef struct {
    FILE    *to;    /* the page */
    uint32_t bits;  /* of bytes that do not make a group of three yet */
    int      bytes; /* number of these, 0 .. 2 */
} encoder;

static void put_byte(encoder *e, unsigned char c)
{
    static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    e->bits = e->bits << 8 | c;
    if (++e->bytes < 3) return;
    for (int k = 18; k >= 0; k -= 6) putc(letter[e->bits >> k & 63], e->to);
    e->bits = 0, e->bytes = 0;
}

/* A float32, the least significant byte first, as pages read them. */
static void put_number(encoder *e, double x)
{
    const float value = (float)x;
    uint32_t    bits;
    memcpy(&bits, &value, sizeof bits);
    for (int k = 0; k < 32; k += 8) put_byte(e, (unsigned char)(bits >> k & 255));
}

/* Begins a text of base64. */
static encoder open_numbers(noe_json *j, const char *name)
{
    noe_json_name(j, name);
    putc('"', j->file);
    return (encoder){ .to = j->file };
}

/* Bytes of 0 fill the last group. */
static void close_numbers(encoder *e)
{
    while (e->bytes) put_byte(e, 0);
    putc('"', e->to);
}

/* Numbers first[k stride]. */
static void put_numbers(noe_json *j, const char *name, const double *first, long count, long stride)
{
    encoder e = open_numbers(j, name);
    for (long k = 0; k < count; k++) put_number(&e, first[k * stride]);
    close_numbers(&e);
}

/* The points: two or three numbers each, one of a wave and of curves. */
static void put_points(noe_json *j, const noe_film *x)
{
    const noe_scene *s = &x->scene;
    const long       each = s->model ? 3 : 1, total = x->rows * s->spots;
    const int        shown = s->model ? s->deep ? 3 : 2 : 1;
    encoder          e = open_numbers(j, "points");
    for (long k = 0; k < total; k++)
        for (int c = 0; c < shown; c++) put_number(&e, x->point[k * each + c]);
    close_numbers(&e);
}

static void put_shape(noe_json *j, const noe_shape *y)
{
    noe_json_open(j, NULL, '{');
    noe_json_text(j, "kind", kinds[y->kind]);
    noe_json_integer(j, "first", y->first);
    noe_json_integer(j, "points", y->points);
    noe_json_double(j, "radius", y->radius);
    if (y->kind == NOE_DRAW_SURFACE) noe_json_integer(j, "across", y->across);
    if (y->kind == NOE_DRAW_BODY) {
        noe_json_open(j, "size", '[');
        for (int k = 0; k < 3; k++) noe_json_double(j, NULL, y->size[k]);
        noe_json_close(j);
        noe_json_bool(j, "round", y->round);
    }
    noe_json_close(j);
}

static void put_scene(noe_json *j, const noe_film *x)
{
    const noe_scene *s = &x->scene;
    noe_json_open(j, NULL, '{');
    noe_json_text(j, "mode", modes[s->kind]);
    noe_json_bool(j, "deep", s->deep);
    noe_json_integer(j, "rows", x->rows);
    noe_json_integer(j, "spots", s->spots);
    noe_json_text(j, "caption", x->caption);
    noe_json_open(j, "shapes", '[');
    for (int k = 0; k < s->shapes; k++) put_shape(j, &s->shape[k]);
    noe_json_close(j);
    noe_json_open(j, "labels", '[');
    for (int k = 0; k < s->spots && s->label; k++) noe_json_text(j, NULL, s->label[k]);
    noe_json_close(j);
    noe_json_open(j, "index", '[');
    for (int k = 0; k < 2; k++) noe_json_integer(j, NULL, s->index[k]);
    noe_json_close(j);
    noe_json_text(j, "errorName", error_name(x));
    noe_json_integer(j, "own", x->colour);
    noe_json_integer(j, "otherOwn", x->other_colour);
    put_numbers(j, "t", x->row, x->rows, x->width);
    put_numbers(j, "error", x->error, x->rows, 1);
    if (x->others) {
        noe_json_text(j, "other", x->other);
        put_numbers(j, "otherT", x->other_time, x->others, 1);
        put_numbers(j, "otherError", x->other_error, x->others, 1);
    }
    put_points(j, x);
    noe_json_close(j);
}

noe_status noe_html_page_write(const noe_film *x, noe_atomic_file *to)
{
    FILE       *f = to->file;
    const char *at = strstr(page, place);
    fwrite(page, 1, (size_t)(at - page), f);
    noe_json j = { .file = f, .in_page = true };
    put_scene(&j, x);
    fputs(at + strlen(place), f);
    return NOE_OK;
}
