/* Tabulated functions y(x) through points (x_k, y_k): piecewise linear, or a natural cubic spline.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/tabulated.h"

#include <string.h>

/* Part of a piece beyond an end that counts as inside. */
static const double SLACK = 1e-9;

/* m_k = y''(x_k) of the natural spline: h_{k-1} m_{k-1} + 2 (h_{k-1} + h_k) m_k + h_k m_{k+1} = 6
 * (s_k - s_{k-1}), s the slopes (C. de Boor, A Practical Guide to Splines, IV); elimination from
 * the left. */
static void spline_curvatures(const quad *x, const quad *y, int64_t n, quad *m, quad *w)
{
    m[0] = m[n] = w[0] = 0;
    for (int64_t k = 1; k < n; k++) {
        const quad a = x[k] - x[k - 1], b = x[k + 1] - x[k];
        const quad pivot = 2 * (a + b) - a * w[k - 1];
        w[k] = b / pivot;
        m[k] = (6 * ((y[k + 1] - y[k]) / b - (y[k] - y[k - 1]) / a) - a * m[k - 1]) / pivot;
    }
    for (int64_t k = n - 1; k > 0; k--) m[k] -= w[k] * m[k + 1];
}

bool noe_tabulated_make(noe_tabulated *s, noe_arena *arena, const quad *x, const quad *y)
{
    const int64_t n = s->pieces;
    s->x = noe_arena_take(arena, (size_t)(n + 1) * sizeof *s->x);
    s->c = noe_arena_take(arena, (size_t)n * sizeof *s->c);
    s->x_d = noe_arena_take(arena, (size_t)(n + 1) * sizeof *s->x_d);
    s->c_d = noe_arena_take(arena, (size_t)n * sizeof *s->c_d);
    quad *m = noe_arena_take(arena, (size_t)(n + 1) * sizeof *m),
         *w = noe_arena_take(arena, (size_t)(n + 1) * sizeof *w);
    if (!s->x || !s->c || !s->x_d || !s->c_d || !m || !w) return false;
    if (s->cubic) spline_curvatures(x, y, n, m, w);
    s->per = (double)(n / (x[n] - x[0]));
    for (int64_t k = 0; k <= n; k++) {
        s->x[k] = x[k], s->x_d[k] = (double)x[k];
        if (fabsq((x[k] - x[0]) * s->per - k) > (quad)0.25) s->per = 0;
    }
    for (int64_t k = 0; k < n; k++) {
        const quad h = x[k + 1] - x[k],
                   c[4] = { y[k], (y[k + 1] - y[k]) / h - h * (2 * m[k] + m[k + 1]) / 6, m[k] / 2,
                            (m[k + 1] - m[k]) / (6 * h) };
        for (int i = 0; i < 4; i++) s->c[k][i] = c[i], s->c_d[k][i] = (double)c[i];
    }
    return true;
}

bool noe_tabulated_is_smooth(const noe_tables *tables, int which)
{
    const noe_tabulated *s = tables->item[noe_tabulated_item(which)];
    const int            order = noe_tabulated_order(which);
    const quad           last = s->x[s->pieces] - s->x[s->pieces - 1], *c = s->c[s->pieces - 1];
    quad                 size = 0;
    if (!s->cubic || order > 1) return false;
    if (s->outside == NOE_OUTSIDE_REFUSED) return true;
    for (int64_t k = 0; k < s->pieces; k++) size = fmaxq(size, fabsq(s->c[k][0]));
    size = fmaxq(size, fabsq(c[0] + last * (c[1] + last * (c[2] + last * c[3]))));
    /* At the ends y'' is 0; y' has to be, to rounding, and y where it is 0 beyond. */
    const quad none = ldexpq(size, -100),
               slope = fmaxq(fabsq(s->c[0][1]) * (s->x[1] - s->x[0]),
                             fabsq(c[1] + last * (2 * c[2] + last * 3 * c[3])) * last),
               value = fmaxq(fabsq(s->c[0][0]),
                             fabsq(c[0] + last * (c[1] + last * (c[2] + last * c[3]))));
    return slope <= none && (s->outside == NOE_OUTSIDE_HELD || value <= none);
}

int64_t noe_tabulated_piece(const noe_tabulated *s, double x)
{
    const int64_t last = s->pieces - 1;
    int64_t       low = 0, high = last;
    if (s->per != 0) {
        const double at = (x - s->x_d[0]) * s->per;
        low = !(at > 0) ? 0 : at > (double)last ? last : (int64_t)at;
        while (low > 0 && x < s->x_d[low]) low--;
        while (low < last && x >= s->x_d[low + 1]) low++;
        return low;
    }
    while (low < high) {
        const int64_t middle = (low + high + 1) / 2;
        if (x < s->x_d[middle]) high = middle - 1;
        else low = middle;
    }
    return low;
}

#define VALUE(real, name, X, C)                                                    \
    real name(const noe_tables *t, real which, real x)                             \
    {                                                                              \
        const noe_tabulated *s = t->item[noe_tabulated_item((int)which)];          \
        const int            order = noe_tabulated_order((int)which);              \
        const int64_t        n = s->pieces;                                        \
        if (!(x - x == 0)) return x - x;                                           \
        const real low = s->X[0], high = s->X[n];                                  \
        if (x < low - (real)SLACK * (s->X[1] - low)                                \
            || x > high + (real)SLACK * (high - s->X[n - 1])) {                    \
            if (s->outside == NOE_OUTSIDE_REFUSED) return (real)__builtin_nan(""); \
            if (s->outside == NOE_OUTSIDE_ZERO || order) return 0;                 \
            x = x < low ? low : high;                                              \
        }                                                                          \
        const int64_t k = noe_tabulated_piece(s, (double)x);                       \
        const real   *c = s->C[k], d = x - s->X[k];                                \
        return order == 0 ? c[0] + d * (c[1] + d * (c[2] + d * c[3]))              \
             : order == 1 ? c[1] + d * (2 * c[2] + d * 3 * c[3])                   \
             : order == 2 ? 2 * c[2] + d * 6 * c[3]                                \
                          : 6 * c[3];                                              \
    }
VALUE(quad, noe_tabulated_at, x, c)
VALUE(double, noe_tabulated_near, x_d, c_d)
