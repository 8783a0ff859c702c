/* The style of all pictures: sizes, eight colours, the colours of methods, a scale of colours.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Lengths are units of a picture that is NOE_STYLE_WIDTH wide: pixels of an .svg file. */
#ifndef NOE_PLOT_STYLE_H
#define NOE_PLOT_STYLE_H

#include <stdbool.h>
#include <stdio.h>

enum {
    NOE_STYLE_WIDTH = 900,
    NOE_STYLE_HEIGHT = 600, /* of a picture with one or two panels */
    NOE_STYLE_LETTER = 9,   /* width of a letter of the usual size, about */
    NOE_STYLE_COLOURS = 8,
    NOE_STYLE_MARKS = 4
};

#define NOE_STYLE_INK "#1d232b"  /* titles */
#define NOE_STYLE_TEXT "#3f4854" /* labels and numbers */
#define NOE_STYLE_SOFT "#667080" /* notes */
#define NOE_STYLE_AXIS "#8a929e"
#define NOE_STYLE_RULE "#e3e6ea" /* the grid */

extern const char *const noe_style_colour[NOE_STYLE_COLOURS];

/* The look of the curves of a method, which follows from its name alone; NULL: as rk4. */
typedef struct {
    int colour, mark; /* numbers below NOE_STYLE_COLOURS and NOE_STYLE_MARKS */
} noe_style_look;
noe_style_look noe_style_of_method(const char *name);

/* Point type of gnuplot of a mark. */
int noe_style_point(int mark);

/* Colour at `at` of a scale from 0 to 1, 0xrrggbb: visible on light and on dark paper. */
unsigned noe_style_scale(double at);
/* The same scale as the palette of gnuplot. */
void noe_style_palette(FILE *script);

#endif
