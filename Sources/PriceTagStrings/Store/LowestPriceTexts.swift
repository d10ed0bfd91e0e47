import PriceTag

// Texts about the lowest and the highest of several prices.
extension StoreStrings {
  /// Returns the text of the lowest of several prices: `From $4.99`.
  ///
  ///     let strings = StoreStrings.embedded
  ///     try strings.price(from: price, in: UILanguage("de")).plain   // "Ab $4.99"
  ///     try strings.price(from: price, in: UILanguage("ja")).plain   // "$4.99から"
  ///
  /// The words are in the language of the user. A price that says "this or more" in the language of its price locale has
  /// the style `PriceStyle(qualifier: .atLeast)` instead.
  ///
  /// - Throws: The same errors as ``format(_:in:_:)``.
  public func price(
    from price: FormattedPrice,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    try format("from_price", in: language, ["price": .price(price)])
  }

  /// Returns the text of the lowest and the highest of several prices: `From $0.99 to $4.99`.
  ///
  ///     try StoreStrings.embedded.price(from: low, to: high, in: UILanguage("de")).plain   // "Von $0.99 bis $4.99"
  ///
  /// `PriceFormatter.format(from:to:)` writes a range without words.
  ///
  /// - Throws: The same errors as ``format(_:in:_:)``, and `.invalidArgument` if the prices have different currencies, or
  ///   if the first one is above the second one.
  public func price(
    from low: FormattedPrice,
    to high: FormattedPrice,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
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
}
