/* The text in C99 of the stopping criterion of Newton's method, for a Galerkin step and Simpson's.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CODEGEN_STOPPING_TEXT_H
#define NOE_CODEGEN_STOPPING_TEXT_H

/* Sets `end` from the relative residual `worst`, by the first three conditions of
 * step/newton_iteration.h; roundings: units of rounding of a step's terms within which the residual
 * is rounding. */
#define STOPPING_TEXT(roundings)                                                                 \
    "        if (!(worst < HUGE_VAL) || it == @_ITERATIONS) return x->kept = 0, 1;",             \
        "        const int slow = worst >= last / 4, weak = worst >= last / 4096 && it > 0;",    \
        "        /* The residual is rounding; or the next one will be, by the contraction just", \
        "         * measured; or it will be by the curvature that earlier steps measured. */",   \
        "        end = worst <= " #roundings                                                     \
        " * DBL_EPSILON || (slow && fresh && worst <= 1e-10)",                                   \
        "           || (it > 0 && !weak && 256 * worst * worst < last * DBL_EPSILON",            \
        "               && (fresh || worst <= 4096 * DBL_EPSILON))",                             \
        "           || (renew && x->countdown > 0 && x->curvature > 0",                          \
        "               && 16 * x->curvature * worst * worst <= DBL_EPSILON);",                  \
        "        if (it == 1 && fresh) @_measure(x, last, worst);"

#endif
