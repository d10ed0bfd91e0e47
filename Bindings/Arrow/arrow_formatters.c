// The formatters of rows: finding them in the pack by locale, currency, storefront and date, and storing them by the
// values of columns and by the indices of dictionaries.
#include "arrow_internal.h"

#include "../C/pricetag_shared.h"

enum {
  // One batch may need as many entries as a map has places, in addition to those of earlier batches.
  MAXIMUM_MAP = 16384,
  MAXIMUM_ENTRIES = 2 * MAXIMUM_MAP
};

// Returns why a locale that the pack lacks is an error: the checks of price locales in `pricetag batch`, in their
// order.
static uint8_t error_of_locale(const char *text, size_t length) {
  if (length == 0 || length > 48) return MALFORMED_LOCALE;
  if (memchr(text, '@', length)) return UNEXPECTED_EXTENSION;
  size_t start = 0, subtags = 0;
  bool has_extension = false;
  for (size_t index = 0; index <= length; index++) {
    char byte = index < length ? text[index] : '-';
    if (byte == '-' || byte == '_') {
      size_t size = index - start;
      if (size < 1 || size > 8 || (subtags == 0 && size < 2)) return MALFORMED_LOCALE;
      if (size == 1) has_extension = true;
      subtags++;
      start = index + 1;
    } else if (!((byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z'))) {
      return MALFORMED_LOCALE;
    }
  }
  return has_extension ? UNEXPECTED_EXTENSION : UNKNOWN_LOCALE;
}

// Copies the text of an argument.
static bool copy_text(char name[NAME_SIZE], const row_key *key, int argument) {
  return pricetag_copy_name(name, NAME_SIZE, key->texts[argument], key->lengths[argument]);
}

void arrow_resolve(const pricetag_arrow_plan *plan, const row_key *key, entry *result) {
  char storefront[NAME_SIZE], locale[NAME_SIZE], currency[NAME_SIZE];
  const pricetag_style *style = plan->has_style ? &plan->style : NULL;
  const char *const *texts = key->texts;
  int32_t status, digits = -1;
  result->formatter = result->spoken = NULL;
  result->amount_error = NO_ERROR;
  result->exponent = plan->unit == PRICETAG_ARROW_MICROS ? 6 : 0;
  if (texts[PRICETAG_ARROW_LOCALE]) {
    // Without a currency of this name, an unknown locale is the first problem that a lookup reports.
    const pricetag_formatter *unused;
    if (!copy_text(locale, key, PRICETAG_ARROW_LOCALE) ||
        pricetag_formatter_for_locale(plan->pack, locale, "", style, &unused) == PRICETAG_UNKNOWN_LOCALE) {
      result->error = error_of_locale(texts[PRICETAG_ARROW_LOCALE], key->lengths[PRICETAG_ARROW_LOCALE]);
      return;
    }
  }
  if (texts[PRICETAG_ARROW_CURRENCY]) {
    if (!copy_text(currency, key, PRICETAG_ARROW_CURRENCY) ||
        pricetag_minor_unit_digits(plan->pack, currency, &digits) != PRICETAG_OK) {
      result->error = UNKNOWN_CURRENCY;
      return;
    }
  }
  if (key->is_date_malformed) {
    result->error = MALFORMED_DATE;
    return;
  }
  int32_t date = key->date ? key->date : plan->date;
  if (texts[PRICETAG_ARROW_STOREFRONT]) {
    if (!copy_text(storefront, key, PRICETAG_ARROW_STOREFRONT)) {
      status = PRICETAG_UNKNOWN_STOREFRONT;
    } else if (texts[PRICETAG_ARROW_CURRENCY]) {
      status = pricetag_formatter_for_storefront_in(plan->pack, storefront, currency, date, style, &result->formatter);
    } else {
      status = pricetag_formatter_for_storefront(plan->pack, storefront, date, style, &result->formatter);
      pricetag_text own;
      if (status == PRICETAG_OK && plan->unit == PRICETAG_ARROW_MINOR) {
        status = pricetag_storefront(plan->pack, storefront, date, &own, NULL);
        if (status == PRICETAG_OK && !pricetag_copy_name(currency, sizeof currency, own.bytes, own.length)) {
          status = PRICETAG_UNKNOWN_CURRENCY;
        }
        if (status == PRICETAG_OK) status = pricetag_minor_unit_digits(plan->pack, currency, &digits);
      }
    }
  } else if (texts[PRICETAG_ARROW_LOCALE] && texts[PRICETAG_ARROW_CURRENCY]) {
    status = pricetag_formatter_for_locale(plan->pack, locale, currency, style, &result->formatter);
  } else {
    result->error = MISSING_STOREFRONT;
    return;
  }
  result->error = arrow_error_of(status);
  if (status != PRICETAG_OK) return;
  result->capacity = pricetag_formatter_capacity(result->formatter);
  result->spoken_capacity = 0;
  if (plan->wants[PRICETAG_ARROW_SPOKEN]) {
    result->spoken = pricetag_formatter_spoken(result->formatter);
    if (!result->spoken) {
      result->error = MISSING_FORMATTER;
      return;
    }
    result->spoken_capacity = pricetag_formatter_capacity(result->spoken);
  }
  if (plan->unit == PRICETAG_ARROW_MINOR) {
    result->exponent = digits;
    if (digits < 0) result->amount_error = NO_MINOR_UNIT;
  }
}

row_key arrow_constant_key(const pricetag_arrow_plan *plan) {
  row_key key = {0};
  for (int argument = PRICETAG_ARROW_STOREFRONT; argument <= PRICETAG_ARROW_CURRENCY; argument++) {
    key.texts[argument] = plan->constants[argument];
    if (key.texts[argument]) key.lengths[argument] = strlen(key.texts[argument]);
  }
  return key;
}

// ---- The store of formatters

// Puts an entry into the table, if a place near its hash is free.
static void insert(pricetag_arrow_plan *plan, uint32_t index) {
  const entry *added = &plan->entries[index];
  if (added->key_words == 0) return;
  uint64_t hash = hash_key(added->key, added->key_words);
  for (uint32_t probe = 0; probe < MAXIMUM_PROBES; probe++) {
    uint32_t place = (uint32_t)(hash + probe) & plan->table_mask;
    if (plan->table[place] == NO_ENTRY) {
      plan->table[place] = index;
      return;
    }
  }
}

static void clear_entries(pricetag_arrow_plan *plan) {
  plan->entry_count = 0;
  if (plan->table) memset(plan->table, 0xFF, ((size_t)plan->table_mask + 1) * sizeof *plan->table);
}

// Makes room for one entry. False without memory.
static bool grow_entries(pricetag_arrow_plan *plan) {
  if (plan->entry_count < plan->entry_capacity) return true;
  uint32_t capacity = plan->entry_capacity ? plan->entry_capacity * 2 : 64;
  entry *entries = realloc(plan->entries, capacity * sizeof *entries);
  if (!entries) return false;
  plan->entries = entries;
  uint32_t *table = realloc(plan->table, capacity * 4 * sizeof *table);
  if (!table) return false;
  plan->table = table;
  plan->table_mask = capacity * 4 - 1;
  plan->entry_capacity = capacity;
  memset(table, 0xFF, capacity * 4 * sizeof *table);
  for (uint32_t index = 0; index < plan->entry_count; index++) insert(plan, index);
  return true;
}

// ---- The keys of rows

// Appends a value to a key: its length and its bytes, in words. False if the key has no room.
static inline bool append_text(uint64_t *key, uint32_t *words, const char *text, size_t length) {
  if (length < 8) {
    if (*words == KEY_WORDS) return false;
    key[(*words)++] = key_word(text, length);
    return true;
  }
  size_t count = length / 8 + 2;
  if (length > KEY_WORDS * 8 || count > KEY_WORDS - *words) return false;
  key[*words] = length + 9;
  memset(key + *words + 1, 0, (count - 1) * 8);
  memcpy(key + *words + 1, text, length);
  *words += (uint32_t)count;
  return true;
}

// A key column's value at a row.
typedef struct {
  bool is_null;
  const char *text;
  size_t length;
  // Of a column of dates.
  int64_t days;
} key_value;

static bool key_value_at(const column *read, int found, int64_t place, int64_t row, key_value *value,
                         pricetag_arrow_error *error) {
  value->is_null = found == IS_NULL;
  if (value->is_null) return true;
  switch (read->values_type) {
    case TYPE_DATE32: value->days = load_int32(read->values, place); return true;
    case TYPE_DATE64: {
      int64_t milliseconds = load_int64(read->values, place);
      value->days = milliseconds / 86400000 - (milliseconds % 86400000 < 0);
      return true;
    }
    default: return arrow_text_at(read, place, row, &value->text, &value->length, error);
  }
}

// Returns the entry of key values; NULL without memory. `place` is that of the entry in the store, or NO_ENTRY.
static const entry *entry_of(pricetag_arrow_plan *plan, const column *columns, const key_value *values, bool must_store,
                             uint32_t *place) {
  uint64_t key[KEY_WORDS];
  uint32_t words = 0;
  bool is_short = true;
  for (int index = 0; index < plan->key_count && is_short; index++) {
    const key_value *value = &values[index];
    bool is_date = columns[index].values_type == TYPE_DATE32 || columns[index].values_type == TYPE_DATE64;
    if (value->is_null || is_date) {
      is_short = words < KEY_WORDS;
      if (is_short) key[words++] = value->is_null ? 0 : (uint64_t)value->days << 8 | 1;
    } else {
      is_short = append_text(key, &words, value->text, value->length);
    }
  }
  if (!is_short) words = 0;
  *place = arrow_find_entry(plan, key, words);
  if (*place != NO_ENTRY) return &plan->entries[*place];

  row_key named = arrow_constant_key(plan);
  for (int index = 0; index < plan->key_count; index++) {
    int argument = plan->keys[index];
    if (values[index].is_null) continue;
    if (argument != PRICETAG_ARROW_DATE) {
      named.texts[argument] = values[index].text;
      named.lengths[argument] = values[index].length;
    } else {
      named.date = is_text(columns[index].values_type) ? pricetag_date_of_text(values[index].text, values[index].length)
                                                       : pricetag_date_of_days(values[index].days);
      named.is_date_malformed = named.date == 0;
    }
  }
  entry *added = &plan->uncached;
  if (must_store || words > 0) {
    if (!must_store && plan->entry_count == MAXIMUM_ENTRIES) clear_entries(plan);
    if (!grow_entries(plan)) return NULL;
    added = &plan->entries[plan->entry_count];
  }
  arrow_resolve(plan, &named, added);
  memcpy(added->key, key, words * sizeof *key);
  added->key_words = words;
  if (added != &plan->uncached) {
    *place = plan->entry_count++;
    insert(plan, *place);
  }
  return added;
}

bool arrow_prepare_keys(key_reader *reader) {
  pricetag_arrow_plan *plan = reader->plan;
  size_t places = 1;
  if (plan->key_count == 0) return true;
  reader->has_map = true;
  for (int index = 0; index < plan->key_count && reader->has_map; index++) {
    const column *key = &reader->keys[index];
    if (key->values_type == TYPE_NULL) continue;
    // Nulls have a place too.
    reader->has_map =
        key->indices_type && key->values_count < MAXIMUM_MAP && places * ((size_t)key->values_count + 1) <= MAXIMUM_MAP;
    if (reader->has_map) places *= (size_t)key->values_count + 1;
  }
  if (!reader->has_map) return true;
  if (plan->map_capacity < places) {
    size_t capacity = plan->map_capacity ? plan->map_capacity : 256;
    while (capacity < places) capacity *= 2;
    uint32_t *map = realloc(plan->map, capacity * sizeof *map);
    if (!map) return false;
    plan->map = map;
    plan->map_capacity = capacity;
  }
  memset(plan->map, 0xFF, places * sizeof *plan->map);
  if (plan->entry_count > MAXIMUM_ENTRIES - MAXIMUM_MAP) clear_entries(plan);
  return true;
}

// Reads the values of a row's keys, and finds their entry.
static const entry *read_keys(key_reader *reader, int64_t row, bool must_store, uint32_t *place, int32_t *status,
                              pricetag_arrow_error *error) {
  key_value values[PRICETAG_ARROW_ARGUMENTS];
  for (int index = 0; index < reader->plan->key_count; index++) {
    int64_t at = 0;
    int found = locate(&reader->keys[index], row, &at, error);
    if (found == IS_INVALID || !key_value_at(&reader->keys[index], found, at, row, &values[index], error)) {
      *status = PRICETAG_ARROW_INVALID_ARRAY;
      return NULL;
    }
  }
  const entry *result = entry_of(reader->plan, reader->keys, values, must_store, place);
  if (!result) *status = arrow_out_of_memory(error);
  return result;
}

const entry *arrow_entry_at(key_reader *reader, int64_t row, int32_t *status, pricetag_arrow_error *error) {
  pricetag_arrow_plan *plan = reader->plan;
  uint32_t place;
  if (plan->key_count == 0) return &plan->uncached;
  if (!reader->has_map) {
    return read_keys(reader, row, false, &place, status, error);
  }
  size_t code = 0;
  for (int index = 0; index < plan->key_count; index++) {
    const column *key = &reader->keys[index];
    int64_t at = key->first + row, position = 0;
    if (key->values_type == TYPE_NULL) continue;
    if (!key->validity || is_bit_set(key->validity, at)) {
      if (!index_at(key, at, &position)) {
        *status = arrow_refuse_index(key, row, error);
        return NULL;
      }
      position++;
    }
    code = code * ((size_t)key->values_count + 1) + (size_t)position;
  }
  place = plan->map[code];
  if (place != NO_ENTRY) return &plan->entries[place];
  const entry *result = read_keys(reader, row, true, &place, status, error);
  if (result) plan->map[code] = place;
  return result;
}
