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

#ifdef NOE_ARB
static bool has_exact(const noe_system *s) { return s->model->exact != NULL; }
#else
static bool has_exact(const noe_system *s) { return false && s; }
#endif

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
        return noe_word_fail(s, w, s->system->model->exact ? "%s: built without FLINT/Arb; take 33 or self"
                                 : "%s names no exact solution ('exact NAME' in the model); take 33, 64 or self", s->system->source), false;
    if (s->reference == NOE_REFERENCE_FINE) s->reference_digits = atoi(w->value);
    return true;
}

/* Every k-th step of a run is a row, k = 1/sub steps of H; sub = 1/2: every second row only.  Returns how many rows
 * there are, all unless it could not go on, and then why; -1 when it could not even begin. */
static long march(const builder *b, const noe_grid *grid, const noe_method *f, int digits, double sub, quad *x, char why[NOE_WHY])
{
    const size_t    m = (size_t)b->s->components;
    const long      stride = sub < 1 ? 2 : 1;
    const int       steps = sub < 1 ? 1 : (int)sub;
    noe_integrator *g = noe_integrator_make(grid->system, f, grid->H / (quad)sub, digits);
    noe_status      status = g ? noe_integrator_ready(g) : NOE_NO_MEMORY;
    long            k = status ? -1 : 0;
    for (; k < grid->rows && !status && !noe_interrupted(b->progress); k += stride) {
        for (int i = 0; i < steps && k && !status; i++) status = noe_step(g);
        if (status) break;
        noe_study_look(b->s, g, false, x + (size_t)k * m);
        noe_progress_add(b->progress, 1);
    }
    if (status) snprintf(why, NOE_WHY, "%s", noe_error() ? noe_error() : "out of memory");
    noe_error_clear();
    noe_integrator_free(g);
    return status ? k : grid->rows;
}

/* Only the windows that so many rows reach have a reference; false when none is left. */
static bool shorten(const noe_study *s, noe_grid *grid, long rows)
{
    long kept = 0;
    for (int w = 0; w < s->windows; w++) {
        const long end = (long)roundq((s->until[w] - s->system->model->t0) / grid->H) + 1;
        if (end <= rows) kept = end;
    }
    grid->rows = kept;
    return kept > 0;
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
            while (w < s->windows - 1 && t > (double)(s->until[w] + grid->H / 2)) grid->doubt[(size_t)w++ * m + c] = most;
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

/* The first two runs, with the steps 2 H and H. */
static void first_runs(void *ctx, int task)
{
    const builder *b = ctx;
    noe_grid      *grid = &b->r->grid[task / 2];
    noe_method    *f = noe_method_parse(fine_method(b->s->system->dyn.n));
    const bool     coarse = task % 2;
    char           why[NOE_WHY];
    grid->done[coarse] = f ? march(b, grid, f, b->s->reference_digits, coarse ? 0.5 : 1, coarse ? grid->coarse : grid->x, why) : -1;
    if (grid->done[coarse] < 0) snprintf(coarse ? grid->why_coarse : grid->why, NOE_WHY, "%s", f ? why : "out of memory");
    noe_method_free(f);
}

/* Halves the step until two runs agree: their difference over 2^(order/2) is an ample bound of the finer one's error.
 * A motion that ends, in a collision say, ends at every step: its windows before have their reference. */
static void refine(const builder *b, noe_grid *grid)
{
    enum { ENDS = 8 }; /* from this part of the step on a failure is the motion's, not the step's */
    const noe_study *s = b->s;
    const size_t     size = (size_t)grid->rows * (size_t)s->components;
    const double     enough = s->digits > 15 ? 1e-28 : 1e-18;
    noe_method      *f = noe_method_parse(fine_method(s->system->dyn.n));
    const double     share = 1 / pow(2, noe_method_order(f) / 2.0);
    double           worst = INFINITY;
    grid->step = (double)grid->H;
    if (!f || grid->done[0] < 0 || grid->done[1] < 0) {
        if (!f) snprintf(grid->why, NOE_WHY, "out of memory");
        else if (grid->done[0] >= 0) memcpy(grid->why, grid->why_coarse, NOE_WHY);
        grid->broken = true;
        noe_method_free(f);
        return;
    }
    if (grid->done[0] == grid->rows && grid->done[1] == grid->rows) worst = doubt(s, grid, grid->x, grid->coarse, 2, share);
    for (int sub = 2; sub <= FINEST && !(worst <= enough) && !noe_interrupted(b->progress); sub *= 2) {
        const long had = grid->done[0];
        memcpy(grid->coarse, grid->x, size * sizeof *grid->x);
        grid->done[0] = march(b, grid, f, s->reference_digits, sub, grid->x, grid->why);
        grid->step = (double)grid->H / sub;
        if (grid->done[0] < grid->rows && sub >= ENDS && !shorten(s, grid, grid->done[0])) break;
        worst = had >= grid->rows && grid->done[0] >= grid->rows ? doubt(s, grid, grid->x, grid->coarse, 1, share) : INFINITY;
    }
    if (!(worst < INFINITY) && !*grid->why)
        snprintf(grid->why, NOE_WHY, "it does not settle, down to 1/%d of the step", FINEST);
    if (!(worst < INFINITY)) grid->rows = 0;
    noe_method_free(f);
}

/* The method itself, eight times as fine, and its error from that four times as fine. */
static void self(const builder *b, noe_grid *grid, const noe_method *f)
{
    const noe_study *s = b->s;
    const long coarse = march(b, grid, f, s->digits, SELF / 2, grid->coarse, grid->why);
    const long fine = march(b, grid, f, s->digits, SELF, grid->x, grid->why);
    if ((coarse == grid->rows && fine == grid->rows) || shorten(s, grid, coarse < fine ? coarse : fine))
        doubt(s, grid, grid->x, grid->coarse, 1, 1 / (pow(2, noe_method_order(f)) - 1));
    grid->step = (double)grid->H / SELF;
}

#ifdef NOE_ARB
enum { CHUNKS = 16, MORE_DIGITS = 8 };

static bool exact_row(const noe_study *s, noe_exact *exact, noe_wide *t, noe_wide *value, quad *x)
{
    for (int i = 0; i < s->quantities; i++) {
        const noe_quantity *u = &s->quantity[i];
        const noe_column   *column = &u->column;
        for (int c = 0; c < u->count && !u->constant; c++) {
            const bool named = u->what == NOE_OF_COLUMN, seen = named && column->kind == NOE_COL_OBSERVABLE;
            const int  what = seen ? NOE_AT_OBSERVABLE : named ? (int)column->at : u->what == NOE_OF_Q ? NOE_AT_Q : NOE_AT_P;
            if (!noe_exact_get(exact, t, what, named ? column->index : c, value)) return false;
            if (!finiteq(x[u->first + c] = noe_wide_get(value)))
                return noe_fail(NOE_NOT_FINITE, "the exact %.60s is not finite", u->name), false;
        }
    }
    return true;
}

/* The rows of a grid from share/CHUNKS of them on to the next: each share has a solution of its own. */
static void exact(const builder *b, noe_grid *grid, int share)
{
    const noe_study *s = b->s;
    noe_exact       *exact = noe_exact_new(grid->system->model, (s->digits > 33 ? 64 : 33) + MORE_DIGITS, NULL);
    noe_wide        *t = noe_wide_new(), *value = noe_wide_new();
    bool             ok = exact && t && value;
    const long       end = (share + 1) * grid->rows / CHUNKS;
    for (long k = share * grid->rows / CHUNKS; k < end && ok && !noe_interrupted(b->progress); k++) {
        noe_wide_set(t, s->system->model->t0 + grid->H * k);
        ok = exact_row(s, exact, t, value, grid->x + (size_t)k * (size_t)s->components);
        noe_progress_add(b->progress, 1);
    }
    if (!ok) snprintf(grid->why, NOE_WHY, "%s", noe_error() ? noe_error() : "out of memory"), grid->broken = true;
    noe_error_clear();
    noe_exact_free(exact);
    noe_wide_free(t);
    noe_wide_free(value);
}
#else
enum { CHUNKS = 1 };

static void exact(const builder *b, noe_grid *grid, int share) /* noe_reference_choose never chose it */
{
    (void)b, (void)share;
    snprintf(grid->why, NOE_WHY, "built without FLINT/Arb"), grid->broken = true;
}
#endif

static void build(void *ctx, int task)
{
    const builder *b = ctx;
    const bool     closed = b->s->reference == NOE_REFERENCE_EXACT;
    noe_grid      *grid = &b->r->grid[closed ? task / CHUNKS : task];
    if (closed) exact(b, grid, task % CHUNKS);
    else if (b->s->reference == NOE_REFERENCE_SELF) self(b, grid, b->s->method[task / b->r->grids].method);
    else refine(b, grid);
}

/* A column of the study's own may know the step: its reference then is another for every step. */
static bool knows_step(const noe_study *s)
{
    bool knows = false;
    for (int i = 0; i < s->quantities; i++) {
        const noe_quantity *u = &s->quantity[i];
        knows |= u->what == NOE_OF_COLUMN && !u->constant && u->column.kind == NOE_COL_OBSERVABLE
              && u->column.index >= s->system->model->observables;
    }
    return knows;
}

/* From the finest step on: one that is a multiple of an earlier one shares its rows. */
static int lay_out(noe_study *s, quad *H)
{
    const bool apart = knows_step(s);
    int        grids = 0;
    for (int j = s->steps - 1; j >= 0; j--) {
        noe_study_step *x = &s->step[j];
        for (x->grid = apart ? grids : 0; x->grid < grids; x->grid++) {
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
        bytes += (s->reference == NOE_REFERENCE_EXACT ? 1 : 2) * count * s->components * (double)sizeof *grid->x;
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
        if (s->reference != NOE_REFERENCE_EXACT) grid->coarse = noe_alloc((size_t)grid->rows * (size_t)s->components, sizeof *grid->x);
        if (!grid->x || !grid->doubt || (s->reference != NOE_REFERENCE_EXACT && !grid->coarse)) return false;
    }
    progress->what = "reference";
    progress->all = s->reference == NOE_REFERENCE_EXACT ? rows : s->reference == NOE_REFERENCE_SELF ? 2 * rows : 1.5 * rows;
    if (s->reference == NOE_REFERENCE_FINE) noe_pool(2 * r->grids, first_runs, &b, progress);
    noe_pool(r->sets * r->grids * (s->reference == NOE_REFERENCE_EXACT ? CHUNKS : 1), build, &b, progress);
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
        free(r->grid[i].coarse);
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
