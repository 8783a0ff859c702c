/* a folder of one's own, empty at the beginning and, if nothing is left behind, at the end.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCRATCH_H
#define SCRATCH_H

#include "random.h"

#include <dirent.h>
#include <unistd.h>

static char scratch[64];

static inline int make_scratch(void **state)
{
    (void)state;
    strcpy(scratch, "/tmp/noether-test-XXXXXX");
    return mkdtemp(scratch) ? 0 : -1;
}

static inline const char *in_scratch(const char *name)
{
    static char path[4][400];
    static int  turn;
    char       *to = path[turn++ % 4];
    snprintf(to, sizeof path[0], "%s/%s", scratch, name);
    return to;
}

static inline int count_scratch(void)
{
    int  n = -2; /* . and .. */
    DIR *d = opendir(scratch);
    while (readdir(d)) n++;
    closedir(d);
    return n;
}

static inline int remove_scratch(void **state)
{
    (void)state;
    DIR *d = opendir(scratch);
    for (struct dirent *e; (e = readdir(d));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) remove(in_scratch(e->d_name));
    closedir(d);
    return rmdir(scratch);
}

static inline char *slurp(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    fseek(f, 0, SEEK_END);
    size_t n = (size_t)ftell(f);
    char  *text = calloc(n + 1, 1);
    rewind(f);
    if (fread(text, 1, n, f) != n) text[0] = 0;
    fclose(f);
    return text;
}

static inline void put(const char *name, const char *text)
{
    FILE *f = fopen(in_scratch(name), "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* A command in that folder. */
static inline void shell(const char *format, ...)
{
    char    line[1000];
    va_list args;
    int     used = snprintf(line, sizeof line, "cd %s && ", scratch);
    va_start(args, format);
    vsnprintf(line + used, sizeof line - (size_t)used, format, args);
    va_end(args);
    if (system(line)) fail_msg("failed: %s", line);
}

#endif
