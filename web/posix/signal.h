/* The signals of a platform that sends none.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_WEB_SIGNAL_H
#define NOE_WEB_SIGNAL_H

#include <__typedef_sigset_t.h>

typedef int sig_atomic_t;
struct sigaction {
    void (*sa_handler)(int);
    sigset_t sa_mask;
    int      sa_flags;
};

#define SIGINT 2
#define SIGPIPE 13
#define SIGTERM 15
#define SIGXFSZ 25
#define SIG_IGN ((void (*)(int))1)
#define SIG_DFL ((void (*)(int))0)
#define SA_RESETHAND 1
#define SA_RESTART 2

static inline void (*signal(int n, void (*f)(int)))(int) { return (void)n, (void)f, SIG_DFL; }
static inline int sigaction(int n, const struct sigaction *to, struct sigaction *was)
{
    return (void)n, (void)to, (void)was, 0;
}
static inline int sigemptyset(sigset_t *s) { return *s = 0, 0; }
static inline int sigaddset(sigset_t *s, int n) { return (void)s, (void)n, 0; }

#endif
