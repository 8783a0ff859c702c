/* Chooses the reference solution y(t_k) of a study and finds its rows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/reference_build.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of all rows of the reference, at most, so that a study fits into the memory of common
 * machines.  No other values were tried. */
static const double BYTES_MOST = 2e9;

bool noe_reference_choose(noe_study *s)
{
    const noe_study_option *w = noe_study_options_find(s, "reference");
    bool                    needed = false;
    for (int i = 0; i < s->quantities; i++) needed |= !s->quantity[i].constant;
    s->reference = !needed                               ? NOE_REFERENCE_NONE
                 : noe_reference_exact_exists(s->system) ? NOE_REFERENCE_EXACT
                                                         : NOE_REFERENCE_FINE;
    s->reference_digits = s->digits > NOE_DIGITS_QUAD ? 64 : NOE_DIGITS_QUAD;
    if (!needed || !w) return true;
    if (!strcmp(w->value, "exact")) s->reference = NOE_REFERENCE_EXACT;
    else if (!strcmp(w->value, "self")) s->reference = NOE_REFERENCE_SELF;
    else if (!strcmp(w->value, "33") || !strcmp(w->value, "64")) s->reference = NOE_REFERENCE_FINE;
    else return noe_study_options_fail(s, w, "expected exact, self, 33 or 64"), false;
    if (s->reference == NOE_REFERENCE_EXACT && !noe_reference_exact_exists(s->system))
        return noe_study_options_fail(s, w,
                                      s->system->model->exact
                                          ? "%s: built without FLINT/Arb; take 33 or self"
                                          : "%s names no exact solution ('exact NAME' in the "
                                            "model); take 33, 64 or self",
                                      s->system->source),
               false;
    if (s->reference == NOE_REFERENCE_FINE) s->reference_digits = atoi(w->value);
    return true;
}

static void build(void *ctx, int task)
{
    const noe_reference_builder *b = ctx;
    const bool                   closed = b->s->reference == NOE_REFERENCE_EXACT;
    noe_reference_rows          *grid = &b->r->grid[closed ? task / NOE_SHARES : task];
    if (closed) noe_reference_exact_fill(b, grid, task % NOE_SHARES);
    else if (b->s->reference == NOE_REFERENCE_SELF)
        noe_reference_fine_self(b, grid, b->s->method[task / b->r->grids].method);
    else noe_reference_fine_refine(b, grid);
}

/* An observable of the study's own may depend on the step; then every step has a reference of
 * its own. */
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

/* Assigns a grid of times to every step, beginning with the finest: a step that is a multiple of
 * an earlier one shares its grid. */
static int lay_out(noe_study *s, quad *H)
{
    const bool apart = knows_step(s);
    int        grids = 0;
    for (int j = s->steps - 1; j >= 0; j--) {
        noe_study_step *x = &s->step[j];
        for (x->grid = apart ? grids : 0; x->grid < grids; x->grid++) {
            const quad ratio = x->apart / H[x->grid];
            x->stride = (int)roundq(ratio);
            if (fabsq(ratio - x->stride) < 1e-12 * ratio) break;
        }
        if (x->grid == grids) H[grids++] = x->apart, x->stride = 1;
    }
    return grids;
}

bool noe_reference_make(noe_study *s, noe_reference *r, noe_progress *progress)
{
    quad                  H[NOE_STUDY_STEPS_MOST];
    noe_reference_builder b = { s, r, progress };
    double                bytes = 0, rows = 0;
    *r = (noe_reference){ 0 };
    if (s->reference == NOE_REFERENCE_NONE) return true;
    r->sets = s->reference == NOE_REFERENCE_SELF ? s->methods : 1;
    r->grids = lay_out(s, H);
    if (!(r->grid = noe_status_alloc((size_t)(r->sets * r->grids), sizeof *r->grid))) return false;
    const quad span = s->until[s->windows - 1] - s->system->model->t0;
    for (int i = 0; i < r->sets * r->grids; i++) {
        noe_reference_rows *grid = &r->grid[i];
        grid->H = H[i % r->grids];
        const double count = (double)roundq(span / grid->H) + 1;
        rows += count;
        bytes += (s->reference == NOE_REFERENCE_EXACT ? 1 : 2) * count * s->components
               * (double)sizeof *grid->x;
        grid->rows = (long)count;
        for (int j = 0; j < s->steps; j++)
            if (s->step[j].grid == i % r->grids) {
                grid->system = s->step[j].system;
                grid->h = s->step[j].h;
            }
    }
    if (bytes > BYTES_MOST)
        return noe_status_fail(NOE_INVALID,
                               "the reference has %.3g numbers, %.1f GB: take larger steps or a "
                               "shorter time, or errors of "
                               "constants alone (energy)",
                               rows * s->components, 1e-9 * bytes),
               false;
    for (int i = 0; i < r->sets * r->grids; i++) {
        noe_reference_rows *grid = &r->grid[i];
        grid->x = noe_status_alloc((size_t)grid->rows * (size_t)s->components, sizeof *grid->x);
        grid->doubt = noe_status_alloc((size_t)s->windows * (size_t)s->components,
                                       sizeof *grid->doubt);
        if (s->reference != NOE_REFERENCE_EXACT)
            grid->coarse = noe_status_alloc((size_t)grid->rows * (size_t)s->components,
                                            sizeof *grid->x);
        if (!grid->x || !grid->doubt || (s->reference != NOE_REFERENCE_EXACT && !grid->coarse))
            return false;
    }
    progress->what = "reference";
    progress->all = s->reference == NOE_REFERENCE_EXACT ? rows
                  : s->reference == NOE_REFERENCE_SELF  ? 2 * rows
                                                        : 1.5 * rows;
    if (s->reference == NOE_REFERENCE_FINE)
        noe_task_pool_run(2 * r->grids, noe_reference_fine_first, &b, progress);
    noe_task_pool_run(r->sets * r->grids * (s->reference == NOE_REFERENCE_EXACT ? NOE_SHARES : 1),
                      build, &b, progress);
    return true;
}

const noe_reference_rows *noe_reference_grid(const noe_reference *r, int method,
                                             const noe_study_step *x)
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

void noe_reference_describe(noe_study *s, const noe_reference *r)
{
    double worst = 0;
    char  *to = s->reference_says;
    for (int i = 0; i < r->sets * r->grids; i++)
        for (int c = 0; c < s->components; c++)
            worst = fmax(worst, r->grid[i].doubt[(s->windows - 1) * s->components + c]);
    switch (s->reference) {
    case NOE_REFERENCE_NONE: snprintf(to, 200, "its own value at the start"); break;
    case NOE_REFERENCE_EXACT: snprintf(to, 200, "the exact solution"); break;
    case NOE_REFERENCE_SELF:
        snprintf(to, 200, "each method itself with 1/%d of the finest step, known to %.1e",
                 NOE_SELF, worst);
        break;
    case NOE_REFERENCE_FINE:
        snprintf(to, 200, "a run of %s in %d digits with the step %.6g, known to %.1e",
                 noe_reference_fine_method(s->system->dyn.n), s->reference_digits,
                 r->grids ? r->grid[0].step : 0.0, worst);
    }
}
