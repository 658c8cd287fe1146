// signs.c: UTF-8, and what its characters mean in a game.

#include "game/signs.h"

#include <stdint.h>

// Decodes the character at `text`; its length in bytes, 1 for a byte that begins none.
static int decode(const char *text, uint32_t *code)
{
    const unsigned char *b = (const unsigned char *)text;
    int n = b[0] >= 0xF0 && b[0] < 0xF8 ? 4 : b[0] >= 0xE0 ? 3 : b[0] >= 0xC2 ? 2 : 1;
    *code = n == 1 ? b[0] : b[0] & (0xFFu >> (n + 1));
    if (b[0] >= 0xF8)
        n = 1;
    for (int i = 1; i < n; i++) {
        if ((b[i] & 0xC0) != 0x80) { // also the end of the text
            *code = UINT32_MAX;
            return 1;
        }
        *code = *code << 6 | (b[i] & 0x3F);
    }
    return n;
}

static const struct {
    uint32_t first, last;
    char sign;
} meanings[] = {
    {0x00A0, 0x00A0, ' '},                              // no-break space
    {0x00BD, 0x00BD, SIGN_HALF}, {0x00D7, 0x00D7, 'x'}, // multiplication sign
    {0x2000, 0x200F, ' '},                              // spaces, and marks of no width
    {0x2010, 0x2015, '-'},                              // hyphens and dashes
    {0x2018, 0x2019, '\''},      {0x201C, 0x201D, '"'},
    {0x2028, 0x2029, ' '}, // separators of lines
    {0x202F, 0x202F, ' '}, // narrow no-break space
    {0x205F, 0x2060, ' '},       {0x2192, 0x2192, '>'},
    {0x21D2, 0x21D2, '>'},       {0x2212, 0x2212, '-'}, // minus
    {0x2715, 0x2718, 'x'},                              // crosses
    {0x279C, 0x279E, '>'},       {0x27A1, 0x27A1, '>'},
    {0x3000, 0x3000, ' '}, // space of full width
    {0xFE58, 0xFE58, '-'},       {0xFE63, 0xFE63, '-'},
    {0xFEFF, 0xFEFF, ' '}, // byte-order mark
};

static char meaning(uint32_t code)
{
    if (code >= 0xFF01 && code <= 0xFF5E)
        return (char)(code - 0xFF00 + ' ');
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (code >= meanings[i].first && code <= meanings[i].last)
            return meanings[i].sign;
    return SIGN_OTHER;
}

static char read(const struct signs *signs, int *length)
{
    const char *text = signs->text + signs->at;
    unsigned char first = (unsigned char)text[0];
    *length = 1;
    if (first >= 0x80) {
        uint32_t code;
        *length = decode(text, &code);
        return meaning(code);
    }
    if (first == '\r')
        return text[1] == '\n' ? ' ' : '\n';
    if (first == '\f' || first == '\v')
        return ' ';
    return (first < ' ' && first != '\t' && first != '\n' && first != '\0') || first == 0x7F
               ? SIGN_OTHER
               : (char)first;
}

char merels_sign(const struct signs *signs)
{
    int length;
    return read(signs, &length);
}

void merels_sign_skip(struct signs *signs)
{
    int length;
    char sign = read(signs, &length);
    if (sign == '\0')
        return;
    signs->at += length;
    signs->column++;
    if (sign == '\n') {
        signs->line++;
        signs->column = 1;
    }
}

bool merels_signs_copy(const char *text, size_t length, char *out, size_t room)
{
    struct signs signs = {text, 0, 1, 1};
    size_t n = 0;
    for (char c; (size_t)signs.at < length && (c = merels_sign(&signs)) != '\0';) {
        if (n + 1 >= room)
            return false;
        out[n++] = c;
        merels_sign_skip(&signs);
    }
    out[n] = '\0';
    return true;
}
