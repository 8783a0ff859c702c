/* Reads Matrix Market files.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     %%MatrixMarket matrix coordinate real symmetric: rows columns entries, then i j a_ij
 *
 * https://math.nist.gov/MatrixMarket/formats.html */
#include "matrixfile/matrix_entries.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool header(noe_matrix_entries *r, bool *dense)
{
    char word[5][32] = { "" };
    for (char *t = r->text; *t; t++) *t = (char)tolower((unsigned char)*t);
    if (sscanf(r->text, "%31s %31s %31s %31s %31s", word[0], word[1], word[2], word[3], word[4])
            != 5
        || strcmp(word[1], "matrix"))
        return noe_matrix_entries_wrong(
            r, "expected '%%MatrixMarket matrix coordinate real symmetric' or the like");
    *dense = !strcmp(word[2], "array");
    if (!*dense && strcmp(word[2], "coordinate"))
        return noe_matrix_entries_wrong(r, "expected the format coordinate or array");
    if (strcmp(word[3], "real") && strcmp(word[3], "integer") && strcmp(word[3], "double"))
        return noe_matrix_entries_wrong(r, "expected numbers that are real or integer");
    r->symmetric = !strcmp(word[4], "symmetric");
    if (!r->symmetric && strcmp(word[4], "general"))
        return noe_matrix_entries_wrong(r, "expected a matrix that is general or symmetric");
    return true;
}

static bool sizes(noe_matrix_entries *r, bool dense, size_t *entries)
{
    long rows, cols, count = 0;
    if (!noe_matrix_entries_next(r, "the numbers of rows and columns")) return false;
    char *t = r->text;
    if (!noe_matrix_entries_whole(&t, &rows) || !noe_matrix_entries_whole(&t, &cols)
        || (!dense && !noe_matrix_entries_whole(&t, &count)) || !noe_matrix_entries_over(t))
        return noe_matrix_entries_wrong(
            r, dense ? "expected the numbers of rows and columns"
                     : "expected the numbers of rows, columns and entries");
    if (!noe_matrix_entries_square(r, rows, cols)) return false;
    if (dense) count = r->symmetric ? rows * (rows + 1) / 2 : rows * rows;
    if (count < 0 || (double)count > NOE_ENTRIES_PER_PLACE_MOST * (double)rows * (double)rows)
        return noe_matrix_entries_wrong(r, "more entries than places");
    *entries = (size_t)count;
    return true;
}

/* Reads a number that ends the line. */
static bool value(noe_matrix_entries *r, char *text, double *x)
{
    if (noe_matrix_entries_real(&text, x) && noe_matrix_entries_over(text)) return true;
    return noe_matrix_entries_wrong(r, "expected a number at the end of the line");
}

static bool coordinate(noe_matrix_entries *r)
{
    long   i, j;
    double x;
    char  *t = r->text;
    if (!noe_matrix_entries_next(r, "another entry")) return false;
    if (!noe_matrix_entries_whole(&t, &i) || !noe_matrix_entries_whole(&t, &j))
        return noe_matrix_entries_wrong(r, "expected a row, a column and a number");
    return value(r, t, &x) && noe_matrix_entries_add(r, i, j, x);
}

/* Reads the next number of the format "array": column by column, those of a symmetric matrix
 * from the diagonal on. */
static bool array(noe_matrix_entries *r)
{
    const int last = r->count ? r->row[r->count - 1] : -1,
              col = r->count ? r->col[r->count - 1] : 0;
    const bool down = last + 1 < r->n;
    double     x;
    return noe_matrix_entries_next(r, "another number") && value(r, r->text, &x)
        && noe_matrix_entries_add(r,
                                  1
                                      + (down           ? last + 1
                                         : r->symmetric ? col + 1
                                                        : 0),
                                  1 + (down ? col : col + 1), x);
}

bool noe_matrix_market_entries(noe_matrix_entries *r, bool dense, size_t count)
{
    bool failed;
    while (r->count < count)
        if (!(dense ? array(r) : coordinate(r))) return false;
    while (noe_matrix_entries_line(r, &failed))
        if (!noe_matrix_entries_over(r->text) && !strchr(r->comment, r->text[0]))
            return noe_matrix_entries_wrong(r, "more lines than the file promises entries");
    return !failed;
}

bool noe_matrix_market_begin(noe_matrix_entries *r, bool *dense, size_t *count)
{
    bool failed;
    r->comment = "%";
    return noe_matrix_entries_line(r, &failed) && header(r, dense) && sizes(r, *dense, count);
}

bool noe_matrix_market_read(noe_matrix_entries *r)
{
    bool   dense = false;
    size_t count = 0;
    return noe_matrix_market_begin(r, &dense, &count) && noe_matrix_market_entries(r, dense, count);
}

bool noe_matrix_market_read_body(noe_matrix_entries *r)
{
    size_t count = 0;
    r->comment = "#%*";
    if (!sizes(r, false, &count) || !noe_matrix_market_entries(r, false, count)) return false;
    noe_matrix_entries_find_symmetry(r);
    return true;
}
