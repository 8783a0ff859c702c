/* class id, rows, columns, entries, counts, columns, numbers, big-endian: PETSc's binary files.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef PETSC_FILE_H
#define PETSC_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    unsigned char *byte;
    size_t         length;
} petsc_file;

static inline void petsc_put(petsc_file *f, uint64_t x, int bytes)
{
    f->byte = realloc(f->byte, f->length + 8);
    if (!f->byte) abort();
    for (int k = bytes - 1; k >= 0; k--) f->byte[f->length++] = (unsigned char)(x >> 8 * k);
}

static inline void petsc_put_real(petsc_file *f, double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    petsc_put(f, u, 8);
}

/* An n x n matrix whose row i has count[i] of the entries (col[k], value[k]), row by row; wide:
 * bytes of an integer; dense: all n n values, no columns. */
static inline petsc_file petsc_file_of(int n, const int *count, const int *col, const double *value,
                                       int wide, bool dense)
{
    petsc_file f = { NULL, 0 };
    long       entries = 0;
    for (int i = 0; i < n; i++) entries += count[i];
    petsc_put(&f, 1211216, wide);
    petsc_put(&f, (uint64_t)n, wide);
    petsc_put(&f, (uint64_t)n, wide);
    petsc_put(&f, dense ? UINT64_MAX : (uint64_t)entries, wide);
    for (int i = 0; i < n && !dense; i++) petsc_put(&f, (uint64_t)count[i], wide);
    for (long k = 0; k < entries && !dense; k++) petsc_put(&f, (uint64_t)col[k], wide);
    for (long k = 0; k < entries; k++) petsc_put_real(&f, value[k]);
    return f;
}

static inline void petsc_file_write(const petsc_file *f, const char *path)
{
    FILE *to = fopen(path, "wb");
    if (!to || fwrite(f->byte, 1, f->length, to) != f->length || fclose(to)) abort();
}

#endif
