/* How well a method preserves the momentum I of a generator.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "certify/laws.h"

const char *const noe_symmetry_promise_name[] = {
    "bit for bit",
    "to the floor of the solver",
    "bounded",
    "approximately, to the method's order",
    "nothing: the forces change it",
    "as well as the constants of the model have the symmetry"
};

/* True for a translation xi = b, I = b.p; momenta: the number of its nonzero coefficients. */
static bool translation(const noe_symmetries *s, const noe_symmetry *y, int *momenta)
{
    bool plain = true;
    *momenta = 0;
    for (int a = 0; a < s->terms; a++) {
        if (y->coef[a] == 0) continue;
        plain &= s->term[a].kind == NOE_TERM_B && s->term[a].k == 0;
        *momenta += 1;
    }
    return plain && y->strict;
}

/* Runge-Kutta methods preserve invariants that are linear in the variables they step (Hairer,
 * Lubich & Wanner, IV.1), explicit methods no others; the energy of a step that is not symplectic
 * drifts. */
static noe_promise of_runge_kutta(const noe_symmetries *s, const noe_symmetry *y,
                                  const noe_method *f)
{
    int momenta;
    if (f->in_v || !translation(s, y, &momenta)) return NOE_APPROXIMATE;
    return momenta == 1 ? NOE_BIT_FOR_BIT : NOE_TO_THE_FLOOR;
}

/* Kicks and drifts both preserve the momentum of a strict affine symmetry, since T and V each
 * have the symmetry, and that of a boost xi = b t, f = b q: p is constant along b, and the drifts
 * add up to h. */
static noe_promise of_splitting(const noe_symmetries *s, const noe_symmetry *y)
{
    int  momenta;
    bool boost = true;
    if (translation(s, y, &momenta) && momenta == 1) return NOE_BIT_FOR_BIT;
    for (int a = 0; a < s->terms; a++) {
        const noe_basis_term *x = &s->term[a];
        if (y->coef[a] == 0) continue;
        if (x->kind == NOE_TERM_TAU) return y->kind == NOE_ENERGY ? NOE_BOUNDED : NOE_APPROXIMATE;
        boost &= (x->kind == NOE_TERM_B && x->k <= 1) || (x->kind == NOE_TERM_FQ && x->k == 0);
    }
    return y->strict || boost ? NOE_TO_THE_FLOOR : NOE_APPROXIMATE;
}

/* A Galerkin method of degree s preserves the momentum of a strict affine generator, and bit for
 * bit where this is the momentum of a coordinate that L does not contain; with a gauge term f =
 * t^k q^m it preserves the momentum if the quadrature is exact for degree k + m s - 1; the
 * momentum of a generator that changes time only stays near its start value (doc/theory.md). */
noe_promise noe_symmetry_promise_find(const noe_symmetries *s, const noe_symmetry *y,
                                      const noe_method *f)
{
    int  momenta = 0, degree = 0;
    bool plain = true, growing = false;
    if (y->forced_along) return NOE_CHANGED;
    if (y->transformed_lacks) return NOE_APPROXIMATE;
    if (!y->coef) return y->strict && f->kind == NOE_GALERKIN ? NOE_TO_THE_FLOOR : NOE_APPROXIMATE;
    if (f->kind == NOE_SPLITTING) return of_splitting(s, y);
    if (f->kind == NOE_RUNGE_KUTTA) return of_runge_kutta(s, y, f);
    for (int a = 0; a < s->terms; a++) {
        const noe_basis_term *x = &s->term[a];
        if (y->coef[a] == 0) continue;
        if (x->kind == NOE_TERM_TAU) return y->kind == NOE_ENERGY ? NOE_BOUNDED : NOE_APPROXIMATE;
        if (x->kind == NOE_TERM_A && x->k) growing = true;
        momenta += x->kind == NOE_TERM_B;
        plain &= x->kind == NOE_TERM_B && x->k == 0;
        const int m = x->kind == NOE_TERM_FQQ ? 2 : x->kind == NOE_TERM_FQ ? 1 : 0;
        if (x->kind == NOE_TERM_FQQ || x->kind == NOE_TERM_FQ || x->kind == NOE_TERM_FT)
            degree = degree > x->k + m * f->s - 1 ? degree : x->k + m * f->s - 1;
    }
    if (growing || degree > f->exact) return NOE_APPROXIMATE;
    return plain && momenta == 1 && y->strict ? NOE_BIT_FOR_BIT : NOE_TO_THE_FLOOR;
}
