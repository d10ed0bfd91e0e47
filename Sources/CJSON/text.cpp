#include "text.h"

#include "CJSON.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>

int32_t hex_unit(const uint8_t *at, const uint8_t *end) {
  if (end - at < 4) return -1;
  const auto *digits = reinterpret_cast<const char *>(at);
  uint16_t unit = 0;
  return std::from_chars(digits, digits + 4, unit, 16).ptr == digits + 4 ? unit : -1;
}

extern "C" {

size_t cjson_unescape(const uint8_t *bytes, size_t count, uint8_t *text) {
  const uint8_t *at = bytes, *end = bytes + count;
  uint8_t *out = text;
  while (at < end) {
    if (*at != '\\' || end - at < 2) {
      *out++ = *at++;
      continue;
    }
    const uint8_t kind = at[1];
    at += 2;
    switch (kind) {
      case 'b': *out++ = '\b'; break;
      case 'f': *out++ = '\f'; break;
      case 'n': *out++ = '\n'; break;
      case 'r': *out++ = '\r'; break;
      case 't': *out++ = '\t'; break;
      case 'u': {
        uint32_t scalar = uint32_t(std::max(hex_unit(at, end), 0));
        at += std::min<ptrdiff_t>(4, end - at);
        if (scalar >= 0xD800 && scalar <= 0xDBFF && end - at >= 6) {
          scalar = 0x10000 + ((scalar - 0xD800) << 10) + (uint32_t(std::max(hex_unit(at + 2, end), 0xDC00)) - 0xDC00);
          at += 6;
        }
        if (scalar < 0x80) {
          *out++ = uint8_t(scalar);
        } else if (scalar < 0x800) {
          *out++ = uint8_t(0xC0 | scalar >> 6);
          *out++ = uint8_t(0x80 | (scalar & 0x3F));
        } else if (scalar < 0x10000) {
          *out++ = uint8_t(0xE0 | scalar >> 12);
          *out++ = uint8_t(0x80 | (scalar >> 6 & 0x3F));
          *out++ = uint8_t(0x80 | (scalar & 0x3F));
        } else {
          *out++ = uint8_t(0xF0 | scalar >> 18);
          *out++ = uint8_t(0x80 | (scalar >> 12 & 0x3F));
          *out++ = uint8_t(0x80 | (scalar >> 6 & 0x3F));
          *out++ = uint8_t(0x80 | (scalar & 0x3F));
        }
        break;
      }
      default: *out++ = kind;
    }
  }
  return size_t(out - text);
}

bool cjson_is_utf8(const uint8_t *bytes, size_t count) {
  return simdjson::validate_utf8(reinterpret_cast<const char *>(bytes), count);
}

}  // extern "C"
