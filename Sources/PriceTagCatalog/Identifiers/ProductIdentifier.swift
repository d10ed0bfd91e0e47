import PriceTag
import PriceTagText

/// The syntax of product identifiers: 1 to 255 ASCII letters, digits, periods, underscores, hyphens and colons, starting
/// with a letter or a digit.
///
/// It covers the identifiers of the App Store, Google Play (including `subscription:base-plan`) and Stripe. It excludes
/// characters that are unsafe in a path or a line of text.
public enum ProductIdentifier {
  /// The maximum number of characters.
  package static let maximumCount = 255

  /// Returns whether a text is a well-formed product identifier.
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

  /// Checks that a text is a well-formed product identifier.
  ///
  /// - Throws: `.malformedIdentifier`.
  package static func check(_ identifier: String) throws(CatalogError) {
    guard isWellFormed(identifier) else {
      throw CatalogError(
        .malformedIdentifier,
        identifier.isEmpty
          ? "the product identifier is empty" : "\(quoted(identifier)) is not a product identifier",
        fix:
          "use 1 to \(maximumCount) letters, digits, \".\", \"_\", \"-\" or \":\", starting with a letter or digit"
      )
    }
  }
}
