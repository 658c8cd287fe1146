// args.c: the table of all options, their reading and their help.

#include "query/args.h"

#include <stddef.h>
#include <string.h>

#include "query/quantity.h"

enum kind { KIND_FLAG, KIND_TEXT, KIND_CHOICE, KIND_COUNT, KIND_BYTES };

struct option_row {
    const char *name;    // without "--"
    const char *operand; // as help shows it; for a choice its words, separated by '|'
    enum kind kind;
    size_t place; // of its field in struct arguments
    uint64_t min, max;
    const char *help;
};

#define PLACE(field) offsetof(struct arguments, field)

static const struct option_row option_rows[N_OPTIONS] = {
    [OPTION_DB] = {"db", "DIR", KIND_TEXT, PLACE(db), 0, 0,
                   "directory of the tables (else $MERELS_DB/NAME, else merels-db/NAME)"},
    [OPTION_THREADS] = {"threads", "N", KIND_COUNT, PLACE(n_threads), 1, 1024,
                        "number of threads (else all processors)"},
    [OPTION_MEMORY] = {"memory", "SIZE", KIND_BYTES, PLACE(memory_bytes), 0, 0,
                       "memory limit, as 4G (else three quarters of what is free)"},
    [OPTION_MAX_MEN] = {"max-men", "N", KIND_COUNT, PLACE(max_men), 1, 48,
                        "only subspaces with at most N men, board and hand"},
    [OPTION_PHASE] = {"phase", "moving|all", KIND_CHOICE, PLACE(phase), 0, 0,
                      "moving: only subspaces with empty hands (else all)"},
    [OPTION_CPU] = {"cpu", "portable|v3|v4", KIND_CHOICE, PLACE(cpu), 0, 0,
                    "processor level to use (else the best)"},
    [OPTION_POSITION] = {"position", "POSITION", KIND_TEXT, PLACE(position), 0, 0,
                         "where to begin (else the start)"},
    [OPTION_CACHE] = {"cache", "SIZE", KIND_BYTES, PLACE(cache_bytes), 0, 0,
                      "memory for decompressed blocks, as 256M (else 64M)"},
    [OPTION_UNICODE] = {"unicode", NULL, KIND_FLAG, PLACE(unicode), 0, 0,
                        "draw the board with Unicode characters"},
    [OPTION_REPLIES] = {"replies", NULL, KIND_FLAG, PLACE(replies), 0, 0,
                        "in a batch too: count the replies that keep a draw"},
    [OPTION_PLIES] = {"plies", "N", KIND_COUNT, PLACE(max_plies), 1, 100000, "at most N plies"},
    [OPTION_SIDE] = {"side", "white|black|both|none", KIND_CHOICE, PLACE(side), 0, 0,
                     "the side or sides that the person plays (else white)"},
    [OPTION_TO] = {"to", "short|fen|game", KIND_CHOICE, PLACE(to), 0, 0,
                   "the form to write (else short)"},
    [OPTION_EDITION] = {"edition", "wdl", KIND_CHOICE, PLACE(edition), 0, 0,
                        "wdl: win, draw and loss without depths"},
    [OPTION_OUT] = {"out", "DIR2", KIND_TEXT, PLACE(out), 0, 0,
                    "directory to write (else DIR-wdl)"},
    [OPTION_SAMPLE] = {"sample", "N", KIND_COUNT, PLACE(n_samples), 1, 1000000000,
                       "only N random slots of each table"},
    [OPTION_VERBOSE] = {"verbose", NULL, KIND_FLAG, PLACE(verbose), 0, 0, "say more"},
    [OPTION_TSV] = {"tsv", NULL, KIND_FLAG, PLACE(tsv), 0, 0, "tab-separated lines"},
    [OPTION_JSON] = {"json", NULL, KIND_FLAG, PLACE(json), 0, 0, "JSON"},
    [OPTION_HELP] = {"help", NULL, KIND_FLAG, PLACE(help), 0, 0, "show this text"},
};

// The option called by the first `length` characters of `name`, or NULL.
static const struct option_row *find_option(unsigned takes, const char *name, size_t length)
{
    for (int i = 0; i < N_OPTIONS; i++)
        if ((takes & TAKES(i)) && strncmp(option_rows[i].name, name, length) == 0 &&
            option_rows[i].name[length] == '\0')
            return &option_rows[i];
    return NULL;
}

// True if `word` is one of the words of `words`, which '|' separates.
static bool is_choice(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *w = words; w; w = strchr(w, '|')) {
        w += *w == '|';
        if (length > 0 && strcspn(w, "|") == length && strncmp(w, word, length) == 0)
            return true;
    }
    return false;
}

static enum status set_value(const struct option_row *row, const char *value,
                             struct arguments *args, struct error *err)
{
    char *field = (char *)args + row->place;
    char what[32];
    snprintf(what, sizeof what, "--%s", row->name);
    switch (row->kind) {
    case KIND_FLAG:
        *(bool *)field = true;
        return STATUS_OK;
    case KIND_COUNT:
        return merels_count_parse(what, value, row->min, row->max, (uint64_t *)field, err);
    case KIND_BYTES:
        return merels_bytes_parse(what, value, (uint64_t *)field, err);
    case KIND_CHOICE:
        if (!is_choice(row->operand, value))
            return merels_error(err, STATUS_BAD_INPUT, "%s: '%s' is not one of %s", what, value,
                                row->operand);
        break;
    case KIND_TEXT:
        if (value[0] == '\0')
            return merels_error(err, STATUS_BAD_INPUT, "%s: the value is empty", what);
        break;
    }
    *(const char **)field = value;
    return STATUS_OK;
}

// Reads the option at argv[*i]; moves *i on if its value is the next argument.
static enum status read_option(unsigned takes, int argc, char **argv, int *i,
                               struct arguments *args, struct error *err)
{
    const char *text = argv[*i];
    if (strcmp(text, "-h") == 0)
        text = "--help";
    const char *name = text + 2;
    size_t length = strcspn(name, "=");
    const struct option_row *row = text[1] == '-' ? find_option(takes, name, length) : NULL;
    if (!row && text[1] == '-' && find_option(~0u, name, length))
        return merels_error(err, STATUS_BAD_INPUT, "option '--%.*s' does not belong here",
                            (int)length, name);
    if (!row)
        return merels_error(err, STATUS_BAD_INPUT, "unknown option '%s'", text);

    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (row->kind == KIND_FLAG && value)
        return merels_error(err, STATUS_BAD_INPUT, "option '--%s' takes no value", row->name);
    if (row->kind != KIND_FLAG && !value) {
        if (*i + 1 >= argc || strncmp(argv[*i + 1], "--", 2) == 0)
            return merels_error(err, STATUS_BAD_INPUT, "option '--%s' needs a value (%s)",
                                row->name, row->operand);
        value = argv[++*i];
    }
    return set_value(row, value, args, err);
}

enum status merels_args_parse(unsigned takes, int argc, char **argv, struct arguments *args,
                              struct error *err)
{
    *args = (struct arguments){.operands = argv, .cache_bytes = ARGS_CACHE_BYTES};
    bool options_end = false;
    for (int i = 0; i < argc; i++) {
        char *text = argv[i];
        if (!options_end && strcmp(text, "--") == 0) {
            options_end = true;
        } else if (!options_end && text[0] == '-' && text[1] != '\0') {
            enum status status = read_option(takes, argc, argv, &i, args, err);
            if (status != STATUS_OK)
                return status;
        } else {
            argv[args->n_operands++] = text;
        }
    }
    if (args->tsv && args->json)
        return merels_error(err, STATUS_BAD_INPUT, "--tsv and --json exclude each other");
    return STATUS_OK;
}

void merels_args_help(unsigned takes, struct output *out)
{
    for (int i = 0; i < N_OPTIONS; i++)
        if (takes & TAKES(i)) {
            const struct option_row *row = &option_rows[i];
            char left[64];
            snprintf(left, sizeof left, "--%s %s", row->name, row->operand ? row->operand : "");
            merels_print(out, "  %-22s %s\n", left, row->help);
        }
}
