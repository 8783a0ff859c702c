/* a <- sum_k (-1)^k C(K, k+1) a_k: the text that all implicit steps in C99 share; @ is the name.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `history` is a ring of 16 steps of @_M numbers, the last step at `at`; curvature as in
 * step/newton_iteration.h. */
#ifndef NOE_CODEGEN_PREDICTOR_TEXT_H
#define NOE_CODEGEN_PREDICTOR_TEXT_H

static const char *const step_sum[] = {
    "/* sum + rest <- sum + rest + what; rest is what rounding cut off the sum. */",
    "static inline void @_add(double *sum, double *rest, double what)",
    "{",
    "    const double a = *sum, b = what + *rest, s = a + b, c = s - a;",
    "    *rest = (a - (s - c)) + (b - c);",
    "    *sum = s;",
    "}",
    "",
    0
};

static const char *const step_curvature[] = {
    "/* The upper half of the bits of h.  Products with it and with the rest are rounded up as",
    " * often as down. */",
    "static inline double @_upper(double h)",
    "{",
    "    const double c = h * 134217729.0;",
    "    return c - (c - h);",
    "}",
    "",
    "/* With a matrix of this step a correction leaves the residual curvature before^2. */",
    "static void @_measure(@_state *x, double before, double after)",
    "{",
    "    const double rounding = $RESIDUAL_ROUNDINGS * DBL_EPSILON, old = x->curvature;",
    "    const double bound = $CURVATURE_MARGIN * (after > rounding ? after : rounding)"
    " / (before * before);",
    "    if (after > $SMALL_MEASURED_ROUNDINGS * DBL_EPSILON) x->curvature = "
    "bound > old / $CURVATURE_DECAY ? bound : old / $CURVATURE_DECAY;",
    "    else if (!(x->curvature > 0 && x->curvature < bound)) x->curvature = bound;",
    "    if (!(x->curvature >= 1)) x->curvature = 1;",
    "}",
    "",
    0
};

/* Degrees below 4: extrapolation of the modes of the last steps. */
static const char *const step_extrapolation[] = {
    "/* a continued from the last steps by the polynomial through `order` of them. */",
    "static void @_continue(const @_state *x, int order, double *restrict a)",
    "{",
    "    for (int i = 0; i < @_M; i++) a[i] = 0;",
    "    /* The last step comes last, as its modes are ready last. */",
    "    for (int k = order - 1; k >= 0; k--) {",
    "        const double *past = x->history[(x->at + (unsigned)k) % 16];",
    "        for (int i = 0; i < @_M; i++) a[i] += @_binomial[order][k] * past[i];",
    "    }",
    "}",
    "",
    "/* Stores the modes a of this step.  Every 16 steps the order is chosen that would have",
    " * predicted them best, measured as an energy. */",
    "static void @_remember(@_state *x, const double *a, const double *scale)",
    "{",
    "    double least = HUGE_VAL;",
    "    if (x->countdown <= 0 || x->known < @_HISTORY)",
    "        for (int order = 1; order <= x->known; order++) {",
    "            double b[@_M], misfit = x->misfit[order] / 8;",
    "            @_continue(x, order, b);",
    "            for (int i = 0; i < @_M; i++)",
    "                misfit += scale[i / (@_M / @_N)] * fabs(a[i] - b[i]);",
    "            x->misfit[order] = misfit;",
    "            if (misfit < least) least = misfit, x->order = order;",
    "        }",
    "    if (x->countdown <= 0) x->countdown = 16;",
    "    x->countdown--;",
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

/* Higher degrees: the polynomial of the last step continued over the next one. */
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
