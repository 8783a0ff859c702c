/* A picture: size, title and description; what is drawn in it is a script for gnuplot.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/picture.h"

#include "base/atomic_file.h"
#include "plot/dark_paper.h"
#include "plot/gnuplot.h"

#include <errno.h>
#include <locale.h>
#include <string.h>
#include <strings.h>

/* Most letters of a title, of a line of parameters. */
enum { TITLE = 78, PARAMETERS = 112 };

static const struct {
    const char *ending, *name; /* of the file; of gnuplot's terminal */
    double      width;         /* in units */
    const char *unit;          /* "": dots */
    double      font, line;    /* size of letters; width of lines, size of points */
} terminal[] = { { ".svg", "svg", NOE_STYLE_WIDTH, "", 16, 1 },
                 { ".png", "pngcairo", 1200, "", 16, 1.333 },
                 { ".pdf", "pdfcairo", 24, "cm", 12, 1 } };
enum { TERMINALS = sizeof terminal / sizeof *terminal };

/* The number of the terminal of a path; -1 with a message. */
static int terminal_of(const char *path)
{
    const size_t n = strlen(path);
    for (int i = 0; i < TERMINALS; i++)
        if (n > 4 && !strcasecmp(path + n - 4, terminal[i].ending)) return i;
    noe_status_fail(NOE_INVALID, "cannot draw '%s': the name must end in .svg, .png or .pdf", path);
    return -1;
}

static void put_line(FILE *f, int number, const char *text, int most, double y, double size,
                     const char *colour)
{
    fprintf(f, "set label %d ", number);
    noe_gnuplot_text(f, text, most);
    fprintf(f, " at screen %g,%g left font ',%g' textcolor rgb '%s'\n", 20.0 / NOE_STYLE_WIDTH, y,
            size, colour);
}

double noe_picture_head(const noe_picture *p)
{
    const bool title = p->title && *p->title, more = p->parameters && *p->parameters;
    return (title ? 44 : 16) + (more ? 22 : 0);
}

static void put_head(FILE *f, const noe_picture *p, int kind)
{
    const double scale = terminal[kind].width / NOE_STYLE_WIDTH, letter = terminal[kind].font / 16;
    fprintf(f, "set encoding utf8\nset terminal %s size %g%s,%g%s noenhanced font 'Helvetica,%g'",
            terminal[kind].name, terminal[kind].width, terminal[kind].unit, p->height * scale,
            terminal[kind].unit, terminal[kind].font);
    if (kind) fprintf(f, " linewidth %g pointscale %g", terminal[kind].line, terminal[kind].line);
    fputs(" background '#ffffff'\nset multiplot\n"
          "set border 3 lc rgb '" NOE_STYLE_AXIS "' lw 0.8\n"
          "set tics nomirror out scale 0.5 textcolor rgb '" NOE_STYLE_TEXT "'\n"
          "set grid lt 1 lc rgb '" NOE_STYLE_RULE "' lw 0.8\n"
          "set key textcolor rgb '" NOE_STYLE_TEXT "'\nset style data lines\n",
          f);
    const bool   title = p->title && *p->title, more = p->parameters && *p->parameters;
    const double h = p->height;
    if (title) put_line(f, 1, p->title, TITLE, 1 - 26 / h, 20 * letter, NOE_STYLE_INK);
    if (more)
        put_line(f, 2, p->parameters, PARAMETERS, 1 - (title ? 50 : 22) / h, 14 * letter,
                 NOE_STYLE_SOFT);
}

static noe_status flushed(FILE *script)
{
    if (!fflush(script) && !ferror(script)) return NOE_OK;
    return noe_status_fail(NOE_IO, "cannot write a temporary file for gnuplot: %s",
                           strerror(errno));
}

static noe_status write(const noe_picture *p, int kind, noe_picture_body *body, void *what, FILE *f)
{
    put_head(f, p, kind);
    const noe_status s = body(what, f);
    fputs("unset multiplot\n", f);
    return s ? s : flushed(f);
}

static FILE *temporary(void)
{
    FILE *f = tmpfile();
    if (!f)
        noe_status_fail(NOE_IO, "cannot make a temporary file for gnuplot: %s", strerror(errno));
    return f;
}

noe_status noe_picture_draw(const noe_picture *p, noe_picture_body *body, void *what)
{
    const int kind = terminal_of(p->path);
    FILE     *script = kind < 0 ? NULL : temporary();
    if (!script) return kind < 0 ? NOE_INVALID : NOE_IO;
    locale_t   plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
    noe_status s = write(p, kind, body, what, script);
    uselocale(before);
    freelocale(plain);
    const bool dark = noe_dark_paper_named(p->path);
    FILE      *other = !s && dark ? temporary() : NULL;
    if (!s && dark && !other) s = NOE_IO;
    if (other) {
        noe_dark_paper_copy(script, other);
        s = flushed(other);
        fclose(script);
        script = other;
    }
    const noe_svg_words words = { p->title, p->about, .one_paper = dark };
    if (!s) s = noe_gnuplot_run(script, p->path, kind ? NULL : &words);
    fclose(script);
    return s;
}

noe_status noe_picture_check(const char *path)
{
    noe_atomic_file trial;
    if (!path || terminal_of(path) < 0) return NOE_INVALID;
    if (noe_gnuplot_ready()) return NOE_IO;
    const noe_status s = noe_atomic_file_open(&trial, path);
    if (!s) noe_atomic_file_drop(&trial);
    return s;
}
