import PriceTag
import PriceTagSystem
import PriceTagText

/// A color in sRGB.
public struct Color: Hashable, Sendable, CustomStringConvertible {
  /// A channel from 0 to 255.
  public let red, green, blue: UInt8

  /// Creates a color from hexadecimal CSS notation: `#1d6f42` or `#1d6`.
  ///
  /// - Throws: `.invalidTheme`.
  public init(_ text: String) throws(PagesError) {
    var digits = text.utf8.dropFirst().prefix(7).compactMap { byte in
      Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
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

  /// Returns the contrast ratio of WCAG 2.2 to another color, from 1 (no contrast) to 21.
  ///
  ///     try Color("#000000").contrast(on: Color("#ffffff"))   // 21
  public func contrast(on other: Color) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// The relative luminance of WCAG 2.2, from 0 to 1.
  private var luminance: Double {
    let (red, green, blue) = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  /// The channels of linear light, from 0 to 1.
  fileprivate var linear: (red: Double, green: Double, blue: Double) {
    func linear(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return (linear(red), linear(green), linear(blue))
  }

  /// Returns a mixture with another color.
  ///
  /// - Parameter percent: The percentage of this color, from 0 to 100.
  func mixed(percent: Int, into other: Color) -> Color {
    func mixed(_ own: UInt8, _ other: UInt8) -> UInt8 {
      UInt8((Int(own) * percent + Int(other) * (100 - percent) + 50) / 100)
    }
    return Color(mixed(red, other.red), mixed(green, other.green), mixed(blue, other.blue))
  }

  /// The color in CSS notation: `#1d6f42`.
  public var description: String { "#" + [red, green, blue].map(hexadecimal).joined() }
}

/// A color in OKLCh: lightness as people see it, chroma and hue. Colors of equal lightness and chroma look alike strong.
///
/// https://bottosson.github.io/posts/oklab/
struct PerceivedColor {
  /// From 0, black, to 1, white.
  var lightness: Double
  /// From 0, gray, to about 0.3.
  var chroma: Double
  /// In radians.
  var hue: Double

  init(_ color: Color) {
    let (red, green, blue) = color.linear
    let long = pow(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue, 1 / 3)
    let medium = pow(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue, 1 / 3)
    let short = pow(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue, 1 / 3)
    lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
    let a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    let b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    (chroma, hue) = ((a * a + b * b).squareRoot(), atan2(b, a))
  }

  /// The closest color of the same lightness and hue that a screen can show, with less chroma if necessary.
  var color: Color {
    var reduced = self
    // Gray of any lightness can be shown.
    while reduced.chroma > 0.002, !reduced.isInGamut { reduced.chroma *= 0.96 }
    let channels = reduced.channels.map { value in
      let value = min(max(value, 0), 1)
      return UInt8(
        (255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055)).rounded()
      )
    }
    return Color(channels[0], channels[1], channels[2])
  }

  private var isInGamut: Bool { channels.allSatisfy { (-0.0005...1.0005).contains($0) } }

  /// The channels of linear light in sRGB.
  private var channels: [Double] {
    let (a, b) = (chroma * cos(hue), chroma * sin(hue))
    func cube(_ value: Double) -> Double { value * value * value }
    let long = cube(lightness + 0.3963377774 * a + 0.2158037573 * b)
    let medium = cube(lightness - 0.1055613458 * a - 0.0638541728 * b)
    let short = cube(lightness - 0.0894841775 * a - 1.2914855480 * b)
    return [
      4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
      -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
      -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    ]
  }
}
