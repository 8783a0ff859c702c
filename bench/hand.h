/* a step written by hand, bench/hand, compiled with the flags of the day and loaded.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef HAND_H
#define HAND_H

#include "bench.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define AS_FAST_AS_IT_GETS "-std=gnu17 -O3 -march=native -fno-math-errno -fopenmp-simd -Wno-psabi"

/* From (q, v), `steps` steps h; leaves q.  Not 0: a step failed. */
typedef int go(const double *q, const double *v, double h, int steps, double *to);

static char hand_folder[] = "/tmp/noether-bench-XXXXXX";

static inline const char *hand_place(void) /* where things are compiled; NULL: it cannot be made */
{
    static int made;
    return made++ || mkdtemp(hand_folder) ? hand_folder : NULL;
}

/* Puts the function of that name in a source into *(a pointer to a function); false with the
 * compiler's message.  took: of the wall's clock, or NULL. */
static inline bool hand_compiled(const char *source, const char *function, const char *flags,
                                 double *took, void *to)
{
    static int count;
    char       line[700];
    void      *library, *f = NULL;
    if (!hand_place()) return false;
    snprintf(line, sizeof line, "cc %s -fPIC -shared %s -o %s/%d.so -lmvec -lm", flags, source,
             hand_folder, ++count);
    const double from = wall();
    if (system(line)) return false;
    if (took) *took = wall() - from;
    snprintf(line, sizeof line, "%s/%d.so", hand_folder, count);
    if (!(library = dlopen(line, RTLD_NOW)) || !(f = dlsym(library, function)))
        fprintf(stderr, "%s\n", dlerror());
    memcpy(to, &f, sizeof f);
    return f;
}

static inline void hand_done(void)
{
    char line[100];
    snprintf(line, sizeof line, "rm -rf %s", hand_folder);
    if (system(line)) fprintf(stderr, "%s is left\n", hand_folder);
}

#endif
