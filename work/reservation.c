// reservation.c: a place reserved, or a line that says why it is not.

#include "work/reservation.h"

#include <stddef.h>

void merels_reservation_note(const struct file *lock, const struct watch *watch)
{
    struct error line;
    if (!lock->lacks_lock || watch == NULL || watch->note == NULL)
        return;
    merels_error(&line, STATUS_UNSUPPORTED,
                 "%s: the file system has no locks; let no other run of merels write there",
                 lock->path);
    watch->note(line.text, watch->context);
}

enum status merels_reserve_dir(const char *dir, const struct watch *watch, struct file *lock,
                               struct error *err)
{
    enum status status = merels_dir_lock(dir, lock, err);
    if (status == STATUS_OK)
        merels_reservation_note(lock, watch);
    return status;
}
