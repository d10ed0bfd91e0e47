import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads the amounts of a Stripe price: one in its own currency, and one in each of its currency options.
struct StripeAmounts {
  private let session: ImportSession
  /// By currency, those that charge it on the day of the import.
  private let storefronts: [Currency: [Storefront]]
  /// How many amounts there are in each currency that the storefront which was named does not charge.
  private var uncharged: [Currency: Int] = [:]

  init(_ session: ImportSession) {
    self.session = session
    let candidates = session.options.storefront.map { [$0] } ?? session.options.localeData.storefronts
    storefronts = Dictionary(grouping: candidates) { $0.currency(on: session.options.date) }
  }

  /// The prices; an amount that is wrong is set aside.
  ///
  /// - Throws: Where there is no amount in the price's own currency.
  mutating func prices(_ fields: JSONFields, _ called: String) throws(CatalogError) -> PriceTable {
    let own = try currency(fields.string("currency"), fields, "currency")
    let isPlan = if case .string("plan")? = fields["object"] { true } else { false }
    let names = isPlan ? ("amount", "amount_decimal") : ("unit_amount", "unit_amount_decimal")
    guard let amount = try amount(fields, names, own) else {
      throw fields.invalid("the price has no amount", names.0, fix: "give it in minor units, such as 499")
    }
    var amounts: [(currency: Currency, amount: Amount, line: Int)] = [(own, amount, fields.line)]
    for member in try fields.optionalFields("currency_options")?.object.members ?? [] {
      let place = "\(called), line \(member.line), currency option \(quoted(member.key))"
      _ = try session.attempt(at: place) { () throws(CatalogError) in
        let option = try JSONFields(member.value, "a currency option", line: member.line)
        let currency = try session.currency(member.key)
        guard option["custom_unit_amount"] == nil, option["tiers"] == nil,
          let amount = try self.amount(option, ("unit_amount", "unit_amount_decimal"), currency)
        else {
          throw CatalogError(
            .notRepresentable,
            "the option has no one amount",
            fix: "leave it out: a catalogue has one amount for one of a product"
          )
        }
        amounts.append((currency, amount, member.line))
      }
    }
    return try table(amounts, called)
  }

  private mutating func table(
    _ amounts: [(currency: Currency, amount: Amount, line: Int)],
    _ called: String
  ) throws(CatalogError) -> PriceTable {
    var table = PriceTable()
    var elsewhere: [Currency] = []
    for (index, (currency, amount, line)) in amounts.enumerated() {
      // A price's own currency is among its options, too.
      if amounts[..<index].contains(where: { $0.currency == currency }) { continue }
      _ = try session.attempt(at: "\(called), line \(line), price in \(currency)") {
        () throws(CatalogError) in
        let others = amounts.filter { $0.currency == currency && $0.amount != amount }
        if let other = others.first {
          throw CatalogError(
            .conflictingPrices,
            "\(amount) \(currency) and \(other.amount) \(currency) contradict each other",
            fix: "give one amount in \(currency); there is none until then"
          )
        }
        guard let storefronts = storefronts[currency] else {
          // Of a storefront that was named, they are reported once for all prices.
          if session.options.storefront != nil {
            elsewhere.append(currency)
            return
          }
          throw CatalogError(
            .currencyMismatch,
            "no storefront charges \(currency) on \(session.options.date)",
            fix: "give the price in a currency that one charges; nothing is converted"
          )
        }
        for storefront in storefronts { try table.add(session.price(amount, currency, in: storefront)) }
      }
    }
    if amounts.contains(where: { storefronts[$0.currency] != nil }) {
      for currency in elsewhere { uncharged[currency, default: 0] += 1 }
    } else if let storefront = session.options.storefront {
      let charged = storefront.currency(on: session.options.date)
      try session.setAside(
        CatalogError(
          .currencyMismatch,
          "the price has no amount in \(charged), which \(storefront.id) charges",
          fix: "add a currency option; nothing is converted",
          place: called
        )
      )
    }
    return table
  }

  /// Reports the amounts that no price was made of, for the storefront that was named charges another currency.
  func reportUncharged() throws(CatalogError) {
    guard let storefront = session.options.storefront, !uncharged.isEmpty else { return }
    let codes = uncharged.keys.map(\.code).sorted()
    let listed = codes.prefix(10).joined(separator: ", ") + (codes.count > 10 ? ", …" : "")
    let charged = storefront.currency(on: session.options.date)
    try session.setAside(
      CatalogError(
        .currencyMismatch,
        "\(counted(uncharged.values.reduce(0, +), "amount")) in \(listed) cannot be prices of \(storefront.id), which charges \(charged)",
        fix: "import the file once more for the storefronts that charge them; nothing is converted"
      )
    )
  }

  private func currency(
    _ code: String,
    _ fields: JSONFields,
    _ field: String
  ) throws(CatalogError) -> Currency {
    try fields.reading(field) { () throws(CatalogError) in try session.currency(code) }
  }

  /// An amount, which is written in whole minor units, as a decimal of minor units, or as both.
  private func amount(
    _ fields: JSONFields,
    _ names: (whole: String, decimal: String),
    _ currency: Currency
  ) throws(CatalogError) -> Amount? {
    let whole = try fields.optionalInteger(names.whole, in: 0...999_999_999_999)
    let decimal = try fields.optionalDecimal(names.decimal)
    guard let units = whole.map({ Amount(integerLiteral: Int64($0)) }) ?? decimal?.normalized else {
      return nil
    }
    if let decimal, units != decimal {
      throw fields.invalid(
        "\(names.whole) is \(units) and \(names.decimal) is \(decimal)",
        names.decimal,
        fix: "give both the same amount",
        code: .conflictingPrices
      )
    }
    return try fields.reading(whole == nil ? names.decimal : names.whole) { () throws(CatalogError) in
      let digits: Int
      do throws(PriceTagError) { digits = try currency.minorUnitDigits(for: "stripe") } catch {
        throw CatalogError(error)
      }
      do throws(PriceTagError) {
        return try Amount(minorUnits: units.coefficient, exponent: units.scale + digits)
      } catch {
        throw CatalogError(
          .tooManyDigits,
          "\(units) minor units of \(currency) have too many digits",
          fix: "give a price that can be paid; nothing is rounded"
        )
      }
    }
  }
}
