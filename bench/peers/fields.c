/* y' = (q', a(q, q')) and the energy, for who takes a pointer to a function.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fields.h"
#include "peers.h"

#define X(name, n, swings)                                   \
    field name##_field; /* scipy looks for it by name */     \
    void  name##_field(double t, const double *y, double *f) \
    {                                                        \
        (void)t;                                             \
        for (int i = 0; i < n; i++) f[i] = y[n + i];         \
        name(y, y + n, f + n);                               \
    }
PROBLEMS(X)
#undef X

#define X(name, n, swings) { #name, n, swings, name##_field, name##_energy },
const problem problems[] = { PROBLEMS(X){ 0 } };
