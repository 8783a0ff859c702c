/* noether show "gauss 3", show methods, show options, show MODEL.lag --latex or --hamiltonian.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int show_model(const char *option, const char *model, int words,
                      char *text_of(const noe_system *))
{
    if (words > 1)
        return complain("show MODEL.lag %s: one model; it is shown as its text has it, with the "
                        "names of parameters, whatever their values",
                        option);
    noe_system *s = noe_system_load(model_path(model));
    char       *text = s ? text_of(s) : NULL;
    if (text) printf(*text && text[strlen(text) - 1] == '\n' ? "%s" : "%s\n", text);
    free(text);
    noe_system_free(s);
    return printed(report(text ? NOE_EXIT_DONE : NOE_EXIT_BAD_USE));
}

int verb_show(int argc, char **argv)
{
    const char  *help = NULL, *latex = NULL, *hamiltonian = NULL;
    const option options[] = { { "latex", NULL,
                                 "of MODEL.lag: L = T - V and its definitions in LaTeX, as the "
                                 "model writes them",
                                 &latex },
                               { "hamiltonian", NULL,
                                 "of MODEL.lag: the model with H(q, p) in place of L, as a text "
                                 "that runs",
                                 &hamiltonian },
                               { "help", NULL, "this", &help } };
    const int    words = take_options(argc, argv, options, 3, "show");
    if (words < 0) return NOE_EXIT_BAD_USE;
    if (help) {
        printf("noether show \"METHOD\"    nodes, weights, order, symmetry, stability of a method\n"
               "noether show methods     the names of methods\n"
               "noether show options     options and statistics of an integrator\n"
               "noether show MODEL.lag --latex   the Lagrangian in LaTeX\n"
               "noether show MODEL.lag --hamiltonian   the model given by H\n\n");
        print_options(options, 3);
        return printed(NOE_EXIT_DONE);
    }
    if (words < 1) return complain("show what?  noether show \"METHOD\", methods or options");
    if (latex && hamiltonian) return complain("--latex or --hamiltonian, not both");
    if (latex) return show_model("--latex", argv[0], words, noe_latex_model);
    if (hamiltonian) return show_model("--hamiltonian", argv[0], words, noe_hamiltonian_text);
    const size_t length = strlen(argv[0]);
    if (length > 4 && !strcmp(argv[0] + length - 4, ".lag"))
        return complain("show %.200s: a model is shown by --latex or --hamiltonian; 'noether check "
                        "%.200s' tells its structure",
                        argv[0], argv[0]);
    char what[128] = "";
    for (int i = 0; i < words; i++) { /* show gauss 3 = show "gauss 3" */
        if (strlen(what) + strlen(argv[i]) + 2 > sizeof what)
            return complain("'%.60s': no such method", argv[i]);
        strcat(strcat(what, i ? " " : ""), argv[i]);
    }
    return printed(report(noe_show_method(what, stdout)));
}
