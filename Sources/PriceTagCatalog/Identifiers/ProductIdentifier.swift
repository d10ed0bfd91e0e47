import PriceTag
import PriceTagText

/// The rule of product identifiers: 1 to 255 ASCII letters, digits, periods, underscores, hyphens and colons, the
/// first a letter or a digit.
///
/// It holds what the App Store and Google Play allow, Stripe's identifiers, and Google Play's `subscription:base-plan`;
/// it leaves out what could leave a path or a line.
public enum ProductIdentifier {
  /// The most characters.
  public static let maximumCount = 255

  /// Whether a text can be a product's identifier.
  public static func isWellFormed(_ identifier: String) -> Bool {
    var identifier = identifier
    return identifier.withUTF8 { bytes in
      guard let first = bytes.first, bytes.count <= maximumCount, isLetterOrDigit(first) else { return false }
      return bytes.allSatisfy { isLetterOrDigit($0) || $0 == 0x2E || $0 == 0x5F || $0 == 0x2D || $0 == 0x3A }
    }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// - Throws: `.malformedIdentifier`.
  package static func check(_ identifier: String) throws(CatalogError) {
    guard isWellFormed(identifier) else {
      throw CatalogError(
        .malformedIdentifier,
        identifier.isEmpty
          ? "the product identifier is empty" : "\(quoted(identifier)) is not a product identifier",
        fix:
          "give 1 to \(maximumCount) letters, digits, \".\", \"_\", \"-\" and \":\", a letter or digit first"
      )
    }
  }
}
