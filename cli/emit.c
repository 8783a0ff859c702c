/* noether emit MODEL.lag: the Lagrangian and its derivatives as C99.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"
#include "noether.h"

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

static int write_beside(const char *path, const char *text)
{
    char temporary[4096];
    if (snprintf(temporary, sizeof temporary, "%s.part", path) >= (int)sizeof temporary)
        return complain("--output: the path is too long");
    FILE *f = fopen(temporary, "w");
    if (!f) {
        perror(path);
        return BAD_USE;
    }
    const int bad = fputs(text, f) < 0;
    if ((fclose(f) | bad) || rename(temporary, path)) {
        perror(path);
        remove(temporary);
        return BAD_USE;
    }
    return OK;
}

int verb_emit(int argc, char **argv)
{
    const char  *output = NULL, *help = NULL;
    const option options[] = { { "output", "FILE", "default: standard output", &output },
                               { "help", NULL, "this", &help } };
    const int    words = take_options(argc, argv, options, 2, "emit");
    if (words < 0) return BAD_USE;
    if (help || words < 1) {
        printf("noether emit MODEL.lag [NAME=VALUE ...] [options]\n\n"
               "Writes C99: NAME_lagrangian(t, z, param, grad, hess, ctx), a noe_lagrangian.\n\n");
        print_options(options, 2);
        return help ? OK : BAD_USE;
    }
    noe_system *s = noe_system_load(argv[0]);
    for (int i = 1; i < words && s; i++) {
        noe_system *next = noe_system_let(s, argv[i]);
        noe_system_free(s);
        s = next;
    }
    char name[64];
    identifier(argv[0], name);
    char *text = noe_system_emit(s, name);
    int   status = text ? OK : BAD_USE;
    if (noe_error()) fprintf(stderr, "%s\n", noe_error());
    if (text && output) status = write_beside(output, text);
    else if (text && (fputs(text, stdout) < 0 || fflush(stdout))) status = complain("cannot write to standard output");
    free(text);
    noe_system_free(s);
    return status;
}
