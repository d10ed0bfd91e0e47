import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads the amounts of a Stripe price: one in its own currency and one for each of its currency options.
struct StripeAmounts {
  private let session: ImportSession
  /// The candidate storefronts by the currency that they charge on the import's date.
  private let storefronts: [Currency: [Storefront]]
  /// The number of amounts in each currency that the storefront of the import options does not charge.
  private var uncharged: [Currency: Int] = [:]

  init(_ session: ImportSession) throws(CatalogError) {
    self.session = session
    let candidates = session.options.storefront.map { [$0] } ?? session.options.localeData.storefronts
    var storefronts: [Currency: [Storefront]] = [:]
    for storefront in candidates {
      storefronts[try session.charged(in: storefront), default: []].append(storefront)
    }
    self.storefronts = storefronts
  }

  /// Returns the prices. Invalid amounts are rejected.
  ///
  /// - Throws: An error if there is no amount in the price's own currency.
  mutating func prices(_ fields: JSONFields, _ label: String) throws(CatalogError) -> PriceTable {
    let own = try fields.value("currency", session.currency)
    let isPlan = if case .string("plan")? = fields["object"] { true } else { false }
    let names = isPlan ? ("amount", "amount_decimal") : ("unit_amount", "unit_amount_decimal")
    guard let amount = try amount(fields, names, own) else {
      throw fields.invalid(
        "the field \(quoted(names.0)) is missing",
        names.0,
        fix: "add it, in minor units such as 499"
      )
    }
    var amounts: [(currency: Currency, amount: Amount, line: Int)] = [(own, amount, fields.line)]
    for member in try fields.optionalFields("currency_options")?.object.members ?? [] {
      let place = "\(label), line \(member.line), currency option \(quoted(member.key))"
      _ = try session.attempt(at: place) { () throws(CatalogError) in
        let option = try JSONFields(member.value, "a currency option", line: member.line)
        let currency = try session.currency(member.key)
        guard option["custom_unit_amount"] == nil, option["tiers"] == nil,
          let amount = try self.amount(option, ("unit_amount", "unit_amount_decimal"), currency)
        else {
          throw CatalogError(
            .notRepresentable,
            "a currency option without a fixed amount is not supported",
            fix: "remove it"
          )
        }
        amounts.append((currency, amount, member.line))
      }
    }
    return try table(amounts, label)
  }

  private mutating func table(
    _ amounts: [(currency: Currency, amount: Amount, line: Int)],
    _ label: String
  ) throws(CatalogError) -> PriceTable {
    var table = PriceTable()
    var notCharged: [Currency] = []
    for (index, (currency, amount, line)) in amounts.enumerated() {
      // The currency options can repeat the price's own currency.
      if amounts[..<index].contains(where: { $0.currency == currency }) { continue }
      _ = try session.attempt(at: "\(label), line \(line), price in \(currency)") {
        () throws(CatalogError) in
        let others = amounts.filter { $0.currency == currency && $0.amount != amount }
        if let other = others.first {
          throw CatalogError(
            .conflictingPrices,
            "\(quoted(currency.code)) appears twice with the amounts \(amount) and \(other.amount)",
            fix: "remove one; both are rejected"
          )
        }
        guard let storefronts = storefronts[currency] else {
          // If the import options name a storefront, other currencies are reported once for all prices.
          if session.options.storefront != nil {
            notCharged.append(currency)
            return
          }
          throw CatalogError(
            .currencyMismatch,
            "no storefront charges \(currency) on \(session.options.day)",
            fix: "write the price in a currency that a storefront charges; prices are not converted"
          )
        }
        for storefront in storefronts { try table.add(session.price(amount, currency, in: storefront)) }
      }
    }
    if amounts.contains(where: { storefronts[$0.currency] != nil }) {
      for currency in notCharged { uncharged[currency, default: 0] += 1 }
    } else if let storefront = session.options.storefront {
      let charged = try session.charged(in: storefront)
      try session.reject(
        .currencyMismatch,
        "the price has no amount in \(charged), which \(storefront.id) charges",
        fix: "add a currency option for \(charged); prices are not converted",
        place: label
      )
    }
    return table
  }

  /// Rejects the amounts in currencies that the storefront of the import options does not charge.
  func reportUncharged() throws(CatalogError) {
    guard let storefront = session.options.storefront, !uncharged.isEmpty else { return }
    let codes = uncharged.keys.map(\.code).sorted()
    let listed = codes.prefix(10).joined(separator: ", ") + (codes.count > 10 ? ", …" : "")
    let charged = try session.charged(in: storefront)
    try session.reject(
      .currencyMismatch,
      "\(counted(uncharged.values.reduce(0, +), "amount")) in \(listed) cannot be prices of \(storefront.id), which charges \(charged)",
      fix: "import the file again for the storefronts that charge them; prices are not converted"
    )
  }

  /// Returns the number of digits of the minor unit in which Stripe counts.
  static func digits(of currency: Currency) throws(CatalogError) -> Int {
    try withCatalogErrors { () throws(PriceTagError) in try currency.minorUnitDigits(for: "stripe") }
  }

  /// Returns an amount that is written as an integer of minor units, as a decimal of minor units, or as both.
  private func amount(
    _ fields: JSONFields,
    _ names: (integer: String, decimal: String),
    _ currency: Currency
  ) throws(CatalogError) -> Amount? {
    let integer = try fields.optionalInteger(names.integer, in: 0...999_999_999_999)
    let decimal = try fields.optionalDecimal(names.decimal)
    guard let units = integer.map({ Amount(integerLiteral: Int64($0)) }) ?? decimal?.normalized else {
      return nil
    }
    if let decimal, units != decimal {
      throw fields.invalid(
        "\(names.integer) is \(units) and \(names.decimal) is \(decimal)",
        names.decimal,
        fix: "make them equal",
        code: .conflictingPrices
      )
    }
    return try fields.reading(integer == nil ? names.decimal : names.integer) { () throws(CatalogError) in
      let digits = try Self.digits(of: currency)
      do throws(PriceTagError) {
        return try Amount(minorUnits: units.coefficient, exponent: units.scale + digits)
      } catch {
        throw CatalogError(
          .tooManyDigits,
          "\(units) minor units of \(currency) have too many digits",
          fix: "write an amount that can be charged; imported prices are not rounded"
        )
      }
    }
  }
}
