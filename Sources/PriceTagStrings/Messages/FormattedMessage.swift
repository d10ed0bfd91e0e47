import PriceTag

/// A message formatted with its arguments.
///
///     let text = try Message("Buy for {price}", language: .development).format(["price": .price(price)])
///     text.isolated   // "Buy for \u{2068}$4.99\u{2069}"
///     text.plain      // "Buy for $4.99"
///     text.html       // "Buy for <bdi lang=\"en-US\" dir=\"ltr\">$4.99</bdi>"
///     text.spoken     // "Buy for \u{2068}4.99 US dollars\u{2069}"
public struct FormattedMessage: Hashable, Sendable, CustomStringConvertible {
  /// The text, with each inserted price, text and name enclosed in U+2068 FIRST STRONG ISOLATE and U+2069 POP
  /// DIRECTIONAL ISOLATE, so that it displays correctly in both directions.
  public let isolated: String

  private let message: CompiledMessage
  private let arguments: MessageArguments

  init(isolated: String, message: CompiledMessage, arguments: MessageArguments) {
    self.isolated = isolated
    self.message = message
    self.arguments = arguments
  }

  /// The language of the message.
  public var language: UILanguage { message.language }

  /// The text without isolates, for output in one direction only and for comparison with other software.
  public var plain: String { rendered(.text(.none)) }

  /// The text as escaped HTML, with prices, texts and names in `<bdi>` elements.
  ///
  /// The `<bdi>` of a price has the price's language and direction. The enclosing element should declare the language
  /// of the message.
  public var html: String { html(price: \.html) }

  /// Returns the text as HTML, with prices written by a closure.
  ///
  ///     text.html { "<b>\($0.html)</b>" }   // "Buy for <b><bdi lang=\"en-US\" dir=\"ltr\">$4.99</bdi></b>"
  ///
  /// A page uses this to give screen readers another text than it displays.
  ///
  /// - Parameter price: Returns a price as escaped HTML.
  public func html(price: (FormattedPrice) -> String) -> String {
    withoutActuallyEscaping(price) { rendered(.html(price: $0)) }
  }

  /// The text for speech output, with full currency names in prices.
  public var spoken: String { rendered(.spoken) }

  private func rendered(_ rendering: Rendering) -> String {
    // The arguments were checked when the message was formatted, so problems need not be reported again.
    var problems: [StringsError]? = []
    return (try? MessageEvaluation.text(of: message, arguments, rendering, &problems)) ?? isolated
  }

  /// The text with isolates, as in ``isolated``.
  public var description: String { isolated }

  /// Returns whether two messages have the same text, language and arguments.
  ///
  /// Messages with equal texts differ if their prices do: `$4.99` of two storefronts is two different prices.
  public static func == (first: FormattedMessage, second: FormattedMessage) -> Bool {
    first.isolated == second.isolated && first.language == second.language
      && first.arguments == second.arguments
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(isolated) }
}
