import PriceTag
import PriceTagCatalog
import PriceTagDrift
import PriceTagReading
import PriceTagStrings
import PriceTagText

/// A rule that every display must obey.
///
///     DisplayRule("has a name") { $0.product.text == nil ? "the product has no name" : nil }
public struct DisplayRule: Sendable, CustomStringConvertible {
  /// The rule's name, for failures.
  public let name: String
  /// Whether the rule checks only the price, which is the same in all UI languages.
  let isLanguageIndependent: Bool
  private let problem: @Sendable (StorefrontDisplay) throws -> String?

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - name: The rule's name.
  ///   - problem: Returns what is wrong with a display, or `nil` if it obeys the rule.
  public init(_ name: String, _ problem: @escaping @Sendable (StorefrontDisplay) throws -> String?) {
    self.init(name, isLanguageIndependent: false, problem)
  }

  private init(
    _ name: String,
    isLanguageIndependent: Bool,
    _ problem: @escaping @Sendable (StorefrontDisplay) throws -> String?
  ) {
    (self.name, self.isLanguageIndependent, self.problem) = (name, isLanguageIndependent, problem)
  }

  /// The rule's name.
  public var description: String { name }

  /// Returns what is wrong with a display.
  func problem(with display: StorefrontDisplay) -> String? {
    do { return try problem(display) } catch { return "\(error)" }
  }

  /// The rules that every display of a correct catalog obeys.
  public static let standard: [DisplayRule] = [
    hasNoCurrencySign, readsBack, identifiesItsCurrency, derivedPricesKeepTheirForm, messagesAreTranslated,
    isolatesAreBalanced,
  ]

  /// All built-in rules: the standard ones, `productTextIsTranslated`, which requires a text in each language of a store,
  /// and `identifiesItsCurrencyToTheShopper`, which some storefronts break with the embedded data.
  public static let all = standard + [productTextIsTranslated, identifiesItsCurrencyToTheShopper]

  // MARK: Prices

  /// The texts contain no `¤`, the sign for an unknown currency.
  public static let hasNoCurrencySign = DisplayRule("has no currency sign ¤") { display in
    let texts = [display.price.text, display.spoken] + display.messages.map(\.plain)
    return texts.first { $0.unicodeScalars.contains("\u{A4}") }.map { "\(quoted($0)) has a ¤" }
  }

  /// The formatted price reads back as the displayed amount and currency.
  public static let readsBack = DisplayRule("reads back", isLanguageIndependent: true) { display in
    let read = try display.reader.read(display.price.text)
    let displayed = display.price.displayedAmount
    return read.amount == displayed ? nil : "it reads back as \(read.amount), not \(displayed)"
  }

  /// In the price locale, the symbol identifies one of the currencies that stores charge.
  public static let identifiesItsCurrency = DisplayRule(
    "identifies its currency",
    isLanguageIndependent: true
  ) {
    display in
    let named = try display.reader.currenciesNamed(by: display.price.text)
    let own = display.price.currency
    if named == [own] { return nil }
    return named.contains(own)
      ? "its symbol could be \(names(of: named))" : "its symbol names \(names(of: named)), not \(own)"
  }

  /// In the UI language, too, the symbol identifies one of the currencies that stores charge. For example, `¥6.00` in the
  /// China store is in yuan, but an English-speaking shopper reads it as yen.
  ///
  /// With the embedded data, the stores of Chile, China, Colombia, Mexico, and Taiwan break this rule in English, and the
  /// United States store in Traditional Chinese. In some others a `$` or `kr` is ambiguous. To fix it, set another symbol in
  /// `currency-overrides.json`, or display codes with `PriceStyle(width: .iso)`.
  public static let identifiesItsCurrencyToTheShopper = DisplayRule("identifies its currency to the shopper")
  {
    display in
    let parts = display.language.identifier.split(separator: "-")
    let script = parts.dropFirst().first { $0.count == 4 }
    let tag = ([parts.first, script].compactMap(\.self) + [display.storefront.alpha2[...]]).joined(
      separator: "-"
    )
    guard let locale = try? PriceLocale(tag) else { return nil }
    let named = try display.readers.currenciesNamed(by: display.price.text, in: locale)
    // A symbol that the language does not use cannot be confused with another.
    if named.isEmpty || named == [display.price.currency] { return nil }
    return "in \(tag), its symbol could be \(names(of: named))"
  }

  private static func names(of currencies: Set<Currency>) -> String {
    currencies.isEmpty ? "no currency" : currencies.map(\.code).sorted().joined(separator: " or ")
  }

  /// The total for a quantity of 12 and the monthly price of a subscription are formatted like the price itself, with the
  /// same symbol, order, separators, and spaces.
  public static let derivedPricesKeepTheirForm = DisplayRule(
    "derived prices keep their form",
    isLanguageIndependent: true
  ) { display in
    let price = display.price
    var derived = [try price.total(quantity: 12)]
    if let period = display.product.subscription?.period {
      derived.append(try price.per(.month, of: period, rounding: .halfEven))
    }
    let reader = display.reader
    for other in derived {
      let classes = DisplayComparison(expected: price.text, actual: other.text, reader).classes.filter {
        // The amounts differ, so the number of groups may differ too.
        $0 != .amount && $0 != .grouping
      }
      if !classes.isEmpty {
        return
          "the derived price \(quoted(other.text)) differs in \(classes.map(\.rawValue).joined(separator: ", "))"
      }
    }
    return nil
  }

  // MARK: Texts

  /// The messages around prices are in the UI language, not in a fallback language.
  public static let messagesAreTranslated = DisplayRule("messages are translated") { display in
    let wanted = display.requestedLanguage
    let match = display.strings.matcher.match(wanted.identifier)
    let closest = match.reason == .fallback ? wanted : match.language
    let other = display.messages.first { $0.language != closest && $0.language != wanted }
    return other.map { "\(quoted($0.plain)) is in \($0.language)" }
  }

  /// The product's own text is in the UI language, if the store supports that language.
  public static let productTextIsTranslated = DisplayRule("product text is translated") { display in
    let store = LanguageMatcher(display.storefront.languages.compactMap { try? UILanguage($0) })
    guard store.match(display.requestedLanguage.identifier).reason != .fallback else { return nil }
    guard let text = display.product.text else { return "the product has no text" }
    return text.origin == .requested ? nil : "\(quoted(text.name)) is in \(text.language)"
  }

  /// Every bidi isolate and embedding that a text opens is closed in it, so that it cannot reorder the text that follows.
  public static let isolatesAreBalanced = DisplayRule("isolates are balanced") { display in
    let own = [display.product.text?.name, display.product.text?.description].compactMap(\.self)
    let texts =
      own + [display.price.text, display.price.isolated, display.spoken] + display.messages.map(\.isolated)
    return texts.first { balancedBidi($0) != $0 }.map {
      "\(quoted($0)) has an unbalanced bidi control"
    }
  }
}
