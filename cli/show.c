/* noether show "gauss 3", noether show methods, noether show options.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <stdio.h>
#include <string.h>

int verb_show(int argc, char **argv)
{
    const char  *help = NULL;
    const option options[] = { { "help", NULL, "this", &help } };
    const int    words = take_options(argc, argv, options, 1, "show");
    if (words < 0) return NOE_EXIT_BAD_USE;
    if (help) {
        printf("noether show \"METHOD\"    nodes, weights, order, symmetry, stability of a method\n"
               "noether show methods     the names of methods\n"
               "noether show options     options and statistics of an integrator\n\n");
        print_options(options, 1);
        return printed(NOE_EXIT_DONE);
    }
    if (words < 1) return complain("show what?  noether show \"METHOD\", methods or options");
    char what[128] = "";
    for (int i = 0; i < words; i++) { /* show gauss 3 = show "gauss 3" */
        if (strlen(what) + strlen(argv[i]) + 2 > sizeof what)
            return complain("'%.60s': no such method", argv[i]);
        strcat(strcat(what, i ? " " : ""), argv[i]);
    }
    return printed(report(noe_show_method(what, stdout)));
}
