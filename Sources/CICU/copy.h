// For this module alone: texts handed over to C.
#ifndef CICU_COPY_H
#define CICU_COPY_H

#include <cstring>
#include <string>

// Copies a text with its zero; false where it does not fit.
inline bool copy(const std::string &text, char *buffer, size_t capacity) {
  if (text.size() >= capacity) return false;
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  return true;
}

#endif
