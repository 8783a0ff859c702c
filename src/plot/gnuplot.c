/* Runs gnuplot on a script and stores the picture.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/gnuplot.h"

#include "base/utf8.h"
#include "base/atomic_file.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int noe_gnuplot_letters(const char *s)
{
    int n = 0;
    for (int k; *s; s += k ? k : 1, n++) k = noe_utf8(s);
    return n;
}

/* Within single quotes only '' is special in gnuplot, a quote ("Quote Marks" in the gnuplot
 * manual); control characters, such as the end of a line, become blanks. */
void noe_gnuplot_text(FILE *f, const char *s, int most)
{
    int letters = noe_gnuplot_letters(s), head = letters > most ? most / 2 : letters;
    int tail = letters - (most - head - 1); /* letters head .. tail - 1 are left out */
    putc('\'', f);
    for (int k = 0; *s; k++) {
        int n = noe_utf8(s);
        if (k == head) fputs("\u2026", f);
        bool shown = k < head || k >= tail;
        if (shown && *s == '\'') fputs("''", f);
        else if (shown && n == 0) fputs("\uFFFD", f);
        else if (shown && n == 1 && ((unsigned char)*s < ' ' || *s == 0x7F)) putc(' ', f);
        else if (shown) fwrite(s, 1, (size_t)n, f);
        s += n ? n : 1;
    }
    putc('\'', f);
}

/* Runs gnuplot with files, not pipes, as standard input, output and error: no process waits for the
 * other, and a gnuplot that ends early raises no signal in this process. */
static int run(FILE *script, FILE *picture, FILE *said, int *status)
{
    char *const argument[] = { "gnuplot", "-d", NULL }; /* -d: no settings of the user */
    posix_spawn_file_actions_t files;
    posix_spawnattr_t          attributes;
    sigset_t                   usual;
    pid_t                      child;
    if (posix_spawn_file_actions_init(&files)) return ENOMEM;
    if (posix_spawnattr_init(&attributes)) return posix_spawn_file_actions_destroy(&files), ENOMEM;
    /* default action of SIGXFSZ: gnuplot ends where the file may not grow */
    sigemptyset(&usual), sigaddset(&usual, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    int e = posix_spawn_file_actions_adddup2(&files, fileno(script), 0);
    if (!e) e = posix_spawn_file_actions_adddup2(&files, fileno(picture), 1);
    if (!e) e = posix_spawn_file_actions_adddup2(&files, fileno(said), 2);
    if (!e) e = posix_spawnp(&child, argument[0], &files, &attributes, argument, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    while (!e && waitpid(child, status, 0) < 0)
        if (errno != EINTR) e = errno;
    if (!e && WIFSIGNALED(*status) && WTERMSIG(*status) == SIGXFSZ) e = EFBIG;
    /* POSIX permits posix_spawn to report a failed exec by exit status 127. */
    return !e && WIFEXITED(*status) && WEXITSTATUS(*status) == 127 ? ENOENT : e;
}

static noe_status unfit(const char *path, FILE *said)
{
    char text[400];
    rewind(said);
    size_t n = fread(text, 1, sizeof text - 1, said);
    text[n] = 0;
    for (char *c = text; *c; c++)
        if (*c == '\n') *c = ' ';
    return noe_status_fail(NOE_IO, "gnuplot could not draw %s: %s", path, text + strspn(text, " "));
}

/* Does the picture end like a complete .svg, .png or .pdf file?  Asked because gnuplot does not
 * report failed writes. */
static bool complete(FILE *picture)
{
    static const char *const last[] = { "</svg>", "IEND", "%%EOF" };
    char                     tail[64];
    struct stat              s;
    const off_t              from = fstat(fileno(picture), &s)     ? 0
                                  : s.st_size > (off_t)sizeof tail ? s.st_size - (off_t)sizeof tail
                                                                   : 0;
    const ssize_t            n = pread(fileno(picture), tail, sizeof tail, from);
    for (int k = 0; k < 3; k++)
        for (ssize_t i = 0, m = (ssize_t)strlen(last[k]); i + m <= n; i++)
            if (!memcmp(tail + i, last[k], (size_t)m)) return true;
    return false;
}

static noe_status absent(void)
{
    return noe_status_fail(NOE_IO, "gnuplot is not installed: apt-get install gnuplot-nox");
}

noe_status noe_gnuplot_ready(void)
{
    const char *path = getenv("PATH"), *end;
    if (!path) return NOE_OK; /* without PATH, posix_spawnp searches default folders */
    for (;; path = end + 1) {
        char file[4096];
        end = path + strcspn(path, ":");
        const int length = snprintf(file, sizeof file, "%.*s%sgnuplot", (int)(end - path), path,
                                    end > path ? "/" : "");
        if (length < (int)sizeof file && !access(file, X_OK)) return NOE_OK;
        if (!*end) return absent();
    }
}

noe_status noe_gnuplot_run(FILE *script, const char *path)
{
    noe_atomic_file picture;
    noe_status      s = noe_atomic_file_open(&picture, path);
    if (s) return s;
    FILE *said = tmpfile();
    int   status = 0, e = said ? 0 : errno;
    rewind(script);
    if (!e) e = run(script, picture.file, said, &status);
    if (e == ENOENT || e == EACCES) s = absent();
    else if (e == EFBIG) errno = e, s = noe_atomic_file_fail(&picture);
    else if (e) s = noe_status_fail(NOE_IO, "cannot run gnuplot: %s", strerror(e));
    else if (status || fseek(picture.file, 0, SEEK_END) || ftell(picture.file) == 0)
        s = unfit(path, said);
    else if (!complete(picture.file))
        s = noe_status_fail(NOE_IO,
                            "cannot write %s: the picture is cut off; is the disk full, or is "
                            "there a limit on the size of files?",
                            path);
    if (said) fclose(said);
    if (s) noe_atomic_file_drop(&picture);
    return s ? s : noe_atomic_file_keep(&picture);
}
