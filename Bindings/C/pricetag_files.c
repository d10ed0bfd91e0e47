// The functions of pricetag.h that use the operating system.
#define _DEFAULT_SOURCE

#include "pricetag.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

// Reads a file up to its end or the end of the memory.
static int32_t read_all(int file, uint8_t *bytes, size_t size) {
  size_t end = 0;
  while (end < size) {
    ssize_t count = read(file, bytes + end, size - end);
    if (count == 0) break;
    if (count > 0) {
      end += (size_t)count;
    } else if (errno != EINTR) {
      return PRICETAG_UNREADABLE_FILE;
    }
  }
  return PRICETAG_OK;
}

// Returns the number of bytes of a pack, which is the little-endian field at offset 12 of the header.
static size_t size_in_header(const uint8_t *header) {
  const uint8_t *field = header + 12;
  return field[0] | (size_t)field[1] << 8 | (size_t)field[2] << 16 | (size_t)field[3] << 24;
}

static int32_t open_descriptor(int file, const pricetag_pack **pack) {
  // fstat() would need a newer C library. Reading the start excludes folders.
  uint8_t header[16] = {0};
  off_t size = lseek(file, 0, SEEK_END);
  if (size < 0 || lseek(file, 0, SEEK_SET) < 0) return PRICETAG_UNREADABLE_FILE;
  if (read_all(file, header, sizeof header) != PRICETAG_OK || lseek(file, 0, SEEK_SET) < 0)
    return PRICETAG_UNREADABLE_FILE;
  if (size == 0 || size > INT32_MAX) return PRICETAG_NOT_A_PACK;
  // A large file that is no pack of this size is not read: its start, which is not all of any pack, says so.
  const pricetag_pack *none;
  size_t count = (size_t)size < sizeof header ? (size_t)size : sizeof header;
  int32_t refused = pricetag_pack_open(header, count, &none);
  if (refused != PRICETAG_TRUNCATED || size_in_header(header) != (size_t)size) return refused;
  // A copy, not the mapped file: another program that overwrites the file changes no price and stops no process.
  void *bytes = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bytes == MAP_FAILED) return PRICETAG_UNREADABLE_FILE;
  int32_t status = read_all(file, bytes, (size_t)size);
  if (status == PRICETAG_OK && mprotect(bytes, (size_t)size, PROT_READ) != 0) status = PRICETAG_UNREADABLE_FILE;
  if (status == PRICETAG_OK) status = pricetag_pack_open(bytes, (size_t)size, pack);
  if (status != PRICETAG_OK) {
    int error = errno;
    munmap(bytes, (size_t)size);
    errno = error;
  }
  return status;
}

int32_t pricetag_pack_open_file(const char *path, const pricetag_pack **pack) {
  if (!path || !pack) return PRICETAG_INVALID_ARGUMENT;
  // Without O_NONBLOCK, opening a named pipe would wait.
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return PRICETAG_UNREADABLE_FILE;
  int32_t status = open_descriptor(file, pack);
  int error = errno;
  close(file);
  errno = error;
  return status;
}

void pricetag_pack_close(const pricetag_pack *pack) {
  if (!pack) return;
  munmap((void *)pack, size_in_header((const uint8_t *)pack));
}
