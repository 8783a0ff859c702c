/* The law "derivatives": L_q and L_v against (L(z + d) - L(z - d))/2d in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The error of the difference is c d^2, c being large where L has short waves, plus the rounding
 * error of L over d.  No single d suits every L: it is searched, from 1e-11 of a scale on, until
 * the difference reaches the wanted accuracy or gets no better.  A wrong derivative agrees with
 * none of these differences. */
#include "certify/laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* STATES random states; MARGIN: factor on the estimated error of a difference. */
enum { STATES = 10, MARGIN = 50 };
/* Relative to |dL/dz| + |L|/scale.  DIFFERENCE_GOAL: a difference this near to the derivative is
 * accepted at once; DIFFERENCE_MOST: an allowed error above this does not test the derivative. */
static const double DIFFERENCE_GOAL = 1e-18, DIFFERENCE_MOST = 1e-6;

typedef struct {
    noe_state_sampler at; /* draws the states */
    noe_random_state *x;  /* the state, with L and its derivatives in binary128 and double */
    double worst,         /* relative error of the entry nearest to, or farthest above, its bound */
        bound;            /* relative error allowed in that entry */
    int blunt;            /* number of entries for which no difference is accurate enough */
} comparison;

/* Rounding error of x in binary128: 2^-60 of the difference between the values in double (rough)
 * and in binary128, as the units of rounding are 2^-53 and 2^-113, and the rounding of x itself.
 * */
static quad rounding(double rough, quad x)
{
    return ldexpq(fabsq(rough - x), -60) + ldexpq(fabsq(x), -113);
}

static quad difference(comparison *s, quad *z, quad d, quad *noise)
{
    const quad old = *z;
    *z = old + d, noe_state_values_find(&s->at, s->x);
    const quad up = s->x->L;
    *noise = fmaxq(*noise, rounding(s->x->rough_L, up));
    *z = old - d, noe_state_values_find(&s->at, s->x);
    const quad down = s->x->L;
    *noise = fmaxq(*noise, rounding(s->x->rough_L, down));
    *z = old;
    return (up - down) / (2 * d);
}

/* Compares F = dL/dz, with rounding error `noise`, with differences of L.  Of d = 1e-7, 1e-9 .. of
 * the scale the most accurate counts: d falls a hundredfold, the error c d^2 ten thousandfold, so
 * two successive differences that agree are 10^4 times the error of the second apart. */
static void compare(comparison *s, quad *z, quad scale, quad F, quad noise, quad size)
{
    enum { STEP_LENGTHS = 10 };
    const quad unit = fabsq(F) + size / scale + (quad)1e-300, first = (quad)1e-11 * scale;
    quad       L = 0, last = 0, d = (quad)1e-7 * scale, allowed = DIFFERENCE_GOAL * unit,
         error = fabsq(difference(s, z, first, &L) - F);
    if (!(error <= allowed)) {
        allowed = INFINITY;
        for (int k = 0; k < STEP_LENGTHS; k++, d /= 100) {
            const quad now = difference(s, z, d, &L), apart = fabsq(now - last),
                       can = MARGIN * (noise + L / d + apart / 10000);
            if (k && apart <= fmaxq(fabsq(now) / 10, 10 * L / d) && can < allowed) {
                allowed = can;
                error = fabsq(now - F);
            }
            last = now;
        }
    }
    if (!(allowed <= DIFFERENCE_MOST * unit)) s->blunt++;
    else if ((double)(error / allowed) * s->bound >= s->worst) {
        s->worst = (double)(error / unit);
        s->bound = (double)(allowed / unit);
    }
}

void noe_derivative_law(const noe_system *system, noe_laws *laws)
{
    comparison s = { .x = noe_state_values_new(system->dyn.n), .bound = DIFFERENCE_GOAL };
    const bool ok = noe_random_state_open(&s.at, system) && s.x;
    int        entries = 0;
    for (int k = 0; k < STATES && ok; k++) {
        const int n = s.at.n;
        quad      F[2 * n], noise[2 * n];
        if (!noe_random_state_draw(&s.at, 0.5, s.x)) continue;
        const quad size = fabsq(s.x->L);
        for (int i = 0; i < n; i++) {
            F[i] = s.x->F[i], F[n + i] = s.x->P[i];
            noise[i] = rounding(s.x->rough_F[i], F[i]);
            noise[n + i] = rounding(s.x->rough_P[i], F[n + i]);
        }
        for (int i = 0; i < 2 * n; i++, entries++)
            compare(&s, i < n ? &s.x->q[i] : &s.x->v[i - n],
                    i < n ? s.at.q_scale[i] : s.at.v_scale[i - n], F[i], noise[i], size);
    }
    noe_random_state_close(&s.at);
    free(s.x);
    if (!ok || s.blunt == entries) {
        noe_law_list_add_unmeasurable(laws, "derivatives",
                                      "no difference of L in binary128 is good enough");
        return;
    }
    noe_law_list_add(laws, "derivatives", s.worst, s.bound,
                     "L_q and L_v against differences of L in binary128, %d random states%s",
                     STATES, s.blunt ? ", where these are good enough" : "");
}
