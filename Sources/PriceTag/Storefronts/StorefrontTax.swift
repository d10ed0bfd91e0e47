import PriceTagText

extension Storefront {
  /// The tax on a storefront's consumer prices.
  ///
  ///     try Storefront("DEU").tax   // kind .vat, included
  ///     try Storefront("USA").tax   // kind .salesTax, not included
  public struct Tax: Hashable, Sendable {
    /// The kind of a tax, which determines its name in a label.
    public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
      /// Value-added tax.
      case vat
      /// The goods and services tax of Australia, India, New Zealand or Singapore.
      case gst
      /// The consumption tax of Japan.
      case consumptionTax = "consumption-tax"
      /// Sales taxes, which depend on the shopper's address.
      case salesTax = "sales-tax"
      /// Another tax, or several taxes.
      case other
    }

    /// The kind of the tax.
    public let kind: Kind
    /// Whether prices include the tax. If not, it is added when the price is paid.
    public let isIncluded: Bool
  }

  /// Whether consumer prices include tax; `nil` if the locale data does not state it.
  ///
  ///     try Storefront("DEU").pricesIncludeTax   // true
  ///     try Storefront("USA").pricesIncludeTax   // false
  ///     try Storefront("AFG").pricesIncludeTax   // nil
  ///
  /// The value is what consumer law or the practice of stores in the territory requires, with a source for each
  /// storefront. It does not depend on the amount or the product.
  public var pricesIncludeTax: Bool? { tax?.isIncluded }
}

/// What a product, a price or a shop states about the tax of a price.
///
///     TaxInclusion(rawValue: "false")   // excluded
///
/// The raw values are those of files and options: `true`, `false`, `unknown`.
public enum TaxInclusion: String, Hashable, Sendable, CaseIterable, Codable {
  /// The price includes the tax.
  case included = "true"
  /// The tax is added when the price is paid.
  case excluded = "false"
  /// It is not known whether the price includes the tax, so nothing is stated about it.
  case unknown

  /// The value in JSON: `true`, `false` or `"unknown"`.
  package var json: String { self == .unknown ? PriceTagText.json(rawValue) : rawValue }
}

extension StorefrontReader {
  /// Reads and checks the field `tax` of an entry.
  ///
  /// - Returns: The tax; `nil` if the entry has none.
  func tax(of entry: LocaleDataEntry) throws(PriceTagError) -> Storefront.Tax? {
    guard let tax = try entry.optionalEntry("tax") else { return nil }
    if let sources {
      try tax.checkFields(["kind", "included", "source"])
      try tax.check("source", isAmong: sources)
    }
    let name = try tax.string("kind")
    guard let kind = Storefront.Tax.Kind(rawValue: name) else {
      let kinds = Storefront.Tax.Kind.allCases.map(\.rawValue)
      throw tax.unknown("kind of tax", name, "kind", fix: didYouMean(name, orOneOf: kinds))
    }
    return Storefront.Tax(kind: kind, isIncluded: try tax.boolean("included"))
  }
}
