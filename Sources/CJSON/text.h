// Helpers for the contents of JSON strings.
#pragma once

#include <cstdint>

inline bool is_digit(uint8_t byte) { return uint8_t(byte - '0') <= 9; }

// Returns the value of four hexadecimal digits, or -1 if there are other characters.
int32_t hex_unit(const uint8_t *at, const uint8_t *end);
