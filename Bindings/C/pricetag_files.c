// The functions of pricetag.h that use the operating system.
#define _POSIX_C_SOURCE 200809L

#include "pricetag.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int32_t pricetag_pack_open_file(const char *path, const pricetag_pack **pack) {
  if (!path || !pack) return PRICETAG_INVALID_ARGUMENT;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return PRICETAG_UNREADABLE_FILE;
  // fstat() would need a newer C library.
  off_t size = lseek(file, 0, SEEK_END);
  void *bytes = size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  int error = errno;
  close(file);
  errno = error;
  if (bytes == MAP_FAILED) return size == 0 ? PRICETAG_NOT_A_PACK : PRICETAG_UNREADABLE_FILE;
  int32_t result = pricetag_pack_open(bytes, (size_t)size, pack);
  if (result != PRICETAG_OK) munmap(bytes, (size_t)size);
  return result;
}

void pricetag_pack_close(const pricetag_pack *pack) {
  if (!pack) return;
  // The number of bytes is the little-endian field at offset 12 of the header.
  const uint8_t *field = (const uint8_t *)pack + 12;
  size_t size = field[0] | (size_t)field[1] << 8 | (size_t)field[2] << 16 | (size_t)field[3] << 24;
  munmap((void *)pack, size);
}
