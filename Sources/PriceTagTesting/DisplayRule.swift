import PriceTag
import PriceTagCatalog
import PriceTagDrift
import PriceTagStrings
import PriceTagText

/// What must hold of every display.
///
///     DisplayRule("has a name") { $0.product.text == nil ? "the product has no name" : nil }
public struct DisplayRule: Sendable, CustomStringConvertible {
  /// What the rule is called, in failures.
  public let name: String
  /// Whether what it says is the same for readers of all languages.
  let isOfPricesAlone: Bool
  private let problem: @Sendable (StorefrontDisplay) throws -> String?

  /// A rule.
  ///
  /// - Parameters:
  ///   - name: What it is called.
  ///   - problem: What is wrong with a display; `nil` where it obeys the rule.
  public init(_ name: String, _ problem: @escaping @Sendable (StorefrontDisplay) throws -> String?) {
    self.init(name, isOfPricesAlone: false, problem)
  }

  private init(
    _ name: String,
    isOfPricesAlone: Bool,
    _ problem: @escaping @Sendable (StorefrontDisplay) throws -> String?
  ) {
    (self.name, self.isOfPricesAlone, self.problem) = (name, isOfPricesAlone, problem)
  }

  /// The name.
  public var description: String { name }

  /// What is wrong with a display.
  func problem(with display: StorefrontDisplay) -> String? {
    do { return try problem(display) } catch { return "\(error)" }
  }

  /// The rules that hold of every display of a shop that is in order.
  public static let usual: [DisplayRule] = [
    hasNoCurrencySign, readsBack, identifiesItsCurrency, derivedPricesKeepTheirForm, wordsAreTranslated,
    isolatesAreBalanced,
  ]

  /// All rules that are ready: the usual ones, `productTextIsTranslated`, which asks for a text in each language of a
  /// store, and `identifiesItsCurrencyToItsReader`, which some storefronts break as they are.
  public static let all = usual + [productTextIsTranslated, identifiesItsCurrencyToItsReader]

  // MARK: Prices

  /// No `¤`: the sign that stands for a currency nobody knows.
  public static let hasNoCurrencySign = DisplayRule("has no currency sign ¤") { display in
    let texts = [display.price.text, display.spoken] + display.messages.map(\.plain)
    return texts.first { $0.unicodeScalars.contains("\u{A4}") }.map { "\(quoted($0)) has a ¤" }
  }

  /// What is displayed reads back as the amount and currency that it displays, byte for byte.
  public static let readsBack = DisplayRule("reads back", isOfPricesAlone: true) { display in
    let read = try display.reader.read(display.price.text)
    let displayed = display.price.displayedAmount
    return read.amount == displayed ? nil : "it reads as \(read.amount), and is \(displayed)"
  }

  /// The symbol stands for one currency alone in the price locale, among those that stores charge.
  public static let identifiesItsCurrency = DisplayRule("identifies its currency", isOfPricesAlone: true) {
    display in
    let meant = try display.reader.currenciesNamed(by: display.price.text)
    let own = display.price.currency
    if meant == [own] { return nil }
    return meant.contains(own)
      ? "its symbol could be \(names(of: meant))" : "its symbol names \(names(of: meant)), not \(own)"
  }

  /// In the reader's language too the symbol stands for no other currency that stores charge: `¥6.00` of the China store
  /// is yuan, and somebody who reads English takes it for yen.
  ///
  /// With the data as it is, the stores of Chile, China, Colombia, Mexico and Taiwan break it in English, that of the United
  /// States in traditional Chinese, and some more have a `$` or `kr` that could be several. A symbol of one's own
  /// (`currency-overrides.json`) or codes (`PriceStyle(width: .iso)`) mend it.
  public static let identifiesItsCurrencyToItsReader = DisplayRule("identifies its currency to its reader") {
    display in
    let parts = display.language.identifier.split(separator: "-")
    let script = parts.dropFirst().first { $0.count == 4 }
    let tag = ([parts.first, script].compactMap(\.self) + [display.storefront.alpha2[...]]).joined(
      separator: "-"
    )
    guard let locale = try? PriceLocale(tag) else { return nil }
    let meant = try display.readers.currenciesNamed(by: display.price.text, in: locale)
    // A symbol that the language does not have is taken for no other.
    if meant.isEmpty || meant == [display.price.currency] { return nil }
    return "read in \(tag), its symbol could be \(names(of: meant))"
  }

  private static func names(of currencies: Set<Currency>) -> String {
    currencies.isEmpty ? "no currency" : currencies.map(\.code).sorted().joined(separator: " or ")
  }

  /// A price for twelve, and a subscription's price per month, are written as the price is that they come from: the same
  /// symbol in the same place, the same separators and spaces.
  public static let derivedPricesKeepTheirForm = DisplayRule(
    "derived prices keep their form",
    isOfPricesAlone: true
  ) { display in
    let price = display.price
    var derived = [try price.total(quantity: 12)]
    if let period = display.product.subscription?.period {
      derived.append(try price.per(.month, of: period, rounding: .halfEven))
    }
    let reader = display.reader
    for other in derived {
      let classes = DisplayComparison(expected: price.text, actual: other.text, reader).classes.filter {
        // Another amount may have groups that this one has not.
        $0 != .amount && $0 != .grouping
      }
      if !classes.isEmpty {
        return
          "\(quoted(other.text)) differs from it in \(classes.map(\.rawValue).joined(separator: ", "))"
      }
    }
    return nil
  }

  // MARK: Words

  /// The words around prices are in the reader's language, not in one that stands in for it.
  public static let wordsAreTranslated = DisplayRule("words are translated") { display in
    let wanted = display.strings.matcher.match(display.language.identifier).language
    let other = display.messages.first { $0.language != wanted && $0.language != display.language }
    return other.map { "\(quoted($0.plain)) is in \($0.language)" }
  }

  /// A product's own text is in the reader's language, where the store shows that language.
  public static let productTextIsTranslated = DisplayRule("product text is translated") { display in
    let store = LanguageMatcher(display.storefront.languages.compactMap { try? UILanguage($0) })
    guard store.match(display.language.identifier).reason != .fallback else { return nil }
    guard let text = display.product.text else { return "the product has no text" }
    return text.origin == .reader ? nil : "\(quoted(text.name)) is in \(text.language)"
  }

  /// What starts an isolate or an embedding ends it too, so that nothing turns the text behind it.
  public static let isolatesAreBalanced = DisplayRule("isolates are balanced") { display in
    let own = [display.product.text?.name, display.product.text?.description].compactMap(\.self)
    let texts =
      own + [display.price.text, display.price.isolated, display.spoken] + display.messages.map(\.isolated)
    return texts.first { balancedBidi($0) != $0 }.map {
      "\(quoted($0)) leaves a control open, or closes none"
    }
  }
}
