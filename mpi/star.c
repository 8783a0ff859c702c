/* Messages between a centre and each of the other processes, of which any may be lost.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No process waits for a message without asking whether its sender is alive.  Messages are short:
 * MPI sends these at once, and they arrive also where the sender has ended since.  A long one the
 * receiver would read in the sender's memory.
 *
 * Messages go to the centre and come from it, never between two others: with a new centre no
 * message of the time before is under way. */
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
    int   centre;      /* number of the centre */
    bool  bears;       /* losses are borne */
    bool *lost;        /* [count] it did not answer: of the centre, in the centre of all */
} x;

void star_begin(void)
{
    if (!liveness_watches() || x.bears) return;
    MPI_Comm_rank(MPI_COMM_WORLD, &x.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &x.count);
    if (!x.lost) x.lost = calloc((size_t)x.count, sizeof *x.lost);
    int ok = x.lost != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    x.bears = ok;
    if (ok) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    liveness_bear(x.bears);
}

bool star_bears(void) { return x.bears; }

int star_centre(void) { return x.centre; }

bool star_lost(int r) { return x.bears && x.lost[r]; }

bool star_lost_centre(void) { return star_lost(x.centre); }

static void pause_between_tests(void)
{
    const struct timespec t = { .tv_nsec = PAUSE_NS };
    nanosleep(&t, NULL);
}

/* Waits for the end of a transfer to or from process r; false: the process is lost. */
static bool await(MPI_Request *q, int r)
{
    int done = 0, late = 0;
    for (int tests = 0; late < LATE; tests += tests < BUSY) {
        late += liveness_gone(r);
        if (MPI_Test(q, &done, MPI_STATUS_IGNORE)) break;
        if (done) return true;
        if (tests < BUSY && !late) sched_yield();
        else pause_between_tests();
    }
    x.lost[r] = true;
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
    x.lost[r] |= liveness_gone(r);
    if (x.lost[r]) return;
    MPI_Isend(from, (int)bytes, MPI_BYTE, r, TAG, MPI_COMM_WORLD, &q);
    if (!await(&q, r)) MPI_Request_free(&q);
}

void star_give(const void *from, size_t bytes) { send(x.centre, from, bytes); }

void star_tell(void *at, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += PIECE) {
        const size_t size = bytes - done < PIECE ? bytes - done : PIECE;
        if (x.rank != x.centre) star_take(x.centre, (char *)at + done, size);
        for (int r = 0; r < x.count && x.rank == x.centre; r++)
            if (r != x.rank) send(r, (char *)at + done, size);
    }
}

void star_fetch(int r, void *at, size_t bytes)
{
    const bool takes = x.rank == x.centre;
    char       more = 0;
    if (x.rank != r && !takes) return;
    for (size_t done = 0; done < bytes; done += PIECE) {
        const size_t size = bytes - done < PIECE ? bytes - done : PIECE;
        if (done % UNASKED == 0 && !takes) star_take(x.centre, &more, 1);
        if (done % UNASKED == 0 && takes) send(r, &more, 1);
        if (!takes) star_give((char *)at + done, size);
        else if (!star_take(r, (char *)at + done, size)) return;
    }
}

/* A call that failed may be earlier than the end of the process. */
void star_renew(void)
{
    while (x.centre != x.rank && x.lost[x.centre]) {
        while (!liveness_gone(x.centre)) pause_between_tests();
        if (++x.centre != x.rank) x.lost[x.centre] = liveness_gone(x.centre);
    }
    for (int r = 0; r < x.centre; r++) x.lost[r] = true;
    liveness_end_with_job();
}

bool star_end(void)
{
    char any = 0;
    for (int r = 0; r < x.count && x.rank == x.centre; r++) {
        if (r != x.rank) star_take(r, &any, 1);
    }
    if (x.rank != x.centre) star_give(&any, 1);
    any = 0;
    for (int r = 0; r < x.count; r++) any |= x.lost[r];
    star_tell(&any, 1);
    if (any || star_lost_centre()) return false;
    x.bears = false;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    liveness_bear(false);
    return true;
}
