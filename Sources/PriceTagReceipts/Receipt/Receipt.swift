import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// The receipt of an order: every amount in the storefront's locale and currency, and every word in the buyer's language.
///
///     let receipt = try Receipt(order, language: UILanguage("de"))
///     receipt.totals.map { "\($0.label.plain): \($0.price.text)" }   // ["Gesamtpreis: 9,98 €"]
///     receipt.text                                                   // plain text, aligned by columns
///
/// A receipt exists only if the amounts of the order add up exactly to what was charged.
public struct Receipt: Sendable {
  /// A line of the receipt.
  public struct Line: Sendable {
    /// The line of the order.
    public let line: Order.Line
    /// The name of the product.
    public let name: String
    /// The language of the name (BCP 47); `nil` if it is not known, because the order states the name.
    public let nameLanguage: String?
    /// The price of one item; `nil` if the order states only the subtotal of the line.
    public let unitPrice: FormattedPrice?
    /// The quantity times the price of one item, or the subtotal that the order states.
    public let subtotal: FormattedPrice
    /// The discount, as it is subtracted, or `nil`.
    public let discount: FormattedPrice?
    /// The subtotal minus the discount: what the receipt shows as the amount of the line.
    public let amount: FormattedPrice
    /// The sum of the taxes; `nil` if the order states none for the line, or both included and added ones.
    public let tax: FormattedPrice?
    /// The subtotal, minus the discount, plus a tax that prices do not include.
    public let total: FormattedPrice
  }

  /// A row below the lines, such as the subtotal.
  public struct Total: Sendable {
    /// What a row states.
    public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
      /// The sum of the lines after their discounts, before discounts on the order and taxes.
      case subtotal
      /// A discount on the order, which is negative.
      case discount
      /// The shipping.
      case shipping
      /// The taxes that are added to prices.
      case tax
      /// What was charged.
      case total
      /// The taxes that prices include.
      case includedTax = "included-tax"
      /// The amount that was returned, which is negative.
      case refund
      /// What was charged minus what was returned.
      case totalAfterRefund = "total-after-refund"
    }

    /// What the row states.
    public let kind: Kind
    /// The label in the buyer's language.
    public let label: FormattedMessage
    /// The name of a discount or tax.
    public let name: String?
    /// The rate of a tax in percent.
    public let rate: Amount?
    /// What the row shows in parentheses: the name, unless the label is the same, and the rate as the buyer's language writes it.
    let notes: (name: String?, rate: String?)
    /// The amount.
    public let price: FormattedPrice
  }

  /// The order.
  public let order: Order
  /// The language that was requested, and that of the words.
  public let resolvedLanguage: ResolvedLanguage
  /// The formatter of the amounts.
  public let formatter: PriceFormatter
  /// The lines.
  public let lines: [Line]
  /// The rows below the lines, from the subtotal to the refund.
  public let totals: [Total]
  /// The differences between the order and the catalog, and whether the order is a test.
  public let findings: [ReceiptFinding]
  /// The words.
  let words: ReceiptWords

  /// Creates the receipt of an order.
  ///
  /// - Parameters:
  ///   - order: The order.
  ///   - language: The buyer's language; `nil` for the order's, or else the default language of the storefront. A language
  ///     without strings gives that default language too, which ``resolvedLanguage`` names.
  ///   - isLanguageStrict: Whether a language without strings is an error.
  ///   - catalog: A catalog, whose prices on the date of the order are compared with the order's, and which provides names
  ///     of products; `nil` for no comparison.
  ///   - strings: The UI strings.
  ///   - writtenAs: The authority for the form of the prices.
  /// - Throws: `.sumMismatch` if the amounts do not add up to what was charged; `.tooManyDecimals` for an amount with more
  ///   decimals than the currency; `.currencyMismatch`, `.contradictoryAmounts`, `.invalidRefund`, `.tooLarge` and others.
  public init(
    _ order: Order,
    language: UILanguage? = nil,
    isLanguageStrict: Bool = false,
    catalog: Catalog? = nil,
    strings: StoreStrings = .embedded,
    writtenAs: PriceStyle.WrittenAs = .icu
  ) throws(ReceiptError) {
    let currency = try Self.currency(of: order)
    let sums = try OrderSums(order, currency)
    let resolved = try readingStrings { () throws(StringsError) in
      let requested =
        if let language = language ?? order.language { language } else {
          try UILanguage(order.storefront.defaultLanguage)
        }
      return try strings.language(for: requested, in: order.storefront, isStrict: isLanguageStrict)
    }
    let formatter = try Self.formatter(order, currency, sums, writtenAs)
    let words = try readingStrings { () throws(StringsError) in
      try ReceiptWords(order, resolved.language, strings)
    }
    let comparison = try catalog.map { (catalog) throws(ReceiptError) in
      try CatalogComparison(order, resolved.language, catalog, strings, formatter)
    }
    func price(_ amount: Amount, _ pointer: String) throws(ReceiptError) -> FormattedPrice {
      try reading(pointer) { () throws(PriceTagError) in try formatter.format(amount) }
    }
    var lines: [Line] = []
    for (index, line) in order.lines.enumerated() {
      let (pointer, sum) = ("/lines/\(index)", sums.lines[index])
      let product = line.productIdentifier.flatMap { comparison?.names[$0] }
      lines.append(
        Line(
          line: line,
          name: line.name ?? product?.name ?? line.productIdentifier ?? "",
          nameLanguage: line.name == nil ? product?.language : nil,
          unitPrice: try line.unitPrice.map { (unit) throws(ReceiptError) in try price(unit, pointer) },
          subtotal: try price(sum.subtotal, pointer),
          discount: line.discount.isZero ? nil : try price(sum.discount, pointer),
          amount: try price(sum.amount, pointer),
          tax: try sum.tax.map { (tax) throws(ReceiptError) in try price(tax, pointer) },
          total: try price(sum.total, pointer)
        )
      )
    }
    var totals: [Total] = []
    let tax = try readingStrings { () throws(StringsError) in try words.label(of: .tax) }
    for row in sums.rows {
      let label = try readingStrings { () throws(StringsError) in try words.label(of: row.kind) }
      totals.append(
        Total(
          kind: row.kind,
          label: label,
          name: row.name,
          rate: row.rate,
          notes: (row.name == tax.plain ? nil : row.name, row.rate.map(words.percent)),
          price: try price(row.amount, "")
        )
      )
    }
    var findings = comparison?.findings ?? []
    if order.state == .test { findings.append(ReceiptFinding(testOf: try price(order.charged, "/charged"))) }
    (self.order, resolvedLanguage, self.formatter, self.words) = (order, resolved, formatter, words)
    (self.lines, self.totals, self.findings) = (lines, totals, findings)
  }

  /// The language of the words: the requested one, the closest available one, or the default language of the storefront.
  public var language: UILanguage { resolvedLanguage.language }

  /// Returns the currency of an order, which the storefront must charge on its date.
  private static func currency(of order: Order) throws(ReceiptError) -> Currency {
    let own = order.storefront.currency(on: order.date)
    guard let currency = order.currency, !order.allowsAnyCurrency,
      !order.storefront.charges(currency, on: order.date)
    else { return order.currency ?? own }
    throw ReceiptError(
      .currencyMismatch,
      "the \(order.storefront.id) store charges \(own) on \(order.date), not \(currency)",
      fix: "use the storefront that charged the order; amounts are never converted",
      place: "/currency"
    )
  }

  /// Creates the formatter. If an amount has more decimals than prices display, all amounts have those of the currency.
  private static func formatter(
    _ order: Order,
    _ currency: Currency,
    _ sums: OrderSums,
    _ writtenAs: PriceStyle.WrittenAs
  ) throws(ReceiptError) -> PriceFormatter {
    try reading("/currency") { () throws(PriceTagError) in
      let store = order.storefront
      func formatter(_ style: PriceStyle) throws(PriceTagError) -> PriceFormatter {
        store.charges(currency, on: order.date)
          ? try PriceFormatter(storefront: store, currency: currency, on: order.date, style: style)
          : try PriceFormatter(locale: store.priceLocale, currency: currency, style: style)
      }
      let standard = try formatter(PriceStyle(writtenAs: writtenAs))
      guard sums.decimals > standard.display.digits else { return standard }
      return try formatter(PriceStyle(digits: .fixed(sums.currencyDecimals), writtenAs: writtenAs))
    }
  }
}
