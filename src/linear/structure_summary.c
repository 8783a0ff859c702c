/* Describes in one line how a structure is stepped: by factors, by polynomials, or explicitly.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "linear/structure_engine.h"

#include <math.h>
#include <stdio.h>

bool noe_structure_summary_blas(const noe_structure_engine *w)
{
    bool any = w->s->blas || noe_factorization_blas(w->matrix.mass)
            || noe_factorization_blas(w->prepared.whole);
    for (int j = 0; j < NOE_PENCIL; j++) any |= noe_factorization_blas(w->prepared.shift[j]);
    return any;
}

static void print_solver(const noe_structure_engine *w, char *text, size_t size)
{
    int at = snprintf(text, size, "structure: fastest mode at most %.6g radians per unit time; ",
                      sqrt(w->matrix.omega2));
    if (w->prepared.whole)
        snprintf(text + at, size - (size_t)at,
                 "general damping: one LU of %d equations, %.3g entries", w->at.n * w->prepared.x.s,
                 (double)noe_factorization_entries(w->prepared.whole));
    else if (noe_structure_engine_is_explicit(w)) {
        const noe_method *f = &w->method;
        const int count = f->kind == NOE_SPLITTING ? (f->flows + f->drift_first) / 2 : f->r + 1;
        snprintf(text + at, size - (size_t)at,
                 "%s, nothing to solve but M: %d product%s with K a step, %d thread%s",
                 w->s->mass ? "lumped mass" : "mass by factors", count, count > 1 ? "s" : "",
                 noe_thread_team_size(w->team), noe_thread_team_size(w->team) > 1 ? "s" : "");
    } else if (w->prepared.polynomial) {
        int degree = 0;
        for (int j = 0; j < w->prepared.x.count; j++)
            degree += w->prepared.poly.c[j].degree * (w->prepared.poly.c[j].pair ? 2 : 1);
        snprintf(text + at, size - (size_t)at,
                 "lumped mass, no factorisation: %d + 2 products with K a step, %d thread%s%s",
                 degree, noe_thread_team_size(w->team),
                 noe_thread_team_size(w->team) > 1 ? "s" : "",
                 w->matrix.k->strips > 1 ? ", through the cache together" : "");
    } else
        for (int j = -1, many = 0; j < w->prepared.x.count && (size_t)at < size; j++) {
            const noe_factorization *x = j < 0 ? (w->s->mass ? NULL : w->matrix.mass)
                                               : w->prepared.shift[j];
            if (x)
                at += snprintf(text + at, size - (size_t)at, "%s%s by %s, %.3g entries",
                               many++ ? "; " : "", j < 0 ? "M" : "M + lambda K",
                               noe_factorization_name(x), (double)noe_factorization_entries(x));
        }
}

void noe_structure_summary_print(void *self, char *text, size_t size)
{
    const noe_structure_engine *w = self;
    print_solver(w, text, size);
    if (noe_structure_summary_blas(w)) noe_linear_state_print_blas(text, size, w->s->blas);
}
