import PriceTag
import PriceTagStrings
import PriceTagText

/// Reads a Stripe checkout session with expanded line items as an order.
///
/// Amounts are integers of Stripe's minor unit of the currency. `amount_subtotal` of a line is its quantity times its
/// price; `amount_total` is after discounts and taxes. A session has no storefront: it is that of the options, or of the
/// country of the buyer's address. Unknown fields are ignored.
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
    let store = try store()
    let seconds = try fields.integer("created", in: 0...253_402_214_399)
    let date = try reading(fields.pointer(to: "created")) { () throws(PriceTagError) in
      try store.date(at: Instant(secondsSince1970: seconds))
    }
    let charged = try fields.amount("amount_total", decimals: decimals)
    var order = Order(storefront: store, date: date, charged: charged.normalized)
    order.currency = currency
    order.allowsAnyCurrency = true
    order.identifier = try fields.optionalShownText("id")
    order.subtotal = try fields.optionalAmount("amount_subtotal", decimals: decimals)?.normalized
    let customer = try fields.optionalObject("customer_details")
    order.buyer = try customer?.optionalShownText("name")
    if order.buyer == nil { order.buyer = try customer?.optionalShownText("email") }
    try readLanguage(into: &order)
    try readLines(currency, decimals, into: &order)
    try readShipping(decimals, into: &order)
    try checkTotals(order, decimals)
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

  private func store() throws(ReceiptError) -> Storefront {
    if let storefront { return storefront }
    let address = try fields.optionalObject("customer_details")?.optionalObject("address")
    guard let address, let country = try address.optionalText("country"), !country.isEmpty else {
      throw ReceiptError(
        .missingStorefront,
        "the session has no storefront, and its buyer has no country",
        fix: "name a storefront with --storefront or OrderReader.storefront"
      )
    }
    return try reading(address.pointer(to: "country")) { () throws(PriceTagError) in
      try Storefront(country, in: localeData)
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
    guard let unitPrice = subtotal.dividedExactly(by: quantity, decimals: decimals) else {
      throw item.error(
        .tooManyDecimals,
        "the subtotal \(subtotal) is not divisible by the quantity \(quantity)",
        "amount_subtotal",
        fix: "write the order in PriceTag's own format, with the prices of its lines"
      )
    }
    let price = try item.optionalObject("price")
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
        "the discount \(discount) is not between 0 and \(subtotal)",
        "amount_discount",
        fix: "correct the discount"
      )
    }
    var line = Order.Line(
      productIdentifier: identifier,
      name: name,
      quantity: quantity,
      unitPrice: unitPrice,
      discount: discount,
      total: total
    )
    if let tax = try amount("amount_tax"), !tax.isZero {
      let behavior = try price?.optionalText("tax_behavior")
      line.tax = Order.Tax(
        tax,
        isIncluded: try isIncluded(
          tax,
          in: (subtotal: subtotal, discount: discount, total: total),
          behavior,
          item
        )
      )
    }
    return line
  }

  /// Returns whether a price includes its tax, which follows from the total.
  private func isIncluded(
    _ tax: Amount,
    in amounts: (subtotal: Amount, discount: Amount, total: Amount),
    _ behavior: String?,
    _ fields: OrderFields
  ) throws(ReceiptError) -> Bool {
    let net = try reading(fields.pointer) { () throws(PriceTagError) in
      try amounts.subtotal - amounts.discount
    }
    let isIncluded = amounts.total == net
    if behavior == (isIncluded ? "exclusive" : "inclusive") {
      throw fields.error(
        .contradictoryAmounts,
        "the tax behavior is \(quoted(behavior ?? "")), but the total \(amounts.total) \(isIncluded ? "does not add" : "adds") the tax \(tax)",
        "amount_total",
        fix: "use the session as Stripe sent it"
      )
    }
    return isIncluded
  }

  private func readShipping(_ decimals: Int, into order: inout Order) throws(ReceiptError) {
    guard let cost = try fields.optionalObject("shipping_cost") else {
      let details = try fields.optionalObject("total_details")
      guard let amount = try details?.optionalAmount("amount_shipping", decimals: decimals), !amount.isZero
      else { return }
      order.shipping = Order.Shipping(amount.normalized)
      return
    }
    let subtotal = try cost.amount("amount_subtotal", decimals: decimals).normalized
    let total = try cost.amount("amount_total", decimals: decimals).normalized
    let tax = try cost.optionalAmount("amount_tax", decimals: decimals)?.normalized ?? .zero
    guard !subtotal.isZero || !total.isZero else { return }
    var shipping = Order.Shipping(subtotal)
    if !tax.isZero {
      shipping.tax = Order.Tax(
        tax,
        isIncluded: try isIncluded(tax, in: (subtotal: subtotal, discount: .zero, total: total), nil, cost)
      )
    }
    order.shipping = shipping
  }

  /// Compares the discounts and taxes of the lines with those that the session states.
  private func checkTotals(_ order: Order, _ decimals: Int) throws(ReceiptError) {
    guard let details = try fields.optionalObject("total_details") else { return }
    var (discount, tax) = (Amount.zero, order.shipping?.tax?.amount ?? .zero)
    for (index, line) in order.lines.enumerated() {
      (discount, tax) = try reading("/line_items/data/\(index)") { () throws(PriceTagError) in
        (try discount + line.discount, try tax + (line.tax?.amount ?? .zero))
      }
    }
    for (field, sum, what) in [("amount_discount", discount, "discounts"), ("amount_tax", tax, "taxes")] {
      guard let stated = try details.optionalAmount(field, decimals: decimals), stated != sum else {
        continue
      }
      throw details.error(
        .sumMismatch,
        "the \(what) of the lines add up to \(sum), but the session states \(stated.normalized)",
        field,
        fix: "retrieve the line items with amount_discount and amount_tax"
      )
    }
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
    guard let units = try? minorUnits(exponent: decimals), let divisor = Int64(exactly: divisor),
      divisor != 0,
      units.isMultiple(of: divisor)
    else { return nil }
    return (try? Amount(minorUnits: units / divisor, exponent: decimals))?.normalized
  }
}
