/* Rows of a run -> frames.  When there are too many, every other one is dropped.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "animate/film.h"

#include "base/child_process.h"
#include "base/status.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Rows kept, at most: a minute of 50 frames a second; numbers in memory; points of all frames. */
enum { FRAMES = 3000, NUMBERS = 1 << 24, POINTS = 1 << 19 };

static const struct {
    const char *ending; /* of the file's name */
    noe_status (*write)(const noe_film *, noe_atomic_file *);
    const char *program; /* that it needs, and the package that has it */
} formats[] = { { ".html", noe_html_page_write, NULL },
                { ".svg", noe_svg_picture_write, NULL },
                { ".gif", noe_video_write_gif, "ffmpeg" },
                { ".mp4", noe_video_write_mp4, "ffmpeg" } };

static int format(const char *path)
{
    const size_t n = strlen(path);
    for (int i = 0; i < (int)(sizeof formats / sizeof *formats); i++) {
        const size_t k = strlen(formats[i].ending);
        if (n > k && !strcasecmp(path + n - k, formats[i].ending)) return i;
    }
    noe_status_fail(NOE_INVALID,
                    "cannot animate '%s': the name must end in .html, .svg, .gif or .mp4", path);
    return -1;
}

bool noe_film_check(const char *path)
{
    noe_atomic_file trial;
    const int       k = format(path);
    if (k < 0) return false;
    if (formats[k].program && !noe_child_process_exists(formats[k].program))
        return noe_status_fail(NOE_IO,
                               "%s files are made by %s, which is not installed: apt-get "
                               "install %s; or take .svg or .html",
                               formats[k].ending, formats[k].program, formats[k].program),
               false;
    if (noe_atomic_file_open(&trial, path)) return false;
    noe_atomic_file_drop(&trial);
    return true;
}

bool noe_film_begin(noe_film *f, const noe_system *s)
{
    f->stride = 1;
    return noe_scene_make(&f->scene, s);
}

noe_status noe_film_add(noe_film *f, const double *row)
{
    if (!f->row) {
        f->capacity = 2 * FRAMES;
        if ((long)f->width * f->capacity > NUMBERS) f->capacity = NUMBERS / f->width / 2 * 2;
        if ((long)f->scene.spots * f->capacity > POINTS && f->scene.model)
            f->capacity = POINTS / f->scene.spots / 2 * 2 + 2;
        f->row = noe_status_alloc((size_t)(f->capacity + 1) * (size_t)f->width, sizeof *f->row);
        if (!f->row) return NOE_NO_MEMORY;
    }
    const size_t bytes = (size_t)f->width * sizeof *row;
    if (f->given % f->stride == 0) {
        if (f->rows == f->capacity) {
            for (long k = 0; 2 * k < f->capacity; k++)
                memmove(f->row + k * f->width, f->row + 2 * k * f->width, bytes);
            f->rows /= 2, f->stride *= 2;
        }
        if (f->given % f->stride == 0) memcpy(f->row + f->rows++ * f->width, row, bytes);
    }
    memcpy(f->row + f->capacity * f->width, row, bytes);
    f->given++;
    return NOE_OK;
}

/* The points of a row: the values of the expressions that they are, in binary128. */
static void evaluate(const noe_film *f, const double *row, const noe_ex *list, int nodes,
                     quad *value, double *to)
{
    const noe_scene *x = &f->scene;
    const noe_model *m = x->model;
    const noe_graph *g = &m->graph;
    for (int k = 0; k < nodes; k++) {
        const noe_node y = g->node[list[k]];
        value[list[k]] = y.op == NOE_NUM || y.op == NOE_LITERAL ? y.value
                       : y.op == NOE_PARAM                      ? m->param[y.a]
                       : y.op == NOE_T                          ? (quad)row[0]
                       : y.op == NOE_Q                          ? (quad)row[x->q[y.a]]
                       : y.op == NOE_V                          ? (quad)row[x->v[y.a]]
                       : y.op < NOE_NEG                         ? (quad)NAN
                                        : noe_evaluate_apply((noe_op)y.op, g->tables, value[y.a],
                                                             value[y.b], value[y.c]);
    }
    for (int i = 0; i < x->spots; i++)
        for (int c = 0; c < 3; c++) *to++ = (double)value[x->spot[i][c]];
}

static noe_status make_points(noe_film *f)
{
    const noe_scene *x = &f->scene;
    const int        each = x->model ? 3 * x->spots : x->spots;
    f->point = noe_status_alloc((size_t)f->rows * (size_t)each + 1, sizeof *f->point);
    if (!f->point) return NOE_NO_MEMORY;
    if (!x->model) {
        for (long k = 0; k < f->rows; k++)
            memcpy(f->point + k * each, f->row + k * f->width + 2 + x->balance,
                   (size_t)each * sizeof *f->point);
        return NOE_OK;
    }
    noe_graph *g = &x->model->graph;
    const int  nodes = noe_evaluate_reach(g, *x->spot, 3 * x->spots);
    quad      *value = noe_status_alloc((size_t)g->count, sizeof *value);
    if (!value) return NOE_NO_MEMORY;
    for (long k = 0; k < f->rows; k++)
        evaluate(f, f->row + k * f->width, g->list, nodes, value, f->point + k * each);
    free(value);
    return NOE_OK;
}

/* (H - H0)/|H0|, or the balance relative to the largest |H|. */
static noe_status make_errors(noe_film *f)
{
    const double *h = f->row + 1;
    double        most = 0;
    f->error = noe_status_alloc((size_t)f->rows, sizeof *f->error);
    if (!f->error) return NOE_NO_MEMORY;
    f->scale = fabs(*h);
    for (long k = 0; k < f->rows; k++, h += f->width) {
        f->error[k] = f->scene.balance ? h[1] : h[0] - f->row[1];
        if (fabs(f->error[k]) > most) most = fabs(f->error[k]);
        if (f->scene.balance && fabs(*h) > f->scale) f->scale = fabs(*h);
    }
    if (!(f->scale > most)) f->scale = 0;
    for (long k = 0; k < f->rows && f->scale > 0; k++) f->error[k] /= f->scale;
    for (long k = 0; k < f->others && f->scale > 0; k++) f->other_error[k] /= f->scale;
    return NOE_OK;
}

noe_status noe_film_beside(noe_film *f, const char *name, size_t rows, const double *time,
                           const double *energy, const double *balance)
{
    f->other_time = noe_status_alloc(rows + 1, sizeof *time);
    f->other_error = noe_status_alloc(rows + 1, sizeof *energy);
    if (!f->other_time || !f->other_error) return NOE_NO_MEMORY;
    f->others = (long)rows;
    snprintf(f->other, sizeof f->other, "%s", name);
    for (size_t k = 0; k < rows; k++) {
        f->other_time[k] = time[k];
        f->other_error[k] = balance ? balance[k] : energy[k] - energy[0];
    }
    return NOE_OK;
}

noe_status noe_film_finish(noe_film *f, const char *path)
{
    if (f->rows < 1) return noe_status_fail(NOE_INVALID, "nothing to animate: the run has no rows");
    const double *last = f->row + f->capacity * f->width, *kept = f->row + (f->rows - 1) * f->width;
    if (*last != *kept) { /* a row after the last one kept: the end */
        if (f->rows == f->capacity) f->rows--;
        memmove(f->row + f->rows++ * f->width, last, (size_t)f->width * sizeof *last);
    }
    noe_atomic_file file;
    noe_status      s = make_points(f);
    if (!s) s = make_errors(f);
    if (!s) s = noe_atomic_file_open(&file, path);
    if (s) return s;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
    s = formats[format(path)].write(f, &file);
    uselocale(before);
    freelocale(plain);
    if (!s && ferror(file.file)) s = noe_atomic_file_fail(&file);
    if (s) noe_atomic_file_drop(&file);
    return s ? s : noe_atomic_file_keep(&file);
}

void noe_film_drop(noe_film *f)
{
    noe_scene_drop(&f->scene);
    free(f->row);
    free(f->point);
    free(f->error);
    free(f->other_time);
    free(f->other_error);
}
