import PriceTag

/// A message with its arguments in place: finished words.
///
///     let text = try Message("Buy for {price}", language: .development).format(["price": .price(price)])
///     text.isolated   // "Buy for \u{2068}$4.99\u{2069}"
///     text.plain      // "Buy for $4.99"
///     text.html       // "Buy for <bdi lang=\"en-US\" dir=\"ltr\">$4.99</bdi>"
///     text.spoken     // "Buy for \u{2068}4.99 US dollars\u{2069}"
public struct FormattedMessage: Hashable, Sendable, CustomStringConvertible {
  /// The text, with every inserted price, text and name between U+2068 FIRST STRONG ISOLATE and U+2069 POP
  /// DIRECTIONAL ISOLATE, so that it reads right in any direction.
  public let isolated: String

  private let message: CompiledMessage
  private let arguments: MessageArguments

  init(isolated: String, message: CompiledMessage, arguments: MessageArguments) {
    self.isolated = isolated
    self.message = message
    self.arguments = arguments
  }

  /// The language of the words.
  public var language: UILanguage { message.language }

  /// The text without isolates: for a place that runs one way only, and for comparison with other software.
  public var plain: String { rendered(.text(.none)) }

  /// The text as HTML: prices, texts and names in `<bdi>` elements, prices with their language and direction,
  /// everything escaped. The element around it says the language of the words.
  public var html: String { html(price: \.html) }

  /// The same, with each price as the caller writes it: for a page that says prices to the eye and to the ear in two
  /// ways.
  ///
  ///     text.html { "<b>\($0.html)</b>" }   // "Buy for <b><bdi lang=\"en-US\" dir=\"ltr\">$4.99</bdi></b>"
  ///
  /// - Parameter price: Writes a price as HTML, escaped.
  public func html(price: (FormattedPrice) -> String) -> String {
    withoutActuallyEscaping(price) { rendered(.html(price: $0)) }
  }

  /// The text for the ear: its prices with their currencies' full names.
  public var spoken: String { rendered(.spoken) }

  private func rendered(_ rendering: Rendering) -> String {
    // What could be written once can be written another way; what was wrong then was told then.
    var problems: [StringsError]? = []
    return (try? MessageEvaluation.text(of: message, arguments, rendering, &problems)) ?? isolated
  }

  /// The text, with isolates.
  public var description: String { isolated }

  /// Whether both are the same text in the same language, of the same arguments: `$4.99` of two stores is two prices.
  public static func == (first: FormattedMessage, second: FormattedMessage) -> Bool {
    first.isolated == second.isolated && first.language == second.language
      && first.arguments == second.arguments
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(isolated) }
}
