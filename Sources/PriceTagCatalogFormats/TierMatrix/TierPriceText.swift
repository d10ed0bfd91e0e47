import PriceTag
import PriceTagCatalog
import PriceTagText

/// A price as formatted by iTunes Connect for a country: `HK$ 5.00`, `0,49 €`, `US$0.49`, `1.99 QAR`.
struct TierPriceText {
  let text: String

  /// The currency symbols of iTunes Connect. If a symbol has several currencies, no storefront charges two of them.
  private static let symbols: [String: [String]] = [
    "US$": ["USD"], "AU$": ["AUD"], "CA$": ["CAD"], "NZ$": ["NZD"], "HK$": ["HKD"], "NT$": ["TWD"],
    "S$": ["SGD"], "R$": ["BRL"], "$": ["MXN", "CLP", "COP"], "€": ["EUR"], "£": ["GBP"], "JP¥": ["JPY"],
    "CN¥": ["CNY"], "₩": ["KRW"], "₦": ["NGN"], "₱": ["PHP"], "฿": ["THB"], "₸": ["KZT"], "đ": ["VND"],
    "₫": ["VND"], "₺": ["TRY"], "TL": ["TRY"], "₽": ["RUB"], "р.": ["RUB"], "₹": ["INR"],
    "Rs": ["INR", "PKR"], "Rp": ["IDR"], "RM": ["MYR"], "R": ["ZAR"], "SR": ["SAR"], "NIS": ["ILS"],
    "₪": ["ILS"], "kr": ["DKK", "NOK", "SEK"], "zł": ["PLN"], "Kč": ["CZK"], "Ft": ["HUF"], "lei": ["RON"],
  ]

  /// Returns the amount and the currency.
  ///
  /// - Throws: `.currencyMismatch` if the storefront never charged a currency with the symbol, or `.malformedAmount` if
  ///   the digits are missing or ambiguous.
  func price(in storefront: Storefront) throws(CatalogError) -> (Amount, Currency) {
    let isDigit = { (character: Character) in character.isASCII && character.isNumber }
    guard let last = text.lastIndex(where: isDigit), var first = text.firstIndex(where: isDigit) else {
      throw CatalogError(unreadable())
    }
    // Prices below one in Singapore have no leading zero: S$ .48
    if first > text.startIndex, text[text.index(before: first)] == ".",
      first == text.index(after: text.startIndex) || text[..<text.index(before: first)].last == " "
    {
      first = text.index(before: first)
    }
    let digits = text[first...last]
    let symbol = (text[..<first] + text[text.index(after: last)...]).filter { !$0.isWhitespace }
    let codes = Self.symbols[symbol] ?? [symbol]
    let charged = storefront.currencyPeriods.map(\.currency).filter { codes.contains($0.code) }
    guard let currency = charged.first else {
      let currencies = storefront.currencyPeriods.map(\.currency.code).joined(separator: ", then ")
      throw CatalogError(
        .currencyMismatch,
        "\(quoted(text)) is not a price in a currency that \(storefront.id) charges (\(currencies))",
        fix: "write the price in such a currency; prices are not converted"
      )
    }
    return try withCatalogErrors { () throws(PriceTagError) in
      (try Amount(decimal: try decimal(digits)), currency)
    }
  }

  /// Returns the digits with a decimal point. One or two digits after the last separator are decimals; three are a
  /// group.
  private func decimal(_ digits: Substring) throws(PriceTagError) -> String {
    let parts = digits.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    let areDigits = parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isNumber } }
    let groups = parts.dropFirst().dropLast()
    guard areDigits, let integer = parts.first, let last = parts.last, groups.allSatisfy({ $0.count == 3 })
    else {
      throw unreadable()
    }
    if parts.count == 1 { return String(integer) }
    let isGrouped = (1...3).contains(integer.count) && integer.first != "0"
    guard groups.isEmpty || isGrouped else { throw unreadable() }
    switch last.count {
    case 1, 2: return "\(integer.isEmpty ? "0" : integer)\(groups.joined()).\(last)"
    case 3 where isGrouped: return "\(integer)\(groups.joined())\(last)"
    default: throw unreadable()
    }
  }

  private func unreadable() -> PriceTagError {
    PriceTagError(
      .malformedAmount,
      "\(quoted(text)) is not an unambiguous price",
      fix: "write it as a number"
    )
  }
}
