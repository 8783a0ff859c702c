/* The options of a run, beside method, step and digits, with which --from goes on.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "job/kept_options.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

static const char AUTO[] = "auto"; /* the solver that the integrator chooses */

void noe_kept_options_write(const noe_job *j, char text[NOE_KEPT_OPTIONS_ROOM])
{
    snprintf(text, NOE_KEPT_OPTIONS_ROOM, "solver=%.20s window=%d factorise=%d bits=%d",
             j->solver ? j->solver : AUTO, j->window, j->factorise, j->bits);
}

bool noe_kept_options_read(const noe_job *j, const char *text, char solver[NOE_KEPT_OPTIONS_ROOM],
                           noe_job *to)
{
    *to = *j;
    const int found = sscanf(text ? text : "", "solver=%20s window=%d factorise=%d bits=%d", solver,
                             &to->window, &to->factorise, &to->bits);
    if (found != 4)
        return noe_status_fail(NOE_INVALID,
                               "--from %s: its options are not readable: it was written by another "
                               "version of noether; run from the start",
                               j->from),
               false;
    to->solver = strcmp(solver, AUTO) ? solver : NULL;
    return true;
}

const char *noe_kept_options_given(const noe_job *j)
{
    return j->solver    ? "--solver"
         : j->window    ? "--window"
         : j->factorise ? "--factorise"
         : j->bits      ? "--bits"
                        : NULL;
}
