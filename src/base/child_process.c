/* Runs another program, with files as its standard input, output and error.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/child_process.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool noe_child_process_exists(const char *name)
{
    const char *path = getenv("PATH"), *end;
    if (!path) return true; /* without PATH, posix_spawnp searches default folders */
    for (;; path = end + 1) {
        char file[4096];
        end = path + strcspn(path, ":");
        const int length = snprintf(file, sizeof file, "%.*s%s%s", (int)(end - path), path,
                                    end > path ? "/" : "", name);
        if (length < (int)sizeof file && !access(file, X_OK)) return true;
        if (!*end) return false;
    }
}

int noe_child_process_run(const char *const *argument, FILE *in, FILE *out, FILE *err, int *status)
{
    FILE *const                stream[3] = { in, out, err };
    posix_spawn_file_actions_t files;
    posix_spawnattr_t          attributes;
    sigset_t                   usual;
    pid_t                      child;
    if (posix_spawn_file_actions_init(&files)) return ENOMEM;
    if (posix_spawnattr_init(&attributes)) return posix_spawn_file_actions_destroy(&files), ENOMEM;
    /* default action of SIGXFSZ: the program ends where a file may not grow */
    sigemptyset(&usual), sigaddset(&usual, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    int e = 0;
    for (int k = 0; k < 3 && !e; k++)
        e = stream[k] ? posix_spawn_file_actions_adddup2(&files, fileno(stream[k]), k)
                      : posix_spawn_file_actions_addopen(&files, k, "/dev/null", k ? 1 : 0, 0);
    if (!e)
        e = posix_spawnp(&child, argument[0], &files, &attributes, (char *const *)argument,
                         environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    while (!e && waitpid(child, status, 0) < 0)
        if (errno != EINTR) e = errno;
    if (!e && WIFSIGNALED(*status) && WTERMSIG(*status) == SIGXFSZ) e = EFBIG;
    /* POSIX permits posix_spawn to report a failed exec by exit status 127. */
    return !e && WIFEXITED(*status) && WEXITSTATUS(*status) == 127 ? ENOENT : e;
}

const char *noe_child_process_said(FILE *said, char *text, size_t size)
{
    rewind(said);
    text[fread(text, 1, size - 1, said)] = 0;
    for (char *c = text; *c; c++)
        if (*c == '\n') *c = ' ';
    return text + strspn(text, " ");
}
