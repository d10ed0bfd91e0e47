// Formats and reads with all formatters of one pack in many threads at the same time, and in processes that are forked while these
// threads run. The prices must be those of one thread.
//
//     threads PACK [ROUNDS]

#define _DEFAULT_SOURCE
#include "harness.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, CHILDREN = 8 };

static const char *path;
static const pricetag_pack *pack;
static uint64_t expected;
static long rounds = 20;

static uint64_t mixed(uint64_t sum, const void *bytes, size_t size) {
  for (size_t index = 0; index < size; index++) sum = (sum ^ ((const uint8_t *)bytes)[index]) * 0x100000001B3u;
  return sum;
}

// Returns a number for all prices of a pack, with their parts and lookups, in buffers on this thread's stack.
static uint64_t all_prices(const pricetag_pack *pack) {
  char text[MAXIMUM_PRICE + 1], column_text[4 * MAXIMUM_PRICE];
  pricetag_part parts[128];
  uint64_t sum = 0;
  for (uint32_t index = 0; index < formatter_count(pack); index++) {
    const pricetag_formatter *formatter = formatter_at(pack, index);
    for (size_t unit = 0; unit < SAMPLE_UNITS; unit++) {
      for (int32_t exponent = 0; exponent <= 18; exponent += 3) {
        size_t length = 0, count = 0, formatted = 0;
        int32_t direction = 0, offsets[4] = {0};
        int64_t units[3] = {sample_units[unit], 1, -1};
        int32_t rounding = (int32_t)(unit % 8);
        int32_t status[4] = {
            pricetag_format_units(formatter, units[0], exponent, rounding, text, MAXIMUM_PRICE, &length),
            pricetag_parts(formatter, units[0], exponent, rounding, parts, 128, &count),
            pricetag_direction(formatter, units[0], exponent, rounding, &direction),
            pricetag_format_column(formatter, units, 3, exponent, rounding, column_text, sizeof column_text, offsets, &formatted),
        };
        sum = mixed(sum, status, sizeof status);
        sum = mixed(sum, text, length);
        sum = mixed(sum, parts, count * sizeof *parts);
        sum = mixed(sum, column_text, (size_t)offsets[formatted]);
        sum = mixed(sum, &direction, sizeof direction);
        if (status[0] == PRICETAG_OK) {
          // Every other text has a space that only lenient reading accepts.
          int64_t read_units = 0;
          ptrdiff_t difference = 0;
          text[length] = ' ';
          status[0] = pricetag_read(formatter, text, length + unit % 2, PRICETAG_LENIENT, &read_units, &direction, &difference);
          sum = mixed(mixed(mixed(sum, status, sizeof *status), &read_units, sizeof read_units), &difference, sizeof difference);
        }
      }
    }
  }
  static const char *const names[] = {"USA", "us", "BGR", "JPN", "none"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    const pricetag_formatter *formatter = NULL;
    int32_t status = pricetag_formatter_for_storefront(pack, names[index], 20260101, NULL, &formatter);
    size_t place = formatter ? (size_t)((const uint8_t *)formatter - (const uint8_t *)pack) : 0;
    sum = mixed(mixed(sum, &status, sizeof status), &place, sizeof place);
    const char *code = pricetag_status_code(status);
    sum = mixed(sum, code, strlen(code));
  }
  return sum;
}

static pthread_barrier_t barrier;

static void *thread(void *result) {
  pthread_barrier_wait(&barrier);
  for (long round = 0; round < rounds; round++) {
    // Half of the rounds use a pack that this thread has opened.
    const pricetag_pack *own = pack;
    if (round % 2) CHECK(pricetag_pack_open_file(path, &own) == PRICETAG_OK, "%s cannot be opened in a thread", path);
    if (all_prices(own) != expected) *(int *)result = 1;
    if (own != pack) pricetag_pack_close(own);
  }
  return NULL;
}

// Formats in a forked process, with the pack of the parent and one of its own. Ends the process.
static void child(void) {
  const pricetag_pack *own;
  int is_same = all_prices(pack) == expected && pricetag_pack_open_file(path, &own) == PRICETAG_OK &&
                all_prices(own) == expected;
  _exit(is_same ? 0 : 1);
}

int main(int count, char **arguments) {
  if (count < 2) return 2;
  path = arguments[1];
  if (count > 2) rounds = strtol(arguments[2], NULL, 10);
  CHECK(pricetag_pack_open_file(path, &pack) == PRICETAG_OK, "%s cannot be opened", path);
  expected = all_prices(pack);
  CHECK(expected == all_prices(pack), "two rounds differ");

  pthread_t threads[THREADS];
  int results[THREADS] = {0};
  pid_t children[CHILDREN];
  CHECK(pthread_barrier_init(&barrier, NULL, THREADS + 1) == 0, "no barrier");
  for (int index = 0; index < THREADS; index++) CHECK(pthread_create(threads + index, NULL, thread, results + index) == 0, "no thread");
  pthread_barrier_wait(&barrier);
  for (int index = 0; index < CHILDREN; index++) {
    children[index] = fork();
    CHECK(children[index] >= 0, "no process");
    if (children[index] == 0) child();
  }
  int failures = 0;
  for (int index = 0; index < CHILDREN; index++) {
    int status = 1;
    CHECK(waitpid(children[index], &status, 0) == children[index], "no child");
    if (status != 0) fprintf(stderr, "child %d ends with %d\n", index, status), failures++;
  }
  for (int index = 0; index < THREADS; index++) {
    pthread_join(threads[index], NULL);
    if (results[index]) fprintf(stderr, "thread %d has other prices\n", index), failures++;
  }
  pricetag_pack_close(pack);
  if (failures == 0) printf("%d threads and %d forked processes have the prices of one thread\n", THREADS, CHILDREN);
  return failures ? 1 : 0;
}
