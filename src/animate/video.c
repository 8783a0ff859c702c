/* The motion as .gif and .mp4: frames as SVG files, which ffmpeg puts together.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "animate/flat_sheet.h"
#include "animate/svg_picture.h"
#include "base/child_process.h"
#include "base/status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 1500 }; /* at most */

typedef struct {
    int    rate; /* frames a second */
    double zoom; /* of the sheet */
    /* Arguments of ffmpeg between the frames and the file. */
    const char *argument[12];
} video_format;

static const video_format gif = {
    20, 0.75, { "-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse", "-f", "gif" }
};
static const video_format mp4 = {
    30, 1.5, { "-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4" }
};

static void name_frame(char *path, size_t size, const char *folder, int k)
{
    snprintf(path, size, "%s/%05d.svg", folder, k);
}

static noe_status write_frames(const noe_film *film, const video_format *v, const char *folder,
                               int *frames)
{
    noe_flat_picture x;
    char             path[300];
    noe_status       s = noe_flat_sheet_make(&x, film) ? NOE_OK : NOE_NO_MEMORY;
    const double     wanted = s ? 0 : v->rate * noe_flat_picture_seconds(&x);
    const int        count = wanted < 2 ? 2 : wanted > FRAMES ? FRAMES : (int)wanted;
    for (int k = 0; !s && k < count; k++) {
        name_frame(path, sizeof path, folder, k);
        FILE *f = fopen(path, "w");
        if (!f) {
            s = noe_status_fail(NOE_IO, "cannot write %s: %s", path, strerror(errno));
            break;
        }
        s = noe_svg_picture_frame(&x, x.from + (x.until - x.from) * k / (count - 1), v->zoom, f);
        if (fclose(f) && !s)
            s = noe_status_fail(NOE_IO, "cannot write %s: %s", path, strerror(errno));
        *frames = k + 1;
    }
    noe_flat_picture_drop(&x);
    return s;
}

static noe_status encode(const video_format *v, const char *folder, noe_atomic_file *to)
{
    char        frames[300], rate[12], text[400];
    const char *command[28] = { "ffmpeg",     "-nostdin", "-loglevel", "error", "-y",
                                "-framerate", rate,       "-i",        frames };
    int         count = 9, status = 0;
    snprintf(frames, sizeof frames, "%s/%%05d.svg", folder);
    snprintf(rate, sizeof rate, "%d", v->rate);
    for (int k = 0; v->argument[k]; k++) command[count++] = v->argument[k];
    command[count++] = to->path;
    FILE      *said = tmpfile();
    const int  e = said ? noe_child_process_run(command, NULL, NULL, said, &status) : errno;
    noe_status s = NOE_OK;
    if (e == EFBIG) errno = e, s = noe_atomic_file_fail(to);
    else if (e) s = noe_status_fail(NOE_IO, "cannot run ffmpeg: %s", strerror(e));
    else if (status)
        s = noe_status_fail(NOE_IO, "ffmpeg could not make %s: %s", noe_atomic_file_name(to),
                            noe_child_process_said(said, text, sizeof text));
    if (said) fclose(said);
    return s;
}

static noe_status write_video(const noe_film *film, const video_format *v, noe_atomic_file *to)
{
    const char *temporary = getenv("TMPDIR");
    char        folder[200], path[300];
    int         frames = 0;
    const char  letters[] = { 'X', 'X', 'X', 'X', 'X', 'X', 0 }; /* which mkdtemp replaces */
    snprintf(folder, sizeof folder, "%.150s/noether-%s",
             temporary && *temporary ? temporary : "/tmp", letters);
    if (!mkdtemp(folder))
        return noe_status_fail(NOE_IO, "cannot make %s for the frames: %s", folder,
                               strerror(errno));
    noe_status s = write_frames(film, v, folder, &frames);
    if (!s) s = encode(v, folder, to);
    for (int k = 0; k < frames; k++) name_frame(path, sizeof path, folder, k), unlink(path);
    rmdir(folder);
    return s;
}

noe_status noe_video_write_gif(const noe_film *f, noe_atomic_file *to)
{
    return write_video(f, &gif, to);
}

noe_status noe_video_write_mp4(const noe_film *f, noe_atomic_file *to)
{
    return write_video(f, &mp4, to);
}
