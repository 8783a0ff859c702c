/* Expressions of the model language as LaTeX, as they are written.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/latex_expression.h"

#include <stdlib.h>

enum { ARGUMENTS_MOST = 16 };

/* A product as it grows: factors above and below the bar of a fraction. */
typedef struct {
    const char     *text;  /* NULL: no factor yet */
    noe_latex_piece only;  /* the factor, while there is one alone */
    int             count; /* factors so far */
} factors;

static noe_latex_piece sum_of_terms(noe_latex *);
static noe_latex_piece power(noe_latex *);

static bool takes(noe_latex *x, int sign)
{
    if (!noe_lexer_is(&x->lex, sign)) return false;
    noe_lexer_next(&x->lex);
    return true;
}

static void need(noe_latex *x, int sign)
{
    if (!takes(x, sign)) longjmp(x->stop, 1);
}

static const char *bracketed(noe_latex *x, noe_latex_piece f)
{
    return f.sum ? noe_latex_text_join(x, "\\left(%s\\right)", f.text) : f.text;
}

static void multiply(noe_latex *x, factors *to, noe_latex_piece by)
{
    if (!to->count++) to->only = by, to->text = by.text;
    else {
        const char *left = to->count == 2 ? bracketed(x, to->only) : to->text;
        const char *right = bracketed(x, by);
        const bool  digit = *right >= '0' && *right <= '9';
        to->text = noe_latex_text_join(x, "%s%s%s", left, digit ? " \\cdot " : " ", right);
    }
}

static noe_latex_piece product_of(noe_latex *x, const factors *top, const factors *bottom)
{
    if (bottom->count)
        return (noe_latex_piece){ noe_latex_text_join(x, "\\frac{%s}{%s}", top->text, bottom->text),
                                  false, false };
    if (top->count > 1) return (noe_latex_piece){ top->text, false, false };
    return top->only;
}

static noe_latex_piece product(noe_latex *x)
{
    factors top = { 0 }, bottom = { 0 };
    if (takes(x, '-')) {
        const noe_latex_piece f = product(x);
        return (noe_latex_piece){ noe_latex_text_join(x, "-%s", bracketed(x, f)), true, false };
    }
    takes(x, '+');
    multiply(x, &top, power(x));
    for (;;) {
        const bool times = noe_lexer_is(&x->lex, '*'), over = noe_lexer_is(&x->lex, '/'),
                   mod = noe_lexer_is_word(&x->lex, "mod");
        if (!times && !over && !mod) return product_of(x, &top, &bottom);
        noe_lexer_next(&x->lex);
        const noe_latex_piece f = power(x);
        if (over) {
            multiply(x, &bottom, f);
            continue;
        }
        if (mod || bottom.count) { /* m/2*x is (m/2) x */
            const noe_latex_piece before = product_of(x, &top, &bottom);
            top = bottom = (factors){ 0 };
            multiply(x, &top, before);
        }
        if (times) multiply(x, &top, f);
        else {
            const char *left = bracketed(x, product_of(x, &top, &bottom));
            top = (factors){ 0 };
            multiply(x, &top,
                     (noe_latex_piece){
                         noe_latex_text_join(x, "%s \\;\\mathrm{mod}\\; %s", left, bracketed(x, f)),
                         true, false });
        }
    }
}

static noe_latex_piece sum_of_terms(noe_latex *x)
{
    noe_latex_piece left = product(x);
    for (;;) {
        const bool plus = noe_lexer_is(&x->lex, '+');
        if (!plus && !noe_lexer_is(&x->lex, '-')) return left;
        noe_lexer_next(&x->lex);
        const noe_latex_piece right = product(x);
        left.text = noe_latex_text_join(x, "%s %c %s", left.text, plus ? '+' : '-',
                                        bracketed(x, right));
        left.sum = true, left.simple = false;
    }
}

static noe_latex_piece comparison(noe_latex *x)
{
    static const struct {
        int         sign;  /* as in the model */
        const char *latex; /* command */
    } relation[] = { { '<', "<" }, { 'l', "\\le" }, { '>', ">" }, { 'g', "\\ge" }, { '=', "=" } };
    noe_latex_piece left = sum_of_terms(x);
    for (size_t i = 0; i < sizeof relation / sizeof *relation; i++)
        if (takes(x, relation[i].sign)) {
            left.text = noe_latex_text_join(x, "%s %s %s", left.text, relation[i].latex,
                                            sum_of_terms(x).text);
            i = (size_t)-1;
        }
    return left;
}

/* sum(i in 1..n, j in i+1..n) BODY, after its first bracket. */
static noe_latex_piece series(noe_latex *x)
{
    const char *signs = "";
    do {
        if (x->lex.token.kind != NOE_NAME) longjmp(x->stop, 1);
        const char *index = noe_latex_expression_name(x, NULL), *by = "";
        if (!noe_lexer_is_word(&x->lex, "in")) longjmp(x->stop, 1);
        noe_lexer_next(&x->lex);
        const char *low = sum_of_terms(x).text;
        need(x, NOE_RANGE);
        const char *high = sum_of_terms(x).text;
        if (noe_lexer_is_word(&x->lex, "by")) {
            noe_lexer_next(&x->lex);
            by = noe_latex_text_join(x, "\\ \\mathrm{by}\\ %s", sum_of_terms(x).text);
        }
        signs = noe_latex_text_join(x, "%s\\sum_{%s=%s%s}^{%s} ", signs, index, low, by, high);
    } while (takes(x, ','));
    need(x, ')');
    const noe_latex_piece body = sum_of_terms(x);
    return (noe_latex_piece){ noe_latex_text_join(x, "%s%s", signs, bracketed(x, body)), false,
                              false };
}

static const char *listed(noe_latex *x, const char *list, const char *next)
{
    return list ? noe_latex_text_join(x, "%s, %s", list, next) : next;
}

/* The indices of a name, after "[". */
static const char *indices(noe_latex *x, const char **ranges)
{
    const char *list = NULL;
    do {
        const char *one = sum_of_terms(x).text;
        list = listed(x, list, one);
        if (!noe_lexer_is_word(&x->lex, "in") || !ranges) continue;
        noe_lexer_next(&x->lex);
        const char *low = sum_of_terms(x).text;
        need(x, NOE_RANGE);
        *ranges = noe_latex_text_join(x, "%s%s %s = %s, \\ldots, %s", *ranges,
                                      **ranges ? ",\\" : "\\quad", one, low, sum_of_terms(x).text);
    } while (takes(x, ','));
    need(x, ']');
    return list;
}

/* "x" of a component after "." as in r[i].x and r'.x; NULL: there is none. */
static const char *component(noe_latex *x)
{
    if (!takes(x, '.')) return NULL;
    const noe_token k = x->lex.token;
    if (k.kind != NOE_NAME) longjmp(x->stop, 1);
    noe_lexer_next(&x->lex);
    return noe_latex_text_join(x, "%.*s", (int)k.length, x->lex.source.text + k.at);
}

const char *noe_latex_expression_name(noe_latex *x, const char **ranges)
{
    const noe_token k = x->lex.token;
    const char     *name = x->lex.source.text + k.at, *dot = memchr(name, '.', k.length);
    const size_t    length = dot ? (size_t)(dot - name) : k.length;
    noe_lexer_next(&x->lex);
    const char *latex = noe_latex_symbol(x, name, length), *index = NULL, *part = NULL;
    if (dot) part = noe_latex_text_join(x, "%.*s", (int)(k.length - length - 1), dot + 1);
    if (takes(x, '[')) index = indices(x, ranges);
    if (!part) part = component(x);
    if (takes(x, '\'')) { /* \dot{x}_{1}: the dot above the letter alone */
        const char *below = strstr(latex, "_{");
        const int   above = below ? (int)(below - latex) : (int)strlen(latex);
        latex = noe_latex_text_join(x, "\\dot{%.*s}%s", above, latex, below ? below : "");
        if (!part) part = component(x);
    }
    if (part) index = listed(x, index, part);
    if (!index) return latex;
    const size_t n = strlen(latex);
    if (latex[n - 1] == '}' && strstr(latex, "_{")) /* x_{1}[i] -> x_{1, i} */
        return noe_latex_text_join(x, "%.*s, %s}", (int)n - 1, latex, index);
    return noe_latex_text_join(x, "%s_{%s}", latex, index);
}

static noe_latex_piece number(noe_latex *x)
{
    const char  *text = x->lex.source.text + x->lex.token.at;
    const size_t length = x->lex.token.length;
    size_t       mantissa = 0;
    while (mantissa < length && text[mantissa] != 'e' && text[mantissa] != 'E') mantissa++;
    noe_lexer_next(&x->lex);
    if (mantissa == length)
        return (noe_latex_piece){ noe_latex_text_join(x, "%.*s", (int)length, text), false, true };
    return (noe_latex_piece){ noe_latex_text_join(x, "%.*s \\cdot 10^{%d}", (int)mantissa, text,
                                                  atoi(text + mantissa + 1)),
                              false, false };
}

static noe_latex_piece call(noe_latex *x, const char *name, size_t length)
{
    noe_latex_piece piece[ARGUMENTS_MOST];
    const char     *argument[ARGUMENTS_MOST];
    int             arguments = 0;
    do {
        if (arguments == ARGUMENTS_MOST) longjmp(x->stop, 1);
        piece[arguments] = comparison(x);
        argument[arguments] = piece[arguments].text;
        arguments++;
    } while (takes(x, ','));
    need(x, ')');
    const bool dot = length == 3 && !memcmp(name, "dot", 3),
               cross = length == 5 && !memcmp(name, "cross", 5);
    if ((dot || cross) && arguments == 2)
        return (noe_latex_piece){ noe_latex_text_join(x, "%s \\%s %s", bracketed(x, piece[0]),
                                                      dot ? "cdot" : "times",
                                                      bracketed(x, piece[1])),
                                  true, false };
    return (noe_latex_piece){ noe_latex_function(x, name, length, arguments, argument), false,
                              false };
}

/* (a) or the vector (a, b, c), after its first bracket. */
static noe_latex_piece group(noe_latex *x)
{
    noe_latex_piece inner = sum_of_terms(x);
    if (takes(x, ')')) return inner;
    const char *list = inner.text;
    while (takes(x, ',')) list = listed(x, list, sum_of_terms(x).text);
    need(x, ')');
    return (noe_latex_piece){ noe_latex_text_join(x, "\\left(%s\\right)", list), false, true };
}

static noe_latex_piece atom(noe_latex *x)
{
    const noe_token k = x->lex.token;
    const char     *name = x->lex.source.text + k.at, *part;
    noe_latex_piece f;
    if (k.kind == NOE_NUMBER) return number(x);
    if (takes(x, '(')) f = group(x);
    else if (k.kind != NOE_NAME) longjmp(x->stop, 1);
    else if (name[k.length + strspn(name + k.length, " \t")] != '(')
        return (noe_latex_piece){ noe_latex_expression_name(x, NULL), false, true };
    else {
        const bool whole = noe_lexer_is_word(&x->lex, "sum");
        noe_lexer_next(&x->lex);
        need(x, '(');
        f = whole ? series(x) : call(x, name, k.length);
    }
    if (!(part = component(x))) return f; /* cross(r, p).z */
    return (noe_latex_piece){ noe_latex_text_join(
                                  x, f.simple ? "%s_{%s}" : "\\left(%s\\right)_{%s}", f.text, part),
                              false, true };
}

static noe_latex_piece power(noe_latex *x)
{
    if (takes(x, '-')) {
        const noe_latex_piece f = power(x);
        return (noe_latex_piece){ noe_latex_text_join(x, "-%s", bracketed(x, f)), true, false };
    }
    const noe_latex_piece base = atom(x);
    if (!takes(x, '^')) return base;
    const char *exponent = power(x).text;
    return (
        noe_latex_piece){ noe_latex_text_join(x, base.simple ? "%s^{%s}" : "\\left(%s\\right)^{%s}",
                                              base.text, exponent),
                          false, false };
}

noe_latex_piece noe_latex_expression_parse(noe_latex *x) { return sum_of_terms(x); }
