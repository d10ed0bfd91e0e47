// The direction of text.
#include "CICU.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

int32_t cicu_first_strong_direction(const uint8_t *utf8, int32_t length) {
  for (int32_t index = 0; index < length;) {
    UChar32 scalar;
    U8_NEXT(utf8, index, length, scalar);
    if (scalar < 0) continue;
    switch (u_charDirection(scalar)) {
      case U_LEFT_TO_RIGHT: return 1;
      case U_RIGHT_TO_LEFT:
      case U_RIGHT_TO_LEFT_ARABIC: return -1;
      default: break;
    }
  }
  return 0;
}
