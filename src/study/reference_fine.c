/* The reference solution y(t_k) by runs with so small a step that their error is negligible.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The error of the run with step h is bounded by its difference from the run with step 2 h. */
#include "study/reference_build.h"

#include "base/status.h"
#include "number/rounding_unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FINEST = 256 };

/* Makes one run with steps of H/sub and stores a row after every H, that is sub steps; sub = 1/2:
 * steps of 2 H, and every second row.  Returns the number of rows, fewer than planned, with the
 * reason, if the run could not go on; -1 if it could not begin. */
static long march(const noe_reference_builder *b, const noe_reference_rows *grid,
                  const noe_method *f, int digits, double sub, quad *x, char why[NOE_REASON_MOST])
{
    const size_t    m = (size_t)b->s->components;
    const long      stride = sub < 1 ? 2 : 1;
    const int       steps = sub < 1 ? 1 : (int)sub;
    noe_integrator *g = noe_integrator_make(grid->system, f, grid->h / (quad)sub, digits);
    noe_status      status = g ? noe_integrator_start_ready(g) : NOE_NO_MEMORY;
    long            k = status ? -1 : 0;
    for (; k < grid->rows && !status && !noe_task_pool_interrupted(b->progress); k += stride) {
        const quad t = b->s->system->model->t0 + grid->H * k;
        if (!k) noe_reference_row_here(b->s, g, false, x);
        else if ((status = noe_reference_row_next(b->s, g, steps, t, false, x + (size_t)k * m)))
            break;
        noe_task_pool_progress_add(b->progress, 1);
    }
    if (status) snprintf(why, NOE_REASON_MOST, "%s", noe_error() ? noe_error() : "out of memory");
    noe_error_clear();
    noe_integrator_free(g);
    return status ? k : grid->rows;
}

/* Removes the windows that end after the last row from the reference; false when no window is
 * left. */
static bool shorten(const noe_study *s, noe_reference_rows *grid, long rows)
{
    long kept = 0;
    for (int w = 0; w < s->windows; w++) {
        const long end = (long)roundq((s->until[w] - s->system->model->t0) / grid->H) + 1;
        if (end <= rows) kept = end;
    }
    grid->rows = kept;
    return kept > 0;
}

/* Largest |fine - coarse| of each number up to each window, at least `unit` of its size; returns
 * the largest of them relative to the size.  It is not divided by 2^order: that is the law of
 * the error of the method, not of rounding. */
static double doubt(const noe_study *s, noe_reference_rows *grid, const quad *fine,
                    const quad *coarse, size_t stride, double unit)
{
    const size_t m = (size_t)s->components;
    double       worst = 0;
    for (size_t c = 0; c < m; c++) {
        double most = 0, size = 0;
        int    w = 0;
        for (size_t k = 0; k < (size_t)grid->rows; k += stride) {
            const double t = (double)(s->system->model->t0 + grid->H * k);
            while (w < s->windows - 1 && t > (double)(s->until[w] + grid->H / 2))
                grid->doubt[(size_t)w++ * m + c] = most;
            size = fmax(size, fabs((double)fine[k * m + c]));
            const double d = fmax(fabs((double)(fine[k * m + c] - coarse[k * m + c])), unit * size);
            most = d > most || isnan(d) ? d : most;
        }
        for (; w < s->windows; w++) grid->doubt[(size_t)w * m + c] = most;
        if (size > 0 && !(most / size <= worst)) worst = most / size;
    }
    return worst;
}

/* A method of high order without too many unknowns in a step. */
const char *noe_reference_fine_method(int n)
{
    return n <= 8 ? "gauss 8" : n <= 32 ? "gauss 4" : "gauss 2";
}

/* The first two runs, with steps 2 H and H. */
void noe_reference_fine_first(void *ctx, int task)
{
    const noe_reference_builder *b = ctx;
    noe_reference_rows          *grid = &b->r->grid[task / 2];
    noe_method *f = noe_method_parse(noe_reference_fine_method(b->s->system->dyn.n));
    const bool  coarse = task % 2;
    char        why[NOE_REASON_MOST];
    grid->done[coarse] = f ? march(b, grid, f, b->s->reference_digits, coarse ? 0.5 : 1,
                                   coarse ? grid->coarse : grid->x, why)
                           : -1;
    if (grid->done[coarse] < 0)
        snprintf(coarse ? grid->why_coarse : grid->why, NOE_REASON_MOST, "%s",
                 f ? why : "out of memory");
    noe_method_free(f);
}

/* Halves the step until two runs agree: their difference bounds the error of the finer one, by
 * the method and by rounding.  Three halvings without a gain end the refinement, too: in a
 * chaotic motion all digits are then lost.  A motion that ends, in a collision for instance,
 * ends for every step; the windows before that time have their reference. */
void noe_reference_fine_refine(const noe_reference_builder *b, noe_reference_rows *grid)
{
    /* a failure at this part of the step belongs to the motion, not to the step */
    enum { ENDS = 8 };
    const noe_study *s = b->s;
    const size_t     size = (size_t)grid->rows * (size_t)s->components;
    const double     enough = s->digits > NOE_DIGITS_DOUBLE ? 1e-28 : 1e-18,
                 unit = noe_rounding_unit_half(NOE_DIGITS_QUAD); /* of the rows that are kept */
    noe_method *f = noe_method_parse(noe_reference_fine_method(s->system->dyn.n));
    double      worst = INFINITY;
    int         no_gain = 0;
    grid->step = (double)grid->h;
    if (!f || grid->done[0] < 0 || grid->done[1] < 0) {
        if (!f) snprintf(grid->why, NOE_REASON_MOST, "out of memory");
        else if (grid->done[0] >= 0) memcpy(grid->why, grid->why_coarse, NOE_REASON_MOST);
        grid->broken = true;
        noe_method_free(f);
        return;
    }
    if (grid->done[0] == grid->rows && grid->done[1] == grid->rows)
        worst = doubt(s, grid, grid->x, grid->coarse, 2, unit);
    for (int sub = 2;
         sub <= FINEST && !(worst <= enough) && !noe_task_pool_interrupted(b->progress); sub *= 2) {
        const long had = grid->done[0];
        memcpy(grid->coarse, grid->x, size * sizeof *grid->x);
        grid->done[0] = march(b, grid, f, s->reference_digits, sub, grid->x, grid->why);
        grid->step = (double)grid->h / sub;
        if (grid->done[0] < grid->rows && sub >= ENDS && !shorten(s, grid, grid->done[0])) break;
        const double before = worst;
        worst = had >= grid->rows && grid->done[0] >= grid->rows
                  ? doubt(s, grid, grid->x, grid->coarse, 1, unit)
                  : INFINITY;
        no_gain = worst < before / 4 || worst == INFINITY ? 0 : no_gain + 1;
        if (no_gain == 3) break;
    }
    if (!(worst < INFINITY) && !*grid->why)
        snprintf(grid->why, NOE_REASON_MOST, "it does not converge, down to 1/%d of the step",
                 FINEST);
    if (!(worst < INFINITY)) grid->rows = 0;
    noe_method_free(f);
}

/* The reference of a method by itself: a run with 1/8 of its step, and the error of that run
 * from one with 1/4. */
void noe_reference_fine_self(const noe_reference_builder *b, noe_reference_rows *grid,
                             const noe_method *f)
{
    const noe_study *s = b->s;
    const long       coarse = march(b, grid, f, s->digits, NOE_SELF / 2, grid->coarse, grid->why);
    const long       fine = march(b, grid, f, s->digits, NOE_SELF, grid->x, grid->why);
    if ((coarse == grid->rows && fine == grid->rows)
        || shorten(s, grid, coarse < fine ? coarse : fine))
        doubt(s, grid, grid->x, grid->coarse, 1, noe_rounding_unit_half(s->digits));
    grid->step = (double)grid->h / NOE_SELF;
}
