/* The effect of rounding on the energy: H in double less H in binary128 ~ eps sqrt(steps).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The same discrete motion is computed in both precisions.  Rounding errors without bias add up
 * like a random walk (D. Brouwer, On the accumulation of errors in numerical integration,
 * Astronomical Journal 46 (1937) 149): the energy error by rounding grows like t^1/2.  A bias of a
 * fraction of a unit in every step grows like t and shows.  The comparison ends where the two
 * motions part by chaos. */
#include "certify/laws.h"

#include "base/status.h"
#include "inspect/quad_energy.h"
#include "method/composition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the comparison, and operations in binary128 of all of them. */
enum { STEPS_MOST = 4096, STEPS_LEAST = 32, OPERATIONS_MOST = 1 << 23 };
/* The comparison ends where the relative distance of the two states times the relative truncation
 * error of the energy reaches this: the truncation errors of the two differ then, too, by about
 * that much. */
static const double PARTED_PART = 0x1p-51;

typedef struct {
    int steps,       /* to compare */
        done;        /* compared before the motions parted or a step failed */
    double one_step, /* relative distance of the states after one step */
        value,       /* largest |H in double - H in binary128|, in the unit of the energy */
        exponent;    /* a in value ~ t^a; NAN: too few steps */
} outcome;

typedef struct {
    noe_integrator *g[2]; /* double, binary128 */
    int             n;    /* coordinates */
    quad           *x,    /* [2n] state (q, p) in double */
        *y,               /* [2n] state (q, p) in binary128 */
        *size;            /* [2] largest position and largest momentum so far */
} pair;

/* Largest difference of the two states, relative to the largest position or momentum so far.  Of a
 * system at rest momenta are rounding of what its forces make in a step, `push`, and relative to
 * that. */
static double distance(pair *p, double push)
{
    const int n = p->n;
    double    most = 0;
    for (int i = 0; i < 2; i++) {
        quad *to = i ? p->y : p->x;
        noe_integrator_state_get(p->g[i], NOE_AT_Q, to),
            noe_integrator_state_get(p->g[i], NOE_AT_P, to + n);
    }
    p->size[1] = fmaxq(p->size[1], push);
    for (int i = 0; i < 2 * n; i++) p->size[i / n] = fmaxq(p->size[i / n], fabsq(p->y[i]));
    for (int i = 0; i < 2 * n; i++)
        if (p->size[i / n] > 0)
            most = fmax(most, (double)(fabsq(p->x[i] - p->y[i]) / p->size[i / n]));
    return most;
}

/* Slope of log |d| over log steps; d[i]: the largest difference up to the i-th power of two. */
static double exponent(const double *d, int count)
{
    double mx = 0, my = 0, xy = 0, xx = 0;
    for (int i = 0; i < count; i++) mx += i / (double)count, my += log2(d[i]) / count;
    for (int i = 0; i < count; i++) xy += (i - mx) * (log2(d[i]) - my), xx += (i - mx) * (i - mx);
    return xy / xx;
}

static void compare(pair *p, noe_quad_energy *e, outcome *to)
{
    double grown[16] = { 0 }, off = 0;
    int    octaves = 0;
    noe_quad_energy_look(e, p->g[1]);
    for (int k = 1; k <= to->steps; k++) {
        if (noe_step(p->g[0]) || noe_step(p->g[1])) break;
        const double apart = distance(p, e->push);
        if (k == 1) to->one_step = apart;
        if (!(apart * off < PARTED_PART)) break;
        const quad H = noe_quad_energy_look(e, p->g[1]), d = noe_quad_energy_look(e, p->g[0]) - H;
        if (!finiteq(d)) break;
        off = fmax(off, fabs((double)H) / noe_quad_energy_scale(e));
        to->value = fmax(to->value, fabs((double)d));
        to->done = k;
        if (k >= 16 && !(k & (k - 1))) grown[octaves++] = to->value;
    }
    to->exponent = octaves >= 4 && grown[0] > 0 ? exponent(grown, octaves) : NAN;
}

/* Number of steps within OPERATIONS_MOST; a step costs a Hessian at every node and a factorisation
 * of Newton's matrix. */
static int affordable(const noe_dynamics *d, const noe_method *f)
{
    const double s = f->kind == NOE_GALERKIN ? f->s : 1, N = d->n * s;
    const double tape = d->hessian ? (double)d->hessian->length : 0,
                 cost = f->r * tape + N * N * N / 3;
    const double most = fmin(STEPS_MOST / (1 + floor(N / 2)), OPERATIONS_MOST / cost);
    return most > STEPS_LEAST ? (int)most : STEPS_LEAST;
}

void noe_roundoff_law(const noe_system *s, const noe_method *f, quad h, noe_laws *laws)
{
    pair    p = { .n = s->dyn.n };
    outcome e = { .steps = affordable(&s->dyn, f) };
    if (e.steps > laws->reach) e.steps = laws->reach;
    noe_quad_energy H;
    const bool      open = noe_quad_energy_open(&H, s, h * noe_composition_path_length(f));
    for (int i = 0; i < 2; i++)
        p.g[i] = noe_integrator_make(s, f, h, i ? NOE_DIGITS_QUAD : NOE_DIGITS_DOUBLE);
    p.x = noe_status_alloc(4 * (size_t)p.n + 2, sizeof *p.x);
    p.y = p.x ? p.x + 2 * p.n : NULL, p.size = p.x ? p.y + 2 * p.n : NULL;
    if (open && p.x && p.g[0] && p.g[1] && !noe_integrator_start_ready(p.g[0])
        && !noe_integrator_start_ready(p.g[1]))
        compare(&p, &H, &e);
    const double unit = H.unit > 0 ? H.unit : 1;
    noe_quad_energy_close(&H);
    for (int i = 0; i < 2; i++) noe_integrator_free(p.g[i]);
    free(p.x);
    noe_error_clear();
    if (!e.done) return;
    noe_law_list_add(
        laws, "solver floor", e.one_step, NAN,
        "a step in double against binary128, of the largest position, momentum or push");
    if (!s->dyn.autonomous) return;
    noe_law_list_add(laws, "energy floor", e.value / unit,
                     s->dyn.constraints ? NAN /* of forces of constraints no rounding is known */
                                        : NOE_FLOOR_ROUNDINGS * 0x1p-53 * sqrt((double)e.done),
                     "what rounding adds over %d steps, of what a rounding of a state moves, "
                     "against Brouwer's %d eps sqrt(steps)",
                     e.done, (int)NOE_FLOOR_ROUNDINGS);
    if (!isnan(e.exponent))
        noe_law_list_add(laws, "energy floor slope", e.exponent, NAN,
                         "it grows like t to this power; 1/2 is Brouwer's, 1 a bias");
}
