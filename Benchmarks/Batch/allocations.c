// Counts the allocations of a process, and prints the number at its end. Load it with LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_long count;

void *malloc(size_t size) {
  static void *(*next)(size_t);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "malloc");
  count++;
  return next(size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
  static int (*next)(void **, size_t, size_t);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "posix_memalign");
  count++;
  return next(pointer, alignment, size);
}

__attribute__((destructor)) static void print_count(void) { fprintf(stderr, "%ld\n", count); }
