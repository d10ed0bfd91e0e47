// The fastest batch job with simdjson and ICU4C: copies every row of JSON Lines, and appends the formatted price.
//
//   icu4c STORES ROWS|- [--floor] [--jobs THREADS]
//
// STORES has one line per storefront: id, price locale, currency and digits, separated by tabs. --floor writes empty prices,
// to measure the cost of reading, finding the fields and copying. Threads take blocks of complete rows in turn, and write
// them in the order of the input.

#include <fcntl.h>
#include <simdjson.h>
#include <unicode/uloc.h>
#include <unicode/unumberformatter.h>
#include <unicode/ustring.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using simdjson::ondemand::object;

void check(UErrorCode status, const std::string &what) {
  if (U_FAILURE(status)) throw std::runtime_error(what + ": " + u_errorName(status));
}

struct Store {
  std::string locale;
  std::string currency;
  UNumberFormatter *formatter = nullptr;  // opened for the first row that needs it

  void open() {
    UErrorCode status = U_ZERO_ERROR;
    char name[ULOC_FULLNAME_CAPACITY];
    int32_t parsed = 0;
    uloc_forLanguageTag(locale.c_str(), name, sizeof name, &parsed, &status);
    if (size_t(parsed) != locale.size()) throw std::runtime_error(locale + ": not a language tag");
    const std::string skeleton = "currency/" + currency;
    std::array<UChar, 64> units;
    u_charsToUChars(skeleton.data(), units.data(), int32_t(skeleton.size()));
    formatter = unumf_openForSkeletonAndLocale(units.data(), int32_t(skeleton.size()), name, &status);
    check(status, locale + " " + currency);
  }
};

// Storefronts by their three letters, for a lookup without hashing.
class Stores {
  std::vector<std::unique_ptr<Store>> stores{26 * 26 * 26};

  static size_t index(std::string_view id) {
    if (id.size() != 3) return SIZE_MAX;
    size_t index = 0;
    for (const char letter : id) {
      if (letter < 'A' || letter > 'Z') return SIZE_MAX;
      index = index * 26 + size_t(letter - 'A');
    }
    return index;
  }

 public:
  explicit Stores(const char *path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(std::string(path) + ": cannot read the file");
    for (std::string line; std::getline(file, line);) {
      std::istringstream fields(line);
      std::string id;
      auto store = std::make_unique<Store>();
      fields >> id >> store->locale >> store->currency;
      if (!fields || index(id) == SIZE_MAX || store->currency.size() != 3)
        throw std::runtime_error(std::string(path) + ": not a storefront: " + line);
      stores[index(id)] = std::move(store);
    }
  }

  Store &operator[](std::string_view id) {
    const size_t at = index(id);
    if (at == SIZE_MAX || !stores[at]) throw std::runtime_error("unknown storefront " + std::string(id));
    return *stores[at];
  }
};

class Formatter {
  UFormattedNumber *result;

 public:
  Formatter() {
    UErrorCode status = U_ZERO_ERROR;
    result = unumf_openResult(&status);
    check(status, "unumf_openResult");
  }

  // Writes a price as the contents of a JSON string, and returns the number of bytes.
  size_t write(Store &store, std::string_view amount, char *utf8, size_t capacity) {
    if (!store.formatter) store.open();
    UErrorCode status = U_ZERO_ERROR;
    std::array<UChar, 128> units;
    unumf_formatDecimal(store.formatter, amount.data(), int32_t(amount.size()), result, &status);
    const int32_t count = unumf_resultToString(result, units.data(), int32_t(units.size()), &status);
    int32_t length = 0;
    u_strToUTF8(utf8, int32_t(capacity), &length, units.data(), count, &status);
    check(status, "amount " + std::string(amount));
    for (int32_t at = 0; at < length; at++)
      if (utf8[at] == '"' || utf8[at] == '\\' || (utf8[at] >= 0 && utf8[at] < ' '))
        throw std::runtime_error("the formatted price needs escapes in JSON");
    return size_t(length);
  }
};

// A part of the input that consists of complete rows, and the rows written from it.
struct Block {
  size_t number = 0;
  size_t count = 0;  // the bytes of the input
  std::vector<char> bytes;
  std::vector<char> output;
  size_t used = 0;  // the bytes of the output

  // Returns an address with room for a number of bytes. Call commit after writing them.
  char *reserve(size_t count) {
    if (output.size() - used < count) output.resize(std::max(2 * output.size(), used + count));
    return output.data() + used;
  }

  void commit(const char *end) { used = size_t(end - output.data()); }
};

// Reads blocks, and writes their rows in the order of the blocks.
class Blocks {
  static constexpr size_t capacity = 256 << 10;
  const int file;
  std::mutex reading, writing;
  std::condition_variable written;
  std::vector<char> rest;  // the start of a row whose end was not read yet
  size_t taken = 0, finished = 0;
  bool failed = false;

 public:
  explicit Blocks(int file) : file(file) {}

  // Reads the next block. Returns false at the end of the input.
  bool take(Block &block) {
    const std::lock_guard lock(reading);
    block.used = 0;
    block.bytes.resize(std::max(capacity, 2 * rest.size()) + simdjson::SIMDJSON_PADDING);
    std::copy(rest.begin(), rest.end(), block.bytes.begin());
    size_t held = rest.size();
    rest.clear();
    for (;;) {
      if (held + simdjson::SIMDJSON_PADDING == block.bytes.size()) {
        block.count = size_t(std::find(block.bytes.rend() - ptrdiff_t(held), block.bytes.rend(), '\n').base() - block.bytes.begin());
        if (block.count > 0) break;
        block.bytes.resize(2 * block.bytes.size());
      }
      const ssize_t count = read(file, block.bytes.data() + held, block.bytes.size() - simdjson::SIMDJSON_PADDING - held);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw std::runtime_error(std::string("input: ") + std::strerror(errno));
      held += size_t(count);
      if (count == 0) {
        block.count = held;
        break;
      }
    }
    rest.assign(block.bytes.begin() + ptrdiff_t(block.count), block.bytes.begin() + ptrdiff_t(held));
    block.number = taken++;
    return block.count > 0;
  }

  void write(const Block &block) {
    std::unique_lock lock(writing);
    written.wait(lock, [&] { return finished == block.number || failed; });
    for (size_t at = 0; at < block.used && !failed;) {
      const ssize_t count = ::write(STDOUT_FILENO, block.output.data() + at, block.used - at);
      if (count < 0 && errno != EINTR) throw std::runtime_error(std::string("output: ") + std::strerror(errno));
      if (count > 0) at += size_t(count);
    }
    finished++;
    written.notify_all();
  }

  void fail() {
    const std::lock_guard lock(writing);
    failed = true;
    written.notify_all();
  }
};

// Formats the rows of blocks. Used by one thread.
class Worker {
  static constexpr std::string_view name = ",\"display\":\"";
  static constexpr std::string_view close = "\"}\n";
  static constexpr size_t longest = 512;
  simdjson::ondemand::parser parser;
  Formatter formatter;
  Stores stores;
  const bool floor;

  void format(const char *bytes, size_t length, size_t readable, Block &block) {
    auto document = parser.iterate(bytes, length, readable);
    object row = document.get_object();
    const std::string_view storefront = row["storefront"];
    const std::string_view currency = row["currency"];
    const std::string_view amount = row["amount"];
    Store &store = stores[storefront];
    if (store.currency != currency)
      throw std::runtime_error("not the currency of " + std::string(storefront) + ": " + std::string(currency));

    while (length > 0 && (bytes[length - 1] == ' ' || bytes[length - 1] == '\r')) length--;
    if (length == 0 || bytes[length - 1] != '}') throw std::runtime_error("not one object");
    char *to = block.reserve(length + name.size() + longest + close.size());
    to = std::copy_n(bytes, length - 1, to);
    to = std::copy_n(name.data(), name.size(), to);
    if (!floor) to += formatter.write(store, amount, to, longest);
    to = std::copy_n(close.data(), close.size(), to);
    block.commit(to);
  }

 public:
  Worker(const char *path, bool floor) : stores(path), floor(floor) {}

  void run(Blocks &blocks) {
    for (Block block; blocks.take(block); blocks.write(block)) {
      const char *at = block.bytes.data();
      const char *const end = at + block.count;
      const char *const limit = at + block.bytes.size();
      while (at < end) {
        const void *found = std::memchr(at, '\n', size_t(end - at));
        const char *const rowEnd = found ? static_cast<const char *>(found) : end;
        try {
          format(at, size_t(rowEnd - at), size_t(limit - at), block);
        } catch (const std::exception &error) {
          throw std::runtime_error(std::string(at, rowEnd) + ": " + error.what());
        }
        at = rowEnd + 1;
      }
    }
  }
};

}  // namespace

int main(int count, char **arguments) {
  bool floor = false;
  int jobs = 1;
  for (int index = 3; index < count; index++) {
    const std::string_view option = arguments[index];
    if (option == "--floor") floor = true;
    else if (option == "--jobs" && index + 1 < count) jobs = std::atoi(arguments[++index]);
    else count = 0;
  }
  if (count < 3 || jobs < 1) {
    std::fputs("usage: icu4c STORES ROWS|- [--floor] [--jobs THREADS]\n", stderr);
    return 2;
  }
  const int file = std::strcmp(arguments[2], "-") == 0 ? STDIN_FILENO : open(arguments[2], O_RDONLY);
  if (file < 0) {
    std::fprintf(stderr, "icu4c: %s: cannot read the file\n", arguments[2]);
    return 1;
  }
  Blocks blocks(file);
  std::atomic<int> status = 0;
  const auto work = [&] {
    try {
      Worker(arguments[1], floor).run(blocks);
    } catch (const std::exception &error) {
      std::fprintf(stderr, "icu4c: %s\n", error.what());
      status = 1;
      blocks.fail();
    }
  };
  std::vector<std::thread> threads;
  for (int job = 1; job < jobs; job++) threads.emplace_back(work);
  work();
  for (std::thread &thread : threads) thread.join();
  return status;
}
