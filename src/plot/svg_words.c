/* Title, description and the colours of the dark for a picture in SVG.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In the dark lightness l becomes 0.9 - 0.8 l and hues stay: invert, then turn the hue by 180
 * degrees (Filter Effects Module, W3C). */
#include "plot/svg_words.h"

#include "base/xml_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char style[] =
    "\n<style>text{font-family:Helvetica,Arial,\"Liberation Sans\",sans-serif}"
    "@media (prefers-color-scheme:dark){#gnuplot_canvas{filter:invert(.9) hue-rotate(180deg)}}"
    "</style>";

/* The file from its beginning, by its number: the stream may be for writing alone. */
static char *whole(FILE *picture, size_t *size)
{
    struct stat about;
    if (fflush(picture) || fstat(fileno(picture), &about)) return NULL;
    char *text = noe_status_alloc((size_t)about.st_size + 1, 1);
    for (ssize_t n = 1; text && n > 0 && *size < (size_t)about.st_size; *size += (size_t)n) {
        n = pread(fileno(picture), text + *size, (size_t)about.st_size - *size, (off_t)*size);
        if (n < 0) n = 0;
    }
    return text;
}

/* The rest of the picture without the names of curves by gnuplot, ids that stand twice and titles
 * that pop up: <g id="gnuplot_plot_1a" ><title>gnuplot_plot_1a</title>. */
static void put_unnamed(FILE *f, const char *text)
{
    static const char id[] = "<g id=\"gnuplot_plot_", title[] = "<title>", end[] = "</title>";
    for (const char *at; (at = strstr(text, id)); text = at) {
        const char *close = strchr(at, '>'),
                   *named = close && !strncmp(close + 1, title, sizeof title - 1)
                              ? strstr(close, end)
                              : NULL;
        fwrite(text, 1, (size_t)(at - text), f);
        fputs("<g>", f);
        at = named ? named + sizeof end - 1 : close ? close + 1 : at + sizeof id - 1;
    }
    fputs(text, f);
}

noe_status noe_svg_words_put(FILE *picture, const noe_svg_words *words)
{
    size_t size = 0;
    char  *text = whole(picture, &size);
    if (!text) return NOE_NO_MEMORY;
    char *root = strstr(text, "<svg"), *from = root ? strstr(root, "<title>") : NULL,
         *to = from ? strstr(from, "</desc>") : NULL;
    if (!to) return free(text), NOE_OK; /* by another gnuplot: left as it is */
    rewind(picture);
    fwrite(text, 1, (size_t)(root - text) + 4, picture);
    fputs(" role=\"img\"", picture);
    fwrite(root + 4, 1, (size_t)(from - root) - 4, picture);
    fputs("<title>", picture);
    noe_xml_text_put(picture, words->title ? words->title : "");
    fputs("</title>\n<desc>", picture);
    noe_xml_text_put(picture, words->about ? words->about : "");
    fputs("</desc>", picture);
    if (words->one_paper) fprintf(picture, "%.*s</style>", (int)strcspn(style, "@"), style);
    else fputs(style, picture);
    put_unnamed(picture, to + strlen("</desc>"));
    free(text);
    if (fflush(picture) || ferror(picture) || ftruncate(fileno(picture), ftell(picture)))
        return noe_status_fail(NOE_IO, "cannot write a picture: %s", strerror(errno));
    return NOE_OK;
}
