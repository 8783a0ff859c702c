/* Makes a method from its name: coefficients, order and symmetry.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Galerkin: order = min(2s, degree of exactness + 1),  symmetric iff c_i + c_{r+1-i} = 1 and
 * b_i = b_{r+1-i}.
 *
 * The order of Galerkin variational integrators with r >= s points: Ober-Bloebaum & Saake,
 * Construction and analysis of higher order Galerkin variational integrators, Adv. Comput. Math.
 * 41 (2015) 955. */
#include "method/method.h"

#include "base/status.h"
#include "method/stage_basis.h"
#include "method/composition.h"
#include "method/newmark_family.h"
#include "method/method_name.h"
#include "method/method_rounding.h"
#include "method/runge_kutta.h"

#include <stdlib.h>

bool noe_method_is_gauss(const noe_method *f)
{
    return f->kind == NOE_GALERKIN && f->r == f->s && f->exact == 2 * f->r - 1;
}

static bool symmetric(int r, const quad *c, const quad *b)
{
    for (int i = 0; i < r; i++)
        if (fabsq(c[i] + c[r - 1 - i] - 1) > COEFFICIENTS_EQUAL
            || fabsq(b[i] - b[r - 1 - i]) > COEFFICIENTS_EQUAL)
            return false;
    return true;
}

static void galerkin(noe_method *m, const noe_named_method *named)
{
    m->s = named->s;
    m->r = named->r;
    named->rule->fill(m->r, m->c, m->b);
    m->exact = noe_quadrature_exact(m->r, m->c, m->b);
    m->order = 2 * m->s < m->exact + 1 ? 2 * m->s : m->exact + 1;
    m->symmetric = symmetric(m->r, m->c, m->b);
    m->symplectic = true;
    noe_stage_basis_legendre(m);
}

/* "compose 6 simpson": the inner method may be a composition, too. NULL with a message. */
static noe_method *composition(const char *name, const char *rest)
{
    char        how[32];
    const char *inner = noe_composition_inner(name, rest, how);
    noe_method *base = inner ? noe_method_parse(inner) : NULL;
    noe_method *f = noe_composition_make(name, how, base);
    noe_method_free(base);
    return f;
}

noe_method *noe_method_parse(const char *name)
{
    noe_named_method named;
    const char      *rest;
    if (name && noe_newmark_family_named(name)) return noe_newmark_family_parse(name);
    if (name && noe_composition_named(name, &rest)) return composition(name, rest);
    if (!name || noe_method_name_read(name, &named)) return NULL;
    noe_method *m = noe_status_alloc(1, sizeof *m);
    if (!m) return NULL;
    noe_method_name_write(&named, m->name, sizeof m->name);
    m->kind = named.kind;
    switch (m->kind) {
    case NOE_GALERKIN: galerkin(m, &named); break;
    case NOE_RUNGE_KUTTA: m->in_v = named.in_v, noe_runge_kutta_fill(m, named.table); break;
    case NOE_NEWMARK: break; /* made from its own name, noe_newmark_family_parse */
    case NOE_SPLITTING:
        m->kick = named.kick, noe_splitting_fill(m, named.form, named.drift_first, named.table);
        break;
    }
    return m;
}

const char *noe_method_name(const noe_method *m) { return m ? m->name : NULL; }

int noe_method_order(const noe_method *m) { return m ? m->order : 0; }

void noe_method_free(noe_method *m) { free(m); }
