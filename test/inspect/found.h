/* The properties that were found of a Lagrangian, as short texts.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef FOUND_H
#define FOUND_H

#include "laws.h"
#include "inspect/properties.h"

static UNUSED noe_properties *find(const noe_system *s, const char *name, double step)
{
    noe_error_clear();
    noe_method     *m = method(name);
    noe_properties *x = noe_properties_find(s, m, step);
    if (!x) fail_msg("%s", noe_error());
    if (noe_error()) fail_msg("a message is left: %s", noe_error());
    noe_method_free(m);
    return x;
}

static UNUSED noe_properties *find_in(const char *text)
{
    noe_system     *s = parse(text);
    noe_properties *x = find(s, "simpson", 0.01);
    noe_system_free(s);
    return x;
}

/* "x y|z": the blocks, or the cyclic ones. */
static UNUSED const char *blocks_of(const noe_properties *x)
{
    static char text[256];
    size_t      at = 0;
    text[0] = 0;
    for (int k = 0; k < x->blocks; k++)
        for (int i = 0, first = 1; i < x->n; i++) {
            if (x->block[i] != k) continue;
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s",
                                   !first ? " "
                                   : k    ? "|"
                                          : "",
                                   x->name[i]);
            first = 0;
        }
    return text;
}

static UNUSED const char *cyclic_of(const noe_properties *x)
{
    static char text[256];
    size_t      at = 0;
    text[0] = 0;
    for (int i = 0; i < x->n; i++)
        if (x->cyclic[i])
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", at ? " " : "", x->name[i]);
    return text;
}

/* Five letters: separable, constant mass, quadratic, autonomous, gyroscopic: y, n; Y, N on
 * sampled states. */
static UNUSED const char *verdicts_of(const noe_properties *x)
{
    static char    text[6];
    const noe_fact fact[] = { x->separable, x->constant_mass, x->quadratic, x->autonomous,
                              x->gyroscopic };
    for (int i = 0; i < 5; i++) text[i] = "nyNY"[2 * fact[i].sampled + fact[i].holds];
    return text;
}

#define PLANE "coordinate x, y\n"

static UNUSED void near(double x, double y, double bound, int line)
{
    small_at((quad)x - y, fmax(fabs(y), 1e-300), bound, "a frequency", line);
}

#define near(x, y, bound) near(x, y, bound, __LINE__)

/* v^2/2 + 1/|q|: not finite at the only start that functions have; or nowhere */
static UNUSED double attracting(double t, const double *z, const double *param, double *grad,
                                double *hess, void *ctx)
{
    (void)t, (void)param;
    const double r = ctx ? NAN : fabs(z[0]);
    if (grad) grad[0] = -z[0] / (r * r * r), grad[1] = z[1];
    if (hess) hess[0] = 2 / (r * r * r), hess[1] = hess[2] = 0, hess[3] = 1;
    return z[1] * z[1] / 2 + 1 / r;
}

#endif
