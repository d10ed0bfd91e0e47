import PriceTag

// Texts about a price: its taxes, its installments, and the price of a piece.
extension StoreStrings {
  /// Returns the label about tax that belongs beside the prices of a storefront: `incl. VAT`, `plus tax`.
  ///
  ///     let strings = StoreStrings.embedded
  ///     try strings.taxLabel(for: Storefront("DEU"), in: UILanguage("de"))?.plain   // "inkl. MwSt."
  ///     try strings.taxLabel(for: Storefront("AUS"), in: UILanguage("de"))?.plain   // "inkl. GST"
  ///     try strings.taxLabel(for: Storefront("USA"), in: UILanguage("de"))?.plain   // "zzgl. Steuern"
  ///
  ///     try strings.taxLabel(for: Storefront("DEU"), in: UILanguage("de"), stated: .excluded)?.plain   // "zzgl. MwSt."
  ///
  /// The storefront determines which tax it is and, unless something else is stated, whether prices include it. The
  /// language determines the words.
  ///
  /// - Parameters:
  ///   - storefront: The storefront.
  ///   - language: The language of the label.
  ///   - stated: What is stated about a price; `nil` for the storefront's fact.
  /// - Returns: The label; `nil` if it is not known whether prices include tax.
  /// - Throws: The same errors as ``format(_:in:_:)``.
  public func taxLabel(
    for storefront: Storefront,
    in language: UILanguage,
    stated: TaxInclusion? = nil
  ) throws(StringsError) -> FormattedMessage? {
    let isIncluded: Bool
    switch (stated, storefront.pricesIncludeTax) {
    case (.included?, _): isIncluded = true
    case (.excluded?, _): isIncluded = false
    case (nil, let fact?): isIncluded = fact
    case (.unknown?, _), (nil, nil): return nil
    }
    // A storefront's own fact that tax is added has one label for all taxes.
    let suffix =
      switch isIncluded || stated != nil ? storefront.tax?.kind : nil {
      case .vat: "_vat"
      case .gst: "_gst"
      case .consumptionTax, .salesTax, .other, nil: ""
      }
    return try format("tax_\(isIncluded ? "included" : "excluded")\(suffix)", in: language)
  }

  /// Returns the text of a unit price for pieces: `$0.50 per piece`, `$0.80 per 100 pieces`.
  ///
  ///     try strings.pricePerPiece(price, in: UILanguage("de")).plain   // "0,50 € pro Stück"
  ///
  /// Unit prices for other units need no message, because CLDR has patterns for them.
  ///
  /// - Parameters:
  ///   - price: The price of the pieces.
  ///   - count: The number of pieces that the price is for, 1 or more.
  ///   - language: The language of the text.
  /// - Throws: The same errors as ``format(_:in:_:)``.
  public func pricePerPiece(
    _ price: FormattedPrice,
    count: Int = 1,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    if count == 1 { return try format("price_per_piece", in: language, ["price": .price(price)]) }
    return try format(
      "price_per_pieces",
      in: language,
      ["price": .price(price), "count": .count(of: count)]
    )
  }

  /// Returns the text of a price's installments: `4 payments of $25.00`, `5 payments of 16,67 € and a last one of
  /// 16,65 €`.
  ///
  /// - Parameters:
  ///   - price: The price. The payments add up to it exactly, and are formatted like it.
  ///   - count: The number of payments, 1 to 1,000,000.
  ///   - rounding: How to round the equal payments. With `.exact`, a price that is not divisible is an error.
  ///   - language: The language of the text.
  /// - Throws: The same errors as ``format(_:in:_:)``, and `.invalidArgument` if the price cannot be divided so.
  public func installments(
    of price: FormattedPrice,
    count: Int,
    rounding: RoundingMode,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    try installments(price, count, rounding, language, key: "installments")
  }

  /// Returns the calculation of a price's installments: `4 × $25.00`, `5 × 16,67 € + 16,65 €`.
  ///
  /// - Parameters: Those of ``installments(of:count:rounding:in:)``.
  /// - Throws: The errors of ``installments(of:count:rounding:in:)``.
  public func installmentCalculation(
    of price: FormattedPrice,
    count: Int,
    rounding: RoundingMode,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    try installments(price, count, rounding, language, key: "installments_calculation")
  }

  private func installments(
    _ price: FormattedPrice,
    _ count: Int,
    _ rounding: RoundingMode,
    _ language: UILanguage,
    key: String
  ) throws(StringsError) -> FormattedMessage {
    let installments = try checkingArguments { () throws(PriceTagError) in
      try price.installments(count, rounding: rounding)
    }
    var arguments: MessageArguments = [
      "count": .count(of: installments.equalCount), "price": .price(installments.payment),
    ]
    if installments.areEqual { return try format(key, in: language, arguments) }
    arguments["last"] = .price(installments.lastPayment)
    return try format("\(key)_last", in: language, arguments)
  }
}
