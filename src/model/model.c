/* name -> symbol, by a table of hashes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/parser.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static int *place(const noe_model *m, const char *name, size_t length)
{
    unsigned i = (unsigned)noe_hash(NOE_HASH_BEGIN, name, length) & ((unsigned)m->slots - 1);
    for (; m->slot[i]; i = (i + 1) & ((unsigned)m->slots - 1)) {
        const char *other = m->symbol[m->slot[i] - 1]->name;
        if (!strncmp(other, name, length) && !other[length]) break;
    }
    return &m->slot[i];
}

noe_symbol *noe_model_find(const noe_model *m, const char *name, size_t length)
{
    const int i = m->slots ? *place(m, name, length) : 0;
    return i ? m->symbol[i - 1] : NULL;
}

void *noe_model_alloc(noe_parser *p, size_t size)
{
    void *got = noe_arena_take(p->model->arena, size);
    if (!got) longjmp(*p->lex.source.stop, 1);
    return got;
}

void *noe_model_push(noe_parser *p, void *array, int count, size_t size)
{
    void **at = array;
    /* there is memory for 8, 16, 32, ... */
    if (count && (count < 8 || count & (count - 1))) return *at;
    void *wider = noe_model_alloc(p, size * (size_t)(count ? 2 * count : 8));
    if (count) memcpy(wider, *at, size * (size_t)count);
    return *at = wider;
}

/* Memory as noe_model_push makes it for so many. */
static size_t room_for(size_t count)
{
    size_t room = 8;
    while (room < count) room *= 2;
    return room;
}

void noe_model_widen(noe_parser *p, void *array, int count, int more, size_t size)
{
    void       **at = array;
    const size_t room = room_for((size_t)count + (size_t)more);
    if (count && room == room_for((size_t)count)) return;
    void *wider = noe_model_alloc(p, size * room);
    if (count) memcpy(wider, *at, size * (size_t)count);
    *at = wider;
}

char *noe_model_copy_text(noe_parser *p, const char *text, size_t length)
{
    char *copy = noe_arena_copy(p->model->arena, text, length);
    if (!copy) longjmp(*p->lex.source.stop, 1);
    return copy;
}

void noe_model_warn(noe_parser *p, size_t at, const char *message)
{
    const char *before = p->model->warning ? p->model->warning : "";
    char        line[600];
    noe_source_place(&p->lex.source, at, message, line, sizeof line);
    const size_t length = strlen(before), more = strlen(line);
    char        *all = noe_model_alloc(p, length + more + 2);
    memcpy(all, before, length);
    if (length) all[length] = '\n';
    memcpy(all + length + (length > 0), line, more + 1);
    p->model->warning = all;
}

noe_symbol *noe_model_declare(noe_parser *p, noe_is_what what, const noe_token *name)
{
    return noe_model_declare_name(p, what, p->lex.source.text + name->at, name->length, name->at);
}

noe_symbol *noe_model_declare_name(noe_parser *p, noe_is_what what, const char *name, size_t length,
                                   size_t at)
{
    noe_model *m = p->model;
    if (2 * m->symbols >= m->slots) {
        m->slots = m->slots ? 2 * m->slots : 64;
        m->slot = noe_model_alloc(p, (size_t)m->slots * sizeof *m->slot);
        for (int i = 0; i < m->symbols; i++)
            *place(m, m->symbol[i]->name, strlen(m->symbol[i]->name)) = i + 1;
    }
    noe_model_push(p, &m->symbol, m->symbols, sizeof *m->symbol);
    /* with its name after it, in one piece of memory */
    noe_symbol *s = m->symbol[m->symbols] = noe_model_alloc(p, sizeof *s + length + 1);
    *s = (noe_symbol){ .what = what, .at = at, .name = (const char *)(s + 1) };
    memcpy(s + 1, name, length);
    ((char *)(s + 1))[length] = 0;
    *place(m, s->name, length) = ++m->symbols;
    return s;
}

void noe_model_free(noe_model *m)
{
    if (!m) return;
    noe_model_free(m->picture);
    noe_graph_free(&m->graph);
    for (int i = 0; i < m->graph_count; i++) noe_graph_free(m->graphs[i]);
    noe_arena_free(m->arena);
    free(m);
}
