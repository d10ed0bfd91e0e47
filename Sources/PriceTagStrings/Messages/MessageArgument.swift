import PriceTag

/// The value of a message's argument: a finished price, a number, a name or a text.
///
///     ["price": .price(price), "count": .count(3), "who": .text("Ada")]
public struct MessageArgument: Hashable, Sendable {
  enum Kind: UInt8 {
    case price, count, percent, text, period, language, storefront, message, date
  }

  /// A non-numeric value, stored behind one reference so that copying an argument is cheap.
  final class Content: Sendable {
    enum Source: Hashable, Sendable {
      case text
      case price(FormattedPrice)
      case language(UILanguage)
      case storefront(Storefront)
      case message(FormattedMessage)
      case date(CalendarDate)
    }

    /// The text, or the text of the price.
    let text: String
    let source: Source

    init(_ text: String = "", _ source: Source) {
      (self.text, self.source) = (text, source)
    }
  }

  let kind: Kind
  let unit: SubscriptionPeriod.Unit
  /// The count, the percentage, or the number of units in the period.
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

  /// Creates an argument from a price. There is no other way to put a price into a message.
  public static func price(_ price: FormattedPrice) -> MessageArgument {
    MessageArgument(.price, content: Content(price.text, .price(price)))
  }

  /// Creates a count, which also selects plural branches.
  ///
  /// The message's language determines its format. At most three decimals are displayed, as in ICU's default number
  /// format.
  public static func count(_ number: Amount) -> MessageArgument { MessageArgument(.count, number: number) }

  /// Creates a count from an integer.
  public static func count(of number: Int) -> MessageArgument {
    .count(Amount(integerLiteral: Int64(number)))
  }

  /// Creates a percentage: `.percent(16)` is written as 16% in English.
  ///
  /// In `{name}` it is displayed with all its decimals.
  public static func percent(_ number: Amount) -> MessageArgument {
    MessageArgument(.percent, number: number)
  }

  /// Creates a text, which also selects the branch of a `select`.
  public static func text(_ text: String) -> MessageArgument {
    MessageArgument(.text, content: Content(text, .text))
  }

  /// Creates a period, which is written out: `3 months`.
  public static func period(_ period: SubscriptionPeriod) -> MessageArgument {
    MessageArgument(.period, number: Amount(integerLiteral: Int64(period.count)), unit: period.unit)
  }

  /// Creates the name of a language, in the message's language.
  public static func language(_ language: UILanguage) -> MessageArgument {
    MessageArgument(.language, content: Content("", .language(language)))
  }

  /// Creates the name of a storefront's territory, in the message's language.
  public static func storefront(_ storefront: Storefront) -> MessageArgument {
    MessageArgument(.storefront, content: Content("", .storefront(storefront)))
  }

  /// Creates a date, which is written in the words of the message's language: `December 1, 2026`.
  public static func date(_ date: CalendarDate) -> MessageArgument {
    MessageArgument(.date, content: Content("", .date(date)))
  }

  /// Creates an argument from another formatted message, such as a part of an offer's text.
  public static func message(_ message: FormattedMessage) -> MessageArgument {
    MessageArgument(.message, content: Content("", .message(message)))
  }

  /// The type of the argument, for errors: `a price`.
  var description: String { "a \(kind)" }

  /// Returns whether two arguments have the same type and value.
  public static func == (first: MessageArgument, second: MessageArgument) -> Bool {
    first.kind == second.kind && first.number == second.number && first.unit == second.unit
      && first.content?.text == second.content?.text && first.content?.source == second.content?.source
  }

  /// Hashes the type and value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(number)
    hasher.combine(unit)
    hasher.combine(content?.source)
    hasher.combine(content?.text)
  }
}

/// A message's arguments by name: `["price": .price(price), "count": .count(3)]`.
public struct MessageArguments: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// The names and values in the order in which they were added.
  public private(set) var values: [(String, MessageArgument)]

  /// Creates arguments from a dictionary literal. A duplicate name is an error when a message is formatted.
  public init(dictionaryLiteral elements: (String, MessageArgument)...) {
    values = elements
  }

  /// The argument with a name.
  ///
  /// Assigning replaces an existing argument, adds a new one, or, if the value is `nil`, removes it.
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

  /// Creates arguments from pairs of names and values, such as a dictionary.
  public init(_ elements: some Sequence<(key: String, value: MessageArgument)>) {
    values = elements.map { ($0.key, $0.value) }
  }

  /// Returns whether two collections have the same arguments, in any order.
  public static func == (first: MessageArguments, second: MessageArguments) -> Bool {
    first.values.count == second.values.count
      && first.values.allSatisfy { name, value in second.values.contains { $0.0 == name && $0.1 == value } }
  }

  /// Hashes the names.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(values.count)
    for (name, _) in values.sorted(by: { $0.0 < $1.0 }) { hasher.combine(name) }
  }
}
