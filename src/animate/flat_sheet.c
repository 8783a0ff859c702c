/* The whole sheet: title, motion and energy of a finished film.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "animate/flat_sheet.h"

#include <stdio.h>
#include <string.h>

/* The name of the model at the left, method and step at the right: "NAME.lag: METHOD, step H". */
static void write_title(noe_flat_picture *x)
{
    const char *caption = x->film->caption;
    const char *colon = strstr(caption, ": "), *dot = strstr(caption, ".lag");
    const char *end = dot ? dot : colon ? colon : caption + strlen(caption);
    char        name[sizeof x->film->caption];
    snprintf(name, sizeof name, "%.*s", (int)(end - caption), caption);
    for (char *c = name; *c; c++)
        if (*c == '_') *c = ' ';
    noe_flat_picture_write(x, 2, 26, 's', "title", "%s", name);
    if (colon) noe_flat_picture_write(x, 638, 26, 'e', "soft", "%s", colon + 2);
}

bool noe_flat_sheet_make(noe_flat_picture *x, const noe_film *f)
{
    if (!noe_flat_picture_make(x, f)) return false;
    write_title(x);
    const bool motion = f->scene.kind == NOE_SCENE_SPACE  ? noe_flat_scene_add(x)
                      : f->scene.kind == NOE_SCENE_CURVES ? noe_flat_graph_curves(x)
                                                          : noe_flat_graph_wave(x);
    x->below = x->marks;
    return motion && noe_flat_graph_energy(x);
}
