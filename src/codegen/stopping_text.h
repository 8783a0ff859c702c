/* The text in C99 of the stopping criterion of Newton's method, for a Galerkin step and Simpson's.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CODEGEN_STOPPING_TEXT_H
#define NOE_CODEGEN_STOPPING_TEXT_H

/* Sets `end` from the relative residual `worst`, after the conditions of step/newton_iteration.h:
 * the first; of the fourth that on residuals; the second, with MATRIX_GAIN in place of
 * PREDICTING_GAIN; the third.  Returns 1 where the iteration fails, and measures the curvature in
 * iteration 1.  roundings: the name of how many units of rounding of a step's terms a residual may
 * be that is rounding.  $NAME is a number of codegen/emitted_numbers.c. */
#define STOPPING_TEXT(roundings)                                                                 \
    "        if (!(worst < HUGE_VAL) || it == @_ITERATIONS) return x->kept = 0, 1;",             \
        "        const int slow = worst >= last / $CORRECTION_GAIN, weak = worst >= "            \
        "last / $MATRIX_GAIN && it > 0;",                                                        \
        "        /* The residual is rounding; or the next one will be, by the contraction just", \
        "         * measured; or it will be by the curvature that earlier steps measured. */",   \
        "        end = worst <= $" #roundings                                                    \
        " * DBL_EPSILON || (slow && fresh && worst <= $STALLED_RESIDUAL)",                       \
        "           || (it > 0 && !weak && $PREDICTED_MARGIN * worst * worst < "                 \
        "last * DBL_EPSILON",                                                                    \
        "               && (fresh || worst <= $OLD_MATRIX_ROUNDINGS * DBL_EPSILON))",            \
        "           || (renew && x->countdown > 0 && x->curvature > 0",                          \
        "               && $BOUND_MARGIN * x->curvature * worst * worst <= DBL_EPSILON);",       \
        "        if (it == 1 && fresh) @_measure(x, last, worst);"

#endif
