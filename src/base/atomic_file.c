/* Files replaced atomically: goal is the old file until rename(2), then the complete new file.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A killed run leaves its temporary file ".noether-0123abcd"; the next run that writes into the
 * same folder removes that file. */
#include "base/atomic_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char stem[] = ".noether-";
enum { DIGITS = 8 }; /* random digits after the stem */

const char *noe_atomic_file_name(const noe_atomic_file *t)
{
    return t->goal ? t->goal : "standard output";
}

noe_status noe_atomic_file_fail(const noe_atomic_file *t)
{
    const int why = errno;
    return noe_status_fail(NOE_IO, "cannot write %s: %s%s", noe_atomic_file_name(t), strerror(why),
                           why == EFBIG ? "; 'ulimit -f' says how large a file may be here" : "");
}

/* May a result be written to goal: a new path, or a regular file with write permission? */
static noe_status replaceable(const char *goal)
{
    struct stat s;
    if (stat(goal, &s)) {
        /* example: /dev/stdout of a process with closed standard output */
        if (!lstat(goal, &s))
            return noe_status_fail(NOE_IO, "cannot write %s: it is a link to nothing", goal);
        return NOE_OK;
    }
    if (S_ISDIR(s.st_mode))
        return noe_status_fail(NOE_IO, "cannot write %s: it is a folder; give a file's name", goal);
    if (!S_ISREG(s.st_mode))
        return noe_status_fail(NOE_IO, "cannot write %s: it is not a regular file", goal);
    if (access(goal, W_OK))
        return noe_status_fail(NOE_IO, "cannot write %s: %s", goal, strerror(errno));
    return NOE_OK;
}

/* Locks the temporary file: a locked file belongs to a running process.  False: the file was
 * removed. */
static bool claim(int fd)
{
    struct stat s;
    /* Locked by a sweep that came between open(2) and here, and removes the file next.  Without
     * file locks in this file system, sweep removes no file either. */
    if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) return false;
    /* 0 links: sweep of another process removed the file before the lock */
    return !fstat(fd, &s) && s.st_nlink > 0;
}

/* Creates the file with open(2) and permissions 0666 less the umask, as usual for output;
 * mkstemp(3) would make the file private. */
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
        if (fd >= 0 && !claim(fd)) close(fd), fd = -1;
    }
    return fd;
}

static bool is_ours(const char *name)
{
    const size_t length = sizeof stem - 1;
    return !strncmp(name, stem, length) && strlen(name) == length + DIGITS
        && strspn(name + length, "0123456789abcdef") == DIGITS;
}

/* Removes temporary files of killed runs from the folder: files with such a name and without a
 * lock. */
static void sweep(const char *folder)
{
    DIR *d = opendir(folder);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) {
        struct stat s;
        if (!is_ours(e->d_name)) continue;
        const int fd = openat(dirfd(d), e->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0) continue;
        if (!fstat(fd, &s) && S_ISREG(s.st_mode) && s.st_uid == geteuid()
            && !flock(fd, LOCK_EX | LOCK_NB))
            unlinkat(dirfd(d), e->d_name, 0);
        close(fd);
    }
    closedir(d);
}

static noe_status open_beside(noe_atomic_file *t, const char *goal)
{
    char        real[PATH_MAX];
    const char *end = realpath(goal, real) ? real : goal;
    t->goal = noe_status_alloc(strlen(end) + 1, 1);
    t->path = noe_status_alloc(strlen(end) + sizeof stem + DIGITS + 2, 1);
    if (!t->goal || !t->path) return NOE_NO_MEMORY;
    strcpy(t->goal, end);
    noe_status s = replaceable(end);
    if (s) return s;

    size_t folder = strrchr(end, '/') ? (size_t)(strrchr(end, '/') - end) + 1 : 0;
    memcpy(t->path, end, folder);
    strcpy(t->path + folder, folder ? "" : ".");
    sweep(t->path);
    strcpy(t->path + folder, stem);
    int fd = create(t->path, t->path + folder + sizeof stem - 1);
    t->file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (t->file) return NOE_OK;
    noe_atomic_file_fail(t);
    if (fd < 0) t->path[0] = 0; /* nothing to remove */
    else close(fd);
    return NOE_IO;
}

noe_status noe_atomic_file_open(noe_atomic_file *t, const char *goal)
{
    *t = (noe_atomic_file){ .file = goal ? NULL : stdout };
    noe_status s = goal ? open_beside(t, goal) : NOE_OK;
    if (s) noe_atomic_file_drop(t);
    return s;
}

/* A full disk may be reported only by fflush and fsync. */
noe_status noe_atomic_file_keep(noe_atomic_file *t)
{
    noe_status s = NOE_OK;
    errno = 0;
    const bool lost = fflush(t->file) || ferror(t->file);
    /* An earlier write failed, and its errno is lost: one more write may tell it, to a file that is
     * removed below, never to standard output. */
    if (lost && !errno && (!t->goal || write(fileno(t->file), "", 1) >= 0)) errno = EIO;
    if (lost) s = noe_atomic_file_fail(t);
    if (!s && t->goal && fsync(fileno(t->file)) && errno != EINVAL) s = noe_atomic_file_fail(t);
    if (!s && t->goal && rename(t->path, t->goal)) s = noe_atomic_file_fail(t);
    if (!s && t->goal) t->path[0] = 0;
    noe_atomic_file_drop(t);
    return s;
}

void noe_atomic_file_drop(noe_atomic_file *t)
{
    if (t->goal && t->file) fclose(t->file);
    if (t->path && t->path[0]) unlink(t->path);
    free(t->goal);
    free(t->path);
    *t = (noe_atomic_file){ 0 };
}
