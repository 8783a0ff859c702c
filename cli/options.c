/* Stores the options --name VALUE and --name=VALUE of the command line.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("noether: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return NOE_EXIT_BAD_USE;
}

/* A message that points into a text begins with the place and shows the line; all others with
 * our name. */
int report(int status)
{
    const char *message = noe_error();
    if (message) fprintf(stderr, "%s%s\n", strchr(message, '\n') ? "" : "noether: ", message);
    return status;
}

int printed(int status)
{
    errno = 0;
    if (!fflush(stdout) && !ferror(stdout)) return status;
    /* an earlier write failed, and its errno is lost */
    return complain("cannot write standard output: %s", strerror(errno ? errno : EIO));
}

static const option *find(const char *word, size_t length, const option *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].name) == length && !memcmp(options[i].name, word, length))
            return &options[i];
    return NULL;
}

/* -o is --output, -h --help. */
static const char *spelled_out(const char *word)
{
    return !strcmp(word, "-h") ? "--help" : !strcmp(word, "-o") ? "--output" : word;
}

static int is_option(const char *word, const option *options, size_t count)
{
    word = spelled_out(word);
    return !strncmp(word, "--", 2) && find(word + 2, strcspn(word + 2, "="), options, count);
}

static void unknown(const char *name, size_t length, const option *options, size_t count,
                    const char *verb)
{
    const char *list[count];
    for (size_t i = 0; i < count; i++) list[i] = options[i].name;
    const char *near = noe_nearest_option_find(name, length, list, (int)count);
    if (near)
        complain("unknown option '--%.*s'; did you mean --%s?  'noether %s --help' lists all",
                 (int)length, name, near, verb);
    else
        complain("unknown option '--%.*s'; 'noether %s --help' lists them", (int)length, name,
                 verb);
}

int take_options(int argc, char **argv, const option *options, size_t count, const char *verb)
{
    int words = 0;
    for (int i = 1; i < argc; i++) {
        argv[i] = (char *)spelled_out(argv[i]);
        if (strncmp(argv[i], "--", 2)) {
            if (argv[i][0] == '-' && argv[i][1] && !strchr(argv[i], '=')) {
                if (!access(argv[i], F_OK))
                    complain("'%s' begins as an option does: write ./%s for the file", argv[i],
                             argv[i]);
                else complain("unknown option '%s'; 'noether %s --help' lists them", argv[i], verb);
                return -1;
            }
            argv[words++] = argv[i];
            continue;
        }
        const char   *name = argv[i] + 2;
        const size_t  length = strcspn(name, "=");
        const option *o = find(name, length, options, count);
        if (!o) {
            unknown(name, length, options, count, verb);
            return -1;
        }
        if (*o->to) {
            complain("--%s is given twice", o->name);
            return -1;
        }
        if (!o->value) *o->to = name[length] ? NULL : "yes";
        else if (name[length]) *o->to = name + length + 1;
        else if (i + 1 < argc && !is_option(argv[i + 1], options, count)) *o->to = argv[++i];
        if (!*o->to) {
            complain(o->value ? "--%s needs a value: --%s %s" : "--%s takes no value%s%s", o->name,
                     o->value ? o->name : "", o->value ? o->value : "");
            return -1;
        }
    }
    return words;
}

int take_values(int *argc, char **argv, const char *name, const char *value[VALUES_MOST])
{
    const size_t length = strlen(name);
    int          count = 0, left = 0;
    for (int i = 0; i < *argc; i++) {
        const char *word = argv[i];
        const bool  ours = !strncmp(word, "--", 2) && !strncmp(word + 2, name, length)
                       && (!word[2 + length] || word[2 + length] == '=');
        if (!ours) {
            argv[left++] = argv[i];
            continue;
        }
        const char *to = word[2 + length] ? word + 3 + length : i + 1 < *argc ? argv[++i] : "";
        if (!*to || !strncmp(to, "--", 2))
            return complain("--%s needs a value: --%s FILE", name, name), -1;
        if (count == VALUES_MOST)
            return complain("--%s is given more than %d times", name, VALUES_MOST), -1;
        value[count++] = to;
    }
    *argc = left;
    return count;
}

void print_options(const option *options, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s--%s %s",
                 !strcmp(options[i].name, "output") ? "-o, "
                 : !strcmp(options[i].name, "help") ? "-h, "
                                                    : "",
                 options[i].name, options[i].value ? options[i].value : "");
        printf("  %-24s %s\n", left, options[i].meaning);
    }
}

/* Do two words assign to the same name, whatever the blanks? */
static bool same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " \t"), b += strspn(b, " \t");
        if (*a != *b) return false;
        if (!*a || *a == '=') return true;
    }
}

bool are_assignments(const char *const *word, int count)
{
    for (int i = 0; i < count; i++) {
        const char *equal = strchr(word[i], '=');
        if (!equal) {
            complain("'%s': expected NAME=VALUE or an option, each one word (\"gauss 3\" in "
                     "quotes is one)",
                     word[i]);
            return false;
        }
        for (int k = 0; k < i; k++)
            if (same_name(word[k], word[i])) {
                complain("'%.*s' is given twice: %s and %s", (int)(equal - word[i]), word[i],
                         word[k], word[i]);
                return false;
            }
    }
    return true;
}

int whole(const char *name, const char *text, long least, long most, long *out)
{
    char *end;
    errno = 0;
    *out = strtol(text, &end, 10);
    if (!errno && end != text && !*end && *out >= least && *out <= most) return 1;
    complain("--%s %s: expected a whole number from %ld to %ld", name, text, least, most);
    return 0;
}

bool positive(const char *name, const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (!*end && *out > 0 && *out <= 1e300) return true;
    complain("--%s %s: expected a positive number", name, text);
    return false;
}
