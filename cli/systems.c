/* noether systems: lists the models that are installed with the command.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They are in ../share/noether/systems or ../systems, seen from the command. */
#include "command.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where they are, with a slash; NULL: nowhere. */
static const char *folder(void)
{
    static const char *const beside[] = { "../share/noether/systems/", "../systems/" };
    static char              path[PATH_MAX + 40];
    const ssize_t            length = readlink("/proc/self/exe", path, PATH_MAX);
    char *slash = length > 0 && length < PATH_MAX ? (path[length] = 0, strrchr(path, '/')) : NULL;
    for (int i = 0; slash && i < 2; i++) {
        strcpy(slash + 1, beside[i]);
        if (!access(path, R_OK | X_OK)) return path;
    }
    return NULL;
}

const char *model_path(const char *name)
{
    static char path[2 * PATH_MAX];
    const char *where = strchr(name, '/') || !access(name, F_OK) ? NULL : folder(),
               *ending = strrchr(name, '.');
    const int length = where ? snprintf(path, sizeof path, "%s%s%s", where, name,
                                        ending && !strcmp(ending, ".lag") ? "" : ".lag")
                             : -1;
    return length < 0 || length >= (int)sizeof path || access(path, R_OK) ? name : path;
}

static int is_model(const struct dirent *x)
{
    const char *ending = strrchr(x->d_name, '.');
    return ending && !strcmp(ending, ".lag");
}

/* The comment in its first line, without the name that it may begin with. */
static void title(const char *path, char out[200])
{
    FILE *f = fopen(path, "r");
    char  line[200];
    *out = 0;
    if (!f) return;
    if (fgets(line, sizeof line, f) && *line == '#') {
        const char *text = strstr(line, " -- ");
        line[strcspn(line, "\n")] = 0;
        strcpy(out, text ? text + 4 : line + 1 + strspn(line + 1, " "));
    }
    fclose(f);
}

static int list(const char *where)
{
    struct dirent **entry;
    const int       count = scandir(where, &entry, is_model, alphasort);
    if (count < 0) return complain("cannot read %s: %s", where, strerror(errno));
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX + 300], text[200];
        snprintf(path, sizeof path, "%s%s", where, entry[i]->d_name);
        title(path, text);
        printf("%-30s %s\n", entry[i]->d_name, text);
        free(entry[i]);
    }
    free(entry);
    return printed(NOE_EXIT_DONE);
}

static int show(const char *name)
{
    const char *path = model_path(name);
    FILE       *f = fopen(path, "r");
    char        line[4096];
    if (!f) return complain("no model is called '%.100s'; 'noether systems' lists them", name);
    while (fgets(line, sizeof line, f)) fputs(line, stdout);
    fclose(f);
    return printed(NOE_EXIT_DONE);
}

int verb_systems(int argc, char **argv)
{
    const char  *help = NULL;
    const option options[] = { { "help", NULL, "this", &help } };
    const int    words = take_options(argc, argv, options, 1, "systems");
    if (words < 0) return NOE_EXIT_BAD_USE;
    if (help) {
        printf("noether systems          the models that are installed; all commands know them by "
               "name\n"
               "noether systems NAME     the text of one, to begin with\n\n");
        print_options(options, 1);
        return printed(NOE_EXIT_DONE);
    }
    const char *where = folder();
    if (words > 1) return complain("which model?  noether systems NAME");
    if (words) return show(argv[0]);
    return where ? list(where) : complain("no models are installed beside this command");
}
