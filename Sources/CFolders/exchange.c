#define _GNU_SOURCE
#include "CFolders.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

bool cfolders_exchange(const char *first, const char *second) {
#if defined(RENAME_EXCHANGE)
  return renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE) == 0;
#elif defined(RENAME_SWAP)
  return renamex_np(first, second, RENAME_SWAP) == 0;
#else
  errno = ENOSYS;
  return false;
#endif
}
