// Internal to this module: copies strings into C buffers.
#ifndef CICU_COPY_H
#define CICU_COPY_H

#include <cstring>
#include <string>

// Copies a string with its terminating zero; returns false if the buffer is too small.
inline bool copy(const std::string &text, char *buffer, size_t capacity) {
  if (text.size() >= capacity) return false;
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  return true;
}

#endif
