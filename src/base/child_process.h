/* Runs another program, with files as its standard input, output and error.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_CHILD_PROCESS_H
#define NOE_BASE_CHILD_PROCESS_H

#include <stdbool.h>
#include <stdio.h>

/* Is there a program of this name on the PATH? */
bool noe_child_process_exists(const char *name);
/* Runs argument[0] with its arguments, NULL at the end, and waits; NULL: no such file.  Files, not
 * pipes: no process waits for the other, and a program that ends early raises no signal here.
 * Returns 0 with the status of waitpid, or an errno: ENOENT and EACCES, there is no such program;
 * EFBIG, it was ended since a file may not grow. */
int noe_child_process_run(const char *const *argument, FILE *in, FILE *out, FILE *err, int *status);
/* What a program has written to a file, as one line in text[size]; for messages. */
const char *noe_child_process_said(FILE *, char *text, size_t size);

#endif
