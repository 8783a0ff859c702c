/* Finds the format of a matrix file from how it begins, and reads the file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "matrixfile/matrix_file.h"

#include "base/optional_library.h"
#include "matrixfile/matrix_entries.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_triplet(char *t)
{
    long   i, j;
    double x;
    return noe_matrix_entries_whole(&t, &i) && noe_matrix_entries_whole(&t, &j)
        && noe_matrix_entries_real(&t, &x) && noe_matrix_entries_over(t);
}

/* The third line of a Harwell-Boeing file: a type such as RSA, then numbers. */
static bool is_type(const char *t)
{
    static const char *const letter[] = { "RCPIrcpi", "SUHZRsuhzr", "AEae" };
    for (int i = 0; i < 3; i++)
        if (!t[i] || !strchr(letter[i], t[i])) return false;
    t += 3;
    return isdigit((unsigned char)t[strspn(t, " \t")]) != 0;
}

/* True with a message: the file is compressed, and this build has no zlib. */
static bool unreadable(const noe_matrix_entries *r)
{
    unsigned char head[2] = { 0 };
    if (noe_optional_library_has(NOE_OF_ZLIB)) return false;
    const bool compressed = gzread(r->file, head, 2) == 2 && head[0] == 0x1f && head[1] == 0x8b;
    gzrewind(r->file);
    return compressed && noe_optional_library_require(NOE_OF_ZLIB, r->path);
}

/* The reader for the file, from its first bytes and lines; the file is then at its beginning again.
 * NULL with a message. */
static noe_matrix_reader *format(noe_matrix_entries *r)
{
    static const char  mark[] = "%%MatrixMarket";
    noe_matrix_reader *found = NULL;
    bool               failed = false, comments = true;
    if (noe_petsc_matrix_is(r)) return noe_petsc_matrix_read;
    for (int k = 0; !found && !failed && (k < 4 || comments) && noe_matrix_entries_line(r, &failed);
         k++) {
        if (k == 0 && !strncasecmp(r->text, mark, sizeof mark - 1)) found = noe_matrix_market_read;
        else if (comments && is_triplet(r->text)) failed = !(found = noe_missing_banner_find(r));
        else if (k == 2 && is_type(r->text)) found = noe_harwell_boeing_read;
        comments &= noe_matrix_entries_over(r->text) || strchr("#%*", *r->text);
    }
    const long lines = r->line;
    r->line = 0;
    gzrewind(r->file);
    if (found || failed) return found;
    r->line = 1;
    noe_matrix_entries_wrong(r, lines == 1 ? "an empty file: expected a matrix"
                                           : "expected '%%MatrixMarket matrix ...', the header of "
                                             "a Rutherford-Boeing file, or lines of "
                                             "row, column and number");
    return NULL;
}

noe_sparse *noe_matrix_file_read(const char *path, int rows)
{
    errno = 0;
    noe_matrix_entries r = { .path = path, .file = gzopen(path, "rb"), .comment = "", .n = rows };
    if (!r.file) {
        noe_status_fail(NOE_IO, "%s: cannot read the matrix: %s", path,
                        errno ? strerror(errno) : "out of memory");
        return NULL;
    }
    gzbuffer(r.file, 1 << 17);
    noe_matrix_reader *read = unreadable(&r) ? NULL : format(&r);
    const bool         all = read && read(&r);
    noe_sparse        *A = all ? noe_matrix_entries_gather(&r) : NULL;
    gzclose(r.file);
    free(r.row);
    free(r.col);
    free(r.value);
    return A;
}
