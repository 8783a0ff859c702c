/* Newmark's family: order and stability.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * order 2 iff gamma = 1/2;  stable for every step iff 2 beta >= gamma >= 1/2, else for w
 * h <= 1/sqrt(gamma/2 - beta).
 *
 * N. M. Newmark, A method of computation for structural dynamics, J. Eng. Mech. Div. ASCE 85
 * (1959) 67; the limit: T. J. R. Hughes, The Finite Element Method, 9.1.  beta = 1/4,
 * gamma = 1/2 is the average acceleration (trapezoidal) method, 1/6 the linear one, 0 is
 * Verlet's.  It is for linear systems; what the papers call Newmark is the midpoint rule. */
#include "method/newmark_family.h"

#include "base/status.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static const char *blank(const char *t)
{
    while (isspace((unsigned char)*t)) t++;
    return t;
}

/* "0.25" or "1/4"; NULL when it is none. */
static const char *number(const char *t, quad *x)
{
    char *end;
    t = blank(t);
    if (!isdigit((unsigned char)*t) && *t != '.') return NULL;
    *x = strtoflt128(t, &end);
    if (*end != '/') return end;
    t = end + 1;
    if (!isdigit((unsigned char)*t)) return NULL;
    const quad below = strtoflt128(t, &end);
    *x /= below;
    return end;
}

bool noe_newmark_family_named(const char *name)
{
    const char *t = blank(name);
    return !strncasecmp(t, "newmark", 7) && *blank(t + 7);
}

/* Difference up to which a number that is written with 12 digits or more is a fraction with a name,
 * whose neighbours are 1/12 away. */
static const double WRITTEN_ROUNDED = 1e-12;

noe_method *noe_newmark_family_parse(const char *name)
{
    quad        beta, gamma;
    const char *t = number(blank(name) + 7, &beta);
    if (t) t = number(t, &gamma);
    if (!t || *blank(t) || !(beta >= 0 && beta <= 1) || !(gamma >= 0 && gamma <= 1)) {
        noe_status_fail(
            NOE_INVALID,
            "method '%.60s': expected beta and gamma from 0 to 1, as \"newmark 1/4 1/2\"", name);
        return NULL;
    }
    noe_method *m = noe_status_alloc(1, sizeof *m);
    if (!m) return NULL;
    const char *const known[] = { "0", "1/12", "1/6", "1/4", "1/3", "1/2", "1" };
    const quad value[] = { 0, (quad)1 / 12, (quad)1 / 6, (quad)1 / 4, (quad)1 / 3, (quad)1 / 2, 1 };
    char       word[2][20]; /* 19: the longest number of 12 digits */
    const quad given[2] = { beta, gamma };
    for (int i = 0; i < 2; i++) {
        snprintf(word[i], sizeof word[i], "%.12g", (double)given[i]);
        for (int k = 0; k < 7; k++)
            if (fabsq(given[i] - value[k]) < WRITTEN_ROUNDED)
                snprintf(word[i], sizeof word[i], "%s", known[k]);
    }
    snprintf(m->name, sizeof m->name, "newmark %s %s", word[0], word[1]);
    m->kind = NOE_NEWMARK;
    m->beta = beta, m->gamma = gamma;
    m->s = 1, m->r = 2, m->c[1] = 1, m->b[0] = m->b[1] = (quad)1 / 2;
    m->symmetric = m->symplectic = gamma == (quad)1 / 2;
    m->order = m->symmetric ? 2 : 1;
    return m;
}
