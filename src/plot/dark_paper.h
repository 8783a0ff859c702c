/* A picture on dark paper: its script with the colours of the dark.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_DARK_PAPER_H
#define NOE_PLOT_DARK_PAPER_H

#include <stdbool.h>
#include <stdio.h>

/* Is the picture dark by its name, "orbit.dark.png"? */
bool noe_dark_paper_named(const char *path);

/* 0xrrggbb as the dark has it: what svg_words.c asks a browser for. */
unsigned noe_dark_paper_colour(unsigned rgb);

/* Copies a script from its beginning; every colour '#rrggbb', after `rgb`, after `background` or in
 * a palette, becomes that of the dark; texts stay. */
void noe_dark_paper_copy(FILE *script, FILE *dark);

#endif
