/* Reads the steps h, h/2, .. h/2^K and the ends of windows T_1 < T_2 ..
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every window is a whole number of every step long. */
#include "study/study.h"

#include "base/status.h"
#include "step/step_end.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HALVINGS_MOST = 30, NODES = 64 /* of the first window, with a monitor */ };

static bool value(const noe_study *s, const noe_study_option *w, const char *text, quad *x)
{
    char name[300];
    return noe_parse_model_value(s->system->model, noe_study_options_name(s, w, name), text, x);
}

static bool whole(const noe_study *s, const noe_study_option *w, int least, int most, int *x)
{
    char      *end;
    const long n = strtol(w->value, &end, 10);
    if (end == w->value || *end || n < least || n > most)
        return noe_study_options_fail(s, w, "expected a whole number from %d to %d", least, most),
               false;
    *x = (int)n;
    return true;
}

static bool positive(const noe_study *s, const noe_study_option *w, const char *text, quad *x)
{
    if (!value(s, w, text, x)) return false;
    return *x > 0
        || (noe_study_options_fail(s, w, "expected a positive %s, not %.6g",
                                   strcmp(w->key, "steps") ? w->key : "step", (double)*x),
            false);
}

bool noe_study_steps_find(noe_study *s)
{
    const noe_study_option *list = noe_study_options_find(s, "steps"),
                           *halved = noe_study_options_find(s, "halvings");
    const noe_study_option *one = noe_study_options_find(s, "step");
    const char            **text = NULL;
    noe_study_option        w;
    int                     halvings = s->kind == NOE_DRIFT ? 0 : 3;
    char                    name[300];
    if (list && (halved || one))
        return noe_status_fail(NOE_INVALID, "%s: give either steps, or step and halvings",
                               noe_study_options_name(s, list, name)),
               false;
    if (halved && !whole(s, halved, 0, HALVINGS_MOST, &halvings)) return false;
    if (list) {
        w = *list;
        if (!(text = noe_study_options_list(s->arena, w.value, &s->steps))) return false;
        if (s->steps > NOE_STUDY_STEPS_MOST)
            return noe_study_options_fail(s, &w, "at most %d steps", NOE_STUDY_STEPS_MOST), false;
    } else {
        if (!noe_study_options_value(s, "step", "step", &w)) return false;
        s->steps = halvings + 1;
    }
    if (!(s->step = noe_arena_take(s->arena, (size_t)s->steps * sizeof *s->step))) return false;
    for (int j = 0; j < s->steps; j++) {
        s->step[j].text = list ? text[j] : w.value;
        if (!list && j) s->step[j].h = s->step[j - 1].h / 2;
        else if (!positive(s, &w, s->step[j].text, &s->step[j].h)) return false;
        if (list && j && !(s->step[j].h < s->step[j - 1].h))
            return noe_study_options_fail(
                       s, &w, "from the coarsest to the finest: %.6g does not follow %.6g",
                       (double)s->step[j].h, (double)s->step[j - 1].h),
                   false;
    }
    return true;
}

double noe_study_steps_count(const noe_study *s, int window, int step)
{
    const quad t0 = s->system->model->t0, span = s->period > 0 ? s->period : s->until[window] - t0;
    if (!noe_system_monitored(s->system)) return (double)(span / s->step[step].h);
    for (int i = 0; i < s->methods; i++) {
        const noe_study_run_statistics *run = noe_study_run_at(s, i, step);
        if (!*run->why) return round(run->steps * (double)(span / (s->until[s->windows - 1] - t0)));
    }
    return NAN;
}

/* Is the window, of this length, a whole number of what lies between two nodes? */
static bool has_whole(const noe_study *s, const noe_study_option *w, quad length, int j)
{
    const quad n = length / s->step[j].apart;
    if (fabsq(n - roundq(n)) <= fmaxq(NOE_STEP_END_PART, n * NOE_SAME_TIME_PART)) return true;
    if (noe_system_monitored(s->system))
        noe_study_options_fail(s, w,
                               "the steps follow a monitor, and errors are measured at %d equal "
                               "times of the first window: expected a whole number of %.10g",
                               NODES, (double)s->step[j].apart);
    else
        noe_study_options_fail(s, w, "%.10g steps of %.10g lead there: expected a whole number",
                               (double)n, (double)s->step[j].h);
    return false;
}

/* Reads the windows and checks that each ends at a node of every step. */
bool noe_study_steps_windows(noe_study *s)
{
    noe_study_option        w;
    const noe_study_option *period = noe_study_options_find(s, "period");
    const bool              varies = noe_system_monitored(s->system);
    if (period && !positive(s, period, period->value, &s->period)) return false;
    if (!noe_study_options_value(s, "until", "until", &w)) return false;
    s->until_text = noe_study_options_list(s->arena, w.value, &s->windows);
    s->until = s->until_text ? noe_arena_take(s->arena, (size_t)s->windows * sizeof *s->until)
                             : NULL;
    for (int i = 0; s->until && i < s->windows; i++) {
        if (!value(s, &w, s->until_text[i], &s->until[i])) return false;
        const quad length = s->until[i] - s->system->model->t0;
        if (!(length > 0))
            return noe_study_options_fail(s, &w, "the end lies behind the start, t = %.10g",
                                          (double)s->system->model->t0),
                   false;
        if (i && !(s->until[i] > s->until[i - 1]))
            return noe_study_options_fail(s, &w, "from the shortest window to the longest"), false;
        for (int j = 0; j < s->steps; j++) {
            if (!i) s->step[j].apart = varies ? length / NODES : s->step[j].h;
            if (!has_whole(s, &w, length, j)) return false;
        }
    }
    return s->until != NULL;
}

bool noe_study_steps_choices(noe_study *s)
{
    const noe_study_option *digits = noe_study_options_find(s, "digits"),
                           *orders = noe_study_options_find(s, "orders");
    s->digits = NOE_DIGITS_DOUBLE;
    if (digits
        && !(s->digits = !strcmp(digits->value, "15") ? NOE_DIGITS_DOUBLE
                       : !strcmp(digits->value, "33") ? NOE_DIGITS_QUAD
                       : !strcmp(digits->value, "64") ? 64
                                                      : 0))
        return noe_study_options_fail(s, digits, "expected 15, 33 or 64"), false;
    if (!orders) return true;
    if (!strcmp(orders->value, "last")) s->order = NOE_ORDER_LAST;
    else if (!strcmp(orders->value, "fit")) s->order = NOE_ORDER_FIT;
    else if (strcmp(orders->value, "ends"))
        return noe_study_options_fail(s, orders, "expected last, ends or fit"), false;
    return true;
}
