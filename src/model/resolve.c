/* name -> symbol, or the nearest name in a message.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "token/foreign_word.h"
#include "model/sum_parser.h"

#include <string.h>

/* Names that no parameter, coordinate, definition or index may have: noe_resolve_is_reserved() asks
 * for all three lists.  Words of the language; columns of a run, which unknown() explains, too; and
 * functions, which unknown() proposes. */
static const char *const language_names[] = { "t", "pi", "p", "sum", "mod", "and", "or" };
static const char *const run_columns[] = {
#define ENERGY_COLUMN(name, value) #name,
#include "base/energy_columns.def"
#undef ENERGY_COLUMN
    "event",
};
static const char *const function_names[] = {
#define FUNCTION(name, derivative) #name,
#include "expr/functions.def"
#undef FUNCTION
    "atan2", "min", "max", "if", "table", "dot", "cross", "norm",
};
enum {
    LANGUAGE_NAMES = sizeof language_names / sizeof *language_names,
    RUN_COLUMNS = sizeof run_columns / sizeof *run_columns,
    FUNCTION_NAMES = sizeof function_names / sizeof *function_names
};

static bool among(const noe_lexer *x, const char *const *list, int count)
{
    for (int i = 0; i < count; i++)
        if (noe_lexer_is_word(x, list[i])) return true;
    return false;
}

bool noe_resolve_is_reserved(const noe_lexer *x)
{
    return among(x, language_names, LANGUAGE_NAMES) || among(x, run_columns, RUN_COLUMNS)
        || among(x, function_names, FUNCTION_NAMES);
}

static const char *here(const noe_parser *p) { return p->lex.source.text + p->lex.token.at; }

/* coordinate: only coordinates are proposed in the message */
static bool is_wanted(const noe_parser *p, const noe_symbol *s, bool coordinate)
{
    return !coordinate || noe_vector_symbol_part(s, 0)->what == NOE_IS_COORDINATE
        || (p->assigning && s->what == NOE_IS_PARAMETER);
}

static void refuse_body(noe_parser *p, const noe_symbol *s, size_t at)
{
    const int shown = noe_source_shown(s->name, strlen(s->name), 40);
    if (s->what == NOE_IS_BODY)
        noe_source_fail(&p->lex.source, at,
                        "'%.*s' is a rigid body: its quantities are '%.*s.r', '%.*s.omega', "
                        "'%.*s.L', '%.*s.L_body' and its axes '%.*s.e1' to '%.*s.e3'",
                        shown, s->name, shown, s->name, shown, s->name, shown, s->name, shown,
                        s->name, shown, s->name, shown, s->name);
}

/* Fails for a name "a.w" of which a is known: says which components a has.  Returns where a is
 * unknown. */
static void refuse_component(noe_parser *p)
{
    const noe_token k = p->lex.token;
    size_t          stem = k.length;
    while (stem && here(p)[stem - 1] != '.') stem--;
    const noe_symbol *s = stem ? noe_model_find(p->model, here(p), stem - 1) : NULL;
    if (!s) return;
    refuse_body(p, s, k.at);
    const int shown = noe_source_shown(s->name, strlen(s->name), 60);
    if (s->what == NOE_IS_VECTOR)
        noe_source_fail(
            &p->lex.source, k.at,
            "the vector '%.*s' has the components %.*s.x, %.*s.y and %.*s.z, and no '%.*s'", shown,
            s->name, shown, s->name, shown, s->name, shown, s->name,
            noe_source_shown(here(p) + stem, k.length - stem, 60), here(p) + stem);
    noe_source_fail(&p->lex.source, k.at, "'%.*s' is a number and no vector: it has no components",
                    shown, s->name);
}

static _Noreturn void unknown(noe_parser *p, bool coordinate)
{
    const noe_token   k = p->lex.token;
    const noe_source *s = &p->lex.source;
    const int         shown = noe_source_shown(here(p), k.length, 60);
    refuse_component(p);
    if (among(&p->lex, run_columns, RUN_COLUMNS))
        noe_source_fail(s, k.at, "'%.*s' is a column of a run and has no meaning in a model", shown,
                        here(p));
    if (noe_lexer_is_word(&p->lex, "mod"))
        noe_source_fail(s, k.at, "'mod' stands between two numbers: a mod b");
    if (noe_lexer_is_word(&p->lex, "and") || noe_lexer_is_word(&p->lex, "or"))
        noe_source_fail(s, k.at,
                        "'%.*s' stands between two comparisons: if(a < b %.*s c < d, x, y)", shown,
                        here(p), shown, here(p));
    if (p->defining && p->defining_length == k.length && !memcmp(p->defining, here(p), k.length))
        noe_source_fail(s, k.at, "'%.*s' is defined by itself", shown, here(p));
    const char *const foreign = coordinate ? NULL : noe_foreign_word_name(&p->lex);
    if (foreign) noe_source_fail(s, k.at, "unknown name '%.*s': %s", shown, here(p), foreign);
    noe_velocity_word_refuse(p, &k);
    noe_nearest_word near = noe_nearest_word_to(here(p), k.length);
    for (int i = 0; i < p->model->symbols; i++)
        if (is_wanted(p, p->model->symbol[i], coordinate))
            noe_nearest_word_try(&near, p->model->symbol[i]->name);
    for (int i = 0; i < FUNCTION_NAMES && !coordinate; i++)
        noe_nearest_word_try(&near, function_names[i]);
    if (near.best)
        noe_source_fail(s, k.at, "unknown name '%.*s'; did you mean '%.60s'?", shown, here(p),
                        near.best);
    const char *advice = p->assigning ? "the model has no such parameter or coordinate"
                                      : "declare it above this line";
    noe_source_fail(s, k.at, "unknown name '%.*s': %s", shown, here(p), advice);
}

/* The symbol of the name at hand; coordinate: only coordinates are proposed in the message that it
 * is unknown. */
static noe_symbol *find_declared(noe_parser *p, bool coordinate)
{
    if (p->lex.token.kind != NOE_NAME) noe_expect_fail(p, "a name");
    noe_symbol *s = noe_model_find(p->model, here(p), p->lex.token.length);
    if (!s) unknown(p, coordinate);
    return s;
}

static _Noreturn void no_family(noe_parser *p, const noe_symbol *s, size_t at)
{
    noe_source_fail(&p->lex.source, at, "'%.*s' is no family: it has no members",
                    noe_source_shown(s->name, strlen(s->name), 60), s->name);
}

/* The value of a symbol, whose name has been read, or of its member.  *first: the symbol of the
 * component x, or the symbol itself. */
static noe_quantity value(noe_parser *p, noe_symbol *s, size_t at, const noe_symbol **first)
{
    refuse_body(p, s, at);
    const bool      family = noe_vector_symbol_part(s, 0)->family;
    const noe_index x = family ? noe_family_member_index(p, s, at) : noe_index_expression_of(0);
    noe_quantity    result = { .vector = s->what == NOE_IS_VECTOR };
    if (!family && noe_lexer_is(&p->lex, '[')) no_family(p, s, at);
    for (int c = 0; c < noe_vector_symbol_parts(s); c++) {
        noe_symbol *part = noe_vector_symbol_part(s, c);
        part = family ? noe_family_member_pick(p, part, &x, at)
             : p->sum ? noe_sum_slot_plain(p, part)
                      : part;
        result.ex[c] = part->ex;
        if (!c) *first = part;
    }
    return result;
}

noe_quantity noe_resolve_quantity(noe_parser *p, const noe_symbol **first)
{
    const size_t at = p->lex.token.at;
    noe_symbol  *s = find_declared(p, false);
    noe_lexer_next(&p->lex);
    return value(p, s, at, first);
}

noe_symbol *noe_resolve_symbol(noe_parser *p)
{
    const size_t at = p->lex.token.at;
    noe_symbol  *s = find_declared(p, false);
    noe_lexer_next(&p->lex);
    refuse_body(p, s, at);
    if (s->what == NOE_IS_VECTOR)
        noe_quantity_as_number(p, (noe_quantity){ .vector = true }, at, NULL);
    if (s->family) return noe_family_member_parse(p, s, at);
    if (noe_lexer_is(&p->lex, '[')) no_family(p, s, at);
    return p->sum ? noe_sum_slot_plain(p, s) : s;
}

noe_ex noe_resolve_value(noe_parser *p) { return noe_resolve_symbol(p)->ex; }

noe_quantity noe_resolve_coordinate(noe_parser *p, const char *why)
{
    const size_t      at = p->lex.token.at;
    const noe_symbol *first;
    return value(p, noe_resolve_moving(p, why), at, &first);
}

noe_symbol *noe_resolve_moving(noe_parser *p, const char *why)
{
    noe_symbol  *s = find_declared(p, true);
    const size_t at = p->lex.token.at;
    if (noe_vector_symbol_part(s, 0)->what != NOE_IS_COORDINATE)
        noe_source_fail(&p->lex.source, at, "'%.*s' %s",
                        noe_source_shown(s->name, strlen(s->name), 60), s->name, why);
    noe_lexer_next(&p->lex);
    return s;
}

void noe_resolve_undotted(noe_parser *p)
{
    const noe_token k = p->lex.token;
    if (memchr(here(p), '.', k.length))
        noe_source_fail(
            &p->lex.source, k.at,
            "a new name has no dot: '%.*s' would be the component of a vector, which is "
            "declared as a whole, r = (a, b, c)",
            noe_source_shown(here(p), k.length, 60), here(p));
}

noe_token noe_resolve_new_name(noe_parser *p, const char *expected)
{
    /* noe_resolve_new_name() refuses these alone, of events and constraints: event floor: y = 0 */
    static const char *const names_of_no_event[] = { "t", "pi", "p", "energy", "event" };
    const noe_token          k = p->lex.token;
    const noe_source        *s = &p->lex.source;
    if (k.kind != NOE_NAME) noe_expect_fail(p, expected);
    noe_resolve_undotted(p);
    const int shown = noe_source_shown(here(p), k.length, 60);
    if (among(&p->lex, names_of_no_event, sizeof names_of_no_event / sizeof *names_of_no_event))
        noe_source_fail(s, k.at, "'%.*s' is a reserved name", shown, here(p));
    const noe_symbol *other = noe_model_find(p->model, here(p), k.length);
    if (other)
        noe_source_fail(s, k.at, "'%.*s' is declared already, in line %d", shown, here(p),
                        noe_source_line(s, other->at));
    noe_lexer_next(&p->lex);
    return k;
}
