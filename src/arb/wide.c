/* Conversion of binary128 numbers to Arb and back.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     binary128 = d_1 + d_2 + d_3 in doubles */
#include "arb/wide.h"

#include "base/optional_library.h"
#include "base/status.h"
#include "arb/exact_solution.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 3 }; /* 3 x 53 bits hold 113 */

void noe_wide_from(arb_t x, quad y)
{
    int   e = 0;
    quad  m = finiteq(y) ? frexpq(y, &e) : 0;
    arf_t d;
    arf_init(d);
    arb_zero(x);
    for (int i = 0; i < PARTS; i++) {
        arf_set_d(d, (double)m);
        m -= (double)m;
        arf_add(arb_midref(x), arb_midref(x), d, ARF_PREC_EXACT, ARF_RND_DOWN);
    }
    arb_mul_2exp_si(x, x, e);
    if (!finiteq(y)) arb_indeterminate(x);
    arf_clear(d);
}

quad noe_wide_to(const arb_t x)
{
    arf_t  m, d;
    fmpz_t e;
    quad   y = 0;
    if (!arb_is_finite(x)) return nanq("");
    arf_init(m), arf_init(d), fmpz_init(e);
    arf_set_round(m, arb_midref(x), FLT128_MANT_DIG, ARF_RND_NEAR);
    arf_frexp(m, e, m);
    for (int i = 0; i < PARTS; i++) {
        const double part = arf_get_d(m, ARF_RND_DOWN);
        arf_set_d(d, part);
        arf_sub(m, m, d, ARF_PREC_EXACT, ARF_RND_DOWN);
        y += part;
    }
    y = ldexpq(y, fmpz_cmp_si(e, 20000) > 0    ? 20000
                  : fmpz_cmp_si(e, -20000) < 0 ? -20000
                                               : (int)fmpz_get_si(e));
    arf_clear(m), arf_clear(d), fmpz_clear(e);
    return y;
}

noe_wide *noe_wide_new(void)
{
    if (noe_optional_library_require(NOE_OF_FLINT, "numbers of more than 33 digits")) return NULL;
    noe_wide *w = noe_status_alloc(1, sizeof *w);
    if (w) arb_init(w->x);
    return w;
}

void noe_wide_free(noe_wide *w)
{
    if (!w) return;
    arb_clear(w->x);
    free(w);
}

void noe_wide_set(noe_wide *w, quad x) { noe_wide_from(w->x, x); }
quad noe_wide_get(const noe_wide *w) { return noe_wide_to(w->x); }

char *noe_wide_text(const noe_wide *w, int digits)
{
    arb_t middle;
    arb_init(middle);
    arb_get_mid_arb(middle, w->x);
    char *text = arb_is_finite(w->x) ? arb_get_str(middle, digits, ARB_STR_NO_RADIUS) : NULL;
    char *copy = noe_status_alloc(text ? strlen(text) + 1 : 4, 1);
    if (copy) strcpy(copy, text ? text : "nan");
    flint_free(text);
    arb_clear(middle);
    /* 0.50000 has no more information than 0.5 */
    char *e = copy ? copy + strcspn(copy, "e") : NULL, *end = e;
    if (copy && memchr(copy, '.', (size_t)(e - copy))) {
        while (end[-1] == '0') end--;
        if (end[-1] == '.') end--;
        memmove(end, e, strlen(e) + 1);
    }
    return copy;
}

void noe_wide_leave_thread(void)
{
    if (noe_optional_library_has(NOE_OF_FLINT)) flint_cleanup();
}
