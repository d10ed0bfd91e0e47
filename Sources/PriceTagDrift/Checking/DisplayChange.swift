import PriceTag
import PriceTagReading

/// The changes of one display: a product in a storefront and a language.
public struct DisplayChange: Hashable, Sendable {
  /// A field that changed.
  public struct FieldChange: Hashable, Sendable {
    /// The field.
    public let field: RecordedDisplay.Field
    /// The recorded text, the current text, and how they differ.
    public let comparison: DisplayComparison
  }

  /// The product's identifier.
  public let productIdentifier: String
  /// The storefront's identifier.
  public let storefront: String
  /// The UI language; empty if a row of ``ShopDisplays`` has none.
  public let language: String
  /// The line in the golden file or in the shop's rows; `nil` for a new display.
  public let line: Int?
  /// The classes of the changes, the most severe first.
  public let classes: [DriftClass]
  /// The changed fields; empty for a new or removed display.
  public let fields: [FieldChange]
  /// The reason why the display is gone or new, or why the text of a shop is not a price, if known.
  public let reason: String?
  /// The displayed price of a new display, or the last one of a removed display.
  public let display: String?
  /// The file of a price that was checked without a golden file.
  package let file: String?
  /// The problem of such a price.
  package let code: String?

  /// Creates a change of a display. Its classes are the given one, or those of the changed fields.
  init(
    _ key: [String],
    line: Int?,
    _ driftClass: DriftClass? = nil,
    fields: [FieldChange] = [],
    display: String? = nil,
    reason: String? = nil,
    file: String? = nil,
    code: String? = nil
  ) {
    let names = key + ["", "", ""]
    (productIdentifier, storefront, language) = (names[0], names[1], names[2])
    (self.line, self.fields, self.display, self.reason) = (line, fields, display, reason)
    (self.file, self.code) = (file, code)
    classes = driftClass.map { [$0] } ?? Set(fields.flatMap(\.comparison.classes)).sorted()
  }
}
