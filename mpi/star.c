/* Messages between the first process and each of the others, of which some may be lost.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first process waits for no message without asking whether its sender is alive.  Messages
 * are short: MPI sends these at once, and they arrive also where the sender has ended since.  A
 * long one the receiver would read in the sender's memory. */
#include "star.h"

#include "liveness.h"

#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* Bytes of a message; bytes that are sent before the receiver asks for more, so that what has not
 * been received stays small. */
enum { PIECE = 2048, UNASKED = 256 * PIECE, TAG = 24 };
/* Tests without a pause; pause between two tests, ns; tests after which nothing more arrives from a
 * process that is gone. */
enum { BUSY = 2000, PAUSE_NS = 500000, LATE = 200 };

static struct {
    int   rank, count; /* this process is number 0 <= rank < count */
    bool  bears;       /* losses are borne */
    bool *lost;        /* [count] in the first process: it did not answer */
    bool  any;         /* one of them is true, in the first process or in the others */
} x;

bool star_begin(void)
{
    if (!liveness_watches()) return false;
    MPI_Comm_rank(MPI_COMM_WORLD, &x.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &x.count);
    if (!x.lost) x.lost = calloc((size_t)x.count, sizeof *x.lost);
    int ok = x.lost != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    x.bears = ok;
    if (ok) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    liveness_bear(x.bears);
    return x.bears;
}

bool star_bears(void) { return x.bears; }

bool star_lost(int r) { return x.bears && x.lost[r]; }

void star_call_all(bool needed)
{
    if (x.bears) liveness_bear(!needed || x.any);
}

/* Waits for the end of a transfer to or from process r; false: the process is lost. */
static bool await(MPI_Request *q, int r)
{
    int done = 0, late = 0;
    for (int tests = 0; late < LATE; tests += tests < BUSY) {
        const struct timespec t = { .tv_nsec = PAUSE_NS };
        late += liveness_gone(r);
        if (MPI_Test(q, &done, MPI_STATUS_IGNORE)) break;
        if (done) return true;
        if (tests < BUSY && !late) sched_yield();
        else nanosleep(&t, NULL);
    }
    x.lost[r] = x.any = true;
    return false;
}

bool star_take(int r, void *to, size_t bytes)
{
    MPI_Request q;
    if (x.lost[r]) return false;
    MPI_Irecv(to, (int)bytes, MPI_BYTE, r, TAG, MPI_COMM_WORLD, &q);
    if (await(&q, r)) return true;
    MPI_Cancel(&q);
    MPI_Request_free(&q);
    return false;
}

static void send(int r, const void *from, size_t bytes)
{
    MPI_Request q;
    if (x.lost[r]) return;
    MPI_Isend(from, (int)bytes, MPI_BYTE, r, TAG, MPI_COMM_WORLD, &q);
    if (!await(&q, r)) MPI_Request_free(&q);
}

/* The thread of liveness.c ends this process where the first one is lost. */
static void receive(void *to, size_t bytes)
{
    MPI_Recv(to, (int)bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void star_give(const void *from, size_t bytes)
{
    MPI_Send(from, (int)bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
}

void star_tell(void *at, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += PIECE) {
        const size_t size = bytes - done < PIECE ? bytes - done : PIECE;
        if (x.rank) receive((char *)at + done, size);
        for (int r = 1; r < x.count && !x.rank; r++) send(r, (char *)at + done, size);
    }
}

void star_fetch(int r, void *at, size_t bytes)
{
    char more = 0;
    if (x.rank != r && x.rank) return;
    for (size_t done = 0; done < bytes; done += PIECE) {
        const size_t size = bytes - done < PIECE ? bytes - done : PIECE;
        if (done % UNASKED == 0 && x.rank) receive(&more, 1);
        if (done % UNASKED == 0 && !x.rank) send(r, &more, 1);
        if (x.rank) star_give((char *)at + done, size);
        else if (!star_take(r, (char *)at + done, size)) return;
    }
}

bool star_any_lost(void)
{
    char any = x.any;
    if (x.bears) star_tell(&any, 1);
    x.any = any;
    return x.any;
}

bool star_end(void)
{
    char here = 0;
    for (int r = 1; r < x.count && !x.rank; r++) star_take(r, &here, 1);
    if (x.rank) star_give(&here, 1);
    if (star_any_lost()) return true;
    x.bears = false;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    liveness_bear(false);
    return false;
}
