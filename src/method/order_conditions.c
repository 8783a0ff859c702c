/* The order of splittings and compositions from their coefficients.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     exp(x_1 h B) exp(x_2 h A) .. = exp(h (A + B)) + O(h^(order + 1))
 *
 * In the free associative algebra over A and B, with h = 1, a product of exponentials is one
 * coefficient for each word, and exp(A + B) is 1/n! for every word of length n (Hairer, Lubich &
 * Wanner, Geometric Numerical Integration, III.4-5). A word is stored as a number: a leading bit 1,
 * then one bit for each letter, A = 1, B = 0. Where T is quadratic in p and V does not contain p,
 * the bracket
 *
 *     [B,[B,[B,A]]] = BBBA - 3 BBAB + 3 BABB - ABBB
 *
 * vanishes, so every word is equal to a combination of words without ABBB. ABBB does not overlap
 * itself, so this combination is unique.
 *
 * A step of a symmetric method of order b is exp(x Y_1 + x^(b+1) Y_(b+1) + x^(b+3) Y_(b+3) +
 * ..); the degree of a word of these letters is the sum of their indices. */
#include "method/order_conditions.h"

#include <stdlib.h>

/* coefficients have 34 digits; products of some 70 of them lose a few */
static const double WORD_ERROR_MOST = 1e-27;

static bool small(quad x) { return fabsq(x) < WORD_ERROR_MOST; }

/* c <- c exp(x letter) for words of up to `length` letters; longer words first, since they need
 * the old coefficients of shorter ones. */
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

/* Replaces ABBB by BBBA - 3 BBAB + 3 BABB; these are smaller numbers, so one descending pass
 * suffices. */
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
        c[w] = w < words / 2 ? 0 : c[w] - one; /* only words of `length` letters are compared */
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

/* memory; there are 377 words of the letters 1, 3, 5, .. up to degree 12, with the empty one */
enum { WORDS = 1 << 10 };

typedef struct {
    /* index of the word without its last letter; that letter; degree */
    int  prefix, letter, degree;
    quad c; /* coefficient of the word */
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
