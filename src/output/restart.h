/* What a file stores for a restart: (q, p, t) at the end of one run is the start of the next.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_OUTPUT_RESTART_H
#define NOE_OUTPUT_RESTART_H

#include "base/status.h"
#include "number/quad.h"

/* What an .h5 file stores for a restart.  Texts that the file lacks are NULL. */
typedef struct {
    /* text of the model, its file, assignments, hashes of input files, other options, name of the
     * method */
    char  *model, *source, *changes, *inputs, *options, *method;
    char  *warning, *note; /* what was said of the run up to its end */
    quad   step, t0;       /* step length; time at the start */
    quad   reported; /* time up to which events after the state have been reported; NAN: none */
    int    digits;   /* decimal digits of the run */
    void  *state;    /* [bytes] state of the engine */
    size_t bytes;    /* size of that state */
} noe_restart;

noe_status noe_restart_read(const char *path, noe_restart *);
void       noe_restart_free(noe_restart *); /* frees the texts and the state */

#endif
