/* noether emit MODEL.lag: the Lagrangian and its derivatives as C99.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* kepler of some/where/kepler.lag, as a C name. */
static void identifier(const char *path, char name[64])
{
    const char *slash = strrchr(path, '/');
    size_t      n = 0;
    for (const char *c = slash ? slash + 1 : path; *c && *c != '.' && n < 60; c++)
        name[n++] = isalnum((unsigned char)*c) ? *c : '_';
    name[n] = 0;
    if (!n || isdigit((unsigned char)name[0])) strcpy(name, "model");
}

int verb_emit(int argc, char **argv)
{
    const char  *output = NULL, *step = NULL, *help = NULL;
    const option options[] = {
        { "step", "METHOD", "instead the step of a method, for a controller: libm is all it needs",
          &step },
        { "output", "FILE", "default: standard output", &output },
        { "help", NULL, "this", &help }
    };
    const int words = take_options(argc, argv, options, 3, "emit");
    if (words < 0) return NOE_EXIT_BAD_USE;
    if (help) {
        printf("noether emit MODEL.lag [NAME=VALUE ...] [options]\n\n"
               "Writes C99: NAME_lagrangian(t, z, param, grad, hess, ctx), a noe_lagrangian; of a "
               "model with forces also\n"
               "NAME_force(t, z, param, f, dfdz, ctx), a noe_force.  With --step METHOD instead "
               "NAME_start, NAME_step and\n"
               "NAME_velocity: fixed steps of a Galerkin method or a splitting (\"simpson\", "
               "\"gauss 3\", \"verlet\") in one file.\n\n");
        print_options(options, 3);
        return printed(NOE_EXIT_DONE);
    }
    if (words < 1)
        return complain("which model?  noether emit MODEL.lag [NAME=VALUE ...] [options]");
    if (!are_assignments((const char *const *)(argv + 1), words - 1)) return NOE_EXIT_BAD_USE;
    const noe_job job = { .model = model_path(argv[0]),
                          .let = (const char *const *)(argv + 1),
                          .lets = words - 1 };
    noe_system   *s = noe_job_model_load(&job, NULL);
    noe_model_warnings_print(s);
    char name[64];
    identifier(argv[0], name);
    noe_method *method = s && step ? noe_method_parse(step) : NULL;
    char       *text = !s ? NULL : step ? noe_emit_step(s, method, name) : noe_system_emit(s, name);
    if (text) noe_event_report_left_out(s, stderr);
    const int status = text && !noe_text_write(output, text) ? NOE_EXIT_DONE : NOE_EXIT_BAD_USE;
    free(text);
    noe_method_free(method);
    noe_system_free(s);
    return report(status);
}
