// PriceTag for C++17: pricetag.h with exceptions and without manual memory management.
//
//     pricetag::pack pack("store.pack");
//     auto japan = pack.storefront("JPN", 20260101);
//     japan.format("1200");              // "￥1,200"
//     japan.format_units(1200, 0);       // "￥1,200"
//     pack.locale("de-CH", "CHF").format("4.961", pricetag::rounding::half_even);
#ifndef PRICETAG_HPP
#define PRICETAG_HPP

#include "pricetag.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pricetag {

// A status other than PRICETAG_OK. what() is the message and the fix.
class error : public std::runtime_error {
 public:
  explicit error(int32_t status)
      : std::runtime_error(std::string(pricetag_status_message(status)) + "; " + pricetag_status_fix(status)),
        status_(status) {}

  int32_t status() const noexcept { return status_; }
  // The stable name of the status, such as "needs-rounding".
  const char *code() const noexcept { return pricetag_status_code(status_); }

 private:
  int32_t status_;
};

enum class rounding : int32_t { exact, half_even, half_up, half_down, up, down, ceiling, floor };

// A formatter of a pack. Copies share the pack, which stays open as long as one of them exists.
class formatter {
 public:
  // Returns an amount of decimal text, such as "1234.50", as text.
  std::string format(std::string_view amount, rounding mode = rounding::exact) const {
    return text([&](char *buffer, size_t capacity, size_t *length) {
      return pricetag_format(handle_, amount.data(), amount.size(), static_cast<int32_t>(mode), buffer, capacity, length);
    });
  }

  // Returns an amount of minor units, such as 499 cents with the exponent 2, as text.
  std::string format_units(int64_t units, int32_t exponent, rounding mode = rounding::exact) const {
    return text([&](char *buffer, size_t capacity, size_t *length) {
      return pricetag_format_units(handle_, units, exponent, static_cast<int32_t>(mode), buffer, capacity, length);
    });
  }

  // Returns the parts of an amount's text, in order.
  std::vector<pricetag_part> parts(int64_t units, int32_t exponent, rounding mode = rounding::exact) const {
    std::vector<pricetag_part> parts(64);
    size_t count = 0;
    check(pricetag_parts(handle_, units, exponent, static_cast<int32_t>(mode), parts.data(), parts.size(), &count));
    bool fits = count <= parts.size();
    parts.resize(count);
    if (!fits) {
      check(pricetag_parts(handle_, units, exponent, static_cast<int32_t>(mode), parts.data(), count, &count));
    }
    return parts;
  }

  // Reads a price back: the units and the exponent of its amount. Stores the place of the first difference, also if it throws.
  std::pair<int64_t, int32_t> read(std::string_view text, bool lenient = false, ptrdiff_t *difference = nullptr) const {
    std::pair<int64_t, int32_t> amount;
    check(pricetag_read(handle_, text.data(), text.size(), lenient, &amount.first, &amount.second, difference));
    return amount;
  }

  // Returns whether the text of an amount is written from right to left.
  bool is_right_to_left(int64_t units, int32_t exponent, rounding mode = rounding::exact) const {
    int32_t direction = PRICETAG_LEFT_TO_RIGHT;
    check(pricetag_direction(handle_, units, exponent, static_cast<int32_t>(mode), &direction));
    return direction == PRICETAG_RIGHT_TO_LEFT;
  }

  // Returns the formatter of the spoken form. Throws if the pack does not have it.
  formatter spoken() const {
    const pricetag_formatter *spoken = pricetag_formatter_spoken(handle_);
    if (!spoken) throw error(PRICETAG_MISSING_STYLE);
    return formatter(pack_, spoken);
  }

  // The handle for the functions of pricetag.h.
  const pricetag_formatter *handle() const noexcept { return handle_; }

 private:
  friend class pack;
  using shared_pack = std::shared_ptr<const pricetag_pack>;

  formatter(shared_pack pack, const pricetag_formatter *handle) : pack_(std::move(pack)), handle_(handle) {}

  static void check(int32_t status) {
    if (status != PRICETAG_OK) throw error(status);
  }

  template <typename Format>
  std::string text(Format format) const {
    std::string text(64, '\0');
    size_t length = 0;
    int32_t status = format(&text[0], text.size(), &length);
    if (status == PRICETAG_BUFFER_TOO_SMALL) {
      text.resize(length);
      status = format(&text[0], text.size(), &length);
    }
    check(status);
    text.resize(length);
    return text;
  }

  shared_pack pack_;
  const pricetag_formatter *handle_;
};

// A pack of a file or of memory.
class pack {
 public:
  // Opens a file.
  explicit pack(const std::string &path) {
    const pricetag_pack *handle = nullptr;
    formatter::check(pricetag_pack_open_file(path.c_str(), &handle));
    handle_ = formatter::shared_pack(handle, pricetag_pack_close);
  }

  // Opens a pack in memory, which must not change and must stay valid as long as the pack and its formatters.
  pack(const void *bytes, size_t size) {
    const pricetag_pack *handle = nullptr;
    formatter::check(pricetag_pack_open(bytes, size, &handle));
    handle_ = formatter::shared_pack(handle, [](const pricetag_pack *) {});
  }

  // Returns the formatter of a storefront, such as "JPN". The date, such as 20260131, decides its currency.
  formatter storefront(const std::string &id, int32_t date = 0, const pricetag_style *style = nullptr) const {
    const pricetag_formatter *found = nullptr;
    formatter::check(pricetag_formatter_for_storefront(handle_.get(), id.c_str(), date, style, &found));
    return formatter(handle_, found);
  }

  // Returns the formatter of a storefront for a currency: its own on the date, or a custom currency that it charges too.
  formatter storefront_in(const std::string &id, const std::string &currency, int32_t date = 0,
                          const pricetag_style *style = nullptr) const {
    const pricetag_formatter *found = nullptr;
    formatter::check(
        pricetag_formatter_for_storefront_in(handle_.get(), id.c_str(), currency.c_str(), date, style, &found));
    return formatter(handle_, found);
  }

  // Returns the formatter of a price locale, such as "de-CH", and a currency, such as "CHF".
  formatter locale(const std::string &tag, const std::string &currency, const pricetag_style *style = nullptr) const {
    const pricetag_formatter *found = nullptr;
    formatter::check(pricetag_formatter_for_locale(handle_.get(), tag.c_str(), currency.c_str(), style, &found));
    return formatter(handle_, found);
  }

  // Returns the identifiers of the storefronts in the pack, sorted.
  std::vector<std::string_view> storefronts() const { return names(pricetag_pack_storefront); }

  // Returns the codes of the currencies in the pack, sorted.
  std::vector<std::string_view> currencies() const { return names(pricetag_pack_currency); }

  // Returns the code of the currency that a storefront charges on a date.
  std::string_view currency(const std::string &storefront, int32_t date = 0) const {
    pricetag_text currency = {};
    formatter::check(pricetag_storefront(handle_.get(), storefront.c_str(), date, &currency, nullptr));
    return std::string_view(currency.bytes, currency.length);
  }

  // Returns the number of digits of a currency's minor unit in ISO 4217; -1 if it has none.
  int32_t minor_unit_digits(const std::string &currency) const {
    int32_t digits = 0;
    formatter::check(pricetag_minor_unit_digits(handle_.get(), currency.c_str(), &digits));
    return digits;
  }

  // Returns a version in the pack, such as that of "icu". Throws if the pack does not have it.
  std::string_view version(const std::string &name) const {
    pricetag_text version = {};
    formatter::check(pricetag_pack_version(handle_.get(), name.c_str(), &version));
    return std::string_view(version.bytes, version.length);
  }

 private:
  template <typename Name>
  std::vector<std::string_view> names(Name name) const {
    std::vector<std::string_view> names;
    pricetag_text text = {};
    while (name(handle_.get(), names.size(), &text) == PRICETAG_OK) names.emplace_back(text.bytes, text.length);
    return names;
  }

  formatter::shared_pack handle_;
};

}  // namespace pricetag

#endif
