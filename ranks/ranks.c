// ranks.c: MPI, in this file alone.
//
// Nothing here blocks in MPI: every wait is a request that is tested, with short sleeps in
// between, so that a rank whose partner has died or failed still sees its flag, and so that
// ranks that share a processor leave it to those who work. A sleep grows from 20 microseconds
// to a millisecond, which is little against a step of a unit that is worth a group.

#include "ranks/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How many processes whoever started this one (mpirun, mpiexec, srun) says there are; 1 if
// nobody says anything.
int merels_ranks_launched(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS",
                                        "SLURM_STEP_NUM_TASKS"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *text = getenv(names[k]);
        int n = text == NULL ? 0 : atoi(text);
        if (n > 0)
            return n;
    }
    return 1;
}

#if MERELS_MPI

#include <mpi.h>
#include <time.h>
#include <unistd.h>

struct ranks {
    MPI_Comm comm;
    MPI_Comm letters;    // of the world: some libraries make groups by messages in `comm`
    struct ranks *world; // of a group; of the world itself
    int number, n;
    int n_beside;
    const atomic_int *stop;
    atomic_bool stopped; // a letter said so
    bool *calls;         // of a group: by rank, its call was seen
    bool has_called;
};

// ---- failures and waiting ------------------------------------------------------------------

static enum status failed(int code, const char *what, struct error *err)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        length = 0;
    return merels_error(err, STATUS_IO, "MPI: %s: %s", what, text);
}

static void doze(int turn)
{
    long ns = turn < 50 ? 20000 : turn < 200 ? 100000 : 1000000;
    (void)nanosleep(&(struct timespec){.tv_nsec = ns}, NULL); // too short a sleep does no harm
}

static double seconds_now(void)
{
    return MPI_Wtime();
}

bool merels_ranks_stops(struct ranks *ranks)
{
    int there = 0;
    if (ranks == NULL)
        return false;
    struct ranks *world = ranks->world;
    if (world->stop != NULL && atomic_load_explicit(world->stop, memory_order_relaxed) != 0)
        return true;
    if (!atomic_load(&world->stopped) &&
        MPI_Iprobe(MPI_ANY_SOURCE, RANKS_STOP, world->letters, &there, MPI_STATUS_IGNORE) ==
            MPI_SUCCESS &&
        there)
        atomic_store(&world->stopped,
                     true); // it stays in the box: all that counts is that it is
    return atomic_load(&world->stopped);
}

enum { FEWEST_LOOKS = 96 }; // some 5 ms, so that last words are sent by a rank that is to stop

// Waits for a request that a call has begun with result `code`.
static enum status wait_for(struct ranks *ranks, int code, MPI_Request *request,
                            const char *what, struct error *err)
{
    int done = 0;
    for (int turn = 0; code == MPI_SUCCESS; turn++) {
        code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS || done)
            break;
        if (turn < 20)
            continue;
        if (turn >= FEWEST_LOOKS && turn % 16 == 0 && merels_ranks_stops(ranks))
            return merels_error(err, STATUS_INTERRUPTED, "stopped");
        doze(turn);
    }
    return code == MPI_SUCCESS ? STATUS_OK : failed(code, what, err);
}

// ---- the world -----------------------------------------------------------------------------

static enum status count_beside(struct ranks *world, struct error *err)
{
    MPI_Comm beside;
    int code = MPI_Comm_split_type(world->comm, MPI_COMM_TYPE_SHARED, world->number,
                                   MPI_INFO_NULL, &beside);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_size(beside, &world->n_beside);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_free(&beside);
    return code == MPI_SUCCESS ? STATUS_OK : failed(code, "cannot tell machines apart", err);
}

static enum status open_world(struct ranks *world, struct error *err)
{
    int provided, code = MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    if (code != MPI_SUCCESS)
        return merels_error(err, STATUS_IO, "MPI: cannot begin");
    world->comm = MPI_COMM_WORLD;
    world->world = world;
    code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_rank(MPI_COMM_WORLD, &world->number);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_size(MPI_COMM_WORLD, &world->n);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_dup(MPI_COMM_WORLD, &world->letters);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_set_errhandler(world->letters, MPI_ERRORS_RETURN);
    if (code != MPI_SUCCESS)
        return failed(code, "cannot begin", err);
    if (provided < MPI_THREAD_MULTIPLE)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "MPI: this library lets only one thread of a process speak");
    if (world->n != merels_ranks_launched())
        return merels_error(err, STATUS_UNSUPPORTED,
                            "MPI: started as one of %d processes, but this library knows %d: "
                            "the launcher belongs to another MPI",
                            merels_ranks_launched(), world->n);
    return count_beside(world, err);
}

enum status merels_ranks_begin(struct ranks **world, struct error *err)
{
    *world = NULL;
    if (merels_ranks_launched() == 1)
        return STATUS_OK;
    struct ranks *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the ranks");
    enum status status = open_world(made, err);
    if (status != STATUS_OK) {
        merels_ranks_end(made, false);
        return status;
    }
    *world = made;
    return STATUS_OK;
}

enum { PATIENCE_SECONDS = 3 };

void merels_ranks_end(struct ranks *world, bool good)
{
    int begun = 0, over = 0;
    if (world == NULL)
        return;
    // Who has died does not come, and no library gets over that: the alarm ends the process.
    if (!good)
        (void)alarm(PATIENCE_SECONDS);
    if (MPI_Initialized(&begun) == MPI_SUCCESS && MPI_Finalized(&over) == MPI_SUCCESS &&
        begun && !over && MPI_Finalize() != MPI_SUCCESS) {
        // Nothing is left to be done, and what was to be said has been said.
    }
    if (!good)
        (void)alarm(0);
    free(world);
}

int merels_ranks_count(const struct ranks *ranks)
{
    return ranks == NULL ? 1 : ranks->n;
}

int merels_ranks_number(const struct ranks *ranks)
{
    return ranks == NULL ? 0 : ranks->number;
}

int merels_ranks_beside(const struct ranks *world)
{
    return world == NULL ? 1 : world->n_beside;
}

const char *merels_ranks_name(const struct ranks *world, char out[RANK_NAME_BYTES])
{
    char host[MPI_MAX_PROCESSOR_NAME] = "";
    int length;
    if (world == NULL || MPI_Get_processor_name(host, &length) != MPI_SUCCESS)
        strcpy(host, "this machine");
    snprintf(out, RANK_NAME_BYTES, "rank %d of %d on %.100s", merels_ranks_number(world),
             merels_ranks_count(world), host);
    return out;
}

void merels_ranks_watch(struct ranks *world, const atomic_int *stop)
{
    if (world != NULL)
        world->stop = stop;
}

bool merels_ranks_waits(struct ranks *ranks, int seconds, double *until)
{
    const struct timespec moment = {.tv_nsec = 50000000};
    if (ranks == NULL)
        return false;
    if (*until == 0)
        *until = seconds_now() + seconds;
    if (seconds_now() >= *until || merels_ranks_stops(ranks))
        return false;
    (void)nanosleep(&moment, NULL); // too short a sleep does no harm
    return true;
}

// ---- letters -------------------------------------------------------------------------------

// Letters are short: MPI takes them in at once, whether or not anybody receives them yet, but
// for those to a rank that has died, which are given up.
enum status merels_ranks_send(struct ranks *world, enum ranks_line line, int to,
                              const void *letter, size_t n_bytes, struct error *err)
{
    MPI_Request request = MPI_REQUEST_NULL;
    uint8_t *copy = malloc(n_bytes);
    if (copy == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a letter");
    memcpy(copy, letter, n_bytes);
    int code = MPI_Isend(copy, (int)n_bytes, MPI_BYTE, to, (int)line, world->letters, &request);
    enum status status = wait_for(world, code, &request, "cannot send", err);
    if (status != STATUS_INTERRUPTED) // else MPI may still read it
        free(copy);
    return status;
}

void merels_ranks_stop_all(struct ranks *world)
{
    const uint8_t nothing = 0;
    for (int r = 0; r < world->n; r++)
        if (merels_ranks_send(world, RANKS_STOP, r, &nothing, sizeof nothing, NULL) !=
            STATUS_OK) {
            // Who cannot be told any more is gone.
        }
}

static enum status take_letter(struct ranks *world, enum ranks_line line, int from,
                               void *letter, size_t n_bytes, struct error *err)
{
    MPI_Status about;
    int n = 0;
    int code =
        MPI_Recv(letter, (int)n_bytes, MPI_BYTE, from, (int)line, world->letters, &about);
    if (code == MPI_SUCCESS)
        code = MPI_Get_count(&about, MPI_BYTE, &n);
    if (code != MPI_SUCCESS)
        return failed(code, "cannot receive", err);
    return (size_t)n == n_bytes
               ? STATUS_OK
               : merels_error(err, STATUS_IO, "MPI: a letter of %d bytes in place of %zu", n,
                              n_bytes);
}

enum status merels_ranks_receive(struct ranks *world, enum ranks_line line, double seconds,
                                 void *letter, size_t n_bytes, int *from, struct error *err)
{
    double until = seconds_now() + seconds;
    for (int turn = 0;; turn++) {
        MPI_Status about;
        int there = 0;
        int code = MPI_Iprobe(MPI_ANY_SOURCE, (int)line, world->letters, &there, &about);
        if (code != MPI_SUCCESS)
            return failed(code, "cannot receive", err);
        if (there) {
            *from = about.MPI_SOURCE;
            return take_letter(world, line, *from, letter, n_bytes, err);
        }
        if (seconds_now() >= until)
            return merels_error(err, STATUS_NOT_YET, "no letter");
        doze(turn);
    }
}

// ---- groups --------------------------------------------------------------------------------

enum { TAG_CALL = 1, MAX_GROUP_TAG = 32767 };

static enum status open_group(struct ranks *world, const int *members, int n, int number,
                              struct ranks *group, struct error *err)
{
    MPI_Group all, some = MPI_GROUP_NULL;
    int code = MPI_Comm_group(world->comm, &all);
    if (code != MPI_SUCCESS)
        return failed(code, "cannot make a group", err);
    code = MPI_Group_incl(all, n, members, &some);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_create_group(world->comm, some, number % MAX_GROUP_TAG, &group->comm);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_set_errhandler(group->comm, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_rank(group->comm, &group->number);
    if (some != MPI_GROUP_NULL)
        (void)MPI_Group_free(&some);
    (void)MPI_Group_free(&all);
    return code == MPI_SUCCESS ? STATUS_OK : failed(code, "cannot make a group", err);
}

enum status merels_ranks_group(struct ranks *world, const int *members, int n, int number,
                               struct ranks **group, struct error *err)
{
    *group = NULL;
    struct ranks *made = calloc(1, sizeof *made);
    if (made != NULL)
        made->calls = calloc((size_t)n, sizeof *made->calls);
    if (made == NULL || made->calls == NULL) {
        free(made);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a group of ranks");
    }
    made->comm = MPI_COMM_NULL;
    made->world = world->world;
    made->n = n;
    enum status status = open_group(world, members, n, number, made, err);
    if (status != STATUS_OK) {
        merels_ranks_part(made);
        return status;
    }
    *group = made;
    return STATUS_OK;
}

void merels_ranks_part(struct ranks *group)
{
    if (group == NULL)
        return;
    // With all of a group here, freeing it waits for nobody; where one has failed it is left as
    // it is, since others may not come.
    if (group->comm != MPI_COMM_NULL && !merels_ranks_stops(group) &&
        MPI_Comm_free(&group->comm) != MPI_SUCCESS) {
        // It is used no more.
    }
    free(group->calls);
    free(group);
}

// ---- all together --------------------------------------------------------------------------

// What MPI writes to is on the heap, and is left to it where a wait was given up: it may still
// come back to it.
enum status merels_ranks_share(struct ranks *ranks, const void *mine, size_t n_bytes, void *all,
                               struct error *err)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (ranks == NULL) {
        memcpy(all, mine, n_bytes);
        return STATUS_OK;
    }
    size_t n_all = (size_t)ranks->n * n_bytes;
    uint8_t *room = malloc(n_bytes + n_all);
    if (room == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for what ranks share");
    memcpy(room, mine, n_bytes);
    int code = MPI_Iallgather(room, (int)n_bytes, MPI_BYTE, room + n_bytes, (int)n_bytes,
                              MPI_BYTE, ranks->comm, &request);
    enum status status = wait_for(ranks, code, &request, "cannot share", err);
    if (status == STATUS_INTERRUPTED)
        return status;
    memcpy(all, room + n_bytes, n_all);
    free(room);
    return status;
}

enum status merels_ranks_sum(struct ranks *ranks, uint64_t *numbers, size_t n,
                             struct error *err)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (ranks == NULL)
        return STATUS_OK;
    uint64_t *room = malloc(2 * n * sizeof *room);
    if (room == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for what ranks add up");
    memcpy(room, numbers, n * sizeof *room);
    int code =
        MPI_Iallreduce(room, room + n, (int)n, MPI_UINT64_T, MPI_SUM, ranks->comm, &request);
    enum status status = wait_for(ranks, code, &request, "cannot add up", err);
    if (status == STATUS_INTERRUPTED)
        return status;
    memcpy(numbers, room + n, n * sizeof *room);
    free(room);
    return status;
}

// The places of what goes to and comes from each rank, for MPI_Ialltoallv.
struct lots {
    int *out, *out_at, *in, *in_at;
};

static enum status send_lots(struct ranks *ranks, size_t room, const uint8_t *out,
                             const uint32_t *out_bytes, uint8_t *in, const uint32_t *in_bytes,
                             const struct lots *lots, struct error *err)
{
    MPI_Request request = MPI_REQUEST_NULL;
    for (int r = 0; r < ranks->n; r++) {
        lots->out[r] = (int)out_bytes[r];
        lots->in[r] = (int)in_bytes[r];
        lots->out_at[r] = lots->in_at[r] = (int)((size_t)r * room);
    }
    int code = MPI_Ialltoallv(out, lots->out, lots->out_at, MPI_BYTE, in, lots->in, lots->in_at,
                              MPI_BYTE, ranks->comm, &request);
    return wait_for(ranks, code, &request, "cannot swap", err);
}

enum status merels_ranks_swap(struct ranks *ranks, size_t room, const uint8_t *out,
                              const uint32_t *out_bytes, uint8_t *in, uint32_t *in_bytes,
                              struct error *err)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (ranks == NULL) {
        memcpy(in, out, out_bytes[0]);
        in_bytes[0] = out_bytes[0];
        return STATUS_OK;
    }
    size_t n = (size_t)ranks->n;
    int *four = malloc(4 * n * sizeof *four);
    if (four == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for an exchange");
    const struct lots lots = {four, four + n, four + 2 * n, four + 3 * n};
    int code = MPI_Ialltoall(out_bytes, 1, MPI_UINT32_T, in_bytes, 1, MPI_UINT32_T, ranks->comm,
                             &request);
    enum status status = wait_for(ranks, code, &request, "cannot swap", err);
    if (status == STATUS_OK)
        status = send_lots(ranks, room, out, out_bytes, in, in_bytes, &lots, err);
    if (status != STATUS_INTERRUPTED) // else MPI may still read it
        free(four);
    return status;
}

// ---- calls ---------------------------------------------------------------------------------

// A call is an empty message to everyone. Who answers learns from all who has called, and takes
// in the calls that were not seen yet, so that none is left for a later time.

void merels_ranks_call(struct ranks *group)
{
    if (group == NULL || group->has_called)
        return;
    group->has_called = true;
    for (int r = 0; r < group->n; r++) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (r == group->number)
            continue;
        int code = MPI_Isend(NULL, 0, MPI_BYTE, r, TAG_CALL, group->comm, &request);
        if (wait_for(group, code, &request, "cannot call", NULL) != STATUS_OK) {
            // The failure comes up again at the meeting.
        }
    }
}

static bool take_call(struct ranks *group)
{
    MPI_Status about;
    int there = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG_CALL, group->comm, &there, &about) != MPI_SUCCESS ||
        !there ||
        MPI_Recv(NULL, 0, MPI_BYTE, about.MPI_SOURCE, TAG_CALL, group->comm,
                 MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return false;
    group->calls[about.MPI_SOURCE] = true;
    return true;
}

bool merels_ranks_called(struct ranks *group)
{
    if (group == NULL)
        return false;
    bool called = group->has_called || take_call(group);
    for (int r = 0; r < group->n && !called; r++)
        called = group->calls[r];
    return called;
}

enum status merels_ranks_answer(struct ranks *group, struct error *err)
{
    if (group == NULL)
        return STATUS_OK;
    uint8_t mine = group->has_called, *all = calloc((size_t)group->n, 1);
    if (all == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a meeting of ranks");
    enum status status = merels_ranks_share(group, &mine, 1, all, err);
    for (int r = 0; r < group->n && status == STATUS_OK; r++)
        if (r != group->number && all[r] && !group->calls[r] &&
            MPI_Recv(NULL, 0, MPI_BYTE, r, TAG_CALL, group->comm, MPI_STATUS_IGNORE) !=
                MPI_SUCCESS)
            status = merels_error(err, STATUS_IO, "MPI: cannot receive a call");
    memset(group->calls, 0, (size_t)group->n * sizeof *group->calls);
    group->has_called = false;
    free(all);
    return status;
}

#else

// ---- one process alone ---------------------------------------------------------------------
// No group and no world is ever made.

enum status merels_ranks_begin(struct ranks **world, struct error *err)
{
    *world = NULL;
    if (merels_ranks_launched() == 1)
        return STATUS_OK;
    return merels_error(err, STATUS_UNSUPPORTED,
                        "started as one of %d processes, but this build has no MPI "
                        "(cmake -DMERELS_MPI=ON)",
                        merels_ranks_launched());
}

void merels_ranks_end(struct ranks *world, bool good)
{
    (void)world;
    (void)good;
}

int merels_ranks_count(const struct ranks *ranks)
{
    (void)ranks;
    return 1;
}

int merels_ranks_number(const struct ranks *ranks)
{
    (void)ranks;
    return 0;
}

int merels_ranks_beside(const struct ranks *world)
{
    (void)world;
    return 1;
}

const char *merels_ranks_name(const struct ranks *world, char out[RANK_NAME_BYTES])
{
    (void)world;
    snprintf(out, RANK_NAME_BYTES, "rank 0 of 1");
    return out;
}

void merels_ranks_watch(struct ranks *world, const atomic_int *stop)
{
    (void)world;
    (void)stop;
}

bool merels_ranks_stops(struct ranks *ranks)
{
    (void)ranks;
    return false;
}

bool merels_ranks_waits(struct ranks *ranks, int seconds, double *until)
{
    (void)ranks, (void)seconds, (void)until;
    return false;
}

static enum status nobody(struct error *err)
{
    return merels_error(err, STATUS_UNSUPPORTED, "this build has no MPI: there is nobody");
}

enum status merels_ranks_send(struct ranks *world, enum ranks_line line, int to,
                              const void *letter, size_t n_bytes, struct error *err)
{
    (void)world, (void)line, (void)to, (void)letter, (void)n_bytes;
    return nobody(err);
}

void merels_ranks_stop_all(struct ranks *world)
{
    (void)world;
}

enum status merels_ranks_receive(struct ranks *world, enum ranks_line line, double seconds,
                                 void *letter, size_t n_bytes, int *from, struct error *err)
{
    (void)world, (void)line, (void)seconds, (void)letter, (void)n_bytes, (void)from;
    return nobody(err);
}

enum status merels_ranks_group(struct ranks *world, const int *members, int n, int number,
                               struct ranks **group, struct error *err)
{
    (void)world, (void)members, (void)n, (void)number;
    *group = NULL;
    return nobody(err);
}

void merels_ranks_part(struct ranks *group)
{
    (void)group;
}

enum status merels_ranks_share(struct ranks *ranks, const void *mine, size_t n_bytes, void *all,
                               struct error *err)
{
    (void)ranks, (void)err;
    memcpy(all, mine, n_bytes);
    return STATUS_OK;
}

enum status merels_ranks_sum(struct ranks *ranks, uint64_t *numbers, size_t n,
                             struct error *err)
{
    (void)ranks, (void)numbers, (void)n, (void)err;
    return STATUS_OK;
}

enum status merels_ranks_swap(struct ranks *ranks, size_t room, const uint8_t *out,
                              const uint32_t *out_bytes, uint8_t *in, uint32_t *in_bytes,
                              struct error *err)
{
    (void)ranks, (void)room, (void)err;
    memcpy(in, out, out_bytes[0]);
    in_bytes[0] = out_bytes[0];
    return STATUS_OK;
}

void merels_ranks_call(struct ranks *group)
{
    (void)group;
}

bool merels_ranks_called(struct ranks *group)
{
    (void)group;
    return false;
}

enum status merels_ranks_answer(struct ranks *group, struct error *err)
{
    (void)group, (void)err;
    return STATUS_OK;
}

#endif
