/* Runs gnuplot on a script and stores the picture.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_GNUPLOT_H
#define NOE_PLOT_GNUPLOT_H

#include "base/status.h"
#include "plot/svg_words.h"

#include <stdio.h>

noe_status noe_gnuplot_ready(void); /* is gnuplot installed?  Else a message */

/* Runs the script, a temporary file read from its beginning; the standard output of gnuplot is
 * stored as the file `path`, completely or not at all.  words: of an .svg file; NULL: it
 * is another one. */
noe_status noe_gnuplot_run(FILE *script, const char *path, const noe_svg_words *words);

/* Writes the text as a gnuplot string, without commands, escapes or substitutions.  Of a text with
 * more than `most` characters the middle is left out, because an index is at the end. */
void noe_gnuplot_text(FILE *script, const char *text, int most);
int  noe_gnuplot_letters(const char *text); /* number of characters */

#endif
