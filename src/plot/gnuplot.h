/* Runs gnuplot on a script and stores the picture.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_GNUPLOT_H
#define NOE_PLOT_GNUPLOT_H

#include "base/status.h"

#include <stdio.h>

noe_status noe_gnuplot_ready(void); /* is it installed?  Else the message */

/* The script, a temporary file read from its beginning, draws to its standard output; that
 * becomes `path`, whole or not at all. */
noe_status noe_gnuplot_run(FILE *script, const char *path);

/* text as a gnuplot string: nothing in it is a command, an escape or a substitution.  Of more
 * than `most` letters the middle is left out: the end often has the index. */
void noe_gnuplot_text(FILE *script, const char *text, int most);
int  noe_gnuplot_letters(const char *text);

#endif
