/* psi_h = phi_(gamma_k h) o .. o phi_(gamma_1 h): a symmetric method composed with itself.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * From order m to m + 2 by three steps, 1/(2 - 2^(1/(m+1))) twice and what is left between them
 * (Suzuki, Yoshida, 1990); or by a set of steps, whose order is that for methods of order 2 or
 * more.  Either way the order of the result is computed, method/order_conditions.c. */
#include "method/composition.h"

#include "base/status.h"
#include "method/method_name.h"
#include "method/method_rounding.h"
#include "method/splitting.h"
#include "method/order_conditions.h"

#include <ctype.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool noe_composition_named(const char *text, const char **rest)
{
    static const char word[] = "compose";
    text += strspn(text, " \t\r\n");
    for (int i = 0; word[i]; i++)
        if (tolower((unsigned char)text[i]) != word[i]) return false;
    *rest = text + strlen(word);
    return !isalpha((unsigned char)**rest) && **rest != '-';
}

/* Replaces the n steps x of a method by those of its triple jump: the n steps three times,
 * scaled by 1/(2 - 2^(1/(order+1))), by what is left, and by the first factor again. Returns 3
 * n; 0: more than NOE_MAX_PARTS. */
static int triple(quad *x, int n, int order)
{
    const quad outer = 1 / (2 - powq(2, (quad)1 / (order + 1)));
    if (3 * n > NOE_MAX_PARTS) return 0;
    for (int i = 0; i < n; i++) x[n + i] = (1 - 2 * outer) * x[i], x[2 * n + i] = outer * x[i];
    for (int i = 0; i < n; i++) x[i] = x[2 * n + i];
    return 3 * n;
}

static int to_order(const char *text, int order, const noe_method *base, quad *x)
{
    int n = 1;
    x[0] = 1;
    if (order % 2 || order <= base->order) {
        noe_status_fail(NOE_INVALID,
                        "method '%.60s': expected an even order above %d, which %s has itself",
                        text, base->order, base->name);
        return 0;
    }
    for (int m = base->order; n && m < order; m += 2) n = triple(x, n, m);
    if (!n)
        noe_status_fail(
            NOE_INVALID,
            "method '%.60s': order %d by threefold steps takes more than %d of them; take a set of "
            "steps, as \"compose sofroniou-spaletta10 %s\"",
            text, order, NOE_MAX_PARTS, base->name);
    return n;
}

static bool flows(noe_method *f, const noe_method *base, const quad *x, int n)
{
    f->flows = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < base->flows; k++)
            if (!noe_splitting_add(f, (k + base->drift_first) % 2, x[i] * base->flow[k]))
                return false;
    noe_splitting_traits(f);
    return true;
}

/* The parts of a composition of a composition are products of the steps of both. */
static bool parts(noe_method *f, const noe_method *base, const quad *x, int n)
{
    const int inner = base->parts ? base->parts : 1;
    if (n * inner > NOE_MAX_PARTS) return false;
    f->parts = n * inner;
    for (int i = 0; i < f->parts; i++)
        f->part[i] = x[i / inner] * (base->parts ? base->part[i % inner] : 1);
    f->order = noe_order_conditions_of_composition(n, x, base->order);
    f->symmetric = base->symmetric;
    for (int i = 0; i < n; i++) f->symmetric &= fabsq(x[i] - x[n - 1 - i]) < COEFFICIENTS_EQUAL;
    return true;
}

/* f is a copy of base; replaces it by the composition. False with a message. */
static bool compose(noe_method *f, const noe_method *base, const char *text, const char *how)
{
    quad        x[NOE_MAX_PARTS];
    const char *table = isdigit((unsigned char)*how) ? NULL : noe_method_name_steps(text, how);
    int         n;
    if (!base->symmetric || (base->kind != NOE_GALERKIN && base->kind != NOE_SPLITTING)) {
        noe_status_fail(
            NOE_INVALID,
            "method '%.60s': %s is %s; compositions are of symmetric methods, as simpson, "
            "midpoint or verlet",
            text, base->name,
            base->symmetric ? "neither a Galerkin method nor a splitting" : "not symmetric");
        return false;
    }
    if (!table && !isdigit((unsigned char)*how)) return false;
    n = table ? noe_splitting_steps(table, x, NOE_MAX_PARTS) : to_order(text, atoi(how), base, x);
    if (!n) return false;
    if (!(base->kind == NOE_SPLITTING ? flows(f, base, x, n) : parts(f, base, x, n))) {
        noe_status_fail(NOE_INVALID, "method '%.60s': more than %d steps", text, NOE_MAX_PARTS);
        return false;
    }
    if (snprintf(f->name, sizeof f->name, "compose %s %s", how, base->name) < (int)sizeof f->name)
        return true;
    noe_status_fail(NOE_INVALID, "method '%.60s': the name is too long", text);
    return false;
}

const char *noe_composition_inner(const char *text, const char *rest, char how[32])
{
    size_t n;
    rest += strspn(rest, " \t\r\n");
    n = isdigit((unsigned char)*rest) ? strspn(rest, "0123456789") : strcspn(rest, " \t\r\n");
    if (n == 0 || n >= 32 || !rest[n + strspn(rest + n, " \t\r\n")]
        || (isdigit((unsigned char)*rest) && n > 2)) {
        noe_status_fail(NOE_INVALID,
                        "method '%.60s': expected an order or a set of steps, then a method, as "
                        "\"compose 6 simpson\" "
                        "or \"compose kahan-li8 midpoint\"",
                        text);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) how[i] = (char)tolower((unsigned char)rest[i]);
    how[n] = 0;
    return rest + n;
}

noe_method *noe_composition_make(const char *text, const char *how, const noe_method *base)
{
    noe_method *f = base ? noe_status_alloc(1, sizeof *f) : NULL;
    if (f) {
        *f = *base;
        if (!compose(f, base, text, how)) {
            free(f);
            f = NULL;
        }
    }
    return f;
}

double noe_composition_path_length(const noe_method *f)
{
    double way = 0;
    for (int k = 0; k < f->parts; k++) way += fabs((double)f->part[k]);
    for (int k = f->drift_first; f->kind == NOE_SPLITTING && k < f->flows; k += 2)
        way += fabs((double)f->flow[k]);
    return way > 0 ? way : 1;
}
