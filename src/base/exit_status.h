/* Exit statuses of the command.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_EXIT_STATUS_H
#define NOE_BASE_EXIT_STATUS_H

enum {
    NOE_EXIT_DONE = 0,
    NOE_EXIT_FAILS = 1,      /* a checked law or published number does not hold */
    NOE_EXIT_BAD_USE = 2,    /* wrong input, or a file that cannot be read or written */
    NOE_EXIT_STOPPED = 3,    /* a run ended early, a picture was not drawn, no optimum was found */
    NOE_EXIT_SIGNALLED = 128 /* plus the number of the signal that ended a run */
};

#endif
