// What the bindings in C have in common beside pricetag.h: texts of statuses and amounts, names, dates, and the hash of
// caches.
#ifndef PRICETAG_SHARED_H
#define PRICETAG_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  const char *code, *message, *fix;
} pricetag_status_text;

// Copies a name with the zero byte that pricetag.h needs. False if it cannot be a name of a pack: it is too long, or
// has a zero byte.
static inline bool pricetag_copy_name(char *name, size_t capacity, const char *text, size_t length) {
  if (length >= capacity || (length != 0 && memchr(text, 0, length))) return false;
  if (length != 0) memcpy(name, text, length);
  name[length] = 0;
  return true;
}

// Returns a date as pricetag.h takes it, such as 20260131; 0 if the calendar lacks it.
static inline int32_t pricetag_date(int32_t year, int32_t month, int32_t day) {
  static const int8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year < 1 || month < 1 || month > 12 || day < 1) return 0;
  bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  if (day > days[month - 1] + (month == 2 && is_leap ? 1 : 0)) return 0;
  return year * 10000 + month * 100 + day;
}

// Returns the date of a text such as 2026-01-31; 0 for other text.
static inline int32_t pricetag_date_of_text(const char *text, size_t length) {
  int32_t numbers[3] = {0, 0, 0};
  int field = 0;
  if (length != 10) return 0;
  for (size_t index = 0; index < length; index++) {
    if (index == 4 || index == 7) {
      if (text[index] != '-') return 0;
      field++;
    } else {
      if (text[index] < '0' || text[index] > '9') return 0;
      numbers[field] = numbers[field] * 10 + (text[index] - '0');
    }
  }
  return pricetag_date(numbers[0], numbers[1], numbers[2]);
}

// Returns the date of a number of days since 1970-01-01; 0 outside the years 1 to 9999.
static inline int32_t pricetag_date_of_days(int64_t days) {
  if (days < -719162 || days > 2932896) return 0;
  // Years that start in March have the leap day at their end. Eras have 400 years.
  int64_t shifted = days + 719468, era = shifted / 146097, day_of_era = shifted % 146097;
  int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int64_t shifted_month = (5 * day_of_year + 2) / 153, day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  int64_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  return (int32_t)(year * 10000 + month * 100 + day);
}

enum { PRICETAG_AMOUNT_TEXT = 24 };

// Writes an amount that pricetag_read has stored as decimal text, and returns the length.
static inline size_t pricetag_amount_text(int64_t units, int32_t exponent, char text[PRICETAG_AMOUNT_TEXT]) {
  uint64_t rest = units < 0 ? 0 - (uint64_t)units : (uint64_t)units;
  size_t start = PRICETAG_AMOUNT_TEXT;
  for (int32_t place = 0; (rest > 0 || place <= exponent) && start > 2; place++, rest /= 10) {
    if (place > 0 && place == exponent) text[--start] = '.';
    text[--start] = (char)('0' + rest % 10);
  }
  if (units < 0) text[--start] = '-';
  memmove(text, text + start, PRICETAG_AMOUNT_TEXT - start);
  return PRICETAG_AMOUNT_TEXT - start;
}

// Adds a word to a hash.
static inline uint64_t pricetag_hash(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15;
  return hash ^ hash >> 32;
}

#endif
