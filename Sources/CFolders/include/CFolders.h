// What the system does with folders that Swift does not import.
#ifndef CFOLDERS_H
#define CFOLDERS_H

#include <stdbool.h>

// Puts two files or folders of one disk into each other's place, in one step. False where that fails, with errno:
// EINVAL or ENOSYS where the system cannot do it at all.
bool cfolders_exchange(const char *first, const char *second);

#endif
