/* Calls of noether.h, counted, and what each leaves in the upper halves of the vector registers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TEST_UPPER_CALLS_H
#define NOE_TEST_UPPER_CALLS_H

#include "scratch.h"
#include "upper.h"

enum { CALLS = 64 };

static struct {
    char name[40];
    int  times;
} called[CALLS];
static const char *what, *model; /* at hand */

static void count(const char *name, unsigned used)
{
    int i = 0;
    upper_clear();
    while (i < CALLS && called[i].times && strcmp(called[i].name, name)) i++;
    assert_true(i < CALLS);
    snprintf(called[i].name, sizeof called[i].name, "%s", name);
    called[i].times++;
    if (used) fail_msg("%s leaves them in use (%x): %s", name, used, model);
}

/* A call and what it leaves. */
#define DO(name, ...) (upper_clear(), (name)(__VA_ARGS__), count(#name, upper_used()))
#define GET(to, name, ...) \
    (upper_clear(), (to) = (name)(__VA_ARGS__), (void)(to), count(#name, upper_used()))

static void called_back(const char *who)
{
    const unsigned used = upper_used();
    if (used) fail_msg("%s is called with them in use (%x): %s", who, used, model);
}

#endif
