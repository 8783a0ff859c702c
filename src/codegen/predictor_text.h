/* a <- sum_k (-1)^k C(K, k+1) a_k: the text that all implicit steps in C99 share; @ is the name.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The history of @_M numbers, the last of `history` at `at`; the curvature as in
 * step/newton_iteration.h. */
#ifndef NOE_CODEGEN_PREDICTOR_TEXT_H
#define NOE_CODEGEN_PREDICTOR_TEXT_H

static const char *const step_sums[] = {
    "/* sum <- sum + what, keeping what rounding loses. */",
    "static inline void @_add(double *sum, double *rest, double what)",
    "{",
    "    const double a = *sum, b = what + *rest, s = a + b, c = s - a;",
    "    *rest = (a - (s - c)) + (b - c);",
    "    *sum = s;",
    "}",
    "",
    0
};

static const char *const step_bend[] = {
    "/* The upper half of the bits of h: products with it and with the rest are rounded as often up as down. */",
    "static inline double @_upper(double h)",
    "{",
    "    const double c = h * 134217729.0;",
    "    return c - (c - h);",
    "}",
    "",
    "/* Under a matrix of its own the residual after a correction is curvature times the square of the one before. */",
    "static void @_measure(@_state *x, double before, double after)",
    "{",
    "    const double bound = 8 * (after > 8 * DBL_EPSILON ? after : 8 * DBL_EPSILON) / (before * before);",
    "    if (after > 32 * DBL_EPSILON) x->curvature = bound > x->curvature / 16 ? bound : x->curvature / 16;",
    "    else if (!(x->curvature > 0 && x->curvature < bound)) x->curvature = bound;",
    "    if (!(x->curvature >= 1)) x->curvature = 1;",
    "}",
    "",
    0
};

/* Degrees below 4. */
static const char *const step_past[] = {
    "/* a continued from the last steps by the polynomial through `order` of them. */",
    "static void @_continue(const @_state *x, int order, double *restrict a)",
    "{",
    "    for (int i = 0; i < @_M; i++) a[i] = 0;",
    "    for (int k = order - 1; k >= 0; k--) /* the last comes last: the others need not wait for it */",
    "        for (int i = 0; i < @_M; i++) a[i] += @_binomial[order][k] * x->history[(x->at + (unsigned)k) % 16][i];",
    "}",
    "",
    "/* a becomes the last step.  Now and then the order is chosen that would have predicted it best, in energy. */",
    "static void @_remember(@_state *x, const double *a, const double *scale)",
    "{",
    "    double least = HUGE_VAL;",
    "    if (x->look <= 0 || x->known < @_HISTORY)",
    "        for (int order = 1; order <= x->known; order++) {",
    "            double b[@_M], off = x->off[order] / 8;",
    "            @_continue(x, order, b);",
    "            for (int i = 0; i < @_M; i++) off += scale[i / (@_M / @_N)] * fabs(a[i] - b[i]);",
    "            x->off[order] = off;",
    "            if (off < least) least = off, x->order = order;",
    "        }",
    "    if (x->look <= 0) x->look = 16;",
    "    x->look--;",
    "    x->at = (x->at + 15) % 16;",
    "    for (int i = 0; i < @_M; i++) x->history[x->at][i] = a[i];",
    "    if (!x->known) x->order = 1;",
    "    if (x->known < @_HISTORY) x->known++;",
    "}",
    "",
    "static void @_predict(const @_state *x, double *a) { @_continue(x, x->order, a); }",
    "",
    0
};

/* Higher ones: the same polynomial over the next step. */
static const char *const step_polynomial[] = {
    "static void @_predict(const @_state *x, double *a)",
    "{",
    "    for (int j = 0; j < @_N; j++)",
    "        for (int m = 0; m < @_S; m++) {",
    "            double sum = 0;",
    "            for (int k = 0; k < @_S; k++) sum += @_E[m][k] * x->history[0][j * @_S + k];",
    "            a[j * @_S + m] = sum;",
    "        }",
    "}",
    "",
    "static void @_remember(@_state *x, const double *a, const double *scale)",
    "{",
    "    (void)scale;",
    "    memcpy(x->history[0], a, sizeof x->history[0]);",
    "    x->known = 1;",
    "}",
    "",
    0
};

#endif
