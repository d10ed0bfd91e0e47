// Writing text: offsets or views, and bytes in memory that grows.
#include "arrow_internal.h"

enum { FIRST_BLOCK = 1 << 15, LARGEST_BLOCK = 1 << 24, MAXIMUM_GUESS = 1 << 20 };

static size_t place_size(int32_t layout) {
  return layout == PRICETAG_ARROW_UTF8_VIEW ? 16 : layout == PRICETAG_ARROW_LARGE_UTF8 ? 8 : 4;
}

bool arrow_start_text(text_builder *text, int32_t layout, int64_t count) {
  memset(text, 0, sizeof *text);
  text->layout = layout;
  size_t places = (size_t)count + 1;
  if (places > SIZE_MAX / 32) return false;
  text->places = malloc(places * place_size(layout));
  if (!text->places) return false;
  memset(text->places, 0, place_size(layout));
  if (layout == PRICETAG_ARROW_UTF8_VIEW) return true;
  // Few prices are longer than this guess. An allocator that gets the same sizes for each batch can use memory again,
  // which the system has mapped and cleared before. Larger batches grow.
  text->capacity = (count < MAXIMUM_GUESS ? (size_t)count : MAXIMUM_GUESS) * 16 + PRICETAG_MAXIMUM_CAPACITY;
  text->bytes = malloc(text->capacity);
  return text->bytes;
}

void arrow_free_text(text_builder *text) {
  for (size_t index = 0; index < text->block_count; index++) free(text->blocks[index]);
  free(text->blocks);
  free(text->block_sizes);
  free(text->bytes);
  free(text->places);
  memset(text, 0, sizeof *text);
}

bool arrow_finish_block(text_builder *text) {
  if (!text->bytes) return true;
  if (text->length == 0) {
    free(text->bytes);
    text->bytes = NULL;
    text->capacity = 0;
    return true;
  }
  if (text->block_count == text->block_capacity) {
    size_t capacity = text->block_capacity ? text->block_capacity * 2 : 8;
    char **blocks = realloc(text->blocks, capacity * sizeof *blocks);
    if (!blocks) return false;
    text->blocks = blocks;
    int64_t *sizes = realloc(text->block_sizes, capacity * sizeof *sizes);
    if (!sizes) return false;
    text->block_sizes = sizes;
    text->block_capacity = capacity;
  }
  text->blocks[text->block_count] = text->bytes;
  text->block_sizes[text->block_count++] = (int64_t)text->length;
  text->bytes = NULL;
  text->length = text->capacity = 0;
  return true;
}

bool arrow_grow_text(text_builder *text, size_t needed) {
  if (text->layout == PRICETAG_ARROW_UTF8_VIEW) {
    size_t size = text->capacity ? text->capacity * 2 : FIRST_BLOCK;
    if (!arrow_finish_block(text)) return false;
    if (size > LARGEST_BLOCK) size = LARGEST_BLOCK;
    if (size < needed) size = needed;
    text->bytes = malloc(size);
    if (!text->bytes) return false;
    text->capacity = size;
    return true;
  }
  if (text->length > SIZE_MAX / 4 || needed > SIZE_MAX / 4) return false;
  size_t capacity = text->capacity * 2;
  if (capacity < text->length + needed) capacity = text->length + needed;
  // The last price may be shorter than its capacity.
  size_t limit = (size_t)MAXIMUM_UTF8 + PRICETAG_MAXIMUM_CAPACITY;
  if (text->layout == PRICETAG_ARROW_UTF8 && capacity > limit && text->length + needed <= limit) capacity = limit;
  char *bytes = realloc(text->bytes, capacity);
  if (!bytes) return false;
  text->bytes = bytes;
  text->capacity = capacity;
  return true;
}

void arrow_shrink_text(text_builder *text) {
  if (text->layout == PRICETAG_ARROW_UTF8_VIEW || text->capacity / 2 < text->length || text->capacity < 4096) return;
  char *bytes = realloc(text->bytes, text->length + 1);
  if (bytes) {
    text->bytes = bytes;
    text->capacity = text->length + 1;
  }
}
