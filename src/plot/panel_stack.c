/* Panels one below another, in a picture as high as they need.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/panel_stack.h"

#include <math.h>
#include <string.h>

/* Heights: of the line above a panel, of numbers and label below it, of the gap without them; of a
 * panel of weight 1 where there are many. */
enum { HEAD = 32, NUMBERS = 64, GAP = 10, TALL = 230 };
enum { LEFT = 34, RIGHT = 24 }; /* beside the panels and their numbers */

static bool same_axis(const noe_panel *a, const noe_panel *b)
{
    return a->time && b->time && !strcmp(a->x_label, b->x_label);
}

void noe_panel_stack_arrange(noe_picture *picture, noe_panel *panel, int panels)
{
    double left = 0, legend = 0, weight = 0, taken = noe_picture_head(picture);
    for (int i = 0; i < panels; i++) {
        noe_panel_measure(&panel[i]);
        left = fmax(left, LEFT + NOE_STYLE_LETTER * noe_axis_width(&panel[i].y));
        panel[i].numbers = !panel[i].across
                        && (i == panels - 1 || !same_axis(&panel[i], &panel[i + 1]));
        weight += panel[i].weight;
        taken += HEAD + (panel[i].numbers ? NUMBERS : GAP);
    }
    for (int i = 0; i < panels; i++)
        legend = fmax(legend, noe_panel_legend(&panel[i], NOE_STYLE_WIDTH - left - RIGHT));
    const double h = picture->height = fmax(NOE_STYLE_HEIGHT, taken + TALL * weight),
                 each = (h - taken) / weight;
    double y = h - noe_picture_head(picture);
    for (int i = 0; i < panels; i++) {
        noe_panel *p = &panel[i];
        p->height = h;
        p->left = left / NOE_STYLE_WIDTH;
        p->right = (NOE_STYLE_WIDTH - RIGHT - legend) / NOE_STYLE_WIDTH;
        p->top = (y -= HEAD) / h;
        p->bottom = (y -= each * p->weight) / h;
        y -= p->numbers ? NUMBERS : GAP;
        noe_panel_equal(p);
    }
}

typedef struct {
    const noe_panel *panel; /* [panels] from the top down */
    int              panels;
    noe_arena       *memory;
} stack;

static noe_status body(void *what, FILE *f)
{
    const stack *x = what;
    noe_status   s = NOE_OK;
    for (int i = 0; i < x->panels && !s; i++) {
        s = noe_panel_draw(&x->panel[i], f, x->memory);
        if (!i) fputs("unset label 1\nunset label 2\n", f);
    }
    return s;
}

noe_status noe_panel_stack_draw(const noe_picture *picture, const noe_panel *panel, int panels,
                                noe_arena *memory)
{
    stack x = { panel, panels, memory };
    return noe_picture_draw(picture, body, &x);
}
