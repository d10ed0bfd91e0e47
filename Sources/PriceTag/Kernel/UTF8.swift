/// Returns whether bytes are UTF-8.
func isUTF8(_ start: UnsafeRawPointer, count: Int) -> Bool {
  var index = 0
  while index < count {
    let byte = start.uint8(at: index)
    index &+= 1
    if byte < 0x80 { continue }
    let length = byte >= 0xC2 && byte < 0xE0 ? 1 : byte >= 0xE0 && byte < 0xF0 ? 2 : 3
    guard byte >= 0xC2, byte <= 0xF4, length <= count &- index else { return false }
    // The first continuation byte excludes overlong forms, surrogates and numbers above U+10FFFF.
    let second = start.uint8(at: index)
    let lowest = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80
    let highest = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF
    guard second >= lowest, second <= highest else { return false }
    var left = length &- 1
    index &+= 1
    while left > 0 {
      guard start.uint8(at: index) & 0xC0 == 0x80 else { return false }
      index &+= 1
      left &-= 1
    }
  }
  return true
}
