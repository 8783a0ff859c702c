/* The affine map of a splitting or Runge-Kutta step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     p += s h phi_1(s h C) (F + C p),   q += r h M^-1 p
 *     k_i = f(t + c_i h, y + h sum_l a_il k_l)
 *
 * Columns of the map: q, p, 1, and the load at each of its times.  Structures have no forces but
 * -K q, -C v and the load.  C = FV M^-1. */
#include "linear/affine_map.h"

#include "method/quadrature.h"

#include <string.h>

typedef struct {
    const noe_affine_blocks *b;         /* the constant derivatives */
    noe_affine_map          *out;       /* the map to be made */
    int                      n, cols;   /* coordinates, columns of the map */
    quad                     h, *C;     /* step length; [n][n] C, above */
    quad                    *q, *p, *v; /* state and velocity [n][cols] */
    quad                    *stage_p;   /* momentum of a Runge-Kutta stage [n][cols] */
    quad                    *kick;      /* change of p by a kick [n][cols] */
    quad                    *w;         /* force of a kick, or stage position [n][cols] */
} maker;

/* to += factor A x, [n][n] times [n][cols]. */
static void times(const maker *m, quad factor, const quad *A, const quad *x, quad *to)
{
    noe_affine_assemble_add_product(m->n, m->cols, factor, A, x, to);
}

static void copy(const maker *m, quad *to, const quad *x)
{
    memcpy(to, x, (size_t)m->n * (size_t)m->cols * sizeof *x);
}
static void zero(const maker *m, quad *to)
{
    memset(to, 0, (size_t)m->n * (size_t)m->cols * sizeof *to);
}

static void velocities(const maker *m, const quad *p, quad *v)
{
    zero(m, v);
    times(m, 1, m->b->inverse, p, v);
}

/* F = -K q + f at a node, as columns of the map. */
static void force(const maker *m, const quad *q, int node, quad *F)
{
    zero(m, F);
    times(m, 1, m->b->FQ, q, F);
    for (int i = 0; i < m->n && m->out->nodes; i++)
        F[i * m->cols + 2 * m->n + 1 + node * m->n + i] += 1;
}

/* kick = tau phi_1(tau C) g, g in w: the power series on pieces so short that it converges fast. */
static void damped(const maker *m, quad tau, quad *kick, quad *scratch)
{
    const int n = m->n;
    quad      size = 0;
    int       pieces = 1;
    for (int i = 0; i < n; i++) {
        quad row = 0;
        for (int j = 0; j < n; j++) row += fabsq(m->C[i * n + j]);
        size = fmaxq(size, row);
    }
    while (size * fabsq(tau) / pieces > 1 && pieces < 1 << 20) pieces *= 2;
    zero(m, kick);
    /* p' = F + C p and kick = p - p_0, one piece after another */
    for (int k = 0; k < pieces; k++) {
        quad *const term = scratch, *const next = scratch + (size_t)n * (size_t)m->cols;
        const quad t = tau / pieces;
        copy(m, term, m->w);
        times(m, 1, m->C, kick, term); /* dp/dt at the beginning of the piece */
        for (int i = 0; i < n * m->cols; i++) term[i] *= t;
        for (int order = 2; order < 36; order++) {
            for (int i = 0; i < n * m->cols; i++) kick[i] += term[i];
            zero(m, next);
            times(m, t / order, m->C, term, next);
            copy(m, term, next);
        }
    }
}

static noe_status splitting(maker *m, noe_arena *a, const noe_method *f)
{
    const size_t size = (size_t)m->n * (size_t)m->cols;
    quad        *scratch = noe_affine_map_take(a, 2 * size),
         *c = noe_affine_map_take(a, (size_t)f->flows + 1), when = 0, at[NOE_POWER_NODES],
         weight[NOE_POWER_NODES];
    int node = 0;
    if (!scratch || !c) return NOE_NO_MEMORY;
    noe_quadrature_gauss(NOE_POWER_NODES, at, weight);
    for (int i = 0; i < f->flows; i++) {
        const quad s = f->flow[i] * m->h;
        velocities(m, m->p, m->v);
        if ((i + f->drift_first) % 2) {
            for (size_t k = 0; k < size; k++) m->q[k] += s * m->v[k];
            when += f->flow[i];
            continue;
        }
        c[node] = when;
        force(m, m->q, node, m->w);
        times(m, 1, m->b->FV, m->v, m->w);
        /* h v at quadrature points of the kick */
        for (int k = 0; k < NOE_POWER_NODES && m->out->seen; k++) {
            quad *const V = m->out->V + (size_t)(node * NOE_POWER_NODES + k) * size;
            if (f->kick == NOE_KICK_EXACT) damped(m, at[k] * s, m->kick, scratch);
            else
                for (size_t j = 0; j < size; j++) m->kick[j] = at[k] * s * m->w[j];
            for (size_t j = 0; j < size; j++) m->kick[j] += m->p[j];
            velocities(m, m->kick, V);
            for (size_t j = 0; j < size; j++) V[j] *= m->h;
            m->out->weight[node * NOE_POWER_NODES + k] = weight[k] * f->flow[i];
            m->out->node[node * NOE_POWER_NODES + k] = node;
        }
        if (f->kick == NOE_KICK_EXACT) damped(m, s, m->kick, scratch);
        else
            for (size_t j = 0; j < size; j++) m->kick[j] = s * m->w[j];
        for (size_t j = 0; j < size; j++) m->p[j] += m->kick[j];
        node++;
    }
    m->out->c = c;
    return NOE_OK;
}

static noe_status runge_kutta(maker *m, noe_arena *a, const noe_method *f)
{
    const size_t size = (size_t)m->n * (size_t)m->cols;
    quad        *kq = noe_affine_map_take(a, (size_t)f->r * size),
         *kp = noe_affine_map_take(a, (size_t)f->r * size);
    if (!kq || !kp) return NOE_NO_MEMORY;
    for (int i = 0; i < f->r; i++) {
        copy(m, m->w, m->q), copy(m, m->stage_p, m->p);
        for (int l = 0; l < i; l++)
            for (size_t k = 0; k < size; k++) {
                m->w[k] += m->h * f->A[i][l] * kq[(size_t)l * size + k];
                m->stage_p[k] += m->h * f->A[i][l] * kp[(size_t)l * size + k];
            }
        quad *const v = kq + (size_t)i * size, *const F = kp + (size_t)i * size;
        velocities(m, m->stage_p, v);
        force(m, m->w, i, F);
        times(m, 1, m->b->FV, v, F);
        for (size_t k = 0; k < size && m->out->seen; k++)
            m->out->V[(size_t)i * size + k] = m->h * v[k];
    }
    for (int i = 0; i < f->r; i++)
        for (size_t k = 0; k < size; k++) {
            m->q[k] += m->h * f->b[i] * kq[(size_t)i * size + k];
            m->p[k] += m->h * f->b[i] * kp[(size_t)i * size + k];
        }
    return NOE_OK;
}

noe_status noe_affine_explicit(noe_affine_map *x, noe_arena *a, const noe_affine_blocks *b,
                               const noe_method *f, quad h)
{
    const int    n = b->n, cols = 2 * n + 1 + x->nodes * n;
    const size_t size = (size_t)n * (size_t)cols;
    maker        m = { .b = b,
                       .out = x,
                       .n = n,
                       .cols = cols,
                       .h = h,
                       .C = noe_affine_map_take(a, (size_t)(n * n)),
                       .q = noe_affine_map_take(a, size),
                       .p = noe_affine_map_take(a, size),
                       .v = noe_affine_map_take(a, size),
                       .stage_p = noe_affine_map_take(a, size),
                       .kick = noe_affine_map_take(a, size),
                       .w = noe_affine_map_take(a, size) };
    if (!m.C || !m.q || !m.p || !m.v || !m.stage_p || !m.kick || !m.w) return NOE_NO_MEMORY;
    for (int i = 0; i < n; i++) {
        m.q[i * cols + i] = 1, m.p[i * cols + n + i] = 1;
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) m.C[i * n + j] += b->FV[i * n + k] * b->inverse[k * n + j];
    }
    const noe_status s = f->kind == NOE_SPLITTING ? splitting(&m, a, f) : runge_kutta(&m, a, f);
    if (!s) noe_affine_assemble_map(x, m.q, m.p);
    return s;
}
