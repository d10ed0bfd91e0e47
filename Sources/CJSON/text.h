// The texts of JSON's strings.
#pragma once

#include <cstdint>

inline bool is_digit(uint8_t byte) { return uint8_t(byte - '0') <= 9; }

// Four hexadecimal digits; -1 where they are none.
int32_t hex_unit(const uint8_t *at, const uint8_t *end);

// The first byte that is not of valid UTF-8 (RFC 3629); `end` where all are.
const uint8_t *end_of_utf8(const uint8_t *at, const uint8_t *end);
