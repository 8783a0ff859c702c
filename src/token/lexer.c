/* Lexer of the model language: text to names, numbers, strings and signs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "token/lexer.h"

#include "token/foreign_word.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 128;
}
static bool digit(char c) { return c >= '0' && c <= '9'; }

/* digits [. digits] [e [+-] digits]; ".." does not belong to a number. */
static size_t number_length(const char *p)
{
    size_t n = 0;
    while (digit(p[n])) n++;
    if (p[n] == '.' && p[n + 1] != '.') {
        n++;
        while (digit(p[n])) n++;
    }
    if (p[n] == 'e' || p[n] == 'E') {
        size_t m = n + 1;
        if (p[m] == '+' || p[m] == '-') m++;
        if (digit(p[m])) {
            while (digit(p[m])) m++;
            n = m;
        }
    }
    return n;
}

/* strtoflt128 uses the decimal point of the thread's locale, so the C locale is set for the
 * call. */
static quad decimal(const char *text)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
    const quad     value = strtoflt128(text, NULL);
    uselocale(before);
    freelocale(plain);
    return value;
}

bool noe_lexer_number(const char *text, size_t length, quad *value)
{
    enum { NUMBER_MOST = 1000 };
    char         copy[NUMBER_MOST + 1];
    const size_t sign = length && (*text == '-' || *text == '+'), digits = length - sign;
    if (length > NUMBER_MOST || !digits
        || !(digit(text[sign]) || (text[sign] == '.' && digit(text[sign + 1]))))
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    if (number_length(copy + sign) != digits) return false;
    *value = decimal(copy);
    return finiteq(*value);
}

static void number(noe_lexer *x)
{
    enum { NUMBER_MOST = 1000 };
    char        copy[NUMBER_MOST + 1]; /* strtoflt128 must not run on into what follows */
    noe_token  *k = &x->token;
    const char *p = x->source.text + k->at;
    k->kind = NOE_NUMBER;
    k->length = number_length(p);
    if (k->length > NUMBER_MOST)
        noe_source_fail(&x->source, k->at, "a number of more than %d characters", NUMBER_MOST);
    memcpy(copy, p, k->length);
    copy[k->length] = 0;
    k->number = decimal(copy);
    if (!finiteq(k->number)) noe_source_fail(&x->source, k->at, "the number is too large");
    if (letter(p[k->length]))
        noe_source_fail(&x->source, k->at + k->length,
                        "a name right after a number: write * between them");
    x->at = k->at + k->length;
}

/* Is the '.' at p that of a component, r.x?  Velocities x.v and momenta x.p are for the command
 * line. */
static bool component(const char *p)
{
    if (p[0] != '.' || !letter(p[1])) return false;
    return (p[1] != 'v' && p[1] != 'p') || letter(p[2]) || digit(p[2]);
}

static void sign(noe_lexer *x)
{
    noe_token  *k = &x->token;
    const char *p = x->source.text + k->at;
    k->kind = NOE_SIGN;
    k->length = 1;
    k->sign = p[0];
    size_t            length;
    const char *const advice = noe_foreign_word_sign(p, &length);
    if (advice)
        noe_source_fail(&x->source, k->at, "'%.*s' has no meaning here: %s", (int)length, p,
                        advice);
    if ((p[0] == '<' || p[0] == '>') && p[1] == '=') {
        k->length = 2;
        k->sign = p[0] == '<' ? 'l' : 'g';
    } else if (p[0] == '.' && p[1] == '.') {
        k->length = 2;
        k->sign = NOE_RANGE;
    } else if (component(p) && k->at > 0 && strchr("])'", p[-1])) {
        k->sign = '.'; /* r[1].x: the component's name comes next */
    } else if (p[0] == '.' && k->at > 0
               && (letter(p[-1]) || digit(p[-1]) || strchr("])'", p[-1]))) {
        noe_source_fail(
            &x->source, k->at,
            "'.' has no meaning here: in a model the velocity of x is x', its momentum p(x), a "
            "member x[3]; x.v, x.p and x.3 are for the command line");
    } else if (!strchr("+-*/^()=,'<>[]:", p[0])) {
        noe_source_fail(&x->source, k->at, "'%c' has no meaning here", p[0]);
    }
    if (p[0] == '(' || p[0] == '[') x->parens++;
    if ((p[0] == ')' || p[0] == ']') && x->parens > 0) x->parens--;
    x->at = k->at + k->length;
}

static void string(noe_lexer *x)
{
    noe_token *k = &x->token;
    k->kind = NOE_STRING;
    const size_t quote = k->at++;
    for (x->at = k->at; x->at < x->source.length && x->source.text[x->at] != '"'; x->at++)
        if (x->source.text[x->at] == '\n') break;
    if (x->at >= x->source.length || x->source.text[x->at] != '"')
        noe_source_fail(&x->source, quote,
                        "the string is not closed: expected '\"' before the end of the line");
    k->length = x->at++ - k->at;
}

void noe_lexer_next(noe_lexer *x)
{
    const char *text = x->source.text;
    x->end = x->at;
    for (;; x->at++) {
        if (text[x->at] == '#')
            while (x->at < x->source.length && text[x->at] != '\n') x->at++;
        const char c = text[x->at];
        if (c != ' ' && c != '\t' && c != '\r' && !(c == '\n' && x->parens)) break;
    }
    x->token = (noe_token){ .kind = NOE_END, .at = x->at };
    const char c = text[x->at];
    if (x->at >= x->source.length) return;
    if (c == '\n') x->token.kind = NOE_LINE, x->at++;
    else if (letter(c)) {
        while (letter(text[x->at]) || digit(text[x->at]) || component(text + x->at)) x->at++;
        x->token.kind = NOE_NAME;
        x->token.length = x->at - x->token.at;
    } else if (digit(c) || (c == '.' && digit(text[x->at + 1]))) number(x);
    else if (c == '"') string(x);
    else sign(x);
}

bool noe_lexer_is(const noe_lexer *x, int sign)
{
    return x->token.kind == NOE_SIGN && x->token.sign == sign;
}

void noe_lexer_describe(const noe_lexer *x, char out[64])
{
    const noe_token *k = &x->token;
    const int        n = noe_source_shown(x->source.text + k->at, k->length, 40);
    if (k->kind == NOE_END) snprintf(out, 64, "the end of the text");
    else if (k->kind == NOE_LINE) snprintf(out, 64, "the end of the line");
    else snprintf(out, 64, "'%.*s'", n, x->source.text + k->at);
}
