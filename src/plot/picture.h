/* A picture: size, title and description; what is drawn in it is a script for gnuplot.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_PICTURE_H
#define NOE_PLOT_PICTURE_H

#include "base/status.h"
#include "plot/style.h"

typedef struct {
    const char *path;       /* ends in .svg, .png or .pdf; in .dark.png: dark paper */
    const char *title;      /* first line; NULL: none */
    const char *parameters; /* second line; NULL: none */
    const char *about;      /* what is seen, a sentence: the description in an .svg file */
    double      height;     /* in units of the style */
} noe_picture;

typedef noe_status noe_picture_body(void *what, FILE *script);

/* Writes the file, completely or not at all.  body: adds the panels to the script. */
noe_status noe_picture_draw(const noe_picture *, noe_picture_body *body, void *what);

/* Height of the lines of title and parameters. */
double noe_picture_head(const noe_picture *);

/* Are the ending and the folder of the path valid, and is there a gnuplot?  Else a message. */
noe_status noe_picture_check(const char *path);

#endif
