import PriceTag
import PriceTagCommandLine
import PriceTagText

/// The amounts and options of `pricetag format`, from either parser of the command line.
struct FormatRequest: Equatable {
  var storefront: String?
  var locale: String?
  var currency: String?
  var style = PriceStyle()
  /// The folder of `--locale-data`.
  var localeData: String?
  var date: CalendarDate?
  var writesJSON = false
  /// Decimal text, with negative amounts marked.
  var amounts: [String] = []
  /// The upper bound of a range that starts at the only amount, with a negative amount marked.
  var upperAmount: String?

  /// Whether the options have a storefront, or a price locale and a currency.
  var hasOrigin: Bool { storefront != nil || (locale != nil && currency != nil) }

  /// Whether an upper bound has exactly one lower bound.
  var hasOneLowerBound: Bool { upperAmount == nil || amounts.count == 1 }

  /// Prints each price on one line, and returns the exit code.
  func run() throws(PriceTagError) -> Int32 {
    let origin = PriceOrigin(storefront: storefront, priceLocale: locale, currency: currency)
    let data = try LocaleDataOptions.load(folder: localeData)
    let formatter = try origin.formatter(in: data, on: date, style: style)
    if let last = formatter.currency.lastDay, last < date ?? .today {
      let successor = formatter.currency.successor.map { "; \($0) replaced it" } ?? ""
      StandardError.write("pricetag: note: \(formatter.currency) was valid until \(last)\(successor)\n")
    }
    var tally = Tally()
    for text in amounts {
      tally.attempt { () throws(PriceTagError) in
        let price = try price(text, formatter)
        StandardOutput.write((writesJSON ? price.json : price.text) + "\n")
      }
    }
    return tally.exitCode
  }

  /// Returns the price of an amount, or the range from it to the upper bound.
  private func price(_ text: String, _ formatter: PriceFormatter) throws(PriceTagError) -> FormattedPrice {
    let amount = try Amount(decimal: NegativeAmount.unmarked(text))
    guard let upperAmount else { return try formatter.format(amount) }
    return try formatter.format(
      from: amount,
      to: Amount(decimal: NegativeAmount.unmarked(upperAmount))
    )
  }
}

extension FormattedPrice {
  /// All properties of the price, as a JSON object.
  fileprivate var json: String {
    let parts = parts.map { "{\"type\":\"\($0.type.rawValue)\",\"value\":\(PriceTagText.json($0.value))}" }
    var fields: [(String, String)] = [
      ("amount", PriceTagText.json(amount.description)),
      ("displayedAmount", PriceTagText.json(displayedAmount.description)),
    ]
    if let upperAmount {
      fields.append(("upperAmount", PriceTagText.json(upperAmount.description)))
      // The formatter has displayed this amount before, so this does not throw.
      let displayed = (try? formatter.format(upperAmount))?.displayedAmount ?? upperAmount
      fields.append(("displayedUpperAmount", PriceTagText.json(displayed.description)))
    }
    fields += [
      ("currency", PriceTagText.json(currency.code)),
      ("priceLocale", PriceTagText.json(locale.identifier)),
      ("dataLocale", PriceTagText.json(locale.dataLocale)),
      ("display", PriceTagText.json(text)), ("spoken", PriceTagText.json(spoken)),
      ("isolated", PriceTagText.json(isolated)),
      ("html", PriceTagText.json(html)), ("direction", PriceTagText.json(direction.rawValue)),
      ("parts", jsonArray(parts)), ("icu", PriceTagText.json(versions.icu)),
      ("cldr", PriceTagText.json(versions.cldr)),
    ]
    return jsonObject(fields)
  }
}
