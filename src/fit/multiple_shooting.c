/* Multiple shooting: the motion in pieces, each with a start of its own, that are tied together.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * H. G. Bock, Numerical treatment of inverse problems in chemical reaction kinetics, 1981.  Over a
 * long time a chaotic motion depends so sharply on its start that the sum of squares has minima
 * everywhere; over a piece of it not.  Unknown are x and the states z_k at the beginning of piece
 * k > 1, first guessed from the data.  To the residuals of the data come those of continuity,
 * w (z(T_k; z_{k-1}, x) - z_k)/size, and w grows from stage to stage: 1, 10, .. 1e5.  What is left
 * is one motion but for 1e-5 of an error; noe_least_squares_minimize goes on from its x. */
#include "fit/shooting.h"

#include "base/cminpack.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 6, RUNS = 60 }; /* stages of w; evaluations in each */
/* Errors of data whose sigma is not given, as parts of their spread, and the end of a stage. */
static const double PART = 0.01, SETTLED = 1e-4, FIRST_STEP = 1;

/* r and J at u, J by x. */
static bool at(noe_shooting *h, const double *u)
{
    const noe_fit *s = h->s;
    int            from = 0;
    if (!h->failed && !memcmp(u, h->tried, (size_t)h->unknowns * sizeof *u)) return true;
    memcpy(h->tried, u, (size_t)h->unknowns * sizeof *u);
    for (int i = 0; i < h->unknowns; i++)
        h->x[i] = i < s->unknowns ? noe_bounds_inside(s, i, u[i]) : u[i];
    memset(h->J, 0, (size_t)h->rows * (size_t)h->unknowns * sizeof *h->J);
    for (h->file = 0; h->file < s->files && from >= 0; h->file++)
        for (h->piece = 0; h->piece < h->pieces && from >= 0; h->piece++)
            from = noe_shooting_piece_follow(h, from);
    h->failed = from < 0;
    return !h->failed;
}

static int evaluate(void *ctx, int rows, int unknowns, const double *u, double *r, double *J,
                    int width, int iflag)
{
    noe_shooting *h = ctx;
    if (!at(h, u)) noe_error_clear();
    if (h->s->stopped) return -1;
    for (int i = 0; i < rows && iflag == 1; i++) r[i] = h->failed ? NOE_FIT_FAR : h->r[i];
    for (int k = 0; k < unknowns && iflag == 2; k++) {
        const double slope = k < h->s->unknowns ? noe_bounds_slope(h->s, k, u[k]) : 1;
        for (int i = 0; i < rows; i++)
            J[(size_t)k * (size_t)width + (size_t)i] = slope * *noe_shooting_entry(h, i, k);
    }
    return 0;
}

/* The system with derivatives by the parameters that are varied and all of q and p. */
static bool differentiate(noe_shooting *h)
{
    const noe_fit *s = h->s;
    size_t         size = 1;
    for (int j = 0; j < s->varieds; j++) size += strlen(s->varied[j].name) + 2;
    for (int i = 0; i < h->n; i++) size += 2 * strlen(noe_system_name(s->plain, i)) + 8;
    char *list = noe_arena_take(s->arena, size), *c = list;
    if (!list) return false;
    for (int j = 0; j < s->varieds; j++) {
        h->parameter[j] = s->varied[j].by.kind == NOE_BY_PARAMETER ? h->first++ : -1;
        if (h->parameter[j] >= 0) c += sprintf(c, "%s,", s->varied[j].name);
    }
    for (int i = 0; i < h->n; i++) c += sprintf(c, "%s,", noe_system_name(s->plain, i));
    for (int i = 0; i < h->n; i++) c += sprintf(c, "p(%s),", noe_system_name(s->plain, i));
    c[-1] = 0;
    h->columns = h->first + 2 * h->n;
    if (!(h->system = noe_system_differentiated(s->plain, list))) return false;
    h->slope = noe_arena_take(s->arena, (size_t)(s->compareds * h->columns) * sizeof *h->slope);
    for (int i = 0; h->slope && i < s->compareds; i++) {
        int k = 0;
        for (const char *by = list; k < h->columns; k++) {
            const int length = (int)strcspn(by, ",");
            char      name[500];
            snprintf(name, sizeof name, "d(%.200s)/d(%.*s)", s->compared[i].name, length, by);
            if (!noe_column_name_find(h->system, name, &h->slope[i * h->columns + k]))
                return noe_column_name_refuse(h->system, name), false;
            by += length + 1;
        }
    }
    return h->slope != NULL;
}

static bool solve(noe_shooting *h, double *work, int *pivot)
{
    noe_fit  *s = h->s;
    const int N = h->unknowns;
    double   *u = work, *r = u + N, *J = r + h->rows, *diag = J + (size_t)h->rows * (size_t)N,
           *qtf = diag + N, *w1 = qtf + N, *w2 = w1 + N, *w3 = w2 + N, *w4 = w3 + N;
    for (int i = 0; i < s->unknowns; i++) u[i] = noe_bounds_outside(s, i, s->x[i]);
    for (int d = 0; d < s->files; d++)
        if (!noe_shooting_guess_states(h, d, u)) return false;
    for (int i = 0; i < 2 * h->n; i++)
        if (!(h->size[i] > 0)) h->size[i] = 1;
    h->w = 1;
    for (int stage = 0; stage < STAGES; stage++, h->w *= 10) {
        int evaluations = 0, slopes = 0;
        h->failed = true; /* nothing is known at this weight */
        const int info = lmder(evaluate, h, h->rows, N, u, r, J, h->rows, SETTLED, SETTLED, 0, RUNS,
                               diag, 1, FIRST_STEP, 0, &evaluations, &slopes, pivot, qtf, w1, w2,
                               w3, w4);
        s->runs += evaluations;
        if (info < 0) return false;
    }
    for (int i = 0; i < s->unknowns; i++) s->x[i] = noe_bounds_inside(s, i, u[i]);
    return true;
}

bool noe_multiple_shooting_approach(noe_fit *s)
{
    noe_shooting h = { .s = s, .n = s->plain->dyn.n, .pieces = (int)s->job->segments };
    h.joints = s->files * (h.pieces - 1);
    h.unknowns = s->unknowns + h.joints * 2 * h.n;
    h.rows = s->data + h.joints * 2 * h.n;
    const size_t rows = (size_t)h.rows, N = (size_t)h.unknowns, files = (size_t)s->files;
    double *all = noe_status_alloc(2 * rows * N + 3 * rows + 10 * N + files * ((size_t)h.pieces + 1)
                                       + (size_t)s->compareds + 2 * (size_t)h.n,
                                   sizeof *all);
    int    *pivot = noe_status_alloc(N + (size_t)s->varieds, sizeof *pivot);
    bool    ok = all && pivot;
    if (ok) {
        h.J = all, h.r = h.J + rows * N, h.x = h.r + rows, h.tried = h.x + N;
        h.T = h.tried + N, h.sigma = h.T + files * ((size_t)h.pieces + 1);
        h.size = h.sigma + s->compareds;
        h.parameter = pivot + N;
        for (int c = 0; c < s->compareds; c++)
            h.sigma[c] = s->compared[c].known ? s->compared[c].sigma : PART * s->compared[c].sigma;
        ok = differentiate(&h) && solve(&h, h.size + 2 * h.n, pivot);
    }
    noe_system_free(h.system);
    free(all);
    free(pivot);
    return ok;
}
