/* goal = old file, until rename(2): then goal = new file, never half of one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char *noe_temp_name(const noe_temp *t) { return t->goal ? t->goal : "standard output"; }

noe_status noe_temp_fail(const noe_temp *t)
{
    return noe_fail(NOE_IO, "cannot write %s: %s", noe_temp_name(t), strerror(errno));
}

/* A result may replace a regular file that we may write, and nothing else. */
static noe_status replaceable(const char *goal)
{
    struct stat s;
    if (stat(goal, &s)) return NOE_OK;
    if (S_ISDIR(s.st_mode))
        return noe_fail(NOE_IO, "cannot write %s: it is a folder; give a file's name", goal);
    if (!S_ISREG(s.st_mode)) return noe_fail(NOE_IO, "cannot write %s: it is not a regular file", goal);
    if (access(goal, W_OK)) return noe_fail(NOE_IO, "cannot write %s: %s", goal, strerror(errno));
    return NOE_OK;
}

/* mkstemp(3) would make the file private; open(2) gives it 0666 less the umask, as any program's output. */
static int create(char *path, char *random)
{
    int fd = -1;
    for (int k = 0; k < 100 && fd < 0; k++) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        uintptr_t seed = (uintptr_t)now.tv_nsec ^ (uintptr_t)getpid() << 8 ^ (uintptr_t)path >> 4;
        sprintf(random, "%08x", (unsigned)(seed * 2654435761u));
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) break;
    }
    return fd;
}

static noe_status open_beside(noe_temp *t, const char *goal)
{
    static const char stem[] = ".noether-";
    char              real[PATH_MAX];
    const char       *end = realpath(goal, real) ? real : goal;
    t->goal = noe_alloc(strlen(end) + 1, 1);
    t->path = noe_alloc(strlen(end) + sizeof stem + 8, 1);
    if (!t->goal || !t->path) return NOE_NO_MEMORY;
    strcpy(t->goal, end);
    noe_status s = replaceable(end);
    if (s) return s;

    size_t folder = strrchr(end, '/') ? (size_t)(strrchr(end, '/') - end) + 1 : 0;
    memcpy(t->path, end, folder);
    strcpy(t->path + folder, stem);
    int fd = create(t->path, t->path + folder + sizeof stem - 1);
    t->file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (t->file) return NOE_OK;
    noe_temp_fail(t);
    if (fd < 0) t->path[0] = 0; /* nothing to remove */
    else close(fd);
    return NOE_IO;
}

noe_status noe_temp_open(noe_temp *t, const char *goal)
{
    *t = (noe_temp){.file = goal ? NULL : stdout};
    noe_status s = goal ? open_beside(t, goal) : NOE_OK;
    if (s) noe_temp_drop(t);
    return s;
}

/* A full disk may show only here: fflush hands the bytes over, fsync asks what became of them. */
noe_status noe_temp_keep(noe_temp *t)
{
    noe_status s = NOE_OK;
    errno = 0;
    if (fflush(t->file) || ferror(t->file)) s = noe_temp_fail(t);
    if (!s && t->goal && fsync(fileno(t->file)) && errno != EINVAL) s = noe_temp_fail(t);
    if (!s && t->goal && rename(t->path, t->goal)) s = noe_temp_fail(t);
    if (!s && t->goal) t->path[0] = 0;
    noe_temp_drop(t);
    return s;
}

void noe_temp_drop(noe_temp *t)
{
    if (t->goal && t->file) fclose(t->file);
    if (t->path && t->path[0]) unlink(t->path);
    free(t->goal);
    free(t->path);
    *t = (noe_temp){0};
}
