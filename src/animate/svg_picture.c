/* A flat picture as SVG: one that plays (SMIL), or a single frame of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "animate/svg_picture.h"

#include "animate/flat_sheet.h"

#include "base/status.h"
#include "base/xml_text.h"
#include "plot/style.h"

#include <math.h>
#include <stdlib.h>

/* Frames of a picture that plays: about 25 a second, and as many numbers as a page may have. */
enum { RATE = 25, LEAST = 60, NUMBERS = 120000 };

/* Colours of page.html in the dark; those in the light are of all pictures. */
static const char *const dark[] = { "#58a6ff", "#ff8162", "#3fcfa5", "#e3b341",
                                    "#b392f0", "#ff7eb6", "#6cc7e0", "#b5c45a" };

typedef struct {
    char text[8]; /* #rrggbb */
} colour_text;

/* A colour "#rrggbb" on its way to white. */
static colour_text lighter(const char *colour, double part)
{
    colour_text    to;
    const unsigned rgb = (unsigned)strtoul(colour + 1, NULL, 16);
    unsigned       sum = 0;
    for (int k = 16; k >= 0; k -= 8) {
        const double c = rgb >> k & 255;
        sum = sum << 8 | (unsigned)(c + part * (255 - c) + 0.5);
    }
    snprintf(to.text, sizeof to.text, "#%06x", sum & 0xffffff);
    return to;
}

static void put_colours(FILE *f, const char *const colour[8], const char *paper, const char *rod,
                        const char *soft, const char *rule, const char *ink)
{
    fprintf(f, ".card{fill:%s;stroke:%s}.floor{stroke:%s}.rod,.support{stroke:%s}.support{fill:%s}",
            paper, rule, rule, rod, paper);
    fprintf(f, ".axis,.spring{stroke:%s}.soft{fill:%s}.ink,.title{fill:%s}", soft, soft, ink);
    for (int k = 0; k < 8; k++) {
        fprintf(f, ".f.c%d{fill:%s}.l.c%d{stroke:%s}", k, colour[k], k, colour[k]);
        for (int tone = 1; tone < 3; tone++)
            fprintf(f, ".c%d.%c{fill:%s;stroke:%s}", k, 'a' + tone,
                    lighter(colour[k], 0.2 * tone).text, lighter(colour[k], 0.2 * tone).text);
    }
}

static void put_head(FILE *f, const noe_flat_picture *x, bool plays, double zoom)
{
    fprintf(
        f,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g "
        "%g\" role=\"img\" font-family=\"system-ui,Segoe UI,Roboto,Helvetica,Arial,sans-serif\" "
        "font-size=\"13\">\n<title>",
        x->width * zoom, x->height * zoom, x->width, x->height);
    noe_xml_text_put(f, x->text[0].text);
    fprintf(f, "</title>\n<desc>The motion%s; below it the %s against time.</desc>\n<style>",
            plays ? ", which plays by itself" : "",
            x->film->scene.balance ? "energy balance" : "energy error");
    fputs(".l{fill:none;stroke-linejoin:round;stroke-linecap:round}.rod{stroke-width:4}.spring{"
          "stroke-width:2.5}.support{stroke-width:2}.axis{stroke-width:1.2}.pale{stroke-width:1.2;"
          "opacity:.28}.path{stroke-width:2}"
          ".mesh{stroke-width:1.3}.face{stroke-width:.7;stroke-linejoin:round}"
          ".title{font-size:18px;font-weight:600}",
          f);
    put_colours(f, noe_style_colour, "#ffffff", "#39424e", "#667080", "#dde2e7", "#1d232b");
    if (plays) {
        fputs("@media (prefers-color-scheme:dark){", f);
        put_colours(f, dark, "#181d25", "#c3ccd8", "#93a0b0", "#303946", "#e6eaf0");
        putc('}', f);
    }
    fputs("</style>\n", f);
    if (!plays)
        fprintf(f, "<rect width=\"%g\" height=\"%g\" fill=\"#fbfbfa\"/>\n", x->width, x->height);
    const double *c = x->frame[0];
    fprintf(f,
            "<clipPath id=\"motion\"><rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"/>"
            "</clipPath>\n",
            c[0], c[1], c[2], c[3]);
    for (int k = 0; k < 2; k++)
        fprintf(f,
                "<rect class=\"card\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"10\"/>\n",
                x->frame[k][0], x->frame[k][1], x->frame[k][2], x->frame[k][3]);
}

static void put_texts(FILE *f, const noe_flat_picture *x)
{
    for (int k = 0; k < x->texts; k++) {
        const noe_mark_text *t = &x->text[k];
        fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" class=\"f %s\" text-anchor=\"%s\">", t->x, t->y,
                t->style,
                t->anchor == 's'   ? "start"
                : t->anchor == 'm' ? "middle"
                                   : "end");
        noe_xml_text_put(f, t->text);
        fputs("</text>\n", f);
    }
}

/* A number with one digit after the point, as short as can be. */
static void put_number(FILE *f, double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.1f", isfinite(x) ? fmin(1e5, fmax(-1e5, x)) : 0);
    const char *at = text[0] == '-' && text[1] == '0' && text[3] == '0' ? text + 1 : text;
    for (; *at; at++) {
        if (*at == '.' && at[1] == '0') return;
        putc(*at, f);
    }
}

static void put_points(FILE *f, const double *xy, int points)
{
    for (int i = 0; i < points; i++) {
        if (i) putc(' ', f);
        put_number(f, xy[2 * i]), putc(',', f), put_number(f, xy[2 * i + 1]);
    }
}

typedef struct {
    FILE         *f; /* the picture */
    int           frames;
    double        seconds; /* duration of a cycle */
    const double *xy;      /* [frames][points][2] of the picture */
    const double *drawn;   /* [frames] of the path at hand */
    int           points;
} movement;

static void begin_animation(const movement *v, const char *name, const char *mode)
{
    fprintf(v->f,
            "<animate attributeName=\"%s\" dur=\"%gs\" repeatCount=\"indefinite\"%s values=\"",
            name, v->seconds, mode);
}

/* The points of a mark, or one coordinate c of its single point, over all frames. */
static void animate(const movement *v, const noe_mark *m, const char *name, int c)
{
    const bool stepwise = m->kind == NOE_MARK_FACE;
    begin_animation(v, name, stepwise ? " calcMode=\"discrete\"" : "");
    for (int k = 0; k < v->frames; k++) {
        const double *at = v->xy + 2 * ((long)k * v->points + m->first);
        if (k) putc(';', v->f);
        if (c < 0) put_points(v->f, at, m->points);
        else put_number(v->f, at[c]);
    }
    fputs("\"/>", v->f);
}

/* The part of a path that is drawn strong: by a dash that moves, or by its points alone. */
static void put_path(const movement *v, const noe_mark *m, double drawn)
{
    const double all = m->length[m->points - 1];
    fprintf(v->f, "<polyline class=\"l pale %s\" points=\"", m->style);
    put_points(v->f, m->at, m->points);
    fprintf(v->f, "\"/>\n<polyline class=\"l path %s\"", m->style);
    if (v->frames == 1) {
        int first = 0, last = 0;
        while (last < m->points - 1 && m->length[last + 1] <= drawn * all) last++;
        while (first < last && m->length[first] < (drawn - m->recent) * all) first++;
        fputs(" points=\"", v->f);
        put_points(v->f, m->at + 2 * first, last - first + 1);
        fputs("\"/>\n", v->f);
        return;
    }
    fprintf(v->f, " pathLength=\"1000\" stroke-dasharray=\"%g 1000\" points=\"", 1000 * m->recent);
    put_points(v->f, m->at, m->points);
    fputs("\">", v->f);
    begin_animation(v, "stroke-dashoffset", "");
    for (int k = 0; k < v->frames; k++) {
        if (k) putc(';', v->f);
        put_number(v->f, 1000 * (m->recent - v->drawn[k]));
    }
    fputs("\"/></polyline>\n", v->f);
}

static void put_mark(const movement *v, const noe_mark *m)
{
    const double *at = v->xy + 2 * m->first;
    const bool    moves = v->frames > 1 && m->source != NOE_MARK_FIXED;
    if (m->kind == NOE_MARK_CIRCLE) {
        fprintf(v->f, "<circle class=\"f %s\" r=\"%.4g\" cx=\"%.1f\" cy=\"%.1f\">", m->style,
                m->radius, at[0], at[1]);
        if (moves) animate(v, m, "cx", 0), animate(v, m, "cy", 1);
        fputs("</circle>\n", v->f);
        return;
    }
    const char *name = m->kind == NOE_MARK_FACE ? "polygon" : "polyline";
    fprintf(v->f, "<%s class=\"%s %s\" points=\"", name, m->kind == NOE_MARK_FACE ? "f face" : "l",
            m->style);
    put_points(v->f, at, m->points);
    fputs("\">", v->f);
    if (moves) animate(v, m, "points", -1);
    fprintf(v->f, "</%s>\n", name);
}

/* All marks at one time, or over all frames. */
static noe_status put_picture(FILE *f, noe_flat_picture *x, double from, double until, int frames,
                              double zoom)
{
    const size_t numbers = (size_t)frames * (size_t)(2 * x->points + 1);
    double      *list = noe_status_alloc(numbers, sizeof *list);
    if (!list) return NOE_NO_MEMORY;
    double  *drawn = list + (size_t)frames * 2 * (size_t)x->points;
    movement v = { .f = f, .frames = frames, .points = x->points, .xy = list, .drawn = drawn };
    v.seconds = noe_flat_picture_seconds(x);
    for (int k = 0; k < frames; k++) {
        const double t = frames > 1 ? from + (until - from) * k / (frames - 1) : from;
        noe_flat_picture_at(x, t, list + (size_t)k * 2 * (size_t)x->points);
    }
    put_head(f, x, frames > 1, zoom);
    fputs("<g clip-path=\"url(#motion)\">\n", f);
    for (int i = 0; i < x->marks; i++) {
        const noe_mark *m = &x->mark[i];
        if (i == x->below) fputs("</g>\n", f);
        if (m->kind != NOE_MARK_PATH) {
            put_mark(&v, m);
            continue;
        }
        for (int k = 0; k < frames; k++)
            drawn[k] = noe_flat_picture_drawn(
                x, m, frames > 1 ? from + (until - from) * k / (frames - 1) : from);
        put_path(&v, m, frames > 1 ? 1 : drawn[0]);
    }
    put_texts(f, x);
    fputs("</svg>\n", f);
    free(list);
    return NOE_OK;
}

noe_status noe_svg_picture_frame(noe_flat_picture *x, double t, double zoom, FILE *f)
{
    return put_picture(f, x, t, t, 1, zoom);
}

noe_status noe_svg_picture_write(const noe_film *film, noe_atomic_file *to)
{
    noe_flat_picture x;
    noe_status       s = noe_flat_sheet_make(&x, film) ? NOE_OK : NOE_NO_MEMORY;
    if (!s) {
        int moving = 1;
        for (int i = 0; i < x.marks; i++)
            moving += x.mark[i].source == NOE_MARK_FIXED ? 0 : 2 * x.mark[i].points;
        const double wanted = RATE * noe_flat_picture_seconds(&x);
        const int    frames = (int)fmax(LEAST, fmin(wanted, (double)NUMBERS / moving));
        s = put_picture(to->file, &x, x.from, x.until, film->rows > 1 ? frames : 1, 1);
    }
    noe_flat_picture_drop(&x);
    return s;
}
