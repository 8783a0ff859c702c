/* The processes of a job: who they are, what they agree on, and what they send each other.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MPI_TOGETHER_H
#define NOE_MPI_TOGETHER_H

#include "system/processes.h"

#include <mpi.h>
#include <stdbool.h>

/* What this process has sent since its start.  In steps: while a step was made; what rows, set-up
 * and checkpoints need is not counted there. */
typedef struct {
    double messages, bytes, reductions; /* point to point; their bytes; sums over all processes */
    double steps;                       /* steps made by several processes together */
} traffic;

extern traffic       in_steps; /* of this process */
extern bool          stepping; /* a step is being made: what is sent now belongs to it */
extern noe_processes together; /* this process among the others */

/* Starts MPI, PETSc and SLEPc; false after a message. */
bool together_begin(int *argc, char ***argv);
/* Ends MPI; the exit status.  Does not return where a process was lost. */
int together_end(int status);
/* noe_processes.agree; after a failure of one process it fails in all, without any message. */
noe_status together_agree(noe_status);
/* Counts a message of so many bytes; a sum over all processes. */
void together_count(double bytes);
void together_count_reduction(void);
/* Prints, in the first process, what a step has sent in the mean. */
void together_print_traffic(void);
/* Prints the largest resident memory that processes have had. */
void together_print_memory(void);

/* NOE_OK, or a failure with PETSc's message. */
noe_status together_petsc(int error, const char *what);

#endif
