/* The text in C99 of the solution of A x = b by A = L U with exchanged rows; @ is the name.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CODEGEN_LINEAR_SOLVE_TEXT_H
#define NOE_CODEGEN_LINEAR_SOLVE_TEXT_H

static const char *const step_factor[] = {
    "/* A = L U in place with exchanged rows, A [k][k].  0 when a pivot is 0 or not finite. */",
    "static int @_factor(double *A, int *row, int k)",
    "{",
    "    for (int j = 0; j < k; j++) {",
    "        int best = j;",
    "        for (int i = j + 1; i < k; i++)",
    "            if (fabs(A[i * k + j]) > fabs(A[best * k + j])) best = i;",
    "        row[j] = best;",
    "        for (int i = 0; i < k && best != j; i++) {",
    "            const double x = A[j * k + i];",
    "            A[j * k + i] = A[best * k + i];",
    "            A[best * k + i] = x;",
    "        }",
    "        if (!(fabs(A[j * k + j]) > 0 && fabs(A[j * k + j]) < HUGE_VAL)) return 0;",
    "        A[j * k + j] = 1 / A[j * k + j];",
    "        for (int i = j + 1; i < k; i++) {",
    "            const double x = A[i * k + j] *= A[j * k + j];",
    "            for (int m = j + 1; m < k; m++) A[i * k + m] -= x * A[j * k + m];",
    "        }",
    "    }",
    "    return 1;",
    "}",
    "",
    0
};

/* For k = 1. */
static const char *const step_inverse[] = {
    "static int @_factor(double *A, int *row, int k)",
    "{",
    "    (void)row, (void)k;",
    "    if (!(fabs(A[0]) > 0 && fabs(A[0]) < HUGE_VAL)) return 0;",
    "    A[0] = 1 / A[0];",
    "    return 1;",
    "}",
    "",
    0
};

static const char *const step_solve[] = {
    "static void @_solve_k(const double *A, const int *row, int k, double *x)",
    "{",
    "    for (int j = 0; j + 1 < k; j++) {",
    "        const double y = x[row[j]];",
    "        x[row[j]] = x[j];",
    "        x[j] = y;",
    "    }",
    "    for (int j = 0; j < k; j++)",
    "        for (int i = j + 1; i < k; i++) x[i] -= A[i * k + j] * x[j];",
    "    for (int j = k - 1; j >= 0; j--) {",
    "        x[j] *= A[j * k + j];",
    "        for (int i = 0; i < j; i++) x[i] -= A[i * k + j] * x[j];",
    "    }",
    "}",
    "",
    0
};

#endif
