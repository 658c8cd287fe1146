// args.c: the table of all options, their reading and their help.
//
// getopt_long splits the command line; what is wrong with it is said here, by the table.

#include "query/args.h"

#include <getopt.h>
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
                   "directory of the tables, or file of edition compact (else NAME or "
                   "NAME.mce in $MERELS_DB, else in merels-db)"},
    [OPTION_THREADS] = {"threads", "N", KIND_COUNT, PLACE(n_threads), 1, 1024,
                        "number of threads (else all processors)"},
    [OPTION_MEMORY] = {"memory", "SIZE", KIND_BYTES, PLACE(memory_bytes), 1, UINT64_MAX,
                       "memory limit, as 4G (else three quarters of what is free)"},
    [OPTION_MAX_MEN] = {"max-men", "N", KIND_COUNT, PLACE(max_men), 1, 48,
                        "only subspaces with at most N men, board and hand"},
    [OPTION_PHASE] = {"phase", "moving|all", KIND_CHOICE, PLACE(phase), 0, 0,
                      "moving: only subspaces with empty hands (else all)"},
    [OPTION_CPU] = {"cpu", "portable|v3-slow-pext|v3|v4", KIND_CHOICE, PLACE(cpu), 0, 0,
                    "processor level to use (else the fastest here)"},
    [OPTION_KEEP] = {"keep", "all|wdl|none", KIND_CHOICE, PLACE(keep), 0, 0,
                     "what stays of tables that nothing needs any more (else all)"},
    [OPTION_VERIFY] = {"verify", NULL, KIND_FLAG, PLACE(verify), 0, 0,
                       "check every table as soon as it is made"},
    [OPTION_GROUP] = {"group", "N", KIND_COUNT, PLACE(group), 1, 4096,
                      "so many ranks work on a unit together (else as the plan says)"},
    [OPTION_RANKS] = {"ranks", "N", KIND_COUNT, PLACE(n_ranks), 1, 4096,
                      "as if mpirun had started N processes"},
    [OPTION_CORES] = {"cores", "M", KIND_COUNT, PLACE(n_cores), 1, 1024,
                      "with --ranks: processors of each (else as --threads)"},
    [OPTION_POSITION] = {"position", "POSITION", KIND_TEXT, PLACE(position), 0, 0,
                         "where to begin (else the start)"},
    [OPTION_CACHE] = {"cache", "SIZE", KIND_BYTES, PLACE(cache_bytes), 0, SIZE_MAX,
                      "memory for decompressed blocks, as 256M (else 64M); 0: keep none"},
    [OPTION_UNICODE] = {"unicode", NULL, KIND_FLAG, PLACE(unicode), 0, 0,
                        "draw the board with Unicode characters"},
    [OPTION_REPLIES] = {"replies", NULL, KIND_FLAG, PLACE(replies), 0, 0,
                        "in a batch too: count the replies that keep a draw"},
    [OPTION_PARTS] = {"parts", NULL, KIND_FLAG, PLACE(parts), 0, 0,
                      "in a batch too: from, to, removed men, and the position after each ply"},
    [OPTION_PLIES] = {"plies", "N", KIND_COUNT, PLACE(max_plies), 1, 100000, "at most N plies"},
    [OPTION_NODES] =
        {"nodes", "N", KIND_COUNT, PLACE(max_nodes), 1, UINT64_C(1) << 60,
         "positions that a search of one answer looks at (else 4000000, serve 400000)"},
    [OPTION_SIDE] = {"side", "white|black|both|none", KIND_CHOICE, PLACE(side), 0, 0,
                     "the side or sides that the person plays (else white)"},
    [OPTION_TO] = {"to", "short|fen|game|pgn", KIND_CHOICE, PLACE(to), 0, 0,
                   "the form to write (else short)"},
    [OPTION_EDITION] = {"edition", "dtm|dtc|wdl|compact", KIND_CHOICE, PLACE(edition), 0, 0,
                        "dtm, dtc: with depths; wdl: without; compact: in one file"},
    [OPTION_PLAIN] = {"plain", "DIR", KIND_TEXT, PLACE(plain), 0, 0,
                      "tables of the same rules without n-move: both values side by side"},
    [OPTION_METRIC] = {"metric", "dtm|dtc", KIND_CHOICE, PLACE(metric), 0, 0,
                       "what depths count to: the end, or the next removal (RULES,metric=...)"},
    [OPTION_OUT] = {"out", "DIR2", KIND_TEXT, PLACE(out), 0, 0,
                    "directory to write (else DIR-wdl), or file (else DIR.mce)"},
    [OPTION_PIECES] = {"pieces", "SIZE", KIND_BYTES, PLACE(piece_bytes), 1, UINT64_MAX,
                       "cut the file into pieces of so many bytes, as 50M"},
    [OPTION_RECORD] = {"record", "FILE", KIND_TEXT, PLACE(record), 0, 0,
                       "file of the record of a full verify (else in DIR)"},
    [OPTION_RULES] = {"rules", "FILE", KIND_TEXT, PLACE(rules), 0, 0,
                      "rules from a file, in place of RULES"},
    [OPTION_OPTIONS] = {"options", NULL, KIND_FLAG, PLACE(options), 0, 0,
                        "every option of rules with its values"},
    [OPTION_REACHABLE] = {"reachable", NULL, KIND_FLAG, PLACE(reachable), 0, 0,
                          "count the positions that a game can reach"},
    [OPTION_SAMPLE] = {"sample", "N", KIND_COUNT, PLACE(n_samples), 1, 1000000000,
                       "only N random slots of each table"},
    [OPTION_PROTOCOL] = {"protocol", "gbgp|uci", KIND_CHOICE, PLACE(protocol), 0, 0,
                         "the protocol to speak (else gbgp)"},
    [OPTION_COUNT] = {"count", "N", KIND_COUNT, PLACE(count), 1, 100000, "how many (else 10)"},
    [OPTION_GOAL] = {"goal", "win|hold", KIND_CHOICE, PLACE(goal), 0, 0,
                     "only those that win, or that hold a draw"},
    [OPTION_STAGE] = {"stage", "placing|moving|flying", KIND_CHOICE, PLACE(stage), 0, 0,
                      "only those in which the solver does that first"},
    [OPTION_MIN_PLIES] = {"min-plies", "N", KIND_COUNT, PLACE(min_plies), 1, 255,
                          "at least N plies"},
    [OPTION_SEED] = {"seed", "N", KIND_COUNT, PLACE(seed), 1, UINT32_MAX,
                     "seed of the random choice (else 1)"},
    [OPTION_CHECK] = {"check", "FILE", KIND_TEXT, PLACE(check), 0, 0,
                      "check the puzzles of FILE (-: standard input)"},
    [OPTION_PORT] = {"port", "N", KIND_COUNT, PLACE(port), 0, 65535,
                     "port to listen on (else 8017); 0: any that is free"},
    [OPTION_LISTEN] = {"listen", "ADDRESS", KIND_TEXT, PLACE(listen), 0, 0,
                       "address of this machine to listen on (else 127.0.0.1)"},
    [OPTION_PAGE] = {"page", "DIR", KIND_TEXT, PLACE(page), 0, 0,
                     "folder of the page (else that of the installation)"},
    [OPTION_LOG] = {"log", "FILE", KIND_TEXT, PLACE(log), 0, 0,
                    "append a line for each request (-: standard output)"},
    [OPTION_ORIGIN] = {"origin", "ORIGIN", KIND_TEXT, PLACE(origin), 0, 0,
                       "let pages of this origin (*: all) read the answers"},
    [OPTION_MAX_BODY] = {"max-body", "SIZE", KIND_BYTES, PLACE(max_body_bytes), 1, 1u << 30,
                         "longest body of a request (else 16M)"},
    [OPTION_MAX_BATCH] = {"max-batch", "N", KIND_COUNT, PLACE(max_batch), 1, 100000000,
                          "most lines of a batch (else 250000)"},
    [OPTION_MAX_CONNECTIONS] = {"max-connections", "N", KIND_COUNT, PLACE(max_connections), 1,
                                10000, "most connections at a time (else 256)"},
    [OPTION_MAX_TIME] = {"max-time", "SECONDS", KIND_COUNT, PLACE(max_seconds), 1, 86400,
                         "longest time of a request (else 60), and more while an answer flows"},
    [OPTION_MAX_IDLE] = {"max-idle", "SECONDS", KIND_COUNT, PLACE(idle_seconds), 1, 86400,
                         "close connections that are silent for so long (else 20)"},
    [OPTION_SVG] = {"svg", "FILE", KIND_TEXT, PLACE(svg), 0, 0,
                    "write a picture, too (-: to standard output, and nothing else)"},
    [OPTION_PLOT] = {"plot", "DIR2", KIND_TEXT, PLACE(plot), 0, 0,
                     "directory for pictures of the values (SVG)"},
    [OPTION_VERBOSE] = {"verbose", NULL, KIND_FLAG, PLACE(verbose), 0, 0, "say more"},
    [OPTION_TSV] = {"tsv", NULL, KIND_FLAG, PLACE(tsv), 0, 0, "tab-separated lines"},
    [OPTION_JSON] = {"json", NULL, KIND_FLAG, PLACE(json), 0, 0, "JSON"},
    [OPTION_HELP] = {"help", NULL, KIND_FLAG, PLACE(help), 0, 0, "show this text"},
};

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
        return merels_bytes_parse(what, value, row->min, row->max, (uint64_t *)field, err);
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

// ---- splitting by getopt_long --------------------------------------------------------------

// What getopt_long returns: for an option of the table its number behind this one.
enum { CODE_OPERAND = 1, CODE_HELP = 'h', CODE_OPTION = 256 };

// The options that are taken, as getopt_long wants them.
static void list_options(uint64_t takes, struct option list[N_OPTIONS + 1])
{
    int n = 0;
    for (int i = 0; i < N_OPTIONS; i++)
        if (takes & TAKES(i))
            list[n++] = (struct option){
                .name = option_rows[i].name,
                .has_arg = option_rows[i].kind == KIND_FLAG ? no_argument : required_argument,
                .val = CODE_OPTION + i};
    list[n] = (struct option){.name = NULL};
}

// Counts the options that begin with the first `length` characters of `name`; writes their
// names, as far as there is room.
static int find_options(uint64_t takes, const char *name, size_t length, char names[128])
{
    int n = 0;
    size_t end = 0;
    names[0] = '\0';
    for (int i = 0; i < N_OPTIONS; i++)
        if ((takes & TAKES(i)) && strncmp(option_rows[i].name, name, length) == 0) {
            int added = snprintf(names + end, 128 - end, "%s--%s", n++ > 0 ? ", " : "",
                                 option_rows[i].name);
            end += (size_t)added < 128 - end ? (size_t)added : 0;
        }
    return n;
}

// Says why getopt_long does not take the option `text`; `code` is what it knows of it.
static enum status refuse(uint64_t takes, const char *text, int code, struct error *err)
{
    char names[128];
    if (code >= CODE_OPTION)
        return merels_error(err, STATUS_BAD_INPUT, "option '--%s' takes no value",
                            option_rows[code - CODE_OPTION].name);
    if (code != 0)
        return merels_error(err, STATUS_BAD_INPUT, "unknown option '-%c'", code);
    size_t length = strcspn(text + 2, "=");
    if (length > 0 && find_options(takes, text + 2, length, names) > 1)
        return merels_error(err, STATUS_BAD_INPUT, "option '%.*s' may be any of %s",
                            (int)length + 2, text, names);
    if (find_options(~UINT64_C(0), text + 2, length, names) == 1)
        return merels_error(err, STATUS_BAD_INPUT, "option '%s' does not belong here", names);
    return merels_error(err, STATUS_BAD_INPUT, "unknown option '%s'", text);
}

static enum status lacks_value(const struct option_row *row, struct error *err)
{
    return merels_error(err, STATUS_BAD_INPUT, "option '--%s' needs a value (%s)", row->name,
                        row->operand);
}

// Takes an option that getopt_long has found. Another option is no value of it.
static enum status take_option(const struct option_row *row, char *const *argv,
                               struct arguments *args, struct error *err)
{
    bool apart = optarg && optarg == argv[optind - 1];
    if (apart && strncmp(optarg, "--", 2) == 0)
        return lacks_value(row, err);
    return set_value(row, optarg, args, err);
}

static enum status take(uint64_t takes, int code, char **argv, struct arguments *args,
                        struct error *err)
{
    if (code == CODE_OPERAND) {
        args->operands[args->n_operands++] = optarg;
        return STATUS_OK;
    }
    if (code == CODE_HELP)
        return set_value(&option_rows[OPTION_HELP], NULL, args, err);
    if (code == ':')
        return lacks_value(&option_rows[optopt - CODE_OPTION], err);
    if (code == '?')
        return refuse(takes, argv[optind - 1], optopt, err);
    return take_option(&option_rows[code - CODE_OPTION], argv, args, err);
}

enum status merels_args_parse(uint64_t takes, int argc, char **argv, struct arguments *args,
                              struct error *err)
{
    struct option list[N_OPTIONS + 1];
    list_options(takes, list);
    *args = (struct arguments){.operands = argv + 1,
                               .cache_bytes = ARGS_CACHE_BYTES,
                               .port = ARGS_PORT,
                               .max_body_bytes = 16 << 20,
                               .max_batch = 250000,
                               .max_connections = 256,
                               .max_seconds = 60,
                               .idle_seconds = 20};
    optind = 0; // begins anew
    opterr = 0;
    for (int code; (code = getopt_long(argc, argv, "-:h", list, NULL)) != -1;) {
        enum status status = take(takes, code, argv, args, err);
        if (status != STATUS_OK)
            return status;
    }
    for (int i = optind; i < argc; i++) // behind "--"
        args->operands[args->n_operands++] = argv[i];
    if (args->rules) { // there is room: the option stood in argv, too
        memmove(args->operands + 1, args->operands,
                (size_t)args->n_operands * sizeof *args->operands);
        args->operands[0] = (char *)args->rules;
        args->n_operands++;
    }
    if (args->tsv && args->json)
        return merels_error(err, STATUS_BAD_INPUT, "--tsv and --json exclude each other");
    return STATUS_OK;
}

void merels_args_help(uint64_t takes, struct output *out)
{
    for (int i = 0; i < N_OPTIONS; i++)
        if (takes & TAKES(i)) {
            const struct option_row *row = &option_rows[i];
            char left[64];
            snprintf(left, sizeof left, "--%s %s", row->name, row->operand ? row->operand : "");
            merels_print(out, "  %-22s %s\n", left, row->help);
        }
}
