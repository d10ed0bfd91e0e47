import Foundation
import PriceTagText
import Testing

@Suite struct Base64Tests {
  /// The examples of RFC 4648, 10.
  static let examples: [(text: String, base64: String)] = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ]

  @Test(arguments: examples)
  func encodesText(text: String, base64 expected: String) {
    #expect(base64(Array(text.utf8)) == expected)
  }

  @Test(arguments: [254, 255, 256])
  func encodesEveryByte(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    #expect(base64(bytes) == Data(bytes).base64EncodedString())
  }
}
