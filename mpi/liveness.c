/* Which processes of the job are alive, by a file of which each has a byte locked.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI tells nobody that a process was killed: a call that waits for it never returns.  But the
 * kernel drops a record lock (fcntl) when the process ends, however it ends, also in file systems
 * that several machines share.  A thread asks who holds the locks: in the lowest process that lives
 * those of all others, in the others that of the lowest.  It calls nothing of MPI. */
#include "liveness.h"

#include "base/exit_status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A round of questions takes 0.1 s, or 1 ms a question; a process is gone when two rounds say so.
 * The lowest process waits 10 s for the ends of the others. */
enum { ROUND_MS = 100, QUESTIONS = 100, ROUNDS = 2, LAST_MS = 10000 };
#define STEM ".noether-alive-"

static struct {
    int       rank, count; /* this process is number 0 <= rank < count */
    int       fd;          /* the file; -1: nothing is watched */
    char      path[PATH_MAX];
    int      *unseen; /* [count] rounds in a row in which the lock of a process was not there */
    pthread_t thread;
    bool      ends, bears; /* the thread ends; see liveness_bear */
    int       to;          /* file descriptor for messages */
} x = { .fd = -1, .to = STDERR_FILENO };

static void pause_ms(long ms)
{
    const struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
    nanosleep(&t, NULL);
}

static struct flock byte_of(int r)
{
    return (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = r, .l_len = 1 };
}

/* Has another process byte r locked?  Where the question fails, it has. */
static bool is_held(int fd, int r)
{
    struct flock lock = byte_of(r);
    return fcntl(fd, F_GETLK, &lock) || lock.l_type != F_UNLCK;
}

/* Says once, by one process, who was lost, and ends this process: who removes the file speaks. */
static void end_job(int r)
{
    if (!unlink(x.path))
        dprintf(x.to, "noether: process %d of %d was lost, and the job ends\n", r, x.count);
    _exit(NOE_EXIT_STOPPED);
}

static void look_at(int r)
{
    int *const unseen = &x.unseen[r];
    if (__atomic_load_n(unseen, __ATOMIC_RELAXED) >= ROUNDS) return;
    const int rounds = is_held(x.fd, r) ? 0 : *unseen + 1;
    __atomic_store_n(unseen, rounds, __ATOMIC_RELEASE);
}

static void *watch(void *unused)
{
    while (!__atomic_load_n(&x.ends, __ATOMIC_RELAXED)) {
        for (int r = 0; r < x.count; r++) {
            if (r == x.rank) continue;
            look_at(r);
            if (r % QUESTIONS == QUESTIONS - 1) pause_ms(ROUND_MS);
            const bool gone = liveness_gone(r);
            if (gone && !__atomic_load_n(&x.bears, __ATOMIC_RELAXED)) end_job(r);
            if (!gone && r < x.rank) break;
        }
        pause_ms(ROUND_MS);
    }
    return unused;
}

/* Removes files of jobs that were killed: those of which no byte is locked. */
static void sweep(const char *folder)
{
    DIR *d = opendir(folder);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) {
        struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
        if (strncmp(e->d_name, STEM, strlen(STEM))) continue;
        const int   fd = openat(dirfd(d), e->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        struct stat s;
        if (fd < 0) continue;
        if (!fstat(fd, &s) && S_ISREG(s.st_mode) && s.st_uid == geteuid() && s.st_size == 0
            && !fcntl(fd, F_GETLK, &all) && all.l_type == F_UNLCK)
            unlinkat(dirfd(d), e->d_name, 0);
        close(fd);
    }
    closedir(d);
}

/* The path of a new file in the folder of `beside`, from the root on; false: there is none. */
static bool name_file(const char *beside)
{
    const char *const place = getenv("TMPDIR"), *const slash = beside ? strrchr(beside, '/') : NULL;
    char            folder[PATH_MAX] = "./", whole[PATH_MAX];
    struct timespec now;
    if (!beside) snprintf(folder, sizeof folder, "%s", place && *place ? place : "/tmp");
    else if (slash) snprintf(folder, sizeof folder, "%.*s", (int)(slash - beside) + 1, beside);
    if (!realpath(folder, whole)) return false;
    sweep(whole);
    clock_gettime(CLOCK_REALTIME, &now);
    const unsigned random = (unsigned)now.tv_nsec ^ (unsigned)getpid() << 12;
    const int      length = snprintf(x.path, sizeof x.path, "%s/" STEM "%08x", whole, random);
    return length < (int)sizeof x.path;
}

/* Opens the file, which the first process makes, and locks the own byte. */
static bool hold(void)
{
    struct flock own = byte_of(x.rank);
    x.fd = open(x.path, O_RDWR | O_CLOEXEC | (x.rank ? 0 : O_CREAT | O_EXCL), 0600);
    if (x.fd < 0) return false;
    return !fcntl(x.fd, F_SETLK, &own);
}

static bool see_all(void)
{
    bool all = true;
    for (int r = 0; r < x.count; r++) {
        struct flock lock = byte_of(r);
        if (r != x.rank) all &= !fcntl(x.fd, F_GETLK, &lock) && lock.l_type != F_UNLCK;
    }
    return all;
}

/* Is it so in all processes? */
static bool in_all(bool here)
{
    int all = here;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

static void end_thread(void)
{
    __atomic_store_n(&x.ends, true, __ATOMIC_RELAXED);
    pthread_join(x.thread, NULL);
}

static void let_go(void)
{
    if (x.fd >= 0) close(x.fd);
    if (x.fd >= 0 && !x.rank) unlink(x.path);
    free(x.unseen);
    x.unseen = NULL, x.fd = -1;
}

void liveness_begin(const char *beside)
{
    if (x.fd >= 0) return;
    MPI_Comm_rank(MPI_COMM_WORLD, &x.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &x.count);
    x.ends = x.bears = false;
    bool ok = x.rank || (name_file(beside) && hold());
    MPI_Bcast(x.path, sizeof x.path, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (x.rank) ok = hold();
    x.unseen = calloc((size_t)x.count, sizeof *x.unseen);
    ok = in_all(ok && x.unseen) && in_all(see_all());
    const bool watched = ok && !pthread_create(&x.thread, NULL, watch, NULL);
    if (in_all(watched)) return;
    if (watched) end_thread();
    let_go();
}

bool liveness_watches(void) { return x.fd >= 0; }

void liveness_bear(bool bears) { __atomic_store_n(&x.bears, bears, __ATOMIC_RELAXED); }

bool liveness_gone(int r)
{
    return x.fd >= 0 && __atomic_load_n(&x.unseen[r], __ATOMIC_ACQUIRE) >= ROUNDS;
}

static bool is_lowest(void)
{
    int r = 0;
    while (r < x.rank && liveness_gone(r)) r++;
    return r == x.rank;
}

void liveness_end(void)
{
    if (x.fd < 0) return;
    end_thread();
    if (is_lowest()) unlink(x.path); /* the locks end with the processes: others may still ask */
}

void liveness_outlive(void)
{
    int left = x.count;
    for (int ms = 0; left > 1 && ms < LAST_MS; ms += ROUND_MS) {
        pause_ms(ROUND_MS);
        left = 1;
        for (int r = 0; r < x.count; r++) left += r != x.rank && !liveness_gone(r);
    }
    liveness_end();
}

void liveness_end_with_job(void)
{
    if (access(x.path, F_OK) && errno == ENOENT) _exit(NOE_EXIT_STOPPED);
}

void liveness_tell_to(int fd) { x.to = fd; }
