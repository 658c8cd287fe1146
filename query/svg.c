// svg.c: the text of an SVG file.

#include "query/svg.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "db/file.h"

// Classes of all pictures; colours as in web/style.css, light and dark. Every shape that may
// stand on a dark card has its second colour here.
static const char style[] =
    ".card{fill:#fffdf8;stroke:#ddd5c5}"
    ".surface{fill:#e9dfc9}"
    ".line{fill:none;stroke:#6b5f4b;stroke-width:3.5;stroke-linecap:round}"
    ".dot{fill:#6b5f4b}"
    "text{font-family:system-ui,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans','DejaVu "
    "Sans',sans-serif;fill:#25231f;font-size:16px}"
    ".title{font-size:26px;font-weight:600}"
    ".words{font-size:18px;fill:#625c51}"
    ".small{font-size:15px;fill:#625c51}"
    ".name{font-size:17px;fill:#75684f}"
    ".middle{text-anchor:middle}"
    ".end{text-anchor:end}"
    ".axis{stroke:#625c51;stroke-width:1.5;fill:none}"
    ".grid{stroke:#625c51;stroke-width:1;opacity:0.25;fill:none}"
    ".win{fill:#0b6e63}.draw{fill:#80610a}.loss{fill:#ad2f3c}.unknown{fill:#6a675f}"
    ".win-line{stroke:#0b6e63}.draw-line{stroke:#80610a}.loss-line{stroke:#ad2f3c}"
    ".unknown-line{stroke:#6a675f}"
    ".win-line,.draw-line,.loss-line,.unknown-line{fill:none}"
    ".sign{fill:#ffffff;font-weight:600;text-anchor:middle}"
    ".white-man{fill:#fffdf6;stroke:#8d8168;stroke-width:2}"
    ".white-groove{fill:none;stroke:#ddd3bd;stroke-width:2}"
    ".black-man{fill:#2b2a2b;stroke:#131313;stroke-width:2}"
    ".black-groove{fill:none;stroke:#4a484a;stroke-width:2}"
    ".trace{fill:none;stroke:#2c5f8a;stroke-width:3;stroke-dasharray:7 6}"
    ".course{fill:none;stroke:#2c5f8a;stroke-width:2.5;stroke-linejoin:round}"
    ".node{fill:#2c5f8a}"
    ".half-white{fill:#fbf8f0}.half-black{fill:#d9d2c4}"
    "@media(prefers-color-scheme:dark){"
    ".card{fill:#1f2226;stroke:#363a40}"
    ".surface{fill:#2c2a26}"
    ".line{stroke:#978b74}.dot{fill:#978b74}"
    "text{fill:#ece8df}.words,.small{fill:#aca698}.name{fill:#a79b84}"
    ".axis,.grid{stroke:#aca698}"
    ".win{fill:#43c3ae}.draw{fill:#dcb44a}.loss{fill:#f0848d}.unknown{fill:#a9a498}"
    ".win-line{stroke:#43c3ae}.draw-line{stroke:#dcb44a}.loss-line{stroke:#f0848d}"
    ".unknown-line{stroke:#a9a498}"
    ".sign{fill:#14171a}"
    ".white-man{fill:#efe9da;stroke:#c9c0ab}.white-groove{stroke:#cfc6b1}"
    ".black-man{fill:#0e0f11;stroke:#83796a}.black-groove{stroke:#3a3a3c}"
    ".trace,.course{stroke:#8fc0ea}.node{fill:#8fc0ea}"
    ".half-white{fill:#33363b}.half-black{fill:#141619}"
    "}";

static bool make_room(struct svg *svg, size_t n_bytes)
{
    size_t room = svg->room > 0 ? svg->room : 1 << 14;
    while (!svg->failed && room - svg->length <= n_bytes)
        room *= 2;
    if (svg->failed || room == svg->room)
        return !svg->failed;
    char *text = realloc(svg->text, room);
    svg->failed = text == NULL;
    if (svg->failed)
        return false;
    svg->text = text;
    svg->room = room;
    return true;
}

void merels_svg_add(struct svg *svg, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, format, list);
    svg->failed |= n < 0;
    if (make_room(svg, (size_t)(n < 0 ? 0 : n))) {
        vsnprintf(svg->text + svg->length, svg->room - svg->length, format, again);
        svg->length += (size_t)n;
    }
    va_end(again);
    va_end(list);
}

// The bytes of the sign of UTF-8 that begins here; 0 if none does, or one that XML does not
// know.
static size_t sign_bytes(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x80)
        return c[0] >= 0x20 && c[0] != 0x7F;
    size_t n = c[0] >= 0xF0 ? 4 : c[0] >= 0xE0 ? 3 : 2;
    uint32_t code = c[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((c[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (c[i] & 0x3F);
    }
    static const uint32_t least[] = {0, 0, 0xA0, 0x800, 0x10000}; // no control characters
    bool surrogate = code >= 0xD800 && code < 0xE000;
    bool none = code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
    return c[0] < 0xC2 || code < least[n] || surrogate || none ? 0 : n;
}

void merels_svg_escape(struct svg *svg, const char *text)
{
    static const char kept[] = "&<>\"";
    static const char *const written[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    while (*text != '\0') {
        size_t n = sign_bytes(text);
        const char *at = strchr(kept, *text);
        if (at)
            merels_svg_add(svg, "%s", written[at - kept]);
        else if (n == 0)
            merels_svg_add(svg, "?");
        else
            merels_svg_add(svg, "%.*s", (int)n, text);
        text += n > 0 ? n : 1;
    }
}

struct svg merels_svg_begin(int width, int height, const char *title)
{
    struct svg svg = {.text = NULL};
    merels_svg_add(&svg,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                   "width=\"%d\" height=\"%d\" role=\"img\">\n<title>",
                   width, height, width, height);
    merels_svg_escape(&svg, title);
    merels_svg_add(&svg, "</title>\n<style>%s</style>\n", style);
    merels_svg_add(&svg,
                   "<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"14\" "
                   "class=\"card\"/>\n",
                   width - 1, height - 1);
    return svg;
}

void merels_svg_end(struct svg *svg)
{
    merels_svg_add(svg, "</svg>\n");
}

void merels_svg_free(struct svg *svg)
{
    free(svg->text);
    *svg = (struct svg){.text = NULL};
}

void merels_svg_text(struct svg *svg, double x, double y, const char *class, const char *text)
{
    merels_svg_add(svg, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    merels_svg_escape(svg, text);
    merels_svg_add(svg, "</text>\n");
}

// A device or a directory is not replaced by a picture.
static enum status check_place(const char *path, struct error *err)
{
    struct file file;
    struct error reason;
    enum status status = merels_file_open(path, &file, &reason);
    if (status == STATUS_OK)
        merels_file_drop(&file);
    if (status == STATUS_OK || status == STATUS_MISSING)
        return STATUS_OK;
    return merels_error(err, status == STATUS_CORRUPT ? STATUS_BAD_INPUT : status, "%s",
                        reason.text);
}

static enum status replace(const struct svg *svg, const char *path, struct error *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (name[0] == '\0')
        return merels_error(err, STATUS_BAD_INPUT, "'%s' names no file", path);
    enum status status = check_place(path, err);
    if (status != STATUS_OK)
        return status;
    char *dir = slash ? strndup(path, (size_t)(name - path)) : strdup(".");
    if (!dir)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the name of a file");
    status = merels_file_replace(dir, name, svg->text, svg->length, err);
    free(dir);
    return status;
}

enum status merels_svg_write(const struct svg *svg, const char *path, struct output *out,
                             struct error *err)
{
    if (svg->failed)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the picture");
    if (strcmp(path, "-") != 0)
        return replace(svg, path, err);
    merels_print(out, "%s", svg->text);
    return STATUS_OK;
}
