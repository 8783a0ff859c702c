/* A model with H(t, q, p) in place of L(t, q, q'), as a text that runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "expr/legendre_dual.h"
#include "job/verbs.h"
#include "model/expression_text.h"
#include "system/system.h"
#include "token/lexer.h"

#include <stdlib.h>
#include <string.h>

/* H from L. */
static noe_dual_verdict transform(noe_model *m, noe_arena *arena, noe_ex *H)
{
    const size_t n = (size_t)m->n;
    quad        *z = noe_arena_need(arena, m->graph.stop, 3 * n, sizeof *z);
    for (size_t i = 0; i < n; i++) {
        z[i] = m->begin[i].q;
        z[n + i] = m->begin[i].v;
        z[2 * n + i] = m->begin[i].p;
    }
    const noe_leaf_values  near = { m->t0, z, z + n, z + 2 * n };
    noe_legendre_dual      task = { .g = &m->graph,
                                    .arena = arena,
                                    .n = m->n,
                                    .from = NOE_V,
                                    .to = NOE_P,
                                    .near = &near,
                                    .param = m->param,
                                    .f = m->L };
    const noe_dual_verdict verdict = noe_legendre_dual_find(&task);
    *H = task.dual;
    return verdict;
}

static bool is_next_equals(const noe_lexer *at)
{
    noe_lexer ahead = *at;
    noe_lexer_next(&ahead);
    return noe_lexer_is(&ahead, '=') || noe_lexer_is(&ahead, '[');
}

/* Moves past the next statement kinetic, potential or lagrangian, which is from *at, with its
 * line end, to *end.  false: the text ends. */
static bool next_energy(noe_lexer *x, size_t *at, size_t *end)
{
    static const char *const word[] = { "kinetic", "potential", "lagrangian" };
    for (bool found = false; !found;) {
        if (x->token.kind == NOE_END) return false;
        for (int i = 0; i < 3; i++) found |= noe_lexer_is_word(x, word[i]);
        found = found && !is_next_equals(x);
        *at = x->token.at;
        while (x->token.kind != NOE_LINE && x->token.kind != NOE_END) noe_lexer_next(x);
        *end = x->token.kind == NOE_LINE ? x->at : x->source.length;
        if (x->token.kind == NOE_LINE) noe_lexer_next(x);
    }
    return true;
}

/* The text of the model without its statements of L; with H in place of the last of them, or at the
 * end, where coordinates are fixed to what may be defined below it. */
static bool replace(noe_text *t, noe_model *m, noe_arena *arena, noe_ex H)
{
    const noe_source source = { m->name, m->text, m->length, m->graph.stop };
    noe_lexer        x = { .source = source };
    size_t           at, end, last = 0, copied = 0;
    bool             ok = true;
    for (noe_lexer_next(&x); next_energy(&x, &at, &end);) last = at;
    x = (noe_lexer){ .source = source };
    for (noe_lexer_next(&x); next_energy(&x, &at, &end); copied = end) {
        noe_text_add_long(t, m->text + copied, at - copied);
        if (at == last && m->rows == m->n)
            ok = noe_expression_text_define(t, m, arena, "hamiltonian", H);
    }
    noe_text_add_long(t, m->text + copied, m->length - copied);
    if (m->rows != m->n) ok = noe_expression_text_define(t, m, arena, "hamiltonian", H);
    return ok;
}

static bool refused(const noe_system *s)
{
    const char *why = !s->model              ? "functions in C have no text"
                    : s->dyn.structure       ? "the system is given by matrices"
                    : s->model->solids       ? "the momenta of rigid bodies are dependent"
                    : s->model->graph.tables ? "a table has no text without its file"
                                             : NULL;
    if (why) noe_status_fail(NOE_INVALID, "%s: no Hamiltonian as text: %s", s->source, why);
    return why;
}

/* Writes the text; false after a message. */
static bool write(noe_text *t, noe_model *m, noe_arena *arena, const char *source)
{
    noe_ex H;
    if (m->hamiltonian.given) {
        noe_text_add_long(t, m->text, m->length);
        return true;
    }
    if (transform(m, arena, &H) == NOE_DUAL_FOUND) return replace(t, m, arena, H);
    noe_status_fail(NOE_INVALID,
                    "%s: no Hamiltonian as text: the momenta are not solved for the velocities; "
                    "expected L quadratic in them, or a sqrt(..) of what is quadratic in them",
                    source);
    return false;
}

char *noe_hamiltonian_text(const noe_system *s)
{
    if (!s || refused(s)) return NULL;
    noe_model as_text = *s->model; /* with the values and sizes that the text gives */
    as_text.changes = 0;
    noe_model    *m = noe_parse_model_exact(&as_text);
    noe_arena    *arena = m ? noe_arena_new() : NULL;
    noe_text      t = { 0 };
    jmp_buf       stop;
    volatile bool done = false;
    char         *text = NULL;
    if (arena && (t = noe_text_new(arena)).data) {
        m->graph.stop = &stop;
        if (!setjmp(stop)) done = write(&t, m, arena, s->source);
        if (done && t.data && (text = noe_status_alloc(t.length + 1, 1)))
            memcpy(text, t.data, t.length + 1);
    }
    noe_arena_free(arena);
    noe_model_free(m);
    return text;
}
