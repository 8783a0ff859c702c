/* Diagnosis of a failed step: a collision or an escape, |L_qq| -> infinity along q + s h v.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "integrate/failure_context.h"

#include <math.h>
#include <stdio.h>

#define cause(...) noe_failure_context_cause(__VA_ARGS__)
#define advise(...) noe_failure_context_advise(__VA_ARGS__)

/* Are these two or three coordinates, of bodies that come together, such that L_qq depends on their
 * differences alone?  The sum of their columns is then below 0.02 of the entries. */
static bool together(noe_failure_context *s, const int *body, int count)
{
    double off = 0, all = 0;
    for (int i = 0; i < s->n; i++) {
        quad sum = 0;
        for (int k = 0; k < count; k++) sum += s->x.D[NOE_D_FQ][i * s->n + body[k]];
        const quad m = fabsq(s->x.D[NOE_D_PV][i * s->n + i]);
        for (int k = 0; k < count && m > 0; k++)
            all += (double)(fabsq(s->x.D[NOE_D_FQ][i * s->n + body[k]]) / m);
        off += m > 0 ? (double)(fabsq(sum) / m) : 0;
    }
    return all > 0 && off < 0.02 * all;
}

/* Appends the coordinates that come together to the cause; false where there are none. */
static bool name_bodies(noe_failure_context *s, const bool *stiff)
{
    bool told[NOE_WHOLE_MOST] = { false }, any = false;
    for (int count = 2; count <= 3 && !any; count++)
        for (int a = 0; a < s->n; a++)
            for (int b = a + 1; b < s->n; b++)
                for (int c = count == 2 ? s->n - 1 : b + 1; c < s->n; c++) {
                    const int body[3] = { a, b, c };
                    if (!stiff[a] || !stiff[b] || told[a] || told[b]
                        || (count == 3 && (!stiff[c] || told[c])))
                        continue;
                    if (!together(s, body, count)) continue;
                    bool these[NOE_WHOLE_MOST] = { false };
                    for (int k = 0; k < count; k++) these[body[k]] = told[body[k]] = true;
                    if (any) cause(s, ", ");
                    any = true;
                    noe_failure_context_names(s, these);
                    cause(s, " come together (%.40s - %.40s = %.3g)",
                          noe_failure_context_name(s, a), noe_failure_context_name(s, b),
                          (double)(s->q[a] - s->q[b]));
                }
    return any;
}

/* Beyond a collision the forces are small again; in a motion that runs away they grow on and on. */
static bool runs_away(noe_failure_context *s, double share, double most)
{
    bool grows = false;
    for (double k = share + 0.25; k < 1e6; k *= 2) {
        if (!noe_failure_context_good(s, k)) continue;
        if (noe_failure_context_stiffness(s) < most / 2) return false;
        grows = true;
    }
    return grows;
}

bool noe_collision_find(noe_failure_context *s, double edge)
{
    bool   stiff[NOE_WHOLE_MOST], any = false;
    double share = 0, most, here;
    if (!noe_failure_context_good(s, 0)) return false;
    here = most = noe_failure_context_stiffness(s);
    for (double k = 0.25; k <= 3; k += 0.25)
        if (noe_failure_context_good(s, k) && noe_failure_context_stiffness(s) > most) {
            most = noe_failure_context_stiffness(s);
            share = k;
        }
    const double h = fabs((double)s->h);
    if (share == 0 || most < 4 * here || (here * h * h > edge * edge && most < 1e4 * here))
        return false;
    const bool away = runs_away(s, share, most);
    noe_failure_context_good(s, share);
    noe_failure_context_stiffness(s);
    for (int i = 0; i < s->n; i++) any |= stiff[i] = s->rate[i] >= 0.1 * most;
    cause(s, away ? "the motion runs away: " : "a collision: ");
    if (!any) cause(s, "forces grow without bound near t = %.6g", (double)(s->t + share * s->h));
    else if (away || !name_bodies(s, stiff)) {
        cause(s, "the force on ");
        noe_failure_context_names(s, stiff);
        cause(s, away ? " grows on and on along the motion, from " : " grows without bound near ");
        const quad nowhere[NOE_WHOLE_MOST] = { 0 };
        noe_failure_context_places(s, stiff, s->q, nowhere, 0);
    }
    cause(s, "; the forces change %.3g-fold within %.3g steps", most / here, share);
    if (away)
        advise(
            s,
            "end the run before, or look at the signs of the potential: nothing holds the motion "
            "back there; it can "
            "be followed farther with a smaller step than %.3g",
            h);
    else
        advise(
            s,
            "end the run before, give a start that misses, or soften the force; near the collision "
            "try a "
            "smaller step than %.3g",
            h);
    return true;
}
