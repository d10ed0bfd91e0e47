import PriceTag
import PriceTagStrings

/// What a store asks a catalogue: which products, for which storefront, in which language, on which day.
///
///     let store = try Storefront("JPN")
///     try ProductsRequest(["com.example.level1"], storefront: store, language: UILanguage("en"))
///
/// The storefront alone decides the prices. The language chooses the words around them, and a product's own text where
/// the store supports the language and the product has it.
public struct ProductsRequest: Sendable {
  /// Which products are shown.
  public enum Mode: String, Hashable, Sendable, CaseIterable, Codable {
    /// Those that were approved. Identifiers that nothing can be shown for are left out.
    case production
    /// All, approved or not. Identifiers that nothing can be shown for are an error that lists them.
    case development
  }

  /// The identifiers, each once and in order; `nil` for all products of the catalogue.
  public let productIdentifiers: [String]?
  /// Whose prices are asked for.
  public let storefront: Storefront
  /// The reader's language.
  public let language: UILanguage
  /// The day.
  public let date: CalendarDate
  /// Which products are shown.
  public let mode: Mode
  /// Whether the reader may pay: StoreKit's `canMakePayments`.
  public let canMakePayments: Bool
  /// How prices are written.
  public let style: PriceStyle
  /// The words around prices.
  public let strings: StoreStrings

  /// A request for some products, or for all of a catalogue's.
  ///
  /// - Parameters:
  ///   - productIdentifiers: The identifiers, in the order that the answer has; one that repeats is asked for once.
  ///     `nil` asks for all, in the catalogue's order.
  ///   - storefront: Whose prices are asked for.
  ///   - language: The reader's language.
  ///   - date: The day; prices and currencies are those of that day.
  ///   - mode: Whether products that were not approved are shown, and whether an identifier that nothing can be shown
  ///     for is an error.
  ///   - canMakePayments: Whether the reader may pay; the response says so too.
  ///   - style: How prices are written.
  ///   - strings: The words around prices.
  public init(
    _ productIdentifiers: [String]?,
    storefront: Storefront,
    language: UILanguage,
    at date: CalendarDate = .today,
    mode: Mode = .production,
    canMakePayments: Bool = true,
    style: PriceStyle = PriceStyle(),
    strings: StoreStrings = .embedded
  ) {
    var asked: Set<[UInt8]> = []
    // By their bytes: two texts that look the same are two identifiers.
    self.productIdentifiers = productIdentifiers?.filter { asked.insert(Array($0.utf8)).inserted }
    (self.storefront, self.language, self.date) = (storefront, language, date)
    (self.mode, self.canMakePayments, self.style, self.strings) = (mode, canMakePayments, style, strings)
  }
}
