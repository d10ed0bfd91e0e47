import PriceTag
import PriceTagCommandLine
import PriceTagStrings
import PriceTagText

/// The amounts and options of `pricetag format`, from either parser of the command line.
struct FormatRequest: Equatable {
  var storefront: String?
  var locale: String?
  var currency: String?
  var style = PriceStyle()
  /// The folder of `--locale-data`.
  var localeData: String?
  /// The file of `--pack`.
  var pack: String?
  var day: StoreDay?
  var writesJSON = false
  /// Decimal text, with negative amounts marked.
  var amounts: [String] = []
  /// The upper bound of a range that starts at the only amount, with a negative amount marked.
  var upperAmount: String?
  /// The content of `--content`, whose unit price is printed.
  var content: String?
  /// The reference unit of the unit price, of `--per`.
  var reference: String?
  /// Whether metric and US customary units are converted into each other.
  var convertsUnits = false
  /// The number of payments of `--installments`.
  var installments: Int?
  /// The UI language of texts around prices.
  var language: String?
  /// Whether a language without UI strings is an error.
  var isLanguageStrict = false

  /// Whether the options have a storefront, or a price locale and a currency.
  var hasOrigin: Bool { storefront != nil || (locale != nil && currency != nil) }

  /// The problem of options that do not belong together, or `nil`.
  var conflict: String? {
    if upperAmount != nil, amounts.count != 1 {
      return
        "the option --to cannot be combined with \(amounts.count) amounts; pass one amount, the lower bound of the range"
    }
    let forms = [
      ("--to", upperAmount != nil), ("--content", content != nil), ("--installments", installments != nil),
    ]
    .filter(\.1).map(\.0)
    if forms.count > 1 { return "\(forms.joined(separator: " and ")) cannot be combined; keep one" }
    if reference != nil, content == nil { return "--per requires the content of a product; add --content" }
    if convertsUnits, content == nil {
      return "--convert-units requires the content of a product; add --content"
    }
    if language != nil, content == nil, installments == nil {
      return "--language requires a text around the price; add --installments or --content, or remove it"
    }
    if installments != nil, language == nil, storefront == nil {
      return "--installments requires a language for its text; add --language, or use --storefront"
    }
    return nil
  }

  /// Prints each price on one line, and returns the exit code.
  func run() throws -> Int32 {
    let origin = PriceOrigin(storefront: storefront, priceLocale: locale, currency: currency)
    let data = try LocaleDataSource.load(folder: localeData, pack: pack)
    let day = if let given = self.day { given } else { try LocaleDataOptions.start }
    let formatter = try origin.formatter(in: data, on: day, style: style)
    if writesJSON { try formatter.checkSpokenForms() }
    if let last = formatter.currency.lastDay, last < day.dateInUTC {
      let successor = formatter.currency.successor.map { "; \($0) replaced it" } ?? ""
      StandardError.write("pricetag: note: \(formatter.currency) was valid until \(last)\(successor)\n")
    }
    let form = try form(data)
    var tally = Tally()
    for text in amounts {
      tally.attempt { StandardOutput.write(try line(text, formatter, form) + "\n") }
    }
    return tally.exitCode
  }

  /// Another form of each price.
  private enum Form {
    /// A unit price; with the strings of a language if it has a text, because it is per piece.
    case unitPrice(ProductContent, per: UnitPriceReference, text: (StoreStrings, UILanguage)?)
    case installments(Int, StoreStrings, UILanguage)
  }

  private func form(_ data: LocaleData) throws -> Form? {
    if let content {
      let content = try ProductContent(NegativeAmount.unmarked(content))
      var reference = content.defaultReference
      if let text = self.reference { reference = try UnitPriceReference(NegativeAmount.unmarked(text)) }
      guard language == nil || reference.isPiece else {
        throw PriceTagError(
          .invalidOption,
          "--language has no effect, because a price per \(reference) has no text around it",
          fix: "remove it, or use a reference in pieces"
        )
      }
      return .unitPrice(content, per: reference, text: reference.isPiece ? try words(data) : nil)
    }
    guard let installments else { return nil }
    let (strings, language) = try words(data)
    return .installments(installments, strings, language)
  }

  /// Returns the UI strings, and the language of `--language`, else the default language of the store.
  private func words(_ data: LocaleData) throws -> (StoreStrings, UILanguage) {
    let requested = try language.map { try UILanguage(NegativeAmount.unmarked($0)) }
    let strings = try LocaleDataSource.loadStrings(folder: localeData)
    if let storefront {
      let store = try Storefront(storefront, in: data)
      let resolved = try strings.language(
        for: requested ?? UILanguage(store.defaultLanguage),
        in: store,
        isStrict: isLanguageStrict
      )
      if !writesJSON { resolved.writeNote() }
      return (strings, resolved.language)
    }
    if let requested { return (strings, try strings.closestLanguage(to: requested)) }
    throw PriceTagError(
      .invalidOption,
      "the text around the price requires a language",
      fix: "add --language, or use --storefront"
    )
  }

  /// Returns the line of an amount: its text, or an object.
  private func line(_ text: String, _ formatter: PriceFormatter, _ form: Form?) throws -> String {
    let price = try price(text, formatter)
    switch form {
    case nil: return writesJSON ? price.json() : price.text
    case .unitPrice(let content, let reference, let words):
      let unitPrice = try formatter.unitPrice(
        of: price.amount,
        content: content,
        per: reference,
        convertsSystems: convertsUnits
      )
      let message = try words.map { strings, language in
        try strings.pricePerPiece(unitPrice, count: reference.quantity, in: language)
      }
      guard writesJSON else { return message?.plain ?? unitPrice.text }
      return price.json([
        ("content", PriceTagText.json(content.description)),
        ("unitReference", PriceTagText.json(reference.description)),
        ("unitPrice", unitPrice.formJSON(message)),
      ])
    case .installments(let count, let strings, let language):
      // The payments add up to the displayed amount.
      let displayed = try formatter.format(price.displayedAmount)
      let rounding = style.rounding
      let payments = try displayed.installments(count, rounding: rounding)
      let text = try strings.installments(of: displayed, count: count, rounding: rounding, in: language)
      let calculation = try strings.installmentCalculation(
        of: displayed,
        count: count,
        rounding: rounding,
        in: language
      )
      guard writesJSON else { return text.plain }
      let fields = jsonObject([
        ("count", String(payments.count)), ("equalCount", String(payments.equalCount)),
        ("payment", payments.payment.formJSON()), ("lastPayment", payments.lastPayment.formJSON()),
        ("language", PriceTagText.json(text.language.identifier)),
        ("text", PriceTagText.json(text.plain)), ("calculation", PriceTagText.json(calculation.plain)),
      ])
      return price.json([("installments", fields)])
    }
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
  /// Returns the amount, the displayed and the spoken form, and a text around the price, as a JSON object.
  fileprivate func formJSON(_ message: FormattedMessage? = nil) -> String {
    var fields = [
      ("amount", PriceTagText.json(amount.description)),
      ("display", PriceTagText.json(text)), ("spoken", PriceTagText.json(spoken)),
    ]
    if let message {
      fields += [
        ("language", PriceTagText.json(message.language.identifier)),
        ("text", PriceTagText.json(message.plain)),
      ]
    }
    return jsonObject(fields)
  }

  /// Returns all properties of the price as a JSON object.
  ///
  /// - Parameter forms: Members for other forms of the price, which come before the versions.
  fileprivate func json(_ forms: [(String, String)] = []) -> String {
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
      ("parts", jsonArray(parts)),
    ]
    fields += forms
    fields += [("icu", PriceTagText.json(versions.icu)), ("cldr", PriceTagText.json(versions.cldr))]
    return jsonObject(fields)
  }
}
