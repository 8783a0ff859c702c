/* Other programs cannot be started (ENOENT).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_WEB_SPAWN_H
#define NOE_WEB_SPAWN_H

#include <errno.h>
#include <signal.h>
#include <sys/types.h>

typedef int posix_spawn_file_actions_t;
typedef int posix_spawnattr_t;

#define POSIX_SPAWN_SETSIGDEF 1

static inline int posix_spawn_file_actions_init(posix_spawn_file_actions_t *f) { return *f = 0; }
static inline int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *f)
{
    return (void)f, 0;
}
static inline int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *f, int from, int to)
{
    return (void)f, (void)from, (void)to, 0;
}
static inline int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *f, int to,
                                                   const char *path, int flags, int mode)
{
    return (void)f, (void)to, (void)path, (void)flags, (void)mode, 0;
}
static inline int posix_spawnattr_init(posix_spawnattr_t *a) { return *a = 0; }
static inline int posix_spawnattr_destroy(posix_spawnattr_t *a) { return (void)a, 0; }
static inline int posix_spawnattr_setsigdefault(posix_spawnattr_t *a, const sigset_t *s)
{
    return (void)a, (void)s, 0;
}
static inline int posix_spawnattr_setflags(posix_spawnattr_t *a, short flags)
{
    return (void)a, (void)flags, 0;
}
static inline int posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *f,
                               const posix_spawnattr_t *a, char *const argument[],
                               char *const environment[])
{
    (void)child, (void)file, (void)f, (void)a, (void)argument, (void)environment;
    return ENOENT;
}

#endif
