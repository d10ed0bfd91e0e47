// The fastest batch job with simdjson and ICU4C on one thread: copies every row of JSON Lines, and appends the formatted
// price.
//
//   icu4c STORES ROWS|- [--floor]
//
// STORES has one line per storefront: id, price locale, currency and digits, separated by tabs. --floor writes empty prices,
// to measure the cost of reading, finding the fields and copying.

#include <fcntl.h>
#include <simdjson.h>
#include <unicode/uloc.h>
#include <unicode/unumberformatter.h>
#include <unicode/ustring.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
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

class Output {
  static constexpr size_t block = 256 << 10;
  std::vector<char> bytes = std::vector<char>(block);
  size_t used = 0;

 public:
  // Returns an address with room for a number of bytes. Call commit after writing them.
  char *reserve(size_t count) {
    if (bytes.size() - used < count) {
      flush();
      if (bytes.size() < count) bytes.resize(count);
    }
    return bytes.data() + used;
  }

  void commit(const char *end) { used = size_t(end - bytes.data()); }

  void flush() {
    for (size_t at = 0; at < used;) {
      const ssize_t written = write(STDOUT_FILENO, bytes.data() + at, used - at);
      if (written < 0 && errno != EINTR) throw std::runtime_error(std::string("output: ") + std::strerror(errno));
      if (written > 0) at += size_t(written);
    }
    used = 0;
  }
};

// Calls `line` with the first byte of each line, its length without the line end, and the number of readable bytes.
template <typename Line>
void forEachLine(int file, Line line) {
  size_t capacity = 256 << 10;
  std::vector<char> bytes(capacity + simdjson::SIMDJSON_PADDING);
  for (size_t held = 0;;) {
    if (held == capacity) bytes.resize((capacity *= 2) + simdjson::SIMDJSON_PADDING);
    const ssize_t count = read(file, bytes.data() + held, capacity - held);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::runtime_error(std::string("input: ") + std::strerror(errno));
    const char *at = bytes.data();
    const char *const end = at + held + size_t(count);
    const char *const limit = bytes.data() + bytes.size();
    while (const void *found = std::memchr(at, '\n', size_t(end - at))) {
      const char *const next = static_cast<const char *>(found) + 1;
      line(at, size_t(next - 1 - at), size_t(limit - at));
      at = next;
    }
    held = size_t(end - at);
    if (count == 0) {
      if (held > 0) line(at, held, size_t(limit - at));
      return;
    }
    std::memmove(bytes.data(), at, held);
  }
}

void run(Stores &stores, int file, bool floor, size_t &number) {
  static constexpr std::string_view name = ",\"display\":\"";
  static constexpr std::string_view close = "\"}\n";
  static constexpr size_t longest = 512;
  simdjson::ondemand::parser parser;
  Formatter formatter;
  Output output;
  forEachLine(file, [&](const char *bytes, size_t length, size_t readable) {
    number++;
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
    char *to = output.reserve(length + name.size() + longest + close.size());
    to = std::copy_n(bytes, length - 1, to);
    to = std::copy_n(name.data(), name.size(), to);
    if (!floor) to += formatter.write(store, amount, to, longest);
    to = std::copy_n(close.data(), close.size(), to);
    output.commit(to);
  });
  output.flush();
}

}  // namespace

int main(int count, char **arguments) {
  const bool floor = count == 4 && std::strcmp(arguments[3], "--floor") == 0;
  if (count != 3 && !floor) {
    std::fputs("usage: icu4c STORES ROWS|- [--floor]\n", stderr);
    return 2;
  }
  size_t number = 0;
  try {
    Stores stores(arguments[1]);
    const int file = std::strcmp(arguments[2], "-") == 0 ? STDIN_FILENO : open(arguments[2], O_RDONLY);
    if (file < 0) throw std::runtime_error(std::string(arguments[2]) + ": " + std::strerror(errno));
    run(stores, file, floor, number);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "icu4c: row %zu: %s\n", number, error.what());
    return 1;
  }
  return 0;
}
