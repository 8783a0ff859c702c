/* Reads the command line: argv into verb, options and words.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CLI_COMMAND_H
#define NOE_CLI_COMMAND_H

#include "job/verbs.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* One option: its name, how its value is called in the help, what it does, where the value goes. */
typedef struct {
    const char  *name, *value, *meaning;
    const char **to;
} option;

enum { VALUES_MOST = 64 };
/* Takes every `--name VALUE` of an option that may be given again out of argv, before take_options;
 * the number of values, or -1 after a message. */
int take_values(int *argc, char **argv, const char *name, const char *value[VALUES_MOST]);
/* Takes the options out of argv, so that only the words are left.  Returns the number of words, or
 * -1 after a message. */
int  take_options(int argc, char **argv, const option *options, size_t count, const char *verb);
void print_options(const option *options, size_t count);

/* Is each word an assignment NAME=VALUE, and no name given twice?  false after a message. */
bool are_assignments(const char *const *word, int count);
/* A whole number from least to most; 0 and a message when it is none. */
int whole(const char *name, const char *text, long least, long most, long *out);
/* A positive number; false and a message when it is none. */
bool positive(const char *name, const char *text, double *out);

/* one line; NOE_EXIT_BAD_USE */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
int report(int status); /* the library's message, if there is one; status */
/* status, or NOE_EXIT_BAD_USE after a message: did standard output take it all? */
int printed(int status);

/* Ends the threads of OpenBLAS until there is work for them; false where `library` (NULL: the
 * program) has none of its functions. */
bool end_blas_threads(void *library);

/* Has Ctrl-C or SIGTERM come since catch_interrupts()? The number of the signal, else 0: a job
 * looks at it, to end in order. */
extern volatile sig_atomic_t interrupted;
void                         interrupt(int signal); /* the handler */
void                         catch_interrupts(void);

/* The verbs, one a file; argv[0] is the verb. */
int verb_run(int argc, char **argv);
int verb_check(int argc, char **argv);
int verb_show(int argc, char **argv);
int verb_emit(int argc, char **argv);
int verb_structure(int argc, char **argv);
int verb_fit(int argc, char **argv);
int verb_gradient(int argc, char **argv);
int verb_optimize(int argc, char **argv);
int verb_study(int argc, char **argv);
int verb_systems(int argc, char **argv);

/* The processes that do a job together, of noether-mpi; NULL: there is one. */
const struct noe_processes *processes(void);

/* Makes a study and prints its tables, as noe_study_run does; many processes deal its runs. */
int run_study(const noe_study_job *, FILE *to);

/* The file of a model: the path as it is, or of a name without a folder that is not here the
 * installed one. */
const char *model_path(const char *name);

#endif
