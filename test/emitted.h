/* The step of `noether emit` as a shared object: compiled without warnings, loaded, called.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMITTED_H
#define EMITTED_H

#include "scratch.h"

#include <dlfcn.h>

/* Starts at t, q, v, makes so many steps of the lengths h, leaves q, p, v and the time.  Returns
 * the number of the step that failed, -1 where the velocities do, 0. */
typedef int go(double t, const double *q, const double *v, const double *param, const double *h,
               int steps, double *to);

static const char emitted_driver[] =
    "#define %s_HEADER\n#include \"%s.c\"\n"
    "int %s_go(double t, const double *q, const double *v, const double *param, const double *h, "
    "int steps, double *to);\n"
    "int %s_go(double t, const double *q, const double *v, const double *param, const double *h, "
    "int steps, double *to)\n{\n"
    "    static %s_state x;\n"
    "    %s_start(&x, t, q, v, param ? param : %s_param);\n"
    "    for (int i = 0; i < steps; i++) if (%s_step(&x, h[i], param ? param : %s_param)) return i "
    "+ 1;\n"
    "    for (int i = 0; i < %s_N; i++) { to[i] = x.q[i]; to[%s_N + i] = x.p[i]; }\n"
    "    to[3 * %s_N] = %s_time(&x);\n"
    "    return %s_velocity(&x, param ? param : %s_param, to + 2 * %s_N) ? -1 : 0;\n}\n";

static UNUSED void save(const char *name, const char *suffix, const char *text)
{
    char file[100];
    snprintf(file, sizeof file, "%s%s.c", name, suffix);
    put(file, text);
}

/* NAME_suffix of the shared object of a file. */
static UNUSED void *function(const char *file, const char *name, const char *suffix, void **library)
{
    char path[100];
    snprintf(path, sizeof path, "%s.so", file);
    if (!(*library = dlopen(in_scratch(path), RTLD_NOW))) fail_msg("%s", dlerror());
    snprintf(path, sizeof path, "%s%s", name, suffix);
    void *found = dlsym(*library, path);
    assert_non_null(found);
    return found;
}

static UNUSED go *compile(const char *name, const char *text, void **library)
{
    char calls[4000];
    go  *f;
    save(name, "", text);
#define NAME name
    snprintf(calls, sizeof calls, emitted_driver, NAME, NAME, NAME, NAME, NAME, NAME, NAME, NAME,
             NAME, NAME, NAME, NAME, NAME, NAME, NAME, NAME);
#undef NAME
    save(name, "_go", calls);
    const char *const flags = "-std=c99 -Wall -Wextra -Wpedantic -Werror -O1 -fPIC";
    shell(
        "${CC:-cc} %s -c %s.c && ${CC:-cc} %s -c %s_go.c && ${CC:-cc} -shared %s.o %s_go.o -lm -o "
        "%s.so",
        flags, name, flags, name, name, name, name);
    shell("! nm -u %s.o | grep -E 'alloc|free|printf|noe_|stdout|stderr'", name);
    *(void **)&f = function(name, name, "_go", library);
    return f;
}

#endif
