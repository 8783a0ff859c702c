/* A process without links and users: functions of web/posix.c, included by every file.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_WEB_PROCESS_H
#define NOE_WEB_PROCESS_H

#include <sys/types.h>

uid_t geteuid(void);
char *mkdtemp(char *name);
char *realpath(const char *restrict path, char *restrict real);

#endif
