/* Exit statuses of the command.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_EXIT_STATUS_H
#define NOE_BASE_EXIT_STATUS_H

enum {
    NOE_EXIT_DONE = 0,
    NOE_EXIT_FAILS = 1,      /* something that was checked does not hold */
    NOE_EXIT_BAD_USE = 2,    /* what was asked for cannot be done */
    NOE_EXIT_STOPPED = 3,    /* a run could not go on */
    NOE_EXIT_SIGNALLED = 128 /* and the number of the signal that ended a run */
};

#endif
