import PriceTag
import PriceTagText

/// The exact sums of an order, compared with what was charged.
struct OrderSums {
  /// The sums of a line.
  struct Line {
    /// The quantity times the price of one item, or what the order states.
    let subtotal: Amount
    /// The discount, as it is subtracted.
    let discount: Amount
    /// The subtotal minus the discount.
    let amount: Amount
    /// The sum of the taxes, if all of them are included or all are added.
    let tax: Amount?
    /// The subtotal, minus the discount, plus taxes that prices do not include.
    let total: Amount
  }

  /// A row below the lines.
  struct Row {
    let kind: Receipt.Total.Kind
    var name: String?
    var rate: Amount?
    let amount: Amount
  }

  /// What taxes have in common that are one row.
  private struct TaxKey: Hashable {
    var name: String?
    var rate: Amount?
    let isIncluded: Bool

    /// Whether the tax is one of the order's, of which only the amount is known.
    var isPlain: Bool { name == nil && rate == nil }
  }

  private(set) var lines: [Line] = []
  private(set) var rows: [Row] = []
  /// The maximum number of decimals of an amount, zeros at the end not counted.
  private(set) var decimals = 0
  /// The number of decimals of the currency.
  let currencyDecimals: Int

  /// The sums of the taxes, and their keys in the order in which they appear.
  private var taxes: [TaxKey: Amount] = [:]
  private var taxKeys: [TaxKey] = []

  private let order: Order
  private let currency: Currency

  init(_ order: Order, _ currency: Currency) throws(ReceiptError) {
    (self.order, self.currency) = (order, currency)
    currencyDecimals = currency.decimals
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
      "the \(what) \(display(part)) is not between \(display(.zero)) and \(display(whole))",
      fix: "correct the \(what)",
      place: pointer
    )
  }

  /// Checks the taxes on a price, adds them to the sums, and returns the sum of those that are added to the price.
  private mutating func add(_ taxes: [Order.Tax], on price: Amount, at place: String) throws(ReceiptError)
    -> Amount
  {
    guard taxes.count <= OrderLimits.taxCount else {
      throw ReceiptError(
        .tooLarge,
        "there are \(taxes.count) taxes, more than \(OrderLimits.taxCount)",
        fix: "split the order",
        place: "\(place)/taxes"
      )
    }
    var (added, included) = (Amount.zero, Amount.zero)
    for (index, tax) in taxes.enumerated() {
      let item = "\(place)/taxes/\(index)"
      let pointer = taxes.count == 1 && tax.isPlain ? "\(place)/tax" : "\(item)/amount"
      if let name = tax.name { try OrderFields.check(name, at: "\(item)/name") }
      try check(rate: tax.rate, at: "\(item)/rate")
      try check(tax.amount, at: pointer)
      if tax.isIncluded {
        try check(tax.amount, isPartOf: price, "included tax", at: pointer)
      } else if !tax.amount.isZero, tax.amount.isNegative != price.isNegative {
        throw ReceiptError(
          .contradictoryAmounts,
          "the tax \(display(tax.amount)) has another sign than its price \(display(price))",
          fix: "correct the tax",
          place: pointer
        )
      }
      let key = TaxKey(name: tax.name, rate: tax.rate, isIncluded: tax.isIncluded)
      let sum = self.taxes[key]
      if sum == nil { taxKeys.append(key) }
      (self.taxes[key], added, included) = try reading(pointer) { () throws(PriceTagError) in
        (
          try (sum ?? .zero) + tax.amount, tax.isIncluded ? added : try added + tax.amount,
          tax.isIncluded ? try included + tax.amount : included
        )
      }
    }
    if taxes.count > 1 {
      try check(included, isPartOf: price, "sum of the included taxes", at: "\(place)/taxes")
    }
    return added
  }

  private func check(rate: Amount?, at pointer: String) throws(ReceiptError) {
    guard let rate else { return }
    guard OrderLimits.rates.contains(rate), rate.normalized.scale <= OrderLimits.rateDecimals else {
      throw ReceiptError(
        .invalidField,
        "the rate \(rate) is not from 0 to 1000 with at most \(OrderLimits.rateDecimals) decimals",
        fix: "write the rate in percent, such as 19",
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

  private func display(_ amount: Amount) -> String { currency.display(amount) }

  // MARK: Lines

  private mutating func add(_ line: Order.Line, at pointer: String) throws(ReceiptError) {
    guard !line.quantity.isZero, OrderLimits.quantities.contains(line.quantity),
      line.quantity.normalized.scale <= OrderLimits.quantityDecimals
    else {
      throw ReceiptError(
        .invalidField,
        "the quantity \(line.quantity) is zero, beyond 1000000, or has more than \(OrderLimits.quantityDecimals) decimals",
        fix: "write the quantity, or remove the line",
        place: "\(pointer)/quantity"
      )
    }
    for (text, field) in [(line.name, "name"), (line.productIdentifier, "productIdentifier")] {
      if let text { try OrderFields.check(text, at: "\(pointer)/\(field)") }
    }
    let subtotal = try subtotal(of: line, at: pointer)
    try check(line.discount, at: "\(pointer)/discount")
    try check(line.discount, isPartOf: subtotal, "discount", at: "\(pointer)/discount")
    let (net, discount) = try reading("\(pointer)/discount") { () throws(PriceTagError) in
      (try subtotal - line.discount, try line.discount.negated())
    }
    let added = try add(line.taxes, on: net, at: pointer)
    let total = try reading("\(pointer)/tax") { () throws(PriceTagError) in try net + added }
    if let stated = line.total, stated != total {
      throw mismatch("line adds up to", total, stated, "is stated", "\(pointer)/total")
    }
    lines.append(
      Line(
        subtotal: subtotal,
        discount: discount,
        amount: net,
        tax: try Self.sum(of: line.taxes, pointer),
        total: total
      )
    )
  }

  /// Returns the sum of taxes; `nil` if there are none, or if some are included and others added.
  private static func sum(of taxes: [Order.Tax], _ pointer: String) throws(ReceiptError) -> Amount? {
    guard let first = taxes.first, taxes.allSatisfy({ $0.isIncluded == first.isIncluded }) else { return nil }
    return try reading("\(pointer)/taxes") { () throws(PriceTagError) in
      var sum = first.amount
      for tax in taxes.dropFirst() { sum = try sum + tax.amount }
      return sum
    }
  }

  /// Returns the subtotal of a line, which is the quantity times the price of one item if there is one.
  private mutating func subtotal(of line: Order.Line, at pointer: String) throws(ReceiptError) -> Amount {
    let (field, amount) = line.unitPrice.map { ("unitPrice", $0) } ?? ("subtotal", line.subtotal ?? .zero)
    guard line.unitPrice != nil || line.subtotal != nil else {
      throw ReceiptError(
        .missingField,
        "the line has no price",
        fix: "add \"unitPrice\", or \"subtotal\" if the quantity does not divide it exactly",
        place: "\(pointer)/unitPrice"
      )
    }
    // Without a price of one item, the subtotal has the sign of the quantity, or is a credit.
    guard !line.quantity.isNegative || !(line.unitPrice?.isNegative ?? (amount > .zero)) else {
      throw ReceiptError(
        .contradictoryAmounts,
        line.unitPrice == nil
          ? "the quantity \(line.quantity) is negative, but the subtotal \(display(amount)) is not"
          : "both the quantity \(line.quantity) and the price \(display(amount)) are negative",
        fix: "write a returned item with a negative quantity only",
        place: "\(pointer)/\(field)"
      )
    }
    try check(amount, at: "\(pointer)/\(field)")
    guard line.unitPrice != nil else { return amount }
    let product = try reading("\(pointer)/unitPrice") { () throws(PriceTagError) in
      try amount.multiplied(by: line.quantity)
    }
    if let stated = line.subtotal, stated != product {
      throw mismatch("price times the quantity is", product, stated, "is stated", "\(pointer)/subtotal")
    }
    guard product.normalized.scale <= currencyDecimals else {
      throw ReceiptError(
        .tooManyDecimals,
        "\(line.quantity) × \(amount) is \(product), which has more decimals than \(currency) has (\(currencyDecimals))",
        fix: "write \"subtotal\" with the exact amount that was charged instead of \"unitPrice\"",
        place: "\(pointer)/unitPrice"
      )
    }
    decimals = max(decimals, product.normalized.scale)
    return product
  }

  // MARK: Rows

  private mutating func addRows() throws(ReceiptError) {
    var (undiscounted, subtotal) = (Amount.zero, Amount.zero)
    for (index, sum) in lines.enumerated() {
      (undiscounted, subtotal) = try reading("/lines/\(index)") { () throws(PriceTagError) in
        (try undiscounted + sum.subtotal, try subtotal + sum.amount)
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
      _ = try add(shipping.taxes, on: shipping.amount, at: "/shipping")
      total = try reading("/shipping") { () throws(PriceTagError) in try total + shipping.amount }
    }
    _ = try add(order.taxes, on: total, at: "")
    total = try reading("/charged") { () throws(PriceTagError) in
      var total = total
      for (key, amount) in taxes where !key.isIncluded { total = try total + amount }
      return total
    }
    try check(order.charged, at: "/charged")
    guard total == order.charged else {
      throw mismatch("lines add up to", total, order.charged, "was charged", "/charged")
    }
    let (added, included) = taxRows()
    if !discounts.isEmpty || order.shipping != nil || !added.isEmpty {
      rows.append(Row(kind: .subtotal, amount: subtotal))
    }
    rows += discounts
    if let shipping = order.shipping { rows.append(Row(kind: .shipping, amount: shipping.amount)) }
    rows += added
    rows.append(Row(kind: .total, amount: total))
    rows += included
    try addRefund()
  }

  /// Returns a row for each name and rate of the taxes, those that are added to prices and those that prices include.
  ///
  /// Taxes without a name and a rate are first. If all of them are zero, one row states it.
  private func taxRows() -> (added: [Row], included: [Row]) {
    let plain = [false, true].map { taxes[TaxKey(isIncluded: $0)] }
    var (added, included): ([Row], [Row]) = ([], [])
    let isZero = plain.allSatisfy { $0?.isZero ?? true }
    if isZero ? plain.contains(where: { $0 != nil }) : plain[0]?.isZero == false {
      added.append(Row(kind: .tax, amount: plain[0] ?? .zero))
    }
    if let sum = plain[1], !sum.isZero { included.append(Row(kind: .includedTax, amount: sum)) }
    for key in taxKeys where !key.isPlain {
      let row = Row(
        kind: key.isIncluded ? .includedTax : .tax,
        name: key.name,
        rate: key.rate?.normalized,
        amount: taxes[key] ?? .zero
      )
      if key.isIncluded { included.append(row) } else { added.append(row) }
    }
    return (added, included)
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

extension Currency {
  /// The number of decimals of an amount of money.
  var decimals: Int { minorUnitDigits ?? standardDisplay.digits }

  /// Returns an amount with the decimals of the currency and its code: `9.90 USD`.
  func display(_ amount: Amount) -> String {
    let scaled = try? Amount(minorUnits: amount.minorUnits(exponent: decimals), exponent: decimals)
    return "\(scaled ?? amount) \(self)"
  }
}
