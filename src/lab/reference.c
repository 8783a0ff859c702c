/* y(t_k): exact, or a run so fine that its own error, measured by one half as fine, does not count.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lab/reference.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FINEST = 256, SELF = 8 };
#define BYTES_MOST 2e9

typedef struct {
    noe_study     *s;
    noe_reference *r;
    noe_progress  *progress;
} builder;

void noe_study_look(const noe_study *s, noe_integrator *g, bool all, quad *x)
{
    for (int i = 0; i < s->quantities; i++) {
        const noe_quantity *u = &s->quantity[i];
        if (!all && u->constant) continue;
        if (u->what == NOE_OF_COLUMN) x[u->first] = noe_column_value(g, &u->column);
        else noe_integrator_get(g, u->what == NOE_OF_Q ? NOE_AT_Q : NOE_AT_P, x + u->first);
    }
}

static bool has_exact(const noe_system *s)
{
    char       name[200];
    noe_column column;
    snprintf(name, sizeof name, "%.180s.exact", noe_system_name(s, 0));
    return noe_column_find(s, name, &column);
}

bool noe_reference_choose(noe_study *s)
{
    const noe_word *w = noe_word_find(s, "reference");
    bool            needed = false;
    for (int i = 0; i < s->quantities; i++) needed |= !s->quantity[i].constant;
    s->reference = !needed ? NOE_REFERENCE_NONE : has_exact(s->system) ? NOE_REFERENCE_EXACT : NOE_REFERENCE_FINE;
    s->reference_digits = s->digits > 33 ? 64 : 33;
    if (!needed || !w) return true;
    if (!strcmp(w->value, "exact")) s->reference = NOE_REFERENCE_EXACT;
    else if (!strcmp(w->value, "self")) s->reference = NOE_REFERENCE_SELF;
    else if (!strcmp(w->value, "33") || !strcmp(w->value, "64")) s->reference = NOE_REFERENCE_FINE;
    else return noe_word_fail(s, w, "expected exact, self, 33 or 64"), false;
    if (s->reference == NOE_REFERENCE_EXACT && !has_exact(s->system))
        return noe_word_fail(s, w, "%s names no exact solution ('exact NAME' in the model); take 33, 64 or self",
                             s->system->source), false;
    if (s->reference == NOE_REFERENCE_FINE) s->reference_digits = atoi(w->value);
    return true;
}

/* Every k-th step of a run is a row, k = 1/sub steps of H; sub = 1/2: every second row only. */
static bool march(const builder *b, noe_grid *grid, const noe_method *f, int digits, double sub, quad *x)
{
    const size_t    m = (size_t)b->s->components, stride = sub < 1 ? 2 : 1;
    const int       steps = sub < 1 ? 1 : (int)sub;
    noe_integrator *g = noe_integrator_make(grid->system, f, grid->H / (quad)sub, digits);
    noe_status      status = g ? noe_integrator_ready(g) : NOE_NO_MEMORY;
    for (size_t k = 0; k < (size_t)grid->rows && !status && !noe_interrupted(b->progress); k += stride) {
        for (int i = 0; i < steps && k && !status; i++) status = noe_step(g);
        if (!status) noe_study_look(b->s, g, false, x + k * m);
        atomic_fetch_add(&b->progress->done, 1);
    }
    if (status) snprintf(grid->why, sizeof grid->why, "%.250s", noe_error() ? noe_error() : "out of memory");
    noe_error_clear();
    noe_integrator_free(g);
    return !status;
}

/* Largest |fine - coarse| of each number up to each window, times `share`; returns the worst relative to its size. */
static double doubt(const noe_study *s, noe_grid *grid, const quad *fine, const quad *coarse, size_t stride, double share)
{
    const size_t m = (size_t)s->components;
    double       worst = 0;
    for (size_t c = 0; c < m; c++) {
        double most = 0, size = 0;
        int    w = 0;
        for (size_t k = 0; k < (size_t)grid->rows; k += stride) {
            const double t = (double)(s->system->model->t0 + grid->H * k);
            while (w < s->windows - 1 && t > (double)s->until[w] * (1 + 1e-9)) grid->doubt[(size_t)w++ * m + c] = most;
            const double d = fabs((double)(fine[k * m + c] - coarse[k * m + c])) * share;
            most = d > most || isnan(d) ? d : most;
            size = fmax(size, fabs((double)fine[k * m + c]));
        }
        for (; w < s->windows; w++) grid->doubt[(size_t)w * m + c] = most;
        if (size > 0 && !(most / size <= worst)) worst = most / size;
    }
    return worst;
}

/* Of high order, and not too many unknowns a step. */
static const char *fine_method(int n) { return n <= 8 ? "gauss 8" : n <= 32 ? "gauss 4" : "gauss 2"; }

/* Halves the step until two runs agree: their difference over 2^(order/2) is an ample bound of the finer one's error. */
static void refine(const builder *b, noe_grid *grid)
{
    const noe_study *s = b->s;
    const size_t     size = (size_t)grid->rows * (size_t)s->components;
    const double     enough = s->digits > 15 ? 1e-28 : 1e-18;
    noe_method      *f = noe_method_parse(fine_method(s->system->dyn.n));
    quad            *coarse = noe_alloc(size, sizeof *coarse);
    double           worst = INFINITY;
    bool             ok = f && coarse;
    bool             had = ok && march(b, grid, f, s->reference_digits, 0.5, coarse);
    for (int sub = 1; ok && sub <= FINEST && !(worst <= enough) && !noe_interrupted(b->progress); sub *= 2) {
        if (sub > 1) memcpy(coarse, grid->x, size * sizeof *coarse);
        const bool done = march(b, grid, f, s->reference_digits, sub, grid->x);
        grid->step = (double)grid->H / sub;
        worst = had && done ? doubt(s, grid, grid->x, coarse, sub > 1 ? 1 : 2, 1 / pow(2, noe_method_order(f) / 2.0)) : INFINITY;
        had = done;
        if (done) *grid->why = 0;
    }
    if (!ok || !(worst < INFINITY))
        snprintf(grid->why, sizeof grid->why, "%s", ok ? "the reference does not settle, down to 1/256 of the step" : "out of memory");
    free(coarse);
    noe_method_free(f);
}

/* The method itself, eight times as fine, and its error from that four times as fine. */
static void self(const builder *b, noe_grid *grid, const noe_method *f)
{
    const noe_study *s = b->s;
    quad            *coarse = noe_alloc((size_t)grid->rows * (size_t)s->components, sizeof *coarse);
    if (coarse && march(b, grid, f, s->digits, SELF / 2, coarse) && march(b, grid, f, s->digits, SELF, grid->x))
        doubt(s, grid, grid->x, coarse, 1, 1 / (pow(2, noe_method_order(f)) - 1));
    grid->step = (double)grid->H / SELF;
    free(coarse);
}

/* The columns NAME.exact that a quantity needs, one a component. */
static bool exact_columns(const noe_study *s, const noe_system *system, noe_column *column)
{
    for (int i = 0; i < s->quantities; i++) {
        const noe_quantity *u = &s->quantity[i];
        for (int c = 0; c < u->count && !u->constant; c++) {
            char        name[200];
            const char *of = u->what == NOE_OF_COLUMN ? u->name : noe_system_name(system, c);
            snprintf(name, sizeof name, u->what == NOE_OF_P ? "p(%.180s).exact" : "%.180s.exact", of);
            if (!noe_column_find(system, name, &column[u->first + c])) return noe_column_unknown(system, name), false;
        }
    }
    return true;
}

static void exact(const builder *b, noe_grid *grid)
{
    const noe_study *s = b->s;
    const noe_model *model = s->system->model;
    const size_t     m = (size_t)s->components, n = (size_t)s->system->dyn.n;
    noe_method      *f = noe_method_parse("midpoint"); /* it only carries the time */
    noe_integrator  *g = noe_integrator_make(grid->system, f, grid->H, 33);
    noe_column      *column = noe_alloc(m, sizeof *column);
    quad            *z = noe_alloc(2 * n, sizeof *z);
    bool            *momentum = noe_alloc(n, sizeof *momentum);
    bool             ok = g && column && z && momentum && exact_columns(s, grid->system, column);
    if (ok) ok = !noe_integrator_ready(g);
    if (ok) noe_integrator_get(g, NOE_AT_Q, z), noe_integrator_get(g, NOE_AT_V, z + n);
    for (size_t k = 0; k < (size_t)grid->rows && ok && !noe_interrupted(b->progress); k++) {
        const quad t = model->t0 + grid->H * k;
        ok = !noe_integrator_start(g, &t, z, z + n, z + n, momentum);
        for (int i = 0; i < s->quantities && ok; i++)
            for (int c = 0; c < s->quantity[i].count && !s->quantity[i].constant && ok; c++) {
                quad *x = &grid->x[k * m + (size_t)(s->quantity[i].first + c)];
                *x = noe_column_value(g, &column[s->quantity[i].first + c]);
                ok = finiteq(*x);
            }
        atomic_fetch_add(&b->progress->done, 1);
    }
    if (!ok) snprintf(grid->why, sizeof grid->why, "%.250s", noe_error() ? noe_error() : "the exact solution is not finite");
    noe_error_clear();
    free(z);
    free(momentum);
    free(column);
    noe_integrator_free(g);
    noe_method_free(f);
}

static void build(void *ctx, int task)
{
    const builder *b = ctx;
    noe_grid      *grid = &b->r->grid[task];
    if (b->s->reference == NOE_REFERENCE_EXACT) exact(b, grid);
    else if (b->s->reference == NOE_REFERENCE_SELF) self(b, grid, b->s->method[task / b->r->grids].method);
    else refine(b, grid);
}

/* From the finest step on: one that is a multiple of an earlier one shares its rows. */
static int lay_out(noe_study *s, quad *H)
{
    int grids = 0;
    for (int j = s->steps - 1; j >= 0; j--) {
        noe_study_step *x = &s->step[j];
        for (x->grid = 0; x->grid < grids; x->grid++) {
            const quad ratio = x->h / H[x->grid];
            x->stride = (int)roundq(ratio);
            if (fabsq(ratio - x->stride) < 1e-12 * ratio) break;
        }
        if (x->grid == grids) H[grids++] = x->h, x->stride = 1;
    }
    return grids;
}

bool noe_reference_make(noe_study *s, noe_reference *r, noe_progress *progress)
{
    quad    H[64];
    builder b = { s, r, progress };
    double  bytes = 0, rows = 0;
    *r = (noe_reference){ 0 };
    if (s->reference == NOE_REFERENCE_NONE) return true;
    r->sets = s->reference == NOE_REFERENCE_SELF ? s->methods : 1;
    r->grids = lay_out(s, H);
    if (!(r->grid = noe_alloc((size_t)(r->sets * r->grids), sizeof *r->grid))) return false;
    const quad span = s->until[s->windows - 1] - s->system->model->t0;
    for (int i = 0; i < r->sets * r->grids; i++) {
        noe_grid *grid = &r->grid[i];
        grid->H = H[i % r->grids];
        const double count = (double)roundq(span / grid->H) + 1;
        rows += count;
        bytes += count * s->components * (double)sizeof *grid->x;
        grid->rows = (long)count;
        for (int j = 0; j < s->steps; j++)
            if (s->step[j].grid == i % r->grids) grid->system = s->step[j].system;
    }
    if (bytes > BYTES_MOST)
        return noe_fail(NOE_INVALID, "the reference has %.3g numbers, %.1f GB: take larger steps or a shorter time, or errors of "
                        "constants alone (energy)", rows * s->components, 1e-9 * bytes), false;
    for (int i = 0; i < r->sets * r->grids; i++) {
        noe_grid *grid = &r->grid[i];
        grid->x = noe_alloc((size_t)grid->rows * (size_t)s->components, sizeof *grid->x);
        grid->doubt = noe_alloc((size_t)s->windows * (size_t)s->components, sizeof *grid->doubt);
        if (!grid->x || !grid->doubt) return false;
    }
    progress->what = "reference";
    progress->all = s->reference == NOE_REFERENCE_EXACT ? rows : s->reference == NOE_REFERENCE_SELF ? 2 * rows : 1.5 * rows;
    noe_pool(r->sets * r->grids, build, &b, progress);
    return true;
}

const noe_grid *noe_reference_grid(const noe_reference *r, int method, const noe_study_step *x)
{
    return r->grids ? &r->grid[(r->sets > 1 ? method * r->grids : 0) + x->grid] : NULL;
}

void noe_reference_drop(noe_reference *r)
{
    for (int i = 0; r->grid && i < r->sets * r->grids; i++) {
        free(r->grid[i].x);
        free(r->grid[i].doubt);
    }
    free(r->grid);
}

void noe_reference_says(noe_study *s, const noe_reference *r)
{
    double worst = 0;
    char  *to = s->reference_says;
    for (int i = 0; i < r->sets * r->grids; i++)
        for (int c = 0; c < s->components; c++)
            worst = fmax(worst, r->grid[i].doubt[(s->windows - 1) * s->components + c]);
    switch (s->reference) {
    case NOE_REFERENCE_NONE: snprintf(to, 200, "its own value at the start"); break;
    case NOE_REFERENCE_EXACT: snprintf(to, 200, "the exact solution"); break;
    case NOE_REFERENCE_SELF: snprintf(to, 200, "each method itself with 1/%d of the finest step, known to %.1e", SELF, worst); break;
    case NOE_REFERENCE_FINE:
        snprintf(to, 200, "a run of %s in %d digits with the step %.6g, known to %.1e",
                 fine_method(s->system->dyn.n), s->reference_digits,
                 r->grids ? r->grid[0].step : 0.0, worst);
    }
}
