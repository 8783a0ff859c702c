/* Models in a folder with their files, their integrators, and what is refused.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef FILES_OF_MODEL_H
#define FILES_OF_MODEL_H

#include "integrator.h"
#include "scratch.h"

/* A model in the folder of its files. */
static UNUSED noe_system *model(const char *text)
{
    put("model.lag", text);
    return load(in_scratch("model.lag"));
}

static UNUSED void refused(const char *text, const char *words)
{
    put("model.lag", text);
    noe_error_clear();
    noe_system *s = noe_system_load(in_scratch("model.lag"));
    if (s) fail_msg("not refused: %s", words);
    if (!strstr(noe_error(), words)) fail_msg("'%s' instead of '%s'", noe_error(), words);
    noe_error_clear();
}

static UNUSED noe_integrator *from(const noe_system *s, const char *name, double h)
{
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(s, m, h);
    if (!g) fail_msg("%s", noe_error());
    noe_method_free(m);
    return g;
}

#endif
