/* The animation as a page: page.html with the scene as JSON, numbers as float32 in base64.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "animate/film.h"

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

/* A text of JSON that may stand within a page. */
static void text(FILE *f, const char *s)
{
    putc('"', f);
    for (; *s; s++) {
        const unsigned char c = (unsigned char)*s;
        if (c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&')
            fprintf(f, "\\u%04x", c);
        else putc(c, f);
    }
    putc('"', f);
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

/* Numbers first[k stride]; bytes of 0 fill the last group. */
static void numbers(FILE *f, const char *name, const double *first, long count, long stride)
{
    encoder e = { .to = f };
    fprintf(f, ",\"%s\":\"", name);
    for (long k = 0; k < count; k++) put_number(&e, first[k * stride]);
    while (e.bytes) put_byte(&e, 0);
    putc('"', f);
}

/* The points: two or three numbers each, one of a wave and of curves. */
static void points(FILE *f, const noe_film *x)
{
    const noe_scene *s = &x->scene;
    const long       each = s->model ? 3 : 1, total = x->rows * s->spots;
    const int        shown = s->model ? s->deep ? 3 : 2 : 1;
    encoder          e = { .to = f };
    fputs(",\"points\":\"", f);
    for (long k = 0; k < total; k++)
        for (int c = 0; c < shown; c++) put_number(&e, x->point[k * each + c]);
    while (e.bytes) put_byte(&e, 0);
    putc('"', f);
}

static void scene(FILE *f, const noe_film *x)
{
    const noe_scene *s = &x->scene;
    fprintf(f,
            "{\"mode\":\"%s\",\"deep\":%s,\"rows\":%ld,\"spots\":%d,\"caption\":", modes[s->kind],
            s->deep ? "true" : "false", x->rows, s->spots);
    text(f, x->caption);
    fputs(",\"shapes\":[", f);
    for (int k = 0; k < s->shapes; k++) {
        const noe_shape *y = &s->shape[k];
        fprintf(f, "%s{\"kind\":\"%s\",\"first\":%d,\"points\":%d,\"radius\":%.6g", k ? "," : "",
                kinds[y->kind], y->first, y->points, y->radius);
        if (y->kind == NOE_DRAW_SURFACE) fprintf(f, ",\"across\":%d", y->across);
        if (y->kind == NOE_DRAW_BODY)
            fprintf(f, ",\"size\":[%.6g,%.6g,%.6g],\"round\":%s", y->size[0], y->size[1],
                    y->size[2], y->round ? "true" : "false");
        putc('}', f);
    }
    fputs("],\"labels\":[", f);
    for (int k = 0; k < s->spots && s->label; k++) {
        if (k) putc(',', f);
        text(f, s->label[k]);
    }
    fprintf(f, "],\"index\":[%d,%d]", s->index[0], s->index[1]);
    fprintf(f, ",\"errorName\":\"%s%s\"", x->scale > 0 ? "relative " : "",
            s->balance ? "energy balance" : "energy error");
    fprintf(f, ",\"own\":%d,\"otherOwn\":%d", x->colour, x->other_colour);
    numbers(f, "t", x->row, x->rows, x->width);
    numbers(f, "error", x->error, x->rows, 1);
    if (x->others) {
        fputs(",\"other\":", f), text(f, x->other);
        numbers(f, "otherT", x->other_time, x->others, 1);
        numbers(f, "otherError", x->other_error, x->others, 1);
    }
    points(f, x);
    putc('}', f);
}

noe_status noe_html_page_write(const noe_film *x, noe_atomic_file *to)
{
    FILE       *f = to->file;
    const char *at = strstr(page, place);
    fwrite(page, 1, (size_t)(at - page), f);
    scene(f, x);
    fputs(at + strlen(place), f);
    return NOE_OK;
}
