import PriceTag
import PriceTagText

/// The exact sums of an order, compared with what was charged.
struct OrderSums {
  /// The sums of a line.
  struct Line {
    /// The quantity times the price of one item.
    let subtotal: Amount
    /// The discount, as it is subtracted.
    let discount: Amount
    /// The subtotal minus the discount.
    let amount: Amount
    /// The subtotal, minus the discount, plus a tax that prices do not include.
    let total: Amount
  }

  /// A row below the lines.
  struct Row {
    let kind: Receipt.Total.Kind
    var name: String?
    let amount: Amount
  }

  private(set) var lines: [Line] = []
  private(set) var rows: [Row] = []
  /// The maximum number of decimals of an amount, zeros at the end not counted.
  private(set) var decimals = 0
  /// The number of decimals of the currency.
  let currencyDecimals: Int

  private let order: Order
  private let currency: Currency

  init(_ order: Order, _ currency: Currency) throws(ReceiptError) {
    (self.order, self.currency) = (order, currency)
    currencyDecimals = currency.minorUnitDigits ?? currency.standardDisplay.digits
    guard !order.lines.isEmpty else {
      throw ReceiptError(.missingField, "the order has no lines", fix: "add a line", place: "/lines")
    }
    guard order.lines.count <= OrderLimits.lineCount else {
      throw ReceiptError(
        .tooLarge,
        "the order has \(order.lines.count) lines, more than \(OrderLimits.lineCount)",
        fix: "split the order",
        place: "/lines"
      )
    }
    for (index, line) in order.lines.enumerated() { try add(line, at: "/lines/\(index)") }
    try addRows()
  }

  // MARK: Checks

  /// Checks that an amount has no more decimals than the currency.
  private mutating func check(_ amount: Amount, at pointer: String) throws(ReceiptError) {
    let scale = amount.normalized.scale
    guard scale <= currencyDecimals else {
      throw ReceiptError(
        .tooManyDecimals,
        "\(amount) has more decimals than \(currency) has (\(currencyDecimals))",
        fix: "write the exact amount that was charged; amounts are never rounded",
        place: pointer
      )
    }
    decimals = max(decimals, scale)
  }

  /// Checks that a part has the sign of its whole and is not larger.
  private func check(_ part: Amount, isPartOf whole: Amount, _ what: String, at pointer: String)
    throws(ReceiptError)
  {
    let fits = whole.isNegative ? (whole...Amount.zero).contains(part) : (Amount.zero...whole).contains(part)
    guard !fits else { return }
    throw ReceiptError(
      .contradictoryAmounts,
      "the \(what) \(part) is not between 0 and \(whole)",
      fix: "correct the \(what)",
      place: pointer
    )
  }

  private mutating func check(_ tax: Order.Tax?, on price: Amount, at pointer: String) throws(ReceiptError) {
    guard let tax else { return }
    try check(tax.amount, at: pointer)
    if tax.isIncluded {
      try check(tax.amount, isPartOf: price, "included tax", at: pointer)
    } else if !tax.amount.isZero, tax.amount.isNegative != price.isNegative {
      throw ReceiptError(
        .contradictoryAmounts,
        "the tax \(tax.amount) has another sign than its price \(price)",
        fix: "correct the tax",
        place: pointer
      )
    }
  }

  private func mismatch(_ what: String, _ sum: Amount, _ stated: Amount, _ verb: String, _ pointer: String)
    -> ReceiptError
  {
    ReceiptError(
      .sumMismatch,
      "the \(what) \(display(sum)), but \(display(stated)) \(verb)",
      fix: "correct the amounts of the order",
      place: pointer
    )
  }

  /// Returns an amount with the decimals of the currency and its code: `9.90 USD`.
  private func display(_ amount: Amount) -> String {
    let scaled = try? Amount(
      minorUnits: amount.minorUnits(exponent: currencyDecimals),
      exponent: currencyDecimals
    )
    return "\(scaled ?? amount) \(currency)"
  }

  // MARK: Lines

  private mutating func add(_ line: Order.Line, at pointer: String) throws(ReceiptError) {
    guard line.quantity != 0, OrderLimits.quantities.contains(line.quantity) else {
      throw ReceiptError(
        .invalidField,
        "the quantity \(line.quantity) is not from 1 to 1000000 or negative",
        fix: "write the number of items, or remove the line",
        place: "\(pointer)/quantity"
      )
    }
    guard line.quantity > 0 || !line.unitPrice.isNegative else {
      throw ReceiptError(
        .contradictoryAmounts,
        "both the quantity \(line.quantity) and the price \(line.unitPrice) are negative",
        fix: "write a returned item with a negative quantity only",
        place: "\(pointer)/unitPrice"
      )
    }
    for (text, field) in [(line.name, "name"), (line.productIdentifier, "productIdentifier")] {
      if let text { try OrderFields.check(text, at: "\(pointer)/\(field)") }
    }
    try check(line.unitPrice, at: "\(pointer)/unitPrice")
    let subtotal = try reading("\(pointer)/unitPrice") { () throws(PriceTagError) in
      try line.unitPrice * line.quantity
    }
    try check(line.discount, at: "\(pointer)/discount")
    try check(line.discount, isPartOf: subtotal, "discount", at: "\(pointer)/discount")
    let (net, discount) = try reading("\(pointer)/discount") { () throws(PriceTagError) in
      (try subtotal - line.discount, try line.discount.negated())
    }
    try check(line.tax, on: net, at: "\(pointer)/tax")
    let total = try reading("\(pointer)/tax") { () throws(PriceTagError) in try net + Self.added(line.tax) }
    if let stated = line.total, stated != total {
      throw mismatch("line adds up to", total, stated, "is stated", "\(pointer)/total")
    }
    lines.append(Line(subtotal: subtotal, discount: discount, amount: net, total: total))
  }

  /// The tax that is added to a price; zero for a tax that the price includes.
  private static func added(_ tax: Order.Tax?) -> Amount {
    if let tax, !tax.isIncluded { tax.amount } else { .zero }
  }

  private static func included(_ tax: Order.Tax?) -> Amount {
    if let tax, tax.isIncluded { tax.amount } else { .zero }
  }

  // MARK: Rows

  private mutating func addRows() throws(ReceiptError) {
    var (undiscounted, subtotal, added, included) = (Amount.zero, Amount.zero, Amount.zero, Amount.zero)
    for (index, line) in order.lines.enumerated() {
      let sum = lines[index]
      (undiscounted, subtotal, added, included) = try reading("/lines/\(index)") { () throws(PriceTagError) in
        (
          try undiscounted + sum.subtotal, try subtotal + sum.amount, try added + Self.added(line.tax),
          try included + Self.included(line.tax)
        )
      }
    }
    // Sources state the sum before the discounts of lines.
    if let stated = order.subtotal, stated != undiscounted {
      throw mismatch("lines add up to a subtotal of", undiscounted, stated, "is stated", "/subtotal")
    }
    var total = subtotal
    var discounts: [Row] = []
    for (index, discount) in order.discounts.enumerated() {
      let item = "/discounts/\(order.hasDiscountField ? index - 1 : index)"
      let pointer = order.hasDiscountField && index == 0 ? "/discount" : "\(item)/amount"
      try check(discount.amount, at: pointer)
      if let name = discount.name { try OrderFields.check(name, at: "\(item)/name") }
      try check(discount.amount, isPartOf: total, "discount", at: pointer)
      let negated: Amount
      (total, negated) = try reading(pointer) { () throws(PriceTagError) in
        (try total - discount.amount, try discount.amount.negated())
      }
      if !negated.isZero { discounts.append(Row(kind: .discount, name: discount.name, amount: negated)) }
    }
    if let shipping = order.shipping {
      try check(shipping.amount, at: "/shipping/amount")
      try check(shipping.tax, on: shipping.amount, at: "/shipping/tax")
      (total, added, included) = try reading("/shipping") { () throws(PriceTagError) in
        (
          try total + shipping.amount, try added + Self.added(shipping.tax),
          try included + Self.included(shipping.tax)
        )
      }
    }
    try check(order.tax, on: total, at: "/tax")
    (added, included) = try reading("/tax") { () throws(PriceTagError) in
      (try added + Self.added(order.tax), try included + Self.included(order.tax))
    }
    total = try reading("/charged") { () throws(PriceTagError) in try total + added }
    try check(order.charged, at: "/charged")
    guard total == order.charged else {
      throw mismatch("lines add up to", total, order.charged, "was charged", "/charged")
    }
    let statesTax = ([order.tax, order.shipping?.tax] + order.lines.map(\.tax)).contains { $0 != nil }
    let hasAddedTax = !added.isZero || (statesTax && included.isZero)
    if !discounts.isEmpty || order.shipping != nil || hasAddedTax {
      rows.append(Row(kind: .subtotal, amount: subtotal))
    }
    rows += discounts
    if let shipping = order.shipping { rows.append(Row(kind: .shipping, amount: shipping.amount)) }
    if hasAddedTax { rows.append(Row(kind: .tax, amount: added)) }
    rows.append(Row(kind: .total, amount: total))
    if !included.isZero { rows.append(Row(kind: .includedTax, amount: included)) }
    try addRefund()
  }

  private mutating func addRefund() throws(ReceiptError) {
    let charged = order.charged
    var refunded = order.refunded
    switch order.state {
    case .paid, .pending, .revoked, .test:
      guard let refunded else { return }
      throw invalidRefund(
        "\(display(refunded)) was refunded, but the state is \(quoted(order.state.rawValue))",
        fix: "use the state refunded or partially-refunded"
      )
    case .refunded:
      refunded = refunded ?? charged
      guard refunded == charged else {
        throw invalidRefund(
          "\(display(refunded ?? charged)) was refunded, but \(display(charged)) was charged",
          fix: "use the state partially-refunded, or correct the amount"
        )
      }
    case .partiallyRefunded:
      // A source that states a rounded percentage gives no amount.
      guard let refunded else { return }
      guard refunded != charged, !refunded.isZero else {
        throw invalidRefund(
          "\(display(refunded)) of \(display(charged)) is not a part",
          fix: "use the state refunded or paid"
        )
      }
      try check(refunded, isPartOf: charged, "refund", at: "/refunded")
    }
    guard let refunded, !refunded.isZero else { return }
    try check(refunded, at: "/refunded")
    let (negated, rest) = try reading("/refunded") { () throws(PriceTagError) in
      (try refunded.negated(), try charged - refunded)
    }
    rows.append(Row(kind: .refund, amount: negated))
    rows.append(Row(kind: .totalAfterRefund, amount: rest))
  }

  private func invalidRefund(_ problem: String, fix: String) -> ReceiptError {
    ReceiptError(.invalidRefund, problem, fix: fix, place: "/refunded")
  }
}
