/* The style of all pictures: sizes, eight colours, the colours of methods, a scale of colours.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/style.h"

#include "base/hash.h"

#include <string.h>

const char *const noe_style_colour[NOE_STYLE_COLOURS] = { "#1f6feb", "#e0522f", "#0f9d7a",
                                                          "#b7791f", "#8250df", "#d0357f",
                                                          "#2b8ba8", "#6b7a17" };

/* ---- methods ---- */

static const struct {
    const char    *name; /* of the method */
    noe_style_look look;
} known[] = {
    { "rk4", { 0, 0 } },       { "simpson", { 1, 0 } },   { "midpoint", { 2, 0 } },
    { "gauss 2", { 3, 0 } },   { "gauss 3", { 4, 0 } },   { "gauss 4", { 5, 0 } },
    { "gauss 6", { 6, 0 } },   { "gauss 8", { 7, 0 } },   { "verlet", { 2, 1 } },
    { "lobatto 3", { 3, 1 } }, { "lobatto 4", { 4, 1 } }, { "yoshida4", { 5, 1 } },
    { "yoshida6", { 6, 1 } },  { "kahan-li8", { 7, 1 } }, { "blanes-moan6", { 0, 1 } },
    { "newmark", { 1, 1 } },   { "compose 4", { 1, 2 } }, { "compose 6", { 2, 2 } },
    { "compose 8", { 3, 2 } },
};

/* Names that are not in the table: one of all looks by a hash (FNV-1a). */
noe_style_look noe_style_of_method(const char *name)
{
    if (!name) return known[0].look;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, name)) return known[i].look;
    const uint64_t hash = noe_hash(NOE_HASH_BEGIN, name, strlen(name));
    return (noe_style_look){ (int)(hash % NOE_STYLE_COLOURS),
                             (int)(hash / NOE_STYLE_COLOURS % NOE_STYLE_MARKS) };
}

int noe_style_point(int mark)
{
    static const int type[NOE_STYLE_MARKS] = { 7, 5, 9, 13 }; /* disk, square, triangle, diamond */
    return type[mark % NOE_STYLE_MARKS];
}

/* ---- the scale ---- */

/* Blue over green to red, of about the same lightness. */
static const unsigned stop[] = { 0x3a63d8, 0x2493b5, 0x3aa56b, 0xa8962a, 0xdd6b36, 0xc93a6b };
enum { STOPS = sizeof stop / sizeof *stop };

unsigned noe_style_scale(double at)
{
    const double place = (STOPS - 1) * (at > 0 ? at < 1 ? at : 1 : 0);
    const int    k = place < STOPS - 2 ? (int)place : STOPS - 2;
    unsigned     mix = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const double a = stop[k] >> shift & 255, b = stop[k + 1] >> shift & 255;
        mix |= (unsigned)(a + (place - k) * (b - a) + 0.5) << shift;
    }
    return mix;
}

void noe_style_palette(FILE *f)
{
    fputs("set palette maxcolors 48 defined (", f);
    for (int k = 0; k < STOPS; k++) fprintf(f, "%s%d '#%06x'", k ? ", " : "", k, stop[k]);
    fputs(")\n", f);
}
