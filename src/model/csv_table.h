/* x_11, x_12, ..: a file of numbers in rows and columns, the first line perhaps their names.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MODEL_CSV_TABLE_H
#define NOE_MODEL_CSV_TABLE_H

#include "model/parser.h"

typedef struct noe_csv_table {
    const char  *file;     /* name as in the model */
    bool         assigned; /* an assignment names it, not the text */
    int64_t      rows;
    int          columns;
    const char **name;  /* [columns]; NULL when the first line has numbers already */
    quad        *value; /* [rows][columns] the numbers */
    noe_ex      *ex;    /* [rows][columns] the numbers as written; only where the graph is exact */
    int         *line;  /* [rows] line of the file in which a row stands */
} noe_csv_table;

/* Reads the file named by the string that is the current token, and moves past that. Numbers are
 * separated by commas, semicolons or blanks; lines that begin with # are comments. */
noe_csv_table *noe_csv_table_read(noe_parser *);
/* The number of the column of this name, from 0; refuses with `at` in the text. */
int noe_csv_table_column(noe_parser *, const noe_csv_table *, const char *name, size_t length,
                         size_t at);

/* The contents of a file, ended by a 0, in the memory of the model; NULL with errno.
 * A relative path begins in the folder of
 * the model, or, in an assignment of the command line, in the current folder. */
char *noe_csv_table_read_file(noe_parser *, const char *name, size_t length);

#endif
