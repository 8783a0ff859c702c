/* Reads lines "i j a_ij" without a header, as CalculiX and other programs write them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Entries on one side of the diagonal stand for both. The number of rows, r->n, is known
 * already. */
#include "matrix/matrix_entries.h"

#include "base/status.h"

bool noe_triplet_list_read(noe_matrix_entries *r)
{
    bool failed, below = false, above = false;
    r->comment = "#%*";
    while (noe_matrix_entries_line(r, &failed)) {
        long   i, j;
        double x;
        char  *t = r->text;
        if (noe_matrix_entries_over(t) || *t == '#' || *t == '%' || *t == '*') continue;
        if (!noe_matrix_entries_whole(&t, &i) || !noe_matrix_entries_whole(&t, &j)
            || !noe_matrix_entries_real(&t, &x) || !noe_matrix_entries_over(t))
            return noe_matrix_entries_wrong(r, "expected a row, a column and a number");
        if (i > r->n || j > r->n) {
            noe_status_fail(
                NOE_INVALID,
                "%s:%ld: row %ld, column %ld, but %d coordinates are declared: one for every row",
                r->path, r->line, i, j, r->n);
            return false;
        }
        if (!noe_matrix_entries_add(r, i, j, x)) return false;
        below |= i > j, above |= i < j;
    }
    r->symmetric = !(below && above);
    return !failed;
}
