import PriceTag

/// What is put into a message: finished prices, numbers, names and texts.
///
///     ["price": .price(price), "count": .count(3), "who": .text("Ada")]
public struct MessageArgument: Hashable, Sendable {
  /// What it is.
  enum Kind: UInt8 {
    case price, count, percent, text, period, language, storefront, message
  }

  /// What is no number, by one reference: an argument is copied and read without touching the rest.
  final class Content: Sendable {
    enum Source: Hashable, Sendable {
      case text
      case price(FormattedPrice)
      case language(UILanguage)
      case storefront(Storefront)
      case message(FormattedMessage)
    }

    /// The text, or the price's.
    let text: String
    let source: Source

    init(_ text: String = "", _ source: Source) {
      (self.text, self.source) = (text, source)
    }
  }

  let kind: Kind
  let unit: SubscriptionPeriod.Unit
  /// The count, the percent, or the count of the period's unit.
  let number: Amount
  let content: Content?

  private init(
    _ kind: Kind,
    number: Amount = .zero,
    unit: SubscriptionPeriod.Unit = .day,
    content: Content? = nil
  ) {
    (self.kind, self.number, self.unit, self.content) = (kind, number, unit, content)
  }

  /// A price as its store writes it. There is no other way for a price to enter a message.
  public static func price(_ price: FormattedPrice) -> MessageArgument {
    MessageArgument(.price, content: Content(price.text, .price(price)))
  }

  /// A number of things; chooses plurals. Written by the message's language, with at most three decimals, as ICU's
  /// number format has it.
  public static func count(_ number: Amount) -> MessageArgument { MessageArgument(.count, number: number) }

  /// A number of things; chooses plurals.
  public static func count(of number: Int) -> MessageArgument {
    .count(Amount(integerLiteral: Int64(number)))
  }

  /// A number of hundredths: 16 is written 16% in English, with the decimals it has.
  public static func percent(_ number: Amount) -> MessageArgument {
    MessageArgument(.percent, number: number)
  }

  /// A text; chooses among the branches of a `select`.
  public static func text(_ text: String) -> MessageArgument {
    MessageArgument(.text, content: Content(text, .text))
  }

  /// A length of time in words: `3 months`.
  public static func period(_ period: SubscriptionPeriod) -> MessageArgument {
    MessageArgument(.period, number: Amount(integerLiteral: Int64(period.count)), unit: period.unit)
  }

  /// A language, by its name in the message's language.
  public static func language(_ language: UILanguage) -> MessageArgument {
    MessageArgument(.language, content: Content("", .language(language)))
  }

  /// A storefront, by its territory's name in the message's language.
  public static func storefront(_ storefront: Storefront) -> MessageArgument {
    MessageArgument(.storefront, content: Content("", .storefront(storefront)))
  }

  /// Another message: the words of an offer are put together from those of its parts.
  public static func message(_ message: FormattedMessage) -> MessageArgument {
    MessageArgument(.message, content: Content("", .message(message)))
  }

  /// What it is, for errors.
  var description: String { "a \(kind)" }

  /// Whether both are the same.
  public static func == (first: MessageArgument, second: MessageArgument) -> Bool {
    first.kind == second.kind && first.number == second.number && first.unit == second.unit
      && first.content?.text == second.content?.text && first.content?.source == second.content?.source
  }

  /// Hashes what it is.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(number)
    hasher.combine(unit)
    hasher.combine(content?.source)
    hasher.combine(content?.text)
  }
}

/// The arguments of a message, by name: `["price": .price(price), "count": .count(3)]`.
public struct MessageArguments: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// The names and values in the order they were given.
  public private(set) var values: [(String, MessageArgument)]

  /// Arguments in order. A name that is given twice is an error when a message is formatted.
  public init(dictionaryLiteral elements: (String, MessageArgument)...) {
    values = elements
  }

  /// The argument of a name, to be read or replaced in its place: for many messages that differ in a count. A new
  /// name is added, and `nil` removes one.
  public subscript(name: String) -> MessageArgument? {
    get { values.first { $0.0 == name }?.1 }
    set {
      let index = values.firstIndex { $0.0 == name }
      switch (index, newValue) {
      case (let index?, let value?): values[index].1 = value
      case (let index?, nil): values.remove(at: index)
      case (nil, let value?): values.append((name, value))
      case (nil, nil): break
      }
    }
  }

  /// Adds an argument.
  public mutating func append(_ name: String, _ value: MessageArgument) {
    values.append((name, value))
  }

  /// Arguments from pairs of names and values, such as a dictionary.
  public init(_ elements: some Sequence<(key: String, value: MessageArgument)>) {
    values = elements.map { ($0.key, $0.value) }
  }

  /// Whether both are the same arguments, in any order.
  public static func == (first: MessageArguments, second: MessageArguments) -> Bool {
    first.values.count == second.values.count
      && first.values.allSatisfy { name, value in second.values.contains { $0.0 == name && $0.1 == value } }
  }

  /// Hashes names and values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(values.count)
    for (name, _) in values.sorted(by: { $0.0 < $1.0 }) { hasher.combine(name) }
  }
}
