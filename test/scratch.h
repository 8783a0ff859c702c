/* a folder of one's own, empty at the beginning and, if nothing is left behind, at the end.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    static char path[400];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    return path;
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

static uint64_t seed;

/* 64 random bits: Vigna's splitmix64. */
static inline uint64_t bits(void)
{
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Every finite double is possible; a fifth are subnormal, a fifth powers of two, a fifth short. */
static inline double any_double(void)
{
    for (;;) {
        uint64_t u = bits(), kind = bits() % 5;
        double   x;
        if (kind == 0) u &= 0x800fffffffffffffu;
        if (kind == 1) u &= 0xfff0000000000000u;
        if (kind == 2) u &= 0xffffff0000000000u;
        memcpy(&x, &u, sizeof x);
        if (x - x == 0) return x;
    }
}

#endif
