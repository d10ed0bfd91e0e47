#include "text.h"

#include "CJSON.h"

#include <simdjson.h>

#include <algorithm>

namespace {

int hex_value(uint8_t byte) {
  if (is_digit(byte)) return byte - '0';
  const uint8_t letter = byte | 0x20;
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

}  // namespace

int32_t hex_unit(const uint8_t *at, const uint8_t *end) {
  if (end - at < 4) return -1;
  int32_t unit = 0;
  for (int i = 0; i < 4; i++) {
    const int value = hex_value(at[i]);
    if (value < 0) return -1;
    unit = unit << 4 | value;
  }
  return unit;
}

const uint8_t *end_of_utf8(const uint8_t *at, const uint8_t *end) {
  while (at < end) {
    const uint8_t lead = *at;
    if (lead < 0x80) {
      at++;
      continue;
    }
    int count = 0;
    uint8_t low = 0x80, high = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
      count = 1;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
      count = 2;
      if (lead == 0xE0) low = 0xA0;
      if (lead == 0xED) high = 0x9F;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
      count = 3;
      if (lead == 0xF0) low = 0x90;
      if (lead == 0xF4) high = 0x8F;
    } else {
      return at;
    }
    for (int i = 1; i <= count; i++) {
      if (at + i >= end || at[i] < low || at[i] > high) return at;
      low = 0x80;
      high = 0xBF;
    }
    at += count + 1;
  }
  return end;
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
