/* The order of a splitting or composition from its coefficients.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * product of exponentials = exp(A + B) + O(order + 1): the order of a splitting from its
 * coefficients.
 *
 * In the free associative algebra over A and B a product is one coefficient for each word, and
 * exp(A + B) is 1/n! for every word of length n (Hairer, Lubich & Wanner, Geometric Numerical
 * Integration, III.4-5).  A word is a number: a leading 1, then a bit a letter, A = 1.  Where T
 * is quadratic in p and V free of p, the bracket
 *     [B,[B,[B,A]]] = BBBA - 3 BBAB + 3 BABB - ABBB
 * vanishes, and every word is equal to one without ABBB; ABBB does not overlap itself, so in one
 * way only.
 *
 * Steps of a symmetric method are exp(x Y_1 + x^(b+1) Y_(b+1) + x^(b+3) Y_(b+3) ..), b its
 * order; a word of these letters has the sum of their indices as its degree. */
#include "method/order_conditions.h"

#include <stdlib.h>

/* coefficients have 34 digits, products of some 70 of them a few less */
static const double CONDITION_ZERO = 1e-27;

static bool small(quad x) { return fabsq(x) < CONDITION_ZERO; }

/* c <- c exp(x letter), words of up to `length` letters; longer ones first, since they read
 * shorter ones. */
static void append(quad *c, int length, int letter, quad x)
{
    for (int w = (2 << length) - 1; w > 1; w--) {
        quad power = 1;
        int  prefix = w;
        for (int k = 1; prefix > 1 && (prefix & 1) == letter; k++) {
            prefix >>= 1;
            power *= x / k;
            c[w] += c[prefix] * power;
        }
    }
}

/* ABBB -> BBBA - 3 BBAB + 3 BABB, which are smaller numbers: one sweep downwards. */
static void reduce(quad *c, int length)
{
    for (int w = (2 << length) - 1; w >= 16; w--)
        for (int at = 0; w >> at >= 16; at++)
            if ((w >> at & 15) == 8) {
                const int rest = w - (8 << at);
                c[rest + (1 << at)] += c[w];
                c[rest + (2 << at)] -= 3 * c[w];
                c[rest + (4 << at)] += 3 * c[w];
                c[w] = 0;
                break;
            }
}

static bool agrees(int length, int n, const quad *x, bool drift_first, bool quadratic, quad *c)
{
    const int words = 2 << length;
    quad      one = 1;
    for (int w = 0; w < words; w++) c[w] = w == 1;
    for (int i = 0; i < n; i++) append(c, length, (i + drift_first) % 2, x[i]);
    for (int k = 1; k <= length; k++) one /= k;
    for (int w = 0; w < words; w++)
        c[w] = w < words / 2 ? 0 : c[w] - one; /* those of this length only */
    if (quadratic) reduce(c, length);
    for (int w = words / 2; w < words; w++)
        if (!small(c[w])) return false;
    return true;
}

int noe_order_conditions_of_splitting(int n, const quad *x, bool drift_first, bool quadratic)
{
    quad c[2 << (NOE_ORDER_CONDITIONS_MOST + 1)];
    int  order = 0;
    while (order < NOE_ORDER_CONDITIONS_MOST && agrees(order + 1, n, x, drift_first, quadratic, c))
        order++;
    return order;
}

/* ---- compositions ---- */

enum { WORDS = 1 << 10 }; /* in letters 1, 3, 5, .. up to degree 12: 609 */

typedef struct {
    int  prefix, letter, degree; /* the word without its last letter */
    quad c;
} word;

static int list_words(word *list, int base)
{
    int n = 0;
    list[n++] = (word){ .prefix = -1, .c = 1 };
    for (int degree = 1; degree <= NOE_ORDER_CONDITIONS_MOST + 1; degree++)
        for (int i = 0, before = n; i < before; i++) {
            const int letter = degree - list[i].degree;
            if (letter == 1 || (letter > base && letter % 2))
                list[n++] = (word){ i, letter, degree, 0 };
        }
    return n;
}

int noe_order_conditions_of_composition(int n, const quad *x, int base)
{
    word      list[WORDS];
    const int words = list_words(list, base);
    int       order = NOE_ORDER_CONDITIONS_MOST;
    for (int i = 0; i < n; i++) {
        quad power[NOE_ORDER_CONDITIONS_MOST + 2] = { 1 };
        for (int k = 1; k <= NOE_ORDER_CONDITIONS_MOST + 1; k++) power[k] = power[k - 1] * x[i];
        for (int w = words; w-- > 1;) {
            quad tail = 1;
            int  prefix = w;
            for (int k = 1; prefix > 0; k++) {
                tail *= power[list[prefix].letter] / k;
                prefix = list[prefix].prefix;
                list[w].c += list[prefix].c * tail;
            }
        }
    }
    for (int w = 1; w < words; w++) {
        quad want = 1;
        for (int k = 1; k <= list[w].degree; k++) want /= k;
        for (int at = w; at > 0; at = list[at].prefix)
            if (list[at].letter > 1) want = 0;
        if (!small(list[w].c - want) && list[w].degree <= order) order = list[w].degree - 1;
    }
    return order;
}
