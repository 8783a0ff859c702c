/* Reads a file line by line, plain or compressed by gzip.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With zlib; without zlib the C library reads plain files only. */
#ifndef NOE_BASE_GZIP_FILE_H
#define NOE_BASE_GZIP_FILE_H

#include "base/optional_library.h"

#ifdef NOE_ZLIB

#include <zlib.h>

#else

#include <stdio.h>

typedef FILE *gzFile;
enum { Z_OK = 0, Z_STREAM_END = 1, Z_ERRNO = -1 };

#define gzopen(path, mode) fopen(path, mode)
#define gzgets(file, text, size) fgets(text, size, file)
#define gzrewind(file) rewind(file)
#define gzread(file, to, n) ((int)fread(to, 1, n, file))
#define gztell(file) ftell(file)
#define gzseek(file, at, whence) fseek(file, at, whence)
#define gzdirect(file) 1
#define gzclose(file) fclose(file)
#define gzbuffer(file, size) setvbuf(file, NULL, _IOFBF, size)
static inline __attribute__((unused)) const char *gzerror(FILE *file, int *code)
{
    *code = ferror(file) ? Z_ERRNO : Z_STREAM_END;
    return "";
}

#endif

#endif
