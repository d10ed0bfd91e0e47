import PriceTag
import PriceTagText

// Texts about the lowest and the highest of several prices.
extension StoreStrings {
  /// Returns the text of the lowest of several prices: `From $4.99`.
  ///
  ///     let strings = StoreStrings.embedded
  ///     try strings.price(from: price, in: UILanguage("de")).plain   // "Ab $4.99"
  ///     try strings.price(from: price, in: UILanguage("ja")).plain   // "$4.99から"
  ///
  /// The words are in the language of the user. Of a range of prices, the text has the lower bound.
  ///
  /// A price that says "this or more" in the language of its price locale has the style
  /// `PriceStyle(qualifier: .atLeast)` instead, and is an error here.
  ///
  /// - Throws: The same errors as ``format(_:in:_:)``, and `.invalidArgument` for a price with this qualifier.
  public func price(
    from price: FormattedPrice,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    try format("from_price", in: language, ["price": .price(bound(price.amount, of: price))])
  }

  /// Returns the text of the lowest and the highest of several prices: `From $0.99 to $4.99`.
  ///
  ///     try StoreStrings.embedded.price(from: low, to: high, in: UILanguage("de")).plain   // "Von $0.99 bis $4.99"
  ///
  /// Of a range of prices, the text has the lower bound as the lowest price and the upper bound as the highest one.
  /// `PriceFormatter.format(from:to:)` writes a range without words.
  ///
  /// - Throws: The same errors as ``format(_:in:_:)``, and `.invalidArgument` if the prices have different currencies, if
  ///   the first one is above the second one, or if one has the qualifier `.atLeast`.
  public func price(
    from low: FormattedPrice,
    to high: FormattedPrice,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    let (low, high) = (try bound(low.amount, of: low), try bound(high.upperAmount ?? high.amount, of: high))
    guard low.currency == high.currency else {
      throw StringsError(
        .invalidArgument,
        "the range starts in \(low.currency) and ends in \(high.currency)",
        fix: "use prices of one currency (prices are never converted)"
      )
    }
    guard low.amount <= high.amount else {
      throw StringsError(
        .invalidArgument,
        "the range starts at \(low.amount), above its end \(high.amount)",
        fix: "swap the two"
      )
    }
    return try format("price_range", in: language, ["low": .price(low), "high": .price(high)])
  }

  /// Returns one bound of a range as a price of its own. A single price is its own bound.
  private func bound(_ amount: Amount, of price: FormattedPrice) throws(StringsError) -> FormattedPrice {
    guard price.formatter.style.qualifier != .atLeast else {
      throw StringsError(
        .invalidArgument,
        "the price \(quoted(price.text)) has the qualifier at-least, which the words repeat",
        fix: "use the qualifier none"
      )
    }
    guard price.upperAmount != nil else { return price }
    return try checkingArguments { () throws(PriceTagError) in try price.formatter.format(amount) }
  }
}
