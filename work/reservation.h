// reservation.h: one run at a time writes to a place.

#ifndef MERELS_WORK_RESERVATION_H
#define MERELS_WORK_RESERVATION_H

#include "db/file.h"
#include "work/progress.h"

// merels_dir_lock; where the file system has no locks that is noted to `watch`, which may be
// NULL.
MERELS_CHECKED enum status merels_reserve_dir(const char *dir, const struct watch *watch,
                                              struct file *lock, struct error *err);

// Notes that this file or directory could not be locked, if it could not.
void merels_reservation_note(const struct file *lock, const struct watch *watch);

#endif
