/* Which processes of the job are alive, by a file of which each has a byte locked.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MPI_LIVENESS_H
#define NOE_MPI_LIVENESS_H

#include <stdbool.h>

/* Begins to watch, by a file in the folder of `beside`; NULL: in that of temporary files.  All
 * processes come.  Nothing is watched where one of them does not see the locks of the others. */
void liveness_begin(const char *beside);
bool liveness_watches(void);
/* Do the others go on without a lost process?  If not, its loss ends the job, with the exit status
 * 3. */
void liveness_bear(bool);
/* Is process r gone?  The lowest process that lives knows it of all, the others of those up to the
 * lowest one. */
bool liveness_gone(int r);
/* Ends the watch; all are there. */
void liveness_end(void);
/* In the lowest process, after a loss: waits until the others have ended, and ends the watch. */
void liveness_outlive(void);
/* Ends this process where the job has ended without it: the file has no name any more. */
void liveness_end_with_job(void);
/* Where messages of a process go of which standard error is closed. */
void liveness_tell_to(int fd);

#endif
