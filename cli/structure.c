/* noether structure KIND: M and K of a square or a cube of elements.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <stdio.h>

int verb_structure(int argc, char **argv)
{
    noe_fem_example x = { .dim = 2, .size = 10, .steps = 100 };
    const char     *dim = NULL, *size = NULL, *steps = NULL, *step = NULL, *consistent = NULL,
               *help = NULL;
    const option options[] = {
        { "dim", "2|3", "of a cantilever: a plate in plane stress, or a solid; default 2", &dim },
        { "size", "N", "elements a side; default 10", &size },
        { "consistent", NULL, "mass as integrated; default: lumped", &consistent },
        { "output", "PREFIX",
          "write PREFIX_M.mtx, PREFIX_K.mtx and PREFIX.lag; default: step in memory", &x.prefix },
        { "method", "NAME", "of the run in memory; default simpson", &x.method },
        { "step", "H", "of the run in memory; default: half of the largest stable one", &step },
        { "steps", "N", "of the run in memory; default 100", &steps },
        { "help", NULL, "this", &help },
    };
    const size_t count = sizeof options / sizeof *options;
    const int    words = take_options(argc, argv, options, count, "structure");
    if (words < 0) return NOE_EXIT_BAD_USE;
    if (help) {
        printf("noether structure cantilever|membrane [options]\n\n"
               "Makes mass and stiffness of a square or a cube of linear finite elements: a steel "
               "cantilever of 1 m clamped at\n"
               "x = 0, or a membrane whose exact discrete frequencies are known.\n\n");
        print_options(options, count);
        return printed(NOE_EXIT_DONE);
    }
    if (words != 1)
        return complain("which structure?  noether structure cantilever|membrane [options]");
    x.kind = argv[0];
    if (dim && !whole("dim", dim, 2, 3, &x.dim)) return NOE_EXIT_BAD_USE;
    if (size && !whole("size", size, 1, 100000, &x.size)) return NOE_EXIT_BAD_USE;
    if (steps && !whole("steps", steps, 1, 1000000000, &x.steps)) return NOE_EXIT_BAD_USE;
    if (step && !positive("step", step, &x.step)) return NOE_EXIT_BAD_USE;
    if (!x.method) x.method = "simpson";
    x.consistent = consistent != NULL;
    return printed(report(noe_fem_example_run(&x, stdout)));
}
