/* Decides what the first line of a Matrix Market file without its banner is.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * 1473 1473 10566: the first entry of a list, or the sizes?
 *
 * Sizes are whole numbers, no entry lies beyond them, and as many lines follow as they promise. */
#include "matrix/matrix_entries.h"

#include "base/status.h"

#include <string.h>

typedef struct {
    long rows, cols, promised; /* what the first line says, if it is one of sizes */
    long line;                 /* where it stands */
    long lines, second;        /* how many entries follow; the column of the first of them */
    /* one lies in the last row and column; a number is not written as a whole one */
    bool corner, fraction;
} guess;

static bool whole(const char *text)
{
    text += strspn(text, " \t");
    text += strspn(text, "+-");
    return noe_matrix_entries_over(text + strspn(text, "0123456789"));
}

/* All other lines.  False: they are no entries of a matrix of such sizes, or cannot be read. */
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
        if (!g->lines++) g->second = j;
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
        return noe_triplet_list_read;
    if (g.lines == g.promised && g.rows == g.cols && (g.corner || g.lines >= g.rows))
        return noe_matrix_market_read_body;
    if (g.lines == g.promised)
        return unclear(r, &g,
                       g.rows == g.cols ? "it may as well be the first of a list"
                                        : "the matrix would not be square");
    /* From the last entry to the first, all of them whole numbers: a list. */
    if (g.rows != g.cols || (!g.fraction && g.second >= g.cols - 1)) return noe_triplet_list_read;
    return unclear(r, &g, "it promises another number of entries");
}
