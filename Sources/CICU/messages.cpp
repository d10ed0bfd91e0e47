// Parses messages with ICU into a flat list of parts.
#include "CICU.h"

#include <unicode/messagepattern.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <iterator>
#include <memory>
#include <new>
#include <vector>

struct CICUMessage {
  std::vector<CICUPart> parts;
};

namespace {

// The kinds of arguments have ICU's numbers.
static_assert(int(CICUArgumentSelectOrdinal) == int(UMSGPAT_ARG_TYPE_SELECTORDINAL));

// The kinds of parts by ICU's numbers. INSERT_CHAR, the place for an apostrophe if the
// message were quoted again, has none.
constexpr CICUPartKind partKinds[] = {
    CICUPartMessageStart, CICUPartMessageEnd, CICUPartSkip,    CICUPartSkip,  CICUPartNumber,
    CICUPartArgumentStart, CICUPartArgumentEnd, CICUPartName,  CICUPartName,  CICUPartType,
    CICUPartStyle,        CICUPartSelector,   CICUPartNumeric, CICUPartNumeric};
static_assert(std::size(partKinds) == size_t(UMSGPAT_PART_TYPE_ARG_DOUBLE) + 1);

// Returns the UTF-8 offset of each UTF-16 unit of a text, and of its end.
std::vector<int32_t> utf8Offsets(const icu::UnicodeString &text) {
  std::vector<int32_t> offsets(size_t(text.length()) + 1);
  int32_t offset = 0;
  for (int32_t index = 0; index < text.length();) {
    const UChar32 scalar = text.char32At(index);
    for (int32_t unit = 0; unit < U16_LENGTH(scalar); unit++) offsets[size_t(index + unit)] = offset;
    index += U16_LENGTH(scalar);
    offset += U8_LENGTH(scalar);
  }
  offsets[size_t(text.length())] = offset;
  return offsets;
}

}  // namespace

CICUMessageStatus cicu_message_open(const uint8_t *utf8, int32_t length, CICUMessage **message,
                                    int32_t *errorOffset) {
  *message = nullptr;
  *errorOffset = -1;
  const auto text = icu::UnicodeString::fromUTF8(icu::StringPiece(reinterpret_cast<const char *>(utf8), length));
  const std::vector<int32_t> offsets = utf8Offsets(text);
  UErrorCode status = U_ZERO_ERROR;
  UParseError error{};
  error.offset = -1;
  const icu::MessagePattern pattern(text, &error, status);
  if (U_FAILURE(status)) {
    if (error.offset >= 0 && error.offset <= text.length()) *errorOffset = offsets[size_t(error.offset)];
    switch (status) {
      case U_UNMATCHED_BRACES: return CICUMessageUnmatchedBraces;
      case U_DEFAULT_KEYWORD_MISSING: return CICUMessageWithoutOther;
      case U_INDEX_OUTOFBOUNDS_ERROR: return CICUMessageTooLong;
      default: return CICUMessageMalformed;
    }
  }
  std::unique_ptr<CICUMessage> parsed(new CICUMessage);
  for (int32_t index = 0; index < pattern.countParts(); index++) {
    const icu::MessagePattern::Part &part = pattern.getPart(index);
    if (part.getType() == UMSGPAT_PART_TYPE_INSERT_CHAR) continue;
    parsed->parts.push_back({partKinds[part.getType()], CICUArgumentKind(part.getArgType()),
                             offsets[size_t(part.getIndex())], offsets[size_t(part.getLimit())]});
  }
  *message = parsed.release();
  return CICUMessageParsed;
}

void cicu_message_close(CICUMessage *message) { delete message; }

const CICUPart *cicu_message_parts(const CICUMessage *message, int32_t *count) {
  *count = int32_t(message->parts.size());
  return message->parts.data();
}
