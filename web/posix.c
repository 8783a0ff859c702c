/* What wasi-libc lacks: setjmp, temporary files, a process; declared in web/posix/.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What cannot be there says so by its error, for which the callers have their messages: other
 * threads, other programs, machine code.
 *
 * setjmp: clang (-mllvm -wasm-enable-sjlj) makes an exception of longjmp, and of every function
 * with setjmp one that catches it.  A call of setjmp has a number; the function's table says at
 * which of its places that call was made.  (LLVM, WebAssemblyLowerEmscriptenEHSjLj.cpp.) */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    uint32_t call;  /* number of a call of setjmp; 0: end of the table */
    uint32_t place; /* which setjmp of the function that was */
} entry;

typedef struct {
    uint32_t *buffer; /* the jmp_buf: number of the call */
    int       value;  /* what setjmp returns */
} jump;

enum { C_LONGJMP = 1 }; /* tag of the exception, as LLVM numbers it */

entry   *saveSetjmp(uint32_t *buffer, uint32_t place, entry *table, uint32_t size);
uint32_t testSetjmp(uint32_t call, const entry *table, uint32_t size);
void     __wasm_longjmp(uint32_t *buffer, int value);
void     setTempRet0(uint32_t);
uint32_t getTempRet0(void);

static uint32_t calls, second_result;

void     setTempRet0(uint32_t x) { second_result = x; }
uint32_t getTempRet0(void) { return second_result; }

/* Enters a call into the table, which has `size` entries and an end; returns the table and, as
 * second result, its size. */
entry *saveSetjmp(uint32_t *buffer, uint32_t place, entry *table, uint32_t size)
{
    uint32_t used = 0;
    while (table[used].call) used++;
    if (used + 1 >= size) {
        size *= 2;
        table = realloc(table, (size + 1) * sizeof *table);
        if (!table) __builtin_trap();
    }
    table[used] = (entry){ *buffer = ++calls, place };
    table[used + 1].call = 0;
    setTempRet0(size);
    return table;
}

/* The place of a call, or 0: it was made by another function. */
uint32_t testSetjmp(uint32_t call, const entry *table, uint32_t size)
{
    for (uint32_t i = 0; i < size && table[i].call; i++)
        if (table[i].call == call) return table[i].place;
    return 0;
}

void __wasm_longjmp(uint32_t *buffer, int value)
{
    static jump to;
    to = (jump){ buffer, value ? value : 1 };
    __builtin_wasm_throw(C_LONGJMP, &to);
}

/* There are no folders: what needs one, films, says so. */
char *mkdtemp(char *name) { return (void)name, errno = ENOSYS, NULL; }

FILE *tmpfile(void)
{
    static unsigned made;
    char            path[32];
    snprintf(path, sizeof path, "/.noether-tmp%u", made++);
    FILE *f = fopen(path, "w+bx");
    if (f) unlink(path);
    return f;
}

int     getpid(void) { return 1; }
uid_t   geteuid(void) { return 0; }
clock_t clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (clock_t)(t.tv_sec * CLOCKS_PER_SEC + t.tv_nsec / (1000000000 / CLOCKS_PER_SEC));
}

/* There are no links. */
char *realpath(const char *restrict path, char *restrict real)
{
    if (access(path, F_OK)) return NULL;
    return strcpy(real, path);
}
