import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// A UI language of pages, with its messages that take no arguments.
final class PageLanguage: Sendable {
  let language: UILanguage
  /// The messages without arguments, as template values.
  let values: TemplateWords
  private let strings: StoreStrings
  private let words: [String: String]
  /// The messages of the shop's own, by key.
  private let own: [String: Message]
  /// The texts that offer a store, as HTML, by storefront: each page of a store has one, and the names come from ICU.
  private let offers = Cache<String, String>()
  /// The notes that a text is in another language, as HTML, by that language: many products have one.
  private let textNotes = Cache<UILanguage, String>(limit: PageLanguage.maximumNoteCount)
  /// The notes about the prices of a store, in currencies whose names come from ICU.
  private let priceNotes = Cache<PriceNote, (html: String, plain: String)>(
    limit: PageLanguage.maximumNoteCount
  )

  private struct PriceNote: Hashable {
    let storefront: Storefront
    let currencies: [Currency]
  }

  /// The maximum number of notes of each kind: a catalog has any number of languages.
  private static let maximumNoteCount = 1000

  /// - Throws: `.stringsFailed` if the UI strings lack the language.
  init(_ language: UILanguage, _ strings: StoreStrings) throws(PagesError) {
    (self.language, self.strings) = (language, strings)
    do throws(StringsError) {
      var words: [String: String] = [:]
      for key in strings.keys {
        let message = try strings.message(key, in: language)
        if message.argumentNames.isEmpty { words[key] = try message.format([:]).plain }
      }
      self.words = words
      var own: [String: Message] = [:]
      for key in strings.own?.keys ?? [] { own[key] = try strings.own?.message(key, in: language) }
      self.own = own
      values = TemplateWords(words)
    } catch { throw PagesError(.stringsFailed, error) }
  }

  /// Returns a message without arguments; empty for an unknown key.
  func word(_ key: String) -> String { words[key] ?? "" }

  /// Whether the shop has messages of its own.
  var hasOwnMessages: Bool { !own.isEmpty }

  /// Returns a message of the shop's own as HTML; `nil` without one, or if it has an argument that is not given.
  func own(_ key: String, _ arguments: [String: MessageArgument]) -> String? {
    guard let message = own[key] else { return nil }
    var needed: MessageArguments = [:]
    for name in message.argumentNames {
      guard let argument = arguments[name] else { return nil }
      needed.append(name, argument)
    }
    // The types of the arguments were checked with the templates.
    guard let text = try? message.format(needed) else { return nil }
    let html = PriceMarkup.html(text)
    let other = message.language
    return other == language
      ? html : "<bdi lang=\"\(other)\" dir=\"\(other.direction.rawValue)\">\(html)</bdi>"
  }

  /// Formats a message.
  ///
  /// - Throws: `.stringsFailed`.
  func format(_ key: String, _ arguments: MessageArguments) throws(PagesError) -> FormattedMessage {
    try readingStrings { () throws(StringsError) in try strings.format(key, in: language, arguments) }
  }

  /// Returns a message with arguments as HTML.
  ///
  /// - Throws: `.stringsFailed`.
  func html(_ key: String, _ arguments: MessageArguments) throws(PagesError) -> String {
    PriceMarkup.html(try format(key, arguments))
  }

  /// Returns a price with the period that it is paid for; only the price if the period is `nil`.
  ///
  /// - Throws: `.stringsFailed`.
  func price(_ price: FormattedPrice, every period: SubscriptionPeriod?) throws(PagesError) -> MessageArgument
  {
    guard let period else { return .price(price) }
    return try readingStrings { () throws(StringsError) in
      .message(try strings.price(price, every: period, in: language))
    }
  }

  /// Returns the label of a button that starts a free trial.
  ///
  /// - Throws: `.stringsFailed`.
  func freeTrialButton(_ period: SubscriptionPeriod) throws(PagesError) -> FormattedMessage {
    try readingStrings { () throws(StringsError) in try strings.freeTrialButton(period, in: language) }
  }

  /// Returns the text that offers the store of the shopper's region, as HTML.
  ///
  /// - Throws: `.stringsFailed`.
  func offer(of storefront: Storefront) throws(PagesError) -> String {
    try offers.value(of: storefront.id) { () throws(PagesError) in
      try html("store_for_region", ["storefront": .storefront(storefront)])
    }
  }

  /// Returns the note that a text is in another language, as HTML.
  ///
  /// - Throws: `.stringsFailed`.
  func note(ofTextIn other: UILanguage) throws(PagesError) -> String {
    try textNotes.value(of: other) { () throws(PagesError) in
      try html("text_in_language", ["language": .language(other)])
    }
  }

  /// Returns the note that names the currencies of the prices in a store.
  ///
  /// - Throws: `.stringsFailed`.
  func note(
    ofPricesIn storefront: Storefront,
    _ currencies: [Currency]
  ) throws(PagesError) -> (html: String, plain: String) {
    // Other locale data may have another name for the same code.
    if currencies.contains(where: { $0.kind == .custom }) {
      return try newNote(ofPricesIn: storefront, currencies)
    }
    return try priceNotes.value(of: PriceNote(storefront: storefront, currencies: currencies)) {
      () throws(PagesError) in try newNote(ofPricesIn: storefront, currencies)
    }
  }

  private func newNote(
    ofPricesIn storefront: Storefront,
    _ currencies: [Currency]
  ) throws(PagesError) -> (html: String, plain: String) {
    // English needs the plural inside its sentence ("in US dollars"). The other languages use the name as a label, or do
    // not inflect it.
    let isEnglish = language.identifier.split(separator: "-").first == "en"
    let names = currencies.map { isEnglish ? language.pluralName(of: $0) : language.name(of: $0) }
    let message = try format(
      "prices_note",
      ["storefront": .storefront(storefront), "currency": .text(names.joined(separator: " / "))]
    )
    return (html: PriceMarkup.html(message), plain: message.plain)
  }

  /// Returns the label about tax beside the prices of a storefront; `nil` if it is not known whether they include it.
  ///
  /// - Parameter stated: What is stated about a price; `nil` for the storefront's fact.
  /// - Throws: `.stringsFailed`.
  func taxLabel(
    for storefront: Storefront,
    stated: TaxInclusion? = nil
  ) throws(PagesError) -> FormattedMessage? {
    try readingStrings { () throws(StringsError) in
      try strings.taxLabel(for: storefront, in: language, stated: stated)
    }
  }

  /// Returns the name of a kind of product, in StoreKit's terms.
  func word(_ kind: ProductKind) -> String {
    switch kind {
    case .consumable: word("kind_consumable")
    case .nonConsumable: word("kind_non_consumable")
    case .autoRenewable: word("kind_auto_renewable")
    case .nonRenewable: word("kind_non_renewing")
    }
  }
}
