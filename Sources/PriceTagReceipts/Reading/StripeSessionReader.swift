import PriceTag
import PriceTagStrings
import PriceTagText

/// Reads a Stripe checkout session with expanded line items as an order.
///
/// Amounts are integers of Stripe's minor unit of the currency. `amount_subtotal` of a line is its quantity times its
/// price; `amount_total` is after discounts and taxes. A session has no storefront: it is that of the country of the buyer's
/// address, or of the options. Unknown fields are ignored.
struct StripeSessionReader {
  let fields: OrderFields
  let localeData: LocaleData
  let storefront: Storefront?

  func order() throws(ReceiptError) -> Order {
    let object = try fields.text("object")
    guard object == "checkout.session" else {
      throw fields.error(
        .unknownFormat,
        "the Stripe object is \(quoted(object)), not a checkout session",
        "object",
        fix: "pass an object \"checkout.session\" with expanded line_items"
      )
    }
    try checkPresentment()
    let currency = try self.currency(fields)
    let decimals = try reading(fields.pointer(to: "currency")) { () throws(PriceTagError) in
      try currency.minorUnitDigits(for: "stripe")
    }
    let (store, country) = try store()
    let date = try fields.date("created", in: store)
    let charged = try fields.amount("amount_total", decimals: decimals)
    var order = Order(storefront: store, date: date, charged: charged.normalized)
    order.country = country
    order.currency = currency
    order.allowsAnyCurrency = true
    order.identifier = try fields.optionalShownText("id")
    order.subtotal = try fields.optionalAmount("amount_subtotal", decimals: decimals)?.normalized
    let customer = try fields.optionalObject("customer_details")
    order.buyer = try customer?.optionalShownText("name")
    if order.buyer == nil { order.buyer = try customer?.optionalShownText("email") }
    try readLanguage(into: &order)
    try readLines(currency, decimals, into: &order)
    try readShipping(currency, decimals, into: &order)
    try checkTotals(order, currency, decimals)
    try readState(decimals, into: &order)
    if try fields.optionalBool("livemode") == false { (order.state, order.refunded) = (.test, nil) }
    return order
  }

  /// With adaptive pricing, the buyer was charged in another currency than that of the lines.
  private func checkPresentment() throws(ReceiptError) {
    guard let presentment = try fields.optionalObject("presentment_details"),
      let presented = try presentment.optionalText("presentment_currency"),
      try presented != fields.text("currency")
    else { return }
    throw presentment.error(
      .currencyMismatch,
      "the buyer was charged in \(quoted(presented)), but the lines are in \(quoted(try fields.text("currency")))",
      "presentment_currency",
      fix: "write the order in PriceTag's own format, with the amounts that were charged"
    )
  }

  private func currency(_ fields: OrderFields) throws(ReceiptError) -> Currency {
    let code = try fields.text("currency")
    return try reading(fields.pointer(to: "currency")) { () throws(PriceTagError) in
      try Currency(code.uppercased(), in: localeData)
    }
  }

  /// Returns the storefront, and the buyer's country if it is another one.
  private func store() throws(ReceiptError) -> (Storefront, country: String?) {
    let address = try fields.optionalObject("customer_details")?.optionalObject("address")
    guard let address, let country = try address.optionalText("country"), !country.isEmpty else {
      if let storefront { return (storefront, nil) }
      throw ReceiptError(
        .missingStorefront,
        "the session has no storefront, and its buyer has no country",
        fix: "name a storefront with --storefront or OrderReader.storefront"
      )
    }
    do throws(PriceTagError) {
      let store = try localeData.storefront(forBuyerIn: country)
      return (store, [store.alpha2, store.id].contains(country.uppercased()) ? nil : country.uppercased())
    } catch {
      guard error.code == .unknownStorefront else { throw ReceiptError(error) }
      if let storefront { return (storefront, country.uppercased()) }
      throw address.error(
        .unknownStorefront,
        "no storefront is known for a buyer in \(quoted(country))",
        "country",
        fix: "name one with --storefront or OrderReader.storefront"
      )
    }
  }

  /// The buyer's language is the session's locale, unless it is missing or `auto`.
  private func readLanguage(into order: inout Order) throws(ReceiptError) {
    guard let tag = try fields.optionalText("locale"), !tag.isEmpty, tag != "auto" else { return }
    do throws(StringsError) { order.language = try UILanguage(tag) } catch {
      throw fields.error(.unknownLanguage, error.problem, "locale", fix: error.fix)
    }
  }

  private func readLines(
    _ currency: Currency,
    _ decimals: Int,
    into order: inout Order
  ) throws(ReceiptError) {
    guard let list = try fields.optionalObject("line_items") else {
      throw fields.error(
        .missingField,
        "the session has no line items",
        "line_items",
        fix: "retrieve it with expand[]=line_items"
      )
    }
    if try list.optionalBool("has_more") == true {
      throw list.error(
        .missingField,
        "the list of line items is incomplete",
        "has_more",
        fix: "add all items"
      )
    }
    for item in try list.optionalObjects("data", maximumCount: OrderLimits.lineCount) ?? [] {
      order.lines.append(try line(item, currency, decimals))
    }
  }

  private func line(
    _ item: OrderFields,
    _ currency: Currency,
    _ decimals: Int
  ) throws(ReceiptError) -> Order.Line {
    func amount(_ field: String) throws(ReceiptError) -> Amount? {
      try item.optionalAmount(field, decimals: decimals)?.normalized
    }
    if try item.optionalText("currency") != nil, try self.currency(item) != currency {
      throw item.error(
        .currencyMismatch,
        "the item is in another currency than the session",
        "currency",
        fix: "use the session as Stripe sent it"
      )
    }
    let quantity = try item.optionalInteger("quantity", in: 1...1_000_000) ?? 1
    let subtotal = try item.amount("amount_subtotal", decimals: decimals).normalized
    let total = try item.amount("amount_total", decimals: decimals).normalized
    let price = try item.optionalObject("price")
    let unitPrice = try unitPrice(item, quantity, subtotal, currency, decimals)
    let product = price?["product"]
    var name = try item.optionalShownText("description")
    if name == nil, case .object? = product {
      name = try price?.optionalObject("product")?.optionalShownText("name")
    }
    let identifier = try price?.optionalShownText("id")
    guard identifier != nil || name != nil else { throw item.missing("description") }
    let discount = try amount("amount_discount") ?? .zero
    guard (min(subtotal, .zero)...max(subtotal, .zero)).contains(discount) else {
      throw item.error(
        .contradictoryAmounts,
        "the discount \(currency.display(discount)) is not between \(currency.display(.zero)) and \(currency.display(subtotal))",
        "amount_discount",
        fix: "correct the discount"
      )
    }
    var line = Order.Line(
      productIdentifier: identifier,
      name: name,
      quantity: Amount(integerLiteral: Int64(quantity)),
      unitPrice: unitPrice,
      subtotal: unitPrice == nil ? subtotal : nil,
      discount: discount,
      total: total
    )
    let amounts = (subtotal: subtotal, discount: discount, total: total)
    line.taxes = try taxes(item, amounts, price?.optionalText("tax_behavior"), currency, decimals)
    return line
  }

  /// Returns the price of one item: Stripe's exact price, else the quotient; `nil` if it has more decimals than the currency, or
  /// if Stripe rounded its product.
  private func unitPrice(
    _ item: OrderFields,
    _ quantity: Int,
    _ subtotal: Amount,
    _ currency: Currency,
    _ decimals: Int
  ) throws(ReceiptError) -> Amount? {
    let quotient = subtotal.dividedExactly(by: quantity, decimals: currency.decimals)
    // A price of tiers has no amount; one of packages, or in another currency, does not have the subtotal as its product.
    guard let price = try item.optionalObject("price"), price["transform_quantity"] == nil,
      try price.optionalText("currency").map({ $0.uppercased() == currency.code }) ?? true,
      let units = try price.optionalAmount("unit_amount_decimal")
    else { return quotient }
    do throws(PriceTagError) {
      let smallest = try Amount(minorUnits: 1, exponent: decimals)
      let unit = try units.multiplied(by: smallest).normalized
      let product = try unit * quantity
      if product == subtotal { return unit.scale <= currency.decimals ? unit : nil }
      // Stripe rounds the product to its smallest unit. What differs by more is not the price of this item, as in a trial.
      let (below, above) = (try product - smallest, try product + smallest)
      return below < subtotal && subtotal < above ? nil : quotient
    } catch {
      // Nor is an amount that is too large to be multiplied.
      return quotient
    }
  }

  /// Returns the taxes of an item or of the shipping: those of an expanded `taxes` with their names and rates, else `amount_tax`.
  private func taxes(
    _ fields: OrderFields,
    _ amounts: (subtotal: Amount, discount: Amount, total: Amount),
    _ behavior: String?,
    _ currency: Currency,
    _ decimals: Int
  ) throws(ReceiptError) -> [Order.Tax] {
    let sum = try fields.optionalAmount("amount_tax", decimals: decimals)?.normalized
    var isIncluded = false
    if let sum, !sum.isZero { isIncluded = try self.isIncluded(sum, in: amounts, behavior, currency, fields) }
    let items = try fields.optionalObjects("taxes", maximumCount: OrderLimits.taxCount) ?? []
    guard !items.isEmpty else {
      guard let sum, !sum.isZero else { return [] }
      return [Order.Tax(sum, isIncluded: isIncluded)]
    }
    var taxes: [Order.Tax] = []
    for item in items {
      let amount = try item.amount("amount", decimals: decimals).normalized
      // Unexpanded, the rate is its identifier.
      let rate: OrderFields? =
        if case .object? = item["rate"] { try item.optionalObject("rate") } else { nil }
      if amount.isZero, rate == nil { continue }
      taxes.append(
        Order.Tax(
          amount,
          isIncluded: try rate?.optionalBool("inclusive") ?? isIncluded,
          name: try rate?.optionalShownText("display_name"),
          rate: try rate?.optionalAmount("percentage")
        )
      )
    }
    try check(taxes.map(\.amount), addUpTo: sum ?? .zero, "taxes", "amount_tax", fields, currency)
    return taxes
  }

  /// Checks that amounts add up to the one that a field states.
  private func check(
    _ amounts: [Amount],
    addUpTo stated: Amount,
    _ what: String,
    _ field: String,
    _ fields: OrderFields,
    _ currency: Currency
  ) throws(ReceiptError) {
    var sum = Amount.zero
    for amount in amounts {
      sum = try reading(fields.pointer(to: field)) { () throws(PriceTagError) in try sum + amount }
    }
    guard sum != stated else { return }
    throw fields.error(
      .sumMismatch,
      "the \(what) add up to \(currency.display(sum)), but \(currency.display(stated)) is stated",
      field,
      fix: "retrieve the session with all line items, their amount_discount and amount_tax"
    )
  }

  /// Returns whether a price includes its tax, which follows from the total.
  private func isIncluded(
    _ tax: Amount,
    in amounts: (subtotal: Amount, discount: Amount, total: Amount),
    _ behavior: String?,
    _ currency: Currency,
    _ fields: OrderFields
  ) throws(ReceiptError) -> Bool {
    let net = try reading(fields.pointer) { () throws(PriceTagError) in
      try amounts.subtotal - amounts.discount
    }
    let isIncluded = amounts.total == net
    if behavior == (isIncluded ? "exclusive" : "inclusive") {
      throw fields.error(
        .contradictoryAmounts,
        "the tax behavior is \(quoted(behavior ?? "")), but the total \(currency.display(amounts.total)) \(isIncluded ? "does not add" : "adds") the tax \(currency.display(tax))",
        "amount_total",
        fix: "use the session as Stripe sent it"
      )
    }
    return isIncluded
  }

  private func readShipping(_ currency: Currency, _ decimals: Int, into order: inout Order)
    throws(ReceiptError)
  {
    guard let cost = try fields.optionalObject("shipping_cost") else {
      let details = try fields.optionalObject("total_details")
      guard let amount = try details?.optionalAmount("amount_shipping", decimals: decimals), !amount.isZero
      else { return }
      order.shipping = Order.Shipping(amount.normalized)
      return
    }
    let subtotal = try cost.amount("amount_subtotal", decimals: decimals).normalized
    let total = try cost.amount("amount_total", decimals: decimals).normalized
    guard !subtotal.isZero || !total.isZero else { return }
    let amounts = (subtotal: subtotal, discount: Amount.zero, total: total)
    order.shipping = Order.Shipping(subtotal, taxes: try taxes(cost, amounts, nil, currency, decimals))
  }

  /// Compares the discounts and taxes of the lines with those that the session states.
  private func checkTotals(_ order: Order, _ currency: Currency, _ decimals: Int) throws(ReceiptError) {
    guard let details = try fields.optionalObject("total_details") else { return }
    let taxes = (order.lines.flatMap(\.taxes) + (order.shipping?.taxes ?? [])).map(\.amount)
    for (field, amounts, what) in [
      ("amount_discount", order.lines.map(\.discount), "discounts of the lines"),
      ("amount_tax", taxes, "taxes of the lines"),
    ] {
      guard let stated = try details.optionalAmount(field, decimals: decimals) else { continue }
      try check(amounts, addUpTo: stated, what, field, details, currency)
    }
    // Expanded, the session's taxes are those of its lines and shipping, summed by rate.
    guard let breakdown = try details.optionalObject("breakdown"),
      let items = try breakdown.optionalObjects("taxes", maximumCount: OrderLimits.lineCount)
    else { return }
    var stated: [Amount] = []
    for item in items { stated.append(try item.amount("amount", decimals: decimals)) }
    try check(
      stated,
      addUpTo: details.optionalAmount("amount_tax", decimals: decimals) ?? .zero,
      "taxes",
      "breakdown",
      details,
      currency
    )
  }

  private func readState(_ decimals: Int, into order: inout Order) throws(ReceiptError) {
    let status = try fields.optionalText("status")
    if let status, status != "complete" {
      throw fields.error(
        .notAnOrder,
        "the session is \(quoted(status)), not complete",
        "status",
        fix: "wait for the event checkout.session.completed"
      )
    }
    let payment = try fields.text("payment_status")
    switch payment {
    case "paid": order.state = .paid
    case "no_payment_required": order.state = order.charged.isZero ? .paid : .pending
    case "unpaid": order.state = .pending
    default:
      throw fields.error(
        .invalidField,
        "unknown payment_status \(quoted(payment))",
        "payment_status",
        fix: "use paid, unpaid or no_payment_required"
      )
    }
    try readRefund(decimals, into: &order)
  }

  /// Reads the refund of an expanded `payment_intent.latest_charge`.
  private func readRefund(_ decimals: Int, into order: inout Order) throws(ReceiptError) {
    guard case .object? = fields["payment_intent"], let intent = try fields.optionalObject("payment_intent"),
      case .object? = intent["latest_charge"], let charge = try intent.optionalObject("latest_charge"),
      let refunded = try charge.optionalAmount("amount_refunded", decimals: decimals)?.normalized,
      !refunded.isZero
    else { return }
    order.refunded = refunded
    order.state = refunded == order.charged ? .refunded : .partiallyRefunded
  }
}

extension Amount {
  /// Returns the exact quotient with at most a number of decimals; `nil` if it has more.
  func dividedExactly(by divisor: Int, decimals: Int) -> Amount? {
    if divisor == 1 { return normalized }
    guard let units = try? minorUnits(exponent: decimals), let divisor = Int64(exactly: divisor),
      divisor != 0,
      units.isMultiple(of: divisor)
    else { return nil }
    return (try? Amount(minorUnits: units / divisor, exponent: decimals))?.normalized
  }
}
