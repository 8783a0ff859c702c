/* Frees what a job of a program gave back.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "job/program.h"

#include <stdlib.h>

void noe_program_drop(noe_program *p)
{
    noe_table_free(p->results.rows);
    noe_table_free(p->results.events);
    p->results = (noe_results){ 0 };
    free(p->late.x);
    p->late = (noe_late_rows){ 0 };
    noe_integrator_free(p->g);
    p->g = NULL;
    free(p->warning);
    p->warning = NULL;
}
