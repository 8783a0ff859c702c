/* noether-mpi VERB ...: the command noether, run by many processes together.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "engines.h"
#include "matrix_reader.h"
#include "shared_table.h"
#include "structure_together.h"
#include "verbs.h"

#include "../cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In all processes the exit status of the first: the computing time that each has had may decide
 * what is left out. */
static int check_together(int argc, char **argv) { return together.first(verb_check(argc, argv)); }

static const struct {
    const char *name, *does;
    int (*run)(int argc, char **argv);
} verbs[] = {
    { "run", "integrate a model: mpirun -n 4 noether-mpi run MODEL.lag [options]", verb_run },
    { "check", "the certificate of a model: noether-mpi check MODEL.lag [options]",
      check_together },
    { "structure",
      "an example structure, made and stepped in pieces: noether-mpi structure "
      "cantilever --size 1000",
      verb_structure_together },
    { "study", "errors, drift and cost of methods: noether-mpi study convergence MODEL.lag",
      verb_study },
};
enum { VERBS = sizeof verbs / sizeof *verbs };

const noe_processes *processes(void) { return together.count > 1 ? &together : NULL; }

static int help(FILE *to)
{
    fprintf(to,
            "noether-mpi is noether for many processes: the same models, options and columns.\n\n");
    for (int i = 0; i < VERBS; i++)
        fprintf(to, "  noether-mpi %-9s %s\n", verbs[i].name, verbs[i].does);
    fprintf(to, "\n'noether-mpi run --help' says more; doc/cluster.md says all.\n");
    return to == stdout ? printed(NOE_EXIT_DONE) : NOE_EXIT_BAD_USE;
}

/* Is the option among the words? */
static bool has(int argc, char **argv, const char *option)
{
    const size_t n = strlen(option);
    for (int i = 1; i < argc; i++)
        if (!strncmp(argv[i], option, n) && (!argv[i][n] || argv[i][n] == '=')) return true;
    return false;
}

/* One thread a process where nothing else is asked for. */
static int run(int verb, int argc, char **argv)
{
    const bool verbose = has(argc, argv, "--verbose");
    char     **more = calloc((size_t)argc + 2, sizeof *more);
    int        count = argc;
    if (!more) return complain("out of memory");
    memcpy(more, argv, (size_t)argc * sizeof *more);
    if (together.count > 1 && verbs[verb].run != verb_structure_together
        && verbs[verb].run != check_together && !has(argc, argv, "--threads")) {
        static char threads[] = "--threads=1";
        more[count++] = threads;
    }
    const int status = verbs[verb].run(count, more);
    free(more);
    if (verbose) together_print_traffic(), together_print_memory();
    return status;
}

static int choose(int argc, char **argv)
{
    if (argc < 2) return help(stderr);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
        return help(stdout);
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        printf("noether-mpi %s\n", NOE_VERSION);
        return printed(NOE_EXIT_DONE);
    }
    for (int i = 0; i < VERBS; i++)
        if (!strcmp(argv[1], verbs[i].name)) return run(i, argc - 1, argv + 1);
    return complain(
        "unknown verb '%s'; noether-mpi has run, check, structure and study, 'noether --help' "
        "lists those of one process",
        argv[1]);
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a failed write, which has a message */
    end_blas_threads(NULL);
    if (!together_begin(&argc, &argv)) return complain("MPI could not be started");
    together.table = &shared_table;
    together.engine = engine_together;
    together.read = matrix_reader_read;
    together.complete = matrix_reader_complete;
    together.gather = matrix_reader_gather;
    together.slowest = structure_slowest;
    together.complete_structure = matrix_reader_complete_structure;
    return together_end(choose(argc, argv));
}
