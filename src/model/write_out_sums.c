/* A sum that cannot stay a sum: reads the model again with sums written out, or says why not.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/sum_parser.h"

#include "base/status.h"

void noe_write_out_sums(noe_parser *p, size_t at, const char *why)
{
    if (p->model->n > NOE_COORDINATES_MOST)
        noe_source_fail(&p->lex.source, at, "%s: this works up to %d coordinates, here are more",
                        why, NOE_COORDINATES_MOST);
    p->again = NOE_READ_WRITTEN;
    longjmp(*p->lex.source.stop, 1);
}
