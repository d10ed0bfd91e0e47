import PriceTag
import PriceTagText

/// A color in sRGB.
public struct Color: Hashable, Sendable, CustomStringConvertible {
  /// A channel from 0 to 255.
  public let red, green, blue: UInt8

  /// Creates a color from hexadecimal CSS notation: `#1d6f42` or `#1d6`.
  ///
  /// - Throws: `.invalidTheme`.
  public init(_ text: String) throws(PagesError) {
    var digits = Array(text.utf8.dropFirst().prefix(7)).compactMap { Self.value(of: $0) }
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == text.utf8.count - 1,
      digits.count == 3 || digits.count == 6
    else {
      throw PagesError(
        .invalidTheme,
        "\(quoted(text)) is not a color",
        fix: "write a color such as #1d6f42"
      )
    }
    if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
    (red, green, blue) = (
      digits[0] << 4 | digits[1], digits[2] << 4 | digits[3], digits[4] << 4 | digits[5]
    )
  }

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }

  /// Returns the contrast ratio of WCAG 2.2 to another color, from 1 (no contrast) to 21.
  ///
  ///     try Color("#000000").contrast(on: Color("#ffffff"))   // 21
  public func contrast(on other: Color) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// The relative luminance of WCAG 2.2, from 0 to 1.
  private var luminance: Double {
    func linear(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The color in CSS notation: `#1d6f42`.
  public var description: String {
    "#"
      + [red, green, blue].map { channel in
        let digits = String(channel, radix: 16)
        return digits.utf8.count == 1 ? "0\(digits)" : digits
      }.joined()
  }
}
