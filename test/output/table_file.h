/* A table of random rows, and the sink that writes it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TABLE_FILE_H
#define TABLE_FILE_H

#include "output/sink.h"
#include "scratch.h"

#include <math.h>

enum { COLUMNS = 5, ROWS = 3000 };
static UNUSED const char *const names[COLUMNS] = { "t", "p(q1)", "a,b", "say \"q\"", "\xCE\xB8'" };

static UNUSED const noe_head head = { .columns = COLUMNS,
                                      .name = names,
                                      .digits = 15,
                                      .system = "pendulum",
                                      .source = "pen\tdulum.lag",
                                      .changes = "g = 1\n\nl = \"2\"\n",
                                      .method = "simpson",
                                      .step = 0.01,
                                      .model = "# \x01 \xFF back\\slash\r\ncoordinate \xCE\xB8" };

static UNUSED quad *random_rows(void)
{
    quad *x = calloc(ROWS * COLUMNS, sizeof *x);
    for (size_t i = 0; i < ROWS * COLUMNS; i++) x[i] = any_double();
    x[7] = NAN;
    x[8] = INFINITY;
    x[11] = -INFINITY;
    return x;
}

static UNUSED void write_rows(const char *path, const noe_head *h, const quad *x, size_t rows)
{
    noe_sink *s = noe_sink_open(path, h);
    assert_non_null(s);
    for (size_t i = 0; i < rows; i++) assert_int_equal(noe_sink_row(s, x + i * COLUMNS), NOE_OK);
    assert_int_equal(noe_sink_close(s, NULL, 0), NOE_OK);
    assert_null(noe_error());
}

#endif
