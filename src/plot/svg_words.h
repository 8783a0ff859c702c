/* Title, description and the colours of the dark for a picture in SVG.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_SVG_WORDS_H
#define NOE_PLOT_SVG_WORDS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct {
    const char *title, *about; /* NULL: an empty text */
    bool        one_paper;     /* the paper stays as it is */
} noe_svg_words;

/* Replaces <title> and <desc> of the SVG that `picture` holds, and adds rules that make light paper
 * dark where the reader's system is, unless there is one_paper. */
noe_status noe_svg_words_put(FILE *picture, const noe_svg_words *);

#endif
