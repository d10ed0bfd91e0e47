import ICUReference
import PriceTagText
import Testing

/// Tests the width of texts in a terminal.
@Suite struct TerminalColumnsTests {
  static let texts: [(text: String, columns: Int)] = [
    ("", 0), ("USD", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("\u{FFE5}500", 5), ("\u{A5}500", 4),
    ("한국", 4), ("ｱ", 1), ("Ａ", 2), ("\u{1F600}", 2), ("\u{2068}شهر\u{2069}", 3), ("\u{200F}1\u{200E}", 1),
    ("ก\u{E48}", 1), ("\u{20000}", 2), ("a\tb", 2), ("\u{A0}", 1), ("\u{303F}", 1), ("\u{3042}\u{3099}", 2),
  ]

  @Test(arguments: texts)
  func countsColumns(text: String, columns expected: Int) {
    #expect(columns(of: text) == expected)
    #expect(columns(of: padded(text, 12)) == 12)
  }

  @Test func doesNotCutWideText() {
    #expect(padded("日本", 3) == "日本" && padded("日本", 4) == "日本")
  }

  /// The symbols that became wide in Unicode 16. An older ICU counts them as narrow.
  private static let widenedLater: [ClosedRange<UInt32>] = [
    0x2630...0x2637, 0x268A...0x268F, 0x4DC0...0x4DFF, 0x1D300...0x1D356, 0x1D360...0x1D376,
  ]

  @Test func hasSameWideCharactersAsICU() {
    var different: [String] = []
    for value: UInt32 in 0x20...0x3FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned,
        let age = scalar.properties.age, (age.major, age.minor) <= (15, 0),
        !Self.widenedLater.contains(where: { $0.contains(value) })
      else { continue }
      let width = columns(of: String(scalar))
      if width > 0, (width == 2) != icu_reference_is_wide(value) {
        different.append("\(scalar.debugDescription)")
      }
    }
    #expect(different == [])
  }
}
