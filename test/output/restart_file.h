/* Files of HDF5 with what a run goes on from.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESTART_FILE_H
#define RESTART_FILE_H

#include "output/restart.h"
#include "output/sink.h"
#include "scratch.h"

static UNUSED const char *const names[] = { "t", "q", "p(q)", "energy" };

static UNUSED const noe_head head = { .columns = 4,
                                      .name = names,
                                      .digits = 15,
                                      .model = "coordinate q",
                                      .source = "q.lag",
                                      .changes = "g = 2",
                                      .method = "gauss 3",
                                      .system = "q",
                                      .step = 0.01,
                                      .t0 = -2 };

static UNUSED void expect_refusal(const char *message)
{
    noe_restart r;
    assert_int_equal(noe_restart_read(in_scratch("bad.h5"), &r), NOE_IO);
    if (!strstr(noe_error(), message)) fail_msg("%s", noe_error());
    assert_true(!r.model && !r.state && !r.bytes);
    noe_error_clear();
}

static UNUSED void write_file(const char *name, const char *bytes, size_t n)
{
    FILE *f = fopen(in_scratch(name), "wb");
    fwrite(bytes, 1, n, f);
    fclose(f);
}

static UNUSED void whole_file(void)
{
    noe_sink *s = noe_sink_open(in_scratch("bad.h5"), &head);
    assert_int_equal(noe_sink_close(s, "state", 5), NOE_OK);
}

#endif
