// System calls for folders that Swift does not import.
#ifndef CFOLDERS_H
#define CFOLDERS_H

#include <stdbool.h>

// Exchanges two files or folders on the same file system atomically. Returns false on failure, with the reason in errno:
// EINVAL or ENOSYS if the system does not support it.
bool cfolders_exchange(const char *first, const char *second);

#endif
