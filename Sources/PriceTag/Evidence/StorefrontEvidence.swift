import PriceTagText

/// What is known about how a store writes its prices, for `pricetag storefronts --evidence` and the service.
///
///     let hungary = try StorefrontEvidence(of: Storefront("HUN"), on: .todayInUTC)
///     hungary.forms[0].example?.text   // "HUF89,990.00", seen on a web page
///     hungary.forms[0].icuText         // "89\u{A0}990,00\u{A0}Ft"
///     hungary.agreement                // .different
package struct StorefrontEvidence: Sendable {
  /// How ICU's form compares with the observed texts.
  package enum Agreement: String, Sendable {
    /// All texts are the same.
    case same
    /// All texts are the same but for spaces.
    case exceptSpaces = "except-spaces"
    /// A text is another one.
    case different
    /// The store's web pages were not seen.
    case unknown
  }

  /// The form of the web pages in a language.
  package struct Form: Sendable {
    /// The language; `nil` if the form does not depend on it.
    package let language: String?
    /// The properties, with what each rests on.
    package let properties: [WebForm.Property]
    /// The price with the largest amount that was seen on the most recent page.
    package let example: PriceObservation.Price?
    /// ICU's text of the same amount.
    package let icuText: String?
  }

  /// The storefront.
  package let storefront: Storefront
  /// The currency on the date.
  package let currency: Currency
  /// What the price locale rests on: `rule`, or the source that names the locale.
  package let priceLocaleBasis: String
  /// The properties of the web form in each language of the pages on which it depends; an empty language for the only form.
  /// Empty if the store has no web form.
  package let forms: [Form]
  /// Why the store has no web form; `nil` if it has one.
  package let problem: String?
  /// What was seen of a store without a web form; `nil` if it has one.
  package let unformed: Form?
  /// How ICU's form compares with the texts of the store's web pages.
  package let agreement: Agreement
  /// The number of different observed texts, of all interfaces.
  package let textCount: Int
  /// The keys of the sources.
  package let sources: [String]
  /// The first and the last date of an observation.
  package let dates: ClosedRange<CalendarDate>?

  /// Collects the evidence of a storefront.
  ///
  /// - Throws: `.invalidLocaleData` if observations contradict each other or cannot be read; `.formattingFailed`.
  package init(
    of storefront: Storefront,
    in localeData: LocaleData = .embedded,
    on date: CalendarDate,
    from observations: [PriceObservation]? = nil
  ) throws(PriceTagError) {
    let all = if let observations { observations } else { try PriceObservation.embedded(of: storefront.id) }
    let currency = storefront.currency(on: date)
    (self.storefront, self.currency) = (storefront, currency)
    priceLocaleBasis = try localeData.priceLocaleBasis(of: storefront)
    sources = Set(all.map(\.source)).sorted()
    textCount = Set(all.flatMap { $0.prices.map(\.text) }).count
    if let first = all.map(\.dates.lowerBound).min(), let last = all.map(\.dates.upperBound).max() {
      dates = first...last
    } else {
      dates = nil
    }

    let pages = all.filter { $0.interface == .webPage && $0.currency == currency.code }
    // ICU's form, without a merchant's overrides and packs.
    let formatter = try PriceFormatter(
      locale: storefront.priceLocale,
      currency: (try? Currency(currency.code)) ?? currency
    )
    func form(_ language: String?, _ properties: [WebForm.Property]) -> Form {
      let seen = language.map { language in pages.filter { $0.pageLanguage == language } } ?? pages
      let latest = seen.map(\.dates.upperBound).max()
      let example = seen.filter { $0.dates.upperBound == latest }.flatMap(\.prices).max {
        $0.amount < $1.amount
      }
      return Form(
        language: language,
        properties: properties,
        example: example,
        icuText: example.flatMap { try? formatter.string(for: $0.amount) }
      )
    }
    var forms: [Form] = []
    var problem: String?
    do throws(PriceTagError) {
      forms = [form(nil, try WebForm(of: storefront, currency, language: nil, from: all).properties)]
    } catch {
      guard error.code == .invalidOption else { throw error }
      problem = error.problem
      for language in WebForm.languages(of: pages) {
        // A language that was seen only with abbreviations has no form.
        guard let found = try? WebForm(of: storefront, currency, language: language, from: all) else {
          continue
        }
        forms.append(form(language, found.properties))
      }
    }
    self.problem = forms.isEmpty ? problem : nil
    self.forms = forms
    unformed = forms.isEmpty ? form(nil, []) : nil

    var agreement: Agreement = pages.isEmpty ? .unknown : .same
    for page in pages {
      for price in page.prices {
        let text = try? formatter.string(for: price.amount)
        if text == price.text, page.isVerified || !price.text.contains(" ") { continue }
        let isSame = text.map(Self.withoutSpaces) == Self.withoutSpaces(price.text)
        if !isSame { agreement = .different } else if agreement == .same { agreement = .exceptSpaces }
      }
    }
    self.agreement = agreement
  }

  private static func withoutSpaces(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { ![.spaceSeparator, .format].contains($0.properties.generalCategory) }
      )
    )
  }

  /// The evidence as JSON on one line.
  var json: String {
    func object(_ properties: [WebForm.Property]) -> String {
      let members = properties.map { property in
        let value = PriceTagText.json(property.value)
        let basis = PriceTagText.json(property.basis.rawValue)
        return (property.name, jsonObject([("value", value), ("basis", basis)]))
      }
      return jsonObject(members)
    }
    func seen(_ form: Form?) -> [(String, String)] {
      [
        ("observed", optionalJSON(form?.example?.text)),
        ("amount", optionalJSON(form?.example?.amount.description)),
        ("icu", optionalJSON(form?.icuText)),
      ]
    }
    let forms = forms.map { form in
      jsonObject(
        [("language", optionalJSON(form.language)), ("properties", object(form.properties))] + seen(form)
      )
    }
    return jsonObject([
      ("priceLocaleBasis", PriceTagText.json(priceLocaleBasis)), ("webForms", jsonArray(forms)),
      ("problem", optionalJSON(problem)),
      ("agreement", PriceTagText.json(agreement.rawValue)), ("texts", "\(textCount)"),
      ("sources", jsonArray(sources.map { PriceTagText.json($0) })),
      ("from", optionalJSON(dates?.lowerBound.description)),
      ("until", optionalJSON(dates?.upperBound.description)),
    ])
  }
}

extension LocaleData {
  /// The sources that are rules, and not statements about a store.
  private static let rules: Set<String> = ["cldr-likely", "store-default"]

  /// Returns what the price locale of a storefront rests on: `rule`, or the key of the source that names the locale.
  ///
  /// - Throws: `.invalidLocaleData` if the file cannot be read.
  fileprivate func priceLocaleBasis(of storefront: Storefront) throws(PriceTagError) -> String {
    guard let source = try priceLocaleSource(of: storefront.id), !Self.rules.contains(source) else {
      return "rule"
    }
    return source
  }
}
