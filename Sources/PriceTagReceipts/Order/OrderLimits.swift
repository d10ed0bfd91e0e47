import PriceTag

/// The limits of an order, which bound the work of a receipt.
package enum OrderLimits {
  /// The maximum number of bytes of an order's JSON.
  package static let byteCount = 1 << 20
  /// The maximum number of lines.
  static let lineCount = 1000
  /// The maximum number of discounts on the complete order.
  static let discountCount = 20
  /// The maximum number of taxes on the order, a line or the shipping.
  static let taxCount = 20
  /// The maximum number of UTF-8 bytes of a text.
  static let textByteCount = 1000
  /// The allowed quantities, and their maximum number of decimals, which are displayed.
  static let quantities: ClosedRange<Amount> = -1_000_000...1_000_000
  static let quantityDecimals = 3
  /// The allowed rates of taxes in percent, and their maximum number of decimals.
  static let rates: ClosedRange<Amount> = 0...1000
  static let rateDecimals = 6
}
