/* Runs gnuplot on a script and stores the picture.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/gnuplot.h"

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static noe_status unfit(const char *path, FILE *said)
{
    char text[400];
    return noe_status_fail(NOE_IO, "gnuplot could not draw %s: %s", path,
                           noe_child_process_said(said, text, sizeof text));
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
    return noe_child_process_exists("gnuplot") ? NOE_OK : absent();
}

noe_status noe_gnuplot_run(FILE *script, const char *path, const noe_svg_words *words)
{
    /* -d: no settings of the user */
    static const char *const command[] = { "gnuplot", "-d", NULL };
    noe_atomic_file          picture;
    noe_status               s = noe_atomic_file_open(&picture, path);
    if (s) return s;
    FILE *said = tmpfile();
    int   status = 0, e = said ? 0 : errno;
    rewind(script);
    if (!e) e = noe_child_process_run(command, script, picture.file, said, &status);
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
    if (!s && words) s = noe_svg_words_put(picture.file, words);
    if (said) fclose(said);
    if (s) noe_atomic_file_drop(&picture);
    return s ? s : noe_atomic_file_keep(&picture);
}
