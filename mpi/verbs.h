/* The verbs that noether-mpi has of its own.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MPI_VERBS_H
#define NOE_MPI_VERBS_H

/* structure_verb.c: M and K of an example structure, each process its slice of elements. */
int verb_structure_together(int argc, char **argv);

#endif
