/* The processes of a job: start and end, agreement on failures, counts of messages.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A failure in one process is a failure in all: wherever processes exchange numbers outside of a
 * step they first agree that all are there.  After a failure no process sends anything more, each
 * unwinds for itself, and the first one has the message.  A signal to one process is then known to
 * all of them, too.
 *
 * Where losses are borne the process that writes is the centre of star.h, at first the first one.
 * If it is lost, the others unwind as after a failure, up to conclude(). */
#include "together.h"

#include "liveness.h"
#include "star.h"

#include "../cli/command.h"

#include "base/status.h"

#include <fcntl.h>
#include <slepceps.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MESSAGE = 2000, HOST = 256 };

traffic           in_steps;
bool              stepping;
static noe_status over;     /* the failure after which nothing is sent; NOE_OK: none */
static bool       lost_any; /* a process was lost, and the others went on */
static int        own_output = -1, own_errors = -1; /* of a process that does not write */

/* What processes agree on: the first one that failed, and why. */
typedef struct {
    int  from;                      /* its number; that of all processes: none failed */
    int  status, signal;            /* of it; the signal that came to one of them, or 0 */
    char text[MESSAGE], host[HOST]; /* its message; its machine */
} reason;

/* What all know in the end. */
typedef struct {
    int  said;          /* the process that writes has said it */
    int  status;        /* the exit status */
    char text[MESSAGE]; /* its message; "": none */
} last_word;

static bool writes(void) { return together.rank == together.writer; }

static void tell(void *x, size_t bytes)
{
    if (over) return;
    if (star_bears()) star_tell(x, bytes);
    else MPI_Bcast(x, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static int first(int value)
{
    tell(&value, sizeof value);
    return value;
}

/* *own: what all agree on. */
static void agree_on(reason *own)
{
    int least[] = { own->from, -own->signal };
    MPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (least[0] < together.count) MPI_Bcast(own, sizeof *own, MPI_BYTE, least[0], MPI_COMM_WORLD);
    own->from = least[0], own->signal = -least[1];
}

/* The same of those that are alive. */
static void agree_on_in_star(reason *own)
{
    reason other;
    for (int r = 0; r < together.count && writes(); r++)
        if (r != together.rank && star_take(r, &other, sizeof other)) {
            if (other.signal < own->signal) other.signal = own->signal;
            own->signal = other.signal;
            if (other.from < own->from) *own = other;
        }
    if (!writes()) star_give(own, sizeof *own);
    star_tell(own, sizeof *own);
}

noe_status together_agree(noe_status s)
{
    reason why = { .from = s ? together.rank : together.count, .status = s, .signal = interrupted };
    if (over) return s ? s : over;
    if (star_lost_centre()) return s ? s : NOE_STOPPED;
    if (s) snprintf(why.text, sizeof why.text, "%s", noe_error() ? noe_error() : "it failed");
    if (s && gethostname(why.host, sizeof why.host - 1)) strcpy(why.host, "its machine");
    (star_bears() ? agree_on_in_star : agree_on)(&why);
    if (star_lost_centre()) return s ? s : NOE_STOPPED;
    if (why.signal) interrupted = why.signal;
    if (why.from == together.count) return NOE_OK;
    over = (noe_status)why.status;
    if (together.rank == why.from) return over;
    noe_error_clear();
    return noe_status_fail(over, "process %d of %d, on %s: %s", why.from, together.count, why.host,
                           why.text);
}

/* Process r sends its range to the one that writes. */
static noe_status collect(void *at, const size_t *from, const size_t *bytes)
{
    enum { PIECE = 1 << 30 };
    for (int r = 0; r < together.count; r++) {
        char *x = (char *)at + from[r];
        if (r == together.writer) continue;
        if (star_bears()) star_fetch(r, x, bytes[r]);
        for (size_t done = 0; done < bytes[r] && !star_bears(); done += PIECE) {
            const size_t left = bytes[r] - done;
            const int    count = left < PIECE ? (int)left : PIECE;
            if (together.rank == r) MPI_Send(x + done, count, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
            if (together.rank == 0)
                MPI_Recv(x + done, count, MPI_BYTE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return NOE_OK;
}

static double sum(double x)
{
    double other;
    if (over) return x;
    if (!star_bears()) {
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        return x;
    }
    for (int r = 0; r < together.count && writes(); r++)
        if (r != together.rank && star_take(r, &other, sizeof other)) x += other;
    if (!writes()) star_give(&x, sizeof x);
    star_tell(&x, sizeof x);
    return x;
}

static void watch(const char *beside)
{
    liveness_begin(beside);
    star_begin();
}

/* Chooses the next process that writes, and lets it speak. */
static void take_over(void)
{
    star_renew();
    together.writer = star_centre();
    if (!writes() || own_output < 0) return;
    fflush(NULL);
    dup2(own_output, fileno(stdout)), dup2(own_errors, fileno(stderr));
    close(own_output), own_output = -1;
}

/* w: that of a process which has the word of a lost one. */
static void pass_on(last_word *w)
{
    last_word other;
    for (int r = 0; r < together.count && writes(); r++)
        if (r != together.rank && star_take(r, &other, sizeof other) && other.said) *w = other;
    if (!writes()) star_give(w, sizeof *w);
}

/* Where the process that writes is lost before one of the others has its word, nobody has it, and
 * all begin again with the next one; else the word is passed on. */
static bool conclude(int *status)
{
    const char *text = noe_error();
    const bool  own = writes();
    last_word   w = { .said = over || own, .status = *status };
    if (!star_bears()) return *status = first(*status), true;
    snprintf(w.text, sizeof w.text, "%s", text ? text : "");
    for (bool all = false; !all;) {
        star_tell(&w, sizeof w);
        if (!star_lost_centre() && !w.said) return noe_error_clear(), false;
        lost_any = !star_lost_centre() && !star_end();
        all = !star_lost_centre();
        if (!all) take_over(), pass_on(&w);
    }
    *status = w.status;
    if (own) return true;
    noe_error_clear();
    if (*w.text) noe_status_fail(NOE_STOPPED, "%s", w.text);
    return true;
}

/* main.c sets the other functions, each of a file that uses this one. */
noe_processes together = {
    .count = 1,
    .agree = together_agree,
    .first = first,
    .sum = sum,
    .collect = collect,
    .tell = tell,
    .watch = watch,
    .lost = star_lost,
    .conclude = conclude,
};

bool together_begin(int *argc, char ***argv)
{
    int provided;
    /* Processes write parts of a file that do not touch each other, and share no place in it: no
     * locks, no files for that. */
    setenv("OMPI_MCA_fs_ufs_lock_algorithm", "1", 0);
    setenv("OMPI_MCA_sharedfp", "individual", 0);
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided)) return false;
    MPI_Comm_rank(MPI_COMM_WORLD, &together.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &together.count);
    PetscOptionsSetValue(NULL, "-no_signal_handler", "true");
    PetscOptionsSetValue(NULL, "-options_left", "no");
    if (SlepcInitializeNoArguments()) return false;
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
    /* what is said, the process that writes says */
    if (together.rank) {
        own_output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        own_errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    }
    if (own_errors >= 0) liveness_tell_to(own_errors);
    if (together.rank && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
        return false;
    return true;
}

/* MPI_Finalize waits for all processes: without one of them there is no such end. */
int together_end(int status)
{
    if (lost_any) {
        if (writes()) liveness_outlive();
        fflush(NULL);
        _exit(status);
    }
    if (liveness_watches()) MPI_Barrier(MPI_COMM_WORLD);
    liveness_end();
    SlepcFinalize();
    MPI_Finalize();
    return status;
}

void together_count(double bytes)
{
    if (stepping) in_steps.messages++, in_steps.bytes += bytes;
}

void together_count_reduction(void) { in_steps.reductions += stepping; }

void together_print_memory(void)
{
    enum { UNIT = 1024 }; /* bytes of ru_maxrss */
    struct rusage own;
    if (over || lost_any || getrusage(RUSAGE_SELF, &own)) return;
    double most = (double)own.ru_maxrss * UNIT / 1e6, all = most;
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!together.rank)
        fprintf(stderr,
                "  memory: at most %.0f MB in one process, %.0f MB in all, each at its peak\n",
                most, all);
}

void together_print_traffic(void)
{
    double most[4] = { in_steps.messages, in_steps.bytes, in_steps.reductions, in_steps.steps },
           all[2] = { in_steps.messages, in_steps.bytes };
    if (over || lost_any || together.count == 1) return;
    MPI_Allreduce(MPI_IN_PLACE, most, 4, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!(most[3] > 0) || together.rank) return;
    fprintf(
        stderr,
        "  %d processes, a step: at most %.4g messages and %.6g bytes sent by one process, %.4g "
        "and %.6g by all; %.4g sums over all processes\n",
        together.count, most[0] / most[3], most[1] / most[3], all[0] / most[3], all[1] / most[3],
        most[2] / most[3]);
}

noe_status together_petsc(int error, const char *what)
{
    const char *text = NULL;
    if (!error) return NOE_OK;
    PetscErrorMessage(error, &text, NULL);
    return noe_status_fail(NOE_SINGULAR, "%s: PETSc error %d%s%s", what, error, text ? ": " : "",
                           text ? text : "");
}
