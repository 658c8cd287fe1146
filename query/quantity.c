// quantity.c: counts, sizes and durations as text.

#include "query/quantity.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// Reads digits up to the first other character; false if there is none or the number is too
// big.
static bool read_digits(const char **text, uint64_t *number)
{
    if (!isdigit((unsigned char)**text))
        return false;
    *number = 0;
    for (; isdigit((unsigned char)**text); (*text)++)
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(**text - '0'), number))
            return false;
    return true;
}

enum status merels_count_parse(const char *what, const char *text, uint64_t min, uint64_t max,
                               uint64_t *count, struct error *err)
{
    const char *end = text;
    uint64_t number;
    if (!read_digits(&end, &number) || *end != '\0' || number < min || number > max)
        return merels_error(err, STATUS_BAD_INPUT,
                            "%s: '%s' is not a whole number of %llu to %llu", what, text,
                            (unsigned long long)min, (unsigned long long)max);
    *count = number;
    return STATUS_OK;
}

enum status merels_bytes_parse(const char *what, const char *text, uint64_t min, uint64_t max,
                               uint64_t *n_bytes, struct error *err)
{
    static const char suffixes[] = "KMGT";
    const char *end = text;
    uint64_t number;
    bool good = read_digits(&end, &number);
    if (good && *end != '\0') {
        const char *suffix = strchr(suffixes, toupper((unsigned char)*end));
        int shift = suffix ? 10 * (int)(suffix - suffixes + 1) : 0;
        good = suffix && end[1] == '\0' && number <= UINT64_MAX >> shift;
        number <<= shift;
    }
    if (!good || number < min || number > max)
        return merels_error(err, STATUS_BAD_INPUT,
                            "%s: '%s' is not a size such as 4G (suffixes K, M, G, T)", what,
                            text);
    *n_bytes = number;
    return STATUS_OK;
}

const char *merels_count_format(uint64_t count, char out[QUANTITY_TEXT_BYTES])
{
    char digits[QUANTITY_TEXT_BYTES];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    char *end = out;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            *end++ = ',';
        *end++ = digits[i];
    }
    *end = '\0';
    return out;
}

const char *merels_bytes_format(uint64_t n_bytes, char out[QUANTITY_TEXT_BYTES])
{
    static const char *const names[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double size = (double)n_bytes;
    int step = 0;
    for (; size >= 1024; step++)
        size /= 1024;
    snprintf(out, QUANTITY_TEXT_BYTES, "%.*f %s", step > 0 && size < 100, size, names[step]);
    return out;
}

const char *merels_seconds_format(double seconds, char out[QUANTITY_TEXT_BYTES])
{
    if (seconds < 0)
        seconds = 0;
    if (seconds > 1e12)
        seconds = 1e12;
    long long whole = (long long)(seconds + 0.5);
    if (seconds < 10)
        snprintf(out, QUANTITY_TEXT_BYTES, "%.1f s", seconds);
    else if (whole < 120)
        snprintf(out, QUANTITY_TEXT_BYTES, "%lld s", whole);
    else if (whole < 2 * 3600)
        snprintf(out, QUANTITY_TEXT_BYTES, "%lld min", (whole + 30) / 60);
    else
        snprintf(out, QUANTITY_TEXT_BYTES, "%lld h %lld min", whole / 3600, whole / 60 % 60);
    return out;
}
