/* noether VERB ...: integrates Lagrangian mechanics from a text file and preserves its structure.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *does;
    int (*run)(int argc, char **argv);
} verbs[] = {
    { "run", "integrate a model: noether run MODEL.lag [NAME=VALUE ...] [options]", verb_run },
    { "check", "what a system is and what stays constant, shown: noether check MODEL.lag",
      verb_check },
    { "show", "what is known of a method: noether show \"gauss 3\"", verb_show },
    { "fit", "parameters from measurements: noether fit MODEL.lag --data FILE --vary \"l, q(0)\"",
      verb_fit },
    { "gradient", "derivatives by all parameters and starts: noether gradient MODEL.lag --of EXPR",
      verb_gradient },
    { "study", "errors, drift and cost of methods: noether study convergence MODEL.lag",
      verb_study },
    { "optimize", "controls of least cost: noether optimize MODEL.lag", verb_optimize },
    { "emit", "a model's Lagrangian as C99: noether emit MODEL.lag", verb_emit },
    { "structure",
      "matrices of an example structure: noether structure cantilever --size 20 --output beam",
      verb_structure },
    { "systems", "the models that are installed: noether systems, noether systems kepler",
      verb_systems },
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static int help(FILE *to)
{
    fprintf(to, "noether integrates Lagrangian mechanics from a text file and preserves its "
                "structure.\n\n");
    for (int i = 0; i < VERBS; i++)
        fprintf(to, "  noether %-9s %s\n", verbs[i].name, verbs[i].does);
    fprintf(to, "\n'noether help VERB' says more; noether(1) says all.\n");
    return to == stdout ? printed(NOE_EXIT_DONE) : NOE_EXIT_BAD_USE;
}

static int run(const char *verb, int argc, char **argv)
{
    for (int i = 0; i < VERBS; i++)
        if (!strcmp(verb, verbs[i].name)) return verbs[i].run(argc, argv);
    const char *list[VERBS];
    for (int i = 0; i < VERBS; i++) list[i] = verbs[i].name;
    const char *near = noe_nearest_option_find(verb, strlen(verb), list, VERBS);
    if (near)
        return complain("unknown verb '%s'; did you mean %s?  'noether --help' lists them", verb,
                        near);
    return complain("unknown verb '%s'; 'noether --help' lists them", verb);
}

static int help_on(char *verb)
{
    char *words[] = { verb, "--help", NULL };
    return run(verb, 2, words);
}

int main(int argc, char **argv)
{
    const char *isa = getenv("NOETHER_ISA");
    end_blas_threads(NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a failed write, which has a message */
    if (isa && *isa && strcmp(isa, "sse2") && strcmp(isa, "avx2") && strcmp(isa, "avx512"))
        return complain("NOETHER_ISA=%s: expected sse2, avx2 or avx512, or nothing", isa);
    const char *fused = getenv("NOETHER_FUSED");
    if (fused && *fused && strcmp(fused, "no"))
        return complain("NOETHER_FUSED=%s: expected no, or nothing", fused);
    if (argc < 2) return help(stderr);
    if (!strcmp(argv[1], "help") && argc > 3)
        return complain("help on which verb?  noether help VERB");
    if (!strcmp(argv[1], "help") && argc > 2) return help_on(argv[2]);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
        return help(stdout);
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        printf("noether %s\n", NOE_VERSION);
        return printed(NOE_EXIT_DONE);
    }
    const char *ending = strrchr(argv[1], '.');
    if (ending && !strcmp(ending, ".lag"))
        return complain("what to do with %s?  noether run %s integrates it", argv[1], argv[1]);
    return run(argv[1], argc - 1, argv + 1);
}
