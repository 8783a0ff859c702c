/* Matrix files without banner: lines "i j a_ij", or sizes of a Matrix Market file before them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The line "1473 1473 10566" may be either. Sizes are whole numbers, no entry lies outside of
 * them, and as many lines follow as they say. */
#include "matrixfile/matrix_entries.h"

#include "base/status.h"

#include <string.h>

/* ---- lists ---- */

/* Reads lines "i j a_ij", as CalculiX and other programs write them.  Entries on one side of the
 * diagonal stand for both.  The number of rows, r->n, is known already. */
static bool read_list(noe_matrix_entries *r)
{
    bool failed;
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
    }
    noe_matrix_entries_find_symmetry(r);
    return !failed;
}

/* ---- sizes or the first entry? ---- */

typedef struct {
    long rows, cols, promised; /* the first line, read as sizes: rows, columns, entries */
    long line;                 /* number of that line */
    long lines, first_col;     /* number of lines after it; the column of the first of these */
    /* an entry in the last row and column was read; a value not written as a whole number was
     * read */
    bool corner, fraction;
} guess;

static bool whole(const char *text)
{
    text += strspn(text, " \t");
    text += strspn(text, "+-");
    return noe_matrix_entries_over(text + strspn(text, "0123456789"));
}

/* Reads all other lines into g. False: an entry lies outside of the sizes, or the file cannot be
 * read. */
static bool survey(noe_matrix_entries *r, guess *g)
{
    bool failed;
    while (noe_matrix_entries_line(r, &failed)) {
        long  i, j;
        char *t = r->text;
        if (noe_matrix_entries_over(t) || strchr("#%*", *t)) continue;
        if (!noe_matrix_entries_whole(&t, &i) || !noe_matrix_entries_whole(&t, &j) || i > g->rows
            || j > g->cols)
            return false;
        if (!g->lines++) g->first_col = j;
        g->corner |= i == g->rows && j == g->cols;
        g->fraction |= !whole(t);
    }
    return !failed;
}

static noe_matrix_reader *unclear(noe_matrix_entries *r, const guess *g, const char *why)
{
    noe_status_fail(NOE_SYNTAX,
                    "%s:%ld: %ld %ld %ld may be the sizes of a Matrix Market file whose banner is "
                    "missing: %s (%ld lines of entries follow). "
                    "Write '%%%%MatrixMarket matrix coordinate real symmetric' above it, or %ld.0 "
                    "if it is an entry",
                    r->path, g->line, g->rows, g->cols, g->promised, why, g->lines, g->promised);
    return NULL;
}

noe_matrix_reader *noe_missing_banner_find(noe_matrix_entries *r)
{
    guess g = { .line = r->line };
    char *t = r->text;
    if (!noe_matrix_entries_whole(&t, &g.rows) || !noe_matrix_entries_whole(&t, &g.cols)
        || !noe_matrix_entries_whole(&t, &g.promised) || !noe_matrix_entries_over(t)
        || !survey(r, &g) || !g.lines)
        return read_list;
    if (g.lines == g.promised && g.rows == g.cols && (g.corner || g.lines >= g.rows))
        return noe_matrix_market_read_body;
    if (g.lines == g.promised)
        return unclear(r, &g,
                       g.rows == g.cols ? "it may as well be the first of a list"
                                        : "the matrix would not be square");
    /* No sizes of a square matrix, or entries whose values are all whole numbers, as that on the
     * first line is, and whose columns go on from it. */
    if (g.rows != g.cols || (!g.fraction && g.first_col >= g.cols - 1)) return read_list;
    return unclear(r, &g, "it promises another number of entries");
}
