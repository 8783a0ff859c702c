/* NAME=VALUE of the command or of a program, l1 = g/40, q1' = 2, p(q1) = 0, in place of the text.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A parameter takes its value while its declaration is read, so that what depends on it follows;
 * start values are set after the last line.  p->used[i]: assignment i has been read; one that
 * nothing has read when the text has ended is a start value, or a mistake. */
#include "model/family.h"
#include "statement/rigid_body.h"

#include <string.h>

/* Moves the lexer to the first token of an assignment; returns the lexer of the text, to go back
 * to. */
static noe_lexer enter(noe_parser *p, int i)
{
    const noe_lexer outer = p->lex;
    const char     *text = p->model->change[i];
    p->lex = (noe_lexer){ .source = { "assignment", text, strlen(text), outer.source.stop } };
    noe_source_check(&p->lex.source);
    noe_lexer_next(&p->lex);
    p->assigning = true;
    return outer;
}

static void leave(noe_parser *p, noe_lexer outer)
{
    p->lex = outer;
    p->assigning = false;
}

static void expect_end(noe_parser *p)
{
    if (p->lex.token.kind != NOE_END) noe_expect_fail(p, "the end of the assignment");
}

/* "= VALUE" and nothing after it. */
static quad value_of(noe_parser *p)
{
    noe_expect_token(p, '=', "after the name");
    const quad value = noe_constant_expression_value(p);
    expect_end(p);
    return value;
}

/* After the name: m[3] means one member, m every member. */
static bool index_matches(noe_parser *p, const int64_t *member)
{
    if (!member || !noe_lexer_is(&p->lex, '[')) return true;
    noe_lexer_next(&p->lex);
    const bool same = noe_index_expression_value(p) == *member;
    if (same) noe_expect_token(p, ']', "after the index");
    return same;
}

/* Is the current name that of the parameter, or of its component? *whole: it names all three
 * components. */
static bool name_matches(const noe_parser *p, const char *text, size_t length, int component,
                         bool *whole)
{
    const noe_token k = p->lex.token;
    const char     *name = p->lex.source.text + k.at;
    if (k.kind != NOE_NAME || k.length < length || memcmp(name, text, length)) return false;
    *whole = k.length == length;
    return *whole
        || (component >= 0 && k.length == length + 2 && name[length] == '.'
            && name[length + 1] == "xyz"[component]);
}

bool noe_assignment_of_parameter(noe_parser *p, const noe_token *name, int component,
                                 const int64_t *member, quad *value)
{
    const char *text = p->lex.source.text + name->at;
    bool        found = false, whole;
    for (int i = 0; i < p->model->changes; i++) {
        const char *change = p->model->change[i];
        /* Most assignments are to other names: they are not read as tokens. */
        if (strncmp(change + strspn(change, " \t"), text, name->length)) continue;
        const noe_lexer outer = enter(p, i);
        if (name_matches(p, text, name->length, component, &whole)) {
            noe_lexer_next(&p->lex);
            if (index_matches(p, member)) {
                p->component = whole ? component : NOE_A_NUMBER;
                *value = value_of(p);
                p->component = NOE_A_NUMBER;
                p->used[i] = found = true;
            }
        }
        leave(p, outer);
    }
    return found;
}

bool noe_assignment_of_control(noe_parser *p, const noe_token *name, noe_ex *x)
{
    const char *text = p->lex.source.text + name->at;
    bool        found = false, whole;
    for (int i = 0; i < p->model->changes; i++) {
        const noe_lexer outer = enter(p, i);
        if (name_matches(p, text, name->length, NOE_A_NUMBER, &whole)) {
            noe_lexer_next(&p->lex);
            noe_expect_token(p, '=', "after the control");
            const size_t at = p->lex.token.at;
            *x = noe_constant_expression_checked(p);
            if (p->graph->node[*x].has & ~(NOE_HAS_PARAM | NOE_HAS_T))
                noe_source_fail(&p->lex.source, at,
                                "expected numbers, parameters and t only: a control that is given "
                                "is a function of time");
            expect_end(p);
            p->used[i] = found = true;
        }
        leave(p, outer);
    }
    return found;
}

/* What the assignments so far have given. */
typedef struct {
    noe_start_what *given; /* of a coordinate: 0, or which of V and P an assignment has given */
} assigned;

static void refuse_v_and_p(noe_parser *p, noe_target to, void *data)
{
    noe_start_what *given = ((assigned *)data)->given;
    if (to.what != NOE_START_V && to.what != NOE_START_P) return;
    if (given[to.index] && given[to.index] != to.what) noe_initial_conditions_both(p, to);
    given[to.index] = to.what;
}

void noe_assignment_apply(noe_parser *p)
{
    assigned a = { noe_model_alloc(
        p, (size_t)(p->model->grouped ? 0 : p->model->n) * sizeof *a.given + 1) };
    for (int i = 0; i < p->model->changes; i++) {
        if (p->used[i]) continue;
        const noe_lexer outer = enter(p, i);
        if (noe_matrix_factor_parse(p) || noe_monitor_statement_assign(p)
            || noe_body_start_parse(p)) {
            expect_end(p);
            leave(p, outer);
            continue;
        }
        noe_target to = noe_initial_conditions_target(p);
        to.ruled = false; /* an assignment of the command line takes precedence over the text */
        if (to.what != NOE_START_T && !p->model->grouped && p->model->fix[to.index] >= 0
            && !to.family)
            noe_initial_conditions_once(p, to);
        noe_expect_token(p, '=', "after the name");
        noe_initial_conditions_values(p, to, refuse_v_and_p, &a);
        expect_end(p);
        leave(p, outer);
    }
}
