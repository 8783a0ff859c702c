/* The processes of a job: start and end, agreement on failures, counts of messages.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A failure in one process is a failure in all: wherever processes exchange numbers outside of a
 * step they first agree that all are there.  After a failure no process sends anything more, each
 * unwinds for itself, and the first one has the message.  A signal to one process is then known to
 * all of them, too. */
#include "together.h"

#include "../cli/command.h"

#include "base/status.h"

#include <slepceps.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MESSAGE = 2000 };

traffic           in_steps;
bool              stepping;
static noe_status over; /* the failure after which nothing is sent; NOE_OK: none */

static int first(int value)
{
    if (!over) MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return value;
}

noe_status together_agree(noe_status s)
{
    struct {
        int  status;
        char text[MESSAGE], host[256];
    } why = { .status = s };
    /* the first process that failed; less the number of the signal that came to one of them */
    int least[] = { s ? together.rank : together.count, -(int)interrupted };
    if (over) return s ? s : over;
    MPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    const int from = least[0];
    if (least[1]) interrupted = -least[1];
    if (from == together.count) return NOE_OK;
    snprintf(why.text, sizeof why.text, "%s", noe_error() ? noe_error() : "it failed");
    if (gethostname(why.host, sizeof why.host - 1)) strcpy(why.host, "its machine");
    MPI_Bcast(&why, sizeof why, MPI_BYTE, from, MPI_COMM_WORLD);
    over = (noe_status)why.status;
    if (together.rank != from) noe_error_clear();
    if (together.rank != from)
        noe_status_fail(over, "process %d of %d, on %s: %s", from, together.count, why.host,
                        why.text);
    return over;
}

/* Process r sends its range to process 0. */
static noe_status collect(void *at, const size_t *from, const size_t *bytes)
{
    enum { PIECE = 1 << 30 };
    for (int r = 1; r < together.count; r++) {
        char *x = (char *)at + from[r];
        for (size_t done = 0; done < bytes[r]; done += PIECE) {
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
    if (!over) MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return x;
}

/* main.c sets the other functions, each of a file that uses this one. */
noe_processes together = {
    .count = 1,
    .agree = together_agree,
    .first = first,
    .sum = sum,
    .collect = collect,
};

bool together_begin(int *argc, char ***argv)
{
    int provided;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided)) return false;
    MPI_Comm_rank(MPI_COMM_WORLD, &together.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &together.count);
    PetscOptionsSetValue(NULL, "-no_signal_handler", "true");
    PetscOptionsSetValue(NULL, "-options_left", "no");
    if (SlepcInitializeNoArguments()) return false;
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
    /* one message, from the first process */
    if (together.rank && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
        return false;
    return true;
}

void together_end(void)
{
    SlepcFinalize();
    MPI_Finalize();
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
    if (over || getrusage(RUSAGE_SELF, &own)) return;
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
    if (over || together.count == 1) return;
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
