/* Texts that are no model, and the message that each of them is answered with.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef REFUSAL_H
#define REFUSAL_H

#include "expressions.h"

#define MASS "coordinate x\nkinetic x'^2/2\n"

/* Is the message "SOURCE:LINE:COLUMN: ..", then that line of the text, then a caret under that
 * column? "the model is too large" has no place. */
static UNUSED bool well_formed(const char *message, const char *text, int *line, int *column,
                               const char **what)
{
    const char *at = strchr(message, ':'), *end = strchr(message, '\n');
    int         used = 0;
    if (!at || !end || sscanf(at, ":%d:%d: %n", line, column, &used) != 2 || used == 0)
        return false;
    *what = at + used;
    const char *shown = end + 5, *caret = strchr(shown, '\n');
    if (strncmp(end, "\n    ", 5) || !caret || strncmp(caret, "\n    ", 5)) return false;
    size_t under = strspn(caret + 5, " ");
    if (strcmp(caret + 5 + under, "^")) return false;
    if (!text) return true;
    for (int i = 1; i < *line; i++)
        if (!(text = strchr(text, '\n')) || !*text++) return false;
    size_t bytes = 0,
           column_bytes = 0; /* of the line; before the column, in the line as it is shown */
    while (text[bytes] && text[bytes] != '\n') bytes++;
    for (int c = 1; column_bytes < bytes && c < *column; c++) do
            column_bytes++;
        while (((unsigned char)text[column_bytes] & 0xC0) == 0x80);
    if (bytes > 100) return true;
    for (size_t i = 0; i < bytes; i++)
        if (shown[i] != (text[i] == '\t' || text[i] == '\r' ? ' ' : text[i])) return false;
    return (int)under == *column - 1;
}

/* The message of `text` has this place, and all of `words`. */
typedef struct {
    const char *text;
    int         line, column;
    const char *words[3];
} refusal;

static UNUSED void each_is_refused(const refusal *refusals, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *text = refusals[i].text, *what = "";
        int         line = 0, column = 0;
        noe_error_clear();
        noe_system *s = noe_system_parse(text);
        if (s || !noe_error()) fail_msg("accepted:\n%s", text);
        const bool odd = strpbrk(text, "\x01\x7F") != NULL; /* shown as blanks or question marks */
        if (!well_formed(noe_error(), odd ? NULL : text, &line, &column, &what))
            fail_msg("not well formed:\n%s\n%s", text, noe_error());
        if (line != refusals[i].line || column != refusals[i].column)
            fail_msg("expected line %d, column %d:\n%s", refusals[i].line, refusals[i].column,
                     noe_error());
        for (int k = 0; k < 3 && refusals[i].words[k]; k++)
            if (!strstr(what, refusals[i].words[k]))
                fail_msg("expected \"%s\":\n%s", refusals[i].words[k], noe_error());
    }
}

typedef struct {
    const refusal *refusals;
    size_t         count;
} refusal_list;

static UNUSED void test_refusals(void **state)
{
    const refusal_list *list = *state;
    each_is_refused(list->refusals, list->count);
}

/* A test program of one list. */
static UNUSED int refusals_main(const refusal *refusals, size_t count)
{
    refusal_list            list = { refusals, count };
    const struct CMUnitTest tests[] = { cmocka_unit_test_prestate(test_refusals, &list) };
    print_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
