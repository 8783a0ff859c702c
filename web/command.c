/* The command as a function that a page calls: words -> exit status.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>
#include <stdio.h>

int main(int argc, char **argv);

/* There is no OpenBLAS whose threads could turn. */
bool end_blas_threads(void *library);
bool end_blas_threads(void *library) { return (void)library, false; }

int noether_command(int argc, char **argv);
int noether_command(int argc, char **argv)
{
    const int status = main(argc, argv);
    fflush(NULL);
    return status;
}
