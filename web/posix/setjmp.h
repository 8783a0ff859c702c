/* setjmp and longjmp: clang makes exceptions of them, web/posix.c holds what they call.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_WEB_SETJMP_H
#define NOE_WEB_SETJMP_H

typedef struct {
    long unused[8];
} jmp_buf[1];

int            setjmp(jmp_buf) __attribute__((returns_twice));
_Noreturn void longjmp(jmp_buf, int);

#endif
