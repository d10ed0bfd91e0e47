import Testing

@testable import PriceTagCatalog

/// Tests of texts that are compared by their bytes.
@Suite struct ExactTextTests {
  /// In the order of their bytes. Some are canonically equivalent to others, which Swift treats as equal.
  static let sorted = [
    "", "\0", "\0\0", "A", "a", "a\0", "aa", "ab", "e\u{301}", "\u{C9}", "\u{E9}", "\u{212B}", "\u{AC00}",
    "\u{1F680}",
  ]

  @Test func equalsOnlyTheSameBytes() {
    #expect("e\u{301}" == "\u{E9}")
    for (index, one) in Self.sorted.enumerated() {
      for (otherIndex, other) in Self.sorted.enumerated() {
        let isSame = index == otherIndex
        #expect((ExactText(one) == ExactText(other)) == isSame, "\(index) and \(otherIndex)")
        #expect(ExactText.precedes(one, other) == (index < otherIndex), "\(index) and \(otherIndex)")
      }
    }
    #expect(Set((Self.sorted + Self.sorted).map(ExactText.init)).count == Self.sorted.count)
  }

  /// Texts that are stored in other ways in memory, such as a part of a longer text.
  @Test func doesNotDependOnStorage() {
    let long = String(repeating: "garage", count: 10)
    let part = String("\(long)\u{E9}".dropLast())
    #expect(ExactText(part) == ExactText(long))
    #expect(ExactText(part).hashValue == ExactText(long).hashValue)
    #expect(!ExactText.precedes(part, long) && !ExactText.precedes(long, part))
  }
}
