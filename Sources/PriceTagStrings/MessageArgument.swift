import PriceTag

/// What is put into a message: finished prices, numbers, names and texts.
public enum MessageArgument: Hashable, Sendable {
  /// A price as its store writes it. There is no other way for a price to enter a message.
  case price(FormattedPrice)
  /// A number of things; chooses plurals. Written by the message's language, with at most three decimals, as ICU's
  /// number format has it.
  case count(Amount)
  /// A number of hundredths: 16 is written 16% in English, with the decimals it has.
  case percent(Amount)
  /// A text; chooses among the branches of a `select`.
  case text(String)
  /// A length of time in words: `3 months`.
  case period(SubscriptionPeriod)
  /// A language, by its name in the message's language.
  case language(UILanguage)
  /// A storefront, by its territory's name in the message's language.
  case storefront(Storefront)
  /// Another message: the words of an offer are put together from those of its parts.
  case message(FormattedMessage)

  /// A number of things.
  public static func count(of number: Int) -> MessageArgument {
    .count(Amount(integerLiteral: Int64(number)))
  }

  /// What it is, for errors.
  var kind: String {
    switch self {
    case .price: "a price"
    case .count: "a count"
    case .percent: "a percent"
    case .text: "a text"
    case .period: "a period"
    case .language: "a language"
    case .storefront: "a storefront"
    case .message: "a message"
    }
  }
}

/// The arguments of a message, by name: `["price": .price(price), "count": .count(3)]`.
public struct MessageArguments: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// An argument with its name.
  public struct Named: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: MessageArgument
  }

  /// The arguments in the order they were given.
  public private(set) var values: [Named]

  /// Arguments in order. A name that is given twice is an error when a message is formatted.
  public init(dictionaryLiteral elements: (String, MessageArgument)...) {
    values = elements.map { Named(name: $0, value: $1) }
  }

  /// Adds an argument.
  public mutating func append(_ name: String, _ value: MessageArgument) {
    values.append(Named(name: name, value: value))
  }
}
